"""What a window has besides: nothing unsaved is lost, what was said can be read again, all can be found by typing."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction, QKeySequence
from PySide6.QtWidgets import QMainWindow

from app.autosave import Autosave
from app.panels.command_palette import CommandPalette, Deed
from app.panels.keeping import Keeping
from app.panels.log import Log, LogDialog
from app.panels.menus import scenes, switch_name
from app.panels.notice import Notice
from app.panels.status import Status
from app.session import Session
from app.viewport.view import SceneView

PALETTE_LEAVES_OUT = ("palette",)


class Comforts(QObject):
    def __init__(
        self,
        window: QMainWindow,
        session: Session,
        scene_view: SceneView,
        deeds: dict[str, QAction],
        notice: Notice,
        status: Status,
        switch: Callable[[str, bool], None],
    ):
        super().__init__(window)
        self._window, self._session, self._scene_view, self._deeds = window, session, scene_view, deeds
        self._switch = switch
        self.log = Log(self)
        self.keeping = Keeping(session, notice, Autosave(), self)
        notice.said.connect(self.log.write)
        status.messageChanged.connect(self.log.write)
        status.asked.connect(deeds["log"].trigger)
        deeds["log"].triggered.connect(lambda: LogDialog(self.log, window).open())
        deeds["palette"].triggered.connect(self.find)

    def tick(self, wall: float) -> None:
        """A frame at a wall time [s]."""
        self.keeping.tick(wall)

    def close(self, leave: bool) -> None:
        """The window closes; `leave` what is not saved for the next start."""
        self.keeping.close(leave)
        self.log.close()

    def find(self) -> None:
        """Ask what a person wants to do."""
        self.palette = CommandPalette(self._all(), self._window)
        self.palette.show()

    def _all(self) -> Iterator[Deed]:
        form = QKeySequence.SequenceFormat.NativeText
        for name, action in self._deeds.items():
            if action.isEnabled() and name not in PALETTE_LEAVES_OUT:
                yield Deed(plain(action.text()), action.shortcut().toString(form), action.trigger)
        for path, scene in scenes():
            yield Deed(scene.title or path.stem, self.tr("scene"), lambda path=path: self._session.open(path))
        for name, on in self._scene_view.visible.items():
            hint = self.tr("hide") if on else self.tr("show")
            yield Deed(switch_name(name), hint, lambda name=name, on=on: self._switch(name, not on))


def plain(text: str) -> str:
    """The text of an action without its letter to press, "(&F)" or "&F", and without dots."""
    head, bracket, tail = text.partition("(&")
    text = head + tail[2:] if bracket else text.replace("&", "")
    return text.removesuffix("...")
