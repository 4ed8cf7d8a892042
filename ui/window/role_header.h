// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include <QFrame>

#include "feed/snapshot.h"
#include "ui/format/clock_text.h"
#include "ui/presentation/standing.h"
#include "ui/theme/theme.h"

class QLabel;

namespace bellwether::ui {

class CountdownBar;
class ElidedLabel;

/// What is true of the selected role: verdict, holder, token and their age; the lease with its countdown;
/// what the coordinator said; and the sentence that says why.
class RoleHeader final : public QFrame {
    Q_OBJECT
public:
    explicit RoleHeader(QWidget* parent = nullptr);

    struct Input {
        std::shared_ptr<const RoleView> view;
        Standing standing;
        Now now;
        LeaseTiming assumed;
        bool clockStepped = false;
    };

    void show(const Input& input, const ClockText& clock);
    void setTheme(ThemeChoice theme);

private:
    void showVerdict(const Input& input);
    void showLease(const Input& input, const ClockText& clock);
    void showCoordinator(const Input& input, const ClockText& clock);

    ThemeChoice theme_ = ThemeChoice::light;
    ElidedLabel* role_;
    QLabel* verdict_;
    ElidedLabel* holder_;
    QLabel* token_;
    QLabel* age_;
    QLabel* lease_;
    QLabel* countdownText_;
    CountdownBar* countdown_;
    QLabel* coordinator_;
    QLabel* why_;
};

/// The line about the lease without its countdown; public for tests.
[[nodiscard]] QString leaseLine(const RoleView& view, const LeaseTiming& assumed, const Now& now,
                                const ClockText& clock);
/// The line about the coordinator.
[[nodiscard]] QString coordinatorLine(const RoleView& view, const Now& now, const ClockText& clock);

} // namespace bellwether::ui
