"""The sheets of a hall: what they say of the racks, that their sums are one truth, and that they can be read."""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest
from openpyxl import load_workbook
from pypdf import PdfReader

from wattsweights_gui import reports
from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.drawing.marks import Page, Rect
from wattsweights_gui.drawing.paper import SIZES
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.engine.chain import Evaluation, evaluate
from wattsweights_gui.engine.plan import default_plan
from wattsweights_gui.layout.edits import Edited, delete, rename
from wattsweights_gui.layout.floor_moves import move_racks
from wattsweights_gui.layout.from_plan import fill_from_plan
from wattsweights_gui.layout.placements import EMPTY, Placements
from wattsweights_gui.layout.rack_edits import rename_rack
from wattsweights_gui.project.examples import example
from wattsweights_gui.reports import schedules, to_csv, to_pdf, to_xlsx
from wattsweights_gui.reports.cells import Grid
from wattsweights_gui.reports.hall_tables import fixed
from wattsweights_gui.reports.placed import Placed, name_ranges, placed_of
from wattsweights_gui.reports.placed_grids import placed_grids

HALL = ("floor_plan", "elevations", "rack_schedule", "power_schedule", "cooling_schedule", "bill_of_materials")
CASES: dict[str, tuple[tuple[str, Any], ...]] = {
    "air": (("cooling.technology", "air"), ("cooling.technology.rack_limit_kw", 60.0)),
    "single_phase": (("cooling.technology", "single_phase"), ("floor.cdu_place", "in_row")),
    "two_phase": (("cooling.technology", "two_phase"), ("floor.keep_outs", "Column 1: 4, 2.4, 0.5, 0.5")),
    "rear_door": (("cooling.technology", "rear_door"),),
}


def _evaluated(*edits: tuple[str, Any]) -> Evaluation:
    return evaluate(
        default_plan(
            [
                ("project.project", "Hall 7"),
                ("project.customer", "Northwind Labs"),
                ("project.author", "R. Architect"),
                ("project.checked", "C. Checker"),
                *edits,
            ]
        ),
        catalog(),
    )


@pytest.fixture(scope="module", params=list(CASES))
def plan(request: Any) -> Evaluation:
    return _evaluated(*CASES[request.param])


@pytest.fixture(scope="module")
def air() -> Evaluation:
    return _evaluated(*CASES["air"])


@pytest.fixture(scope="module")
def filled(air: Evaluation) -> Placements:
    placed = placed_of(air)
    return fill_from_plan(EMPTY, placed.hall, placed.wanted).placements


def _built(plan: Evaluation, sheets: Iterable[str] = HALL, **more: Any) -> list[Page]:
    return reports.build(plan, both_ends(plan), sheets=sheets, printed="2026-01-31", **more)


def _text(pages: list[Page]) -> str:
    read = PdfReader(io.BytesIO(to_pdf.to_bytes(pages)))
    return re.sub(r"\s+", " ", " ".join(p.extract_text() for p in read.pages).replace("\u2009", " "))


def _grid(placed: Placed, name: str) -> Grid:
    return next(g for g in placed_grids(placed) if g.name == name)


def _sum(grid: Grid, head: str) -> float:
    at = grid.head.index(head)
    return sum(float(row[at] or 0.0) for row in grid.rows)  # type: ignore[arg-type]


@pytest.mark.parametrize("paper", list(SIZES))
@pytest.mark.parametrize("system", ["si", "us"])
def test_that_nothing_is_clipped_or_overlaps_on_any_paper_in_any_units(
    plan: Evaluation, paper: str, system: Any, clear: Callable[[Page], None]
) -> None:
    pages = _built(plan, ("cover", *HALL), paper=paper, units=system)
    for page in pages:
        clear(page)
        frame = next(m for m in page.marks if isinstance(m, Rect))
        for mark in page.marks:
            if isinstance(mark, Rect) and mark is not frame:
                assert frame.x - 1e-6 <= mark.x, page.title
                assert mark.x + mark.width <= frame.x + frame.width + 1e-6, page.title
                assert mark.y + mark.height <= frame.y + frame.height + 1e-6, page.title


