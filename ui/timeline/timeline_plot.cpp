// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/timeline_plot.h"

#include <algorithm>
#include <cmath>

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWheelEvent>

#include <qcustomplot.h>

#include "ui/format/display.h"
#include "ui/timeline/lane_bars.h"
#include "ui/timeline/lane_painter.h"
#include "ui/timeline/plot_version.h"
#include "ui/timeline/segment_text.h"

namespace bellwether::ui {

namespace {

constexpr int kNameWidth = 150;
constexpr double kMinimumTickPixels = 110.0;

double axisValue(WallTime t) {
    return static_cast<double>(toMillis(t)) / 1'000.0;
}

class TimeTicker final : public QCPAxisTicker {
public:
    explicit TimeTicker(const LaneScene& scene)
        : scene_(scene) {}

    void generate(const QCPRange&, const QLocale&, QChar, int, QVector<double>& ticks,
                  QVector<double>* subTicks, QVector<QString>* labels) override {
        const Millis step = scene_.window.tickStep(width, kMinimumTickPixels);
        ticks.clear();
        if (subTicks != nullptr) {
            subTicks->clear();
        }
        if (labels != nullptr) {
            labels->clear();
        }
        for (const WallTime t : scene_.window.ticks(step, scene_.clock)) {
            ticks.append(axisValue(t));
            if (labels != nullptr) {
                labels->append(scene_.clock.tick(t, step));
            }
        }
    }

    double width = 600.0;

private:
    const LaneScene& scene_;
};

/// Names of the lanes, left of the axis rectangle.
class LaneNames final : public QCPLayerable {
public:
    LaneNames(QCustomPlot* plot, const LaneScene& scene)
        : QCPLayerable(plot)
        , scene_(scene) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(false); }

    [[nodiscard]] QRect clipRect() const override { return mParentPlot->viewport(); }

    void draw(QCPPainter* painter) override {
        const QRect bars = mParentPlot->axisRect()->rect();
        painter->setFont(mParentPlot->font());
        paintLaneNames(*painter, QRect(0, bars.top(), bars.left(), bars.height()), scene_);
    }

private:
    const LaneScene& scene_;
};

/// The bars. QCustomPlot's own items would be a hundred times slower.
class LaneBarsPlottable final : public QCPAbstractPlottable {
public:
    LaneBarsPlottable(QCPAxis* keyAxis, QCPAxis* valueAxis, const LaneScene& scene)
        : QCPAbstractPlottable(keyAxis, valueAxis)
        , scene_(scene) {}

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1.0; }

    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override {
        found = false;
        return {};
    }

    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
        found = false;
        return {};
    }

protected:
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

    void draw(QCPPainter* painter) override {
        painter->setAntialiasing(false);
        painter->setFont(mParentPlot->font());
        paintLaneBars(*painter, mKeyAxis->axisRect()->rect(), scene_, members_);
    }

private:
    const LaneScene& scene_;
    MemberColours members_;
};

} // namespace

QString plotLibraryVersion() {
    return QStringLiteral(QCUSTOMPLOT_VERSION_STR);
}

struct TimelinePlot::Parts {
    LaneScene scene;
    QCustomPlot* plot = nullptr;
    QSharedPointer<TimeTicker> ticker;
    bool revealWanted = false;
    bool pressed = false;
    bool dragging = false;
    QPoint pressedAt;
    TimeWindow pressedWindow;

    [[nodiscard]] QRect area() const { return plot->axisRect()->rect(); }

    [[nodiscard]] int laneAt(int y) const {
        return y < area().top() || y > area().bottom() ? -1
                                                       : scene.firstLane + (y - area().top()) / kLaneHeight;
    }

    void replot() {
        ticker->width = area().width();
        plot->xAxis->setRange(axisValue(scene.window.from), axisValue(scene.window.to()));
        plot->replot(QCustomPlot::rpQueuedReplot);
    }
};

