// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QPalette>
#include <QString>

#include "ui/presentation/standing.h"

class QApplication;

namespace bellwether::ui {

enum class ThemeChoice { light, dark };

/// Foreground and quiet background of one tone.
struct ToneColours {
    QColor text;
    QColor fill;
    QColor line; ///< strong: marks, bars, borders
};

/// Every colour of the window. Blue, orange and vermilion instead of green against red carry the contrast, so
/// that the tones stay apart for colour-blind eyes; a word and a mark go with each all the same.
struct Colours {
    QColor window;
    QColor base;
    QColor alternate;
    QColor raised; ///< headers, bars
    QColor text;
    QColor muted;
    QColor border;
    QColor selection;
    QColor selectionText;
    QColor link;
    ToneColours ok;
    ToneColours changing;
    ToneColours bad;
    ToneColours information;
    ToneColours stale;
    QColor plotGrid;
    QColor barText; ///< on member colours
};

[[nodiscard]] const Colours& coloursOf(ThemeChoice theme);
[[nodiscard]] const ToneColours& toneOf(const Colours& colours, Tone tone);
[[nodiscard]] QPalette paletteOf(const Colours& colours);
[[nodiscard]] QString styleSheetOf(const Colours& colours);

/// WCAG contrast ratio, 1..21.
[[nodiscard]] double contrast(const QColor& a, const QColor& b);

/// Fusion, palette and style sheet for the whole program.
void applyTheme(QApplication& app, ThemeChoice theme);

} // namespace bellwether::ui
