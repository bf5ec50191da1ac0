"""Compilation of the kernels that a scene needs, in child processes or in this process. No Qt.

numba holds the GIL while it compiles, so the process of the window compiles only if no child process can be started.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from polhode.engine.compiled_scene import CompiledScene
from polhode.jit.storage.code_folder import Trouble
from polhode.jit.storage.kept import FILES
from polhode.mesh.kept import KeptShape, kept_shapes
from polhode.mesh.mesh import Meshes
from polhode.process.cores import cores
from polhode.run.units import Work, missing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.simulation.driven_parameters import build_at
from polhode.simulation.simulation import Simulation
from polhode.simulation.units import shapes_to_make, units_of_method, units_to_build, units_to_run
from polhode_app.compilation.processes import MAX_PROCESSES, CompilerProcess


def cache_problem(failed: bool = False) -> Problem | None:
    """The reason why the next start will have to compile again, or None.

    `failed` says that a child process ended before all units were compiled.
    """
    folders = (FILES, Message("the compiled physics")), (kept_shapes(), Message("the shapes for contacts"))
    for folder, what in folders:
        if folder.trouble is not None:
            return _problem_of(folder.trouble, folder.path, what)
    if failed:
        rule = Message("the process that compiles the physics has ended too early")
        return Problem("", rule, Message("free some memory: most often there is too little"))
    return None


def _problem_of(trouble: Trouble, folder: Path, what: Message) -> Problem:
    """Why files of some kind are not kept in a folder, or not used."""
    match trouble:
        case Trouble("foreign"):
            rule = Message(
                "{what} in {folder}: not used, as the folder is another user's, or others may write to it",
                what=what,
                folder=folder,
            )
            return Problem("", rule, Message("delete that folder; until then every start computes them again"))
        case Trouble("closed", why):
            rule = Message("{what} can't be kept in {folder} ({reason})", what=what, folder=folder, reason=why)
            remedy = Message(
                "free some disk space, or let this user write there; until then every start computes them again"
            )
            return Problem("", rule, remedy)
    rule = Message("{what} in {folder}: a file was damaged, and has been made again", what=what, folder=folder)
    return Problem("", rule, Message("if this happens again, check the disk"))


class CompilerPool:
    """Child processes that compile a queue of units; each idle child receives the next unit.

    Not thread-safe: all methods are called from one thread, and nothing blocks.
    """

    def __init__(self, units: Sequence[Work], most: int = MAX_PROCESSES, *options: str, closed: bool = True):
        """Start up to `most` processes for the units; with `closed`, children end as soon as the queue is empty.

        Raises OSError where no process can be started.
        """
        self.ordered: set[str] = set()
        self.done: set[str] = set()
        self.children: list[CompilerProcess] = []
        self._most, self._options = min(most, cores()), options
        self._closed = closed
        self.lost: set[str] = set()  # units whose child has ended while it made them
        self._waiting: deque[Work] = deque()
        self.add(units)

    def add(self, units: Sequence[Work]) -> None:
        """Add units to the front of the queue; units that are compiled or queued already keep their position.

        Raises OSError where no process can be started.
        """
        added = [unit for unit in units if unit.name not in self.ordered]
        self.ordered.update(unit.name for unit in added)
        begun = {child.current for child in self.children}
        self._waiting.extendleft(reversed([unit for unit in added if unit.name not in begun]))
        while self._waiting and len(self.children) < self._most:
            self.children.append(child := CompilerProcess.ready(*self._options))
            # a child started by start_early may be compiling one of them
            self._waiting = deque(unit for unit in self._waiting if unit.name != child.current)

    def redirect(self, units: Sequence[Work]) -> None:
        """Compile other units from now on; each child completes the unit that it compiles, which is kept.

        Raises OSError where no process can be started.
        """
        self.children = [child for child in self.children if not child.is_dismissed]
        self.ordered, self.done, self._closed = set(), set(), False
        self._waiting.clear()
        self.add(units)

    def retire(self) -> None:
        """Let the children end, each after the unit that it compiles."""
        self._waiting.clear()
        for child in self.children:
            child.dismiss()

    def close(self) -> None:
        """Declare that no units will be added, so that idle children end."""
        self._closed = True

    def poll(self) -> None:
        """Read the reports of the children and assign units to idle ones. To be called several times per second."""
        for child in list(self.children):
            while not child.compiled.empty():
                name = child.compiled.get()
                if name is None:
                    if child.current is not None:
                        self.lost.add(child.current)  # no other child will make it
                    self.children.remove(child)
                    break
                self.done.add(name)
                if child.current == name:
                    child.current = None
            if child in self.children and child.current is None:
                if self._waiting:
                    child.order((unit := self._waiting.popleft()).name, unit.request)
                elif self._closed:
                    child.dismiss()

    @property
    def over(self) -> bool:
        """All units are compiled, or no child process is left."""
        return not self.children or self.done >= self.ordered

    @property
    def failed(self) -> bool:
        """A child process has ended before its unit was compiled, or none is left and some units are not compiled."""
        return (bool(self.lost) or not self.children) and not self.done >= self.ordered

    def kill(self) -> None:
        """Kill all child processes."""
        for child in self.children:
            child.kill()


class Preparation:
    """Asynchronous compilation of a scene: call `poll` repeatedly until it returns the compiled scene."""

    def __init__(
        self,
        scene: Scene,
        meshes: Meshes,
        distance: float | None = None,
        previous: CompiledScene | None = None,
        compilers: CompilerPool | None = None,
    ):
        """Start compiling a scene.

        `distance` is the current sensor distance [m], None for the centre stated by the scene. The model of `previous`
        is reused as far as it would be equal, and `compilers` of a scene that is not needed any more.
        """
        self.scene = scene
        self.failed = False  # child processes could not compile all units
        self._meshes = meshes
        self._distance = scene.sensor.centre if distance is None else distance
        self._previous = previous
        self._built: CompiledScene | None = None
        self._compilers = compilers
        self._has_ordered = False
        self._shapes: list[KeptShape[Any]] | None = None  # known once the units are compiled that they need
        self._ordered_shapes: list[KeptShape[Any]] = []  # those that were not kept

    @property
    def progress(self) -> tuple[int, int | None]:
        """Number of compiled units and of all units, None while these are unknown; (0, 0) if none had to be compiled.

        The units of a scene with meshes, paths or joints are known once it is built, for which some must be compiled.
        """
        if self._compilers is None or not self._compilers.ordered:
            return 0, 0
        ordered = self._compilers.ordered
        return len(self._compilers.done & ordered), len(ordered) if self._built is not None else None

    @property
    def shapes_done(self) -> float | None:
        """Part done, 0 to 1, of the shapes that must be computed first; None where there are none, or not any more."""
        names = {shape.name for shape in self._ordered_shapes}
        if self._compilers is None or self._built is not None or not names:
            return None
        parts = sum(child.part for child in self._compilers.children if child.current in names)
        return (len(names & self._compilers.done) + parts) / len(names)

    def poll(self) -> CompiledScene | None:
        """The compiled scene as soon as all its units are compiled, until then None.

        Raises InputError if the scene is invalid. If child processes cannot compile, the scene is returned at once and
        its kernels are compiled on first use, in this process.
        """
        if self._shapes is None:
            to_build = units_to_build(self.scene)
            if not self._has_ordered:
                self._order([*to_build, *units_of_method(self.scene)])
            if not self._has(to_build):
                return None
            self._shapes = shapes_to_make(self.scene, self._meshes)
            self._ordered_shapes = missing(self._shapes)
            self._order(self._ordered_shapes)
        if self._built is None:
            if not self._has(self._shapes):
                return None
            self._check_lost()
            self._built = build_at(self.scene, self._distance, self._meshes, self._previous)
            self._order(units_to_run(self._built), closed=True)
        return self._built if self._has() else None

    def _check_lost(self) -> None:
        """Raise InputError for a shape whose library has ended the process that computed it: it would end this one."""
        lost = set() if self._compilers is None else self._compilers.lost
        shape = next((each for each in self._ordered_shapes if each.MAY_CRASH and each.name in lost), None)
        if shape is None:
            return
        alone = [self.scene.model_copy(update={"body": (body,)}) for body in self.scene.body]
        number = next(n for n, scene in enumerate(alone) if shape in shapes_to_make(scene, self._meshes))
        rule = Message("the library that divides its mesh into convex parts has crashed, or was ended")
        remedy = Message('set shape = "mesh", or free some memory and open the scene again')
        raise InputError.of(self.scene.body[number].name, rule, remedy, f"body[{number}].contact.shape")

    def _order(self, units: Sequence[Work], closed: bool = False) -> None:
        """Queue the missing ones of these units; `closed` states that they are the last ones."""
        if self.failed or not FILES.usable:
            return
        needed, is_first, self._has_ordered = missing(units), not self._has_ordered, True
        try:
            if self._compilers is None:
                self._compilers = CompilerPool(needed, closed=False) if needed else None
            elif is_first:
                self._compilers.redirect(needed)
            else:
                self._compilers.add(needed)
        except OSError:  # no further process can be started
            self.failed = True
            return
        if self._compilers is not None and closed:
            self._compilers.close()

    def _has(self, units: Sequence[Work] | None = None) -> bool:
        """Whether these units, by default all, are compiled, or child processes have failed to compile them."""
        if self._compilers is None or self.failed:
            return True
        self._compilers.poll()
        self.failed = self._compilers.failed
        if units is None:
            return self.failed or self._compilers.over
        return self.failed or not self._compilers.ordered & {unit.name for unit in units} - self._compilers.done

    def cancel(self) -> None:
        """Kill the child processes; the result is not needed any more."""
        if self._compilers is not None:
            self._compilers.kill()

    def release(self) -> CompilerPool | None:
        """Give the child processes away, for another scene; the result is not needed any more."""
        compilers, self._compilers = self._compilers, None
        return compilers


def compile_scene(scene: Scene, meshes: Meshes, progress: Callable[[int, int], None]) -> CompiledScene:
    """Compile a scene and all its kernels in this process, and block until done. Raises InputError.

    `progress(done, total)` reports the number of compiled units, if any have to be compiled.
    """
    compile_units(missing(units_to_build(scene)), progress)
    compile_units(missing(shapes_to_make(scene, meshes)), progress)
    compiled = build_at(scene, scene.sensor.centre, meshes)
    compile_units(missing(units_to_run(compiled)), progress)
    return compiled


def start_simulation(scene: Scene, meshes: Meshes, listener: object) -> Simulation:
    """A simulation of a scene in its initial state, compiled in this process. Raises InputError.

    If `listener` has a method `compiling(done, total)`, it receives the progress of the compilation; a method
    `running(simulation)` then receives the simulation.
    """
    compiled = compile_scene(scene, meshes, getattr(listener, "compiling", lambda done, total: None))
    simulation = Simulation(scene, meshes, compiled)
    getattr(listener, "running", lambda simulation: None)(simulation)
    return simulation


def compile_units(units: Sequence[Work], progress: Callable[[int, int], None]) -> None:
    """Compile units in this process, one after another."""
    for number, unit in enumerate(units):
        progress(number, len(units))
        unit.compile()