TimelinePlot::TimelinePlot(QWidget* parent)
    : QWidget(parent)
    , parts_(std::make_unique<Parts>()) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    parts_->plot = new QCustomPlot(this);
    layout->addWidget(parts_->plot);
    QCustomPlot* plot = parts_->plot;
    plot->setFocusPolicy(Qt::NoFocus);
    plot->setMouseTracking(true);
    plot->axisRect()->setAutoMargins(QCP::msBottom);
    plot->axisRect()->setMargins(QMargins(kNameWidth, 2, 8, 0));
    plot->axisRect()->setMinimumMargins(QMargins(kNameWidth, 2, 8, 22));
    plot->yAxis->setVisible(false);
    plot->yAxis->setRange(0.0, 1.0);
    parts_->ticker = QSharedPointer<TimeTicker>(new TimeTicker(parts_->scene));
    plot->xAxis->setTicker(parts_->ticker);
    plot->xAxis->grid()->setLayer(QStringLiteral("background"));
    new LaneBarsPlottable(plot->xAxis, plot->yAxis, parts_->scene);
    auto* names = new LaneNames(plot, parts_->scene);
    names->setLayer(QStringLiteral("main"));
    plot->installEventFilter(this);
    setFocusPolicy(Qt::StrongFocus);
    setTheme(ThemeChoice::light);
}

TimelinePlot::~TimelinePlot() {
    // The plot draws from the scene: it goes first, and its last events are not for this object.
    parts_->plot->removeEventFilter(this);
    delete parts_->plot;
}

void TimelinePlot::setSnapshot(std::shared_ptr<const Snapshot> snapshot, std::vector<int> lanes) {
    const bool changed = lanes.size() != parts_->scene.lanes.size();
    parts_->scene.snapshot = std::move(snapshot);
    parts_->scene.lanes = std::move(lanes);
    setFirstLane(parts_->scene.firstLane);
    if (changed) {
        Q_EMIT lanesChanged();
    }
    revealSelected();
}

void TimelinePlot::setWindow(const TimeWindow& window) {
    parts_->scene.window = window;
    parts_->replot();
}

const TimeWindow& TimelinePlot::window() const {
    return parts_->scene.window;
}

void TimelinePlot::setTimes(WallTime known, WallTime present) {
    parts_->scene.known = known;
    parts_->scene.present = present;
    parts_->replot();
}

void TimelinePlot::setSelected(const std::optional<Role>& role) {
    if (parts_->scene.selected == role) {
        return;
    }
    parts_->scene.selected = role;
    parts_->revealWanted = role.has_value();
    revealSelected();
    parts_->replot();
}

void TimelinePlot::revealSelected() {
    if (!parts_->revealWanted || !isVisible()) {
        return; // later, when it is known how many lanes fit
    }
    for (int i = 0; i < laneCount(); ++i) {
        const TimelineLane* lane = parts_->scene.lane(i);
        if (lane != nullptr && lane->role == *parts_->scene.selected) {
            parts_->revealWanted = false;
            if (i < firstLane() || i >= firstLane() + visibleLanes()) {
                setFirstLane(i < firstLane() ? i : i - visibleLanes() + 1);
            }
            return;
        }
    }
}

void TimelinePlot::setFirstLane(int first) {
    const int clamped = std::clamp(first, 0, std::max(0, laneCount() - visibleLanes()));
    if (clamped != parts_->scene.firstLane) {
        parts_->scene.firstLane = clamped;
        Q_EMIT lanesChanged();
    }
    parts_->replot();
}

int TimelinePlot::firstLane() const {
    return parts_->scene.firstLane;
}

int TimelinePlot::laneCount() const {
    return static_cast<int>(parts_->scene.lanes.size());
}

int TimelinePlot::visibleLanes() const {
    return std::max(1, parts_->area().height() / kLaneHeight);
}

void TimelinePlot::setTheme(ThemeChoice theme) {
    const Colours& colours = coloursOf(theme);
    parts_->scene.theme = theme;
    QCustomPlot* plot = parts_->plot;
    plot->setBackground(QBrush(colours.base));
    QCPAxis* axis = plot->xAxis;
    for (const auto& setPen : {&QCPAxis::setBasePen, &QCPAxis::setTickPen, &QCPAxis::setSubTickPen}) {
        (axis->*setPen)(QPen(colours.border));
    }
    axis->setTickLength(0, 5);
    axis->setTickLabelColor(colours.muted);
    axis->setTickLabelFont(font());
    axis->grid()->setPen(QPen(colours.plotGrid));
    axis->grid()->setZeroLinePen(Qt::NoPen);
    parts_->replot();
}

void TimelinePlot::setClockText(const ClockText& clock) {
    parts_->scene.clock = clock;
    parts_->replot();
}

QRect TimelinePlot::plotArea() const {
    return parts_->area().translated(parts_->plot->pos());
}

