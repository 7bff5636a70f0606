"""Predicts the rows of the facility evidence: power, cooling and floor, by the engine's equations."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from wattsweights_gui.engine.equations.fluids import UnknownFluid
from wattsweights_gui.engine.evidence import Prediction, facility_cooling, facility_plant, facility_power
from wattsweights_gui.engine.evidence.facility_given import Given, Missing

TABLES = {**facility_power.HANDLERS, **facility_cooling.HANDLERS, **facility_plant.HANDLERS}


def predict(row: Mapping[str, Any], catalog: Any) -> Prediction:
    """Predict one row of table and quantity from its inputs; what it publishes and its id are not looked at.

    A row that cannot be predicted comes back with the reason.
    """
    table, quantity = str(row.get("table")), str(row.get("quantity"))
    given = Given(row.get("inputs") or {}, catalog)
    try:
        if table == "units":
            value, assumed = facility_power.convert(given, quantity)
        elif table == "energy":
            value, assumed = facility_power.energy(given, quantity)
        else:
            handlers = TABLES.get(table)
            if handlers is None:
                return Prediction(None, reason=f"no equation for rows of “{table}”; there is {', '.join(TABLES)}")
            handler = handlers.get(quantity)
            if handler is None:
                return Prediction(None, reason=f"“{quantity}” is not worked out for {table}; {', '.join(handlers)} are")
            value, assumed = handler(given, quantity)
    except (Missing, UnknownFluid, ValueError, KeyError, ZeroDivisionError, TypeError) as error:
        return Prediction(None, reason=f"{error}".strip("'") or type(error).__name__)
    if not math.isfinite(value):
        return Prediction(None, reason="the inputs of the row give no finite answer")
    return Prediction(float(value), assumed=assumed)
