// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/role_header.h"

#include <optional>

#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>

#include "ui/format/display.h"
#include "ui/window/countdown_bar.h"
#include "ui/window/elided_label.h"
#include "ui/window/label_value.h"

namespace bellwether::ui {

namespace {

QLabel* plainLabel(QWidget* parent, const char* name, const QString& accessible) {
    auto* label = new QLabel(parent);
    label->setObjectName(QString::fromLatin1(name));
    label->setAccessibleName(accessible);
    label->setTextFormat(Qt::PlainText);
    label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    return label;
}

const std::optional<LeaseRecord>& leaseOf(const RoleView& view) {
    return view.verdict.lease ? view.verdict.lease : view.visibleLease;
}

} // namespace

RoleHeader::RoleHeader(QWidget* parent)
    : QFrame(parent)
    , role_(new ElidedLabel(this))
    , verdict_(plainLabel(this, "verdict", tr("Verdict")))
    , holder_(new ElidedLabel(this))
    , token_(plainLabel(this, "token", tr("Token")))
    , age_(plainLabel(this, "age", tr("Age of what is shown")))
    , lease_(plainLabel(this, "leaseLine", tr("Lease")))
    , countdownText_(plainLabel(this, "countdownText", tr("Countdown of the lease")))
    , countdown_(new CountdownBar(this))
    , coordinator_(plainLabel(this, "coordinatorLine", tr("Transaction coordinator")))
    , why_(plainLabel(this, "why", tr("Why"))) {
    countdown_->setObjectName(QStringLiteral("countdown"));
    countdown_->setAccessibleName(tr("Countdown bar of the lease"));
    setFrameShape(NoFrame);
    // Room for any age, so that nothing moves while it grows.
    age_->setMinimumWidth(fontMetrics().horizontalAdvance(tr("%1 ago").arg(QStringLiteral("59 min 59 s"))) +
                          4);
    age_->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    role_->setObjectName(QStringLiteral("roleName"));
    role_->setAccessibleName(tr("Role"));
    holder_->setObjectName(QStringLiteral("holder"));
    holder_->setAccessibleName(tr("Holder"));

    QFont big = font();
    big.setPointSizeF(big.pointSizeF() * 1.35);
    big.setBold(true);
    role_->setFont(big);
    QFont strong = font();
    strong.setBold(true);
    verdict_->setFont(strong);
    holder_->setFont(strong);
    for (QLabel* line : {lease_, coordinator_, why_, countdownText_}) {
        line->setWordWrap(true);
        line->setMinimumWidth(60);
    }
    lease_->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Preferred);

    auto* top = new QHBoxLayout;
    top->setSpacing(12);
    top->addWidget(role_, 2);
    top->addWidget(verdict_);
    top->addWidget(holder_, 1);
    top->addWidget(token_);
    top->addStretch(1);
    top->addWidget(age_);

    auto* grid = new QGridLayout;
    grid->setHorizontalSpacing(10);
    grid->setVerticalSpacing(3);
    grid->setColumnStretch(1, 1);
    const auto caption = [this](const QString& text) {
        auto* label = new QLabel(text, this);
        label->setProperty("caption", true);
        label->setAlignment(Qt::AlignTop | Qt::AlignLeft);
        return label;
    };
    auto* leaseRow = new QHBoxLayout;
    leaseRow->setSpacing(8);
    leaseRow->addWidget(countdown_, 0, Qt::AlignVCenter);
    leaseRow->addWidget(countdownText_, 1);
    grid->addWidget(caption(tr("lease")), 0, 0);
    grid->addWidget(lease_, 0, 1);
    grid->addWidget(caption(tr("time left")), 1, 0);
    grid->addLayout(leaseRow, 1, 1);
    grid->addWidget(caption(tr("coordinator")), 2, 0);
    grid->addWidget(coordinator_, 2, 1);
    grid->addWidget(caption(tr("why")), 3, 0);
    grid->addWidget(why_, 3, 1);

    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(10, 8, 10, 8);
    layout->setSpacing(6);
    layout->addLayout(top);
    layout->addLayout(grid);
}

QString leaseLine(const RoleView& view, const LeaseTiming& assumed, const Now& now, const ClockText& clock) {
    const auto& record = leaseOf(view);
    if (!record) {
        return QObject::tr("none");
    }
    const Lease& lease = record->lease;
    QString line =
        QObject::tr("%1 by %2   granted %3   deadline %4")
            .arg(tokenText(lease.token), shown(lease.member), clock.instant(lease.grantedAt, now.wall),
                 clock.instant(lease.deadline, now.wall));
    const Millis duration = saturatingSubtract(lease.deadline, lease.grantedAt);
    if (duration != assumed.duration) {
        line += duration < Millis{0}
                    ? QObject::tr("   ends before it was granted")
                    : QObject::tr("   lasts %1 (assumed %2)").arg(words(duration), words(assumed.duration));
    }
    if (view.verdict.leaseHidden) {
        line += QObject::tr("   hidden from committed readers");
    }
    return line;
}

