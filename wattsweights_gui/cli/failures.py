"""From what went wrong to an exit status and one line on standard error."""

from __future__ import annotations

import os
import sys
import traceback
from collections.abc import Sequence
from typing import Any

import click

DONE, FAILED, WRONG = 0, 1, 2


class WrongRequest(click.ClickException):
    """A request that cannot be served, with what to change. Exit status 2."""

    exit_code = WRONG


class Commands(click.Group):
    """A group whose every failure is one line: 2 where the request was wrong, 1 where the work failed."""

    def main(
        self,
        args: Sequence[str] | None = None,
        prog_name: str | None = None,
        complete_var: str | None = None,
        standalone_mode: bool = True,
        **extra: Any,
    ) -> Any:
        """Run a command line; exit with its status, or return it where ``standalone_mode`` is off."""
        status = self._status(args, prog_name, complete_var, extra)
        if standalone_mode:
            sys.exit(status)
        return status

    def _status(
        self, args: Sequence[str] | None, prog_name: str | None, complete_var: str | None, extra: dict[str, Any]
    ) -> int:
        try:
            answer = super().main(args, prog_name or "wattsweights", complete_var, standalone_mode=False, **extra)
            sys.stdout.flush()
            return answer if isinstance(answer, int) else DONE
        except BrokenPipeError:  # whoever reads our output has seen enough
            sys.stdout = open(os.devnull, "w")  # noqa: SIM115 - else the interpreter complains while it ends
            return FAILED
        except BaseException as error:
            if isinstance(error, SystemExit):
                raise
            status, line = explained(error)
            if status == FAILED and os.environ.get("WATTSWEIGHTS_DEBUG") == "1":
                traceback.print_exc()
            click.echo(line, err=True)
            return status

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Name the commands that there are where one is misspelt."""
        if args and not args[0].startswith("-") and self.get_command(ctx, args[0]) is None:
            raise WrongRequest(
                f"There is no sub-command and no file “{args[0]}”; there is {', '.join(self.list_commands(ctx))}."
            )
        return super().resolve_command(ctx, args)


def explained(error: BaseException) -> tuple[int, str]:
    """Return the exit status and the one line of a failure."""
    from wattsweights_gui.engine.declare import Refused
    from wattsweights_gui.project.errors import ProjectFileError, SaveFailed

    if isinstance(error, click.UsageError):
        where = error.ctx.command_path if error.ctx else "wattsweights"
        return WRONG, one_line(f"{where}: {error.format_message()} Try “{where} --help”.")
    if isinstance(error, click.ClickException):
        return error.exit_code, one_line(error.format_message())
    if isinstance(error, click.Abort | KeyboardInterrupt):
        return FAILED, "Stopped."
    if isinstance(error, SaveFailed):
        return FAILED, one_line(str(error))
    if isinstance(error, ProjectFileError | Refused):
        return WRONG, one_line(str(error))
    if isinstance(error, MemoryError):
        return FAILED, "The work needs more memory than there is."
    if isinstance(error, OSError) and error.strerror:
        name = f"{error.filename}: " if error.filename else ""
        return FAILED, one_line(f"{name}{error.strerror}.")
    what = str(error) or "no reason given"
    return FAILED, one_line(
        f"The work failed ({type(error).__name__}: {what}). WATTSWEIGHTS_DEBUG=1 shows where, for a bug report."
    )


def one_line(text: str) -> str:
    """Return a message without line breaks or control characters, whatever a file's name or a value holds."""
    return " ".join("".join(c if c.isprintable() or c.isspace() else "�" for c in text).split(None))
