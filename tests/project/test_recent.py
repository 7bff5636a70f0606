"""The list of recent projects."""

from __future__ import annotations

from pathlib import Path

import pytest

from wattsweights_gui import paths
from wattsweights_gui.project import recent


def test_that_the_newest_stands_first_and_missing_ones_are_told_apart(tmp_path: Path) -> None:
    here, gone = tmp_path / "here.watts", tmp_path / "gone.watts"
    here.touch()
    recent.remember(gone)
    recent.remember(here)
    recent.remember(here)
    assert [(r.path, r.exists) for r in recent.recent()] == [(here, True), (gone, False)]
    recent.forget(gone)
    assert [r.path for r in recent.recent()] == [here]
    recent.forget_all()
    assert recent.recent() == ()


def test_that_only_so_many_are_kept(tmp_path: Path) -> None:
    for n in range(30):
        recent.remember(tmp_path / f"{n}.watts")
    assert len(recent.recent()) == recent.KEPT
    assert recent.recent()[0].path.name == "29.watts"


@pytest.mark.parametrize("data", [b"", b"{}", b'[1, null, "\\u0000"]', b"\xff", b"[" * 100_000])
def test_that_a_broken_list_is_an_empty_one(data: bytes) -> None:
    (paths.user_data() / "recent.json").write_bytes(data)
    assert recent.recent() == ()


def test_that_a_folder_that_cannot_be_written_stops_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("WATTSWEIGHTS_HOME", str(tmp_path / "file" / "x"))
    recent.remember(tmp_path / "a.watts")
    assert recent.recent() == ()
