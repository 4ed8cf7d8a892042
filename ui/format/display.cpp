// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/format/display.h"

#include <QObject>

#include "coordination/display_text.h"

namespace bellwether::ui {

QString fromCore(std::string_view utf8) {
    return QString::fromUtf8(utf8.data(), static_cast<qsizetype>(utf8.size()));
}

QString sentence(std::string_view text) {
    // displayText() would escape the backslashes of escapes that are already there: it sees what is between
    // them.
    QString result;
    while (true) {
        const auto backslash = text.find('\\');
        result += shown(text.substr(0, backslash));
        if (backslash == std::string_view::npos) {
            return result;
        }
        result += QLatin1Char('\\');
        text.remove_prefix(backslash + 1);
    }
}

QString shown(std::string_view bytes) {
    return fromCore(displayText(bytes));
}

QString shown(const std::optional<MemberId>& member) {
    return member ? shown(*member) : QString();
}

QString tokenText(const std::optional<FencingToken>& token) {
    return token && !token->isNone() ? fromCore(token->text()) : QStringLiteral("—");
}

QString exactText(std::int64_t number) {
    return QString::number(number);
}

QString countText(std::int64_t number) {
    QString digits = QString::number(number);
    const qsizetype first = number < 0 ? 1 : 0;
    for (qsizetype at = digits.size() - 3; at > first; at -= 3) {
        digits.insert(at, QLatin1Char(','));
    }
    return digits;
}

QString words(Millis duration) {
    return fromCore(durationInWords(duration));
}

QString agoText(Millis age) {
    if (age < Millis{100}) {
        return QObject::tr("just now");
    }
    return QObject::tr("%1 ago").arg(words(age));
}

} // namespace bellwether::ui
