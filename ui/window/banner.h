// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>
#include <QList>

#include "ui/presentation/troubles.h"
#include "ui/theme/theme.h"

class QLabel;
class QVBoxLayout;

namespace bellwether::ui {

/// What limits the trust in everything below, one line each: what, where, what to do. Takes no room when all
/// is well.
class Banner final : public QFrame {
    Q_OBJECT
public:
    explicit Banner(QWidget* parent = nullptr);
    void setTroubles(const QList<Trouble>& troubles);
    void setTheme(ThemeChoice theme);

    [[nodiscard]] const QList<Trouble>& troubles() const { return troubles_; }

private:
    void rebuild();

    QVBoxLayout* layout_;
    QList<Trouble> troubles_;
    ThemeChoice theme_ = ThemeChoice::light;
};

} // namespace bellwether::ui
