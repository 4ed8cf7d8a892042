// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <utility>
#include <vector>

#include <QAbstractTableModel>
#include <QStringList>

namespace bellwether::ui {

/// What the tables of this window offer beyond Qt's own roles.
enum DataRole {
    ToneRole = Qt::UserRole + 1, ///< int of Tone: colour of the cell's text; invalid: the usual colour
    OrderRole, ///< never read; named by dataChanged when the row's place in a sort may have moved
};

/// A table that merges by key: rows are inserted, removed and updated, the model is never reset. Sorting is
/// typed: a proxy asks compareRows() and never compares texts.
class TypedTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using QAbstractTableModel::QAbstractTableModel;

    /// Order of two rows by the values behind a column: negative, zero or positive. Zero keeps the model's
    /// order.
    [[nodiscard]] virtual int compareRows(int column, int a, int b) const = 0;

    /// Every one of the folded words occurs in the row.
    [[nodiscard]] virtual bool rowMatches(int row, const QStringList& foldedWords) const {
        Q_UNUSED(row)
        Q_UNUSED(foldedWords)
        return true;
    }

    [[nodiscard]] int rowCount(const QModelIndex& parent = QModelIndex()) const final {
        return parent.isValid() ? 0 : static_cast<int>(size());
    }

protected:
    [[nodiscard]] virtual std::size_t size() const = 0;

    /// Makes `rows` hold exactly the keys of `incoming`, both in the strict order `compare(row, item)`. New
    /// rows are made by `make(item)`; rows that stay are left as they are. Runs are announced as one change
    /// each.
    template<typename Row, typename Incoming, typename Compare, typename Make>
    void mergeRows(std::vector<Row>& rows, const Incoming& incoming, Compare compare, Make make) {
        removeMissing(rows, incoming, compare);
        std::size_t at = 0;
        auto item = incoming.begin();
        while (item != incoming.end()) {
            if (at < rows.size() && compare(rows[at], *item) == 0) {
                ++at;
                ++item;
                continue;
            }
            auto last = item;
            while (last != incoming.end() && (at == rows.size() || compare(rows[at], *last) != 0)) {
                ++last;
            }
            std::vector<Row> fresh;
            for (auto one = item; one != last; ++one) {
                fresh.push_back(make(*one));
            }
            const auto count = static_cast<int>(fresh.size());
            beginInsertRows(QModelIndex(), static_cast<int>(at), static_cast<int>(at) + count - 1);
            rows.insert(rows.begin() + static_cast<std::ptrdiff_t>(at),
                        std::make_move_iterator(fresh.begin()), std::make_move_iterator(fresh.end()));
            endInsertRows();
            at += static_cast<std::size_t>(count);
            item = last;
        }
    }

    /// One dataChanged for each run of adjacent rows; `rows` ascending.
    void announce(const std::vector<int>& rows, int firstColumn, int lastColumn, const QList<int>& roles) {
        std::size_t begin = 0;
        while (begin < rows.size()) {
            std::size_t end = begin + 1;
            while (end < rows.size() && rows[end] == rows[end - 1] + 1) {
                ++end;
            }
            Q_EMIT dataChanged(index(rows[begin], firstColumn), index(rows[end - 1], lastColumn), roles);
            begin = end;
        }
    }

    template<typename Row>
    void removeRun(std::vector<Row>& rows, std::size_t first, std::size_t end) {
        beginRemoveRows(QModelIndex(), static_cast<int>(first), static_cast<int>(end) - 1);
        rows.erase(rows.begin() + static_cast<std::ptrdiff_t>(first),
                   rows.begin() + static_cast<std::ptrdiff_t>(end));
        endRemoveRows();
    }

private:
    template<typename Row, typename Incoming, typename Compare>
    void removeMissing(std::vector<Row>& rows, const Incoming& incoming, Compare compare) {
        std::vector<std::pair<std::size_t, std::size_t>> runs;
        auto item = incoming.begin();
        for (std::size_t at = 0; at < rows.size(); ++at) {
            while (item != incoming.end() && compare(rows[at], *item) > 0) {
                ++item;
            }
            if (item != incoming.end() && compare(rows[at], *item) == 0) {
                continue;
            }
            if (!runs.empty() && runs.back().second == at) {
                runs.back().second = at + 1;
            } else {
                runs.emplace_back(at, at + 1);
            }
        }
        for (auto run = runs.rbegin(); run != runs.rend(); ++run) {
            removeRun(rows, run->first, run->second);
        }
    }
};

} // namespace bellwether::ui
