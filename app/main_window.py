"""The lab window: puts view, transport, menus and dialogs together around a session."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QVBoxLayout, QWidget

from app.edit.open_file import is_mesh, open_scene
from app.i18n.language import language as spoken
from app.i18n.translation import translate, translate_problem
from app.interactors.camera import CameraController
from app.interactors.grab import GrabTool
from app.interactors.selection import SelectionTool
from app.messages import GhostLost
from app.panels.background_compilation import BackgroundCompilation
from app.panels.capture.capture_actions import CaptureActions
from app.panels.capture.film_renderer import FilmRenderer
from app.panels.capture.recording_bar import RecordingActions
from app.panels.crash_recovery import CrashRecovery, document_name, has_unsaved_changes
from app.panels.dialogs import Dialogs
from app.panels.edit_actions import EditActions
from app.panels.files.file_actions import FileActions
from app.panels.modes.modes_panel import ModesPanel
from app.panels.paths.path_panel import PathPanel
from app.panels.plots.plot_panel import PlotPanel
from app.panels.preload import preload_modules
from app.panels.sensor.sensor_panel import SensorPanel
from app.panels.shell.actions import draw_icons, fill_menu_bar, make_actions, retranslate
from app.panels.shell.dock_manager import DockManager
from app.panels.shell.help import show_about, show_keys
from app.panels.shell.menus import fill_gallery, fill_languages, fill_list, fill_switches, fill_themes
from app.panels.shell.qt_translator import use_language
from app.panels.shell.run_errors import RunErrors
from app.panels.shell.status_bar import StatusBar
from app.panels.shell.theme import apply_theme
from app.panels.shell.transport_bar import TransportBar
from app.panels.shell.window_context import WindowContext
from app.panels.widgets.icons import app_icon
from app.panels.widgets.problems_dialog import ProblemsDialog
from app.panels.widgets.toast import Toast
from app.panels.widgets.view_recorder import ViewRecorder
from app.pyside_workaround import guard_constants
from app.session.document import Document
from app.session.session import Session
from app.session.settings import Settings, Theme
from app.version import version
from app.viewport.base.mesh_preview_loader import PreviewLoader
from app.viewport.driven_redraw import DrivenRedraw
from app.viewport.view import SceneView
from app.viewport.widget import ViewWidget
from core.scene import gallery
from core.scene.problem import InputError
from core.simulation.snapshot import Snapshot

SIZE = (1180, 700)  # [pixel] fits a 1366 x 768 screen with a task bar
SMALLEST = (640, 420)  # [pixel]
NUMBERS = 0.1  # [s] between two updates of the numbers: faster ones can't be read


class MainWindow(QMainWindow):
    """A window on one session. The physics starts when the first frame has been seen."""

    def __init__(self, settings: Settings, path: Path | None = None):
        """On a scene, recording or mesh; without, on the default scene."""
        guard_constants()
        use_language(settings.language)
        super().__init__()
        self.settings = settings
        self.session = Session(self)
        self.view = ViewWidget()
        self._theme = apply_theme(settings.theme)
        self.scene_view = SceneView(
            self.view.plotter, PreviewLoader(), self._theme, settings.switches, sizes=settings.sizes
        )
        self.driven_redraw = DrivenRedraw(self.scene_view)
        self.action_table = make_actions(self)
        self.toast = Toast(self.view)
        self.status = StatusBar()
        parts = self.session, settings, self.action_table, self.toast, self.status, self.view, self.scene_view
        self._snapshot: Snapshot | None = None
        self._numbers_at = 0.0
        self._make_parts(WindowContext(self, *parts))
        self.files.later = path
        self._lay_out()
        self._connect()
        self._show_start()
        self.docks.restore(early=True)

    def _make_parts(self, context: WindowContext) -> None:
        self.files = FileActions(context, self._refuse, lambda: self._theme)
        self.view_recorder = ViewRecorder(self.view)
        self.capture_actions = CaptureActions(context, self.view_recorder, self._refuse)
        self.recording_actions = RecordingActions(context, self.files.open, version)
        self.transport = TransportBar(context)
        self.grab_tool = GrabTool(self.session, self.view, self.scene_view, self.action_table, self.status)
        docks = self.docks = DockManager(context)
        self.modes, self.sensor, self.paths = (
            ModesPanel(context, docks),
            SensorPanel(context, docks),
            PathPanel(context, docks),
        )
        self.plots = PlotPanel(context, self.docks)
        self.selection_tool = SelectionTool(self.session, self.view, self.scene_view, self.action_table, self.status)
        self.camera_controller = CameraController(
            self.session, self.view, self.scene_view, self.action_table, self.status
        )
        self.edit_actions = EditActions(context, self.selection_tool, self.docks, self.plots)
        self.film_renderer = FilmRenderer(context, self.plots)
        self.capture_actions.about = self.film_renderer.about
        self.run_errors = RunErrors(context)
        self.crash_recovery = CrashRecovery(context)
        self.background_compilation = BackgroundCompilation(context)
        self.dialogs = Dialogs(context, self.edit_actions, self.docks, self.background_compilation, self.files.open)
        self.session.set_history_size(self.settings.past)

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
        self._fill_menu_bar()
        draw_icons(self.action_table)

    def _fill_menu_bar(self) -> None:
        fill_menu_bar(
            self,
            self.action_table,
            {
                "gallery": lambda menu: fill_gallery(menu, self.action_table["scenes"], self.files.open),
                "recent": lambda menu: fill_list(menu, self.settings.recent, str, self.files.open),
                "lost": lambda menu: fill_list(
                    menu, self.crash_recovery.lost[::-1], document_name, self.session.replace_document
                ),
                "add": self.edit_actions.fill_add,
                "show": lambda menu: fill_switches(menu, self.scene_view.visible, self.set_view_visible),
                "language": lambda menu: fill_languages(menu, self.set_language),
                "theme": lambda menu: fill_themes(menu, self.settings.theme, self.set_theme),
            },
        )

    def _connect(self) -> None:
        for name, slot in {
            "quit": self.close,
            "undo": self.session.undo,
            "redo": self.session.redo,
            "reset": self.run_errors.reset,
            "parallel": self.view.toggle_parallel,
            "full_screen": lambda: self.setWindowState(self.windowState() ^ Qt.WindowState.WindowFullScreen),
            "camera": self.capture_actions.take_picture,
            "record": self.capture_actions.toggle_film,
            "keys": lambda: show_keys(self),
            "about": lambda: show_about(self),
        }.items():
            self.action_table[name].triggered.connect(lambda _checked=False, slot=slot: slot())
        self.session.scene_changed.connect(self._show)
        self.session.refused.connect(self._refuse)
        self.session.edit_refused.connect(lambda error: self.edit_actions.refuse(error) or self._refuse(error))
        self.files.saved.connect(self._title)
        self.files.saved.connect(lambda: self.crash_recovery.watch(self.session.document))
        self.dialogs.spoken.connect(self.set_language, Qt.ConnectionType.QueuedConnection)  # its list is done
        self.dialogs.worn.connect(self.set_theme)
        self.dialogs.switched.connect(self.set_view_visible)
        self.run_errors.questioned.connect(self.dialogs.explain_halt)
        self.transport.solver.questioned.connect(self.dialogs.explaining.about)
        self.session.scene_changed.connect(lambda _document: preload_modules())
        self.session.ghost_lost.connect(self._lose)
        self.session.warned.connect(self.toast.warn)
        self.view.change = self._frame
        self.view.is_ready = lambda: self.scene_view.is_built
        self.view.complete = self.scene_view.finish_build
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
        self.toast.prepare()
        self.view.start()

    def _sketch(self, path: Path) -> bool:
        """Show a scene as its file describes it; False for one that can't be shown: opening it later says why."""
        try:
            scene = open_scene(path)
            document = Document(scene, path, saved=scene)
            self.scene_view.show(scene, generation=document.generation)
        except InputError:
            return False
        self.session.document = document
        self._sketched, self._was_empty = True, document.is_empty
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
        self.session.open_scene(self.session.document.scene, self.session.document.path)

    def set_language(self, language: str) -> None:
        """Show all texts in another language; what runs, is recorded, filmed or held goes on."""
        if language == spoken():
            return
        self.settings.language = language
        use_language(language)  # Qt tells all windows of it

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        retranslate(self.action_table)
        self._fill_menu_bar()
        for part in (self.transport, self.status, self.docks, self.recording_actions, self.capture_actions):
            part.retranslate()
        for part in (self.film_renderer, self.view_recorder, self.run_errors, self.crash_recovery, self.dialogs):
            part.retranslate()
        self.scene_view.retranslate()
        self._title()
        self.view.redraw()

    def _remember(self) -> None:
        self.settings.geometry = self.saveGeometry()
        self.docks.save_layout()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Physics first, then what draws: a view that is alive at the end of the interpreter can crash it."""
        for dialog in self.findChildren(QDialog):
            dialog.close()
        self._remember()
        self.session.stop()
        self.background_compilation.end()
        self.crash_recovery.close()
        self.dialogs.log.close()
        self.view_recorder.close()
        self.film_renderer.close()
        self.modes.stop()
        self.sensor.stop()
        self.scene_view.close()
        self.view.stop()
        event.accept()

    # A frame

    def _frame(self) -> bool:
        """Take the newest moment to the view; True if there was one."""
        if not self.scene_view.is_built:
            self.scene_view.continue_build()
            return False
        now = time.perf_counter()
        self.session.process_events()
        self.crash_recovery.tick(now)
        if not self.scene_view.is_built:  # there is another scene
            return False
        self.grab_tool.tick()
        self.session.set_forces_by_law(self.scene_view.needs_forces)
        self.view_recorder.poll()
        passed = self.session.new_frames()
        self.film_renderer.poll(passed)
        self.plots.tick(now, passed)
        self.sensor.tick(now)
        self.paths.tick()
        marked = self.camera_controller.tick(now) | self.selection_tool.tick()
        moment = self.session.moment
        if moment is None:
            return marked
        if now - self._numbers_at > NUMBERS:
            self._numbers_at = now
            self.status.show_moment(moment)
            self.transport.show_moment(moment)
            self.recording_actions.update(moment)
        if moment.snapshot is self._snapshot:
            return self.modes.tick(now) or self.scene_view.catch_up() or marked
        self._snapshot = moment.snapshot
        for each in (other for other in passed if other is not moment):
            self.scene_view.follow(each.snapshot, each.ghosts)
        self.scene_view.update(moment.snapshot, moment.ghosts, reach=False)  # the widget does
        self.driven_redraw.update(moment, now)
        self.modes.tick(now)
        return True

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self.grab_tool.key_up(event)
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
            self.scene_view.show(
                document.scene, *now, self.session.built, False, self.session.diff, document.generation
            )
        except InputError as error:
            self._refuse(error)
            return
        opened = not self.session.diff.is_edit
        if (opened and not self._sketched) or self._was_empty:
            self.fit()
        self._sketched, self._was_empty = False, document.is_empty
        self.files.opened(document.path)
        self._title()
        if opened:
            self.toast.end()
        self.view.redraw()
        self.files.open_later()

    def _refuse(self, error: InputError) -> None:
        self.toast.end()
        default = gallery.path(gallery.DEFAULT)
        if self.session.meshes is None and self.session.document.path != default:  # nothing runs yet
            self._sketch(default)
            self.fit()
            self.session.open(default)
        self.status.show_text(translate_problem(error.problems[0]))
        ProblemsDialog(error, self).open()

    def _lose(self, event: GhostLost) -> None:
        text = self.tr("The ghost '{name}' diverged and is removed until the next reset: {message}")
        self.toast.show_message(text.format(name=event.name, message=translate(event.message)), 10.0)

    def _title(self) -> None:
        document = self.session.document
        self.setWindowTitle(f"{document_name(document)}[*] - Polhode")
        self.setWindowModified(has_unsaved_changes(document))
        self.action_table["undo"].setEnabled(bool(document.undo))
        self.action_table["redo"].setEnabled(bool(document.redo))

    # View and export

    def fit(self) -> None:
        """Look at everything, or as the scene wants it."""
        self.scene_view.reset_camera()
        self.view.redraw()

    def set_view_visible(self, name: str, on: bool) -> None:
        """Show or hide one kind of thing."""
        self.scene_view.set_visible(name, on)
        self.settings.switches = self.scene_view.remembered
        self.view.redraw()

    def set_theme(self, theme: Theme) -> None:
        """Change colours of window and view."""
        self.settings.theme = theme
        self._theme = apply_theme(theme)
        self.scene_view.set_theme(self._theme)
        draw_icons(self.action_table)
        self.transport.refresh()
        self.docks.set_theme()
        self.view.redraw()
