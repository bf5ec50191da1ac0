"""File menu: new, open, reload and save, and files dropped on the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from polhode.importers.opening import Robot
from polhode.importers.options import BY_THE_FILE
from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode.scene.scene import SEEN_FROM, Scene
from polhode.scene.variants.conversion import in_newest_format
from polhode_app.edit.contacts import with_floor
from polhode_app.edit.open_file import (
    DATA_ENDINGS,
    FILM_ENDINGS,
    MAP_ENDINGS,
    MESH_ENDINGS,
    RECORDING,
    SCENE_ENDINGS,
    is_data,
    is_map,
    is_mesh,
    is_recording,
    is_robot,
    own_folder,
)
from polhode_app.window.files.robot_dialog import ask_about_robot
from polhode_app.window.files.save_dialog import EXTENSION, ask_file
from polhode_app.window.shell.window_context import WindowContext


class FileActions(QObject):
    """Opens and saves the document of the session.

    Opening prepares a scene in the background; errors are reported by the session.
    """

    map_wanted = Signal(object)
    """Path of a map that is to be opened."""

    def __init__(self, context: WindowContext, show_problems: Callable[[InputError], None], theme: Callable[[], str]):
        """`show_problems` reports an InputError, `theme` returns the name of the current theme."""
        super().__init__(context.window)
        self._window, self._session = context.window, context.session
        self._settings, self._toast, self._docks = context.settings, context.toast, context.docks
        self._show_problems, self._theme = show_problems, theme
        self.pending_file: Path | None = None  # opened as soon as the core is loaded
        self.choices = BY_THE_FILE  # for the next robot that is opened

    def new(self) -> None:
        """Open a scene with nothing but a floor, paused until it is played or another one is opened."""
        self._session.set_speed(1.0)
        self._session.play(False)
        self._session.open_scene(with_floor(Scene(format=SEEN_FROM)).in_folder(self._folder()))

    def _run_opened(self) -> None:
        """Run the scene that is being opened at the usual speed: a pause or slow motion would make it look frozen."""
        if self._session.is_pending:
            self._session.set_speed(1.0)
            self._session.play(True)

    def open(self, path: Path) -> None:
        """Open a scene, a recording, a map or measured data, or ask how to import a mesh or a robot.

        All but scenes need the compiled core; if it is not loaded yet the file is kept in `pending_file`.
        """
        if (is_recording(path) or is_map(path) or is_data(path)) and self._session.meshes is None:
            self.pending_file = path
        elif is_map(path):
            self.map_wanted.emit(path)
        elif is_data(path):
            self._docks.open("measured", lambda dock: dock.open(path))
        elif is_mesh(path):
            self._ask_mesh(path)
        elif is_robot(path):
            self._ask_robot(path)
        elif is_recording(path):
            text = self.tr("Reading {name}...").format(name=path.name)
            self._toast.show_message(text, None, {self.tr("Cancel"): self._cancel_opening})
            self._session.open(path)
        else:
            self._toast.show_preparing()
            is_another = path != self._session.document.path
            self._session.open(path)
            if is_another:
                self._run_opened()

    def _cancel_opening(self) -> None:
        self._session.opening.cancel()
        self._toast.dismiss()

    def open_pending(self) -> None:
        """Open the pending file, once the core is loaded."""
        if self.pending_file is not None:
            path, self.pending_file = self.pending_file, None
            self.open(path)

    def ask_open(self) -> None:
        """Ask for a file and open it."""
        text = self.tr("Scenes, meshes, recordings, maps and measured data ({endings})")
        self._ask(
            self.tr("Open"),
            text,
            (*SCENE_ENDINGS, *MESH_ENDINGS, RECORDING, *MAP_ENDINGS, *DATA_ENDINGS, *FILM_ENDINGS),
        )

    def ask_mesh(self) -> None:
        """Ask for a mesh and open it."""
        self._ask(self.tr("Import mesh"), self.tr("Meshes ({endings})"), MESH_ENDINGS)

    def _ask(self, title: str, kinds: str, endings: tuple[str, ...]) -> None:
        """Ask for a file with one of these endings and open it."""
        kinds = kinds.format(endings=" ".join(f"*{ending}" for ending in endings))
        name, _ = QFileDialog.getOpenFileName(self._window, title, str(self._folder()), kinds)
        if name:
            self.open(Path(name))

    def reload(self) -> None:
        """Open the file of the document again."""
        if self._session.document.path is not None:
            self.open(self._session.document.path)

    def convert(self) -> None:
        """Make the scene one of the newest format that computes the same, as an edit."""
        scene = self._session.scene
        if (converted := in_newest_format(scene)) == scene:
            text = self.tr("The scene has the newest format, {number}.").format(number=scene.format)
        else:
            self._session.edit(converted)
            text = self.tr("The scene has format {number} now, and computes the same.").format(number=converted.format)
        self._toast.show_message(text)

    def save(self) -> None:
        """Save to the file of the document. Built-in scenes and files of other formats ask for a new one."""
        path = self._session.document.path
        # built-in scenes and UDF files are not overwritten
        if path is None or path.parent == gallery.FOLDER or path.suffix.lower() != EXTENSION:
            self.ask_save()
        else:
            self._save(path)

    def ask_save(self) -> None:
        """Ask for a file and save to it."""
        path = ask_file(self._window, self._folder(), self._session.document.scene.title)
        if path is not None:
            self._save(path)

    def _save(self, path: Path) -> None:
        """Save to a path and show a message."""
        if self._session.save(path):
            self.add_recent(path)
            self._toast.show_message(self.tr("Saved as {path}").format(path=path))

    def add_recent(self, path: Path | None) -> None:
        """Add a file to the list of recent files, unless it is built-in or temporary."""
        if path is not None and own_folder(path) is not None:
            self._settings.opened(path)

    def _folder(self) -> Path:
        """Folder in which dialogs start: that of the document, or the working directory."""
        return own_folder(self._session.document.path) or Path.cwd()

    def _ask_robot(self, path: Path) -> None:
        """Show what of a robot is used and left out, and open it."""

        def open_robot(robot: Robot) -> None:
            self._toast.show_preparing()
            self._session.open_scene(robot.scene, path)
            self._run_opened()

        choices, self.choices = self.choices, BY_THE_FILE
        try:
            ask_about_robot(path, self._window, open_robot, choices)
        except InputError as error:
            self._show_problems(error)

    def _ask_mesh(self, path: Path) -> None:
        """Ask how to import a mesh and open the resulting scene."""
        meshes = self._session.meshes
        if meshes is None:
            self.pending_file = path
            return
        # Imported here, because it loads the compiler (numba), which would delay the first frame.
        from polhode_app.window.files.mesh_import import ask_to_hang

        def open_scene(scene: Scene) -> None:
            self._session.open_scene(scene)
            self._run_opened()
            self._settings.opened(path)

        try:
            ask_to_hang(path, meshes, self._theme(), self._window, open_scene)
        except InputError as error:
            self._show_problems(error)
