// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/clipboard_text.h"

#include "report/answer.h"
#include "ui/format/display.h"

namespace bellwether::ui {

QString roleAsText(const std::shared_ptr<const RoleView>& view, WallTime now) {
    return view ? fromCore(answerText({view.get()}, {}, now)) : QString();
}

QString roleAsJson(const std::shared_ptr<const RoleView>& view) {
    return view ? fromCore(answerJson({view.get()}, {})) : QString();
}

} // namespace bellwether::ui
