// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>
#include <QString>

namespace bellwether::ui {

/// Versions known only to the composition root.
struct Versions {
    QString bellwether;
    QString librdkafka;
};

/// One component a line, "name version".
[[nodiscard]] QStringList versionLines(const Versions& versions);

/// Versions and licence. Enter does nothing in it, Esc closes it.
class AboutDialog final : public QDialog {
    Q_OBJECT
public:
    explicit AboutDialog(const Versions& versions, QWidget* parent = nullptr);
};

} // namespace bellwether::ui
