"""Rules about the code itself: style, types, direction of imports, size of files."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "wattsweights_gui"
SOURCES = sorted(PACKAGE.rglob("*.py"))

# files over 400 lines, and what each is about
LONG_FILES: dict[str, str] = {}


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", *command], cwd=ROOT, capture_output=True, text=True, check=False)


def test_that_ruff_has_nothing_to_say() -> None:
    done = _run("ruff", "check", "wattsweights_gui", "tests", "packaging")
    assert done.returncode == 0, done.stdout


def test_that_the_code_is_formatted() -> None:
    done = _run("ruff", "format", "--check", "wattsweights_gui", "tests", "packaging")
    assert done.returncode == 0, done.stdout


def test_that_the_engine_is_strictly_typed() -> None:
    done = _run("mypy", "wattsweights_gui/engine")
    assert done.returncode == 0, done.stdout


def test_that_imports_run_downward() -> None:
    done = subprocess.run(
        [str(Path(sys.executable).parent / "lint-imports"), "--no-cache"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", SOURCES, ids=lambda p: p.relative_to(PACKAGE).as_posix())
def test_that_a_file_is_about_one_thing(path: Path) -> None:
    lines = len(path.read_text(encoding="utf-8").splitlines())
    name = path.relative_to(PACKAGE).as_posix()
    assert lines <= 400 or name in LONG_FILES, f"{name} has {lines} lines: what is it about?"
    assert path.stem not in {"utils", "helpers", "manager"}


def test_that_the_list_of_long_files_is_not_stale() -> None:
    for name in LONG_FILES:
        assert len((PACKAGE / name).read_text(encoding="utf-8").splitlines()) > 400, f"{name} is short again"


@pytest.mark.parametrize("path", [p for p in SOURCES if "gui" in p.parts], ids=lambda p: p.name)
def test_that_no_dialog_blocks(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    if path.name != "app.py":  # the application's own event loop
        assert not re.search(r"\.exec\(\)", text), "dialogs are opened, never executed"
    if path.name != "dialogs.py":
        assert not re.search(r"QMessageBox\.(question|warning|critical|information|about)\(", text)


@pytest.mark.parametrize("path", [p for p in SOURCES if "engine" in p.parts], ids=lambda p: p.name)
def test_that_the_engine_is_pure(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    banned = r"^\s*(?:import|from) (?:random|time|datetime|socket|sqlite3|pathlib|urllib|requests|PySide6)\b|\bopen\("
    found = re.findall(banned, text, re.MULTILINE)
    assert not found or path.name == "fluids.py", found


def test_that_no_path_of_a_machine_is_written_down() -> None:
    for path in (*SOURCES, ROOT / "README.md", *sorted((ROOT / "packaging").glob("*"))):
        if path.is_file() and path.suffix in {".py", ".sh", ".md"}:
            assert "/home/" not in path.read_text(encoding="utf-8"), path
