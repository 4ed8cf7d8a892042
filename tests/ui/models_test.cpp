// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAbstractItemModelTester>
#include <QSignalSpy>
#include <QTest>

#include "scenes.h"
#include "ui/models/findings_model.h"
#include "ui/models/role_list_model.h"
#include "ui/models/roster_model.h"
#include "ui/models/typed_proxy.h"

using namespace bellwether;
using namespace bellwether::ui;
using bellwether::test::RoleScript;

namespace {

const Now kNow{test::kSceneNow, test::kSceneSteady};
const ClockText kUtc(ZoneChoice::utc);

Now later(Millis by) {
    return {kNow.wall + by, kNow.steady + by};
}

/// A model under a fatal tester with a watch on resets.
template<typename Model>
struct Watched {
    Model model;
    QAbstractItemModelTester tester{&model, QAbstractItemModelTester::FailureReportingMode::Fatal};
    QSignalSpy resets{&model, &QAbstractItemModel::modelReset};
    QSignalSpy inserted{&model, &QAbstractItemModel::rowsInserted};
    QSignalSpy removed{&model, &QAbstractItemModel::rowsRemoved};
    QSignalSpy changed{&model, &QAbstractItemModel::dataChanged};

    void forget() {
        inserted.clear();
        removed.clear();
        changed.clear();
    }
};

QStringList column(const QAbstractItemModel& model, int column) {
    QStringList texts;
    for (int row = 0; row < model.rowCount(); ++row) {
        texts << model.index(row, column).data().toString();
    }
    return texts;
}

Snapshot rolesScene(const std::vector<std::string>& names) {
    Snapshot snapshot = test::emptyScene();
    for (const std::string& name : names) {
        test::addRole(snapshot, {.name = name});
    }
    return snapshot;
}

} // namespace

class ModelsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void rolesMergeByKey() {
        Watched<RoleListModel> roles;
        roles.model.update(rolesScene({"a", "c", "e"}), kNow);
        QCOMPARE(roles.inserted.count(), 1);
        roles.forget();
        roles.model.update(rolesScene({"a", "b", "c", "d", "d2", "e", "f"}), kNow);
        QCOMPARE(column(roles.model, RoleListModel::RoleColumn).join(QLatin1Char(' ')),
                 QStringLiteral("a b c d d2 e f"));
        QCOMPARE(roles.inserted.count(), 3); // b; d and d2 as one; f
        QCOMPARE(roles.removed.count(), 0);
        roles.forget();
        roles.model.update(rolesScene({"b", "f", "g"}), kNow);
        QCOMPARE(column(roles.model, RoleListModel::RoleColumn).join(QLatin1Char(' ')),
                 QStringLiteral("b f g"));
        QCOMPARE(roles.removed.count(), 2); // a; c d d2 e as one
        roles.model.update(test::emptyScene(), kNow);
        QCOMPARE(roles.model.rowCount(), 0);
        roles.model.tick(kNow);
        roles.model.setClockText(kUtc);
        QCOMPARE(roles.resets.count(), 0);
    }

    void randomMergesArriveAtTheirGoal() {
        Watched<RoleListModel> roles;
        std::uint32_t state = 7;
        const auto next = [&state](std::uint32_t below) {
            state = state * 1'664'525u + 1'013'904'223u;
            return (state >> 8) % below;
        };
        for (int round = 0; round < 60; ++round) {
            std::vector<std::string> names;
            for (int i = 0; i < 30; ++i) {
                if (next(2) == 0) {
                    names.push_back("role-" + std::to_string(i));
                }
            }
            roles.model.update(rolesScene(names), kNow);
            QCOMPARE(roles.model.rowCount(), int(names.size()));
            for (std::size_t i = 0; i < names.size(); ++i) {
                QCOMPARE(roles.model.view(int(i))->role.str(), names[i]);
                QCOMPARE(roles.model.rowOf(Role::of(names[i]).value()), int(i));
            }
        }
        QCOMPARE(roles.model.rowOf(Role::of("nobody").value()), -1);
        QCOMPARE(roles.resets.count(), 0);
    }

    void changesNameTheirRolesAndAreJoined() {
        Watched<RoleListModel> roles;
        Snapshot scene = rolesScene({"a", "b", "c", "d", "e"});
        roles.model.update(scene, kNow);
        roles.forget();
        for (const std::size_t row : {1u, 2u, 4u}) {
            RoleScript script{.name = scene.roles[row]->role.str(), .kind = VerdictKind::vacant};
            scene.roles[row] = test::makeRole(script);
        }
        roles.model.update(scene, kNow);
        QCOMPARE(roles.changed.count(), 3); // b c; e; and the ages of all
        QCOMPARE(roles.changed.at(0).at(0).toModelIndex().row(), 1);
        QCOMPARE(roles.changed.at(0).at(1).toModelIndex().row(), 2);
        QCOMPARE(roles.changed.at(1).at(0).toModelIndex().row(), 4);
        for (const auto& change : roles.changed) {
            QVERIFY(!change.at(2).value<QList<int>>().isEmpty());
        }
        QVERIFY(roles.changed.at(0).at(2).value<QList<int>>().contains(OrderRole));
        QCOMPARE(roles.changed.at(2).at(2).value<QList<int>>(), QList<int>{Qt::DisplayRole});
        QCOMPARE(roles.model.needing(), 3);
        roles.forget();
        roles.model.update(scene, kNow);
        QCOMPARE(roles.changed.count(), 1); // only ages
    }

    void tokensBeyondDoubleKeepTheirDigits() {
        RoleListModel roles;
        roles.update(test::absurdScene(), kNow);
        const int row = roles.rowOf(Role::of("far-future").value());
        QVERIFY(roles.index(row, 0)
                    .data(Qt::ToolTipRole)
                    .toString()
                    .contains(QLatin1String("9007199254740993:32766")));
    }

    void silenceTurnsRowsGreyWithoutASnapshot() {
        Watched<RoleListModel> roles;
        roles.model.update(rolesScene({"a", "b"}), kNow);
        QCOMPARE(roles.model.needing(), 0);
        QVERIFY(!roles.model.index(0, RoleListModel::RoleColumn).data(ToneRole).isValid());
        roles.model.tick(later(Millis{20'000}));
        QCOMPARE(roles.model.needing(), 2);
        const QModelIndex verdict = roles.model.index(0, RoleListModel::VerdictColumn);
        QVERIFY(verdict.data().toString().contains(QLatin1String("unknown")));
        QCOMPARE(verdict.data(ToneRole).toInt(), int(Tone::stale));
        QCOMPARE(roles.model.index(0, RoleListModel::HolderColumn).data().toString(),
                 QStringLiteral("(node-1)"));
        QCOMPARE(roles.model.index(0, RoleListModel::AgeColumn).data().toString(), QStringLiteral("20 s"));
        QCOMPARE(roles.resets.count(), 0);
    }

    void lostMeansGreyAtOnce() {
        RoleListModel roles;
        Snapshot scene = rolesScene({"a"});
        scene.connection.phase = ConnectionPhase::lost;
        roles.update(scene, kNow);
        QVERIFY(roles.standing(0).kind == VerdictKind::unknown);
    }

    void sortingIsTyped() {
        RoleListModel roles;
        Snapshot scene = test::emptyScene();
        test::addRole(scene,
                      {.name = "role-10", .holder = "node-10", .age = Millis{2'000}, .since = Millis{1'000}});
        test::addRole(scene,
                      {.name = "role-2", .holder = "node-2", .age = Millis{10}, .since = Millis{100'000}});
        test::addRole(
            scene,
            {.name = "role-1", .kind = VerdictKind::vacant, .age = Millis{300}, .since = Millis{9'000}});
        roles.update(scene, kNow);
        TypedProxy proxy(&roles);
        QAbstractItemModelTester tester(&proxy, QAbstractItemModelTester::FailureReportingMode::Fatal);
        const auto order = [&](int by, Qt::SortOrder how) {
            proxy.sort(by, how);
            return column(proxy, RoleListModel::RoleColumn).join(QLatin1Char(' '));
        };
        QCOMPARE(order(RoleListModel::RoleColumn, Qt::AscendingOrder),
                 QStringLiteral("role-1 role-2 role-10"));
        QCOMPARE(order(RoleListModel::RoleColumn, Qt::DescendingOrder),
                 QStringLiteral("role-10 role-2 role-1"));
        QCOMPARE(order(RoleListModel::HolderColumn, Qt::AscendingOrder),
                 QStringLiteral("role-2 role-10 role-1"));
        QCOMPARE(order(RoleListModel::AgeColumn, Qt::AscendingOrder),
                 QStringLiteral("role-2 role-1 role-10"));
        QCOMPARE(order(RoleListModel::SinceColumn, Qt::AscendingOrder),
                 QStringLiteral("role-2 role-1 role-10"));
        // What needs a person comes first; ties stay in natural order, both ways.
        QCOMPARE(order(RoleListModel::VerdictColumn, Qt::AscendingOrder),
                 QStringLiteral("role-1 role-2 role-10"));
        QCOMPARE(order(RoleListModel::VerdictColumn, Qt::DescendingOrder),
                 QStringLiteral("role-2 role-10 role-1"));
    }

    void tiesGoBackToNaturalOrder() {
        RoleListModel roles;
        Snapshot scene = rolesScene({"a", "b", "c"});
        roles.update(scene, kNow);
        TypedProxy proxy(&roles);
        proxy.sort(RoleListModel::VerdictColumn);
        scene.roles[1] = test::makeRole({.name = "b", .kind = VerdictKind::vacant});
        roles.update(scene, kNow);
        proxy.applyNow();
        QCOMPARE(column(proxy, RoleListModel::RoleColumn).join(QLatin1Char(' ')), QStringLiteral("b a c"));
        scene.roles[1] = test::makeRole({.name = "b"});
        roles.update(scene, kNow);
        proxy.applyNow();
        QCOMPARE(column(proxy, RoleListModel::RoleColumn).join(QLatin1Char(' ')), QStringLiteral("a b c"));
        proxy.sort(RoleListModel::VerdictColumn, Qt::DescendingOrder);
        QCOMPARE(column(proxy, RoleListModel::RoleColumn).join(QLatin1Char(' ')), QStringLiteral("a b c"));
    }

    void filterWords() {
        RoleListModel roles;
        roles.update(test::everyVerdictScene(), kNow);
        TypedProxy proxy(&roles);
        proxy.sort(RoleListModel::RoleColumn);
        proxy.setFilterText(QStringLiteral("VACANT"));
        QCOMPARE(column(proxy, RoleListModel::RoleColumn), QStringList{QStringLiteral("compactor")});
        proxy.setFilterText(QStringLiteral("  node-1   cont "));
        QCOMPARE(column(proxy, RoleListModel::RoleColumn), QStringList{QStringLiteral("controller")});
        proxy.setFilterText(QStringLiteral("no such thing"));
        QCOMPARE(proxy.rowCount(), 0);
        proxy.setFilterText({});
        QCOMPARE(proxy.rowCount(), 8);
    }

    void theFilterFollowsChangesWithinASecond() {
        RoleListModel roles;
        Snapshot scene = rolesScene({"a", "b"});
        roles.update(scene, kNow);
        TypedProxy proxy(&roles);
        proxy.sort(RoleListModel::VerdictColumn);
        proxy.setFilterText(QStringLiteral("vacant"));
        QCOMPARE(proxy.rowCount(), 0);
        scene.roles[1] = test::makeRole({.name = "b", .kind = VerdictKind::vacant});
        roles.update(scene, kNow);
        QTRY_COMPARE(proxy.rowCount(), 1);
    }

    void tenThousandRolesInOneInsertAndFewSignals() {
        Watched<RoleListModel> roles;
        Snapshot scene = test::manyScene(10'000, 5);
        // Names must come in natural order, as a feed gives them.
        roles.model.update(scene, kNow);
        QCOMPARE(roles.model.rowCount(), 10'000);
        QCOMPARE(roles.inserted.count(), 1);
        QCOMPARE(roles.model.needing(), 2);
        roles.forget();
        for (std::size_t i = 3'000; i < 4'000; ++i) {
            scene.roles[i] =
                test::makeRole({.name = "role-" + std::to_string(i), .kind = VerdictKind::claimed});
        }
        roles.model.update(scene, kNow);
        QCOMPARE(roles.changed.count(), 2);
        QCOMPARE(roles.model.needing(), 1'002);
        QCOMPARE(roles.inserted.count() + roles.removed.count() + roles.resets.count(), 0);
    }

    void rosterMergesAndSwitchesRoles() {
        Watched<RosterModel> roster;
        const auto view = test::makeRole({.name = "a", .members = 4});
        const Standing standing = standingOf(*view, Millis{10'000}, false, kNow);
        roster.model.setClockText(kUtc);
        roster.model.update(*view, standing, kNow);
        QCOMPARE(column(roster.model, RosterModel::MemberColumn).join(QLatin1Char(' ')),
                 QStringLiteral("node-1 node-2 node-3 node-4"));
        QCOMPARE(column(roster.model, RosterModel::RankColumn).join(QLatin1Char(' ')),
                 QStringLiteral("hold 1 2 3"));
        QCOMPARE(column(roster.model, RosterModel::ChallengesColumn).at(1), QStringLiteral("22:13:46.000 Z"));
        QCOMPARE(column(roster.model, RosterModel::NowColumn).at(1), QStringLiteral("wait 26 s"));
        QCOMPARE(column(roster.model, RosterModel::SkewColumn).at(1), QStringLiteral("≤ +35 ms vs console"));
        QCOMPARE(column(roster.model, RosterModel::SkewColumn).at(0), QStringLiteral("-3..+40 ms vs broker"));
        // A member that registers again leaves its place and comes in at the tail.
        roster.forget();
        RoleView again = *view;
        RosterView back = again.roster[1];
        back.entry.position.offset = 9'999;
        again.roster.erase(again.roster.begin() + 1);
        again.roster.push_back(back);
        roster.model.update(again, standing, kNow);
        QCOMPARE(column(roster.model, RosterModel::MemberColumn).join(QLatin1Char(' ')),
                 QStringLiteral("node-1 node-3 node-4 node-2"));
        QCOMPARE(roster.removed.count(), 1);
        QCOMPARE(roster.inserted.count(), 1);
        // Another role, and none.
        roster.model.update(*test::makeRole({.name = "b", .holder = "x", .members = 1}), standing, kNow);
        QCOMPARE(roster.model.rowCount(), 1);
        Standing old = standing;
        old.stale = true;
        roster.model.tick(old, kNow);
        QCOMPARE(column(roster.model, RosterModel::NowColumn).at(0), QStringLiteral("?"));
        roster.model.clear();
        roster.model.clear();
        roster.model.tick(standing, kNow);
        QCOMPARE(roster.model.rowCount(), 0);
        QCOMPARE(roster.resets.count(), 0);
    }

    void rosterSortsByNumbers() {
        RosterModel roster;
        RoleView view = *test::makeRole({.name = "a", .members = 3});
        view.roster[0].entry.position.offset = 9;
        view.roster[1].entry.position.offset = 10;
        view.roster[2].entry.position.offset = 9'007'199'254'740'993;
        roster.update(view, standingOf(view, Millis{10'000}, false, kNow), kNow);
        TypedProxy proxy(&roster);
        proxy.sort(RosterModel::OffsetColumn, Qt::DescendingOrder);
        QCOMPARE(column(proxy, RosterModel::OffsetColumn).join(QLatin1Char(' ')),
                 QStringLiteral("9007199254740993 10 9"));
    }

    void findingsAppendAndLeaveAtTheTop() {
        Watched<FindingsModel> findings;
        Snapshot scene = test::emptyScene();
        const auto add = [&scene](int count) {
            for (int i = 0; i < count; ++i) {
                Finding finding;
                finding.position.offset = static_cast<std::int64_t>(scene.findingsTotal);
                finding.what = "bad\nbytes";
                scene.findings.push_back(finding);
                ++scene.findingsTotal;
            }
        };
        add(5);
        findings.model.update(scene, kNow);
        QCOMPARE(findings.model.rowCount(), 5);
        add(2);
        scene.findings.erase(scene.findings.begin(), scene.findings.begin() + 4);
        findings.forget();
        findings.model.update(scene, kNow);
        QCOMPARE(column(findings.model, FindingsModel::OffsetColumn).join(QLatin1Char(' ')),
                 QStringLiteral("4 5 6"));
        QCOMPARE(findings.removed.count(), 1);
        QCOMPARE(findings.inserted.count(), 1);
        QCOMPARE(findings.model.total(), std::uint64_t{7});
        QCOMPARE(findings.model.index(0, FindingsModel::WhatColumn).data().toString(),
                 QStringLiteral("bad\\nbytes"));
        // More came than is kept: nothing of the old is left.
        scene.findings.clear();
        scene.findingsTotal = 100;
        add(3);
        findings.model.update(scene, kNow);
        QCOMPARE(column(findings.model, FindingsModel::OffsetColumn).join(QLatin1Char(' ')),
                 QStringLiteral("100 101 102"));
        // A feed that began anew.
        scene = test::emptyScene();
        add(1);
        findings.model.update(scene, kNow);
        QCOMPARE(column(findings.model, FindingsModel::OffsetColumn).join(QLatin1Char(' ')),
                 QStringLiteral("0"));
        findings.model.update(test::emptyScene(), kNow);
        QCOMPARE(findings.model.rowCount(), 0);
        QCOMPARE(findings.resets.count(), 0);
    }
};

QTEST_MAIN(ModelsTest)
#include "models_test.moc"
