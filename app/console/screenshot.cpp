// SPDX-License-Identifier: GPL-3.0-or-later
#include "screenshot.h"

#include <algorithm>
#include <iostream>
#include <utility>

#include <QCoreApplication>
#include <QPixmap>
#include <QWidget>

#include "ui/format/display.h"

namespace bellwether::console {

std::string missingForPicture(const Snapshot& snapshot, std::size_t rolesToCome) {
    if (snapshot.connection.phase != ConnectionPhase::live) {
        return "the feed is not live but " + std::string(toString(snapshot.connection.phase));
    }
    if (snapshot.roles.empty()) {
        return "the topic holds no role";
    }
    if (snapshot.roles.size() < rolesToCome) {
        return "not every role is there yet";
    }
    const auto judged = [](const auto& role) {
        return role->coordinator.kind != CoordinatorAnswer::Kind::notAsked &&
               role->verdict.kind != VerdictKind::unknown;
    };
    // What the operator may not see does not come by waiting; the picture says so.
    const auto refused = [](const auto& role) {
        return role->coordinator.kind == CoordinatorAnswer::Kind::failed && role->coordinator.error &&
               !role->coordinator.error->retriable;
    };
    const bool all = std::all_of(snapshot.roles.begin(), snapshot.roles.end(),
                                 [&](const auto& role) { return judged(role) || refused(role); });
    if (!all) {
        return "not every role is judged yet";
    }
    return std::any_of(snapshot.roles.begin(), snapshot.roles.end(), judged) ? "" : "no role can be judged";
}

Screenshot::Screenshot(QWidget* window, ScreenshotOptions options, std::size_t rolesToCome, QObject* parent)
    : QObject(parent)
    , window_(window)
    , options_(std::move(options))
    , rolesToCome_(rolesToCome) {
    patience_.setSingleShot(true);
    after_.setSingleShot(true);
    connect(&patience_, &QTimer::timeout, this, [this] { take(1); });
    connect(&after_, &QTimer::timeout, this, [this] { take(0); });
    patience_.start(kPatienceMillis);
    hopeless_.setSingleShot(true);
    connect(&hopeless_, &QTimer::timeout, this, [this] { take(1); });
}

void Screenshot::note(const Snapshot& snapshot) {
    if (taken_ || after_.isActive()) {
        return;
    }
    missing_ = missingForPicture(snapshot, rolesToCome_);
    problem_ = snapshot.connection.problem ? ui::sentence(snapshot.connection.problem->text()).toStdString()
                                           : std::string();
    if (snapshot.connection.lastGoodRead || !snapshot.connection.problem) {
        hopeless_.stop();
    } else if (!hopeless_.isActive()) {
        hopeless_.start(kHopelessMillis);
    }
    if (missing_.empty()) {
        patience_.stop();
        // A little longer than nothing, so that what has just come is painted too.
        after_.start(std::max(300, static_cast<int>(options_.after * 1'000.0)));
    }
}

void Screenshot::take(int code) {
    if (std::exchange(taken_, true)) {
        return;
    }
    hopeless_.stop();
    if (code != 0) {
        std::cerr << "bellwether: the picture shows no judged roles: " << missing_;
        if (!problem_.empty()) {
            std::cerr << "; " << problem_;
        }
        std::cerr << std::endl;
    }
    const QString file = QString::fromLocal8Bit(options_.file.c_str());
    if (!window_->grab().save(file, "PNG")) {
        std::cerr << "bellwether: the picture cannot be written (" << options_.file
                  << "): check the folder and its rights" << std::endl;
        code = 1;
    }
    QCoreApplication::exit(code);
}

} // namespace bellwether::console
