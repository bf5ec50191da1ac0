"""Recovery of unsaved scenes, and reloading of scene files that were changed by other programs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path

from PySide6.QtCore import QFileSystemWatcher, QObject, QTimer

from polhode.scene import gallery
from polhode.scene.checks.story_rules import is_tried_only
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode_app.i18n.field_names import scene_name
from polhode_app.i18n.translation import translate_problem
from polhode_app.messages import FrameData
from polhode_app.session.autosave import AbandonedDocument, Autosave
from polhode_app.session.document import Document
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext

OFFER_TIME = 60.0  # [s] during which a message offers to restore a replaced document
SETTLE_TIME = 250  # [ms] between the last change of a file and its reading: editors write in several steps


def has_unsaved_changes(document: Document) -> bool:
    """Whether a document has changes that are in no file.

    An empty scene has none, and neither has a built-in one in which only what its story proposes was tried.
    """
    if document.is_saved or document.is_empty:
        return False
    is_built_in = document.path is not None and document.path.parent == gallery.FOLDER
    return not (is_built_in and document.saved is not None and is_tried_only(document.scene, document.saved))


class CrashRecovery(QObject, WindowPart):
    """Protects the document of the session against loss.

    Unsaved changes are written to the autosave folder, and offered at the next start after a crash. A document that is
    replaced before it was saved can be restored from the message or the File menu. The file of the document is watched;
    if another program changes it, it is reloaded, or offered for reloading if there are unsaved changes.
    """

    def __init__(self, context: WindowContext):
        """Start to watch the session of the window."""
        super().__init__(context.window)
        self._session, self._toast, self._autosave = context.session, context.toast, Autosave()
        self._abandoned_offered = False
        self._restoring: tuple[AbandonedDocument, Scene] | None = None  # until the scene is open
        self._previous: Document | None = None
        self.replaced: list[Document] = []  # documents replaced before they were saved, oldest first
        self._offered_document: Document | None = None  # newest of them, offered by the message
        self._watcher = QFileSystemWatcher(self)
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_TIME)
        self._watcher.fileChanged.connect(lambda _path: self._timer.start())
        self._timer.timeout.connect(self._reload_file)
        self._session.scene_changed.connect(self.watch)
        self._session.lock.changed.connect(self._on_lock_changed)
        self._waits_for_lock = False  # the file was changed while a lesson runs

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Write the autosave file if it is due."""
        if not self._abandoned_offered and self._session.meshes is not None and not self._toast.isVisible():
            self.offer_abandoned()  # messages about the opened scene come first
        self._autosave.look(wall, *self._autosave_state())
        return False

    def stop(self) -> None:
        """Write unsaved changes for the next start, and release the slot of the autosave folder."""
        self._autosave.keep(*self._autosave_state())
        self._autosave.close()

    def _autosave_state(self) -> tuple[Scene, bool, Path | None]:
        """Arguments of Autosave: the scene, whether it is saved, and the file whose layout is preserved.

        Of the newest document, also while it is still being opened: the file of a scene that is restored stays. While a
        lesson shows other versions, that is the document it began with.
        """
        document = self._session.lock.document or self._session.newest
        return document.scene, not has_unsaved_changes(document), document.path

    # Abandoned scenes of other processes

    def offer_abandoned(self) -> None:
        """Offer the newest unsaved scene of a process that has ended; called once after the start."""
        self._abandoned_offered, left = True, self._autosave.left()
        if left:
            when = datetime.fromtimestamp(left[0].changed).strftime("%Y-%m-%d %H:%M")
            self._toast.show_message(
                self.tr("An unsaved scene of {when} can be restored.").format(when=when),
                None,
                {self.tr("Open"): lambda: self._restore(left[0]), self.tr("Discard"): lambda: self._discard(left[0])},
            )

    def _restore(self, left: AbandonedDocument) -> None:
        """Open an abandoned scene, and keep it in the autosave folder under the current slot.

        The abandoned file is deleted once the scene is open.
        """
        try:
            scene = read_scene(left.path)
        except InputError as error:
            self._session.refused.emit(error)
            return
        self._restoring = left, scene
        self._session.open_scene(scene)
        self._autosave.keep(scene, False, left.path)
        self._autosave.wait()

    def _discard(self, left: AbandonedDocument) -> None:
        """Delete an abandoned scene."""
        left.forget()
        self._toast.dismiss()

    def _track_replaced(self, document: Document) -> None:
        """Update `replaced` when the document changes, and offer the newest entry.

        A document leaves the list when it is restored. Of what a lesson shows it is the document
        that the lesson began with.
        """
        locked = self._session.lock.document
        is_of_lesson = locked is not None and document.is_version_of(locked)
        before, self._previous = self._previous, locked if is_of_lesson else document
        self.replaced = [each for each in self.replaced if not document.is_version_of(each)]
        if before is not None and not document.is_version_of(before) and has_unsaved_changes(before):
            self.replaced.append(before)
        newest = self.replaced[-1] if self.replaced else None
        if newest is self._offered_document:
            return
        self._offered_document = newest
        if newest is None:
            self._toast.withdraw()
            return
        self._offer_restore(newest)

    def _offer_restore(self, lost: Document) -> None:
        """Offer to restore a document that was replaced before it was saved, for OFFER_TIME."""
        text, remedy = self._restore_offer(lost)
        self._toast.offer(text, OFFER_TIME, remedy)

    def _restore_offer(self, lost: Document) -> tuple[str, dict[str, Callable[[], None]]]:
        """Text and button of the offer."""
        text = self.tr("{name} was not saved.").format(name=scene_name(lost.scene, lost.path))
        return text, {self.tr("Restore"): lambda: self._session.replace_document(lost)}

    def retranslate(self) -> None:
        """Set the text of an offer in the current language; it does not return by that."""
        if self._offered_document is not None and self._toast.offers:
            self._toast.reword_offer(*self._restore_offer(self._offered_document))

    # The file on disk

    def watch(self, document: Document) -> None:
        """Watch the file of this document instead of the previous one. Built-in scenes are not watched."""
        self._track_replaced(document)
        if self._restoring is not None and document.scene == self._restoring[1]:
            self._restoring[0].forget()
            self._restoring = None
        path = str(document.path) if document.path is not None and document.path.parent != gallery.FOLDER else None
        watched = self._watcher.files()
        if watched != ([path] if path else []):
            if watched:
                self._watcher.removePaths(watched)
            if path:
                self._watcher.addPath(path)

    def _reload_file(self) -> None:
        """Read the watched file after a change, and apply or offer it.

        Changes made by this program, and those that describe the same scene, are ignored.
        """
        path = self._session.document.path
        if path is None or not path.exists():
            return
        self._watcher.addPath(str(path))  # the watcher loses a file that was replaced
        if self._session.lock.is_on:
            self._waits_for_lock = True
            return
        if self._session.is_pending:  # a lesson that was left, whose scene comes back
            self._timer.start()
            return
        try:
            scene = read_scene(path)
        except InputError as error:
            text = self.tr("{file} was changed on disk, but: {problem}")
            self._toast.show_message(text.format(file=path.name, problem=translate_problem(error.problems[0])), 15.0)
            return
        if scene == self._session.document.saved or scene == self._session.scene:
            return
        if self._session.document.is_saved:
            self._apply_reload(scene, path)
            return
        text = self.tr("{file} was changed by another program, and has unsaved changes here.").format(file=path.name)
        self._toast.show_message(text, None, {self.tr("Reload from disk"): lambda: self._apply_reload(scene, path)})

    def _on_lock_changed(self) -> None:
        """Read the file that was changed while a lesson ran."""
        if self._waits_for_lock and not self._session.lock.is_on:
            self._waits_for_lock = False
            self._timer.start()

    def _apply_reload(self, scene: Scene, path: Path) -> None:
        """Replace the document by the changed file, unless a lesson locks it; the run continues where possible."""
        if self._session.lock.refuses(self._session.newest):
            return
        self._toast.show_message(self.tr("{file} was changed on disk and has been reloaded.").format(file=path.name))
        self._session.reload(scene)
