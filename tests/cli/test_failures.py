"""Wrong requests exit with 2 and failed work with 1: one line on standard error, nothing on standard output."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from wattsweights_gui.cli import work
from wattsweights_gui.cli.failures import one_line

WRONG: dict[str, tuple[list[str], str]] = {
    "no such sub-command": (["sizee"], "sizee"),
    "no file": (["size"], "Missing argument"),
    "no such option": (["size", "{file}", "--sett", "a=1"], "--sett"),
    "a missing file": (["size", "{folder}/none.watts"], "no such file"),
    "a folder": (["size", "{folder}"], "folder"),
    "a file of another kind": (["size", "{text}"], "no WattsWeights project"),
    "a damaged file": (["size", "{damaged}"], "damaged"),
    "a value out of limits": (["size", "{file}", "--set", "workload.days=-3"], "from 0.01 to 10000 days"),
    "not a number": (["size", "{file}", "--set", "workload.days=soon"], "not a number"),
    "a unit of another kind": (["size", "{file}", "--set", "power.utility_mw=40 kg"], "not a unit"),
    "half a GPU": (["size", "{file}", "--set", "parallelism.tp=1.5"], "whole number"),
    "neither true nor false": (["size", "{file}", "--set", "host.virtualised=perhaps"], "neither"),
    "no such field": (["size", "{file}", "--set", "workload.day=3"], "no such field"),
    "no such layer": (["size", "{file}", "--set", "weather.rain=1"], "no such layer"),
    "no equals sign": (["size", "{file}", "--set", "workload.days"], "layer.field=value"),
    "no such word": (["size", "{file}", "--set", "workload.precision=fp7"], "none of"),
    "no such alternative": (["size", "{file}", "--set", "cooling.technology=magic"], "none of"),
    "a field of another alternative": (["size", "{file}", "--set", "cooling.technology.exit_quality=0.5"], "two_phase"),
    "no such hardware": (["size", "{file}", "--set", "compute.gpu=h1000"], "h1000"),
    "a bad set": (["set", "{file}", "workload.days=-3"], "from 0.01"),
    "no assignment": (["set", "{file}"], "Missing argument"),
    "no such number": (["why", "{file}", "power.it_power"], "power.it_power_kw"),
    "no such layer's number": (["why", "{file}", "weather.rain"], "no such number"),
    "no such end": (["why", "{file}", "both_ends.need.luck"], "no such number"),
    "no such entry": (["why", "{file}", "catalog.none.x"], "no entry"),
    "no such example": (["new", "{folder}/n.watts", "--example", "moon"], "“moon”"),
    "no such folder": (["set", "{folder}/none/n.watts", "workload.days=3"], "no such file"),
    "no such format": (["export", "{file}", "--to", "dwg", "-o", "{folder}/o"], "csv, json"),
    "no output": (["export", "{file}", "--to", "csv"], "-o"),
    "an output in no folder": (["export", "{file}", "--to", "csv", "-o", "{folder}/none/o.csv"], "no folder"),
    "an output that is a folder": (["export", "{file}", "--to", "csv", "-o", "{folder}"], "folder"),
    "no such sheet": (["report", "{file}", "-o", "{folder}/o.pdf", "--sheets", "poems"], "poems"),
    "no such paper": (["report", "{file}", "-o", "{folder}/o.pdf", "--paper", "A99"], "A99"),
    "no such units": (["size", "{file}", "--units", "cgs"], "cgs"),
    "no source": (["import", "{folder}/none.json", "--into", "{file}"], "no such file"),
    "a source that is no JSON": (["import", "{text}", "--into", "{file}"], "no JSON"),
    "a config without a shape": (["import", "{config}", "--into", "{file}"], "model_type"),
    "a source of another kind": (["import", "{list}", "--into", "{file}"], "none of the formats"),
    "no evidence": (["evidence", "{folder}/none.json"], "no such file"),
    "evidence that is no JSON": (["evidence", "{text}"], "no JSON"),
    "evidence without rows": (["evidence", "{config}"], "rows"),
    "evidence that is a list": (["evidence", "{list}"], "no table of evidence"),
}


@pytest.fixture
def names(project: Path, tmp_path: Path) -> dict[str, str]:
    text = tmp_path / "text.txt"
    text.write_text("hello")
    listed = tmp_path / "list.json"
    listed.write_text("[1]")
    config = tmp_path / "config.json"
    config.write_text('{"hidden_size": 3}')
    damaged = tmp_path / "damaged.watts"
    data = bytearray(project.read_bytes())
    data[4096:] = bytes(len(data) - 4096)
    damaged.write_bytes(data)
    return {
        "file": str(project),
        "folder": str(tmp_path),
        "text": str(text),
        "list": str(listed),
        "damaged": str(damaged),
        "config": str(config),
    }


@pytest.mark.parametrize("kind", WRONG)
def test_that_a_wrong_request_gets_one_line_and_2(kind: str, call: Any, names: dict[str, str]) -> None:
    arguments, says = WRONG[kind]
    before = Path(names["file"]).read_bytes()
    done = call(*(a.format(**names) for a in arguments))
    assert done.exit_code == 2, done.output
    assert done.stdout == ""
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert says in done.stderr
    assert Path(names["file"]).read_bytes() == before


def test_that_a_file_name_cannot_break_the_line(call: Any, tmp_path: Path) -> None:
    done = call("size", tmp_path / "two\nlines\x1b[31m.watts")
    assert done.exit_code == 2
    assert len(done.stderr.splitlines()) == 1
    assert "\x1b" not in done.stderr


def test_that_work_that_fails_gets_one_line_and_1(call: Any, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_: Any) -> Any:
        raise ZeroDivisionError("division\nby zero")

    monkeypatch.setattr(work, "evaluated_as_placed", fails)
    done = call("size", project, "--json")
    assert (done.exit_code, done.stdout) == (1, "")
    assert len(done.stderr.splitlines()) == 1
    assert "ZeroDivisionError: division by zero" in done.stderr


def test_that_the_place_is_shown_only_to_who_asks(call: Any, project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(work, "evaluated_as_placed", lambda *_: 1 / 0)
    assert "Traceback" not in call("size", project).stderr
    monkeypatch.setenv("WATTSWEIGHTS_DEBUG", "1")
    assert "Traceback" in call("size", project).stderr


def test_that_a_full_disk_is_failed_work_and_the_file_stays(
    call: Any, project: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    before = project.read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    done = call("set", project, "workload.days=20")
    assert done.exit_code == 1
    assert "disk is full" in done.stderr
    assert project.read_bytes() == before


def test_that_a_failed_export_leaves_the_older_one(
    call: Any, project: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "o.csv"
    out.write_text("old")

    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "o.csv")

    monkeypatch.setattr(Path, "write_bytes", full)
    done = call("export", project, "--to", "csv", "-o", out)
    assert done.exit_code == 1
    assert out.read_text() == "old"
    assert sorted(p.name for p in tmp_path.iterdir()) == ["hall.watts", "o.csv"]


def test_that_a_line_is_a_line() -> None:
    assert one_line("a\nb\r\n\tc\x07") == "a b c�"
