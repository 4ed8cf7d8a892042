// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/status_strip.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>

namespace bellwether::ui {

namespace {

QLabel* segment(QWidget* parent, const char* name, const QString& accessible) {
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setAccessibleName(accessible);
    return label;
}

QString markOf(Tone tone) {
    switch (tone) {
    case Tone::ok: return QStringLiteral("✓ ");
    case Tone::changing: return QStringLiteral("▲ ");
    case Tone::bad: return QStringLiteral("✖ ");
    case Tone::information:
    case Tone::stale: break;
    }
    return {};
}

} // namespace

StatusStrip::StatusStrip(QWidget* parent)
    : QFrame(parent)
    , brokers_(segment(this, "statusBrokers", tr("Brokers")))
    , topic_(segment(this, "statusTopic", tr("Topic")))
    , progress_(new QProgressBar(this))
    , feature_(segment(this, "statusFeature", tr("Feature of the cluster")))
    , clock_(segment(this, "statusClock", tr("Clock of this machine")))
    , asOf_(segment(this, "statusAsOf", tr("Last good read"))) {
    progress_->setObjectName(QStringLiteral("readProgress"));
    progress_->setAccessibleName(tr("Progress of the first read"));
    progress_->setFixedWidth(120);
    progress_->setMaximumHeight(fontMetrics().height());
    progress_->setTextVisible(false);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(10, 4, 10, 4);
    layout->setSpacing(20);
    layout->addWidget(brokers_);
    layout->addWidget(topic_);
    layout->addWidget(progress_);
    layout->addWidget(feature_);
    layout->addWidget(clock_);
    layout->addStretch(1);
    layout->addWidget(asOf_);
    progress_->hide();
}

void StatusStrip::paint(QLabel* label, const QString& text, Tone tone) {
    label->setText(text.isEmpty() ? QString() : markOf(tone) + text);
    label->setAccessibleDescription(text);
    const Colours& colours = coloursOf(theme_);
    const QColor colour = tone == Tone::information ? colours.text
                          : tone == Tone::ok        ? colours.muted
                                                    : toneOf(colours, tone).text;
    QPalette palette = label->palette();
    palette.setColor(QPalette::WindowText, colour);
    label->setPalette(palette);
}

void StatusStrip::show(const StatusText& text) {
    text_ = text;
    paint(brokers_, text.brokers, text.brokersTone);
    paint(topic_, text.topic, text.topicTone);
    progress_->setVisible(text.progressPercent >= 0);
    progress_->setValue(text.progressPercent);
    paint(feature_, text.feature, Tone::information);
    paint(clock_, text.clock, text.clockTone);
    paint(asOf_, text.asOf, text.asOfTone == Tone::ok ? Tone::information : text.asOfTone);
}

void StatusStrip::setTheme(ThemeChoice theme) {
    theme_ = theme;
    setStyleSheet(QStringLiteral("bellwether--ui--StatusStrip { border-top: 1px solid %1; }")
                      .arg(coloursOf(theme).border.name()));
    show(text_);
}

} // namespace bellwether::ui
