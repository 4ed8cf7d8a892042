// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>

#include <QApplication>
#include <QStyleFactory>

namespace bellwether::ui {

namespace {

QColor rgb(unsigned value) {
    return QColor::fromRgb(QRgb{0xff000000u | value});
}

Colours lightColours() {
    Colours c;
    c.window = rgb(0xf3f4f6);
    c.base = rgb(0xffffff);
    c.alternate = rgb(0xf8f9fa);
    c.raised = rgb(0xe9ebef);
    c.text = rgb(0x1b1f24);
    c.muted = rgb(0x57606a);
    c.border = rgb(0xcdd2d9);
    c.selection = rgb(0xcfe3fa);
    c.selectionText = rgb(0x0b2545);
    c.link = rgb(0x0757a6);
    c.ok = {rgb(0x0b6b4f), rgb(0xdcf3ea), rgb(0x009e73)};
    c.changing = {rgb(0x7a4b00), rgb(0xfdf0d5), rgb(0xd98e04)};
    c.bad = {rgb(0xa52a00), rgb(0xfde5dc), rgb(0xd04a02)};
    c.information = {rgb(0x0757a6), rgb(0xe1eefb), rgb(0x0072b2)};
    c.stale = {rgb(0x57606a), rgb(0xe9ebef), rgb(0x8a939d)};
    c.plotGrid = rgb(0xe3e6ea);
    c.barText = rgb(0xffffff);
    return c;
}

Colours darkColours() {
    Colours c;
    c.window = rgb(0x1c2026);
    c.base = rgb(0x15181d);
    c.alternate = rgb(0x1a1e24);
    c.raised = rgb(0x272c34);
    c.text = rgb(0xe6e9ed);
    c.muted = rgb(0xabb4bf);
    c.border = rgb(0x3a424d);
    c.selection = rgb(0x1a4270);
    c.selectionText = rgb(0xffffff);
    c.link = rgb(0x7ab8f5);
    c.ok = {rgb(0x62d6ae), rgb(0x12352b), rgb(0x27a67f)};
    c.changing = {rgb(0xf5c05a), rgb(0x3b2d10), rgb(0xd98e04)};
    c.bad = {rgb(0xff9a73), rgb(0x45200f), rgb(0xe0602a)};
    c.information = {rgb(0x7ab8f5), rgb(0x14304c), rgb(0x3d8fd1)};
    c.stale = {rgb(0xabb4bf), rgb(0x2a3038), rgb(0x77818d)};
    c.plotGrid = rgb(0x2b3139);
    c.barText = rgb(0xffffff);
    return c;
}

double luminance(const QColor& colour) {
    const auto channel = [](double v) {
        return v <= 0.04045 ? v / 12.92 : std::pow((v + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * channel(colour.redF()) + 0.7152 * channel(colour.greenF()) +
           0.0722 * channel(colour.blueF());
}

} // namespace

const Colours& coloursOf(ThemeChoice theme) {
    static const Colours light = lightColours();
    static const Colours dark = darkColours();
    return theme == ThemeChoice::light ? light : dark;
}

const ToneColours& toneOf(const Colours& colours, Tone tone) {
    switch (tone) {
    case Tone::ok: return colours.ok;
    case Tone::changing: return colours.changing;
    case Tone::bad: return colours.bad;
    case Tone::information: return colours.information;
    case Tone::stale: break;
    }
    return colours.stale;
}

double contrast(const QColor& a, const QColor& b) {
    const double one = luminance(a);
    const double other = luminance(b);
    return (std::max(one, other) + 0.05) / (std::min(one, other) + 0.05);
}

QPalette paletteOf(const Colours& c) {
    QPalette p;
    p.setColor(QPalette::Window, c.window);
    p.setColor(QPalette::WindowText, c.text);
    p.setColor(QPalette::Base, c.base);
    p.setColor(QPalette::AlternateBase, c.alternate);
    p.setColor(QPalette::Text, c.text);
    p.setColor(QPalette::Button, c.raised);
    p.setColor(QPalette::ButtonText, c.text);
    p.setColor(QPalette::BrightText, c.bad.text);
    p.setColor(QPalette::ToolTipBase, c.raised);
    p.setColor(QPalette::ToolTipText, c.text);
    p.setColor(QPalette::PlaceholderText, c.muted);
    p.setColor(QPalette::Highlight, c.selection);
    p.setColor(QPalette::HighlightedText, c.selectionText);
    p.setColor(QPalette::Link, c.link);
    p.setColor(QPalette::LinkVisited, c.link);
    p.setColor(QPalette::Light, c.raised.lighter(110));
    p.setColor(QPalette::Midlight, c.raised);
    p.setColor(QPalette::Mid, c.border);
    p.setColor(QPalette::Dark, c.border.darker(120));
    p.setColor(QPalette::Shadow, c.border.darker(150));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
        p.setColor(QPalette::Disabled, role, c.muted);
    }
    return p;
}

QString styleSheetOf(const Colours& c) {
    return QStringLiteral(
               "QToolTip { color: %1; background: %2; border: 1px solid %3; padding: 4px; }"
               "QHeaderView::section { background: %2; color: %4; border: 0; border-bottom: 1px solid %3;"
               " padding: 4px 16px 4px 9px; font-weight: 600; }"
               "QTableView { border: 1px solid %3; background: %5; alternate-background-color: %6; }"
               "QTableView::item { padding: 2px 6px; border: 0; }"
               "QTableView::item:selected { background: %7; }"
               "QToolButton { background: %2; color: %1; border: 1px solid %3; border-radius: 4px;"
               " padding: 2px 6px; }"
               "QLineEdit { background: %5; border: 1px solid %3; border-radius: 4px; padding: 3px 6px; }"
               "QLineEdit:focus { border-color: %8; }"
               "QToolButton:hover { border-color: %8; }"
               "QToolButton:focus { border-color: %8; }"
               "QToolButton:pressed, QToolButton:checked { background: %7; border-color: %8; }"
               "QSplitter::handle { background: %9; }"
               "QStatusBar::item { border: 0; }")
        .arg(c.text.name(), c.raised.name(), c.border.name(), c.muted.name(), c.base.name(),
             c.alternate.name(), c.selection.name(), c.information.line.name(), c.window.name());
}

void applyTheme(QApplication& app, ThemeChoice theme) {
    const Colours& colours = coloursOf(theme);
    QApplication::setStyle(QStyleFactory::create(QStringLiteral("Fusion")));
    QApplication::setPalette(paletteOf(colours));
    app.setStyleSheet(styleSheetOf(colours));
}

} // namespace bellwether::ui
