"""Writes ``wattsweights_gui/engine/equations/fluid_tables.py`` from CoolProp.

Run it again after a change of the CoolProp version: ``python packaging/make_fluid_tables.py``. A test compares the
tables with CoolProp, so a stale file does not pass.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path

import numpy as np

from wattsweights_gui.engine.equations import fluids

OUT = Path(__file__).resolve().parent.parent / "wattsweights_gui" / "engine" / "equations" / "fluid_tables.py"
LIQUIDS = ("water", "pg20", "pg25", "pg30", "pg40", "eg25", "eg30")
REFRIGERANTS = (
    "R1233zd(E)", "R134a", "R1234ze(E)", "R515B", "R1234yf", "R245fa", "R1336mzz(Z)", "Novec649",
)  # fmt: skip
LIQUID_RANGE_C = (2.0, 100.0)
SATURATION_RANGE_C = (-40.0, 80.0)
LIQUID_DEGREE, SATURATION_DEGREE = 12, 18


def series(function: Callable[[float], float], span: tuple[float, float], degree: int) -> tuple[float, ...]:
    """Return Chebyshev coefficients that interpolate a function of temperature at the Chebyshev nodes."""
    n = degree + 1
    nodes = np.cos(np.pi * (np.arange(n) + 0.5) / n)
    low, high = span
    values = np.array([function(0.5 * (high - low) * x + 0.5 * (high + low)) for x in nodes])
    order = np.arange(n)
    basis = np.cos(np.outer(order, np.pi * (np.arange(n) + 0.5) / n))
    coefficients = 2.0 / n * basis @ values
    coefficients[0] /= 2.0
    return tuple(float(f"{c:.10g}") for c in coefficients)


def liquid_tables() -> dict[str, dict[str, tuple[float, ...]]]:
    """Return density, specific heat, and the logarithms of viscosity and conductivity of each liquid."""
    tables: dict[str, dict[str, tuple[float, ...]]] = {}
    for name in LIQUIDS:

        def state(t_c: float, name: str = name) -> fluids.Liquid:
            return fluids.liquid_state(name, t_c)

        tables[name] = {
            "density_kg_m3": series(lambda t, s=state: s(t).density_kg_m3, LIQUID_RANGE_C, LIQUID_DEGREE),
            "cp_kj_kg_k": series(lambda t, s=state: s(t).cp_kj_kg_k, LIQUID_RANGE_C, LIQUID_DEGREE),
            "log_viscosity_mpa_s": series(
                lambda t, s=state: math.log(s(t).viscosity_mpa_s or math.nan), LIQUID_RANGE_C, LIQUID_DEGREE
            ),
            "conductivity_w_m_k": series(lambda t, s=state: s(t).conductivity_w_m_k, LIQUID_RANGE_C, LIQUID_DEGREE),
        }
    return tables


def saturation_tables() -> dict[str, dict[str, tuple[float, ...]]]:
    """Return saturation properties of each refrigerant; liquid viscosity only where CoolProp has a model."""
    tables: dict[str, dict[str, tuple[float, ...]]] = {}
    span, degree = SATURATION_RANGE_C, SATURATION_DEGREE
    for name in REFRIGERANTS:

        def state(t_c: float, name: str = name) -> fluids.Saturation:
            return fluids.saturation_state(name, t_c)

        table = {
            "log_pressure_bar": series(lambda t, s=state: math.log(s(t).pressure_bar), span, degree),
            "latent_heat_kj_kg": series(lambda t, s=state: s(t).latent_heat_kj_kg, span, degree),
            "liquid_enthalpy_kj_kg": series(lambda t, s=state: s(t).liquid_enthalpy_kj_kg, span, degree),
            "liquid_density_kg_m3": series(lambda t, s=state: s(t).liquid_density_kg_m3, span, degree),
            "log_vapour_density_kg_m3": series(lambda t, s=state: math.log(s(t).vapour_density_kg_m3), span, degree),
        }
        if state(40.0).liquid_viscosity_mpa_s is not None:
            table["log_liquid_viscosity_mpa_s"] = series(
                lambda t, s=state: math.log(s(t).liquid_viscosity_mpa_s or math.nan), span, degree
            )
        tables[name] = table
    return tables


def written(name: str, tables: dict[str, dict[str, tuple[float, ...]]]) -> str:
    """Return the source text of one table of tables."""
    lines = [f"{name}: dict[str, dict[str, tuple[float, ...]]] = {{"]
    for fluid, table in tables.items():
        lines.append(f'    "{fluid}": {{')
        for quantity, coefficients in table.items():
            rows = [", ".join(repr(c) for c in coefficients[i : i + 7]) for i in range(0, len(coefficients), 7)]
            lines.append(f'        "{quantity}": (')
            lines += [f"            {row}," for row in rows]
            lines.append("        ),")
        lines.append("    },")
    lines.append("}")
    return "\n".join(lines)


def main() -> None:
    """Write the module."""
    head = (
        '"""Chebyshev series of fluid properties, made by ``packaging/make_fluid_tables.py`` from CoolProp: '
        "do not edit.\n\n"
        "Liquids at 3 bar absolute; saturation at the bubble point for mixtures. Logarithms are natural.\n"
        '"""\n\n'
        "# fmt: off\n# ruff: noqa: E501\n"
        f'MADE_FROM = "CoolProp {version("CoolProp")}"\n'
        f"LIQUID_RANGE_C = {LIQUID_RANGE_C}\n"
        f"SATURATION_RANGE_C = {SATURATION_RANGE_C}\n\n"
    )
    text = head + written("LIQUIDS", liquid_tables()) + "\n\n" + written("SATURATION", saturation_tables()) + "\n"
    OUT.write_text(text, encoding="utf-8")
    print(f"{OUT.name}: {len(text) / 1024:.0f} KiB from CoolProp {version('CoolProp')}")


if __name__ == "__main__":
    main()
