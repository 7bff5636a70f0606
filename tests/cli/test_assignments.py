"""What is typed after ``--set`` is read by what is declared of the field."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wattsweights_gui.cli.assignments import assigned
from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.engine.plan import default_plan, fields_of

READ: dict[tuple[str, ...], tuple[str, Any]] = {
    ("workload.days=20",): ("workload.days", 20.0),
    (" workload.days = 1,5 ",): ("workload.days", 1.5),
    ("workload.days=48 h",): ("workload.days", 2.0),
    ("layers.workload.inputs.days=20",): ("workload.days", 20.0),
    ("power.utility_mw=8500 kW",): ("power.utility_mw", 8.5),
    ("power.utility_mw=none",): ("power.utility_mw", None),
    ("power.utility_mw=",): ("power.utility_mw", None),
    ("parallelism.tp=4",): ("parallelism.tp", 4),
    ("parallelism.sequence_parallel=no",): ("parallelism.sequence_parallel", False),
    ("parallelism.recompute=FULL",): ("parallelism.recompute", "full"),
    ("project.customer=a = b",): ("project.customer", "a = b"),
    ("project.customer=none",): ("project.customer", "none"),
    ("cooling.technology=two_phase", "cooling.technology.saturation_c=104 °F"): (
        "cooling.technology.saturation_c",
        40.0,
    ),
    ("cooling.technology.kind=air",): ("cooling.technology.kind", "air"),
    ('cooling.technology={"kind": "air", "inlet_c": 22}',): ("cooling.technology.inlet_c", 22.0),
}


@pytest.mark.parametrize("written", READ, ids=lambda w: w[-1].strip())
def test_that_a_value_is_read_by_its_field(written: tuple[str, ...]) -> None:
    path, value = READ[written]
    plan, edits = assigned(default_plan(), written)
    found = plan.value(path)
    assert found == pytest.approx(value) if isinstance(value, float) else found == value
    assert type(found) is type(value)
    assert len(edits) == len(written)


@pytest.mark.parametrize("path", sorted(fields_of(default_plan())))
def test_that_every_field_takes_back_the_value_that_it_has(path: str) -> None:
    plan = default_plan()
    value = plan.value(path)
    typed = "none" if value is None else str(getattr(value, "kind", value))
    assert assigned(plan, [f"{path}={typed}"])[0].value(path) == value


@given(st.sampled_from(sorted(fields_of(default_plan()))), st.text(max_size=20))
def test_that_anything_typed_is_a_value_or_refused(path: str, typed: str) -> None:
    plan = default_plan()
    try:
        assigned(plan, [f"{path}={typed}"])
    except Refused as refused:
        said = refused.message
    else:
        said = "taken."
    assert said.endswith((".", ")"))


def test_that_a_text_field_is_read_from_a_file(tmp_path: Path) -> None:
    file = tmp_path / "Soria.csv"
    rows = "\n".join("12,5;60" for _ in range(8760))
    file.write_text("Fecha;x\nDry bulb (°C);RH (%)\n" + rows, encoding="utf-16")
    plan, _ = assigned(default_plan(), [f"cooling.climate_bins=@{file}"])
    kept = plan.value("cooling.climate_bins")
    assert kept.startswith("# Soria.csv: 8,760 hours of dry bulb and relative humidity")
    assert kept.splitlines()[1].startswith("12.5, ")
    notes = tmp_path / "notes.txt"
    notes.write_bytes("Höhe über Grund\r\n@ 40 °C".encode("cp1252"))
    assert assigned(plan, [f"project.notes=@{notes}"])[0].value("project.notes") == "Höhe über Grund\r\n@ 40 °C"
    assert assigned(plan, ["project.customer=@home"])[0].value("project.customer") == "@home"


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("gone.csv", None, "cannot be read: No such file"),
        ("book.xlsx", b"PK\x03\x04\0\0", "holds no text; choose a table"),
        ("short.csv", b"dry_bulb_c,rh\n10,50\n", "has 1 hours; a year has 8,760"),
    ],
)
def test_that_a_file_that_cannot_be_read_is_named(tmp_path: Path, name: str, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / name).write_bytes(content)
    with pytest.raises(Refused) as refused:
        assigned(default_plan(), [f"cooling.climate_bins=@{tmp_path / name}"])
    assert words in refused.value.message
    assert refused.value.message.endswith(".")
