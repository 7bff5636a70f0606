"""The one bridge between the window and the engine: the plan, what follows from it, the undo stack and the signals."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QUndoStack

from wattsweights_gui.catalog.load import catalog
from wattsweights_gui.engine.both_ends import BothEnds, both_ends
from wattsweights_gui.engine.chain import Evaluation, changed, evaluate
from wattsweights_gui.engine.declare import Figure, Refused, branches_of
from wattsweights_gui.engine.placed_racks import PlacedRacks
from wattsweights_gui.engine.plan import Edit, Plan, default_plan, fields_of
from wattsweights_gui.engine.training_plan import LAYOUT_FIELDS
from wattsweights_gui.engine.units import System, text
from wattsweights_gui.gui.fabric_command import FabricCommand
from wattsweights_gui.gui.jobs import Jobs
from wattsweights_gui.gui.placing_command import PlacingCommand
from wattsweights_gui.gui.plan_command import PlanCommand
from wattsweights_gui.gui.project_file import ProjectFile
from wattsweights_gui.gui.worker_answers import WorkerAnswers
from wattsweights_gui.layout.counted import counted_racks
from wattsweights_gui.layout.fabric_edits import NO_EDITS, FabricEdits
from wattsweights_gui.layout.hall import Hall, hall_of
from wattsweights_gui.layout.loads import load_figures
from wattsweights_gui.layout.placements import EMPTY, Placements
from wattsweights_gui.project.document import Document

log = logging.getLogger(__name__)


class Session(QObject):
    """One open project.

    Signals:
        changed: the names of the layers whose inputs or results differ, and the editor that made the edit or ``None``.
        ends_changed: the comparison of both ends is up to date; follows ``changed`` after the paint.
        document_changed: another file or another state of it (path, unsaved changes).
        refused: the path of an edit that cannot be, and a sentence that says what would be right.
        units_changed: "si" or "us" from now on.
        why_requested: somebody wants to know where the number at a path comes from.
        focus_requested: somebody wants to get at the field, or the layer, of a path.
        logged: a line for the log.
        settling: whether the layout search is at work for the plan as it stands.
        placed: other racks or devices are placed than before.
        fabric_edited: the fabric was edited by hand, or such an edit was undone.
        device_selected: the name of a device of the fabric, empty for none, and the view that selected it.
    """

    changed = Signal(object, object)
    ends_changed = Signal()
    document_changed = Signal()
    refused = Signal(str, str)
    units_changed = Signal(str)
    why_requested = Signal(str)
    focus_requested = Signal(str)
    logged = Signal(str)
    settling = Signal(bool)
    placed = Signal()
    fabric_edited = Signal()
    device_selected = Signal(str, object)

    def __init__(self, parent: QObject | None = None, undo_stack: QUndoStack | None = None) -> None:
        super().__init__(parent)
        self.catalog = catalog()
        self.jobs = Jobs(self)
        self.undo_stack = undo_stack if undo_stack is not None else QUndoStack(self)
        self.units: System = "si"
        self.lever_report: Any = None
        self.edited = False  # whether the newest change was one of the plan, not another document
        self.file = ProjectFile(self)
        self.answers = WorkerAnswers(self)
        self.evaluation: Evaluation = evaluate(default_plan(), self.catalog)
        self.placements: Placements = EMPTY
        self._counted: PlacedRacks | None = None
        self.fabric_edits: FabricEdits = NO_EDITS
        self.selected_device = ""
        self._hall: tuple[Evaluation, Hall] | None = None
        self._document = Document.of(self.evaluation.plan)
        self._ends: BothEnds | None = None
        self._ends_timer = QTimer(self, singleShot=True, interval=0)
        self._ends_timer.timeout.connect(self._on_ends_due)
        self.undo_stack.cleanChanged.connect(self._on_clean_changed)
        self._ends_timer.start()

    # ----------------------------------------------------------------------------------------------- what there is

    @property
    def plan(self) -> Plan:
        """The plan as it stands."""
        return self.evaluation.plan

    @property
    def ends(self) -> BothEnds:
        """The comparison of both ends for the plan as it stands (10 ms when asked for before ``ends_changed``)."""
        if self._ends is None:
            self._ends = both_ends(self.evaluation)
        return self._ends

    @property
    def ends_pending(self) -> bool:
        """Whether the comparison of both ends is still to be made for the plan as it stands."""
        return self._ends is None

    @property
    def document(self) -> Document:
        """The document with the plan, the racks and the fabric as they stand."""
        return self._document.with_plan(self.plan).with_placements(self.placements).with_fabric(self.fabric_edits)

    @property
    def hall(self) -> Hall:
        """What placing is judged by under the plan as it stands."""
        if self._hall is None or self._hall[0] is not self.evaluation:
            self._hall = (self.evaluation, hall_of(self.evaluation))
        return self._hall[1]

    @property
    def path(self) -> Path | None:
        """The project file, ``None`` where it was never saved."""
        return self.file.path

    @property
    def dirty(self) -> bool:
        """Whether there is something to save."""
        return self.file.unsaved or not self.undo_stack.isClean()

    @property
    def title(self) -> str:
        """What the project is called in the window's title."""
        return self.path.name if self.path is not None else (self.plan.info.project or "Untitled")

    def figure(self, path: str) -> Figure:
        """Return the figure at a path of the plan, or of a rack: ``racks.<id>.mass_kg``.

        Raises:
            KeyError: no such figure.
        """
        layer, _, rest = path.partition(".")
        if layer != "racks":
            return self.evaluation.figure(path)
        id, _, name = rest.partition(".")
        placed = self.placements
        return load_figures(placed.rack(id), placed.inside(id), self.hall)[name]

    # ------------------------------------------------------------------------------------------------------- edits

    def apply(
        self, edits: Iterable[Edit], label: str = "", merge_key: str | None = None, origin: object = None
    ) -> bool:
        """Edit the plan, all edits or none, as one entry of the undo stack.

        Args:
            edits: paths and values.
            label: of the entry; made from the edit where empty.
            merge_key: entries of one gesture become one.
            origin: the widget that made the edit; it is told of the change but need not repaint.

        Returns:
            Whether it was done; ``refused`` says why not, and nothing has changed.
        """
        edits = tuple(edits)
        try:
            after = self.plan.edit(*edits)
        except Refused as refusal:
            return self._refuse(refusal.path, refusal.message)
        return self._push(after, label or self._label(after, edits), merge_key, origin, edits[0][0] if edits else "")

    def reset(self, path: str) -> bool:
        """Put a field back at its default, undoable."""
        try:
            after = self.plan.reset(path)
        except Refused as refusal:
            return self._refuse(refusal.path, refusal.message)
        about = fields_of(self.plan).get(path)
        return self._push(after, f"Reset {about.title if about else path}", None, None, path)

    def _push(self, after: Plan, label: str, merge_key: str | None, origin: object, path: str) -> bool:
        before = self.plan
        if _same(before, after):
            return True
        try:
            evaluation = evaluate(after, self.catalog, placed=self._counted)
        except Refused as refusal:
            return self._refuse(refusal.path, refusal.message)
        except Exception as error:  # an edit that the engine cannot size must not cost anybody the plan
            log.exception("sizing failed after %s", label)
            return self._refuse(path, f"The chain cannot be sized with this value ({error}); nothing was changed.")
        self.undo_stack.push(PlanCommand(self, before, after, label, merge_key, origin, evaluation))
        self.logged.emit(label)
        self.answers.settle_if_automatic(before)
        return True

    def _refuse(self, path: str, message: str) -> bool:
        self.refused.emit(path, message)
        return False

    def _label(self, after: Plan, edits: tuple[Edit, ...]) -> str:
        if not edits:
            return "Edit"
        path, value = edits[0]
        about = fields_of(after).get(path)
        if about is None:
            return f"Edit {path}"
        inputs, name = after.inputs(path.partition(".")[0]), path.partition(".")[2]
        branches = branches_of(type(inputs), name) if name in type(inputs).model_fields else {}
        titles = {**dict(about.choices), **{kind: branch.branch_title for kind, branch in branches.items()}}
        shown = titles.get(value) or (text(value, about.unit, self.units) if not hasattr(value, "kind") else value.kind)
        if about.multiline and isinstance(value, str):
            shown = _first_line(str(after.value(path)))
        more = f" and {len(edits) - 1} more" if len(edits) > 1 else ""
        return f"{about.title}: {shown if value is not None else about.when_none or 'empty'}{more}"

    def adopt(self, plan: Plan, evaluation: Evaluation | None = None, origin: object = None) -> None:
        """Make a plan the current one: what undo, redo and the layout search do."""
        before, self.edited = self.evaluation, True
        self.evaluation = evaluation if evaluation is not None else evaluate(plan, self.catalog, placed=self._counted)
        self._announce(changed(before, self.evaluation), origin)

    def place(self, after: Placements, label: str, merge_key: str | None = None) -> None:
        """Take over an edit of what is placed, as one entry of the undo stack."""
        if after is self.placements or (after == self.placements and after.racks == self.placements.racks):
            return
        self.undo_stack.push(PlacingCommand(self, self.placements, after, label, merge_key))
        self.logged.emit(label)

    def adopt_placements(self, placements: Placements) -> None:
        """Make these the racks and devices that are placed: what undo and redo do."""
        self.placements = placements
        self._follow(counted_racks(placements, self.catalog))
        self.placed.emit()
        self.file.journal_later()
        self.document_changed.emit()

    def _follow(self, counted: PlacedRacks | None) -> None:
        """Size power, cooling and floor again where other racks are to be counted than before."""
        if counted == self._counted:
            return
        self._counted = counted
        before = self.evaluation
        self.evaluation = evaluate(self.plan, self.catalog, placed=counted)
        self._announce(changed(before, self.evaluation), None)

    def edit_fabric(self, after: FabricEdits, label: str, merge_key: str | None = None) -> None:
        """Take over an edit of the fabric, as one entry of the undo stack."""
        if after == self.fabric_edits:
            return
        self.undo_stack.push(FabricCommand(self, self.fabric_edits, after, label, merge_key))
        self.logged.emit(label)

    def adopt_fabric(self, edits: FabricEdits) -> None:
        """Make these the edits of the fabric: what undo and redo do."""
        self.fabric_edits = edits
        self.fabric_edited.emit()
        self.file.journal_later()
        self.document_changed.emit()

    def select_device(self, name: str, origin: object = None) -> None:
        """Select a device of the fabric in all views, by its name in the fabric; none where it is empty."""
        if name != self.selected_device:
            self.selected_device = name
            self.device_selected.emit(name, origin)

    def amend(self, plan: Plan) -> None:
        """Replace the plan inside the newest undo entry of one (or the plan that was opened, where there is none)."""
        entries = (self.undo_stack.command(i) for i in reversed(range(self.undo_stack.index())))
        command = next((c for c in entries if isinstance(c, PlanCommand)), None)
        if command is not None:
            command.after = plan
        edited = self.edited
        self.adopt(plan)
        self.edited = edited  # nobody but the search has changed anything

    def found_by_search(self, path: str) -> bool:
        """Return whether the value of a field is the layout search's answer, not something that somebody set."""
        layer, _, name = path.partition(".")
        automatic = layer == "parallelism" and self.plan.value("parallelism.layout") == "auto"
        return automatic and name in LAYOUT_FIELDS

    def set_units(self, system: System) -> None:
        """Show SI or US customary units from now on; what is stored stays."""
        if system != self.units:
            self.units = system
            self.units_changed.emit(system)
            self.changed.emit(tuple(self.evaluation.results), None)

    def set_ends(self, ends: BothEnds) -> None:
        """Take over a comparison that the worker has completed."""
        self._ends = ends
        self.ends_changed.emit()

    def _announce(self, layers: tuple[str, ...], origin: object) -> None:
        self._ends = None
        self.changed.emit(layers, origin)
        self._ends_timer.start()
        self.file.journal_later()
        self.document_changed.emit()

    def _on_clean_changed(self, _: bool) -> None:
        self.document_changed.emit()

    def _on_ends_due(self) -> None:
        _ = self.ends
        self.ends_changed.emit()
        self.answers.largest_model_later()

    # --------------------------------------------------------------------------------------------------- documents

    def show_document(self, document: Document) -> None:
        """Put another document in place of this one; the undo stack starts anew.

        Raises:
            Refused: its plan cannot be sized; nothing has changed.
        """
        counted = counted_racks(document.placements, self.catalog)
        evaluation = evaluate(document.plan, self.catalog, placed=counted)
        self.jobs.cancel("settle")
        self._document, self.evaluation, self.lever_report = document, evaluation, None
        self._counted = counted
        self.placements, self.fabric_edits = document.placements, document.fabric
        self.select_device("")
        self.edited = False
        self.undo_stack.clear()
        self.placed.emit()
        self.fabric_edited.emit()
        self._announce(tuple(evaluation.results), None)
        # a file may have been made by a version that searches otherwise
        self.answers.settle_if_automatic(None)

    def new(self) -> None:
        """Start an empty project."""
        self.file.new()

    def open(self, path: str | Path, *, mend: bool = False) -> None:
        """Open a project file.

        Raises:
            ProjectFileError: with one sentence that says what is wrong; nothing has changed.
        """
        self.file.open(path, mend=mend)

    def open_example(self, name: str) -> None:
        """Open a shipped example as a project that was never saved.

        Raises:
            KeyError: there is none of that name.
        """
        self.file.open_example(name)

    def import_config(self, path: str | Path) -> bool:
        """Put the model of a Hugging Face configuration into the plan, undoable.

        Raises:
            NotImportable: the file is none, in one sentence.
        """
        return self.file.import_config(path)

    def save(self, path: str | Path | None = None, *, over: bool = False) -> Path:
        """Save the project: under its name, or another.

        Args:
            path: of the file; where it came from when ``None``.
            over: overwrite a file that somebody else has changed.

        Raises:
            ProjectFileError: in one sentence; the old file is still there.
        """
        return self.file.save(path, over=over)

    def close(self) -> None:
        """End the worker and the journal of unsaved edits."""
        self._ends_timer.stop()
        self.answers.close()
        self.jobs.close()
        self.file.close()


def _first_line(text: str, longest: int = 60) -> str:
    """Return the first line of a text, cut short, and a mark that there is more."""
    line = next((line.strip() for line in text.splitlines() if line.strip()), "")
    return line if line == text.strip() and len(line) <= longest else f"{line[:longest]} …"


def _same(before: Plan, after: Plan) -> bool:
    """Return whether nothing differs: neither values nor which fields somebody has set."""
    pairs = [(before.info, after.info), *((v, after.layers[k]) for k, v in before.layers.items())]
    return all(a is b or (a == b and a.model_fields_set == b.model_fields_set) for a, b in pairs)
