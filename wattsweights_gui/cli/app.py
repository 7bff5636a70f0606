"""The command ``wattsweights`` and its sub-commands."""

from __future__ import annotations

import click

from wattsweights_gui import __version__
from wattsweights_gui.cli import (
    chain_commands,
    evidence_command,
    fabric_command,
    file_commands,
    out_commands,
    search_command,
    why_command,
)
from wattsweights_gui.cli.failures import Commands


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 120})
@click.version_option(__version__, prog_name="wattsweights", message="%(prog)s %(version)s")
def cli() -> None:
    """Size an AI cluster from the model to the chilled water, and back.

    Without a sub-command, or with a project file, the window opens.

    PATH is layer.field as the JSON names it (workload.days, cooling.technology.supply_c, project.customer). A value may
    carry a unit ("40 kW", "104 °F"), otherwise it is in the field's own; "none" empties a field. A field
    of several lines takes the text of a file: cooling.climate_bins=@hours.csv.
    """


for command in (
    *file_commands.COMMANDS,
    *chain_commands.COMMANDS,
    search_command.search,
    why_command.why,
    evidence_command.evidence,
    fabric_command.fabric_check,
    *out_commands.COMMANDS,
):
    cli.add_command(command)
