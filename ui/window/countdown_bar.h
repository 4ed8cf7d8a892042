// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "ui/format/countdown.h"
#include "ui/theme/theme.h"

namespace bellwether::ui {

/// How much of a lease is left, as a bar. The words beside it say the same.
class CountdownBar final : public QWidget {
    Q_OBJECT
public:
    explicit CountdownBar(QWidget* parent = nullptr);
    void setCountdown(const Countdown& countdown);
    void setTheme(ThemeChoice theme);

    [[nodiscard]] const Countdown& countdown() const { return countdown_; }

    [[nodiscard]] QSize sizeHint() const override { return {120, 12}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    Countdown countdown_;
    ThemeChoice theme_ = ThemeChoice::light;
};

} // namespace bellwether::ui
