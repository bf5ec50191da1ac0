"""The lab window: puts view, transport, menus and dialogs together around a session."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QVBoxLayout, QWidget

from app.edit.open_file import is_mesh, open_scene
from app.edit.parts import LISTS
from app.i18n.language import language as spoken
from app.i18n.translation import translate, translate_problem
from app.interactors.camera import CameraWork
from app.interactors.grab import Hands
from app.interactors.selection import Handling
from app.messages import GhostLost
from app.panels.background_compilation import CompileAhead
from app.panels.capture.capture_actions import Exports
from app.panels.capture.film_renderer import Studio
from app.panels.capture.recording_bar import TapePanel
from app.panels.crash_recovery import Keeping, name_of, needs_keeping
from app.panels.dialogs import Dialogs
from app.panels.edit_actions import Desk
from app.panels.files.file_actions import Files
from app.panels.modes.modes_panel import ModesPanel
from app.panels.paths.path_panel import PathPanel
from app.panels.plots.plot_panel import PlotPanel
from app.panels.preload import read_ahead
from app.panels.sensor.sensor_panel import SensorPanel
from app.panels.shell.actions import draw_icons, fill_menu_bar, make_actions
from app.panels.shell.dock_manager import Docks
from app.panels.shell.help import show_about, show_keys
from app.panels.shell.menus import fill_gallery, fill_languages, fill_list, fill_switches, fill_themes
from app.panels.shell.qt_translator import use_language
from app.panels.shell.run_errors import Halting
from app.panels.shell.status_bar import Status
from app.panels.shell.theme import wear
from app.panels.shell.transport_bar import Transport
from app.panels.shell.window_context import WindowContext
from app.panels.widgets.icons import app_icon
from app.panels.widgets.problems_dialog import ProblemsDialog
from app.panels.widgets.toast import Notice
from app.panels.widgets.view_recorder import Filming
from app.pyside_workaround import guard_constants
from app.session.document import Document
from app.session.session import Session
from app.session.settings import Settings, Theme
from app.version import version
from app.viewport.base.mesh_preview_loader import Sketches
from app.viewport.driven_redraw import Tuned
from app.viewport.view import SceneView
from app.viewport.widget import ViewWidget
from core.scene import gallery
from core.scene.problem import InputError
from core.simulation.snapshot import Snapshot

SIZE = (1180, 700)  # [pixel] fits a 1366 x 768 screen with a task bar
SMALLEST = (640, 420)  # [pixel]
NUMBERS = 0.1  # [s] between two updates of the numbers: faster ones can't be read


class LabWindow(QMainWindow):
    """A window on one session. The physics starts when the first frame has been seen."""

    def __init__(self, settings: Settings, path: Path | None = None, before: Session | None = None):
        """On a file, or going on with the run of another window's session."""
        guard_constants()
        use_language(settings.language)
        super().__init__()
        self.settings = settings
        self.session = Session(self, before)
        self.successor: LabWindow | None = None  # the window in another language that goes on with the run
        self.view = ViewWidget()
        self._theme = wear(settings.theme)
        self.scene_view = SceneView(self.view.plotter, Sketches(), self._theme, settings.switches, sizes=settings.sizes)
        self.tuned = Tuned(self.scene_view)
        self.deeds = make_actions(self)
        self.notice = Notice(self.view)
        self.status = Status()
        parts = self.session, settings, self.deeds, self.notice, self.status, self.view, self.scene_view
        self._snapshot: Snapshot | None = None
        self._numbers_at = 0.0
        self._make_parts(WindowContext(self, *parts))
        self.files.later = path
        self._lay_out()
        self._connect()
        if before is None:
            self._show_start()
        else:
            self._go_on()
        self.docks.restore(early=True)

    def _make_parts(self, context: WindowContext) -> None:
        self.files = Files(context, self._refuse, lambda: self._theme)
        self.filming = Filming(self.view)
        self.exports = Exports(context, self.filming, self._refuse)
        self.tapes = TapePanel(context, self.files.open, version)
        self.transport = Transport(context)
        self.hands = Hands(self.session, self.view, self.scene_view, self.deeds, self.status)
        self.modes, self.sensor, self.paths = ModesPanel(context), SensorPanel(context), PathPanel(context)
        self.docks = Docks(context)
        self.plots = PlotPanel(context, self.docks)
        self.handling = Handling(self.session, self.view, self.scene_view, self.deeds, self.status)
        self.camera_work = CameraWork(self.session, self.view, self.scene_view, self.deeds, self.status)
        self.desk = Desk(context, self.handling, self.docks, self.plots)
        self.studio = Studio(context, self.plots)
        self.exports.about = self.studio.about
        self.halting = Halting(context)
        self.keeping = Keeping(context)
        self.ahead = CompileAhead(context)
        self.dialogs = Dialogs(context, self.desk, self.docks, self.ahead, self.files.open)
        self.session.remember(self.settings.past)

    def _lay_out(self) -> None:
        self.setWindowIcon(app_icon())
        self.setAcceptDrops(True)
        self.setMinimumSize(*SMALLEST)
        self.resize(*SIZE)
        if self.settings.geometry is not None:
            self.restoreGeometry(self.settings.geometry)
        center = QWidget()
        column = QVBoxLayout(center)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.view, 1)
        column.addWidget(self.transport)
        self.setCentralWidget(center)
        self.setStatusBar(self.status)
        fill_menu_bar(
            self,
            self.deeds,
            {
                "gallery": lambda menu: fill_gallery(menu, self.deeds["scenes"], self.files.open),
                "recent": lambda menu: fill_list(menu, self.settings.recent, str, self.files.open),
                "lost": lambda menu: fill_list(menu, self.keeping.lost[::-1], name_of, self.session.take),
                "add": self.desk.fill_add,
                "show": lambda menu: fill_switches(menu, self.scene_view.visible, self.switch),
                "language": lambda menu: fill_languages(menu, self.speak),
                "theme": lambda menu: fill_themes(menu, self.settings.theme, self.wear),
            },
        )
        draw_icons(self.deeds)

    def _connect(self) -> None:
        for name, slot in {
            "quit": self.close,
            "undo": self.session.undo,
            "redo": self.session.redo,
            "reset": self.halting.reset,
            "parallel": self.view.toggle_parallel,
            "full_screen": lambda: self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen),
            "camera": self.exports.take_picture,
            "record": self.exports.toggle_film,
            "keys": lambda: show_keys(self),
            "about": lambda: show_about(self),
        }.items():
            self.deeds[name].triggered.connect(lambda _checked=False, slot=slot: slot())
        self.session.shown.connect(self._show)
        self.session.refused.connect(self._refuse)
        self.session.edit_refused.connect(lambda error: self.desk.refuse(error) or self._refuse(error))
        self.files.saved.connect(self._title)
        self.files.saved.connect(lambda: self.keeping.watch(self.session.document))
        self.dialogs.spoken.connect(self._speak_from_settings, Qt.ConnectionType.QueuedConnection)  # its list is done
        self.dialogs.worn.connect(self.wear)
        self.dialogs.switched.connect(self.switch)
        self.halting.questioned.connect(self.dialogs.explain_halt)
        self.transport.solver.questioned.connect(self.dialogs.explaining.about)
        self.session.shown.connect(lambda _document: read_ahead())
        self.session.ghost_lost.connect(self._lose)
        self.session.warned.connect(self.notice.warn)
        self.view.change = self._frame
        self.view.is_ready = lambda: self.scene_view.is_built
        self.view.complete = self.scene_view.finish
        self.view.drawn.connect(self._begin, Qt.ConnectionType.SingleShotConnection)
        self.view.drawn.connect(lambda: self.status.frame_drawn(time.perf_counter()))

    # Start and end

    def _show_start(self) -> None:
        """The start of the first scene, before there is any physics."""
        path = self.files.later
        if path is None or is_mesh(path) or not self._sketch(path):
            self._sketch(gallery.path(gallery.DEFAULT))
        else:
            self.files.later = None
        self._title()
        self.notice.prepare()
        self.view.start()

    def _sketch(self, path: Path) -> bool:
        """Show a scene as its file describes it; False for one that can't be shown: opening it later says why."""
        try:
            scene = open_scene(path)
            document = Document(scene, path, saved=scene)
            self.scene_view.show(scene)
        except InputError:
            return False
        self.session.document = document
        self._shown_scene = document.scene
        self.transport.refresh()
        return True

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.fit()

    def _begin(self) -> None:
        """The first frame is on the screen: now the physics may load, or compile."""
        self.docks.restore(early=False)
        if not self.session.ended:
            return
        self.session.start()
        self.session.begin(self.session.document.scene, self.session.document.path)

    def _go_on(self) -> None:
        """Show what runs already."""
        self._shown_scene = self.session.document.scene
        self._show(self.session.document)
        self.session.replay_changed.emit()
        self.transport.refresh()
        self.view.start()

    def speak(self, language: str) -> None:
        """Another window in another language takes the place of this one; what runs goes on running."""
        if language == spoken():
            return
        self.settings.language = language
        self._remember()
        self.successor = LabWindow(self.settings, before=self.session)
        self.successor.plots.inherit(self.plots)
        self.successor.show()
        self.successor.keeping.inherit(self.keeping)
        if self.ahead.begun:
            self.successor.ahead.begin()
        self.successor.filming.inherit(self.filming)
        self.successor.studio.inherit(self.studio)
        self.successor.scene_view.look_like(self.scene_view)
        self.close()

    def _speak_from_settings(self, language: str) -> None:
        """Another window takes the place of this one, with a dialog of its own."""
        self.speak(language)
        if self.successor is not None:
            self.successor.dialogs.set_up()

    def _remember(self) -> None:
        self.settings.geometry = self.saveGeometry()
        self.docks.remember()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Physics first, then what draws: a view that is alive at the end of the interpreter can crash it."""
        for dialog in self.findChildren(QDialog):
            dialog.close()
        if self.successor is None:
            self._remember()
            self.session.stop()
        self.ahead.end()
        self.keeping.close(leave=self.successor is None)
        self.dialogs.log.close()
        self.filming.close()
        self.studio.close()
        self.modes.stop()
        self.sensor.stop()
        self.scene_view.close()
        self.view.stop()
        event.accept()

    # A frame

    def _frame(self) -> bool:
        """Take the newest moment to the view; True if there was one."""
        if not self.scene_view.is_built:
            self.scene_view.build_on()
            return False
        self.session.listen()
        if not self.scene_view.is_built:  # there is another scene
            return False
        self.hands.tick()
        self.session.tell_forces(self.scene_view.needs_forces)
        self.filming.look()
        now = time.perf_counter()
        passed = self.session.passed()
        self.studio.look(passed)
        self.plots.tick(now, passed)
        self.sensor.tick(now)
        self.paths.tick()
        self.keeping.tick(now)
        marked = self.camera_work.tick(now) | self.handling.tick()
        moment = self.session.moment
        if moment is None:
            return marked
        if now - self._numbers_at > NUMBERS:
            self._numbers_at = now
            self.status.show_moment(moment)
            self.transport.show_moment(moment)
            self.tapes.look(moment)
        if moment.snapshot is self._snapshot:
            return self.modes.tick(now) or self.scene_view.catch_up() or marked
        self._snapshot = moment.snapshot
        for each in (other for other in passed if other is not moment):
            self.scene_view.follow(each.snapshot, each.ghosts)
        self.scene_view.update(moment.snapshot, moment.ghosts, reach=False)  # the widget does
        self.tuned.look(moment, now)
        self.modes.tick(now)
        return True

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self.hands.key_up(event)
        super().keyReleaseEvent(event)

    # Drops

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            QTimer.singleShot(0, lambda: self.files.open(paths[0]))  # the drop has ended before a dialog opens

    # What the session says

    def _show(self, document: Document) -> None:
        """The physics has accepted a scene."""
        moment = self.session.moment
        if self.session.meshes is not None:
            self.scene_view.meshes = self.session.meshes
        try:
            now = (moment.snapshot, moment.ghosts) if moment else (None, ())
            self.scene_view.show(document.scene, *now, self.session.built, at_once=False)
        except InputError as error:
            self._refuse(error)
            return
        fresh = not (document.undo or document.redo) and document.scene is not self._shown_scene
        if fresh or not any(getattr(self._shown_scene, key) for key in LISTS):
            self.fit()
        self._shown_scene = document.scene
        self.files.opened(document.path)
        self._title()
        if not (document.undo or document.redo):
            self.notice.end()
        self.view.redraw()
        self.files.open_later()

    def _refuse(self, error: InputError) -> None:
        self.notice.end()
        default = gallery.path(gallery.DEFAULT)
        if self.session.meshes is None and self.session.document.path != default:  # nothing runs yet
            self._sketch(default)
            self.fit()
            self.session.open(default)
        self.status.say(translate_problem(error.problems[0]))
        ProblemsDialog(error, self).open()

    def _lose(self, event: GhostLost) -> None:
        text = self.tr("The ghost '{name}' is gone until the next start: {message}")
        self.notice.say(text.format(name=event.name, message=translate(event.message)), 10.0)

    def _title(self) -> None:
        document = self.session.document
        self.setWindowTitle(f"{name_of(document)}[*] - Polhode")
        self.setWindowModified(needs_keeping(document))
        self.deeds["undo"].setEnabled(bool(document.undo))
        self.deeds["redo"].setEnabled(bool(document.redo))

    # View and export

    def fit(self) -> None:
        """Look at everything, or as the scene wants it."""
        self.scene_view.reset_camera()
        self.view.redraw()

    def switch(self, name: str, on: bool) -> None:
        """Show or hide one kind of thing."""
        self.scene_view.switch(name, on)
        self.settings.switches = self.scene_view.remembered
        self.view.redraw()

    def wear(self, theme: Theme) -> None:
        """Change colours of window and view."""
        self.settings.theme = theme
        self._theme = wear(theme)
        self.scene_view.dress(self._theme)
        draw_icons(self.deeds)
        self.transport.refresh()
        self.docks.dress()
        self.sensor.dress()
        self.view.redraw()
