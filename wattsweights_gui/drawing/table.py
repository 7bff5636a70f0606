"""Tables on paper: columns find their widths, long words wrap, heads carry the units."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from wattsweights_gui.drawing import fonts
from wattsweights_gui.drawing.marks import HAIRLINE, MM_PER_PT, SMALLEST_PT, THIN, Align, Line, Mark, Rect, Text

PAD = 1.2
BAR_WIDTH = 30.0
BAR_FULL = 1.5
_LEADING = 1.28
_HEAD_WRAPS = 36.0


@dataclass(frozen=True)
class Column:
    """One column: its head, the unit under it, and how its cells stand.

    ``stretch`` columns share the room that is left over; ``bar`` columns draw their cell's load as a bar; ``keep``
    columns never wrap; ``cut`` columns stay on one line and end in an ellipsis where that is too long.
    """

    title: str
    unit: str = ""
    align: Align = "left"
    stretch: bool = False
    bar: bool = False
    keep: bool = False
    cut: bool = False


@dataclass(frozen=True)
class Cell:
    """One cell; ``load`` is drawn as a bar whose mark is at 1."""

    text: str = ""
    bold: bool = False
    ink: str = "black"
    load: float | None = None


@dataclass(frozen=True)
class Span:
    """A row that is one text over all columns: a heading, or a remark where it is not bold."""

    text: str
    bold: bool = True


Row = tuple["Cell | str", ...] | Span


@dataclass(frozen=True)
class Table:
    """A table as it is to be printed; ``note`` stands under its last row."""

    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    title: str = ""
    size: float = 8.0
    empty: str = ""
    tight: bool = False
    note: str = ""


@dataclass(frozen=True)
class LaidRow:
    """A row whose cells are broken into lines."""

    cells: tuple[Cell, ...]
    lines: tuple[tuple[str, ...], ...]
    span: bool = False

    @property
    def depth(self) -> int:
        """Lines of the tallest cell."""
        return max((len(lines) for lines in self.lines), default=1)


@dataclass(frozen=True)
class LaidTable:
    """A table whose columns have widths and whose cells are broken into lines, ready to be placed on pages."""

    table: Table
    size: float
    widths: tuple[float, ...]
    rows: tuple[LaidRow, ...]
    head: tuple[tuple[str, ...], ...] = field(default=())

    @property
    def leading(self) -> float:
        """From baseline to baseline in mm."""
        return self.size * MM_PER_PT * _LEADING

    @property
    def width(self) -> float:
        """Of the whole table in mm."""
        return sum(self.widths)

    def height(self, row: LaidRow) -> float:
        """Return the height of a row in mm."""
        return row.depth * self.leading + 2 * self.air

    @property
    def air(self) -> float:
        """Above and below the lines of a row in mm."""
        return 0.45 if self.table.tight else 0.85

    @property
    def head_height(self) -> float:
        """Of the repeated head in mm."""
        return max((len(lines) for lines in self.head), default=1) * SMALLEST_PT * MM_PER_PT * _LEADING + 1.8


def laid(table: Table, room: float) -> LaidTable:
    """Give columns widths that fill ``room`` mm at most, and break the cells into lines."""
    cells = [_cells(row) for row in table.rows]
    size, widths = _widths(table, cells, room)
    head = tuple(
        fonts.wrapped(c.title, w - 2 * PAD, SMALLEST_PT, True) + ((c.unit,) if c.unit else ())
        for c, w in zip(table.columns, widths, strict=True)
    )
    rows: list[LaidRow] = []
    for row, content in zip(table.rows, cells, strict=True):
        if isinstance(row, Span):
            lines: tuple[tuple[str, ...], ...] = (fonts.wrapped(row.text, sum(widths) - 2 * PAD, size, row.bold),)
            rows.append(LaidRow((Cell(row.text, row.bold),), lines, True))
        else:
            broken = tuple(
                _lines(cell, column, width - 2 * PAD, size)
                for cell, column, width in zip(content, table.columns, widths, strict=True)
            )
            rows.append(LaidRow(content, broken))
    return LaidTable(table, size, widths, tuple(rows), head)


def _lines(cell: Cell, column: Column, room: float, size: float) -> tuple[str, ...]:
    if column.cut:
        return (fonts.fitted(fonts.clean(cell.text), room, size, cell.bold),)
    return fonts.wrapped(cell.text, room, size, cell.bold)


def split(row: LaidRow, most: int) -> tuple[LaidRow, LaidRow]:
    """Split a row that is taller than a page after ``most`` lines."""
    first = tuple(lines[:most] for lines in row.lines)
    rest = tuple(lines[most:] for lines in row.lines)
    return replace(row, lines=first), replace(row, lines=rest, cells=tuple(replace(c, load=None) for c in row.cells))


def head_marks(laid: LaidTable, x: float, y: float) -> list[Mark]:
    """Return the head with its upper edge at ``y``."""
    step = SMALLEST_PT * MM_PER_PT * _LEADING
    height = laid.head_height
    marks: list[Mark] = [Rect(x, y, laid.width, height, ink=None, fill="tint")]
    left = x
    deepest = max((len(lines) for lines in laid.head), default=1)
    for column, width, lines in zip(laid.table.columns, laid.widths, laid.head, strict=True):
        for n, line in enumerate(lines):
            unit = bool(column.unit) and n == len(lines) - 1
            at = y + 0.9 + step * (deepest - len(lines) + n + 0.78)
            marks += _aligned(left, width, at, line, SMALLEST_PT, not unit, column.align, "quiet" if unit else "black")
        left += width
    marks.append(Line(x, y, x + laid.width, y, THIN))
    marks.append(Line(x, y + height, x + laid.width, y + height, THIN))
    return marks


def row_marks(laid: LaidTable, row: LaidRow, x: float, y: float) -> list[Mark]:
    """Return a row with its upper edge at ``y``."""
    height = laid.height(row)
    marks: list[Mark] = []
    top = y + laid.air
    if row.span:
        for n, line in enumerate(row.lines[0]):
            marks += _aligned(
                x, laid.width, top + laid.leading * (n + 0.78), line, laid.size, row.cells[0].bold, "left", "black"
            )
    else:
        left = x
        for column, width, cell, lines in zip(laid.table.columns, laid.widths, row.cells, row.lines, strict=True):
            if column.bar and cell.load is not None:
                marks += load_bar(left + PAD, y + height / 2 - 1.3, width - 2 * PAD, 2.6, cell.load)
            else:
                for n, line in enumerate(lines):
                    at = top + laid.leading * (n + 0.78)
                    marks += _aligned(left, width, at, line, laid.size, cell.bold, column.align, cell.ink)
            left += width
    marks.append(Line(x, y + height, x + laid.width, y + height, HAIRLINE, "rule"))
    return marks


def load_bar(x: float, y: float, width: float, height: float, load: float) -> list[Mark]:
    """Return a bar of need over limit: filled up to the need, a tick at the limit, an arrow where it runs out."""
    full = width / BAR_FULL
    shown = max(0.0, min(load, BAR_FULL))
    fill = "bar_over" if load > 1 + 1e-9 else "bar_near" if load >= 0.9 else "bar_fine"
    marks: list[Mark] = [
        Rect(x, y, full, height, HAIRLINE, "rule", None),
        Rect(x, y, full * shown, height, HAIRLINE, "black", fill),
        Line(x + full, y - 0.7, x + full, y + height + 0.7, 0.4),
    ]
    if load > BAR_FULL:
        # a notch says that the bar goes on
        for offset in (2.2, 3.2):
            marks.append(Line(x + width - offset, y + height, x + width - offset + 0.9, y, 0.4, "white"))
    return marks


def _aligned(
    x: float, width: float, y: float, text: str, size: float, bold: bool, align: Align, ink: str
) -> list[Mark]:
    if not text:
        return []
    at = {"left": x + PAD, "right": x + width - PAD, "centre": x + width / 2}[align]
    return [Text(at, y, text, size, bold, align, ink)]


def _cells(row: Row) -> tuple[Cell, ...]:
    if isinstance(row, Span):
        return ()
    return tuple(cell if isinstance(cell, Cell) else Cell(cell) for cell in row)


def _widths(table: Table, cells: list[tuple[Cell, ...]], room: float) -> tuple[float, tuple[float, ...]]:
    # first smaller print, then shorter pieces of long words: heads stay whole as long as they can
    for size, piece in ((table.size, 32.0), (SMALLEST_PT, 32.0), (SMALLEST_PT, 20.0), (SMALLEST_PT, 12.0)):
        least, wanted = _needed(table, cells, size, piece)
        if sum(least) <= room:
            break
    else:
        scale = room / sum(least)
        return size, tuple(w * scale for w in least)
    if sum(wanted) <= room:
        stretching = [n for n, c in enumerate(table.columns) if c.stretch]
        spare = (room - sum(wanted)) / len(stretching) if stretching else 0.0
        return size, tuple(w + (spare if n in stretching else 0.0) for n, w in enumerate(wanted))
    spare, short = room - sum(least), sum(wanted) - sum(least)
    return size, tuple(low + (high - low) * spare / short for low, high in zip(least, wanted, strict=True))


def _needed(table: Table, cells: list[tuple[Cell, ...]], size: float, piece: float) -> tuple[list[float], list[float]]:
    least: list[float] = []
    wanted: list[float] = []
    for n, column in enumerate(table.columns):
        heading = max(fonts.longest_word(column.title, SMALLEST_PT, True), fonts.width(column.unit, SMALLEST_PT))
        if column.bar:
            least.append(BAR_WIDTH)
            wanted.append(BAR_WIDTH)
            continue
        low = heading
        high = max(heading, min(fonts.width(column.title, SMALLEST_PT, True), _HEAD_WRAPS))
        for row in cells:
            if row:
                cell = row[n]
                lines = cell.text.splitlines() or [""]
                high = max(high, *(fonts.width(fonts.clean(line), size, cell.bold) for line in lines))
                # a number is never broken; a long word may be
                word = high if column.keep else fonts.longest_word(cell.text, size, cell.bold)
                low = max(low, word if column.align == "right" or column.keep else min(word, piece))
        # half a point of slack, so that rounding never wraps what was measured to fit
        least.append(low + 2 * PAD + 0.2)
        wanted.append(max(low, high) + 2 * PAD + 0.2)
    return least, wanted
