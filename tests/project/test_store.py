"""Projects come back from their files to the last digit, and saving never leaves half a file."""

from __future__ import annotations

import os
import random
import signal
import sqlite3
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.declare import Branch
from wattsweights_gui.engine.plan import Plan, default_plan
from wattsweights_gui.project import store
from wattsweights_gui.project.document import Document, Scenario, kept_row
from wattsweights_gui.project.errors import ChangedOnDisk, ProjectFileError
from wattsweights_gui.project.plan_json import plan_encoded
from wattsweights_gui.project.store import load, save

AT = "2026-01-02T03:04:05Z"


def _chosen(plan: Plan) -> dict[str, object]:
    """Return which fields somebody set, down into the alternatives."""
    found: dict[str, object] = {}
    for layer in ("project", *plan.layers):
        inputs = plan.inputs(layer)
        found[layer] = set(inputs.model_fields_set)
        for name in type(inputs).model_fields:
            if isinstance(branch := getattr(inputs, name), Branch):
                found[f"{layer}.{name}"] = (type(branch), set(branch.model_fields_set))
    return found


def test_that_everything_comes_back(document: Document, saved: Path) -> None:
    opened = load(saved)
    assert opened.document == document
    assert opened.remarks == ()
    for again, before in zip(opened.document.scenarios, document.scenarios, strict=True):
        assert _chosen(again.plan) == _chosen(before.plan)
        assert plan_encoded(again.plan) == plan_encoded(before.plan)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    days=st.floats(0.01, 10000),
    megawatts=st.floats(0.001, 1000),
    text=st.text(st.characters(blacklist_categories=["Cs"]), max_size=40),
    quality=st.floats(0.05, 1.0),
    technology=st.sampled_from(["air", "rear_door", "single_phase", "two_phase"]),
)
def test_that_any_plan_comes_back_to_the_last_digit(
    tmp_path: Path, days: float, megawatts: float, text: str, quality: float, technology: str
) -> None:
    plan = default_plan(
        [
            ("workload.days", days),
            ("power.utility_mw", megawatts),
            ("project.notes", text),
            ("cooling.technology", technology),
        ]
    )
    if technology == "two_phase":
        plan = plan.edit(("cooling.technology.exit_quality", quality))
    path = tmp_path / "any.watts"
    save(Document.of(plan), path, saved=AT)
    again = load(path).document.plan
    assert again == plan
    assert _chosen(again) == _chosen(plan)


def test_that_editing_a_reopened_plan_gives_what_editing_the_first_gave(plan: Plan, saved: Path) -> None:
    edit = ("cooling.water_supply_c", 25.5)
    assert load(saved).document.plan.edit(edit) == plan.edit(edit)


def test_that_a_default_that_changed_since_does_not_change_a_saved_number(saved: Path) -> None:
    with sqlite3.connect(saved) as db:
        db.execute("UPDATE layer_inputs SET inputs = json_set(inputs, '$.water_rise_k', 11.5) WHERE layer = 'cooling'")
    opened = load(saved)
    assert opened.document.plan.value("cooling.water_rise_k") == 11.5
    assert opened.document.plan.edit(("cooling.water_supply_c", 20)).value("cooling.water_rise_k") == 11.5
    assert any("cooling.water_rise_k stays at 11.5" in r for r in opened.remarks)


def test_that_opening_leaves_the_file_and_its_folder_as_they_were(saved: Path) -> None:
    before, mtime = saved.read_bytes(), saved.stat().st_mtime_ns
    load(saved)
    assert saved.read_bytes() == before
    assert saved.stat().st_mtime_ns == mtime
    assert [p.name for p in saved.parent.glob("*hall*")] == ["hall.watts"]


def test_that_saving_leaves_one_file(document: Document, tmp_path: Path) -> None:
    folder = tmp_path / "alone"
    folder.mkdir()
    for _ in range(3):
        save(document, folder / "a.watts", saved=AT)
    assert os.listdir(folder) == ["a.watts"]


def test_that_a_facilities_team_can_query_the_figures(plan: Plan, tmp_path: Path) -> None:
    path = tmp_path / "q.watts"
    evaluation = evaluate(plan, catalog())
    save(Document.of(plan), path, saved=AT, evaluations={"Base": evaluation})
    with sqlite3.connect(path) as db:
        found = db.execute(
            "SELECT value, unit, title FROM figures JOIN scenarios ON scenarios.id = figures.scenario "
            "WHERE scenarios.name = 'Base' AND layer = 'cooling' AND figures.name = 'rack_limit_kw'"
        ).fetchone()
        count = db.execute("SELECT count(*) FROM figures").fetchone()[0]
        meta = dict(db.execute("SELECT key, value FROM meta"))
    figure = evaluation.results["cooling"].rack_limit_kw
    assert found == (figure.value, "kw", figure.title)
    assert count == sum(1 for r in evaluation.results.values() for _ in r.figures())
    assert meta["saved"] == AT
    assert meta["program_version"]
    assert meta["coolprop_version"]


def test_that_layers_of_a_newer_version_are_named_and_kept_word_for_word(saved: Path, tmp_path: Path) -> None:
    row = (2, "tape_robots", 7, '{"arms": 4.000000000000001, "who": [1, {"a": null}]}', '["arms"]')
    with sqlite3.connect(saved) as db:
        db.execute("INSERT INTO layer_inputs VALUES (?, ?, ?, ?, ?)", row)
    opened = load(saved)
    assert any("“tape_robots”" in r for r in opened.remarks)
    copy = tmp_path / "copy.watts"
    save(opened.document, copy, saved=AT)
    with sqlite3.connect(copy) as db:
        assert db.execute("SELECT * FROM layer_inputs WHERE layer = 'tape_robots'").fetchall() == [row]


