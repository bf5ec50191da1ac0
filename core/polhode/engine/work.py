"""Scratch arrays of a scene, and the table of addresses of its hooks."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np

from polhode.engine.ledger import ENERGIES, LEDGER_SIZE
from polhode.engine.model import Inputs, Model, Program, Step, StoredStates, Work, step_type
from polhode.engine.part import Part
from polhode.engine.program import COUPLE, IMPACT, LINK, MAGNETISE, OBSERVE, PHASES, SATURATE, SWITCH
from polhode.engine.registry import SUBJECTS
from polhode.jit.calls import run_hook
from polhode.jit.pages import BEHIND, aligned_zeros
from polhode.jit.work_sharing import PARTS, make_work_sharing

MOST_HOOKS = 64


def link(model: Model, inputs: Inputs, work: Work, phases: Collection[int] = range(PHASES)) -> None:
    """Write the addresses of the hooks of `phases` that a scene needs into `work.program`; compiles them if necessary.

    Also the first column of each OBSERVE hook, column 0 being the time, the first value of SWITCH and IMPACT hooks, and
    whether only beads meet bodies.
    """
    program, kinds = work.program, hook_types(model, inputs, work)
    hooks, first_switch = hooks_of(model, inputs), dict[str, int]()
    column, switch, at = 1, 0, 0
    for phase in range(PHASES):
        program.first[phase] = at
        for part, hook in hooks[phase] if phase in phases else ():
            program.address[at] = hook.native.address(kinds)
            if phase == OBSERVE:
                program.column[at] = column
                column += part.width(model)
            elif phase == SWITCH:
                program.column[at] = first_switch[part.name] = switch
                switch += part.switches(model)
            elif phase == IMPACT:
                program.column[at] = first_switch[part.name]
            at += 1
    program.first[PHASES], program.width[0] = at, column
    program.only_beads[0] = not any(part.meets_bodies for part in SUBJECTS if part.is_in(model, inputs))


def subjects_in(model: Model, inputs: Inputs) -> tuple[bool, ...]:
    """For each of SUBJECTS, whether the scene has it."""
    return tuple(part.is_in(model, inputs) for part in SUBJECTS)


def width_of_columns(model: Model, inputs: Inputs) -> int:
    """Number of the columns of all subjects that the scene has."""
    return sum(part.width(model) for part in SUBJECTS if part.is_in(model, inputs))


def hooks_of(model: Model, inputs: Inputs) -> dict[int, list[tuple[Part, Any]]]:
    """The hooks of each phase that a scene needs, with their subjects."""
    found: dict[int, list[tuple[Part, Any]]] = {phase: [] for phase in range(PHASES)}
    for part in SUBJECTS:
        if part.is_in(model, inputs):
            for phase, hooks in enumerate(part.hooks):
                found[phase] += [(part, hook) for hook in hooks]
    return found


def hook_types(model: Model, inputs: Inputs, work: Work) -> tuple[Any, ...]:
    """numba types of the arguments of a hook that is called with these structs: a Step."""
    return (step_type(model._numba_type_, inputs._numba_type_, work._numba_type_),)


def make_work(model: Model, inputs: Inputs) -> Work:
    """Scratch arrays for a model, with the hooks of its subjects linked."""
    work = make_tables(model)
    link(model, inputs, work)
    return work


def tables_to_assemble(model: Model, inputs: Inputs) -> Work:
    """Scratch arrays for a model, with the hooks that assemblies of the start call."""
    work = make_tables(model)
    link(model, inputs, work, (COUPLE, LINK, MAGNETISE, SATURATE))
    return work


def run_hooks(hooks: Iterable[Any], step: Step) -> None:
    """Call hooks from Python; those for display may be Python functions."""
    kinds = hook_types(step.model, step.inputs, step.work)
    for hook in hooks:
        if hasattr(hook, "native"):
            run_hook(hook.native.address(kinds), step)
        else:
            hook(step)


def make_tables(model: Model) -> Work:
    """Scratch arrays for a model, without hooks: those of the engine, then the members of each subject.

    Those of the length of the state begin at different offsets in a page.
    """
    k, of_state = len(model.is_momentum), ("second_stage", "stage", "rate", "increment")
    arrays: dict[str, np.ndarray] = {name: aligned_zeros(k, BEHIND[name]) for name in of_state}
    arrays |= {"work_sharing": make_work_sharing(), "power": np.zeros(LEDGER_SIZE), "basis_error": np.zeros(1)}
    arrays |= {"nonfinite_counts": np.zeros(PARTS, dtype=np.int64), "idle": np.zeros(2, dtype=np.int64)}
    arrays |= {"cancel": np.zeros(1, dtype=np.int64), "step": np.zeros(1), "decisions": np.zeros(1, dtype=np.int64)}
    arrays |= {"later": np.zeros(1, dtype=np.int64)}
    arrays |= {"factors": np.zeros(2), "stop_time": np.array([model.friction_stop_time]), "energy": np.zeros(ENERGIES)}
    members = {name: made for part in SUBJECTS for name, made in part.work(model).items()}
    return Work(
        program=Program(*(np.zeros(size, dtype=np.int64) for size in (PHASES + 1, MOST_HOOKS, MOST_HOOKS, 1, 1))),
        samples=StoredStates(np.zeros((0, k)), np.zeros(3, dtype=np.int64)),
        **arrays,
        **members,
    )
