// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLabel>

namespace bellwether::ui {

/// A line of plain text that gives way: where there is no room its middle is left out, and the tool tip has
/// all of it. text() is always the whole text.
class ElidedLabel final : public QLabel {
    Q_OBJECT
public:
    explicit ElidedLabel(QWidget* parent = nullptr);
    /// Keeps the tool tip in step.
    void setFullText(const QString& text);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace bellwether::ui
