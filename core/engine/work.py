"""Scratch arrays of a scene, and the link to the hooks of the subjects that it has."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.engine.model import LEDGER_SIZE, Inputs, Model, Program, Tape, Work
from core.engine.part import Part
from core.engine.program import ENERGY, FINISH, LAW, OBSERVE, PHASES, PLACE, PROJECT, REDUCE, REST, SOLVE
from core.engine.registry import SUBJECTS
from core.jit.calls import address_of, hook_types
from core.jit.kernel_struct import lined_up
from core.jit.work_sharing import PARTS, make_crew
from core.physics.contact.arrays import make_roughness, make_rubs
from core.physics.magnets.tree import make_tree_work
from core.physics.paths.arrays import make_bead_work
from core.physics.points.spring_tiles import make_spring_work

MOST_HOOKS = 64


def link(model: Model, inputs: Inputs, work: Work) -> None:
    """Write the addresses of the hooks that a scene needs into `work.program`; compile those that are not there yet."""
    program, kinds = work.program, hook_types(model, inputs, work)
    hooks, column = hooks_of(model, inputs), 1
    at = 0
    for phase in range(PHASES):
        program.first[phase] = at
        for part, hook in hooks[phase]:
            program.address[at] = address_of(hook, kinds)
            if phase == OBSERVE:
                program.column[at] = column
                column += part.width(model)
            at += 1
    program.first[PHASES], program.width[0] = at, column
    program.alone[0] = not any(part.meets_bodies for part in SUBJECTS if part.is_in(model, inputs))


def subjects_in(model: Model, inputs: Inputs) -> tuple[bool, ...]:
    """Which of SUBJECTS a scene has now."""
    return tuple(part.is_in(model, inputs) for part in SUBJECTS)


def hooks_of(model: Model, inputs: Inputs) -> dict[int, list[tuple[Part, Any]]]:
    """The hooks of each phase that a scene needs, with the subjects that they are of."""
    found: dict[int, list[tuple[Part, Any]]] = {phase: [] for phase in range(PHASES)}
    for part in SUBJECTS:
        if part.is_in(model, inputs):
            of_part = {REDUCE: part.reduce, PLACE: part.place, REST: part.rest, PROJECT: part.project}
            of_part |= {LAW: (*part.laws.values(),), SOLVE: part.solve}
            of_part |= {FINISH: part.finish, ENERGY: part.energy, OBSERVE: part.observe}
            for phase, hooks in of_part.items():
                found[phase] += [(part, hook) for hook in hooks]
    return found


def make_work(model: Model, inputs: Inputs) -> Work:
    """Scratch arrays of the sizes that a model needs, linked to the hooks of its subjects."""
    n, m, k = len(model.bodies.mass), len(model.dipoles.moment), len(model.is_momentum)
    p, q = len(model.points.mass), len(model.anchors.body)
    of_bodies = ["position", "velocity", "angular_velocity", "arm", "force", "torque"]
    of_dipoles = ["dipole_arm", "dipole_position", "dipole_moment", "field", "dipole_force"]
    of_anchors = ["anchor_position", "anchor_velocity", "anchor_force"]
    of_state = {"middle": 0, "stage": 128, "rate": 256, "increment": 384}  # apart from each other in a page
    arrays = {name: np.zeros((n, 3)) for name in of_bodies} | {name: np.zeros((m, 3)) for name in of_dipoles}
    arrays |= {name: np.zeros((q, 3)) for name in of_anchors} | {"point_force": lined_up(3 * p).reshape(3, p)}
    arrays |= {"contact_place": np.zeros((len(model.contacts.radius), 3))}
    narrow = len(model.contacts.narrow)
    lists = {"contact_cell": (narrow, 3), "contact_next": narrow, "contact_head": 2 ** (2 * narrow).bit_length()}
    arrays |= {name: np.zeros(shape, dtype=np.int64) for name, shape in lists.items()}
    arrays |= {name: np.zeros(model.modal.rest.shape) for name in ("shift", "shift_rate", "local_force")}
    modes = len(model.modal.damping)
    arrays |= {"coupling": np.zeros((modes, 3)), "spin": np.zeros((len(model.modal.mass), 3))}
    flat = {name: lined_up(k, behind) for name, behind in of_state.items()}
    flat |= {name: np.zeros(modes) for name in ("amplitude_rate", "modal_force")}
    flat |= {"crew": make_crew(), "power": np.zeros(LEDGER_SIZE), "drift": np.zeros(1)}
    flat |= {"part_lost": np.zeros(PARTS, dtype=np.int64), "idle": np.zeros(2, dtype=np.int64), "factors": np.zeros(2)}
    first = model.dipoles.first
    flat |= {"dipole_first": np.repeat(first[:-1], np.diff(first)).astype(float)[np.newaxis]}
    flat |= {"stop_time": np.array([model.friction_stop_time]), "energy": np.zeros(4)}
    tape = Tape(np.zeros((0, k)), np.zeros(3, dtype=np.int64))
    program = Program(*(np.zeros(size, dtype=np.int64) for size in (PHASES + 1, MOST_HOOKS, MOST_HOOKS, 1, 1)))
    work = Work(
        program=program,
        **arrays,
        **flat,
        springs=make_spring_work(model.runs, p),
        tree=make_tree_work(model.tree, n, m),
        tape=tape,
        rubs=make_rubs(model.walls, model.surfaces, model.hulls, model.contacts, n, p),
        roughness=make_roughness(len(model.rough.first)),
        beads=make_bead_work(model.beads),
    )
    link(model, inputs, work)
    return work
