"""Accessibility of a window: keyboard focus, names of its parts, announcements."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QWidget

from polhode_app.edit.parts import name_of
from polhode_app.edit.parts import names as item_names
from polhode_app.i18n.field_names import named, scene_name
from polhode_app.window.accessibility.announcements import Announcer
from polhode_app.window.accessibility.keyboard_focus import KeyboardFocus
from polhode_app.window.accessibility.names import name_controls
from polhode_app.window.accessibility.panes import Panes
from polhode_app.window.accessibility.roles import set_role
from polhode_app.window.build_bar import BuildBar
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.transport_bar import TransportBar
from polhode_app.window.shell.window_context import WindowContext


class AccessibleWindow(QObject, WindowPart):
    """Makes the keyboard focus, the keys between parts and the announcements of one window."""

    def __init__(self, context: WindowContext, transport: TransportBar, build_bar: BuildBar):
        super().__init__(context.window)
        self._context = context
        self._bars = (transport, build_bar)
        self.focus = KeyboardFocus(context.window, context.view, self._panes)
        self.announcer = Announcer(context.window, context.session, context.toast, context.status)
        self.panes = Panes(self.focus, self._panes)
        context.session.scene_changed.connect(lambda _document: self._describe_view())
        context.session.selected.connect(lambda _path: self._describe_view())
        self.retranslate()

    def retranslate(self) -> None:
        """Set all names in the current language."""
        for bar in (*self._bars, self._context.status, self._context.view):
            name_controls(bar)
        surface = self._context.view.surface
        set_role(surface, QAccessible.Role.Graphic)
        surface.setAccessibleName(self.tr("3-D view"))
        self._describe_view()

    def _describe_view(self) -> None:
        """Describe what the view shows: the scene, its number of items, and the selection."""
        session = self._context.session
        scene, path = session.scene, session.selection
        selected = name_of(scene, path) if path else None
        parts = [
            scene_name(session.document.scene, session.document.path),
            self.tr("items: {count}").format(count=len(item_names(scene))),
            self.tr("selected: {name}").format(name=named(selected)) if selected else self.tr("nothing selected"),
        ]
        self._context.view.surface.setAccessibleDescription("; ".join(parts))

    def _panes(self) -> list[QWidget]:
        """The 3-D view, the bars and the open docks, from left to right."""
        docks = [dock for dock in self._context.docks.docks.values() if not dock.visibleRegion().isEmpty()]
        docks.sort(key=lambda dock: (dock.mapToGlobal(dock.rect().topLeft()).x(), dock.y()))
        view, status = self._context.view, self._context.status
        return [view, *self._bars, *docks, status]
