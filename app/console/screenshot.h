// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include "console_options.h"
#include "feed/snapshot.h"

class QWidget;

namespace bellwether::console {

/// The feed is live and every role has been judged; otherwise what is missing.
[[nodiscard]] std::string missingForPicture(const Snapshot& snapshot, std::size_t rolesToCome = 0);

/// Waits until there is something to see (bounded), watches on for as long as asked, saves the window and
/// ends the program: 0 when roles were judged, 1 with a reason on standard error when not (the picture then
/// shows why).
class Screenshot final : public QObject {
    Q_OBJECT
public:
    Screenshot(QWidget* window, ScreenshotOptions options, std::size_t rolesToCome,
               QObject* parent = nullptr);
    void note(const Snapshot& snapshot);

    static constexpr int kPatienceMillis = 30'000;
    /// With a problem and nothing ever read.
    static constexpr int kHopelessMillis = 5'000;

private:
    void take(int code);

    QWidget* window_;
    ScreenshotOptions options_;
    std::size_t rolesToCome_; ///< known beforehand for the sandbox
    QTimer patience_;
    QTimer after_;
    QTimer hopeless_;
    std::string missing_ = "nothing was read yet";
    std::string problem_;
    bool taken_ = false;
};

} // namespace bellwether::console
