"""The installed command itself, as a process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

import wattsweights_gui

BARE = {k: v for k, v in os.environ.items() if k not in {"DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM"}}


def _run(*arguments: object, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "wattsweights_gui", *map(str, arguments)],
        capture_output=True,
        text=True,
        encoding="utf-8",
        env=BARE | environment,
        timeout=120,
        check=False,
    )


def test_that_the_version_is_said() -> None:
    assert _run("--version").stdout == f"wattsweights {wattsweights_gui.__version__}\n"


def test_that_help_names_every_sub_command_of_the_contract() -> None:
    said = _run("--help")
    assert said.returncode == 0
    listed = {line.split()[0] for line in said.stdout.partition("Commands:")[2].splitlines() if line.strip()}
    wanted = {
        "new",
        "examples",
        "size",
        "set",
        "search",
        "levers",
        "why",
        "check",
        "evidence",
        "fabric-check",
        "report",
        "import",
        "export",
    }
    assert wanted <= listed


def test_that_a_process_prints_one_json_document(project: Path) -> None:
    done = _run("size", project, "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["file"] == str(project)


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["size", "{file}", "--json"], ["check", "{file}"]])
def test_that_no_sub_command_imports_qt(arguments: list[str], project: Path) -> None:
    program = (
        "import sys; from wattsweights_gui.__main__ import run; status = run(sys.argv[1:]);"
        "slow = sorted({m.partition('.')[0] for m in sys.modules} & {'PySide6', 'pyqtgraph', 'openpyxl', 'reportlab', 'CoolProp'});"
        "print(status, *slow, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program, *(a.format(file=project) for a in arguments)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.stderr.splitlines()[-1] == "0"


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="elsewhere there is always a display")
@pytest.mark.parametrize("arguments", [[], ["{file}"]])
def test_that_without_a_display_the_window_says_so(arguments: list[str], project: Path) -> None:
    done = _run(*(a.format(file=project) for a in arguments))
    assert (done.returncode, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert "no display" in done.stderr


def test_that_a_file_that_is_missing_is_no_window(tmp_path: Path) -> None:
    done = _run(tmp_path / "none.watts", QT_QPA_PLATFORM="offscreen")
    assert done.returncode == 2
    assert "no such file" in done.stderr


def test_that_a_terminal_without_unicode_is_served(project: Path) -> None:
    done = _run("size", project, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0, done.stderr
    assert "Hall 3" in done.stdout
    assert json.loads(_run("size", project, "--json", PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout)


@pytest.mark.skipif(os.name == "nt", reason="pipes of POSIX")
def test_that_a_reader_that_has_seen_enough_is_no_error(project: Path) -> None:
    done = subprocess.run(
        f"'{sys.executable}' -m wattsweights_gui why '{project}' power.facility_power_kw | head -1",
        shell=True,
        capture_output=True,
        text=True,
        env=BARE,
        timeout=120,
        check=False,
    )
    assert done.stderr == ""