QString coordinatorLine(const RoleView& view, const Now& now, const ClockText& clock) {
    const CoordinatorAnswer& answer = view.coordinator;
    const QString when = clock.instant(answer.asOf, now.wall);
    switch (answer.kind) {
    case CoordinatorAnswer::Kind::notAsked: return QObject::tr("not asked yet");
    case CoordinatorAnswer::Kind::unknownId:
        return QObject::tr("knows no epoch of this role (error 105)   as of %1").arg(when);
    case CoordinatorAnswer::Kind::failed:
        return QObject::tr("no answer: %1")
            .arg(answer.error ? sentence(answer.error->text()) : QObject::tr("reason unknown"));
    case CoordinatorAnswer::Kind::described: break;
    }
    QString line = QObject::tr("%1   %2   as of %3")
                       .arg(tokenText(answer.token), fromCore(toString(answer.state)), when);
    if (answer.state == TransactionState::ongoing && answer.transactionStart) {
        line += QObject::tr("   transaction open since %1 (its clock)")
                    .arg(clock.instant(*answer.transactionStart, now.wall));
    }
    return line;
}

void RoleHeader::show(const Input& input, const ClockText& clock) {
    if (!input.view) {
        return;
    }
    showVerdict(input);
    showLease(input, clock);
    showCoordinator(input, clock);
    const QString why = whyText(*input.view, input.standing);
    setValue(why_, why);
}

void RoleHeader::showVerdict(const Input& input) {
    const RoleView& view = *input.view;
    const VerdictLook& look = lookOf(input.standing.kind);
    const ToneColours& tone = toneOf(coloursOf(theme_), input.standing.stale ? Tone::stale : look.tone);
    role_->setFullText(shown(view.role));
    verdict_->setText(QStringLiteral("%1  %2").arg(look.mark, look.word.toUpper()));
    verdict_->setAccessibleDescription(look.word);
    verdict_->setStyleSheet(
        QStringLiteral("color:%1; background:%2; border:1px solid %3; border-radius:4px; padding:2px 8px;")
            .arg(tone.text.name(), tone.fill.name(), tone.line.name()));
    const auto& known = view.verdict.holder ? view.verdict.holder : view.verdict.lastHolder;
    QString holder = known                   ? shown(*known)
                     : view.verdict.claimant ? tr("%1 claims").arg(shown(*view.verdict.claimant))
                     : input.standing.kind == VerdictKind::vacant ? tr("nobody")
                                                                  : tr("holder not known");
    if (known && (input.standing.stale || !view.verdict.holder)) {
        holder = tr("last: %1").arg(holder);
    }
    holder_->setFullText(holder);
    holder_->setEnabled(!input.standing.stale);
    setValue(token_, tokenText(view.verdict.token));
    token_->setToolTip(tr("token of the lease that decided"));
    token_->setEnabled(!input.standing.stale);
    setValue(age_, input.standing.everRead ? agoText(input.standing.age) : tr("not read yet"));
}

void RoleHeader::showLease(const Input& input, const ClockText& clock) {
    setValue(lease_, leaseLine(*input.view, input.assumed, input.now, clock));
    const auto& record = leaseOf(*input.view);
    countdown_->setVisible(record.has_value());
    if (!record) {
        countdown_->setCountdown({});
        setValue(countdownText_, QStringLiteral("—"));
        return;
    }
    CountdownInput left;
    left.grantedAt = record->lease.grantedAt;
    left.deadline = record->lease.deadline;
    left.now = input.now.wall;
    left.asOf = input.standing.asOf;
    left.stale = input.standing.stale;
    left.clockStepped = input.clockStepped;
    const Countdown countdown = countdownOf(left, clock);
    countdown_->setCountdown(countdown);
    setValue(countdownText_, countdown.text);
}

void RoleHeader::showCoordinator(const Input& input, const ClockText& clock) {
    setValue(coordinator_, coordinatorLine(*input.view, input.now, clock));
    coordinator_->setEnabled(!input.standing.stale);
    lease_->setEnabled(!input.standing.stale);
}

void RoleHeader::setTheme(ThemeChoice theme) {
    theme_ = theme;
    const Colours& colours = coloursOf(theme);
    setStyleSheet(QStringLiteral("QLabel[caption=\"true\"] { color: %1; }").arg(colours.muted.name()));
    countdown_->setTheme(theme);
}

} // namespace bellwether::ui
