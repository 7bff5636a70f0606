"""Unsaved work is offered at the next start, and the file is never touched by it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from wattsweights_gui import paths
from wattsweights_gui.project import recovery
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.errors import ProjectFileError
from wattsweights_gui.project.plan_json import plan_encoded
from wattsweights_gui.project.recovery import Journal, discard, list_recoverable
from wattsweights_gui.project.store import load, save

AT = "2026-01-02T03:04:05Z"


def _crash(journal: Journal) -> None:
    """Let go of the lock, as the system does when a program dies, and leave the journal."""
    assert journal._lock is not None
    journal._lock.close()
    assert journal._file is not None
    journal._file.close()


def test_that_unsaved_work_is_offered_after_a_crash(document: Document, saved: Path) -> None:
    before = saved.read_bytes()
    journal = Journal.start(saved, load(saved).token)
    edited = document.with_plan(document.plan.edit(("workload.days", 12.5)))
    journal.record(document, "12:00:00")
    journal.record(edited, "12:00:01")
    _crash(journal)
    (offered,) = list_recoverable()
    assert (offered.file, offered.at, offered.changed_since) == (saved, "12:00:01", False)
    again, remarks = recovery.load(offered)
    assert again == edited
    assert remarks == ()
    assert [plan_encoded(s.plan) for s in again.scenarios] == [plan_encoded(s.plan) for s in edited.scenarios]
    assert saved.read_bytes() == before
    discard(offered)
    assert list_recoverable() == ()
    assert os.listdir(paths.user_data() / "recovery") == []


def test_that_work_in_a_program_that_runs_is_not_offered(document: Document) -> None:
    journal = Journal.start(None, None)
    journal.record(document, AT)
    assert list_recoverable() == ()
    journal.close()


def test_that_a_saved_or_closed_document_leaves_nothing(document: Document, saved: Path) -> None:
    journal = Journal.start(saved, load(saved).token)
    journal.record(document, AT)
    journal.saved(saved, save(document, saved, saved=AT))
    _crash(journal)
    assert list_recoverable() == ()
    other = Journal.start(saved, None)
    other.record(document, AT)
    other.close()
    assert os.listdir(paths.user_data() / "recovery") == []


def test_that_a_document_never_saved_is_offered_without_a_file(document: Document) -> None:
    journal = Journal.start(None, None)
    journal.record(document, AT)
    _crash(journal)
    (offered,) = list_recoverable()
    assert offered.file is None
    assert not offered.changed_since


def test_that_a_file_saved_later_by_others_is_told_apart(document: Document, saved: Path) -> None:
    journal = Journal.start(saved, load(saved).token)
    journal.record(document, AT)
    _crash(journal)
    save(document.with_note("", "later"), saved, saved=AT)
    (offered,) = list_recoverable()
    assert offered.changed_since


def test_that_a_line_torn_by_a_power_cut_costs_only_itself(document: Document) -> None:
    journal = Journal.start(None, None)
    journal.record(document, "whole")
    journal.record(document, "torn")
    _crash(journal)
    data = journal.path.read_bytes()
    journal.path.write_bytes(data[:-100])
    (offered,) = list_recoverable()
    assert offered.at == "whole"
    assert recovery.load(offered)[0] == document


def test_that_a_journal_stays_small(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "MAX_JOURNAL_BYTES", 100_000)
    journal = Journal.start(None, None)
    for n in range(60):
        journal.record(document.with_note("", str(n)), str(n))
        assert journal.path.stat().st_size <= 100_000
    _crash(journal)
    (offered,) = list_recoverable()
    assert recovery.load(offered)[0].notes[-1].text == "59"


@pytest.mark.parametrize("data", [b"", b"\n", b"{}\n{", b"[]\n[]\n", b"\xff\xfe", b'{"file": 3}\n{"document": {}}\n'])
def test_that_garbage_in_the_folder_is_no_crash(data: bytes, tmp_path: Path) -> None:
    folder = paths.user_data() / "recovery"
    folder.mkdir()
    (folder / "x.jsonl").write_bytes(data)
    for offered in list_recoverable():
        with pytest.raises(ProjectFileError):
            recovery.load(offered)


def test_that_a_disk_that_is_full_does_not_stop_the_work(document: Document, monkeypatch: pytest.MonkeyPatch) -> None:
    journal = Journal.start(None, None)

    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        journal.record(document, AT)
    assert "No space" in journal.broken
    journal.close()


_EDITOR = """
import sys
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.recovery import Journal
journal = Journal.start(None, None)
journal.record(Document.of(default_plan([("workload.days", 17.25)])), "then")
print("done", flush=True)
sys.stdin.read()
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL of POSIX")
def test_that_the_work_of_a_killed_program_is_offered() -> None:
    child = subprocess.Popen([sys.executable, "-c", _EDITOR], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    assert child.stdout.readline() == "done\n"
    assert list_recoverable() == ()
    child.send_signal(signal.SIGKILL)
    child.communicate()
    (offered,) = list_recoverable()
    assert recovery.load(offered)[0].plan.value("workload.days") == 17.25
