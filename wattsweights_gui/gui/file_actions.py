"""What the File menu does; each step asks before unsaved edits are lost and says what could not be done."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from wattsweights_gui.gui import dialogs
from wattsweights_gui.project.errors import ChangedOnDisk, ProjectFileError


class FileActions:
    """Ties the session's files to the dialogs of a window.

    Attributes:
        dialogs: asks and tells; a test puts a fake here.
    """

    def __init__(self, window: Any, session: Any, asking: Any) -> None:
        self.window, self.session, self.dialogs = window, session, asking

    def when_safe(self, then: Callable[[], Any]) -> None:
        """Do something that gives up the open project, once its unsaved edits are saved or given up."""
        if not self.session.dirty:
            then()
            return

        def answered(answer: dialogs.Answer) -> None:
            if answer == "discard":
                then()
            elif answer == "save":
                self.save(then)

        self.dialogs.ask_unsaved(self.session.title, answered)

    def new(self) -> None:
        """Start an empty project."""
        self.when_safe(self._new)

    def open(self) -> None:
        """Choose a project and open it."""
        self.when_safe(lambda: self.dialogs.file_to_open("Open a project", dialogs.PROJECTS, self._open))

    def open_path(self, path: str | Path) -> None:
        """Open a project, or import a model configuration, by its path."""
        if str(path).casefold().endswith(".json"):
            self.import_path(path)
        else:
            self.when_safe(lambda: self._open(path))

    def open_example(self, name: str) -> None:
        """Open a shipped example."""
        self.when_safe(lambda: self._example(name))

    def recover(self, offered: Any) -> None:
        """Open unsaved work of an earlier run."""

        def recovered() -> None:
            try:
                self.session.file.recover(offered)
            except ProjectFileError as error:
                self._refused(error)
            else:
                self.window.show_plan()

        self.when_safe(recovered)

    def import_config(self) -> None:
        """Choose a Hugging Face configuration and put its model into the plan."""
        self.dialogs.file_to_open("Import a Hugging Face config.json", dialogs.CONFIGURATIONS, self.import_path)

    def import_path(self, path: str | Path) -> None:
        """Put the model of a configuration into the plan."""
        from wattsweights_gui.exchange.registry import NotImportable

        try:
            done = self.session.import_config(path)
        except NotImportable as error:
            self.dialogs.tell(f"{Path(path).name} cannot be imported.", str(error))
        except OSError as error:
            self.dialogs.tell(f"{Path(path).name} cannot be read.", str(error))
        else:
            if done:
                self.window.show_plan()
            else:
                self.dialogs.tell(f"The model of {Path(path).name} cannot be sized.", "The log says why.")

    def save(self, then: Callable[[], Any] | None = None) -> None:
        """Save under the project's name; ask for one where it has none."""
        if self.session.path is None:
            self.save_as(then)
        else:
            self._save(None, then)

    def save_as(self, then: Callable[[], Any] | None = None) -> None:
        """Choose a name and save."""
        name = f"{self._name()}.watts"
        self.dialogs.file_to_write("Save the project", dialogs.PROJECTS, name, lambda path: self._save(path, then))

    def export_pdf(self) -> None:
        """Choose a name and write the sheets."""
        self.dialogs.file_to_write("Export as PDF", dialogs.PDFS, f"{self._name()}.pdf", self.export_to)

    def export_to(self, path: str | Path) -> None:
        """Write the sheets as a PDF, the ways out on them."""
        self._with_levers(lambda: self._export(path))

    def _export(self, path: str | Path) -> None:
        from wattsweights_gui.gui import printing

        try:
            printing.export_pdf(self.window, self.session, path)
        except ProjectFileError as error:
            self.dialogs.tell(f"{Path(path).name} is not written.", error.message)
        except OSError as error:
            self.dialogs.tell(f"{Path(path).name} cannot be written.", str(error))
        else:
            self.session.logged.emit(f"Exported {path}")

    def print_preview(self) -> None:
        """Show the sheets as they will be printed."""
        from wattsweights_gui.gui import printing

        self._with_levers(lambda: printing.print_preview(self.window, self.session))

    def print(self) -> None:
        """Open the system's print dialog."""
        from wattsweights_gui.gui import printing

        self._with_levers(lambda: printing.print_dialog(self.window, self.session))

    def _with_levers(self, then: Callable[[], Any]) -> None:
        """Do something once the ways out are sized: the conversation on paper is not whole without them."""
        session, plan = self.session, self.session.plan
        placed = session.evaluation.placed
        report = session.lever_report
        if report is not None and report.base.plan == plan and report.base.placed == placed:
            then()
            return

        def work(progress: Any) -> Any:
            from wattsweights_gui.engine.levers import levers

            return levers(plan, session.catalog, progress, placed)

        def done(found: Any) -> None:
            session.lever_report = found
            then()

        self.window.say("Sizing the ways out for the sheets…")
        session.jobs.run("levers for paper", work, done, lambda _: then())

    def _name(self) -> str:
        if self.session.path is not None:
            return str(self.session.path.stem)
        return re.sub(r"[^\w .-]+", " ", self.session.title).strip() or "plan"

    def _new(self) -> None:
        self.session.new()
        self.window.show_plan()

    def _open(self, path: str | Path) -> None:
        try:
            self.session.open(path)
        except ProjectFileError as error:
            self._refused(error)
        else:
            self.window.show_plan()
            self._say_remarks()

    def _refused(self, error: ProjectFileError) -> None:
        if not error.mendable:
            self.dialogs.tell(f"{error.path.name} cannot be opened.", error.message)
            return
        self.dialogs.ask(
            f"{error.path.name} cannot be opened as it is.",
            f"{error.message} What cannot be read can be set aside; the file stays as it is until you save.",
            "Open without it",
            lambda agreed: self._mend(error.path) if agreed else None,
        )

    def _mend(self, path: Path) -> None:
        try:
            self.session.open(path, mend=True)
        except ProjectFileError as error:
            self.dialogs.tell(f"{path.name} cannot be opened.", error.message)
        else:
            self.window.show_plan()
            self._say_remarks()

    def _say_remarks(self) -> None:
        if self.session.file.remarks:
            self.window.say(" ".join(self.session.file.remarks))

    def _example(self, name: str) -> None:
        try:
            self.session.open_example(name)
        except (KeyError, ProjectFileError) as error:
            self.dialogs.tell(f"The example {name} cannot be opened.", str(error))
        else:
            self.window.show_plan()

    def _save(self, path: str | Path | None, then: Callable[[], Any] | None, over: bool = False) -> None:
        try:
            saved = self.session.save(path, over=over)
        except ChangedOnDisk as error:
            self.dialogs.ask(
                f"{error.path.name} was changed by somebody else since it was opened.",
                "Saving now overwrites that. Save under another name to keep both.",
                "Overwrite",
                lambda agreed: self._save(path, then, over=True) if agreed else None,
            )
        except (ProjectFileError, OSError) as error:
            self.dialogs.tell("The project was not saved.", getattr(error, "message", str(error)))
        else:
            self.window.say(f"Saved {saved}")
            if then is not None:
                then()
