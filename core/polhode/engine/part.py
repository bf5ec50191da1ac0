"""The record by which engine, analysis and tables know a subject of physics; `polhode.engine.registry` lists them.

The phases of a step, in which hooks of all subjects are called in the order of the registry:

    BEGIN      once per batch, by some methods: choose idle rows
    REDUCE     expand reduced coordinates in the state: beads, modal bodies
    (bodies)   the engine writes position, velocity and angular velocity of bodies; clears forces and powers
    PLACE      world positions and velocities of everything else, from the state and from bodies
    REST       instead of LAW, where only the kinematics is wanted
    (bodies)   the engine adds weight and support friction of bodies
    LAW        add forces, torques and powers
    SOLVE      constraint forces that depend on the sum of all others: dry friction
    (bodies)   the engine writes the rates of bodies, subject to their supports
    PROJECT    rates of everything else
    FINISH     once per step: project the next state; then the engine makes bases orthonormal

ENERGY, OBSERVE and MOMENTUM are called for outputs, on a placed state. SHARED is called by hooks of the same subject.
SWITCH writes the functions of which a change of sign divides a step, and IMPACT changes the state there
(core/polhode/engine/events.py). Coils call COUPLE before they solve for their currents, and INDUCE for outputs;
conductors call LINK before they solve for theirs, and iron MAGNETISE where several shapes saturate,
SATURATE where these are beside slow modes of conductors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Inputs, Model, Work
from polhode.mesh.mesh import Meshes
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene

Hook = Any
"""A kernel hook(s: Step) -> None, which reads and writes the structs of a Step. The phase defines `s.out`: see Part."""


@dataclass
class Draft:
    """A scene during compilation: first `check_inputs` and `check` of all subjects, then `compile`, then `start`."""

    scene: Scene
    meshes: Meshes
    is_varied: bool = False  # some numbers are others than in a scene that compiles: joints move their bodies to fit
    problems: list[Problem] = field(default_factory=list)
    model: dict[str, Any] = field(default_factory=dict)  # members of the Model
    results: dict[str, Any] = field(default_factory=dict)  # fields of CompiledScene by name


@dataclass(frozen=True, eq=False)
class StateSection:
    """A contiguous section of the state that belongs to one subject."""

    is_momentum: Callable[[Model], np.ndarray]  # (size of the section,) bool: components whose rates depend on forces
    owner: Callable[[CompiledScene, int], str]  # scene item of a component, counted from the section's first
    member: str = ""  # name of the member of Model whose `at` is the index of the section; none if empty


def no_members(*_: object) -> Mapping[str, Any]:
    """An empty mapping, for a subject without members."""
    return {}


def do_nothing(*_: object) -> None:
    """Default of optional callbacks."""


@dataclass(frozen=True, eq=False)
class Part:
    """A subject of physics. Hooks are called phase by phase, in the order of the registry.

    A subject that a scene does not have is neither compiled nor called. Phases in the order of a step: begin (once per
    batch), reduce, place, law, solve, project, finish; energy, observe and momentum are called for outputs.
    """

    name: str
    is_in: Callable[[Model, Inputs], bool]  # whether a scene has the subject
    check: Callable[[Draft], None] = do_nothing  # validates the scene before anything is compiled
    check_inputs: Callable[[Draft], None] = do_nothing  # the same of fields of World, also where only inputs change
    compile: Callable[[Draft], None] = do_nothing  # adds the subject's members of the Model; raises InputError
    inputs: Callable[[Scene, Model], Mapping[str, Any]] = no_members  # the subject's members of Inputs at the start
    input_fields: tuple[str, ...] = ()  # fields of World that only the subject's inputs depend on
    model_fields: tuple[str, ...] = ()  # fields of World that the subject's members of the Model depend on as well
    # numbers of which only values in members of the Model depend: their paths, with [] for an index, and the function
    # that makes these members for a scene from the model before; None where the scene has to be compiled
    adjustable: Mapping[str, Callable[[Scene, Model], Mapping[str, Any] | None]] = field(default_factory=dict)
    agreeing: tuple[str, ...] = ()  # those of them that the start state is made to agree with
    work: Callable[[Model], Mapping[str, Any]] = no_members  # the subject's members of Work
    section: StateSection | None = None  # its section of the state
    start: Callable[[Draft, Model, np.ndarray], None] = do_nothing  # writes its section of the start state (k,)
    # hooks of FINISH that make the start state agree with constraints
    assemble: tuple[Hook, ...] = ()
    assembled: Callable[[Draft, Model, Work], None] = do_nothing  # adds problems where it does not
    in_lanes: bool = False  # whether its laws are written for SIMD lanes (core/polhode/run/lanes), too
    meets_bodies: bool = True  # whether it reads or acts on bodies during a step (core/polhode/engine/idle.py)
    begin: tuple[Hook, ...] = ()  # before a batch of steps: chooses idle rows (core/polhode/engine/idle.py)
    reduce: tuple[Hook, ...] = ()  # first phase: expand reduced coordinates in the state
    place: tuple[Hook, ...] = ()  # write world positions and velocities; bodies are placed already
    rest: tuple[Hook, ...] = ()  # instead of the laws where only the kinematics is wanted: behave as without forces
    # add forces, torques and powers to the work arrays; energies that come without extra cost to `out` (ENERGIES,)
    laws: Mapping[str, Hook] = field(default_factory=dict)
    solve: tuple[Hook, ...] = ()  # constraints: add the forces that depend on the sum of all laws
    project: tuple[Hook, ...] = ()  # write rates into `out` (k,), subject to constraints
    finish: tuple[Hook, ...] = ()  # project the next state of a step onto the constraints; `out` (k,) is scratch
    # add energies [J] to `out` (ENERGIES,), core/polhode/engine/ledger.py; the state is placed
    energy: tuple[Hook, ...] = ()
    observe: tuple[Hook, ...] = ()  # write the subject's columns of the table into the first components of `out`
    momentum: tuple[Hook, ...] = ()  # add momentum and angular momentum about the origin to `out` (6,); all is placed
    # called by other hooks of the subject through `call_phase`, so that long code is compiled once
    shared: tuple[Hook, ...] = ()
    # write the values of switching functions into `out`, all is placed; a step ends where a sign changes
    switch: tuple[Hook, ...] = ()
    switches: Callable[[Model], int] = lambda model: 0  # number of values of `switch`; a subject has one such hook
    # change the state where values of `switch` have become negative, and make these positive: `out` has them
    impact: tuple[Hook, ...] = ()
    couple: tuple[Hook, ...] = ()  # add to fluxes and inductances of coils; these are placed and coupled to magnets
    # for outputs: add to forces on coils, and to voltages that motion induces in them; to charges of iron beside metal
    induce: tuple[Hook, ...] = ()
    # add to fluxes through nodes of conductors, to their changes, and to inductances of modes
    link: tuple[Hook, ...] = ()
    magnetise: tuple[Hook, ...] = ()  # write the charges of iron that saturates in the potentials at its panels
    saturate: tuple[Hook, ...] = ()  # the same together with currents in slow modes of conductors
    width: Callable[[Model], int] = lambda model: 0  # number of columns of `observe`
    shown: Mapping[str, Hook] | None = None  # laws as drawn and listed, where these differ from `laws`

    @property
    def hooks(self) -> tuple[tuple[Hook, ...], ...]:
        """The hooks of each phase, in the order of the phases of core/polhode/engine/program.py."""
        forces = self.begin, self.reduce, self.place, self.rest, (*self.laws.values(),), self.solve
        outputs = self.energy, self.observe, self.momentum
        events = self.switch, self.impact
        coupled = self.couple, self.induce, self.link, self.magnetise, self.saturate
        return *forces, self.project, self.finish, *outputs, self.shared, *events, *coupled
