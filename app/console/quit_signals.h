// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QSocketNotifier;

namespace bellwether::console {

/// Turns SIGINT and SIGTERM into an orderly end of the event loop. One per process, GUI thread. A second
/// signal ends the process at once.
class QuitSignals final : public QObject {
    Q_OBJECT
public:
    explicit QuitSignals(QObject* parent = nullptr);
    ~QuitSignals() override;

Q_SIGNALS:
    void quitWanted();

private:
    QSocketNotifier* notifier_ = nullptr;
};

} // namespace bellwether::console
