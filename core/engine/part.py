"""What the rest of the program knows of a subject of physics: one record for each, in `core.engine.registry`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from core.engine.model import Inputs, Model
from core.mesh.mesh import Meshes
from core.scene.problem import Problem
from core.scene.scene import Scene

if TYPE_CHECKING:
    from core.engine.compile import CompiledScene

Hook = Any
"""A kernel hook(model, inputs, time [s], state (k,), work, out) -> float. What `out` is, the phase says."""


@dataclass
class Draft:
    """A scene on its way to arrays, which the subjects add one after another."""

    scene: Scene
    meshes: Meshes
    problems: list[Problem] = field(default_factory=list)
    model: dict[str, Any] = field(default_factory=dict)  # members of the Model
    results: dict[str, Any] = field(default_factory=dict)  # what else is known then: fields of CompiledScene by name


@dataclass(frozen=True)
class Section:
    """Numbers of the state that a subject has, which stand together."""

    is_momentum: Callable[[Model], np.ndarray]  # (size of the section,) bool: which of them forces change
    owner: Callable[[CompiledScene, int], str]  # name of the part of the scene that a number of the section belongs to
    member: str = ""  # of the Model, if it has one whose `at` says where the section begins


def no_members(*_: object) -> Mapping[str, Any]:
    return {}


def do_nothing(*_: object) -> None:
    pass


@dataclass(frozen=True)
class Part:
    """A subject. The hooks of a scene's subjects are called phase by phase, in the order of the registry.

    One that a scene does not have is neither compiled nor called.
    """

    name: str
    is_in: Callable[[Model, Inputs], bool]  # whether a scene has it
    check: Callable[[Draft], None] = do_nothing  # what of its parts of a scene is wrong, before anything is compiled
    compile: Callable[[Draft], None] = do_nothing  # adds its members of the Model; raises InputError
    inputs: Callable[[Scene, Model], Mapping[str, Any]] = no_members  # its members of Inputs at the start
    input_fields: tuple[str, ...] = ()  # fields of World that only its inputs depend on
    model_fields: tuple[str, ...] = ()  # fields of World that its members of the Model depend on as well
    work: Callable[[Model], Mapping[str, Any]] = no_members  # its members of Work
    section: Section | None = None  # its numbers of the state
    start: Callable[[Draft, Model, np.ndarray], None] = do_nothing  # writes them at the start
    meets_bodies: bool = True  # whether in a step it reads where bodies are, or acts on them (core/engine/idle.py)
    begin: tuple[Hook, ...] = ()  # before a batch of steps of a method that leaves out rows (core/engine/idle.py)
    reduce: tuple[Hook, ...] = ()  # write places that follow from reduced coordinates into the state, before all else
    place: tuple[Hook, ...] = ()  # where things are in space; bodies are placed already
    rest: tuple[Hook, ...] = ()  # as if no force acted; called instead of the laws where only the motion is asked for
    # add forces, torques and powers to the work arrays, and what energy is found on the way to `out`, as `energy` does
    laws: Mapping[str, Hook] = field(default_factory=dict)
    solve: tuple[Hook, ...] = ()  # constraints: add the forces that follow from all laws together, which are summed
    project: tuple[Hook, ...] = ()  # write rates into `out` (k,), as far as constraints allow them
    finish: tuple[Hook, ...] = ()  # project positions and velocities of the next state of a step; `out` is scratch
    energy: tuple[Hook, ...] = ()  # add energies [J] to `out` (ENERGIES,), core/engine/ledger.py; all is placed
    observe: tuple[Hook, ...] = ()  # write its columns of the table into the first numbers of `out`
    momentum: tuple[Hook, ...] = ()  # add momentum and angular momentum about the origin to `out` (6,); all is placed
    # what hooks of the subject itself call by `call_phase`: long code that several of them need is compiled once so
    shared: tuple[Hook, ...] = ()
    width: Callable[[Model], int] = lambda model: 0  # how many columns that are
    shown: Mapping[str, Hook] | None = None  # laws as forces are drawn and listed by them, where these are not `laws`

    @property
    def hooks(self) -> tuple[tuple[Hook, ...], ...]:
        """Its hooks phase by phase, in the order of core/engine/program.py."""
        forces = self.begin, self.reduce, self.place, self.rest, (*self.laws.values(),), self.solve
        return *forces, self.project, self.finish, self.energy, self.observe, self.momentum, self.shared
