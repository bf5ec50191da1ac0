"""Shared by viewport, window and docks: the current scene, the only way to edit it, and the run."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from polhode.scene.fields import FieldPath
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import write_scene
from polhode_app import messages
from polhode_app.edit.open_file import is_recording, open_scene
from polhode_app.edit.parts import found_again
from polhode_app.edit.scene_diff import SceneDiff
from polhode_app.runner.thread import SimulationThread
from polhode_app.sensor.hub import SensorHub
from polhode_app.session.document import Document
from polhode_app.session.edit_lock import EditLock
from polhode_app.session.recording_opening import RecordingOpening
from polhode_app.session.set_aside import SetAside

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene  # these bring the compiler, for which no window waits
    from polhode.mesh.mesh import Meshes
    from polhode.recording.reader import RecordedRun

SPEEDS = (0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)


class Session(QObject):
    """One document and the runner that it is handed to. A new scene counts when the physics has accepted it."""

    scene_changed = Signal(object)  # Document that the physics has accepted
    refused, edit_refused = Signal(object), Signal(object)  # InputError of what was to be opened or saved; of an edit
    selected = Signal(object)  # Place of the selection in the scene, or None
    halted, ghost_lost = Signal(object), Signal(object)  # of app/polhode_app/messages.py
    history_truncated = Signal(object)  # HistoryTruncated: the run continues from there; undo restores the later states
    limits_changed, transport_changed = Signal(), Signal()
    undone = Signal(float)  # [s] simulated, when the edit was made that was undone
    coming_changed = Signal(object)  # Document that is shown as it will start, while its physics is compiled
    compiling = Signal(object)  # CompilationProgress of the newest document
    warned, recording_ended = Signal(object), Signal(object)  # Problem, Recorded
    replay_changed, saved = Signal(), Signal()  # saved: the document was written to its file

    def __init__(self, parent: QObject | None = None):
        super().__init__(parent)
        self.meshes: Meshes | None = None  # these come with the first scene that the physics has accepted
        self.compiled: CompiledScene | None = None
        self.limits: messages.StepLimitsFound | None = None  # the newest that were estimated
        self.document = Document(Scene())
        self.coming: Document | None = None  # that is shown in its place while its physics is compiled
        self.running, self.speed = True, 1.0
        self._holders: set[object] = set()  # what holds the run
        self._asked: deque[Document] = deque()  # handed to the physics, not answered yet
        self._late: Document | None = None  # the newest of a stroke, while the physics builds an older one
        self.diff = SceneDiff(None, self.document.scene)  # of the shown document from the one before
        self.opening, self.set_aside, self.lock = RecordingOpening(), SetAside(), EditLock(self)
        self._selection: FieldPath | None = None
        self._selected_in = self.document  # the document that has the selection
        self.hub = SensorHub()  # the hand over the sensor
        self._runner = SimulationThread()

    def start(self) -> None:
        """Begin with the physics. To be called when the window is seen: the first time ever it compiles."""
        self._runner.start()
        self._runner.send(messages.SetSensorSource(self.hub.distance_at))
        self._runner.send(messages.Play() if self.running else messages.Pause())

    def stop(self) -> bool:
        """End the physics thread; True if it ended."""
        self.opening.cancel()
        self.hub.stop()
        return self._runner.stop()

    def send(self, command: messages.Command) -> None:
        """Send the physics a command that changes neither the document nor `running`."""
        self._runner.send(command)

    @property
    def ended(self) -> bool:
        """The physics thread is not there, or not any more."""
        return not self._runner.alive

    @property
    def frame(self) -> messages.FrameData | None:
        """Newest frame of the accepted scene, or None; None also while another one is shown that is compiled."""
        now = self._runner.frame
        return now if now and self.compiled and self._is_shown(now) else None

    def new_frames(self) -> list[messages.FrameData]:
        """Frames of the accepted scene since the last call, oldest first."""
        return [frame for frame in self._runner.new_frames() if self._is_shown(frame)]

    def _is_shown(self, frame: messages.FrameData) -> bool:
        return self.coming is None and frame.generation == self.document.generation

    @property
    def shown(self) -> Document:
        """The document that the view shows: the accepted one, or one that is still compiled."""
        return self.coming or self.document

    def open(self, path: Path) -> None:
        """Read a scene or a recording and hand it to the physics; a recording is read in the background."""
        self.opening.cancel()
        if is_recording(path):
            self.opening.open(path)
            return
        try:
            self.open_scene(open_scene(path), path)
        except InputError as error:
            self.refused.emit(error)

    def _take_opened(self) -> None:
        """Hand a recording that has been read to the physics."""
        result = self.opening.poll()
        if isinstance(result, InputError):
            self.refused.emit(result)
        elif result is not None:
            document = Document(result.scene, saved=result.scene, recording=result)
            self._asked.append(document)
            self._runner.send(messages.ShowRecording(result, document.generation))
            self.play(False)

    def open_scene(self, scene: Scene, path: Path | None = None) -> None:
        """A scene from its start, without a past; one that has no file is not saved yet."""
        self.replace_document(Document(scene, path, saved=scene if path else None))

    def replace_document(self, document: Document) -> None:
        """A document from its start, with all its edits."""
        self.opening.cancel()
        self.hub.restart()
        self._late = None
        self.select(None)
        self._ask(replace(document, generation=messages.new_generation()), carry=False)

    def edit(self, scene: Scene, stroke: object = None, restart: bool = False) -> None:
        """Run a changed scene from the current state, or with `restart` from its initial state.

        With `restart` the run before stands at its start until the scene is compiled.
        Edits of one `stroke`, such as a drag, are undone as one; of those that wait for the physics only the newest is.
        """
        document = self.newest.edited(scene, stroke)
        if stroke is not None and self._asked and self._asked[-1].stroke is stroke:
            self._late = document
        else:
            self._ask_late()
            self._ask(document, carry=not restart, restart=restart)
            if restart:
                self.play(self.running)

    def reload(self, scene: Scene) -> None:
        """Load the changed file as an edit of the running scene, which can be undone."""
        self._ask_late()
        self._ask(replace(self.newest.edited(scene), saved=scene), carry=True)

    def _ask_late(self) -> None:
        """Hand over what waits."""
        if self._late is not None:
            late, self._late = self._late, None
            self._ask(late, carry=True)

    @property
    def is_pending(self) -> bool:
        """Whether the physics has not answered to the newest edit yet."""
        return bool(self._asked) or self._late is not None

    @property
    def newest(self) -> Document:
        """The document with all edits, including those that the physics has not answered to."""
        return self._late or (self._asked[-1] if self._asked else self.document)

    @property
    def scene(self) -> Scene:
        """The scene of the newest document."""
        return self.newest.scene

    @property
    def replay(self) -> RecordedRun | None:
        """The recording that is shown instead of a run."""
        return self.document.recording

    @property
    def selection(self) -> FieldPath | None:
        """Of the selection in the newest scene; () is the scene itself."""
        before, self._selected_in = self._selected_in, self.newest
        if self._selection is not None and before.generation != self.newest.generation:
            self._selection = found_again(before.scene, self._selection, self.scene)
        return self._selection

    def select(self, path: FieldPath | None) -> None:
        """Choose a part of the newest scene, or nothing."""
        if path != self.selection:
            self._selection, self._selected_in = path, self.newest
            self.selected.emit(path)

    def set_step(self, step: float) -> None:
        """Continue with another time step [s]."""
        self.set_solver(time_step=step)
        self.play(True)

    def set_solver(self, **changes: object) -> None:
        """An edit of the solver's method or time step."""
        self.edit(self.scene.model_copy(update={"solver": self.scene.solver.model_copy(update=changes)}))

    def undo(self) -> None:
        """Bring back the future of a run that was resumed from its past since the newest edit, or undo that edit."""
        self._ask_late()
        if self.set_aside.is_undone_by(self.newest):
            self._exchange_futures()
        elif self.newest.undo:
            self._ask(self.newest.undone(), carry=True, undoes=True)

    def redo(self) -> None:
        """Repeat what `undo` has undone."""
        self._ask_late()
        if self.set_aside.is_redone_by(self.newest):
            self._exchange_futures()
        elif self.newest.redo:
            self._ask(self.newest.redone(), carry=True)

    @property
    def can_undo(self) -> bool:
        return not self.lock.is_on and (bool(self.shown.undo) or self.set_aside.is_undone_by(self.shown))

    @property
    def can_redo(self) -> bool:
        return not self.lock.is_on and (bool(self.shown.redo) or self.set_aside.is_redone_by(self.shown))

    def _exchange_futures(self) -> None:
        """Bring back the other future of the run, paused where it began."""
        if not self.lock.refuses(self.newest):
            self.set_aside.exchange()
            self._stand(messages.BringBackFuture())

    def save(self, path: Path) -> bool:
        """Write the scene with the comments of its file; from now on `path` is the file of this document.

        False, and `refused`, if it can't be written; False, too, while it is locked.
        """
        if self.lock.refuses(self.document):
            return False
        try:
            write_scene(self.document.scene, path, like=self.document.path)
        except InputError as error:
            self.refused.emit(error)
            return False
        self.document = replace(self.document, path=path, saved=self.document.scene)
        self.saved.emit()
        return True

    def _ask(self, document: Document, carry: bool, undoes: bool = False, restart: bool = False) -> None:
        if self.lock.refuses(document):
            self._reject(document, None)
            return
        if restart:
            self._runner.send(messages.Pause())
            self.reset()
        self._asked.append(document)
        self._runner.send(messages.LoadScene(document.scene, carry, document.generation, undoes, restart))

    def play(self, running: bool) -> None:
        self.running = running
        self._runner.send(messages.Play() if running and not self._holders else messages.Pause())
        self.transport_changed.emit()

    def hold(self, holder: object, on: bool) -> None:
        """Pause the run while anyone holds it; resume when the last one releases it, unless the user paused."""
        if on != (holder in self._holders):
            self._holders ^= {holder}
            self._runner.send(messages.Play() if self.running and not self._holders else messages.Pause())

    def step(self, count: int) -> None:
        """Pause, and go some steps on, or back if negative."""
        self._stand(messages.AdvanceSteps(count))

    def reset(self) -> None:
        self.set_aside.forget()
        if not self.hub.by_scene:  # a log is played from its beginning, unless the scene does that itself
            self.hub.restart()
        self._runner.send(messages.Reset())
        self.transport_changed.emit()

    def seek(self, time: float) -> None:
        """Pause, and stand where the run was at about a time [s]."""
        self._stand(messages.Seek(time))

    def _stand(self, command: messages.Command) -> None:
        self.running = False
        self._runner.send(command)
        self.transport_changed.emit()

    def resume(self) -> None:
        """Continue as a run from the shown frame of the recording."""
        self._runner.send(messages.ResumeFromReplay())
        self.document = replace(self.document, recording=None)
        self.replay_changed.emit()

    def set_speed(self, factor: float) -> None:
        """Simulated seconds per wall second."""
        self.speed = factor
        self._runner.send(messages.SetSpeed(factor))
        self.transport_changed.emit()

    def samples(self) -> list[messages.ColumnSamples]:
        """Numbers of the steps since the last call, oldest first."""
        return self._runner.samples()

    def process_events(self) -> None:
        """Handle the events of the physics since the last call. Called once per frame."""
        self._take_opened()
        for event in self._runner.events():
            match event:
                case messages.SceneLoaded(generation, meshes, compiled, edited_at):
                    self.meshes = meshes
                    self._show(self._answered(generation), compiled)
                    if edited_at is not None:
                        self.undone.emit(edited_at)
                case messages.SceneRejected(generation, error):
                    self._reject(self._answered(generation), error)
                case messages.ReplaySceneChanged(generation, scene, compiled):
                    self._show(replace(self.document, scene=scene, saved=scene, generation=generation), compiled)
                case messages.CompilationProgress():
                    self._show_coming()
                    self.compiling.emit(event)
                case messages.HistoryTruncated():
                    self.set_aside.take(event, self.document)
                    self.history_truncated.emit(event)
                    self.transport_changed.emit()
                case messages.RecordingEnded():
                    self.recording_ended.emit(event)
                case messages.GhostLost():
                    self.ghost_lost.emit(event)
                case messages.StepLimitsFound():
                    self.limits = event.merged(self.limits)
                    self.limits_changed.emit()
                case messages.WarningRaised(problem):
                    self.warned.emit(problem)
                case messages.RunHalted() | messages.ReplayEnded() | messages.FutureBroughtBack():
                    self.running = False
                    if isinstance(event, messages.RunHalted):
                        self.halted.emit(event)
                    self.transport_changed.emit()
        if not self._asked:
            self._ask_late()

    def _answered(self, generation: int) -> Document:
        """The document of a generation; older ones, whose answer was lost in a failure, are dropped."""
        while (document := self._asked.popleft()).generation != generation:
            pass
        return document

    def _show_coming(self) -> None:
        """Show another document as it will start while its physics is compiled; the run before is paused meanwhile."""
        newest, is_edit = self.newest, self.newest.is_version_of(self.shown)
        if newest is self.coming or (self.coming is None and (is_edit or newest.scene == self.document.scene)):
            return
        self.diff = SceneDiff(self.shown.scene if is_edit else None, newest.scene)
        self.coming = newest
        if not is_edit:
            self._runner.send(messages.Pause())
            self.play(self.running)  # Play waits for the scene
        self.coming_changed.emit(newest)

    def _reject(self, refused: Document, error: InputError | None) -> None:
        """Forget a document that the physics does not accept; no error where it was cancelled."""
        self._asked = deque(each.forgetting(refused.scene) for each in self._asked)
        self._late = self._late and self._late.forgetting(refused.scene)
        to = self.edit_refused if self._return_from(refused) else self.refused
        if error is not None:
            to.emit(error)
        elif self.coming is None and self.compiled is not None:  # editors show again what is there
            self._show(self.document, self.compiled)

    def _return_from(self, refused: Document) -> bool:
        """Show what was there before a refused document, and return whether that is an earlier version of it."""
        if self.coming is None or not refused.is_version_of(self.coming):
            return refused.is_version_of(self.document)
        if refused.undo:
            if not self.is_pending:
                self._ask(replace(refused.undone(), redo=()), carry=False)
            return True
        self.coming = None
        self.diff = SceneDiff(None, self.document.scene)
        if self.compiled is not None:
            self.scene_changed.emit(self.document)
        return False

    def _show(self, document: Document, compiled: CompiledScene) -> None:
        """Make a document that the physics has accepted the shown one."""
        self.coming = None
        before, self.document, self.compiled = self.document, document, compiled
        self.diff = SceneDiff(before.scene if document.is_version_of(before) else None, document.scene)
        if document.recording is not before.recording:
            self.replay_changed.emit()
        self.scene_changed.emit(document)
