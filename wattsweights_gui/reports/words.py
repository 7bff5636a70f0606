"""Values of figures and inputs as they are printed: the number apart from its unit, so that heads can carry units."""

from __future__ import annotations

from typing import Any

from wattsweights_gui.engine import declare, units
from wattsweights_gui.engine.chain import Catalog
from wattsweights_gui.engine.declare import Figure, LayerInputs, Need, Setting

UNKNOWN = "–"


def number(value: Any, unit: str, system: units.System) -> str:
    """Return a value without its unit; what is not known is an en dash."""
    if value is None:
        return UNKNOWN
    if isinstance(value, bool):
        return "yes" if value else "no"
    if not isinstance(value, int | float):
        return str(value)
    return units.number(units.shown(float(value), unit, system)[0])


def sign(value: Any, unit: str, system: units.System) -> str:
    """Return the symbol that goes with :func:`number`; none beside text."""
    if isinstance(value, str | bool):
        return ""
    return units.symbol(unit, system)


def spread(figure: Figure, system: units.System) -> str:
    """Return the spread of an estimate without its unit, empty where none is known."""
    if figure.low is None or figure.high is None:
        return ""
    return f"{number(figure.low, figure.unit, system)} to {number(figure.high, figure.unit, system)}"


def setting_words(value: Any, about: Setting, catalog: Catalog, system: units.System) -> tuple[str, str]:
    """Return an input's value as a reader knows it (a choice by its title, hardware by its name) and its unit."""
    if value is None:
        return UNKNOWN, ""
    if isinstance(value, declare.Branch):
        return type(value).branch_title or str(getattr(value, "kind", "")).replace("_", " "), ""
    if about.catalog:
        try:
            return catalog.entry(str(value)).name, ""
        except KeyError:
            return str(value), ""
    if about.choices:
        return dict(about.choices).get(str(value), str(value)), ""
    return number(value, about.unit, system), sign(value, about.unit, system)


def input_words(inputs: LayerInputs, name: str, catalog: Catalog, system: units.System) -> str:
    """Return one input of a layer with its unit in one text; an en dash where there is no such field."""
    about = declare.settings_of(type(inputs)).get(name)
    if about is None:
        return UNKNOWN
    shown, unit = setting_words(getattr(inputs, name), about, catalog, system)
    return f"{shown}{units.THIN_SPACE}{unit}" if unit else shown


def worked_out(figure: Figure, system: units.System, most: int = 8) -> str:
    """Return a figure's equation and, on a line of its own, the numbers put in."""
    if not figure.formula:
        return "" if figure.known else "not known"
    put_in = [operand_words(name, f, figure.formula, system) for name, f in figure.operands[:most]]
    if len(figure.operands) > most:
        put_in.append(f"and {len(figure.operands) - most} more")
    return figure.formula + ("\n" + "; ".join(put_in) if put_in else "")


def operand_words(name: str, figure: Figure, formula: str, system: units.System) -> str:
    """Return one operand with its value, called as the formula calls it."""
    # a catalogue row's title names the product first, which the reader knows
    title = figure.title.rpartition(": ")[2] if figure.path.startswith("catalog.") else figure.title
    called = name if name in formula else (title or name.replace("_", " "))
    return f"{called} = {figure.text(system)}"


def load_words(need: Need) -> str:
    """Return need over limit in per cent."""
    if need.load is None:
        return UNKNOWN
    if need.load == float("inf"):
        return "over"
    share = "<0.1" if 0 < need.load < 0.001 else units.number(need.load * 100)
    return f"{share}{units.THIN_SPACE}%"


def margin_words(need: Need, system: units.System) -> str:
    """Return by how much a need is over its limit, or what is left of the limit."""
    if need.load is None:
        return UNKNOWN
    apart = need.need.number - need.have.number
    factor = units.UNITS[need.unit].us_factor if system == "us" and units.UNITS[need.unit].us_symbol else 1.0
    size = units.number(abs(apart) * factor)
    if need.fits is False:
        return f"over by {size}"
    return f"{size} spare"


_ABBREVIATED = {"gpus": "GPUs", "gpu": "GPU", "mfu": "MFU", "vpp": "VPP", "pue": "PUE"}


def head(column: str) -> str:
    """Return the name of a table's column as a head: spaces, a capital, abbreviations as the field writes them."""
    text = column.replace("_", " ")
    if len(text) <= 2 and text.isalpha():
        return text.upper()
    first, gap, rest = text.partition(" ")
    return _ABBREVIATED.get(first, first[:1].upper() + first[1:]) + gap + rest


def lowered(title: str) -> str:
    """Return a title as it stands inside a sentence: abbreviations keep their capitals."""
    first = title.split(" ")[0]
    return title if first[1:2].isupper() or first.isupper() else title[:1].lower() + title[1:]


def joined(names: list[str]) -> str:
    """Return a list as it is said: ``A, B and C``."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
