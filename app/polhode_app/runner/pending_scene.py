"""The scene that is being compiled while the previous one runs. Lives in the physics thread; no Qt."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.mesh import Meshes
from polhode.physics.contact.solids.hulls import hull_problem
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Diverged, Simulation
from polhode_app import messages
from polhode_app.compilation.preparation import Preparation, cache_problem
from polhode_app.compilation.processes import stop_early
from polhode_app.runner.ghosts import Ghosts
from polhode_app.runner.slow_steps import StepGuard

GLANCE = 0.05  # [s] interval of polling the compilation


def first_run(scene: Scene, meshes: Meshes, compiled: CompiledScene, guard: StepGuard) -> tuple[Simulation, Ghosts]:
    """Simulation and ghosts in their initial states, after a first step that warms up caches."""
    simulation, ghosts = Simulation(scene, meshes, compiled), Ghosts.begun(scene, meshes)
    with guard(simulation), suppress(Diverged):  # reported when it happens in the run
        simulation.advance_steps(1)
    simulation.snapshot()
    simulation.reset()
    ghosts.warm_up()
    return simulation, ghosts


class PendingScene:
    """Holds at most one scene that is being compiled; a newer one replaces it."""

    def __init__(self, say: Callable[[messages.Event], None], meshes: Meshes):
        """`say` emits events to the window; `meshes` is the mesh cache shared with the simulation."""
        self._say, self._meshes = say, meshes
        self._preparation: Preparation | None = None
        self._generation = 0
        self._carries = False  # the state of the running simulation will be transferred
        self._go_on: Callable[[CompiledScene], None] = lambda compiled: None
        self._kept: list[messages.Command] = []
        self._excused = False  # the problem of the code cache was reported

    @property
    def patience(self) -> float | None:
        """Time [s] until the next call of `poll`; None if no scene is pending."""
        return None if self._preparation is None else GLANCE

    def takes(self, command: messages.Command, is_first: bool, is_running: bool) -> bool:
        """Store a command for the scene that is pending, if any, or give that up; False for all other commands.

        For the first scene all are stored but those that replace or end it. Later it is Play, of a scene
        that is paused: it is played from the same frame on when its edit is compiled.
        """
        if isinstance(command, messages.CancelLoading):
            self._give_up()
            return True
        if isinstance(command, messages.Pause):
            self._kept = [kept for kept in self._kept if not isinstance(kept, messages.Play)]
        replaces = isinstance(command, messages.LoadScene | messages.ShowRecording | messages.StopThread)
        starts = isinstance(command, messages.Play) and not is_running
        waits = self._preparation is not None and not replaces and (is_first or starts)
        if waits:
            self._kept.append(command)
        return waits

    def deferred_commands(self) -> list[messages.Command]:
        """Take the deferred commands, in order; empty as long as a scene is pending."""
        if self._preparation is not None:
            return []
        kept, self._kept = self._kept, []
        return kept

    def load(
        self,
        command: messages.LoadScene,
        carried: Simulation | None,
        load: Callable[[messages.LoadScene, bool, CompiledScene], None],
    ) -> None:
        """Compile a scene; `load(command, carry, compiled)` is called when it is ready.

        `carried` is the simulation whose state is transferred; None for a start from the initial state.
        """
        if self._preparation is not None and not self._carries:
            carried = None  # an edit of a pending scene starts from the initial state, as that scene would have
        self._prepare(
            command.scene, command.generation, carried, lambda compiled: load(command, carried is not None, compiled)
        )

    def show(self, command: messages.ShowRecording, show: Callable[[], None]) -> None:
        """Compile the scene of a recording; `show()` is called when it is ready."""
        self._prepare(command.recorded.scene, command.generation, None, lambda compiled: show())

    def _prepare(
        self, scene: Scene, generation: int, carried: Simulation | None, go_on: Callable[[CompiledScene], None]
    ) -> None:
        """Replace the pending scene; `go_on(compiled)` is called when the new one is ready."""
        before, self._preparation = self._preparation, None
        if before is not None:
            self._end(before)
        compilers = None if before is None else before.release()
        self._carries, self._go_on, self._generation = carried is not None, go_on, generation
        state = () if carried is None else (carried.sensor_distance, carried.unmuted)
        self._preparation = Preparation(scene, self._meshes, *state, compilers=compilers)
        self.poll()

    def cancel(self) -> None:
        """Discard the pending scene."""
        if self._preparation is not None:
            preparation, self._preparation = self._preparation, None
            preparation.cancel()
            self._end(preparation)

    def _give_up(self) -> None:
        """Discard the pending scene, as a person wishes; SceneRejected says so."""
        if self._preparation is not None:
            self.cancel()
            self._say(messages.SceneRejected(self._generation, None))

    def _end(self, preparation: Preparation) -> None:
        """Emit CompilationProgress(0, 0) if progress was reported."""
        if preparation.progress != (0, 0):
            self._say(messages.CompilationProgress(0, 0))

    def poll(self) -> None:
        """Hand the scene over if it is compiled, otherwise report progress; InputError becomes SceneRejected."""
        preparation = self._preparation
        if preparation is None:
            return
        try:
            compiled = preparation.poll()
        except InputError as error:
            self.cancel()
            self._say(messages.SceneRejected(self._generation, error))
            return
        if compiled is None:
            self._say(messages.CompilationProgress(*preparation.progress, preparation.shapes_done))
            return
        self._preparation = None
        stop_early()
        self._end(preparation)
        if (compilers := preparation.release()) is not None:
            compilers.retire()
        self._go_on(compiled)
        self._excuse(preparation)
        with suppress(InputError):  # a file that has changed meanwhile
            if not self._carries and (hull := hull_problem(compiled.scene, self._meshes)) is not None:
                self._say(messages.WarningRaised(hull))

    def _excuse(self, preparation: Preparation) -> None:
        """Report once why compiled code is not kept on disk, if so."""
        why = cache_problem(preparation.failed)
        if why is not None and not self._excused:
            self._excused = True
            self._say(messages.WarningRaised(why))
