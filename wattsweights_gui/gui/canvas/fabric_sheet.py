"""The sheet with the fabric: shows it from near and far, what is chosen on it, and knows what is where."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QRect, QRectF, Qt, Signal
from PySide6.QtWidgets import QGraphicsScene, QGraphicsView, QWidget

from wattsweights_gui.gui.canvas.fabric_devices_item import DevicesItem
from wattsweights_gui.gui.canvas.fabric_ghost import FabricGhost
from wattsweights_gui.gui.canvas.fabric_links_item import LinksItem
from wattsweights_gui.gui.canvas.fabric_look import PORTS_FROM, FabricLook, Overlay
from wattsweights_gui.gui.canvas.fabric_places import HIGH, PORT, Drawing, drawing_of
from wattsweights_gui.gui.canvas.inks import Inks
from wattsweights_gui.layout.edited_fabric import EditedFabric
from wattsweights_gui.layout.fabric_edits import End, LinkKey

NEAREST, FARTHEST = 6.0, 0.01
_LARGEST_FIT = 1.2
_MARGIN = 120.0
_NEAR_LINK_PX = 5.0


class FabricSheet(QGraphicsView):
    """The whole fabric.

    Signals:
        chosen: other devices or links are chosen.
        refused: a sentence on why an edit cannot be, or what speaks against one that was done.
        looked: another part is in sight, or at another zoom.
    """

    chosen = Signal()
    refused = Signal(str)
    looked = Signal()

    def __init__(self, session: Any, theme: Any, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("fabric view")
        self.setAccessibleName("Fabric")
        self.session, self.theme = session, theme
        self.look = FabricLook(Inks(theme))
        self.links_item, self.devices_item = LinksItem(self.look), DevicesItem(self.look)
        self.ghost = FabricGhost(self.look.inks)
        self._fitted = self._whole = False
        self.setScene(QGraphicsScene(self))
        self.scene().setItemIndexMethod(QGraphicsScene.ItemIndexMethod.NoIndex)
        for item in (self.links_item, self.devices_item, self.ghost):
            self.scene().addItem(item)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorUnderMouse)
        self.setResizeAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        # which lines are shown follows from what is in sight, so that no strip can be painted alone
        self.setViewportUpdateMode(QGraphicsView.ViewportUpdateMode.FullViewportUpdate)
        self.setOptimizationFlag(QGraphicsView.OptimizationFlag.DontSavePainterState)
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        # bars that come and go would change the room that the whole is fitted into, and that would change the bars
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        for bar in (self.horizontalScrollBar(), self.verticalScrollBar()):
            bar.valueChanged.connect(self.looked)
        theme.changed.connect(self._theme_changed)
        self._theme_changed()

    @property
    def fabric(self) -> EditedFabric:
        """The fabric that is shown."""
        return self.look.wires

    @property
    def drawing(self) -> Drawing:
        """Where its parts lie."""
        return self.look.places

    @property
    def scale_now(self) -> float:
        """Pixels a unit of the scene."""
        return float(self.transform().m11())

    def show_fabric(self, fabric: EditedFabric) -> None:
        """Show a fabric."""
        same_plan = self.look.fabric is not None and self.look.fabric.base is fabric.base
        same_sheet = same_plan and self.fabric.edits.from_plan == fabric.edits.from_plan
        before = set(self.look.chosen)
        self.look.show(fabric, drawing_of(fabric))
        left, top, right, bottom = self.drawing.bounds()
        area = QRectF(left, top, right - left, bottom - top)
        more = max(_MARGIN, 0.15 * max(area.width(), area.height()))
        area.adjust(-more, -more, more, more)
        # a sheet that shrank under the hand would move what is in sight
        self.setSceneRect(area.united(self.sceneRect()) if same_sheet else area)
        for item in (self.links_item, self.devices_item):
            item.set_area(self.sceneRect())
        if not same_sheet and self.isVisible():
            self.fit_start()
        if before != self.look.chosen:
            self.chosen.emit()
        self.viewport().update()
        self.looked.emit()

    def show_overlay(self, overlay: Overlay) -> None:
        """Show colours and widths over the drawing."""
        self.look.overlay = overlay
        self.viewport().update()

    def _theme_changed(self) -> None:
        self.look.inks = self.ghost.inks = Inks(self.theme)
        self.setBackgroundBrush(self.look.inks.ground)
        self.viewport().update()

    # -------------------------------------------------------------------------------------------------- what is where

    def device_at(self, at: QPoint) -> str:
        """Return the name of the device at a point of the view; empty where there is none."""
        if self.look.drawing is None:
            return ""
        point = self.mapToScene(at)
        found = self.drawing.device_at(point.x(), point.y())
        return self.fabric.name(found) if found is not None else ""

    def port_at(self, at: QPoint) -> End | None:
        """Return the port at a point of the view, where the zoom shows ports."""
        if self.look.drawing is None or self.scale_now < PORTS_FROM:
            return None
        point = self.mapToScene(at)
        device = self.drawing.device_at(point.x(), point.y(), PORT)
        if device is None:
            return None
        ports = np.arange(int(self.fabric.devices.ports[device]))
        x, y = self.drawing.port_points(np.full(len(ports), device), ports, np.full(len(ports), len(ports)))
        inside = np.where(y > self.drawing.y[device] + 1.0, -PORT / 2.0, PORT / 2.0)
        away = np.maximum(np.abs(x - point.x()), np.abs(y + inside - point.y()))
        near = int(np.argmin(away)) if len(away) else 0
        if not len(away) or away[near] > PORT * 0.75:
            return None
        return self.fabric.name(device), near

    def link_at(self, at: QPoint) -> LinkKey | None:
        """Return the link at a point of the view, where the zoom shows single links."""
        if self.look.drawing is None or self.scale_now < PORTS_FROM:
            return None
        point = self.mapToScene(at)
        found = self.drawing.link_at(point.x(), point.y(), _NEAR_LINK_PX / self.scale_now)
        return self.fabric.key(found) if found is not None else None

    def block_at(self, at: QPoint) -> int | None:
        """Return the block at a point of the view."""
        if self.look.drawing is None:
            return None
        point = self.mapToScene(at)
        for number, block in enumerate(self.drawing.blocks):
            if QRectF(block.x, block.y, block.wide, block.high).contains(point):
                return number
        return None

    def devices_in(self, area: QRect) -> set[str]:
        """Return the names of the devices that a rectangle of the view touches."""
        part = self.mapToScene(area).boundingRect()
        found = self.drawing.devices_in(part.left(), part.top(), part.right(), part.bottom())
        return {self.fabric.name(int(device)) for device in found}

    def point_of(self, name: str, port: int | None = None) -> QPoint:
        """Return the middle of a device, or of one of its ports, as a point of the view."""
        device = self.fabric.index_of[name]
        if port is None:
            return self.mapFromScene(self.box_of(name).center())
        ports = int(self.fabric.devices.ports[device])
        x, y = self.drawing.port_points(np.array([device]), np.array([port]), np.array([ports]))
        inside = -PORT / 2.0 if y[0] > self.drawing.y[device] + 1.0 else PORT / 2.0
        return self.mapFromScene(QPointF(float(x[0]), float(y[0]) + inside))

    def box_of(self, name: str) -> QRectF:
        """Return the box of a device in the scene."""
        device = self.fabric.index_of[name]
        drawing = self.drawing
        return QRectF(float(drawing.x[device]), float(drawing.y[device]), float(drawing.wide[device]), HIGH)

    # ------------------------------------------------------------------------------------------- choosing

    def choose(self, devices: Iterable[str], links: Iterable[LinkKey] = ()) -> None:
        """Choose devices, or links; what is not there is passed over."""
        if self.look.fabric is None:
            return
        new = {name for name in devices if name in self.fabric.index_of}
        new_links = set(links)
        if new == self.look.chosen and new_links == self.look.chosen_links:
            return
        self.look.chosen, self.look.chosen_links = new, new_links
        self.look.light()
        self.viewport().update()
        self.chosen.emit()

    def go_to(self, name: str) -> None:
        """Choose a device and bring it into sight, near enough to read its name."""
        if self.look.fabric is None or name not in self.fabric.index_of:
            return
        self.choose({name})
        least = max(PORTS_FROM, 60.0 / self.box_of(name).width())
        if self.scale_now < least:
            self.zoom(least / self.scale_now)
        self.centerOn(self.box_of(name).center())
        self.looked.emit()

    # --------------------------------------------------------------------------------------------------- zoom and pan

    def zoom(self, factor: float) -> None:
        """Zoom in or out, between limits."""
        now = self.scale_now
        factor = min(max(now * factor, FARTHEST), NEAREST) / now
        self._whole = False
        self.scale(factor, factor)
        self.looked.emit()

    def fit(self) -> None:
        """Show the whole fabric."""
        if self.look.drawing is not None:
            left, top, right, bottom = self.drawing.bounds()
            self._fit(QRectF(left, top, right - left, bottom - top).adjusted(-60, -80, 60, 60))
            self._whole = True

    def fit_start(self) -> None:
        """Show the whole fabric for the first time."""
        self._fitted = True
        self.fit()

    def fit_chosen(self) -> None:
        """Show the chosen devices as large as they go."""
        area = QRectF()
        for name in self.look.chosen:
            area = area.united(self.box_of(name))
        if self.look.chosen:
            self._fit(area.adjusted(-60, -60, 60, 60), NEAREST / 2)
        else:
            self.fit()

    def _fit(self, area: QRectF, most: float = _LARGEST_FIT) -> None:
        self._whole = False
        self.fitInView(area, Qt.AspectRatioMode.KeepAspectRatio)
        if self.scale_now > most:
            self.scale(most / self.scale_now, most / self.scale_now)
            self.centerOn(area.center())
        self.looked.emit()
