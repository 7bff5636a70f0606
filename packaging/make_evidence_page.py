"""Writes resources/help/evidence.md: how far off the program is, and the fitted constants.

Developers only (the rows left out of the fit need scipy, and some minutes). Run from the root of a checkout:

    python packaging/make_evidence_page.py                  # fits four times, and writes the page
    python packaging/make_evidence_page.py --left-out FILE  # the same, of a kept output of fit_training.py --leave
    python packaging/make_evidence_page.py --keep           # where no constant changed: keeps the rows left out
"""

from __future__ import annotations

import argparse
import re
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import units
from wattsweights_gui.engine.evidence import EvidenceReport, Summary, report
from wattsweights_gui.engine.evidence.classes import CLASSES
from wattsweights_gui.exchange import evidence_file

ROOT = Path(__file__).resolve().parent.parent
PAGE = ROOT / "resources/help/evidence.md"
FIT = ROOT / "packaging/fit_training.py"
LEFT_OUT = re.compile(r"^not fitted: (class )?(\S+)\s+mean abs\s+([\d.]+)%\s+bias\s+([+-][\d.]+)%$", re.MULTILINE)
CONSTANTS = "## Fitted constants"
NOT_FITTED = "## Rows that were not fitted"
HEAD = ("rows", "median", "mean", "90th percentile", "bias", "lowest", "highest", "failed")
WHOLE = "wattsweights evidence --no-rows"
CHECK = "python -m pytest tests/evidence/test_page.py"


def percent(value: float | None) -> str:
    """Return an error as the page prints it: one digit after the point, two below one per cent; only nought is “0”."""
    if value is None:
        return "–"
    if value == 0:
        return "0"
    return f"{value:.2f}".replace("-0.00", "0.00") if abs(value) < 1 else f"{value:.1f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """Return a Markdown table; columns of numbers stand right-aligned."""
    listed = [tuple(row) for row in rows]
    numbers = [all(re.fullmatch(r"[-+]?[\d.]+|–", row[n]) for row in listed) for n in range(len(head))]
    lines = ["| " + " | ".join(head) + " |", "| " + " | ".join("---:" if right else "---" for right in numbers) + " |"]
    return [*lines, *("| " + " | ".join(row) + " |" for row in listed)]


def figures(summary: Summary) -> tuple[str, ...]:
    """Return the cells of a summary."""
    sizes = (
        summary.median_abs_error_pct,
        summary.mean_abs_error_pct,
        summary.p90_abs_error_pct,
        summary.bias_pct,
        summary.lowest_error_pct,
        summary.highest_error_pct,
    )
    return str(summary.rows), *map(percent, sizes), str(summary.failed)


def command(words: str) -> str:
    """Return the sentence that says how a section is made again."""
    return f"Reproduce with `{words}`."


def shipped() -> dict[str, EvidenceReport]:
    """Return the report of each shipped file that has a prediction, by the file's path in the checkout."""
    found: dict[str, EvidenceReport] = {}
    for path in evidence_file.shipped():
        made = report([evidence_file.read(path)], catalog())
        if any(row.predicted is not None for row in made.rows):
            found[path.relative_to(ROOT).as_posix()] = made
    return found


def classes_section(made: dict[str, EvidenceReport]) -> list[str]:
    """Return the errors by class, with what is aimed at."""
    together = EvidenceReport(tuple(row for one in made.values() for row in one.rows))
    rows = []
    for kind, summary in together.classes().items():
        aim = CLASSES[kind].aim_pct
        rows.append((CLASSES[kind].title, *figures(summary), "–" if aim is None else f"{aim:g}"))
    return [
        "## By class",
        "",
        "Errors in per cent of the published value. Those of training are errors of time: a throughput that is",
        "predicted too low counts as a time too long. “Mean” is the mean absolute error; “aim” is what it is meant to",
        "stay within.",
        "",
        *table(("class", *HEAD, "aim"), rows),
        "",
        command(WHOLE),
        "",
    ]


def tables_section(path: str, made: EvidenceReport) -> list[str]:
    """Return the errors of a file by table."""
    return [
        f"### `{path}`",
        "",
        *table(("table", *HEAD), ((name, *figures(summary)) for name, summary in made.summary().items())),
        "",
        command(f"wattsweights evidence --no-rows {path}"),
        "",
    ]


def symbol(code: str | None) -> str:
    """Return what stands for a unit; a ratio has none."""
    return units.symbol(code) if code in units.UNITS else code or ""


def left_out(text: str) -> tuple[dict[str, tuple[str, str]], dict[str, tuple[str, str]]]:
    """Return mean absolute error and bias of rows that were left out of the fit, by class and by table.

    Args:
        text: what ``fit_training.py --leave`` prints.

    Raises:
        ValueError: it holds no such errors.
    """
    classes: dict[str, tuple[str, str]] = {}
    tables: dict[str, tuple[str, str]] = {}
    for of_class, name, mean, bias in LEFT_OUT.findall(text):
        (classes if of_class else tables)[name] = (mean, bias)
    if not classes or not tables:
        raise ValueError("the output of fit_training.py --leave has no line “not fitted: …”")
    return classes, tables