def test_that_sheets_made_before_anything_is_placed_say_so(air: Evaluation, filled: Placements) -> None:
    for sheet in HALL:
        assert "Nothing is placed yet" in _text(_built(air, [sheet])), sheet
        assert "Nothing is placed yet" not in _text(_built(air, [sheet], placements=filled)), sheet


def test_that_sheets_are_those_of_the_placed_racks_and_say_where_they_do_not_agree(
    air: Evaluation, filled: Placements
) -> None:
    assert "The racks agree with the plan." in _text(_built(air, ["rack_schedule"], placements=filled))
    node = filled.inside(filled.racks[0].id)[0]
    less = delete(filled, [node.id])
    assert isinstance(less, Edited)
    for sheet in HALL:
        assert "Does not agree" in _text(_built(air, [sheet], placements=less.placements)), sheet
    placed = placed_of(air, less.placements)
    connected = next(a for a in placed.agreements if a.title == "Connected")
    kind = placed.hall.type_of(node.entry)
    assert kind is not None
    assert connected.agrees is False
    assert connected.difference == pytest.approx(-kind.power_kw.number)
    assert "DIFFERS" in _text(_built(air, ["power_schedule"], placements=less.placements))


def test_that_sums_are_the_same_in_every_schedule_and_are_those_of_the_layers(plan: Evaluation) -> None:
    placed = placed_of(plan)
    racks, whole = _grid(placed, "Rack schedule"), placed.total
    for grid, head, value in (
        ("Rack schedule", "Connected (kW)", whole.power_kw),
        ("Floor rows", "Connected (kW)", whole.power_kw),
        ("Power schedule", "Connected (kW)", whole.power_kw),
        ("Cooling schedule", "Heat (kW)", whole.power_kw),
        ("Bill of materials", "Draw of all (kW)", whole.power_kw),
        ("Rack schedule", "Mass (kg)", whole.mass_kg),
        ("Floor rows", "Mass (kg)", whole.mass_kg),
        ("Bill of materials", "Mass of all (kg)", whole.mass_kg),
        ("Rack schedule", "Liquid (kW)", whole.liquid_kw),
        ("Floor rows", "Liquid (kW)", whole.liquid_kw),
        ("Cooling schedule", "Liquid (kW)", whole.liquid_kw),
        ("Cooling schedule", "Air (kW)", whole.air_kw),
    ):
        assert _sum(_grid(placed, grid), head) == pytest.approx(value, rel=1e-9), (grid, head)
    cdus = _grid(placed, "CDU schedule")
    if cdus.rows:
        assert _sum(cdus, "Heat, all run (kW)") == pytest.approx(whole.liquid_kw, rel=1e-9)
    assert len(racks.rows) == plan.results["floor"].racks.number
    for agreement in placed.agreements:
        assert agreement.agrees, (agreement.title, agreement.difference)


def test_that_the_feeds_of_a_rack_carry_it_and_what_stays_carries_it_alone(air: Evaluation) -> None:
    placed = placed_of(air)
    circuit = schedules.circuit_of(placed)
    for rack in placed.placements.racks:
        lines = list(schedules.feed_lines(placed, rack.id, circuit))
        load = placed.loads[rack.id].power_kw
        assert sum(line.connected_kw * len(line.feeds) for line in lines) == pytest.approx(load)
        for line in lines:
            assert line.failover_kw is not None
            assert line.failover_kw * placed.hall.feeds_left == pytest.approx(load)
            assert line.of_usable_pct == pytest.approx(100 * line.failover_kw / (line.usable_kw or 0.0))
    expected = sum(schedules.expected_kw(placed, r.id) for r in placed.placements.racks)
    management = air.plan.inputs("power").fig("management_kw").number
    assert expected + management == pytest.approx(air.results["power"].it_power_kw.number, rel=1e-6)


def test_that_the_same_total_is_printed_on_every_sheet_that_has_it(air: Evaluation, filled: Placements) -> None:
    placed = placed_of(air, filled)
    said = fixed(placed.total.power_kw, "kw", "si").replace("\u2009", " ")
    for sheet in ("cover", "floor_plan", "rack_schedule", "power_schedule", "bill_of_materials"):
        assert said in _text(_built(air, [sheet], placements=filled)), sheet


