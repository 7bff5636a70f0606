"""What a report says, and its ways onto paper and into files."""

from wattsweights_gui.reports.sheets import SHEETS, build, sheets_named

__all__ = ["SHEETS", "build", "sheets_named"]
