"""Declared inputs: validation, edits, alternatives, and figures that explain themselves."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine import declare
from wattsweights_gui.engine.chain import evaluate
from wattsweights_gui.engine.declare import Figure, Need, Refused, calc, equation, stated, unknown
from wattsweights_gui.engine.layers import LAYERS
from wattsweights_gui.engine.plan import default_plan, fields_of
from wattsweights_gui.engine.units import UNITS


@equation("a × b", "kw", "textbook")
def _product(a: float, b: float) -> float:
    return a * b


def test_that_a_figure_remembers_how_it_was_made() -> None:
    figure = calc(_product, title="Both", a=Figure(3.0, "kw", "A", "power.a"), b=2)
    assert (figure.value, figure.unit, figure.formula, figure.source) == (6.0, "kw", "a × b", "textbook")
    assert [name for name, _ in figure.operands] == ["a", "b"]


def test_that_an_unknown_operand_makes_an_unknown_answer_with_its_reason() -> None:
    figure = calc(_product, a=unknown("the datasheet does not say"), b=2)
    assert figure.value is None
    assert figure.formula == "the datasheet does not say"


def test_that_a_figure_has_no_arithmetic() -> None:
    with pytest.raises(TypeError):
        Figure(1.0) + Figure(2.0)  # type: ignore[operator]


def test_that_asking_an_unknown_figure_for_its_number_says_why() -> None:
    with pytest.raises(ValueError, match="no datasheet"):
        _ = unknown("no datasheet").number


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_that_every_input_says_what_it_is_and_where_its_default_comes_from(layer: declare.Layer) -> None:
    models = [layer.inputs]
    for name in declare.settings_of(layer.inputs):
        models += declare.branches_of(layer.inputs, name).values()
    for model in models:
        for name, about in declare.settings_of(model).items():
            assert about.title, f"{layer.name}.{name}"
            assert about.help.endswith("."), f"{layer.name}.{name}"
            assert about.unit in UNITS, f"{layer.name}.{name}"
            default = model.model_fields[name].default
            if default is None:
                assert about.when_none, f"{layer.name}.{name} may be empty: what does that mean?"
            elif not isinstance(default, str) or default:
                assert about.source, f"{layer.name}.{name} has a default without a source"


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_that_no_form_has_a_group_of_more_than_seven(layer: declare.Layer) -> None:
    models = [layer.inputs]
    for name in declare.settings_of(layer.inputs):
        models += declare.branches_of(layer.inputs, name).values()
    for model in models:
        groups: dict[str, int] = {}
        for about in declare.settings_of(model).values():
            groups[about.group] = groups.get(about.group, 0) + 1
        assert max(groups.values()) <= 7, (layer.name, model.__name__, groups)


@pytest.mark.parametrize("layer", LAYERS, ids=lambda layer: layer.name)
def test_that_every_result_has_a_title_a_known_unit_and_help(layer: declare.Layer) -> None:
    declared = declare.results_of(layer.result)
    for name, about in declared.items():
        assert about.title
        assert about.unit in UNITS, f"{layer.name}.{name}"
        assert about.help.endswith((".", ")")), f"{layer.name}.{name}"
    assert 1 <= sum(about.headline for about in declared.values()) <= 4


REFUSED = {
    ("workload.days", -3): "from 0.01 to 10000 days",
    ("workload.days", "soon"): "not a number",
    ("workload.days", math.nan): "number",
    ("workload.day", 3): "no such field",
    ("weather.rain", 1): "no such layer",
    ("workload", 1): "layer.field",
    ("workload.precision", "fp7"): "none of",
    ("workload.global_batch", 1.5): "whole number",
    ("cooling.technology", "magic"): "none of air",
    ("cooling.technology.exit_quality", 0.5): "two_phase",
    ("workload.days.more", 3): "no fields of its own",
}


@pytest.mark.parametrize(("edit", "says"), REFUSED.items(), ids=lambda x: str(x)[:40])
def test_that_an_impossible_edit_is_refused_with_what_would_be_right(edit: tuple[str, object], says: str) -> None:
    with pytest.raises(Refused) as refused:
        default_plan().edit(edit)
    assert says in str(refused.value)


def test_that_a_refused_edit_among_several_changes_nothing() -> None:
    plan = default_plan()
    with pytest.raises(Refused):
        plan.edit(("workload.days", 20), ("workload.days", -1))
    assert plan.value("workload.days") == 30.0


def test_that_an_alternative_is_chosen_by_name_and_then_has_its_own_fields() -> None:
    plan = default_plan().edit(("cooling.technology", "two_phase"), ("cooling.technology.exit_quality", 0.6))
    assert plan.value("cooling.technology.exit_quality") == 0.6
    assert "cooling.technology.rise_k" not in fields_of(plan)
    again = plan.edit(("cooling.technology", "two_phase"))
    assert again.value("cooling.technology.exit_quality") == 0.6


def test_that_what_the_user_set_is_known_and_can_be_reset() -> None:
    plan = default_plan().edit(("workload.days", 30.0))
    assert plan.layers["workload"].fig("days").source == "set in this plan"
    assert plan.reset("workload.days").layers["workload"].fig("days").source.startswith("default")


def test_that_a_field_of_an_alternative_can_be_reset_alone() -> None:
    plan = default_plan().edit(("cooling.technology", "two_phase"), ("cooling.technology.exit_quality", 0.6))
    back = plan.reset("cooling.technology.exit_quality")
    assert back.value("cooling.technology").kind == "two_phase"
    assert back.value("cooling.technology.exit_quality") == 0.7


def test_that_setting_a_degree_by_hand_pins_the_layout() -> None:
    assert default_plan().edit(("parallelism.tp", 4)).value("parallelism.layout") == "pinned"


def test_that_an_odd_value_is_a_note_not_a_refusal() -> None:
    found = declare.odd_values(default_plan().edit(("workload.days", 5000)).layers["workload"])
    assert [f.severity for f in found] == ["note"]
    assert "from 1 to 365" in found[0].message


@given(st.floats(0.1, 1e6), st.floats(0.1, 1e6))
def test_that_a_need_fits_exactly_when_it_is_not_above_what_there_is(need: float, have: float) -> None:
    row = Need("power", "x", "X", stated(need, "kw"), stated(have, "kw"), "kw")
    assert row.fits == (need <= have * (1 + 1e-9))


def test_that_a_need_without_a_limit_is_neither_kept_nor_broken() -> None:
    row = Need("power", "x", "X", stated(3.0, "kw"), unknown("no limit is stated"), "kw")
    assert row.fits is None


def test_that_a_limit_of_nothing_is_broken_by_any_need() -> None:
    row = Need("power", "x", "X", stated(3.0, "kw"), stated(0.0, "kw"), "kw")
    assert row.load == math.inf
    assert row.fits is False


def test_that_a_figure_of_the_last_layer_is_written_short_whatever_it_was_made_of():
    result = evaluate(default_plan(), catalog()).results["floor"]
    assert all(len(repr(value)) < 500 for _, value in result if isinstance(value, Figure))
