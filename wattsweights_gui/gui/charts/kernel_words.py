"""This model's kernels as the roofline shows them: which stand on it, and what is said of each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from wattsweights_gui.engine import units

# how a kernel's format is called in the table of kernels -> whose peak it has
_ROOF_OF = {"FP16": "BF16", "MXFP8": "FP8", "NVFP4": "FP4"}


def roof_of(precision: str) -> str:
    """Return the name of the roof that kernels of a format run under."""
    name = precision.split("_")[0].upper()
    return _ROOF_OF.get(name, name)


@dataclass(frozen=True)
class Point:
    """One kernel as the table of kernels has it."""

    row: dict[str, Any]
    title: str
    roof: str
    intensity: float
    reached: float
    share: float


def kernel_points(table: Any) -> list[Point]:
    """Return the kernels of the table that stand on the roofline: those that compute."""
    found = []
    for cells in table.rows if table is not None and "intensity" in table.columns else ():
        row = dict(zip(table.columns, cells, strict=True))
        if row["intensity"] and row["reached"]:
            title = row["kernel"] if row["phase"] == "both" else f"{row['kernel']}, {row['phase']}"
            roof = roof_of(row["format"])
            found.append(Point(row, title, roof, row["intensity"], row["reached"], row["of_kernel_time"]))
    return found


def kernel_words(table: Any, points: list[Point]) -> list[str]:
    """Return what the sentence over the chart says of the kernels."""
    if not points:
        rows = table.rows if table is not None and table.columns == ("remark",) else ()
        return [str(row[0]) for row in rows]
    said = ["● forward, ▲ backward, ■ both; the larger, the more time. Click one, or use the arrow keys."]
    waits = sum(r["of_kernel_time"] for r in _plain(table) if not r["intensity"])
    if waits >= 0.1:
        said.insert(0, f"{units.number(waits, 2)}% of the time the GPU waits for launches.")
    return said


def _plain(table: Any) -> list[dict[str, Any]]:
    return [dict(zip(table.columns, row, strict=True)) for row in table.rows]


def in_short(point: Point) -> str:
    """Return a kernel in one line."""
    return (
        f"{point.title}: {units.text(point.reached, 'tflops')} at {units.text(point.intensity, 'flop_byte')}, "
        f"{units.number(point.share)}% of the kernels' time; {point.row['bound_by']}"
    )


def detail_of(point: Point) -> tuple[list[tuple[str, str, str]], list[tuple[str, str]]]:
    """Return the lines and notes about a kernel."""
    row = point.row
    lines = [
        ("FLOPs of a call", units.text(row["work"] / 1e12, "") + units.THIN_SPACE + "TFLOP"),
        ("HBM traffic of a call", units.text(row["traffic"], "mb")),
        ("Intensity: FLOPs / traffic", units.text(row["intensity"], "flop_byte")),
        ("Reached: FLOPs / time", units.text(row["reached"], "tflops")),
        (f"of its {point.roof} roof", f"{units.number(row['of_roof'])}{units.THIN_SPACE}%"),
        ("Time of a call", units.text(row["time"], "us")),
        ("Calls in a step", units.number(row["calls"])),
        ("Share of the kernels' time", f"{units.number(row['of_kernel_time'])}{units.THIN_SPACE}%"),
    ]
    notes = [("Bound by", row["bound_by"]), ("Would help:", row["would_help"])]
    return [(name, value, "") for name, value in lines], notes
