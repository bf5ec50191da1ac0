"""Nothing is lost: what is not saved is kept aside and offered again, and a file that others change is read again."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QCoreApplication, QFileSystemWatcher, QObject, QTimer

from app.i18n.field_names import scene_title
from app.i18n.translation import translate_problem
from app.panels.shell.window_context import WindowContext
from app.session.autosave import AbandonedDocument, Autosave
from app.session.document import Document
from core.scene import gallery
from core.scene.problem import InputError
from core.scene.scene import Scene
from core.scene.scene_file import read_scene

LOOKS_BACK = 60.0  # [s] that a notice offers what was replaced
SETTLED = 250  # [ms] after the last change of a file: editors write in pieces


def has_unsaved_changes(document: Document) -> bool:
    """Whether something is in it that no file has."""
    return not document.is_saved and not document.is_empty


def document_name(document: Document) -> str:
    """What a document is called."""
    name = scene_title(document.scene) or (document.path.stem if document.path else "")
    return name or QCoreApplication.translate("Keeping", "Unnamed")


class CrashRecovery(QObject):
    """Watches the session's document, and the file that it came from."""

    def __init__(self, context: WindowContext):
        super().__init__(context.window)
        self._session, self._toast, self._autosave = context.session, context.toast, Autosave()
        self._offered = False
        self._last: Document | None = None
        self.lost: list[Document] = []  # what was replaced unsaved, oldest first
        self._newest: Document | None = None  # of them, which the notice has offered
        self._on_disk: Scene | None = None  # what the watched file says
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=SETTLED)
        self._watcher.fileChanged.connect(lambda _path: self._timer.start())
        self._timer.timeout.connect(self._read)
        self._session.scene_changed.connect(self.watch)

    def tick(self, wall: float) -> None:
        """A frame at a wall time [s]."""
        if not self._offered and self._session.meshes is not None and not self._toast.isVisible():
            self.offer()  # what is said of the scene that was opened comes first
        self._autosave.look(wall, *self._now())

    def close(self) -> None:
        """The window closes: what is not saved is left for the next start, which offers it."""
        self._autosave.keep(*self._now())
        self._autosave.close()

    def _now(self) -> tuple[Scene, bool, Path | None]:
        """The scene, whether it needs no keeping, and the file that it is like."""
        document = self._session.document
        return document.scene, not has_unsaved_changes(document), document.path

    # What others have left

    def offer(self) -> None:
        """Once: say that there is something that was not saved."""
        self._offered, left = True, self._autosave.left()
        if left:
            when = datetime.fromtimestamp(left[0].path.stat().st_mtime).strftime("%Y-%m-%d %H:%M")
            self._toast.show_message(
                self.tr("An unsaved scene of {when} can be restored.").format(when=when),
                None,
                {self.tr("Open"): lambda: self._open(left[0]), self.tr("Discard"): lambda: self._forget(left[0])},
            )

    def _open(self, left: AbandonedDocument) -> None:
        try:
            scene = read_scene(left.path)
        except InputError as error:
            self._session.refused.emit(error)
            return
        self._session.open_scene(scene)
        self._autosave.keep(scene, False, left.path)
        self._autosave.wait()
        left.forget()

    def _forget(self, left: AbandonedDocument) -> None:
        left.forget()
        self._toast.end()

    def _look_back(self, document: Document) -> None:
        """What was there before is not lost, if nobody has saved it."""
        before, self._last = self._last, document
        self.lost = [each for each in self.lost if not document.is_version_of(each)]
        if before is not None and not document.is_version_of(before) and has_unsaved_changes(before):
            self.lost.append(before)
        newest = self.lost[-1] if self.lost else None
        if newest is self._newest:
            return
        self._newest = newest
        if newest is None:
            self._toast.withdraw()
            return
        self._offer_back(newest)

    def _offer_back(self, lost: Document) -> None:
        text = self.tr("{name} was not saved.").format(name=document_name(lost))
        remedy = {self.tr("Restore"): lambda: self._session.replace_document(lost)}
        self._toast.offer(text, LOOKS_BACK, remedy)

    def retranslate(self) -> None:
        """Show an offer that is shown in the current language."""
        if self._newest is not None and self._toast.offers:
            self._offer_back(self._newest)

    # The file on disk

    def watch(self, document: Document) -> None:
        """This is the current document, and this its file."""
        self._look_back(document)
        path = str(document.path) if document.path is not None and document.path.parent != gallery.FOLDER else None
        watched = self._watcher.files()
        if watched != ([path] if path else []):
            if watched:
                self._watcher.removePaths(watched)
            if path:
                self._watcher.addPath(path)

    def _read(self) -> None:
        path = self._session.document.path
        if path is None or not path.exists():
            return
        self._watcher.addPath(str(path))  # a file that was replaced is another one to the watcher
        try:
            scene = read_scene(path)
        except InputError as error:
            text = self.tr("{file} was changed on disk, but: {problem}")
            self._toast.show_message(text.format(file=path.name, problem=translate_problem(error.problems[0])), 15.0)
            return
        if scene == self._session.document.saved or scene == self._session.scene:
            return
        if self._session.document.is_saved:
            self._take(scene, path)
            return
        text = self.tr("{file} was changed by another program, and has unsaved changes here.").format(file=path.name)
        self._toast.show_message(text, None, {self.tr("Reload from disk"): lambda: self._take(scene, path)})

    def _take(self, scene: Scene, path: Path) -> None:
        self._toast.show_message(self.tr("{file} was changed on disk and has been reloaded.").format(file=path.name))
        self._session.reload(scene)
