"""Fluid properties: tables against CoolProp, CoolProp against data sheets, and refusals."""

from __future__ import annotations

import os
import subprocess
import sys

import numpy as np
import pytest

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.equations import fluid_tables, fluids


@pytest.mark.parametrize("name", fluid_tables.LIQUIDS)
def test_that_the_tables_of_liquids_are_coolprop_within_a_millionth(name):
    for t_c in np.linspace(*fluid_tables.LIQUID_RANGE_C, 37):
        exact = fluids.liquid_state(name, float(t_c))
        assert fluids.density(name, t_c) == pytest.approx(exact.density_kg_m3, rel=1e-6)
        assert fluids.specific_heat(name, t_c) == pytest.approx(exact.cp_kj_kg_k, rel=1e-6)
        assert fluids.viscosity(name, t_c) == pytest.approx(exact.viscosity_mpa_s, rel=1e-6)


@pytest.mark.parametrize("name", fluid_tables.SATURATION)
def test_that_the_tables_of_refrigerants_are_coolprop_within_a_millionth(name):
    for t_c in np.linspace(*fluid_tables.SATURATION_RANGE_C, 31):
        exact = fluids.saturation_state(name, float(t_c))
        assert fluids.saturation_pressure(name, t_c) == pytest.approx(exact.pressure_bar, rel=1e-6)
        assert fluids.latent_heat(name, t_c) == pytest.approx(exact.latent_heat_kj_kg, rel=1e-6)
        assert fluids.liquid_density(name, t_c) == pytest.approx(exact.liquid_density_kg_m3, rel=1e-6)
        assert fluids.vapour_density(name, t_c) == pytest.approx(exact.vapour_density_kg_m3, rel=1e-6)


@pytest.mark.parametrize("entry", [e for e in catalog().of_kind("fluid") if e.get("points") and e.get("coolprop")])
def test_that_liquids_agree_with_the_catalogues_points(entry):
    name = entry.id.removeprefix("fluid_")
    for point in entry.get("points"):
        assert fluids.density(name, point["t_c"]) == pytest.approx(point["density_kg_m3"], rel=2e-4)
        assert fluids.specific_heat(name, point["t_c"]) * 1e3 == pytest.approx(point["cp_j_kg_k"], rel=2e-4)


@pytest.mark.parametrize("entry", [e for e in catalog().of_kind("fluid") if e.get("two_phase_points")])
def test_that_refrigerants_agree_with_the_catalogues_points(entry):
    for point in entry.get("two_phase_points"):
        assert fluids.saturation_pressure(entry.name, point["t_c"]) == pytest.approx(point["p_sat_bar"], rel=6e-3)
        assert fluids.latent_heat(entry.name, point["t_c"]) == pytest.approx(point["h_fg_kj_kg"], rel=6e-3)


def test_that_glycol_is_by_volume_unless_it_says_mass():
    assert fluids.fluid("pg25") == fluids.fluid("pg25_vol")
    by_mass = fluids.liquid_state("pg25.7_mass", 40)
    assert by_mass.density_kg_m3 == pytest.approx(fluids.density("pg25", 40), rel=5e-3)
    assert fluids.fluid("pg25_mass").species == "MPG"
    assert fluids.fluid("eg30").species == "AEG"


def test_that_pg25_is_close_to_the_maker_and_not_the_4_12_of_a_public_model():
    assert fluids.specific_heat("pg25", 40) == pytest.approx(3.92, rel=0.015)


@pytest.mark.parametrize("name", ["glycol", "R410A", "novec 7100", "pg", "pg95", "PG25 or so", ""])
def test_that_a_fluid_that_is_not_known_is_refused_in_a_sentence(name):
    with pytest.raises(fluids.UnknownFluid, match=r"known"):
        fluids.density(name, 40)


def test_that_single_phase_coolants_do_not_boil_and_steam_is_no_coolant():
    with pytest.raises(fluids.UnknownFluid, match="saturation"):
        fluids.saturation_pressure("pg25", 40)
    with pytest.raises(fluids.UnknownFluid, match="not liquid"):
        fluids.density("water", 140)


def test_that_r1233zd_has_no_viscosity_and_says_so():
    assert fluids.saturation_state("R1233zd(E)", 40).liquid_viscosity_mpa_s is None
    assert fluids.saturation_state("R134a", 40).liquid_viscosity_mpa_s == pytest.approx(0.1614, rel=1e-3)


def test_that_r515b_is_the_mixture_by_any_of_its_spellings():
    names = ("R515B", "R-515B", "r515b", "R-515B = R1234ze(E)/R227ea 91.1/8.9 mass %")
    assert {fluids.saturation_pressure(n, 40) for n in names} == {fluids.saturation_pressure("R515B", 40)}
    assert fluids.saturation_pressure("R515B", 40) == pytest.approx(7.663, rel=1e-3)


def test_that_subcooling_costs_cp_times_the_difference():
    heat = fluids.subcooling_heat("R134a", 40, 5)
    assert heat == pytest.approx(5 * 1.48, rel=0.02)
    assert fluids.subcooling_heat("R134a", 40, 0) == 0


def test_that_properties_outside_the_tables_come_from_coolprop():
    assert fluids.density("water", 105) == pytest.approx(fluids.liquid_state("water", 105).density_kg_m3, rel=1e-12)
    assert fluids.density("pg27.5", 40) == pytest.approx(fluids.liquid_state("pg27.5", 40).density_kg_m3, rel=1e-12)


def test_that_coolprop_prints_nothing_on_standard_output():
    code = "from wattsweights_gui.engine.equations import fluids; fluids.liquid_state('water', 20)"
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(fluids.__file__))))
    # buffered, as for a user: an unbuffered standard output hides what comes late
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONUNBUFFERED"}
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root, env=environment
    )
    assert done.stdout == ""


def test_that_live_properties_do_not_import_coolprop():
    code = (
        "import sys; from wattsweights_gui.engine.equations import fluids; fluids.density('pg25', 40);"
        "fluids.latent_heat('R515B', 40); print('CoolProp' in sys.modules)"
    )
    root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.dirname(fluids.__file__))))
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root)
    assert done.stdout.strip() == "False"
