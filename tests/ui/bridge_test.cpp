// SPDX-License-Identifier: GPL-3.0-or-later
#include <thread>

#include <QSignalSpy>
#include <QTest>

#include "fake_source.h"
#include "scenes.h"
#include "ui/bridge/snapshot_bridge.h"

using namespace bellwether;
using bellwether::test::FakeSource;
using bellwether::ui::SnapshotBridge;

class BridgeTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void theNewestWinsAndOneWakeUpIsUnderWay() {
        auto source = std::make_shared<FakeSource>();
        SnapshotBridge bridge(source);
        std::vector<std::uint64_t> seen;
        connect(
            &bridge, &SnapshotBridge::arrived, this,
            [&seen](const std::shared_ptr<const Snapshot>& snapshot) { seen.push_back(snapshot->sequence); });
        std::thread feed([&source] {
            for (int i = 0; i < 1'000; ++i) {
                source->publish(Snapshot{});
            }
        });
        feed.join();
        QVERIFY(seen.empty()); // nothing is delivered on the feed's thread
        QCoreApplication::processEvents();
        QCOMPARE(seen.size(), std::size_t{1});
        QCOMPARE(seen.back(), std::uint64_t{1'000});
    }

    void whatComesDuringDeliveryIsNotMissed() {
        auto source = std::make_shared<FakeSource>();
        SnapshotBridge bridge(source);
        std::vector<std::uint64_t> seen;
        connect(&bridge, &SnapshotBridge::arrived, this,
                [&](const std::shared_ptr<const Snapshot>& snapshot) {
                    seen.push_back(snapshot->sequence);
                    if (snapshot->sequence < 3) {
                        source->publish(Snapshot{});
                    }
                });
        source->publish(Snapshot{});
        QTRY_COMPARE(seen.size(), std::size_t{3});
        QCOMPARE(seen.back(), std::uint64_t{3});
    }

    void itsEndUnderFire() {
        auto source = std::make_shared<FakeSource>();
        std::atomic<bool> stop{false};
        std::thread feed([&] {
            while (!stop) {
                source->publish(Snapshot{});
            }
        });
        for (int i = 0; i < 50; ++i) {
            auto bridge = std::make_unique<SnapshotBridge>(source);
            QCoreApplication::processEvents();
            bridge.reset();
        }
        stop = true;
        feed.join();
        QVERIFY(!source->listened());
        QCoreApplication::processEvents(); // wake-ups of the dead are dropped
    }

    void refreshReachesTheSource() {
        auto source = std::make_shared<FakeSource>();
        SnapshotBridge bridge(source);
        bridge.refresh();
        QCOMPARE(source->refreshes(), 1);
    }
};

QTEST_GUILESS_MAIN(BridgeTest)
#include "bridge_test.moc"
