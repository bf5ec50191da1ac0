"""What a window has besides: nothing unsaved is lost, what was said can be read again, all can be found by typing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint, Qt, QTimer
from PySide6.QtGui import QKeySequence

from app.i18n.field_names import scene_title
from app.i18n.language import tr
from app.panels.arrow_sizes_dialog import SizesDialog
from app.panels.background_compilation import CompileAhead
from app.panels.crash_recovery import Keeping
from app.panels.gallery_dialog import GalleryDialog
from app.panels.preload import read_ahead
from app.panels.settings_dialog import SettingsDialog
from app.panels.shell.command_palette import CommandPalette, Deed
from app.panels.shell.help_window import Explaining
from app.panels.shell.log import Log, LogDialog
from app.panels.shell.menus import plain, scenes, switch_name
from app.panels.widgets.compile_bar import CompileBar
from app.session.autosave import Autosave

if TYPE_CHECKING:
    from app.main_window import LabWindow

CORNER = 24  # [pixel] of the view that a dialog beside it leaves free
PALETTE_LEAVES_OUT = ("palette",)


class Comforts(QObject):
    """Of one window, when all its parts are there."""

    def __init__(self, window: LabWindow):
        super().__init__(window)
        self._window, self._session, self._deeds = window, window.session, window.deeds
        self.log = Log(self)
        self.keeping = Keeping(window.session, window.notice, Autosave(), self)
        window.files.saved.connect(lambda: self.keeping.watch(window.session.document))
        window.notice.said.connect(self.log.write)
        window.status.messageChanged.connect(self.log.write)
        window.status.asked.connect(window.deeds["log"].trigger)
        window.session.remember(window.settings.past)
        self.explaining = Explaining(window)
        self.palette: CommandPalette | None = None
        self.compile_bar = CompileBar(window.view)
        window.session.compiling.connect(self._show_compiling)
        self.ahead = CompileAhead(window.session, window.settings, self)
        window.session.shown.connect(lambda _document: read_ahead())
        window.status.questioned.connect(lambda: self.explaining.about("drift"))
        window.halting.questioned.connect(lambda: self.explaining.about("blew_up"))
        window.transport.solver.questioned.connect(self.explaining.about)
        for name, slot in {
            "explanations": lambda: self.explaining.about("blew_up"),
            "log": lambda: LogDialog(self.log, window).open(),
            "palette": self.find,
            "settings": self.set_up,
            "sizes": self.size_arrows,
            "scenes": lambda: GalleryDialog(window.files.open, window).open(),
        }.items():
            window.deeds[name].triggered.connect(lambda _checked=False, slot=slot: slot())

    def tick(self, wall: float) -> None:
        """A frame at a wall time [s]."""
        self.keeping.tick(wall)

    def close(self, leave: bool) -> None:
        """The window closes; `leave` what is not saved for the next start."""
        self.ahead.end()
        self.keeping.close(leave)
        self.log.close()

    def _show_compiling(self, done: int, total: int) -> None:
        if total and self._session.meshes is None:
            self._window.notice.end()  # the bar says more than that the physics is being prepared
        self.compile_bar.show_progress(done, total)

    def find(self) -> None:
        """Ask what a person wants to do."""
        if self.palette is not None:
            self.palette.deleteLater()
        self.palette = CommandPalette(self._all(), self._window)
        self.palette.show()

    def set_up(self) -> None:
        """Ask how the window is to be."""
        window = self._window
        dialog = SettingsDialog(
            window.settings,
            self._speak,
            window.wear,
            self._remember,
            self.ahead.turn,
            window.docks.place_as_at_first,
            window,
        )
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.open()

    def _speak(self, language: str) -> None:
        """Another window takes the place of this one: when the list of its dialog is done, with a dialog of its own."""
        QTimer.singleShot(0, self, lambda: self._speak_now(language))

    def _speak_now(self, language: str) -> None:
        self._window.speak(language)
        if self._window.successor is not None:
            self._window.successor.comforts.set_up()

    def size_arrows(self) -> None:
        """Ask how long arrows are to be, beside the view that shows them."""
        window = self._window
        dialog = SizesDialog(window.scene_view, window.switch, self._size, window)
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.move(window.view.mapToGlobal(window.view.rect().topLeft() + QPoint(CORNER, CORNER)))
        dialog.show()

    def _size(self, name: str, factor: float) -> None:
        self._window.scene_view.size(name, factor)
        self._window.settings.sizes = self._window.scene_view.sizes
        self._window.view.redraw()

    def _remember(self, megabytes: int) -> None:
        self._window.settings.past = megabytes
        self._session.remember(megabytes)

    def _all(self) -> Iterator[Deed]:
        form = QKeySequence.SequenceFormat.NativeText
        for name, action in self._deeds.items():
            if action.isEnabled() and name not in PALETTE_LEAVES_OUT:
                yield Deed(plain(action.text()), action.shortcut().toString(form), action.trigger)
        for group, addition in self._window.desk.additions():
            words = (self.tr("Add"), *([tr(group)] if group else []), plain(tr(addition.text)))
            yield Deed(" > ".join(words), "", lambda addition=addition: self._window.desk.add(addition))
        for path, scene in scenes():
            yield Deed(scene_title(scene) or path.stem, self.tr("scene"), lambda path=path: self._session.open(path))
        for name, on in self._window.scene_view.visible.items():
            hint = self.tr("hide") if on else self.tr("show")
            yield Deed(switch_name(name), hint, lambda name=name, on=on: self._window.switch(name, not on))