QString TimelinePlot::textAt(const QPoint& position) const {
    const TimelineLane* lane = parts_->scene.lane(parts_->laneAt(position.y()));
    if (lane == nullptr) {
        return {};
    }
    const QRect area = plotArea();
    if (position.x() < area.left()) {
        return shown(lane->role);
    }
    const auto bars =
        barsOf(*lane, parts_->scene.window, area.width(), parts_->scene.known, parts_->scene.present);
    const LaneBar* bar = barAt(bars, position.x() - area.left());
    return bar == nullptr ? QString() : hoverText(*lane, *bar, parts_->scene.known, parts_->scene.clock);
}

bool TimelinePlot::eventFilter(QObject* watched, QEvent* event) {
    if (watched != parts_->plot) {
        return QWidget::eventFilter(watched, event);
    }
    const QRect area = plotArea();
    switch (event->type()) {
    case QEvent::Wheel: {
        auto* wheel = static_cast<QWheelEvent*>(event);
        const double turns = wheel->angleDelta().y() / 120.0;
        const double x = wheel->position().x() - area.left();
        if (x < 0.0 || (wheel->modifiers() & Qt::ShiftModifier) != 0) {
            setFirstLane(firstLane() - static_cast<int>(std::lround(turns * 3.0)));
        } else {
            Q_EMIT windowMoved(
                window().zoomed(std::clamp(x / std::max(1, area.width()), 0.0, 1.0), std::pow(0.8, turns)));
        }
        return true;
    }
    case QEvent::MouseButtonPress: {
        auto* mouse = static_cast<QMouseEvent*>(event);
        setFocus(Qt::MouseFocusReason);
        if (mouse->button() == Qt::LeftButton) {
            parts_->pressed = true;
            parts_->dragging = false;
            parts_->pressedAt = mouse->pos();
            parts_->pressedWindow = window();
        }
        return true;
    }
    case QEvent::MouseMove: {
        auto* mouse = static_cast<QMouseEvent*>(event);
        const int moved = mouse->pos().x() - parts_->pressedAt.x();
        if (parts_->pressed && (parts_->dragging || std::abs(moved) > 4)) {
            parts_->dragging = true;
            const double share = static_cast<double>(moved) / std::max(1, area.width());
            const double millis = static_cast<double>(parts_->pressedWindow.span.count()) * share;
            Q_EMIT windowMoved(parts_->pressedWindow.panned(-Millis{std::llround(millis)}));
        }
        return true;
    }
    case QEvent::MouseButtonRelease: {
        auto* mouse = static_cast<QMouseEvent*>(event);
        const TimelineLane* lane = parts_->scene.lane(parts_->laneAt(mouse->pos().y()));
        const bool click = parts_->pressed && !parts_->dragging;
        parts_->pressed = false;
        parts_->dragging = false;
        if (click && mouse->button() == Qt::LeftButton && lane != nullptr) {
            Q_EMIT laneClicked(Role(lane->role));
        }
        return true;
    }
    case QEvent::MouseButtonDblClick:
        parts_->pressed = false;
        Q_EMIT everythingWanted();
        return true;
    case QEvent::ToolTip: {
        auto* help = static_cast<QHelpEvent*>(event);
        const QString text = textAt(help->pos());
        if (text.isEmpty()) {
            QToolTip::hideText();
        } else {
            const QString html = text.toHtmlEscaped().replace(QLatin1Char('\n'), QLatin1String("<br>"));
            QToolTip::showText(help->globalPos(), QLatin1String("<qt>") + html + QLatin1String("</qt>"),
                               parts_->plot);
        }
        return true;
    }
    default: return QWidget::eventFilter(watched, event);
    }
}

void TimelinePlot::keyPressEvent(QKeyEvent* event) {
    const Millis step{std::max<std::int64_t>(1, window().span.count() / 10)};
    switch (event->key()) {
    case Qt::Key_Left: Q_EMIT windowMoved(window().panned(-step)); break;
    case Qt::Key_Right: Q_EMIT windowMoved(window().panned(step)); break;
    case Qt::Key_Up: setFirstLane(firstLane() - 1); break;
    case Qt::Key_Down: setFirstLane(firstLane() + 1); break;
    case Qt::Key_PageUp: setFirstLane(firstLane() - visibleLanes()); break;
    case Qt::Key_PageDown: setFirstLane(firstLane() + visibleLanes()); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: Q_EMIT windowMoved(window().zoomed(0.5, 0.8)); break;
    case Qt::Key_Minus: Q_EMIT windowMoved(window().zoomed(0.5, 1.25)); break;
    case Qt::Key_Home: Q_EMIT everythingWanted(); break;
    default: QWidget::keyPressEvent(event);
    }
}

void TimelinePlot::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    setFirstLane(firstLane());
    Q_EMIT lanesChanged();
}

} // namespace bellwether::ui