def test_that_an_elevation_has_names_units_kw_and_kg_at_the_front_and_the_rear(
    air: Evaluation, filled: Placements
) -> None:
    renamed = rename(filled, filled.inside(filled.racks[0].id)[0].id, "east-4")
    assert isinstance(renamed, Edited)
    pages = _built(air, ["elevations"], placements=renamed.placements)
    text = _text(pages)
    assert "east-4, back" in text
    first = {t.text for t in pages[0].texts()}
    assert {"FRONT", "REAR", "1", "48", filled.racks[0].name} <= first
    load = placed_of(air, renamed.placements).loads[filled.racks[0].id]
    assert any(
        f"of {load.height_u} U" in t and "kW" in t and "kg" in t for t in (s.replace("\u2009", " ") for s in first)
    )
    shown = [r.name for r in filled.racks]
    assert all(name in text for name in shown), "every rack of a small hall is drawn"
    assert "A folded corner" in _text(pages[-1:])


def test_that_the_floor_plan_is_to_scale_and_the_title_block_says_which(air: Evaluation, filled: Placements) -> None:
    for paper, system, scale in (("A3", "si", r"^1:(\d+)$"), ("Tabloid", "us", r"in = \d+ ft")):
        page = _built(air, ["floor_plan"], placements=filled, paper=paper, units=system)[0]
        texts = [t.text for t in page.texts()]
        said = texts[texts.index("Scale") + 1]
        found = re.search(scale, said)
        assert found, said
        if system == "si":
            ratio = float(found[1])
            rack = filled.racks[0]
            drawn = [m for m in page.marks if isinstance(m, Rect) and m.fill == "white"]
            assert any(
                m.width == pytest.approx(rack.width_mm / ratio) and m.height == pytest.approx(rack.depth_mm / ratio)
                for m in drawn
            )
        assert all(r.name in texts for r in filled.racks)


def test_that_a_moved_rack_is_drawn_where_it_stands_and_is_named_as_moved(air: Evaluation, filled: Placements) -> None:
    floor = placed_of(air, filled).floor
    moved = move_racks(filled, floor, [filled.racks[0].id], 0.0, 20_000.0)
    assert isinstance(moved, Edited)
    text = _text(_built(air, ["floor_plan", "power_schedule"], placements=moved.placements))
    assert text.count(f"moved {filled.racks[0].name}") == 1
    after = placed_of(air, moved.placements)
    assert after.total == placed_of(air, filled).total


def test_that_16384_gpus_are_drawn_once_for_equal_racks_and_every_rack_is_named() -> None:
    plan = evaluate(example("llama-405b-16k").document.plan, catalog())
    placed = placed_of(plan)
    assert placed.total.power_kw > 0
    assert plan.results["cluster"].gpus.number >= 16384
    pages = _built(plan)
    assert len(pages) < 60
    assert len(placed.placements.racks) > 1024
    elevations = [p for p in pages if p.sheet == "elevations"]
    assert len(elevations) <= (len(placed.classes) + 1) // 2
    schedule = _text([p for p in pages if p.sheet == "rack_schedule"])
    assert name_ranges(r.name for r in placed.classes[0].racks).replace("\u00a0", " ") in schedule
    named = " ".join(cls.names for cls in placed.classes)
    assert _spelt_out(named) == {r.name for r in placed.placements.racks}
    drawn = {t.text for p in pages if p.sheet == "floor_plan" for t in p.texts()}
    assert {r.name for r in placed.placements.racks} <= drawn, "the parts of the floor plan name every rack"
    assert "continued" in _text([p for p in pages if p.sheet == "floor_plan"])


def _spelt_out(names: str) -> set[str]:
    found: set[str] = set()
    for part in re.split(r", | (?=[A-Z])", names):
        first, _, last = part.partition("\u00a0to\u00a0")
        if not last:
            found.add(first)
            continue
        letter, start = first[0], int(first[1:])
        found |= {f"{letter}{n:0{len(first) - 1}d}" for n in range(start, int(last[1:]) + 1)}
    return found


def test_that_a_table_that_breaks_repeats_its_head() -> None:
    plan = _evaluated(*CASES["air"], ("floor.racks_per_row", 1))
    pages = [p for p in _built(plan, ["floor_plan"]) if any(t.text == "PDUs" for t in p.texts())]
    assert len(pages) > 1
    for page in pages:
        assert {"Row", "Racks", "Connected", "kW"} <= {t.text for t in page.texts()}