def left_out_section(text: str, made: EvidenceReport) -> list[str]:
    """Return the errors of rows that were not fitted beside those of the shipped constants."""
    of_class, of_table = left_out(text)
    by_class = made.classes()
    times = {kind: [row for row in made.rows if row.kind == kind] for kind in of_class}
    time_rows = [row for rows in times.values() for row in rows]
    rows = []
    for kind in (kind for kind in CLASSES if kind in of_class):
        mean, bias = of_class[kind]
        fitted = by_class[kind].mean_abs_error_pct or 0.0
        ratio = f"{float(mean) / fitted:.2f}" if fitted else "–"
        rows.append((CLASSES[kind].title, percent(fitted), mean, bias, ratio))
    listed = []
    for name in dict.fromkeys(row.table for row in time_rows):
        if name in of_table:
            fitted = Summary.of([row for row in time_rows if row.table == name], as_time=True).mean_abs_error_pct
            listed.append((name, percent(fitted), *of_table[name]))
    return [
        NOT_FITTED,
        "",
        "The constants are fitted again without a quarter of the tables, four times, and each row is predicted with",
        "constants that never saw its table. Similar runs are in the same table, so this is how far off the program is",
        "on a run of somebody else. The ratio is meant to stay within 1.3.",
        "",
        *table(("class", "mean, fitted", "mean, not fitted", "bias, not fitted", "ratio"), rows),
        "",
        *table(("table", "mean, fitted", "mean, not fitted", "bias, not fitted"), listed),
        "",
        command("python packaging/fit_training.py --leave"),
        "",
    ]


def constants_section() -> list[str]:
    """Return the constants with value, range and what they were fitted on, and the spread of each class."""
    fitted, measured, spreads = (
        catalog().of_kind(kind) for kind in ("fitted_constant", "measured_constant", "evidence_spread")
    )
    return [
        CONSTANTS,
        "",
        f"{len(fitted)} numbers, the same for every row: each is a physical quantity of a GPU generation, a network",
        "or a software era.",
        "",
        *table(
            ("constant", "value", "unit", "range", "fitted on"),
            (
                (
                    e.name,
                    f"{e.get('value'):g}",
                    symbol(e.get("unit")),
                    f"{e.get('low'):g} to {e.get('high'):g}",
                    e.get("fitted_on"),
                )
                for e in fitted
            ),
        ),
        "",
        "Constants that were measured elsewhere, and are not fitted on training runs:",
        "",
        *table(
            ("constant", "value", "unit", "from"),
            ((e.name, f"{e.get('value'):g}", symbol(e.get("unit")), e.fig("value").source) for e in measured),
        ),
        "",
        "Nine in ten published runs of a class took between these factors times the predicted time; `days_low` and",
        "`days_high` of a plan are its days times these:",
        "",
        *table(
            ("class", "low", "high", "rows"),
            (
                (
                    CLASSES[e.id.removeprefix("spread_")].title,
                    f"{e.get('low'):g}",
                    f"{e.get('high'):g}",
                    f"{e.get('rows')}",
                )
                for e in spreads
            ),
        ),
        "",
        "They stand in `resources/catalog/calibration.json`. " + command("python packaging/fit_training.py --fit"),
        "",
    ]


def section_of(text: str, title: str) -> list[str]:
    """Return the lines of a section of a page, title and the empty line at its end included; none where it has none."""
    lines = text.splitlines()
    if title not in lines:
        return []
    start = lines.index(title)
    end = next((n for n in range(start + 1, len(lines)) if lines[n].startswith("## ")), len(lines))
    return lines[start:end]


def training_of(made: dict[str, EvidenceReport]) -> EvidenceReport:
    """Return the report of the training rows."""
    return next(one for path, one in made.items() if path.endswith("training_golden.json"))


def page(made: dict[str, EvidenceReport], not_fitted: Sequence[str]) -> str:
    """Return the page.

    Args:
        made: the report of each file.
        not_fitted: the section of the rows that were left out of the fit.
    """
    unread = [p.name for p in evidence_file.shipped() if p.relative_to(ROOT).as_posix() not in made]
    lines = [
        "# How far off",
        "",
        "Made by `python packaging/make_evidence_page.py`; do not edit. What the program predicts is set against what",
        "was published, row by row. Each row, with what was assumed of it, stands in `wattsweights evidence` and in",
        "the Evidence dock.",
        f"`{CHECK}` compares this page with what the program says now.",
        "",
        *classes_section(made),
        *not_fitted,
        *constants_section(),
        "## By table",
        "",
        "Errors of the quantities as they were published, in per cent; “failed” rows are not predicted, or are outside",
        "the tolerance that their file states. Rows that their file marks as information are not counted.",
        "",
        *(line for path, one in made.items() for line in tables_section(path, one)),
    ]
    if unread:
        lines += [f"Not predicted by this version: {', '.join(f'`{name}`' for name in unread)}.", ""]
    return "\n".join(lines)


def main() -> None:
    """Write the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--left-out", type=Path, help="output of fit_training.py --leave with these very constants")
    parser.add_argument("--keep", action="store_true", help="keep the rows left out as the page has them")
    given = parser.parse_args()
    made = shipped()
    if given.keep:
        text = PAGE.read_text(encoding="utf-8") if PAGE.exists() else ""
        section = section_of(text, NOT_FITTED)
        if not section or section_of(text, CONSTANTS) != constants_section():
            sys.exit("The constants are others than the page has: leave --keep out, to fit without each part again.")
    elif given.left_out:
        section = left_out_section(given.left_out.read_text(encoding="utf-8"), training_of(made))
    else:
        done = subprocess.run(
            [sys.executable, str(FIT), "--leave"], cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{FIT.name} --leave ended with status {done.returncode}; the page is as it was.")
        section = left_out_section(done.stdout, training_of(made))
    PAGE.write_text(page(made, section), encoding="utf-8")
    print(f"{PAGE.relative_to(ROOT)} written.")


if __name__ == "__main__":
    main()
