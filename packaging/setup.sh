# Sourced by run.sh and test.sh: finds Python, installs the system libraries that Qt needs, makes the virtual environment.
set -eu

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
venv=${WATTSWEIGHTS_VENV:-$here/.venv}

say() { printf 'wattsweights: %s\n' "$*" >&2; }
stop() { say "$*"; exit 1; }

# what Qt loads without a screen, and what it needs besides for a window on X11
QT_LIBRARIES="libgl1 libegl1 libglib2.0-0 libfontconfig1 libxkbcommon0 libdbus-1-3"
WINDOW_LIBRARIES="libxcb-cursor0 libxcb-icccm4 libxcb-keysyms1 libxkbcommon-x11-0 libxcb-shape0"

find_python() {
    for candidate in "${PYTHON:-}" python3.13 python3.12 python3.11 python3; do
        [ -n "$candidate" ] || continue
        if command -v "$candidate" >/dev/null 2>&1 \
            && "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$candidate"
            return
        fi
    done
}

# Debian and Ubuntu renamed some packages (t64); take whichever the machine knows
known_package() {
    local name
    for name in "$1" "$1t64"; do
        if apt-cache show "$name" >/dev/null 2>&1; then
            printf '%s' "$name"
            return
        fi
    done
    printf '%s' "$1"
}

installed() {
    local name
    for name in "$1" "$1t64"; do
        if dpkg-query -W -f='${Status}' "$name" 2>/dev/null | grep -q 'install ok installed'; then
            return 0
        fi
    done
    return 1
}

install_system() {
    local wanted="$*" missing="" name
    if ! command -v dpkg-query >/dev/null 2>&1; then
        say "this is neither Debian nor Ubuntu: if Qt does not start, install what corresponds to: $wanted"
        return
    fi
    for name in $wanted; do
        installed "$name" || missing="$missing $name"
    done
    [ -n "$missing" ] || return 0
    local as_root=""
    if [ "$(id -u)" -ne 0 ]; then
        if command -v sudo >/dev/null 2>&1 && { sudo -n true 2>/dev/null || [ -t 0 ]; }; then
            as_root=sudo
        else
            stop "these system packages are missing:$missing
wattsweights: ask an administrator to run: apt-get install -y$missing"
        fi
    fi
    say "installing system packages:$missing"
    $as_root apt-get update -qq >/dev/null 2>&1 || say "apt-get update failed; trying with the lists at hand"
    local resolved=""
    for name in $missing; do
        resolved="$resolved $(known_package "$name")"
    done
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive $as_root apt-get install -y -qq --no-install-recommends $resolved >/dev/null \
        || stop "could not install:$resolved
wattsweights: install them by hand and run this again"
}

prepare() {
    local extras="$1" python
    python=$(find_python)
    if [ -z "$python" ]; then
        stop "Python 3.11 or newer is needed and was not found: install python3 (Debian 12, Ubuntu 24.04) or set PYTHON to one"
    fi
    if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
        local version
        version=$("$python" -c 'import sys; print(f"{sys.version_info.major}.{sys.version_info.minor}")')
        install_system "python$version-venv"
    fi
    if [ ! -x "$venv/bin/python" ]; then
        say "making a virtual environment in $venv"
        "$python" -m venv "$venv" || stop "could not make a virtual environment in $venv"
    fi
    # reinstalled only when what is to be installed has changed
    local wanted
    wanted="$extras $(cksum "$here/pyproject.toml" | cut -d' ' -f1)"
    if [ "$(cat "$venv/.wattsweights" 2>/dev/null)" != "$wanted" ]; then
        say "installing WattsWeights and what it needs (a few minutes the first time)"
        "$venv/bin/python" -m pip install -q --disable-pip-version-check -e "$here$extras" \
            || stop "pip could not install the packages: is a package index reachable?"
        printf '%s' "$wanted" >"$venv/.wattsweights"
    fi
}
