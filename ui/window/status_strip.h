// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/presentation/headline.h"
#include "ui/theme/theme.h"

class QLabel;
class QProgressBar;

namespace bellwether::ui {

/// The line at the bottom: brokers, topic, feature, clock, and as of when all of it is.
class StatusStrip final : public QFrame {
    Q_OBJECT
public:
    explicit StatusStrip(QWidget* parent = nullptr);
    void show(const StatusText& text);
    void setTheme(ThemeChoice theme);

private:
    void paint(QLabel* label, const QString& text, Tone tone);

    QLabel* brokers_;
    QLabel* topic_;
    QProgressBar* progress_;
    QLabel* feature_;
    QLabel* clock_;
    QLabel* asOf_;
    StatusText text_;
    ThemeChoice theme_ = ThemeChoice::light;
};

} // namespace bellwether::ui
