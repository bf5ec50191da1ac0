"""Ghosts of the running scene: simulations that are advanced together with it. No Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass

from polhode.mesh.mesh import Meshes
from polhode.scene.problem import InputError
from polhode.scene.scene import Ghost, Scene
from polhode.simulation.ghost_runs import ghost_name, ghost_scene
from polhode.simulation.simulation import Checkpoint, Diverged, Simulation
from polhode.simulation.snapshot import Snapshot


@dataclass
class _Ghost:
    """A ghost and its simulation."""

    name: str
    simulation: Simulation
    lost: bool = False  # it diverged and stands still until the next reset


class Ghosts:
    """All ghosts of one scene, in the order of the scene."""

    def __init__(self, ghosts: list[_Ghost] | None = None):
        self._ghosts = ghosts or []

    @classmethod
    def begun(cls, scene: Scene, meshes: Meshes) -> Ghosts:
        """The ghosts of a scene in their initial states. Raises InputError if one cannot be compiled."""
        return cls(
            [
                _Ghost(ghost_name(scene, ghost), _built(number, lambda other: Simulation(other, meshes), scene, ghost))
                for number, ghost in enumerate(scene.ghost)
            ]
        )

    def carried(self, scene: Scene, main: Simulation) -> Ghosts:
        """The ghosts of an edited scene: existing ones keep their states, new ones start from the state of `main`.

        Raises InputError if one cannot be compiled; the present ghosts are unchanged in any case.
        """
        return Ghosts(
            [
                _Ghost(ghost_name(scene, ghost), _built(number, self._origin(number, main).fork, scene, ghost))
                for number, ghost in enumerate(scene.ghost)
            ]
        )

    @property
    def simulations(self) -> list[Simulation]:
        """Simulations of the ghosts that have not diverged."""
        return [ghost.simulation for ghost in self._ghosts if not ghost.lost]

    def _origin(self, number: int, main: Simulation) -> Simulation:
        """The simulation that a ghost is forked from: its own, or `main` for a new or a lost one."""
        known = number < len(self._ghosts) and not self._ghosts[number].lost
        return self._ghosts[number].simulation if known else main

    def follow(self, time: float) -> Iterator[tuple[str, Diverged]]:
        """Advance to the whole steps nearest to a time [s]; yields name and error of ghosts that diverge.

        A ghost keeps its own time step, because another step would give another trajectory.
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
        """Checkpoints of all ghosts; None for one that has diverged."""
        return tuple(None if ghost.lost else ghost.simulation.checkpoint() for ghost in self._ghosts)

    def return_to(self, bookmarks: tuple[Checkpoint | None, ...]) -> None:
        """Restore checkpoints; a ghost without a checkpoint keeps its state."""
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
        """Return all ghosts to their initial states, including those that diverged."""
        for ghost in self._ghosts:
            ghost.simulation.reset()
            ghost.lost = False

    def snapshots(self) -> tuple[Snapshot | None, ...]:
        """Current snapshots; None for a ghost that has diverged."""
        return tuple(None if ghost.lost else ghost.simulation.snapshot() for ghost in self._ghosts)


def _built(number: int, make: Callable[[Scene], Simulation], scene: Scene, ghost: Ghost) -> Simulation:
    """Compile a ghost; problems are reported under its own path, such as ghost[0]."""
    try:
        return make(ghost_scene(scene, ghost))
    except InputError as error:
        raise InputError(error.source, [problem.at(f"ghost[{number}]") for problem in error.problems]) from error
