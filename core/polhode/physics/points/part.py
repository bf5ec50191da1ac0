"""Engine records of points and springs: the hooks that the engine calls phase by phase
(core/polhode/engine/part.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import ELASTIC, KINETIC
from polhode.engine.model import Step
from polhode.engine.part import Part, StateSection
from polhode.jit.kernel import kernel
from polhode.jit.vec import add, cross, scale
from polhode.physics.bodies.arrays import add_momentum
from polhode.physics.points.arrays import POINT_SIZE, make_anchor_work, make_point_work, point_rows
from polhode.physics.points.bending import add_bending, bending_energy
from polhode.physics.points.compile import check_points, compile_points, start_points
from polhode.physics.points.compile_bending import compile_bending
from polhode.physics.points.compile_tension import check_tension_laws, compile_tension_laws
from polhode.physics.points.placement import clear_points, move_points, place_anchors
from polhode.physics.points.spring_tiles import make_spring_work
from polhode.physics.points.springs import add_springs, clear_anchors, load_bodies, spring_energy
from polhode.physics.points.tension import add_tensions, tension_energy, write_pulling


@kernel
def clear(s: Step) -> None:
    """REST: zero the forces on points, which no law has initialised there."""
    clear_points(s.work.points)


@kernel
def project(s: Step) -> None:
    """PROJECT: rates of all points; the points of modal bodies are overwritten by the hook of `modal`."""
    move_points(s.model.points, s.inputs.held, s.state, s.work.points, s.work.power, s.work.work_sharing, s.out)


@kernel
def kinetic_energy(s: Step) -> None:
    """ENERGY: T = m v^2/2 [J] of all points that are not held."""
    rows, energy = point_rows(s.model.points, s.state), 0.0
    for i in range(len(s.model.points.mass)):
        if not s.inputs.held[i]:
            square = rows[3, i] * rows[3, i] + rows[4, i] * rows[4, i] + rows[5, i] * rows[5, i]
            energy += 0.5 * s.model.points.mass[i] * square
    s.out[KINETIC] += energy


@kernel
def write_points(s: Step) -> None:
    """OBSERVE: position [m] and velocity [m/s] of every point, laboratory frame; POINT_SIZE columns each."""
    rows = point_rows(s.model.points, s.state)
    for i in range(len(s.model.points.mass)):
        for j in range(POINT_SIZE):
            s.out[POINT_SIZE * i + j] = rows[j, i]


@kernel
def place_ends(s: Step) -> None:
    """PLACE: positions and velocities of anchors, in bodies that have been placed."""
    place_anchors(s.model.anchors, s.state, s.work.bodies, s.work.anchors)


@kernel
def spring_forces(s: Step) -> None:
    """LAW: forces of springs on points, anchors and bodies, and the power of their dampers."""
    clear_anchors(s.work.anchors)
    add_springs(
        s.model.points,
        s.model.springs,
        s.model.spring_rows,
        s.state,
        s.work.points,
        s.work.anchors,
        s.work.springs,
        s.work.power,
        s.work.work_sharing,
    )
    load_bodies(s.model.anchors, s.work.bodies, s.work.anchors)


@kernel
def elastic_energy(s: Step) -> None:
    """ENERGY: U [J] of all springs."""
    s.out[ELASTIC] += spring_energy(
        s.model.points, s.model.springs, s.model.spring_rows, s.state, s.work.anchors, s.work.springs
    )


@kernel
def momentum(s: Step) -> None:
    """MOMENTUM: sum m v and sum x x m v about the origin, of all points."""
    total, angular = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    rows = point_rows(s.model.points, s.state)
    for i in range(len(s.model.points.mass)):
        of_point = scale(s.model.points.mass[i], (rows[3, i], rows[4, i], rows[5, i]))
        total, angular = add(total, of_point), add(angular, cross((rows[0, i], rows[1, i], rows[2, i]), of_point))
    add_momentum(s.out, total, angular)


@kernel
def tensions(s: Step) -> None:
    """LAW: forces of springs and strings with tension laws, and the power of what depends on their rates."""
    add_tensions(
        s.model.points,
        s.model.anchors,
        s.model.springs,
        s.model.tension_laws,
        s.model.breaking,
        s.state,
        s.work.points,
        s.work.anchors,
        s.work.bodies,
        s.work.events,
        s.work.power,
    )


@kernel
def energy_of_tensions(s: Step) -> None:
    """ENERGY: U [J] of springs and strings with tension laws."""
    s.out[ELASTIC] += tension_energy(
        s.model.points, s.model.springs, s.model.tension_laws, s.model.breaking, s.state, s.work.anchors
    )


@kernel
def bending(s: Step) -> None:
    """LAW: forces of hinges."""
    add_bending(s.model.points, s.model.hinges, s.state, s.work.points)


@kernel
def energy_of_bending(s: Step) -> None:
    """ENERGY: U [J] of hinges, as elastic energy."""
    s.out[ELASTIC] += bending_energy(s.model.points, s.model.hinges, s.state)


@kernel
def pulling(s: Step) -> None:
    """SWITCH: two functions of each string, both positive where it pulls."""
    write_pulling(
        s.model.points, s.model.springs, s.model.tension_laws, s.model.breaking, s.state, s.work.anchors, s.out
    )


@kernel
def all_spring_forces(s: Step) -> None:
    """Hook for display: forces of all springs and strings, and of bending."""
    spring_forces(s)
    tensions(s)
    bending(s)


def _owner(compiled: CompiledScene, number: int) -> str:
    """Name of the soft body or particle to which component `number` of the section of points belongs."""
    point = number % len(compiled.model.points.mass)
    return next(name for name, where in compiled.points.items() if point < where.stop)


POINTS = Part(
    "points",
    check=check_points,
    compile=compile_points,
    inputs=lambda scene, model: {"held": model.points.fixed},
    work=lambda model: {"points": make_point_work(len(model.points.mass))},
    section=StateSection(lambda model: np.repeat([False, True], 3 * len(model.points.mass)), _owner, "points"),
    start=start_points,
    is_in=lambda model, inputs: len(model.points.mass) > 0,
    meets_bodies=False,
    rest=(clear,),
    project=(project,),
    energy=(kinetic_energy,),
    momentum=(momentum,),
    observe=(write_points,),
    width=lambda model: POINT_SIZE * len(model.points.mass),
)
SPRINGS = Part(
    "springs",
    work=lambda model: {
        "anchors": make_anchor_work(len(model.anchors.body)),
        "springs": make_spring_work(model.spring_rows, len(model.points.mass)),
    },
    is_in=lambda model, inputs: len(model.springs.rest) + len(model.spring_rows.rest) > 0,
    place=(place_ends,),
    laws={"springs": spring_forces},
    energy=(elastic_energy,),
)
TENSIONS = Part(
    "tension laws",
    check=check_tension_laws,
    compile=compile_tension_laws,
    is_in=lambda model, inputs: len(model.tension_laws.spring) > 0,
    laws={"tension laws": tensions},
    energy=(energy_of_tensions,),
    shown={"springs": all_spring_forces},
    switch=(pulling,),
    switches=lambda model: 2 * int(model.tension_laws.pull_only.sum()),
)
BENDING = Part(
    "bending",
    compile=compile_bending,
    is_in=lambda model, inputs: len(model.hinges.first) > 0,
    laws={"bending": bending},
    energy=(energy_of_bending,),
    shown={"springs": all_spring_forces},
)