def test_that_links_and_devices_in_no_rack_are_kept(document: Document, tmp_path: Path) -> None:
    from dataclasses import replace

    columns = ("id", "scenario", "rack", "name", "entry", "bottom_u", "face", "data")
    device = kept_row("devices", dict(zip(columns, ("d1", 1, None, "spare", "qm9700", None, None, "{}"), strict=True)))
    path = tmp_path / "r.watts"
    save(replace(document, kept=(device,)), path, saved=AT)
    assert load(path).document.kept == (device,)


def test_that_taking_out_a_scenario_moves_what_is_kept_for_the_others(document: Document) -> None:
    from dataclasses import replace

    kept = tuple(kept_row("layer_inputs", {"scenario": n, "layer": "x"}) for n in (1, 2))
    left = replace(document, kept=kept).without_scenario("Base")
    assert [s.name for s in left.scenarios] == ["Warm water"]
    assert [row.as_dict()["scenario"] for row in left.kept] == [1]


def test_that_two_scenarios_of_one_name_are_refused(plan: Plan) -> None:
    with pytest.raises(ValueError, match="“Base”"):
        Document.of(plan).with_scenario(Scenario("Base", plan))


# ---------------------------------------------------------------------------------------------- others and the disk


def test_that_a_file_changed_by_somebody_else_is_not_overwritten(document: Document, saved: Path) -> None:
    opened = load(saved)
    theirs = document.with_note("", "their work")
    save(theirs, saved, saved=AT)
    assert store.changed_on_disk(saved, opened.token)
    with pytest.raises(ChangedOnDisk):
        save(document, saved, saved=AT, expected=opened.token)
    assert load(saved).document == theirs


def test_that_a_file_only_touched_has_not_changed(document: Document, saved: Path) -> None:
    opened = load(saved)
    os.utime(saved, (1, 1))
    assert not store.changed_on_disk(saved, opened.token)
    save(document, saved, saved=AT, expected=opened.token)


def test_that_the_token_of_a_save_serves_the_next_one(document: Document, saved: Path) -> None:
    token = load(saved).token
    for n in range(3):
        token = save(document.with_note("", str(n)), saved, saved=AT, expected=token)
    assert load(saved).token == token


def test_that_a_file_that_has_gone_is_written_again(document: Document, saved: Path) -> None:
    token = load(saved).token
    saved.unlink()
    assert store.changed_on_disk(saved, token)
    save(document, saved, saved=AT, expected=token)
    assert load(saved).document == document


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_that_permissions_are_kept(document: Document, saved: Path) -> None:
    saved.chmod(0o640)
    save(document, saved, saved=AT)
    assert stat.S_IMODE(saved.stat().st_mode) == 0o640


@pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
def test_that_a_new_file_has_the_permissions_of_any_new_file(document: Document, tmp_path: Path) -> None:
    (tmp_path / "other").touch()
    save(document, tmp_path / "new.watts", saved=AT)
    assert (tmp_path / "new.watts").stat().st_mode == (tmp_path / "other").stat().st_mode


@pytest.mark.skipif(os.name == "nt", reason="symbolic links of POSIX")
def test_that_a_link_stays_a_link(document: Document, saved: Path, tmp_path: Path) -> None:
    link = tmp_path / "link.watts"
    link.symlink_to(saved)
    changed = document.with_note("", "through the link")
    save(changed, link, saved=AT, expected=load(link).token)
    assert link.is_symlink()
    assert load(saved).document == changed


@pytest.mark.parametrize("name", ["a b.watts", "q?mode=rw&x=#1%41.watts", "ünï–🏭.watts", "-o.watts", "a'\";--.watts"])
def test_that_any_name_of_a_file_is_only_a_name(document: Document, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    save(document, path, saved=AT)
    assert load(path).document == document
    assert name in os.listdir(tmp_path)


def test_that_what_a_killed_save_left_is_swept_when_it_is_old(document: Document, saved: Path) -> None:
    old, young = (saved.parent / f".hall.watts.{n}{store.PART}" for n in ("old", "young"))
    old.touch()
    young.touch()
    os.utime(old, (1, 1))
    save(document, saved, saved=AT)
    assert not old.exists()
    assert young.exists()


_SAVER = """
import itertools, sys
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.store import save
document = Document.of(default_plan())
save(document.with_note("", "x" * 200000), sys.argv[1], saved="")
print("ready", flush=True)
for n in itertools.count():
    save(document.with_note("", str(n) * 50000), sys.argv[1], saved="")
"""


@pytest.mark.skipif(os.name == "nt", reason="SIGKILL of POSIX")
def test_that_a_program_killed_while_it_saves_leaves_a_whole_file(tmp_path: Path) -> None:
    path = tmp_path / "killed.watts"
    chance = random.Random(7)
    for _ in range(8):
        child = subprocess.Popen([sys.executable, "-c", _SAVER, str(path)], stdout=subprocess.PIPE, text=True)
        assert child.stdout is not None
        assert child.stdout.readline() == "ready\n"
        time.sleep(chance.uniform(0.0, 0.06))
        child.send_signal(signal.SIGKILL)
        child.wait()
        child.stdout.close()
        note = load(path).document.notes[0].text
        assert len(note) >= 50000


def test_that_a_name_that_is_a_folder_is_refused(document: Document, tmp_path: Path) -> None:
    with pytest.raises(ProjectFileError, match="this is a folder"):
        save(document, tmp_path, saved=AT)
    with pytest.raises(ProjectFileError, match="there is no folder"):
        save(document, tmp_path / "none" / "a.watts", saved=AT)
