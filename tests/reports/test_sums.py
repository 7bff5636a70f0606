"""What is printed adds up: within a table, from one sheet to the next, and to the cover; read back from the pages."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.drawing.marks import SMALLEST_PT, Page, Text
from wattsweights_gui.drawing.paper import SIZES, paper_named
from wattsweights_gui.engine.both_ends import both_ends
from wattsweights_gui.layout.counted import evaluated_as_placed
from wattsweights_gui.project import examples, store
from wattsweights_gui.reports import build

HALL = "cover,floor_plan,rack_schedule,power_schedule,cooling_schedule"
GAP = re.compile(r"[\s\u2009\u202f\u00a0]")


@dataclass
class Number:
    """A printed number, and by how much it may be off: half of its last digit."""

    value: float
    off: float = 0.0

    @classmethod
    def of(cls, text: str) -> Number | None:
        plain = GAP.sub("", text)
        if not re.fullmatch(r"-?\d+(\.\d+)?", plain):
            return None
        digits = len(plain.partition(".")[2])
        return cls(float(plain), 0.5 * 10.0**-digits if digits or len(plain) < 4 else 5.0)

    def __add__(self, other: Number) -> Number:
        return Number(self.value + other.value, self.off + other.off)

    def __mul__(self, count: Number) -> Number:
        return Number(self.value * count.value, self.off * count.value)

    def agrees(self, other: Number) -> bool:
        return abs(self.value - other.value) <= self.off + other.off + 1e-6


@dataclass
class Printed:
    """A table as it stands on paper: rows of cells by the heads of their columns."""

    heads: dict[tuple[str, float], str] = field(default_factory=dict)
    rows: list[dict[str, str]] = field(default_factory=list)

    def numbers(self, head: str, rows: list[dict[str, str]]) -> list[Number]:
        found = [Number.of(row.get(head, "")) for row in rows]
        return [number for number in found if number is not None]

    def sum(self, head: str, rows: list[dict[str, str]]) -> Number:
        return sum(self.numbers(head, rows), Number(0.0))

    @property
    def parts(self) -> list[dict[str, str]]:
        """All rows but the sum."""
        return [row for row in self.rows if not self.first(row).startswith("All")]

    @property
    def whole(self) -> dict[str, str]:
        """The sum."""
        return next(row for row in self.rows if self.first(row).startswith("All"))

    def of(self, head: str) -> Number:
        found = Number.of(self.whole[head])
        assert found is not None, (head, self.whole)
        return found

    @staticmethod
    def first(row: dict[str, str]) -> str:
        return next(iter(row.values()))


def printed(pages: list[Page], sheet: str, title: str) -> Printed:
    """Read a table of a sheet, over all pages that it goes over."""
    table = Printed()
    for page in (p for p in pages if p.sheet == sheet):
        lines = list(_lines(page, title))
        for heads, cells in lines:
            for text in heads:
                key = (text.align, round(text.x, 2))
                known = table.heads.get(key, "")
                if text.bold and text.text not in known:
                    table.heads[key] = f"{known} {text.text}".strip()
            if any(c.align == "right" for c in cells):  # else the rest of a text that goes over two lines
                row: dict[str, str] = {}
                for c in cells:
                    row.setdefault(table.heads[(c.align, round(c.x, 2))], c.text)  # kW stands before BTU/h
                table.rows.append(row)
    assert table.rows, f"no table “{title}” on {sheet}"
    return table


def _lines(page: Page, title: str) -> Iterator[tuple[list[Text], list[Text]]]:
    """Yield heads and cells line by line, between the title of a table and what follows the table."""
    ys: dict[float, list[Text]] = {}
    bottom = next(p.bottom for p in map(paper_named, SIZES) if (p.width, p.height) == (page.width, page.height))
    for text in page.texts():
        if text.text and not text.angle and text.y < bottom:
            ys.setdefault(round(text.y, 2), []).append(text)
    inside = heading = False
    for y in sorted(ys):
        texts = sorted(ys[y], key=lambda t: t.x)
        alone = texts[0].text
        if len(texts) == 1 and (alone in (title, f"{title}, continued") or re.fullmatch(f"{title}: .*", alone)):
            inside = heading = True
            continue
        if not inside:
            continue
        title_of_next = texts[0].bold and texts[0].size > SMALLEST_PT
        note = not heading and texts[0].size == SMALLEST_PT and texts[0].ink == "quiet"
        if len(texts) == 1 and (title_of_next or note):
            return
        if heading and all(t.size == SMALLEST_PT and (t.bold or t.ink == "quiet") for t in texts):
            yield texts, []
        else:
            heading = False
            yield [], texts


def pages_of(name: str, paper: str, units: str, edits: tuple[tuple[str, object], ...] = ()) -> list[Page]:
    document = store.load(next(e.path for e in examples.examples() if e.name == name)).document
    plan = document.plan.edit(*edits) if edits else document.plan
    evaluation = evaluated_as_placed(plan, catalog(), document.placements)
    ends = both_ends(evaluation)
    return build(evaluation, ends, units=units, paper=paper, sheets=HALL, placements=document.placements)  # type: ignore[arg-type]


CASES = {
    "1t": ("1t-30-days", "A4", "si", ()),
    "512": ("512-against-256", "Letter", "us", ()),
    "llama": ("llama-405b-16k", "A4", "si", ()),
    "moe": ("moe-nvl72", "A3", "si", ()),
    "moe US": ("moe-nvl72", "Tabloid", "us", ()),
    "two-phase": ("two-phase-8mw", "A4", "si", ()),
    "3N/2": ("two-phase-8mw", "A4", "si", (("power.scheme", "3n_2"), ("power.feeds_per_rack", 5))),
    "one side": ("two-phase-8mw", "A4", "us", (("power.scheme", "n"), ("power.feeds_per_rack", 1))),
}


@pytest.fixture(scope="module", params=CASES)
def pages(request: pytest.FixtureRequest) -> list[Page]:
    return pages_of(*CASES[request.param])


def test_that_draws_of_racks_add_up_on_every_sheet_and_the_cover(pages: list[Page]) -> None:
    racks = printed(pages, "rack_schedule", "Racks")
    circuits = printed(pages, "power_schedule", "Feeds")
    rows = printed(pages, "power_schedule", "Rows")
    floor = printed(pages, "floor_plan", "Rows")
    whole = racks.of("Draw of all")
    for table, head in ((racks, "Draw of all"), (rows, "Connected"), (floor, "Connected")):
        assert table.sum(head, table.parts).agrees(table.of(head)), head
        assert table.of(head).agrees(whole)
    each = [
        kw * count
        for kw, count in zip(
            circuits.numbers("Connected", circuits.parts), circuits.numbers("Circuits", circuits.parts), strict=True
        )
    ]
    assert sum(each, Number(0.0)).agrees(whole)
    assert circuits.of("Connected").agrees(whole)
    sides = [head for head in rows.heads.values() if re.fullmatch("Side [ABC]", head)]
    assert sum((rows.of(side) for side in sides), Number(0.0)).agrees(whole)
    sums = {Printed.first(row): row for row in printed(pages, "cover", "Sums against the plan").rows}
    cover = Number.of(sums["Connected"]["All racks"])
    assert cover is not None
    assert cover.agrees(whole)
    assert racks.sum("Count", racks.parts).value == Number.of(sums["Racks"]["All racks"]).value  # type: ignore[union-attr]


def test_that_heat_is_the_draw_and_splits_into_liquid_and_air(pages: list[Page]) -> None:
    racks, cooling = printed(pages, "rack_schedule", "Racks"), printed(pages, "cooling_schedule", "Racks")
    draw, liquid, air = (racks.of(head) for head in ("Draw of all", "Liquid, all", "Air, all"))
    assert (liquid + air).agrees(draw)
    for table in (racks, cooling):
        for head, whole in (("Liquid, all", liquid), ("Air, all", air)):
            assert table.sum(head, table.parts).agrees(whole)
            assert table.of(head).agrees(whole)
    for row in cooling.parts:
        each, wet, dry = (Number.of(row[f"{head} of each"]) for head in ("Heat", "Liquid", "Air"))
        assert each is not None
        assert wet is not None
        assert dry is not None
        assert (wet + dry).agrees(each), row
    sums = {Printed.first(row): row for row in printed(pages, "cover", "Sums against the plan").rows}
    for head, whole in (("Heat to liquid", liquid), ("Heat to air", air)):
        assert Number.of(sums[head]["All racks"]).agrees(whole)  # type: ignore[union-attr]


def test_that_coolant_of_the_racks_is_that_of_the_cdus(pages: list[Page]) -> None:
    racks = printed(pages, "cooling_schedule", "Racks")
    flow = Number.of(racks.whole.get("Flow of each", ""))
    if flow is None:
        assert racks.of("Liquid, all").value == 0
        return
    each = [kw * n for kw, n in zip(
        racks.numbers("Flow of each", [r for r in racks.parts if Number.of(r.get("Flow of each", ""))]),
        racks.numbers("Count", [r for r in racks.parts if Number.of(r.get("Flow of each", ""))]), strict=True)]  # fmt: skip
    assert sum(each, Number(0.0)).agrees(flow)
    cdus = printed(pages, "cooling_schedule", "CDUs")
    heat = Number(0.0)
    through = Number(0.0)
    for row in cdus.parts:
        count, kw, l_min = (Number.of(row[h]) for h in ("Count", "Heat of each, all run", "Coolant of each"))
        assert count is not None
        assert kw is not None
        assert l_min is not None
        heat, through = heat + kw * count, through + l_min * count
    assert heat.agrees(racks.of("Liquid, all"))
    assert cdus.of("Heat of each, all run").agrees(racks.of("Liquid, all"))
    assert through.agrees(flow)


def test_that_the_sums_agree_with_the_plan_but_for_what_is_named(pages: list[Page]) -> None:
    for row in printed(pages, "cover", "Sums against the plan").rows:
        assert row["Verdict"] == "agrees", row
        beside = sum(
            float(GAP.sub("", n)) for n in re.findall(r"\+ ([\d.\s\u2009\u202f]+)", row.get("Beside the racks", ""))
        )
        racks, plan = Number.of(row["All racks"]), Number.of(row["Plan"])
        assert racks is not None
        assert plan is not None
        assert (racks + Number(beside, 0.05)).agrees(plan)
