#!/usr/bin/env bash
# Installs WattsWeights and runs it: the window where there is a display, else the first example sized and printed.
# Usage: bash packaging/run.sh [a project file, or a sub-command of wattsweights]
source "$(dirname "${BASH_SOURCE[0]}")/setup.sh"

if [ "$#" -gt 0 ] && [ ! -e "$1" ]; then
    install_system $QT_LIBRARIES
    prepare ""
    exec "$venv/bin/wattsweights" "$@"
fi

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] || [ "$(uname)" = Darwin ]; then
    install_system $QT_LIBRARIES $WINDOW_LIBRARIES
    prepare ""
    exec "$venv/bin/wattsweights" "$@"
fi

install_system $QT_LIBRARIES
prepare ""
say "there is no display, so no window: sizing the example “1t-30-days” and printing it instead"
project=${1:-$PWD/1t-30-days.watts}
[ -e "$project" ] || "$venv/bin/wattsweights" new "$project" --example 1t-30-days
"$venv/bin/wattsweights" size "$project"
"$venv/bin/wattsweights" report "$project" -o "${project%.watts}.pdf"
say "the project is $project, its report is ${project%.watts}.pdf"