def test_that_the_cover_lists_the_sheets_with_their_pages(air: Evaluation) -> None:
    pages = _built(air, ("cover", *HALL))
    cover = _text([p for p in pages if p.sheet == "cover"])
    for sheet in HALL:
        numbers = [p.number for p in pages if p.sheet == sheet]
        said = f"{numbers[0]}" if len(numbers) == 1 else f"{numbers[0]} to {numbers[-1]}"
        assert f"{reports.SHEETS[sheet]} {said}" in cover
    assert "Approved by the facility" in cover


def test_that_what_is_not_known_is_a_dash_with_its_reason(air: Evaluation) -> None:
    text = _text(_built(air, ["cooling_schedule"]))
    assert "no coolant loop with air" in text
    assert "No CDUs: this cooling has none." in text


@pytest.mark.parametrize("system", ["si", "us"])
def test_that_units_are_in_the_heads(air: Evaluation, system: Any) -> None:
    text = _text(_built(air, HALL, units=system))
    assert ("lb/ft²" in text) == (system == "us")
    assert ("kg/m²" in text) == (system == "si")


NASTY = ["=1+1", "+1", "-1+2", "@SUM(A1)"]


@pytest.mark.parametrize("name", NASTY)
def test_that_no_name_of_a_rack_or_device_is_run_as_a_formula(air: Evaluation, filled: Placements, name: str) -> None:
    rack = filled.racks[0]
    named = rename_rack(filled, rack.id, name)
    assert isinstance(named, Edited)
    device = rename(named.placements, named.placements.inside(rack.id)[0].id, f"{name} node")
    assert isinstance(device, Edited)
    placed = placed_of(air, device.placements)
    for grid in placed_grids(placed):
        for line in to_csv.text_of(grid).splitlines():
            assert not re.search(r"(^|,)\"?[=+@]", line), line
    book = load_workbook(io.BytesIO(to_xlsx.to_bytes(air, both_ends(air), placements=device.placements)))
    cells = [c for sheet in book for row in sheet.iter_rows() for c in row]
    found = [c for c in cells if c.value in (name, f"{name} node")]
    assert found
    assert all(c.data_type == "s" for c in found)


def test_that_the_workbook_has_a_line_for_every_rack_device_and_circuit(air: Evaluation, filled: Placements) -> None:
    book = load_workbook(io.BytesIO(to_xlsx.to_bytes(air, both_ends(air), placements=filled)))
    feeds = air.plan.value("power.feeds_per_rack")
    for tab, count in (
        ("Rack schedule", len(filled.racks)),
        ("Rack elevations", filled.count),
        ("Power schedule", len(filled.racks) * feeds),
        ("Cooling schedule", len(filled.racks)),
    ):
        assert book[tab].max_row == count + 1, tab


def test_that_csv_files_hold_the_tables_of_the_hall(air: Evaluation, filled: Placements, tmp_path: Any) -> None:
    written = to_csv.write(air, both_ends(air), tmp_path / "hall.csv", "us", filled)
    names = {p.name for p in written}
    assert {"hall-rack-schedule.csv", "hall-power-schedule.csv", "hall-bill-of-materials.csv"} <= names
    head = (tmp_path / "hall-rack-schedule.csv").read_text(encoding="utf-8-sig").splitlines()[0]
    assert "Mass (lb)" in head


def test_that_runs_of_names_are_shortened_and_none_is_lost() -> None:
    assert name_ranges(["C001", "C002", "C003", "N9", "x"]) == "C001\u00a0to\u00a0C003, N9, x"
    assert name_ranges(["C998", "C999", "C1000"]) == "C998\u00a0to\u00a0C1000"
    assert name_ranges(["a1", "a2"]) == "a1, a2"


def test_that_a_hall_without_racks_says_so(air: Evaluation) -> None:
    nothing = replace(placed_of(air), placements=EMPTY, loads={})
    from wattsweights_gui.drawing.paper import paper_named
    from wattsweights_gui.reports import rack_sheet

    flow = rack_sheet.rack_sheet(nothing, paper_named("A4"))
    assert len(flow.pages) == 1
