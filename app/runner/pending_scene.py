"""A scene that the run goes on with as soon as its machine code is there. Lives inside the physics thread; no Qt."""

from __future__ import annotations

from collections.abc import Callable

from app import messages
from app.compilation.preparation import Preparation, cache_problem
from app.compilation.processes import stop_early
from core.engine.compile import CompiledScene
from core.mesh.mesh import Meshes
from core.scene.problem import InputError
from core.scene.scene import Scene
from core.simulation.simulation import Simulation

GLANCE = 0.05  # [s] from one look at what is being compiled to the next


class PendingScene:
    """At most one scene; a newer one takes its place."""

    def __init__(self, say: Callable[[messages.Event], None], meshes: Meshes):
        self._say, self._meshes = say, meshes
        self._preparation: Preparation | None = None
        self._carries = False  # it takes over a motion
        self._go_on: Callable[[CompiledScene], None] = lambda built: None
        self._kept: list[messages.Command] = []
        self._excused = False  # it was said why machine code is not kept

    @property
    def patience(self) -> float | None:
        """[s] until the next look; None: there is nothing to look at."""
        return None if self._preparation is None else GLANCE

    def defers(self, command: messages.Command) -> bool:
        """Whether a command is meant for the scene that comes, the first, and waits with it."""
        replaces = isinstance(command, messages.LoadScene | messages.ShowRecording | messages.StopThread)
        waits = self._preparation is not None and not replaces
        if waits:
            self._kept.append(command)
        return waits

    def deferred_commands(self) -> list[messages.Command]:
        """The commands that waited, as soon as nothing comes any more."""
        if self._preparation is not None:
            return []
        kept, self._kept = self._kept, []
        return kept

    def load(
        self, scene: Scene, carried: Simulation | None, load: Callable[[Scene, bool, CompiledScene], None]
    ) -> None:
        """Load a scene, with the motion of another one or from its start."""
        if self._preparation is not None and not self._carries:
            carried = None  # an edit of what waits begins as that would have begun
        self._prepare(scene, carried, lambda built: load(scene, carried is not None, built))

    def show(self, scene: Scene, show: Callable[[], None]) -> None:
        """Show a recording of a scene."""
        self._prepare(scene, None, lambda built: show())

    def _prepare(self, scene: Scene, carried: Simulation | None, go_on: Callable[[CompiledScene], None]) -> None:
        self.cancel()
        self._carries, self._go_on = carried is not None, go_on
        if carried is None:
            self._preparation = Preparation(scene, self._meshes)
        else:
            self._preparation = Preparation(scene, self._meshes, carried.sensor_distance, carried.unmuted)
        self.poll()

    def cancel(self) -> None:
        """Nobody wants it any more."""
        if self._preparation is not None:
            preparation, self._preparation = self._preparation, None
            preparation.cancel()
            self._end(preparation)

    def _end(self, preparation: Preparation) -> None:
        if preparation.progress[1]:
            self._say(messages.CompilationProgress(0, 0))

    def poll(self) -> None:
        """Go on with it if it is ready; else say how far it is."""
        preparation = self._preparation
        if preparation is None:
            return
        try:
            built = preparation.poll()
        except InputError as error:
            self.cancel()
            self._say(messages.SceneRejected(preparation.scene, error))
            return
        if built is None:
            self._say(messages.CompilationProgress(*preparation.progress))
            return
        self._preparation = None
        stop_early()
        self._end(preparation)
        self._go_on(built)
        self._excuse(preparation)

    def _excuse(self, preparation: Preparation) -> None:
        """Say once why it took so long, and will again."""
        why = cache_problem(preparation.failed)
        if why is not None and not self._excused:
            self._excused = True
            self._say(messages.WarningRaised(why))
