// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

#include "ui/format/clock_text.h"
#include "ui/theme/theme.h"

class QLabel;
class QLineEdit;
class QToolButton;

namespace bellwether::ui {

class ElidedLabel;

/// Where this console looks, the filter, and the switches.
class TopBar final : public QFrame {
    Q_OBJECT
public:
    explicit TopBar(QWidget* parent = nullptr);

    void setEndpoint(const QString& endpoint, const QString& topic);
    void setTheme(ThemeChoice theme);
    void setZone(ZoneChoice choice, const QString& name);
    void focusFilter();

    [[nodiscard]] QLineEdit* filter() const { return filter_; }

Q_SIGNALS:
    void filterChanged(const QString& text);
    void filterLeft(); ///< Enter or Down in the filter: on to the list
    void themeSwitched();
    void zoneSwitched();
    void refreshWanted();
    void helpWanted();
    void aboutWanted();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    ElidedLabel* endpoint_;
    ElidedLabel* topic_;
    QLabel* mode_;
    QLineEdit* filter_;
    QToolButton* refresh_;
    QToolButton* zone_;
    QToolButton* themeButton_;
    QToolButton* help_;
    QToolButton* about_;
};

} // namespace bellwether::ui
