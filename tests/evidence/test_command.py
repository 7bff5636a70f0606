"""The sub-command evidence: what it lists of the tables that ship and of files of strangers, and what it refuses."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from wattsweights_gui import paths
from wattsweights_gui.cli.evidence_command import evidence
from wattsweights_gui.exchange import evidence_file

GOLDEN = json.loads(paths.resource("evidence", "training_golden.json").read_text(encoding="utf-8"))
TUNED = next(row for row in GOLDEN["rows"] if row["source_id"] == "megascale_table2")


def _call(*given: str) -> Any:
    return CliRunner().invoke(evidence, list(given))


@pytest.fixture
def written(tmp_path: Path) -> Any:
    """Write a document that does not ship."""

    def write(document: Any) -> str:
        path = tmp_path / "mine.json"
        path.write_text(document if isinstance(document, str) else json.dumps(document), encoding="utf-8")
        return str(path)

    return write


def test_that_the_shipped_tables_are_all_compared_and_named_in_the_json() -> None:
    found = json.loads(_call("--json").stdout)
    assert {"dense_ampere", "dense_newer", "moe", "long_context", "memory_dense", "memory_moe"} <= found[
        "classes"
    ].keys()
    assert {"facility", "fabric", "storage", "parameters"} <= found["classes"].keys()
    assert sum(c["rows"] for c in found["classes"].values()) == sum(row["judged"] for row in found["rows"])
    assert len({row["id"] for row in found["rows"]}) == len(found["rows"])


def test_that_a_file_that_does_not_ship_is_predicted_like_those_that_do(written: Any) -> None:
    row = {**copy.deepcopy(TUNED), "id": "ours", "source_id": "our_cluster", "source": "container 26.04"}
    found = json.loads(_call(written({"rows": [row]}), "--json").stdout)
    (listed,) = found["rows"]
    quantity = next(iter(q for q in ("step_time_s", "tokens_per_s_per_gpu", "mfu_pct") if q in row["measured"]))
    assert listed["id"] == f"ours.{quantity}"
    assert (listed["table"], listed["software"]) == ("our_cluster", "container 26.04")
    assert listed["predicted"] > 0
    assert found["summary"]["our_cluster"]["rows"] == 1


def test_that_the_text_says_of_each_row_what_was_assumed_and_sums_up_by_table_and_class(written: Any) -> None:
    row = {**copy.deepcopy(TUNED), "micro_batch": None}
    said = _call(written({"rows": [row]})).stdout
    assert "assumed: " in said
    assert "the fastest micro batch that fits" in said
    assert f"\n{row['source_id']} " in said
    assert "Time, dense on A100" in said
    assert "mean error" in said


def test_that_the_summary_alone_lists_no_rows(written: Any) -> None:
    said = _call(written({"rows": [TUNED]}), "--no-rows").stdout
    assert TUNED["id"] not in said
    assert TUNED["source_id"] in said


@pytest.mark.parametrize(
    ("document", "says"),
    [
        ("not json", "this is no JSON"),
        ("[1]", "has to be a JSON object"),
        ({"neither": 1}, "it needs “rows”"),
        ({"layer": "astrology", "rows": []}, "of “astrology”"),
        ({"models": 5}, "“models” has to be a list of objects"),
        ({"rows": [{"id": "a", "measured": {}}, None]}, "number 2 of 2 is none"),
    ],
)
def test_that_what_is_no_evidence_is_refused_with_its_name_and_one_sentence(
    written: Any, document: Any, says: str
) -> None:
    path = written(document)
    done = _call(path)
    assert done.exit_code == 2
    assert says in done.stderr
    assert path in done.stderr
    assert not done.stdout


def test_that_a_file_that_is_not_there_is_said_to_be_missing(tmp_path: Path) -> None:
    done = _call(str(tmp_path / "none.json"))
    assert done.exit_code == 2
    assert "there is no such file" in done.stderr


def test_that_a_folder_and_a_huge_file_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(evidence_file.UnreadableEvidenceError, match=str(tmp_path)):
        evidence_file.read(tmp_path)
    path = tmp_path / "large.json"
    path.write_text(json.dumps({"rows": []}), encoding="utf-8")
    monkeypatch.setattr(evidence_file, "MAX_BYTES", 3)
    with pytest.raises(evidence_file.UnreadableEvidenceError, match="too large"):
        evidence_file.read(path)


def test_that_deep_nesting_is_no_crash(tmp_path: Path) -> None:
    path = tmp_path / "deep.json"
    path.write_text("[" * 100_000, encoding="utf-8")
    with pytest.raises(evidence_file.UnreadableEvidenceError, match="no JSON"):
        evidence_file.read(path)
