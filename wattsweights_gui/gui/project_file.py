"""The project of a session as a file: open, save, examples, import, and the journal of what is not saved yet."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QTimer

from wattsweights_gui.engine.declare import Refused
from wattsweights_gui.project import examples, recent, recovery, store
from wattsweights_gui.project.document import Document
from wattsweights_gui.project.errors import ProjectFileError
from wattsweights_gui.project.snapshot import FileToken

if TYPE_CHECKING:
    from wattsweights_gui.gui.session import Session

_JOURNAL_AFTER_MS = 800


class ProjectFile:
    """Where the session's document came from and where it goes.

    Attributes:
        path: of the file; ``None`` where it was never saved.
        unsaved: whether there is something to save that no undo entry tells of (an import, recovered work).
        remarks: what was said of the file when it was opened.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self.path: Path | None = None
        self.unsaved = False
        self.remarks: tuple[str, ...] = ()
        self._token: FileToken | None = None
        self._journal: recovery.Journal | None = None
        self._ended: list[recovery.Journal] = []
        self._later = QTimer(session, singleShot=True, interval=_JOURNAL_AFTER_MS)
        self._later.timeout.connect(self._record)

    def new(self) -> None:
        """Start an empty project, its layout searched."""
        self._begin(Document.of(), None, None)
        self.session.logged.emit("New project")
        self.session.answers.settle_if_automatic(None)

    def open(self, path: str | Path, *, mend: bool = False) -> None:
        """Open a project file.

        Raises:
            ProjectFileError: in one sentence; the session is as it was.
        """
        opened = store.load(path, mend=mend)
        self._begin(opened.document, opened.path, opened.token, opened.remarks)
        recent.remember(path)
        self.session.logged.emit(f"Opened {path}")

    def open_example(self, name: str) -> None:
        """Open an example without its file: saving asks for a name.

        Raises:
            KeyError: there is none of that name.
        """
        document = examples.example(name).document
        self._begin(document, None, None)
        self.session.logged.emit(f"Opened the example {name}")

    def recover(self, offered: recovery.Recoverable) -> None:
        """Open unsaved work of an earlier run; its journal goes once ours holds it.

        Raises:
            ProjectFileError: the journal cannot be read.
        """
        document, remarks = recovery.load(offered)
        self._begin(document, offered.file, offered.token, remarks)
        self.unsaved = True
        journal, now = self._journal, offered.at
        assert journal is not None

        def take_over(_: object) -> None:
            journal.record(document, now)
            if not journal.broken:
                recovery.discard(offered)

        self.session.jobs.run("recovery", take_over)
        self.session.logged.emit(f"Recovered the unsaved work of {offered.at}")
        self.session.document_changed.emit()

    def import_config(self, path: str | Path) -> bool:
        """Put the model of a Hugging Face configuration into the plan.

        Raises:
            NotImportable: in one sentence.
        """
        from wattsweights_gui.exchange.registry import imported

        found = imported(path)
        done = self.session.apply(found.edits, f"Import {found.title}")
        for remark in found.remarks if done else ():
            self.session.logged.emit(remark)
        return done

    def save(self, path: str | Path | None = None, *, over: bool = False) -> Path:
        """Save under the project's name, or another.

        Raises:
            ProjectFileError: in one sentence; the old file is still there.
        """
        target = Path(path) if path is not None else self.path
        if target is None:
            raise ValueError("a project that was never saved needs a path")
        if not target.suffix:
            target = target.with_suffix(".watts")
        session, document = self.session, self.session.document
        expected = self._token if target == self.path and not over else None
        now = datetime.now().astimezone().isoformat(timespec="seconds")
        token = store.save(
            document,
            target,
            saved=now,
            expected=expected,
            evaluations={document.scenarios[0].name: session.evaluation},
        )
        self.path, self._token, self.unsaved = target, token, False
        self._later.stop()
        journal = self._journal
        if journal is not None:
            session.jobs.run("journal", lambda _: journal.saved(target, token))
        session.undo_stack.setClean()
        recent.remember(target)
        session.logged.emit(f"Saved {target}")
        session.document_changed.emit()
        return target

    def changed_on_disk(self) -> bool:
        """Return whether somebody else has written the file since it was opened."""
        return self.path is not None and self._token is not None and store.changed_on_disk(self.path, self._token)

    def journal_later(self) -> None:
        """Write the journal once nobody has edited for a moment."""
        if self._journal is not None:
            self._later.start()

    def close(self) -> None:
        """End the journals once the worker has ended: what is not saved now was given up on purpose."""
        self._end_journal()
        for journal in self._ended:
            journal.close()
        self._ended.clear()

    def _begin(
        self, document: Document, path: Path | None, token: FileToken | None, remarks: tuple[str, ...] = ()
    ) -> None:
        try:
            self.session.show_document(document)
        except Refused as refusal:
            raise ProjectFileError(path or "", f"{refusal.path}: {refusal.message}") from None
        self._end_journal()
        self.path, self._token, self.remarks, self.unsaved = path, token, remarks, False
        self._journal = recovery.Journal.start(path, token)
        for remark in remarks:
            self.session.logged.emit(remark)
        self.session.document_changed.emit()

    def _end_journal(self) -> None:
        """Let the worker remove the journal, behind what it may still be writing there."""
        self._later.stop()
        journal, self._journal = self._journal, None
        if journal is not None:
            self._ended.append(journal)  # closed again at the end, should the worker not come to it
            self.session.jobs.cancel("journal")
            self.session.jobs.run(f"end of {journal.path.name}", lambda _: journal.close())

    def _record(self) -> None:
        session, journal = self.session, self._journal
        if journal is None or not session.dirty:
            return
        document, now = session.document, datetime.now().astimezone().isoformat(timespec="seconds")
        session.jobs.run("journal", lambda _: journal.record(document, now))
