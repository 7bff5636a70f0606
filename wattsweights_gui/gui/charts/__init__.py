"""Live charts of the plan."""

from wattsweights_gui.gui.charts.panel import ChartsPanel

__all__ = ["ChartsPanel"]
