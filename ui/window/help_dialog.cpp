// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/help_dialog.h"

#include <utility>

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/presentation/standing.h"

namespace bellwether::ui {

namespace {

QString rowsHtml(const QList<std::pair<QString, QString>>& rows) {
    QString html = QStringLiteral("<table cellspacing='0' cellpadding='3'>");
    for (const auto& [left, right] : rows) {
        html += QStringLiteral("<tr><td><b>%1</b>&nbsp;&nbsp;</td><td>%2</td></tr>")
                    .arg(left.toHtmlEscaped(), right.toHtmlEscaped());
    }
    return html + QStringLiteral("</table>");
}

QString verdictMeaning(VerdictKind kind) {
    switch (kind) {
    case VerdictKind::authoritative:
        return QObject::tr("the holder is the only one whose commit can succeed");
    case VerdictKind::overdue: return QObject::tr("the same, but its lease has run out: a failover may come");
    case VerdictKind::claiming: return QObject::tr("somebody is writing a lease under a newer epoch");
    case VerdictKind::claimed:
        return QObject::tr("a newer epoch exists and nobody has written under it: the old holder is fenced");
    case VerdictKind::inDoubt:
        return QObject::tr("the evidence does not settle it yet; it is being asked for");
    case VerdictKind::unknown: return QObject::tr("what is known is too old, or was refused");
    case VerdictKind::vacant: return QObject::tr("nobody leads");
    case VerdictKind::contradictory:
        return QObject::tr("the records cannot come from this cluster's protocol");
    }
    return {};
}

} // namespace

HelpDialog::HelpDialog(QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("helpDialog"));
    setWindowTitle(tr("Bellwether: help"));
    setAccessibleName(windowTitle());
    const QString keys = rowsHtml({{tr("/"), tr("filter: role, holder or verdict")},
                                   {tr("j  k  ↓  ↑"), tr("next and previous role")},
                                   {tr("Enter"), tr("go to the roster of the selected role")},
                                   {tr("Esc"), tr("back; clears the filter")},
                                   {tr("t"), tr("timeline")},
                                   {tr("F5"), tr("ask every source now")},
                                   {tr("Ctrl+C"), tr("copy what is selected as text")},
                                   {tr("Ctrl+Shift+C"), tr("copy the selected role as JSON")},
                                   {tr("?"), tr("this help")}});
    const QString plot = rowsHtml({{tr("wheel, + −"), tr("zoom at the pointer; over the names: scroll")},
                                   {tr("drag, ← →"), tr("move in time")},
                                   {tr("double click, Home"), tr("show everything")},
                                   {tr("click"), tr("select the role")}});
    QList<std::pair<QString, QString>> verdicts;
    for (const VerdictKind kind :
         {VerdictKind::authoritative, VerdictKind::overdue, VerdictKind::claiming, VerdictKind::claimed,
          VerdictKind::inDoubt, VerdictKind::unknown, VerdictKind::vacant, VerdictKind::contradictory}) {
        const VerdictLook& look = lookOf(kind);
        verdicts.append({look.mark + QStringLiteral("  ") + look.word, verdictMeaning(kind)});
    }
    auto* text = new QLabel(
        QStringLiteral("<h3>%1</h3>%2<h3>%3</h3>%4<h3>%5</h3>%6")
            .arg(tr("Keys"), keys, tr("On the timeline"), plot, tr("Verdicts"), rowsHtml(verdicts)),
        this);
    text->setObjectName(QStringLiteral("helpText"));
    text->setAccessibleName(tr("Help text"));
    text->setTextFormat(Qt::RichText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);

    auto* buttons = new QDialogButtonBox(this);
    QPushButton* close = buttons->addButton(QDialogButtonBox::Close);
    close->setObjectName(QStringLiteral("helpClose"));
    close->setAccessibleName(tr("Close the help"));
    close->setAutoDefault(false);
    close->setDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(buttons);
    close->setFocus();
}

} // namespace bellwether::ui
