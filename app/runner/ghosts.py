"""The ghosts of a scene that runs: simulations that follow its clock. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from core.mesh.mesh import Meshes
from core.scene.problem import InputError
from core.scene.scene import Ghost, Scene
from core.simulation.ghost_runs import ghost_name, ghost_scene
from core.simulation.simulation import Checkpoint, Diverged, Simulation
from core.simulation.snapshot import Snapshot


@dataclass
class _Ghost:
    name: str
    simulation: Simulation
    lost: bool = False  # it diverged, and stands still until it is reset


class Ghosts:
    """All ghosts of one scene, in its order."""

    def __init__(self, ghosts: list[_Ghost] | None = None):
        self._ghosts = ghosts or []

    @classmethod
    def begun(cls, scene: Scene, meshes: Meshes) -> Ghosts:
        """Those of a scene, at their starts. Raises InputError where one can't be built."""
        return cls(
            [
                _Ghost(ghost_name(scene, ghost), _built(number, lambda other: Simulation(other, meshes), scene, ghost))
                for number, ghost in enumerate(scene.ghost)
            ]
        )

    def carried(self, scene: Scene, main: Simulation) -> Ghosts:
        """Those of an edited scene: each goes on where it was, a new one splits off from where `main` is now.

        Raises InputError where one can't be built; these here stay as they are.
        """
        return Ghosts(
            [
                _Ghost(ghost_name(scene, ghost), _built(number, self._origin(number, main).fork, scene, ghost))
                for number, ghost in enumerate(scene.ghost)
            ]
        )

    @property
    def simulations(self) -> list[Simulation]:
        """Of those that are not lost."""
        return [ghost.simulation for ghost in self._ghosts if not ghost.lost]

    def _origin(self, number: int, main: Simulation) -> Simulation:
        known = number < len(self._ghosts) and not self._ghosts[number].lost
        return self._ghosts[number].simulation if known else main

    def follow(self, time: float) -> Iterator[tuple[str, Diverged]]:
        """Go on to the whole steps that are nearest to a time [s]; yields the names of those that were lost on the way.

        Steps of another length than their own would make another motion.
        """
        for ghost in self._ghosts:
            simulation = ghost.simulation
            due = round((time - simulation.time) / simulation.time_step)
            if due > 0 and not ghost.lost:
                try:
                    simulation.advance_steps(due)
                except Diverged as stop:
                    ghost.lost = True
                    yield ghost.name, stop

    def bookmarks(self) -> tuple[Checkpoint | None, ...]:
        """Where each is now, to return to; None for one that is lost."""
        return tuple(None if ghost.lost else ghost.simulation.checkpoint() for ghost in self._ghosts)

    def return_to(self, bookmarks: tuple[Checkpoint | None, ...]) -> None:
        """Go back to where they were; one that had been lost, or was not there yet, stays as it is."""
        for ghost, checkpoint in zip(self._ghosts, bookmarks, strict=False):
            if checkpoint is not None:
                ghost.simulation.return_to(checkpoint)
                ghost.lost = False

    def warm_up(self) -> None:
        """Compile their methods, and be at the start again."""
        for ghost in self._ghosts:
            with suppress(Diverged):
                ghost.simulation.advance_steps(1)
        self.reset()

    def reset(self) -> None:
        """Back to their starts, the lost ones too."""
        for ghost in self._ghosts:
            ghost.simulation.reset()
            ghost.lost = False

    def snapshots(self) -> tuple[Snapshot | None, ...]:
        """Where each is now; None for one that is lost."""
        return tuple(None if ghost.lost else ghost.simulation.snapshot() for ghost in self._ghosts)


def _built(number: int, make: Callable[[Scene], Simulation], scene: Scene, ghost: Ghost) -> Simulation:
    """A ghost's simulation; the problems of what it states stand under its own place."""
    try:
        return make(ghost_scene(scene, ghost))
    except InputError as error:
        raise InputError(error.source, [problem.at(f"ghost[{number}]") for problem in error.problems]) from error
