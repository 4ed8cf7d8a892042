// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_pane.h"

#include <algorithm>

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QScrollBar>
#include <QToolButton>
#include <QVBoxLayout>

#include "ui/timeline/segment_text.h"
#include "ui/timeline/timeline_plot.h"
#include "ui/window/elided_label.h"

namespace bellwether::ui {

namespace {

constexpr int kDescribedLanes = 50;
constexpr Millis kDescribeEvery{1'000};

} // namespace

TimelinePane::TimelinePane(QWidget* parent)
    : QWidget(parent)
    , plot_(new TimelinePlot(this))
    , span_(new QComboBox(this))
    , follow_(new QToolButton(this))
    , fit_(new QToolButton(this))
    , zone_(new ElidedLabel(this))
    , legend_(new QLabel(this))
    , scroll_(new QScrollBar(Qt::Vertical, this)) {
    plot_->setObjectName(QStringLiteral("timelinePlot"));
    plot_->setAccessibleName(tr("Timeline of roles"));
    span_->setObjectName(QStringLiteral("timelineSpan"));
    span_->setAccessibleName(tr("Stretch of time shown"));
    const std::pair<QString, int> spans[] = {{tr("1 min"), 60},   {tr("2 min"), 120}, {tr("5 min"), 300},
                                             {tr("15 min"), 900}, {tr("1 h"), 3'600}, {tr("6 h"), 21'600},
                                             {tr("24 h"), 86'400}};
    for (const auto& [text, seconds] : spans) {
        span_->addItem(text, seconds);
    }
    span_->setCurrentIndex(1);
    follow_->setObjectName(QStringLiteral("timelineFollow"));
    follow_->setText(tr("Follow"));
    follow_->setAccessibleName(tr("Follow the present time"));
    follow_->setToolTip(tr("keep the present time at the right edge"));
    follow_->setCheckable(true);
    follow_->setChecked(true);
    fit_->setObjectName(QStringLiteral("timelineFit"));
    fit_->setText(tr("Fit all"));
    fit_->setAccessibleName(tr("Show everything seen"));
    fit_->setToolTip(tr("show everything since this console began to watch (double click, Home)"));
    scroll_->setObjectName(QStringLiteral("timelineLanes"));
    scroll_->setAccessibleName(tr("Scroll the lanes"));
    zone_->setAccessibleName(tr("Clock and zone of the time axis"));
    zone_->setObjectName(QStringLiteral("timelineZone"));
    legend_->setObjectName(QStringLiteral("timelineLegend"));
    legend_->setAccessibleName(tr("Legend of the timeline"));

    auto* controls = new QHBoxLayout;
    controls->setContentsMargins(6, 4, 6, 4);
    controls->setSpacing(6);
    controls->addWidget(span_);
    controls->addWidget(follow_);
    controls->addWidget(fit_);
    controls->addSpacing(12);
    controls->addWidget(legend_);
    controls->addStretch(0);
    controls->addWidget(zone_, 1);
    auto* body = new QHBoxLayout;
    body->setContentsMargins(0, 0, 0, 0);
    body->setSpacing(0);
    body->addWidget(plot_, 1);
    body->addWidget(scroll_);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addLayout(controls);
    layout->addLayout(body, 1);

    connect(span_, &QComboBox::activated, this, [this] {
        setFollowing(true);
        applySpan();
    });
    connect(follow_, &QToolButton::toggled, this, [this](bool on) {
        if (on) {
            plot_->setWindow(TimeWindow::following(now_.wall, plot_->window().span));
        }
    });
    connect(fit_, &QToolButton::clicked, this, &TimelinePane::fitAll);
    connect(plot_, &TimelinePlot::everythingWanted, this, &TimelinePane::fitAll);
    connect(plot_, &TimelinePlot::windowMoved, this, [this](const TimeWindow& window) {
        setFollowing(false);
        plot_->setWindow(window);
    });
    connect(plot_, &TimelinePlot::laneClicked, this, &TimelinePane::roleClicked);
    connect(plot_, &TimelinePlot::lanesChanged, this, &TimelinePane::syncScrollBar);
    connect(scroll_, &QScrollBar::valueChanged, plot_, &TimelinePlot::setFirstLane);
    relabel();
}

bool TimelinePane::following() const {
    return follow_->isChecked();
}

void TimelinePane::setFollowing(bool on) {
    follow_->setChecked(on);
}

void TimelinePane::update(std::shared_ptr<const Snapshot> snapshot, std::vector<int> lanes, const Now& now) {
    const bool first = snapshot_ == nullptr;
    snapshot_ = std::move(snapshot);
    lanes_ = lanes;
    now_ = now;
    plot_->setSnapshot(snapshot_, std::move(lanes));
    if (first) {
        applySpan();
    }
    syncScrollBar();
    tick(now);
}

void TimelinePane::tick(const Now& now) {
    now_ = now;
    if (following()) {
        plot_->setWindow(TimeWindow::following(now.wall, plot_->window().span));
    }
    plot_->setTimes(snapshot_ ? knownUntil(*snapshot_, now) : now.wall, now.wall);
    if (saturatingSubtract(now.wall, described_) >= kDescribeEvery || now.wall < described_) {
        describe();
    }
}

void TimelinePane::applySpan() {
    plot_->setWindow(
        TimeWindow::following(now_.wall, Millis{std::int64_t{span_->currentData().toInt()} * 1'000}));
}

void TimelinePane::fitAll() {
    if (!snapshot_) {
        return;
    }
    setFollowing(false);
    WallTime first = std::min(snapshot_->watchingSince, now_.wall);
    for (const int index : lanes_) {
        const auto& lane = snapshot_->timeline.at(static_cast<std::size_t>(index));
        if (!lane->segments.empty()) {
            first = std::min(first, lane->segments.front().from);
        }
    }
    plot_->setWindow(TimeWindow::fitting(first, now_.wall));
}

void TimelinePane::setSelected(const std::optional<Role>& role) {
    plot_->setSelected(role);
}

void TimelinePane::setTheme(ThemeChoice theme) {
    theme_ = theme;
    plot_->setTheme(theme);
    relabel();
}

void TimelinePane::setClockText(const ClockText& clock) {
    clock_ = clock;
    plot_->setClockText(clock);
    relabel();
}

void TimelinePane::relabel() {
    zone_->setFullText(tr("this console's clock, %1").arg(clock_.zoneName(now_.wall)));
    const Colours& colours = coloursOf(theme_);
    const auto patch = [](const QColor& colour, QChar mark, const QString& word) {
        return QStringLiteral("<span style='color:%1'>%2</span> %3").arg(colour.name(), QString(mark), word);
    };
    legend_->setTextFormat(Qt::RichText);
    legend_->setText(QStringList{patch(colours.information.line, QChar(u'■'), tr("led (named)")),
                                 patch(colours.bad.line, QChar(u'▢'), tr("vacant, contradictory")),
                                 patch(colours.changing.line, QChar(u'▢'), tr("changing, in doubt")),
                                 patch(colours.stale.line, QChar(u'▨'), tr("not observed"))}
                         .join(QStringLiteral("&nbsp;&nbsp; ")));
}

void TimelinePane::syncScrollBar() {
    const QSignalBlocker quiet(scroll_);
    const int most = std::max(0, plot_->laneCount() - plot_->visibleLanes());
    scroll_->setRange(0, most);
    scroll_->setPageStep(plot_->visibleLanes());
    scroll_->setValue(plot_->firstLane());
    scroll_->setVisible(most > 0);
}

void TimelinePane::describe() {
    described_ = now_.wall;
    QStringList lines;
    const auto count = std::min<std::size_t>(lanes_.size(), kDescribedLanes);
    for (std::size_t i = 0; snapshot_ && i < count; ++i) {
        const auto index = static_cast<std::size_t>(lanes_[i]);
        if (index < snapshot_->timeline.size()) {
            lines << laneSummary(*snapshot_->timeline[index], knownUntil(*snapshot_, now_));
        }
    }
    if (lanes_.size() > count) {
        lines << tr("and %1 more").arg(lanes_.size() - count);
    }
    plot_->setAccessibleDescription(lines.isEmpty() ? tr("nothing seen yet") : lines.join(QLatin1Char('\n')));
}

} // namespace bellwether::ui
