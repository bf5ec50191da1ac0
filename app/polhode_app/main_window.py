"""Main window: puts the view, the transport bar, menus, docks and dialogs together around a session."""

from __future__ import annotations

import time
from pathlib import Path

from PySide6.QtCore import QEvent, QSize, Qt, QTimer
from PySide6.QtGui import QCloseEvent, QDragEnterEvent, QDropEvent, QKeyEvent, QShowEvent
from PySide6.QtWidgets import QDialog, QMainWindow, QWidget

from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode_app.docks.inspector.edit_actions import EditActions
from polhode_app.docks.lesson.teacher.lesson_actions import LessonActions
from polhode_app.docks.maps.window_maps import WindowMaps
from polhode_app.docks.plots.run_table import TableExport
from polhode_app.docks.sensor.sensor_connection import SensorConnection
from polhode_app.docks.story.story_panel import StoryPanel
from polhode_app.edit.open_file import is_mesh, is_robot, open_scene
from polhode_app.i18n.field_names import named, scene_name
from polhode_app.i18n.language import language as current_language
from polhode_app.i18n.translation import translate, translate_problem
from polhode_app.interactors.camera import CameraController
from polhode_app.interactors.grab import GrabTool
from polhode_app.interactors.joint_tool import JointTool
from polhode_app.interactors.selection import SelectionTool
from polhode_app.messages import GhostLost, SetHistorySize
from polhode_app.pyside_workaround import guard_constants
from polhode_app.session.document import Document
from polhode_app.session.session import Session
from polhode_app.session.settings import MB, Settings, Theme
from polhode_app.version import version
from polhode_app.viewport.base.mesh_preview_loader import PreviewLoader
from polhode_app.viewport.view import SceneView
from polhode_app.viewport.widget import ViewWidget
from polhode_app.window.accessible_window import AccessibleWindow
from polhode_app.window.background_compilation import BackgroundCompilation
from polhode_app.window.build_bar import BuildBar
from polhode_app.window.capture.capture_actions import CaptureActions
from polhode_app.window.capture.film_renderer import FilmRenderer
from polhode_app.window.capture.picture_quality import PictureQuality
from polhode_app.window.capture.recording_bar import RecordingActions
from polhode_app.window.crash_recovery import CrashRecovery, has_unsaved_changes
from polhode_app.window.dialogs import Dialogs
from polhode_app.window.files.file_actions import FileActions
from polhode_app.window.frame_update import FrameUpdate
from polhode_app.window.notices.picture_monitor import PictureMonitor
from polhode_app.window.notices.run_errors import RunErrors
from polhode_app.window.notices.run_monitor import RunMonitor
from polhode_app.window.notices.step_monitor import StepMonitor
from polhode_app.window.parts.uncertain_trails import UncertainTrails
from polhode_app.window.preload import preload_modules
from polhode_app.window.shell.actions import connect, draw_icons, fill_menu_bar, make_actions, retranslate
from polhode_app.window.shell.menus import fill_gallery, fill_languages, fill_list, fill_switches, fill_themes
from polhode_app.window.shell.presentation import Presentation
from polhode_app.window.shell.qt_translator import use_language
from polhode_app.window.shell.status_bar import StatusBar
from polhode_app.window.shell.theme import apply_theme
from polhode_app.window.shell.transport_bar import TransportBar
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.icons import app_icon
from polhode_app.window.widgets.layouts import column_of
from polhode_app.window.widgets.problems_dialog import ProblemsDialog
from polhode_app.window.widgets.toast import Toast

SIZE = (1180, 700)  # [pixel] fits a 1366 x 768 screen with a task bar
SMALLEST = (640, 420)  # [pixel]


