"""What is compiled before a scene runs: by child processes while a window goes on, or here, one after another. No Qt.

numba holds the interpreter's lock while it compiles, so a window's own process compiles only where children can't.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from app.compilation.processes import MAX_PROCESSES, CompilerProcess, processors
from core.engine.compile import CompiledScene
from core.jit.code_folder import Trouble
from core.jit.kept import FILES
from core.mesh.mesh import Meshes
from core.scene.message import Message
from core.scene.problem import Problem
from core.scene.scene import Scene
from core.simulation.driven_parameters import build_at
from core.simulation.simulation import Simulation
from core.simulation.units import Unit, all_units, missing, units_of_method, units_to_build, units_to_run


def cache_problem(failed: bool = False) -> Problem | None:
    """Why the next start will compile again, if it will; `failed`: children could not compile all."""
    at = FILES.path
    match FILES.trouble:
        case Trouble("foreign"):
            rule = Message(
                "the compiled physics in {folder} is not used: it is another user's, or others may write to it",
                folder=at,
            )
            return Problem("", rule, Message("delete that folder; until then every start compiles again"))
        case Trouble("closed", why):
            rule = Message("the compiled physics can't be kept in {folder} ({reason})", folder=at, reason=why)
            return Problem(
                "",
                rule,
                Message("free some disk space, or let this user write there; until then every start compiles again"),
            )
        case Trouble("damaged"):
            rule = Message(
                "a file of the compiled physics in {folder} was damaged, and has been compiled again", folder=at
            )
            return Problem("", rule, Message("if this happens again, check the disk"))
    if failed:
        rule = Message("the process that compiles the physics has ended too early")
        return Problem("", rule, Message("free some memory: most often there is too little"))
    return None


class CompilerPool:
    """Children that share out units, whoever is free the next one."""

    def __init__(self, units: Sequence[Unit], most: int = MAX_PROCESSES, *options: str, closed: bool = True):
        """`closed`: no more will be added, so a child that has nothing to do ends."""
        self.ordered: set[str] = set()
        self.done: set[str] = set()
        self._closed = closed
        self._waiting: deque[str] = deque()
        self.add(units)
        self.children = [CompilerProcess.ready(*options) for _ in range(min(most, processors()))]
        for child in self.children:
            if child.current in self._waiting:  # one that was begun early compiles it
                self._waiting.remove(child.current)

    def add(self, units: Sequence[Unit]) -> None:
        """These as well, before those that wait; those that are done or wait already stay where they are."""
        names = [unit.name for unit in units if unit.name not in self.ordered]
        self._waiting.extendleft(reversed(names))
        self.ordered.update(names)

    def close(self) -> None:
        """No more will be added."""
        self._closed = True

    def poll(self) -> None:
        """Hear what the children say, and hand out the next units; to be called often."""
        for child in list(self.children):
            while not child.said.empty():
                name = child.said.get()
                if name is None:
                    self.children.remove(child)
                    break
                self.done.add(name)
                if child.current == name:
                    child.current = None
            if child in self.children and child.current is None:
                if self._waiting:
                    child.order(self._waiting.popleft())
                elif self._closed:
                    child.dismiss()

    @property
    def over(self) -> bool:
        """All that was ordered is compiled, or no child is left."""
        return not self.children or self.done >= self.ordered

    @property
    def failed(self) -> bool:
        """No child is left, and something is not compiled."""
        return not self.children and not self.done >= self.ordered

    def kill(self) -> None:
        """End all children now."""
        for child in self.children:
            child.kill()


def start_background_compilation() -> CompilerPool | None:
    """A child of the lowest priority that compiles all that any scene may need; None where nothing is missing."""
    units = missing(all_units().values()) if FILES.usable else []
    try:
        return CompilerPool(units, 1, "--background") if units else None
    except OSError:
        return None


class Preparation:
    """A scene on its way to run: `look` from time to time until it gives what the scene became."""

    def __init__(
        self, scene: Scene, meshes: Meshes, distance: float | None = None, previous: CompiledScene | None = None
    ):
        """`distance` [m] is that of the hand over the sensor; the scene's own.

        The model of `previous` is taken over where it would be the same.
        """
        self.scene = scene
        self.failed = False  # children could not compile all of it
        self._meshes = meshes
        self._distance = scene.sensor.centre if distance is None else distance
        self._previous = previous
        self._built: CompiledScene | None = None
        self._compilers: CompilerPool | None = None

    @property
    def progress(self) -> tuple[int, int]:
        """How many units are compiled, of how many; (0, 0) where none had to be."""
        if self._compilers is None:
            return 0, 0
        return len(self._compilers.done & self._compilers.ordered), len(self._compilers.ordered)

    def poll(self) -> CompiledScene | None:
        """What the scene became, as soon as all that it needs is compiled. Raises InputError where it can't be built.

        Where children can't compile, the answer comes at once, and who uses it compiles.
        """
        if self._built is None:
            to_build = units_to_build(self.scene)
            self._order([*to_build, *units_of_method(self.scene)], closed=False)
            if not self._has(to_build):
                return None
            self._built = build_at(self.scene, self._distance, self._meshes, self._previous)
            self._order(units_to_run(self._built), closed=True)
        return self._built if self._has() else None

    def _order(self, units: Sequence[Unit], closed: bool) -> None:
        """Have children compile what is missing; `closed`: it is all that the scene needs."""
        if self.failed or not FILES.usable or (self._compilers is not None and not closed):
            return
        needed = missing(units)
        try:
            if self._compilers is None and needed:
                self._compilers = CompilerPool(needed, closed=closed)
        except OSError:  # no further process can be had
            self.failed = True
            return
        if self._compilers is not None:
            self._compilers.add(needed)
            if closed:
                self._compilers.close()

    def _has(self, units: Sequence[Unit] | None = None) -> bool:
        """Whether these units, or all, are compiled, or can't be by children."""
        if self._compilers is None or self.failed:
            return True
        self._compilers.poll()
        self.failed = self._compilers.failed
        if units is None:
            return self.failed or self._compilers.over
        return self.failed or not self._compilers.ordered & {unit.name for unit in units} - self._compilers.done

    def cancel(self) -> None:
        """Nobody waits for it any more."""
        if self._compilers is not None:
            self._compilers.kill()


def compile_scene(scene: Scene, meshes: Meshes, tell: Callable[[int, int], None]) -> CompiledScene:
    """What a scene became, when all that it needs is compiled, in this process; raises InputError.

    `tell` hears how many units are compiled, of how many, while there are some.
    """
    _compile(missing(units_to_build(scene)), tell)
    built = build_at(scene, scene.sensor.centre, meshes)
    _compile(missing(units_to_run(built)), tell)
    return built


def start_simulation(scene: Scene, meshes: Meshes, hearer: object) -> Simulation:
    """A scene from its start, compiled here; what hears of the run's progress may hear of this as well."""
    return Simulation(
        scene, meshes, compile_scene(scene, meshes, getattr(hearer, "compiling", lambda done, total: None))
    )


def _compile(units: Sequence[Unit], tell: Callable[[int, int], None]) -> None:
    for number, unit in enumerate(units):
        tell(number, len(units))
        unit.compile()
