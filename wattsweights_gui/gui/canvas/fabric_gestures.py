"""What a hand does on the fabric, one class a gesture: started, moved, then ended or cancelled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt

from wattsweights_gui.gui.canvas.fabric_places import HIGH, PORT
from wattsweights_gui.gui.canvas.gestures import Gesture
from wattsweights_gui.layout import fabric_edits
from wattsweights_gui.layout.fabric_edits import End
from wattsweights_gui.layout.fabric_kinds import FabricKind
from wattsweights_gui.layout.fabric_linking import caution, link, why_no_link

if TYPE_CHECKING:
    from wattsweights_gui.gui.canvas.fabric_view import FabricView

_A_DRAG = 6


class PanFabric:
    """The sheet follows the hand."""

    def __init__(self, view: FabricView, at: QPoint) -> None:
        self._view, self._last = view, at
        view.viewport().setCursor(Qt.CursorShape.ClosedHandCursor)

    def move(self, at: QPoint) -> None:
        """Scroll by what the pointer moved."""
        step = at - self._last
        self._last = at
        for bar, by in ((self._view.horizontalScrollBar(), step.x()), (self._view.verticalScrollBar(), step.y())):
            bar.setValue(bar.value() - by)

    def end(self, at: QPoint) -> None:
        """Let go."""
        self._view.viewport().unsetCursor()

    def cancel(self) -> None:
        """Let go."""
        self._view.viewport().unsetCursor()


class ChooseBand:
    """A rectangle that chooses the devices in it."""

    def __init__(self, view: FabricView, at: QPoint, add: bool) -> None:
        self._view, self._from = view, at
        self._before = set(view.look.chosen) if add else set()

    def move(self, at: QPoint) -> None:
        """Choose what lies in the rectangle now."""
        area = QRect(self._from, at).normalized()
        self._view.show_band(area)
        self._view.choose(self._before | self._view.devices_in(area))

    def end(self, at: QPoint) -> None:
        """Keep what was chosen."""
        self._view.show_band(None)

    def cancel(self) -> None:
        """Choose what had been chosen before."""
        self._view.show_band(None)
        self._view.choose(self._before)


class PlaceKind:
    """A new device from the palette on its way onto the drawing."""

    def __init__(self, view: FabricView, kind: FabricKind) -> None:
        self._view, self._kind = view, kind
        self._where: QPointF | None = None
        self._wide = max(40.0, kind.ports * PORT if kind.node else kind.ports * PORT / 2.0)

    def move(self, at: QPoint) -> None:
        """Show where it would lie, and what it would be there."""
        view = self._view
        self._where = None
        if not view.viewport().rect().contains(at):
            view.ghost.setVisible(False)
            return
        point = view.mapToScene(at)
        self._where = QPointF(point.x() - self._wide / 2.0, point.y() - HIGH / 2.0)
        role = "node" if self._kind.node else view.drawing.role_at(self._where.y())
        words = f"{self._kind.name} as a {role}, {self._kind.figures}"
        view.ghost.show_outlines([QRectF(self._where.x(), self._where.y(), self._wide, HIGH)], words, point)

    def end(self, at: QPoint) -> None:
        """Put it there."""
        self.move(at)
        view = self._view
        view.ghost.setVisible(False)
        if self._where is not None:
            view.place(self._kind, self._where)

    def cancel(self) -> None:
        """Put it back into the palette."""
        self._view.ghost.setVisible(False)


class DrawLink:
    """A link on its way from a port to another one; over a device it takes the first free port."""

    def __init__(self, view: FabricView, start: End, at: QPoint) -> None:
        self._view, self._start, self._from = view, start, at
        self._target: End | None = None

    def _aim(self, at: QPoint) -> End | None:
        view = self._view
        port = view.port_at(at)
        if port is not None:
            return port
        name = view.device_at(at)
        if not name:
            return None
        fabric = view.fabric
        device, other = fabric.index_of[name], fabric.index_of[self._start[0]]
        free = fabric.free_port(device, other)
        return name, free if free is not None else 0

    def move(self, at: QPoint) -> None:
        """Show the link, or why it cannot be."""
        view, fabric = self._view, self._view.fabric
        point = view.mapToScene(at)
        start = view.mapToScene(view.point_of(*self._start))
        self._target = self._aim(at)
        here = _words(view, self._start)
        if self._target is None or self._target == self._start:
            taken = fabric.link_of(fabric.index_of[self._start[0]], self._start[1])
            reason = f"{here} is taken: delete its link first." if taken is not None else ""
            view.ghost.show_line(start, point, reason, "", f"{here}: to another port")
            return
        refused = why_no_link(fabric, self._start, self._target)
        end = view.mapToScene(view.point_of(*self._target))
        view.ghost.show_line(
            start,
            end,
            refused.reason if refused else "",
            "" if refused else caution(fabric, self._start, self._target),
            f"{here} to {_words(view, self._target)}",
        )

    def end(self, at: QPoint) -> None:
        """Draw it."""
        if (at - self._from).manhattanLength() < _A_DRAG:
            self.cancel()
            key = self._view.key_at(self._start)
            self._view.choose((), {key}) if key is not None else self._view.choose({self._start[0]})
            return
        self.move(at)
        view = self._view
        view.ghost.setVisible(False)
        if self._target is not None and self._target != self._start:
            label = f"Link {self._start[0]} to {self._target[0]}"
            view.take(link(view.fabric, self._start, self._target), label)

    def cancel(self) -> None:
        """Leave both ports as they are."""
        self._view.ghost.setVisible(False)


def _words(view: FabricView, end: End) -> str:
    return f"{end[0]} port {view.fabric.port_name(view.fabric.index_of[end[0]], end[1])}"


class MoveDevices:
    """Devices on their way to another place of the drawing."""

    def __init__(self, view: FabricView, at: QPoint) -> None:
        self._view, self._from = view, view.mapToScene(at)
        self._names = tuple(view.look.chosen)

    def _boxes(self, at: QPoint) -> list[tuple[str, QRectF]]:
        by = self._view.mapToScene(at) - self._from
        return [(name, self._view.box_of(name).translated(by)) for name in self._names]

    def move(self, at: QPoint) -> None:
        """Show where they would lie."""
        words = self._names[0] if len(self._names) == 1 else f"{len(self._names)} devices"
        boxes = [box for _, box in self._boxes(at)[:400]]
        self._view.ghost.show_outlines(boxes, words, self._view.mapToScene(at))

    def end(self, at: QPoint) -> None:
        """Put them there."""
        view = self._view
        view.ghost.setVisible(False)
        places = {name: (box.x(), box.y()) for name, box in self._boxes(at)}
        words = self._names[0] if len(self._names) == 1 else f"{len(self._names)} devices"
        view.take(fabric_edits.move(view.fabric.edits, places), f"Move {words}")

    def cancel(self) -> None:
        """Leave them where they are."""
        self._view.ghost.setVisible(False)


class PressFabric:
    """A button that went down on the drawing: a click, or the start of a move or of a rectangle."""

    def __init__(self, view: FabricView, at: QPoint, add: bool) -> None:
        self._view, self._at, self._add = view, at, add
        self._inner: Gesture | None = None
        self._found = view.device_at(at)
        self._was_chosen = self._found in view.look.chosen
        if self._found and not self._was_chosen:
            view.choose({self._found} | (view.look.chosen if add else set()))

    def move(self, at: QPoint) -> None:
        """Become a move or a rectangle once the hand has gone far enough."""
        if self._inner is None:
            if (at - self._at).manhattanLength() < _A_DRAG:
                return
            view = self._view
            self._inner = MoveDevices(view, self._at) if self._found else ChooseBand(view, self._at, self._add)
        self._inner.move(at)

    def end(self, at: QPoint) -> None:
        """End what it became, or take it for a click."""
        if self._inner is not None:
            self._inner.end(at)
            return
        view = self._view
        if self._found:
            if self._add and self._was_chosen:
                view.choose(view.look.chosen - {self._found})
            elif not self._add:
                view.choose({self._found})
            return
        key = view.link_at(at)
        links = {key} if key is not None else set()
        if self._add:
            view.choose(view.look.chosen, view.look.chosen_links ^ links)
        else:
            view.choose((), links)

    def cancel(self) -> None:
        """Leave everything as it was."""
        if self._inner is not None:
            self._inner.cancel()
