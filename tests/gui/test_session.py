"""The session: edits are all or none, undone to the start, settled by the worker, and journalled."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from wattsweights_gui.engine import search
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.gui.session import Session
from wattsweights_gui.project.errors import ChangedOnDisk, ProjectFileError


@pytest.fixture
def pinned(session: Session) -> Session:
    """A session in which nothing is searched."""
    assert session.apply([("parallelism.layout", "pinned")])
    session.undo_stack.clear()
    return session


def test_that_an_edit_tells_which_layers_changed_and_who_made_it(qtbot: Any, pinned: Session) -> None:
    origin = object()
    with qtbot.waitSignal(pinned.changed) as told:
        assert pinned.apply([("cooling.water_supply_c", 21.0)], origin=origin)
    layers, who = told.args
    assert who is origin
    assert "cooling" in layers
    assert "workload" not in layers


def test_that_a_refused_edit_changes_nothing_and_says_what_would_be_right(qtbot: Any, pinned: Session) -> None:
    before = pinned.evaluation
    with qtbot.waitSignal(pinned.refused) as told:
        assert not pinned.apply([("workload.days", 20.0), ("workload.seq_len", -1)])
    assert told.args[0] == "workload.seq_len"
    assert "16" in told.args[1]
    assert pinned.evaluation is before
    assert pinned.undo_stack.count() == 0


def test_that_an_edit_to_what_is_there_already_is_no_edit(pinned: Session) -> None:
    assert pinned.apply([("workload.days", 45.0)])
    assert pinned.apply([("workload.days", 45.0)])
    assert pinned.undo_stack.count() == 1


def test_that_undo_and_redo_give_the_very_plans_and_their_results(pinned: Session) -> None:
    start = pinned.plan
    pinned.apply([("workload.days", 45.0)])
    pinned.apply([("cooling.water_supply_c", 21.0), ("power.scheme", "n")])
    end = pinned.plan
    pinned.undo_stack.undo()
    pinned.undo_stack.undo()
    assert pinned.plan is start
    assert pinned.evaluation.results["power"].plain() == evaluate(start, pinned.catalog).results["power"].plain()
    pinned.undo_stack.redo()
    pinned.undo_stack.redo()
    assert pinned.plan is end


def test_that_edits_of_one_gesture_are_one_entry(pinned: Session) -> None:
    start = pinned.plan
    for days in (31.0, 32.0, 33.0):
        pinned.apply([("workload.days", days)], merge_key="a")
    pinned.apply([("workload.days", 34.0)], merge_key="b")
    assert pinned.undo_stack.count() == 2
    pinned.undo_stack.undo()
    assert pinned.plan.value("workload.days") == 33.0
    pinned.undo_stack.undo()
    assert pinned.plan is start


def test_that_a_reset_is_undone(pinned: Session) -> None:
    pinned.apply([("workload.days", 45.0)])
    assert pinned.reset("workload.days")
    assert pinned.plan.value("workload.days") == 30.0
    pinned.undo_stack.undo()
    assert pinned.plan.value("workload.days") == 45.0


def test_that_both_ends_follow_each_edit(qtbot: Any, pinned: Session) -> None:
    with qtbot.waitSignal(pinned.ends_changed):
        pinned.apply([("cooling.technology.rack_limit_kw", 12.0)])
    assert pinned.ends.verdict == both_ends(pinned.evaluation).verdict
    assert pinned.ends.fits is False


def test_that_the_largest_model_is_found_once_nobody_edits(qtbot: Any, session: Session) -> None:
    session.open_example("512-against-256")
    qtbot.waitUntil(lambda: session.ends.largest_params_b.known, timeout=20000)
    assert 0 < session.ends.largest_params_b.number < 1000


def test_that_a_found_layout_is_part_of_the_edit_that_asked_for_it(
    qtbot: Any, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "settle", lambda plan, catalog: _with_tp(plan, 4))
    start = session.plan
    with qtbot.waitSignal(session.settling):
        session.apply([("workload.days", 60.0)])
    qtbot.waitUntil(lambda: session.plan.value("parallelism.tp") == 4)
    assert session.plan.value("workload.days") == 60.0
    assert session.undo_stack.count() == 1
    assert not session.answers.settling
    session.undo_stack.undo()
    assert session.plan is start
    session.undo_stack.redo()
    assert session.plan.value("parallelism.tp") == 4


def test_that_an_answer_to_an_older_plan_is_dropped(
    qtbot: Any, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_answer = threading.Event()

    def settle(plan: Any, catalog: Any) -> Any:
        if plan.value("workload.days") == 60.0:
            assert may_answer.wait(20)
            return _with_tp(plan, 2)
        return _with_tp(plan, 4)

    monkeypatch.setattr(search, "settle", settle)
    session.apply([("workload.days", 60.0)])
    session.apply([("workload.days", 70.0)])
    may_answer.set()
    qtbot.waitUntil(lambda: session.plan.value("parallelism.tp") == 4)
    assert session.plan.value("workload.days") == 70.0
    session.undo_stack.undo()
    assert session.plan.value("parallelism.tp") == 8


def test_that_an_edit_does_not_wait_for_the_layout_search(
    qtbot: Any, session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "settle", lambda plan, catalog: (time.sleep(0.5), plan)[1])
    began = time.perf_counter()
    session.apply([("workload.days", 60.0)])
    assert time.perf_counter() - began < 0.25
    assert session.answers.settling
    qtbot.waitUntil(lambda: not session.answers.settling)


def _with_tp(plan: Any, tp: int) -> Any:
    return plan.edit(("parallelism.tp", tp), ("parallelism.layout", "auto"))


def test_that_a_save_is_clean_and_an_edit_is_not(session: Session, tmp_path: Path) -> None:
    session.new()
    session.apply([("power.scheme", "n")])
    assert session.dirty
    path = session.save(tmp_path / "hall")
    assert path.suffix == ".watts"
    assert not session.dirty
    session.undo_stack.undo()
    assert session.dirty


def test_that_a_file_somebody_else_wrote_is_not_overwritten_unasked(session: Session, tmp_path: Path) -> None:
    path = session.save(tmp_path / "hall.watts")
    other = Session()
    other.open(path)
    other.apply([("power.scheme", "n")])
    other.save()
    other.close()
    session.apply([("power.scheme", "2n")])
    with pytest.raises(ChangedOnDisk):
        session.save()
    assert session.save(over=True) == path
    assert not session.dirty


def test_that_a_file_that_cannot_be_opened_leaves_the_session_as_it_was(session: Session, tmp_path: Path) -> None:
    session.apply([("power.scheme", "n")])
    before, path = session.plan, tmp_path / "no.watts"
    path.write_text("no project")
    with pytest.raises(ProjectFileError):
        session.open(path)
    assert session.plan is before
    assert session.undo_stack.count() == 1


def test_that_a_model_is_imported_as_one_edit(session: Session, tmp_path: Path) -> None:
    config = {
        "model_type": "llama",
        "architectures": ["LlamaForCausalLM"],
        "hidden_size": 4096,
        "num_hidden_layers": 32,
        "num_attention_heads": 32,
        "num_key_value_heads": 8,
        "intermediate_size": 14336,
        "vocab_size": 128256,
        "tie_word_embeddings": False,
    }
    path = tmp_path / "config.json"
    path.write_text(json.dumps(config))
    assert session.import_config(path)
    assert session.plan.value("workload.model.layers") == 32
    assert session.evaluation.results["workload"].total_params.number == pytest.approx(8.03e9, rel=0.001)
    assert session.undo_stack.count() == 1


def test_that_units_are_told_and_no_edit(qtbot: Any, pinned: Session) -> None:
    before = pinned.plan
    with qtbot.waitSignals([pinned.units_changed, pinned.changed]):
        pinned.set_units("us")
    assert pinned.plan is before
    assert not pinned.undo_stack.canUndo()


def test_that_failed_work_is_told_and_the_worker_goes_on(qtbot: Any, session: Session) -> None:
    failed: list[Exception] = []
    done: list[int] = []

    def fail(progress: Any) -> None:
        raise RuntimeError("on purpose")

    session.jobs.run("a", fail, on_failed=failed.append)
    session.jobs.run("b", lambda progress: 3, on_done=done.append)
    qtbot.waitUntil(lambda: done == [3])
    assert str(failed[0]) == "on purpose"


def test_that_cancelled_work_hears_of_it_and_answers_nothing(qtbot: Any, session: Session) -> None:
    begun, heard, done = threading.Event(), threading.Event(), []

    def work(progress: Any) -> int:
        begun.set()
        while progress(0.5):
            time.sleep(0.001)
        heard.set()
        return 1

    session.jobs.run("long", work, on_done=done.append, on_progress=lambda share: None)
    qtbot.waitUntil(begun.is_set)
    session.jobs.cancel("long")
    qtbot.waitUntil(heard.is_set)
    qtbot.wait(20)
    assert done == []
    assert not session.jobs.running("long")


def test_that_an_automatic_layout_is_searched_again_when_a_file_is_opened(session: Session, qtbot: Any) -> None:
    session.open_example("1t-30-days")
    qtbot.waitUntil(lambda: not session.jobs.running("settle"), timeout=10_000)
    from wattsweights_gui.engine.search import settle

    assert session.plan == settle(session.plan, session.catalog)
    assert not session.undo_stack.canUndo()
