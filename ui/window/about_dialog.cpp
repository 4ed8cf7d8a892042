// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/about_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

#include "ui/timeline/plot_version.h"

namespace bellwether::ui {

QStringList versionLines(const Versions& versions) {
    return {QObject::tr("Bellwether %1").arg(versions.bellwether),
            QObject::tr("Qt %1").arg(QLatin1String(qVersion())),
            QObject::tr("QCustomPlot %1").arg(plotLibraryVersion()),
            QObject::tr("librdkafka %1").arg(versions.librdkafka)};
}

AboutDialog::AboutDialog(const Versions& versions, QWidget* parent)
    : QDialog(parent) {
    setObjectName(QStringLiteral("aboutDialog"));
    setWindowTitle(tr("About Bellwether"));
    setAccessibleName(windowTitle());
    QStringList lines = versionLines(versions);
    const QString own = lines.takeFirst().toHtmlEscaped();
    auto* text = new QLabel(
        QStringLiteral("<h2>%1</h2><p>%2</p><p>%3</p><p>%4</p>")
            .arg(own, tr("Watches, explains and plots leadership that Kafka itself fences."),
                 lines.join(QLatin1Char('\n'))
                     .toHtmlEscaped()
                     .replace(QLatin1Char('\n'), QLatin1String("<br>")),
                 tr("The console is free software under the GNU General Public License 3.0 or later;<br>"
                    "its core library and bellwetherctl under the Apache License 2.0.")),
        this);
    text->setObjectName(QStringLiteral("aboutText"));
    text->setAccessibleName(tr("Versions and licence"));
    text->setTextFormat(Qt::RichText);
    text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* close = buttons->addButton(QDialogButtonBox::Close);
    close->setObjectName(QStringLiteral("aboutClose"));
    close->setAccessibleName(tr("Close"));
    close->setAutoDefault(false);
    close->setDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(text);
    layout->addWidget(buttons);
    close->setFocus();
}

} // namespace bellwether::ui
