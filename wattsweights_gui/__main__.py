"""The only entry: no argument or a project file opens the window, a sub-command runs headless."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path


def run(arguments: Sequence[str]) -> int:
    """Serve a command line and return the exit status: 0 done, 1 the work failed, 2 the request was wrong."""
    if list(arguments) in (["--version"], ["-V"]):
        from wattsweights_gui import __version__

        print(f"wattsweights {__version__}")
        return 0
    if not arguments:
        return _window(None)
    from wattsweights_gui.cli.app import cli

    first = arguments[0]
    if len(arguments) == 1 and not first.startswith("-") and first not in cli.commands and _names_a_file(first):
        return _window(first)
    status: int = cli.main(list(arguments), prog_name="wattsweights", standalone_mode=False)
    return status


def _names_a_file(argument: str) -> bool:
    return argument.casefold().endswith(".watts") or Path(argument).exists()


def _window(path: str | None) -> int:
    if path is not None and not Path(path).exists():
        print(f"{path}: there is no such file.", file=sys.stderr)
        return 2
    if not _has_display():
        print(
            "There is no display for a window (DISPLAY and WAYLAND_DISPLAY are not set): "
            "use a sub-command, such as wattsweights size FILE.",
            file=sys.stderr,
        )
        return 1
    try:
        from wattsweights_gui.gui.app import run as open_window
    except ImportError as error:  # a library that Qt needs is missing: say which
        print(f"The window cannot be opened: {error}. The sub-commands work without it.", file=sys.stderr)
        return 1
    return open_window(path)


def _has_display() -> bool:
    if not sys.platform.startswith("linux"):
        return True
    return any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"))


def main() -> None:
    """Serve the command line of this process and exit."""
    sys.exit(run(sys.argv[1:]))


if __name__ == "__main__":
    main()
