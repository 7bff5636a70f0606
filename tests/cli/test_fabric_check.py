"""Cables as built against the plan on the command line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

SAMPLES = Path(__file__).parents[1] / "exchange" / "samples"
PLAN = SAMPLES / "fabric_sample_h100_8n.plan.csv"
LOGS = [SAMPLES / f"fabric_sample_h100_8n.ibnetdiscover{form}.txt" for form in ("", "-p")]
KEYS = ("kind", "planned", "planned_speed", "found_speed")


def _key(finding: dict[str, Any]) -> tuple[Any, ...]:
    return tuple(finding.get(key) or () for key in KEYS)


@pytest.mark.parametrize("log", LOGS, ids=["blocks", "flat"])
def test_that_the_sample_gives_exactly_the_listed_findings(call: Any, log: Path) -> None:
    listed = json.loads((SAMPLES / "fabric_sample_h100_8n.findings.json").read_text(encoding="utf-8"))
    said = json.loads(call("fabric-check", PLAN, log, "--json").stdout)
    assert (said["plan_cables"], said["built_cables"]) == (listed["plan_cables"], listed["built_cables"])
    assert sorted(map(_key, said["findings"])) == sorted(map(_key, listed["findings"]))


def test_that_findings_are_sentences(call: Any) -> None:
    said = call("fabric-check", PLAN, LOGS[0]).stdout
    assert "2 wrong peer, 2 missing, 2 wrong speed, 1 extra." in said
    assert "leaf-4 port 57 to spine-4 port 25 runs at 2xNDR, planned is 4xNDR." in said


def _log(folder: Path, rows: list[dict[str, str]]) -> Path:
    """Write a project's cables as ibnetdiscover -p prints them, with the adapters' names of a host."""
    lines = []
    for number, row in enumerate(rows):
        node = row["a_port"].startswith("rail ")
        port = 1 if node else int(row["a_port"])
        name = f"{row['a_device']} mlx5_{int(row['a_port'].split()[1]) + 2}" if node else f"MF0;{row['a_device']}:Q/U1"
        lines.append(
            f"{'CA' if node else 'SW'} 1 {port} 0x{number:x} 4x NDR - SW 2 {row['b_port']} 0x1f "
            f"( '{name}' - 'MF0;{row['b_device']}:Q/U1' )"
        )
    log = folder / "built.txt"
    log.write_text("\n".join(lines), encoding="utf-8")
    return log


@pytest.fixture
def hall(call: Any, tmp_path: Path) -> tuple[Path, list[dict[str, str]]]:
    import csv

    file, out = tmp_path / "hall.watts", tmp_path / "cables.csv"
    assert call("new", file, "--example", "512-against-256").exit_code == 0
    assert call("export", file, "--to", "cables-csv", "-o", out).exit_code == 0
    return file, list(csv.DictReader(out.read_text(encoding="utf-8").splitlines()))


def test_that_a_project_built_as_planned_has_no_findings(call: Any, tmp_path: Path, hall: Any) -> None:
    file, rows = hall
    said = json.loads(call("fabric-check", file, _log(tmp_path, rows), "--json").stdout)
    assert (said["plan_cables"], said["built_cables"], said["findings"]) == (1024, 1024, [])


def test_that_crossed_rails_and_a_lost_cable_of_a_project_are_found_though_adapters_are_named_otherwise(
    call: Any, tmp_path: Path, hall: Any
) -> None:
    file, rows = hall
    one, other = (next(r for r in rows if (r["a_device"], r["a_port"]) == ("node-003", f"rail {n}")) for n in (5, 6))
    for key in ("b_device", "b_port"):
        one[key], other[key] = other[key], one[key]
    lost = rows.pop()
    said = json.loads(call("fabric-check", file, _log(tmp_path, rows), "--json").stdout)["findings"]
    assert [(f["kind"], f["planned"][:2]) for f in said] == [
        ("wrong_peer", ["node-003", "rail 5"]),
        ("wrong_peer", ["node-003", "rail 6"]),
        ("missing", [lost["a_device"], lost["a_port"]]),
    ]
    assert said[0]["note"] == "two rails of one node crossed"


def test_that_a_log_of_other_devices_is_refused_with_what_would_be_right(call: Any, hall: Any) -> None:
    done = call("fabric-check", hall[0], LOGS[0])
    assert done.exit_code == 2
    assert "Of 20 devices that were built the plan knows" in done.stderr
    assert "dgx-01" in done.stderr


@pytest.mark.parametrize("text", ["", "a shopping list\n", "a_device,a_port\n"])
def test_that_what_is_no_log_is_refused(call: Any, tmp_path: Path, text: str) -> None:
    log = tmp_path / "log.txt"
    log.write_text(text, encoding="utf-8")
    done = call("fabric-check", PLAN, log)
    assert done.exit_code == 2
    assert "ibnetdiscover" in done.stderr
