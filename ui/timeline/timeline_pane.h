// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include <QWidget>

#include "feed/snapshot.h"
#include "ui/format/clock_text.h"
#include "ui/presentation/standing.h"
#include "ui/theme/theme.h"

class QComboBox;
class QLabel;
class QScrollBar;
class QToolButton;

namespace bellwether::ui {

class ElidedLabel;
class TimelinePlot;

/// The plot with its controls: how much time, follow, fit. While following, the window ends a little after
/// now.
class TimelinePane final : public QWidget {
    Q_OBJECT
public:
    explicit TimelinePane(QWidget* parent = nullptr);

    /// `lanes`: indexes into snapshot->timeline to show, in order.
    void update(std::shared_ptr<const Snapshot> snapshot, std::vector<int> lanes, const Now& now);
    void tick(const Now& now);
    void setSelected(const std::optional<Role>& role);
    void setTheme(ThemeChoice theme);
    void setClockText(const ClockText& clock);

    [[nodiscard]] TimelinePlot* plot() const { return plot_; }

    [[nodiscard]] bool following() const;
    void setFollowing(bool on);

Q_SIGNALS:
    void roleClicked(const bellwether::Role& role);

private:
    void fitAll();
    void applySpan();
    void syncScrollBar();
    void describe();
    void relabel();

    TimelinePlot* plot_;
    QComboBox* span_;
    QToolButton* follow_;
    QToolButton* fit_;
    ElidedLabel* zone_;
    QLabel* legend_;
    QScrollBar* scroll_;
    std::shared_ptr<const Snapshot> snapshot_;
    std::vector<int> lanes_;
    ClockText clock_;
    ThemeChoice theme_ = ThemeChoice::light;
    Now now_;
    WallTime described_{};
};

} // namespace bellwether::ui