class MainWindow(QMainWindow):
    """The main window of one session.

    The initial scene is drawn from its file alone. The simulation thread starts after the first frame is on the screen,
    because loading the compiler takes longer than drawing. Dialogs and docks are created when they are first opened.
    """

    def __init__(self, settings: Settings, path: Path | None = None):
        """Create the window for a scene, recording or mesh; without `path`, for the default scene."""
        guard_constants()
        use_language(settings.language)
        super().__init__()
        self.settings = settings
        self.session = Session(self)
        self.view = ViewWidget()
        self._theme = apply_theme(settings.theme, settings.letters)
        self.scene_view = SceneView(
            self.view.plotter, PreviewLoader(), self._theme, settings.switches, sizes=settings.sizes
        )
        self.action_table = make_actions(self)
        self.toast = Toast(self.view)
        self.status = StatusBar()
        shared = self.session, settings, self.action_table, self.toast, self.status, self.view, self.scene_view
        self.context = WindowContext(self, *shared)
        self._create_parts()
        self.files.pending_file = path
        self._lay_out()
        self._connect()
        self._show_initial_scene()
        self.docks.restore(early=True)

    def _create_parts(self) -> None:
        """Create the parts of the window; `add` registers those whose hooks are called, in this order."""
        context, add = self.context, self.context.add
        self.docks = context.docks
        self.files = FileActions(context, self._show_problems, lambda: self._theme)
        self.crash_recovery = add(CrashRecovery(context))  # first: the last autosave waits for no film
        self.grab_tool, self.selection_tool = GrabTool(context), SelectionTool(context)
        self.camera = CameraController(context)
        self.transport, self.status = add(TransportBar(context)), add(self.status)
        self.edit_actions = EditActions(context, self.selection_tool)
        self.build_bar = add(BuildBar(context, self.edit_actions.adding))
        self.joint_tool = JointTool(context, self.edit_actions.edit)
        self.film_renderer = add(FilmRenderer(context))
        about = self.film_renderer.metadata
        self.capture_actions = add(CaptureActions(context, self.selection_tool, about, self._show_problems))
        self.recording_actions = add(RecordingActions(context, self.files.open, version))
        add(self.docks)
        self.maps = add(WindowMaps(context, self.files))  # behind the docks: it ends the process that theirs uses
        self.sensor = add(SensorConnection(context))
        self.tables = TableExport(context)
        self.run_errors = add(RunErrors(context))
        self.run_monitor = add(RunMonitor(context, self.camera))
        self.step_monitor = add(StepMonitor(context))
        self.picture_monitor = add(PictureMonitor(context, self.camera))
        self.story, self.uncertain_trails = (
            add(StoryPanel(context)),
            add(UncertainTrails(self.session, self.scene_view)),
        )
        self.background_compilation, self.quality = add(BackgroundCompilation(context)), PictureQuality(context)
        self.lessons = LessonActions(context)
        self.dialogs = add(Dialogs(context, self.edit_actions.adding, self.background_compilation, self.files.open))
        self.presentation = Presentation(context, (self.build_bar, self.transport.solver))
        self.accessible = add(AccessibleWindow(context, self.transport, self.build_bar))  # last: it reads their texts
        self.session.send(SetHistorySize(self.settings.past * MB))

    def _lay_out(self) -> None:
        """Set size and icon, and place view, transport bar and status bar."""
        self.setWindowIcon(app_icon())
        self.setAcceptDrops(True)
        available = self.screen().availableGeometry().size()
        self.setMinimumSize(QSize(*SMALLEST).boundedTo(available))
        self.resize(QSize(*SIZE).boundedTo(available))
        if self.settings.geometry is not None:
            self.restoreGeometry(self.settings.geometry)
        center = QWidget()
        column_of((self.view, 1), self.transport, on=center, margins=0, spacing=0)
        self.setCentralWidget(center)
        self.addToolBar(Qt.ToolBarArea.LeftToolBarArea, self.build_bar)
        self.setStatusBar(self.status)
        self._fill_menu_bar()
        draw_icons(self.action_table)

    def _fill_menu_bar(self) -> None:
        """Create the menu bar in the current language; the given functions fill submenus when they open."""
        fill_menu_bar(
            self,
            self.action_table,
            {
                "gallery": lambda menu: fill_gallery(menu, self.action_table["scenes"], self.files.open),
                "recent": lambda menu: fill_list(menu, self.settings.recent, str, self.files.open),
                "lost": lambda menu: fill_list(
                    menu,
                    self.crash_recovery.replaced[::-1],
                    lambda lost: scene_name(lost.scene, lost.path),
                    self.session.replace_document,
                ),
                "add": self.edit_actions.adding.fill_menu,
                "show": lambda menu: fill_switches(menu, self.scene_view.visible, self.set_view_visible),
                "language": lambda menu: fill_languages(menu, self.set_language),
                "theme": lambda menu: fill_themes(menu, self.settings.theme, self.set_theme),
                "quality": self.quality.fill_menu,
            },
        )

    def _connect(self) -> None:
        """Connect actions, and signals that concern more than one part."""
        connect(self.action_table, self)
        self.session.scene_changed.connect(self._on_scene_changed)
        self.session.coming_changed.connect(self._on_coming_changed)
        self.session.refused.connect(self._show_problems)
        self.session.edit_refused.connect(
            lambda error: self.edit_actions.show_edit_error(error) or self._show_problems(error)
        )
        self.session.saved.connect(self._update_title)
        self.session.transport_changed.connect(self._update_title)
        self.session.saved.connect(lambda: self.crash_recovery.watch(self.session.document))
        self.dialogs.language_chosen.connect(
            self.set_language, Qt.ConnectionType.QueuedConnection
        )  # after the list has closed
        self.dialogs.theme_chosen.connect(self.set_theme)
        self.dialogs.view_toggled.connect(self.set_view_visible)
        self.run_errors.help_requested.connect(self.dialogs.explain_divergence)
        self.transport.solver.help_requested.connect(self.dialogs.help_window.show_topic)
        self.session.scene_changed.connect(lambda _document: preload_modules())
        self.session.ghost_lost.connect(self._on_ghost_lost)
        self.session.warned.connect(self.run_monitor.show_warning)
        self.view.change = FrameUpdate(self.context, self.grab_tool, self.camera, self.selection_tool).update
        self.view.is_ready = lambda: self.scene_view.is_built
        self.view.complete = self.scene_view.finish_build
        self.view.drawn.connect(self._start_session, Qt.ConnectionType.SingleShotConnection)
        self.view.drawn.connect(lambda: self.status.frame_drawn(time.perf_counter()))

    # Start and end

    def _show_initial_scene(self) -> None:
        """Draw the initial scene before there is a simulation.

        A recording, a mesh, a robot or an invalid file is opened later by `FileActions`; until then the default scene
        is shown.
        """
        path = self.files.pending_file
        if path is None or is_mesh(path) or is_robot(path) or not self._preview_scene(path):
            self._preview_scene(gallery.path(gallery.DEFAULT))
        else:
            self.files.pending_file = None
        self._update_title()
        self.toast.show_preparing()
        self.view.start()

    def _preview_scene(self, path: Path) -> bool:
        """Draw the scene in a file without simulating it.

        Returns False for a file that cannot be shown; the reason is reported when it is opened.
        """
        try:
            scene = open_scene(path)
            document = Document(scene, path, saved=scene)
            self.scene_view.show(scene, generation=document.generation)
        except InputError:
            return False
        self.session.document = document
        self._is_preview = True
        self.transport.refresh()
        return True

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the camera once the view has its size."""
        super().showEvent(event)
        self.fit()

    def _start_session(self) -> None:
        """Restore the remaining docks and start the simulation; called after the first frame."""
        self.docks.restore(early=False)
        if self.settings.tones:
            self.docks.open("tones")
        if not self.session.ended:
            return
        self.session.start()
        document = self.session.document
        self.session.open_scene(document.scene, document.path)

    def set_language(self, language: str) -> None:
        """Show all texts in another language (a key of LANGUAGES); simulation and recordings continue."""
        if language == current_language():
            return
        self.settings.language = language
        use_language(language)  # Qt tells all windows of it

    def changeEvent(self, event: QEvent) -> None:
        """Retranslate the window when Qt reports a new language."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.LanguageChange:
            self._retranslate()

    def _retranslate(self) -> None:
        """Set all texts of the window and of open dialogs in the current language."""
        retranslate(self.action_table)
        self._fill_menu_bar()
        for part in self.context.parts:
            part.retranslate()
        self.scene_view.retranslate()
        self._update_title()
        self.view.redraw()

    def _save_settings(self) -> None:
        """Store geometry and dock layout."""
        self.presentation.set_active(False)
        self.settings.geometry = self.saveGeometry()
        self.docks.save_layout()

    def closeEvent(self, event: QCloseEvent) -> None:
        """Stop the simulation first and the view, which can crash the interpreter as it exits, last."""
        for dialog in self.findChildren(QDialog):
            dialog.close()
        self._save_settings()
        self.session.stop()
        for part in self.context.parts:
            part.stop()
        self.scene_view.close()
        self.view.stop()
        event.accept()

    # Input

    def keyReleaseEvent(self, event: QKeyEvent) -> None:
        self.grab_tool.key_up(event)
        super().keyReleaseEvent(event)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        if event.mimeData().hasUrls():
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        """Open the first local file that was dropped."""
        paths = [Path(url.toLocalFile()) for url in event.mimeData().urls() if url.isLocalFile()]
        if paths:
            event.acceptProposedAction()
            QTimer.singleShot(0, self, lambda: self.files.open(paths[0]))  # so that the drop ends before a dialog opens

    # Signals of the session

    def _on_scene_changed(self, document: Document) -> None:
        """Rebuild the view for a scene that the simulation has accepted, and let the camera show what is new."""
        frame = self.session.frame
        if self.session.meshes is not None:
            self.scene_view.meshes = self.session.meshes
        try:
            now = (frame.snapshot, frame.ghosts) if frame else (None, ())
            diff, compiled = self.session.diff, self.session.compiled
            self.scene_view.show(document.scene, *now, compiled, False, diff, document.generation)
        except InputError as error:
            self._show_problems(error)
            return
        if (opened := not diff.is_edit) and not self._is_preview:
            self.fit()
        elif diff.adds_items and (box := self.selection_tool.box()) is not None:
            self.camera.include(box.corners)
        self._is_preview = False
        self.files.add_recent(document.path)
        self._update_title()
        if opened:
            self.toast.dismiss()
        self.view.redraw()
        self.files.open_pending()

    def _on_coming_changed(self, document: Document) -> None:
        """Draw a scene, or an edited version of it, as it will start, while its physics is compiled."""
        try:
            self.scene_view.show(document.scene, generation=document.generation)
        except InputError:
            return  # the physics will refuse it, too
        self._is_preview = True
        if not self.session.diff.is_edit:
            self.fit()
        self._update_title()

    def _show_problems(self, error: InputError) -> None:
        """Show why a scene was refused.

        If nothing is simulated yet, the default scene is opened instead.
        """
        self.toast.dismiss()
        default = gallery.path(gallery.DEFAULT)
        if self.session.meshes is None and self.session.document.path != default:
            self._preview_scene(default)
            self.fit()
            self.session.open(default)
        self.status.show_text(translate_problem(error.problems[0]))
        ProblemsDialog(error, self).open()

    def _on_ghost_lost(self, event: GhostLost) -> None:
        """Report a ghost that diverged."""
        text = self.tr("The ghost '{name}' diverged and is removed until the next reset: {message}")
        self.toast.show_message(text.format(name=named(event.name), message=translate(event.message)), 10.0)

    def _update_title(self) -> None:
        """Update title, the mark of unsaved changes, and whether undo and redo are available."""
        document = self.session.shown
        self.setWindowTitle(f"{scene_name(document.scene, document.path)}[*] - Polhode")
        self.setWindowModified(has_unsaved_changes(document))
        self.action_table["undo"].setEnabled(self.session.can_undo)
        self.action_table["redo"].setEnabled(self.session.can_redo)

    # View and export

    def fit(self) -> None:
        """Set the camera to the one of the scene, or to a view of all items."""
        self.scene_view.reset_camera()
        self.view.redraw()

    def set_view_visible(self, name: str, on: bool) -> None:
        """Show or hide a view (a name of the registry), and remember it in the settings."""
        self.scene_view.set_visible(name, on)
        self.settings.switches = self.scene_view.remembered
        self.view.redraw()

    def set_theme(self, theme: Theme) -> None:
        """Set the colours of window and view, and remember them in the settings."""
        self.settings.theme = theme
        self._theme = apply_theme(theme, self.settings.letters)
        self.scene_view.set_theme(self._theme)
        draw_icons(self.action_table)
        for part in self.context.parts:
            part.set_theme()
        self.view.redraw()
