# shellcheck shell=bash
# SPDX-License-Identifier: Apache-2.0
# What ./run and ./test share: packages, librdkafka, configure, build. Sourced; the caller sets root (the tree) and
# log (a file below build/), and has `set -euo pipefail`. Each step says one line when there is something to do and
# nothing otherwise; what the tools say goes to the log, whose end is shown on failure.
: "${root:?}" "${log:?}"

say() {
    echo "$(basename "$0"): $*" >&2
}

begin_log() {
    mkdir -p "$(dirname "$log")"
    # Two calls at once (./run in one terminal, ./run ctl in another) take turns with the build folder.
    exec 9>"$root/build/.lock"
    if ! flock -n 9; then
        say "another ./run or ./test is building; waiting for it"
        flock 9
    fi
    : >"$log"
}

# The lock and the log are no business of the program that follows.
end_log() {
    exec 9>&-
}

stop_with_log() { # WHAT
    if grep -q '^FAILED: ' "$log"; then
        grep -m 1 -A 40 '^FAILED: ' "$log" | cut -c 1-400 >&2
    else
        tail -n 25 "$log" | cut -c 1-400 >&2
    fi
    say "$1 failed; the end of the log is above, the whole of it in $log"
    exit 1
}

install_lists() { # LIST...
    local missing
    missing=$("$root/packaging/setup/install-packages" --print "$@" | wc -l)
    if ((missing)); then
        say "installing $missing packages"
        # Closing 9: no program of a package may hold the lock.
        "$root/packaging/setup/install-packages" "$@" >>"$log" 2>&1 9>&- || stop_with_log "installing packages"
    fi
}

find_librdkafka() {
    if ! rdkafka=$("$root/packaging/setup/librdkafka" --offline 2>/dev/null 9>&-); then
        say "building librdkafka, once for all builds (about a minute)"
        rdkafka=$("$root/packaging/setup/librdkafka" 2>>"$log" 9>&- | tail -n 1) || stop_with_log "getting librdkafka"
    fi
    export BELLWETHER_RDKAFKA_PREFIX=$rdkafka
}

configure() { # PRESET
    local folder=$root/build/$1 stamp
    stamp="$rdkafka $(sha256sum <"$root/CMakePresets.json")"
    # Changed CMakeLists.txt files are ninja's business.
    if [[ -f $folder/build.ninja && -f $folder/.configured && $(<"$folder/.configured") == "$stamp" ]]; then
        return
    fi
    say "configuring ($1)"
    if command -v ccache >/dev/null; then
        export CMAKE_CXX_COMPILER_LAUNCHER=ccache
    fi
    rm -f "$folder/.configured"
    # What an earlier prefix was found to hold must not outlive it.
    (cd "$root" && cmake --preset "$1" -UBELLWETHER_RDKAFKA_A -UBELLWETHER_RDKAFKA_PC \
        "-DBELLWETHER_RDKAFKA_PREFIX=$rdkafka") >>"$log" 2>&1 9>&- ||
        stop_with_log "configuring"
    echo "$stamp" >"$folder/.configured"
}

build() { # PRESET TARGET...
    local folder=$root/build/$1 line
    shift
    if ninja -C "$folder" -n "$@" 2>/dev/null | grep -q 'no work to do'; then
        return
    fi
    say "building $* in build/$(basename "$folder")"
    if ! ninja -C "$folder" "$@" 2>&1 9>&- | while IFS= read -r line; do
        printf '%s\n' "$line" >>"$log"
        if [[ -t 2 && $line =~ ^\[([0-9]+/[0-9]+)\] ]]; then
            printf '\r%s ' "${BASH_REMATCH[1]}" >&2
        fi
    done; then
        [[ ! -t 2 ]] || echo >&2
        stop_with_log "the build"
    fi
    [[ ! -t 2 ]] || printf '\r          \r' >&2
}
