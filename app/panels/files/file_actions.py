"""The files of the window: new, open, save, and what is dropped on it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from app.edit.open_file import MESH_ENDINGS, RECORDING, SCENE_ENDINGS, is_mesh, is_recording, own_folder
from app.panels.files.save_dialog import ENDING, ask_file
from app.panels.shell.window_context import WindowContext
from core.scene import gallery
from core.scene.problem import InputError
from core.scene.scene import Scene


class FileActions(QObject):
    """Opens and saves the document of a session."""

    saved = Signal()

    def __init__(self, context: WindowContext, refuse: Callable[[InputError], None], theme: Callable[[], str]):
        super().__init__(context.window)
        self._window, self._session = context.window, context.session
        self._settings, self._toast = context.settings, context.toast
        self._refuse, self._theme = refuse, theme
        self.later: Path | None = None  # a file to open as soon as the physics is there
        for name, slot in {
            "new": self.new,
            "open": self.ask_open,
            "reload": self.reload,
            "save": self.save,
            "save_as": self.ask_save,
        }.items():
            context.actions[name].triggered.connect(lambda _checked=False, slot=slot: slot())

    def new(self) -> None:
        """An empty scene, which rests until something is in it."""
        self._session.play(False)
        self._session.open_scene(Scene().in_folder(self._folder()))

    def open(self, path: Path) -> None:
        """Open a scene, or ask how to hang up a mesh."""
        if is_recording(path) and self._session.meshes is None:
            self.later = path
        elif is_mesh(path):
            self._ask_mesh(path)
        elif is_recording(path):
            text = self.tr("Reading {name}...").format(name=path.name)
            self._toast.show_message(text, None, {self.tr("Cancel"): self._cancel_opening})
            self._session.open(path)
        else:
            self._toast.show_message(self.tr("Preparing the physics..."), None)
            self._session.open(path)

    def _cancel_opening(self) -> None:
        self._session.cancel_opening()
        self._toast.dismiss()

    def open_later(self) -> None:
        """Open what waits."""
        if self.later is not None:
            path, self.later = self.later, None
            self.open(path)

    def ask_open(self) -> None:
        endings = " ".join(f"*{ending}" for ending in (*SCENE_ENDINGS, *MESH_ENDINGS, RECORDING))
        kinds = self.tr("Scenes, meshes and recordings ({endings})").format(endings=endings)
        name, _ = QFileDialog.getOpenFileName(self._window, self.tr("Open"), str(self._folder()), kinds)
        if name:
            self.open(Path(name))

    def reload(self) -> None:
        if self._session.document.path is not None:
            self.open(self._session.document.path)

    def save(self) -> None:
        path = self._session.document.path
        # the built-in scenes stay as they are, and so do the files of PEM
        if path is None or path.parent == gallery.FOLDER or path.suffix.lower() != ENDING:
            self.ask_save()
        else:
            self._save(path)

    def ask_save(self) -> None:
        path = ask_file(self._window, self._folder(), self._session.document.scene.title)
        if path is not None:
            self._save(path)

    def _save(self, path: Path) -> None:
        if self._session.save(path):
            self.opened(path)
            self.saved.emit()
            self._toast.show_message(self.tr("Saved as {path}").format(path=path))

    def opened(self, path: Path | None) -> None:
        """Remember a file that is nobody else's."""
        if path is not None and own_folder(path) is not None:
            self._settings.opened(path)

    def _folder(self) -> Path:
        return own_folder(self._session.document.path) or Path.cwd()

    def _ask_mesh(self, path: Path) -> None:
        meshes = self._session.meshes
        if meshes is None:
            self.later = path
            return
        # Here and not at the top: it brings the compiler, which the first frame does not wait for.
        from app.panels.files.mesh_import import ask_to_hang

        def take(scene: Scene) -> None:
            self._session.open_scene(scene)
            self._settings.opened(path)

        try:
            ask_to_hang(path, meshes, self._theme(), self._window, take)
        except InputError as error:
            self._refuse(error)
