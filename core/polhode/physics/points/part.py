"""Engine records of points and springs: the hooks that the engine calls phase by phase
(core/polhode/engine/part.py).
"""

from __future__ import annotations

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.ledger import ELASTIC
from polhode.engine.model import Inputs, Model, Work
from polhode.engine.part import Part, Section
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
def clear(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """REST: zero the forces on points, which no law has initialised there."""
    clear_points(work.points)
    return 0.0


@kernel
def project(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """PROJECT: rates of all points; the points of modal bodies are overwritten by the hook of `modal`."""
    move_points(model.points, inputs.held, state, work.points, work.power, work.work_sharing, out)
    return 0.0


@kernel
def kinetic_energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """ENERGY: T = m v^2/2 [J] of all points that are not held."""
    rows, energy = point_rows(model.points, state), 0.0
    for i in range(len(model.points.mass)):
        if not inputs.held[i]:
            square = rows[3, i] * rows[3, i] + rows[4, i] * rows[4, i] + rows[5, i] * rows[5, i]
            energy += 0.5 * model.points.mass[i] * square
    out[0] += energy
    return 0.0


@kernel
def write_points(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """OBSERVE: position [m] and velocity [m/s] of every point, laboratory frame; POINT_SIZE columns each."""
    rows = point_rows(model.points, state)
    for i in range(len(model.points.mass)):
        for j in range(POINT_SIZE):
            out[POINT_SIZE * i + j] = rows[j, i]
    return 0.0


@kernel
def place_ends(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """PLACE: positions and velocities of anchors, in bodies that have been placed."""
    place_anchors(model.anchors, state, work.bodies, work.anchors)
    return 0.0


@kernel
def spring_forces(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: forces of springs on points, anchors and bodies, and the power of their dampers."""
    clear_anchors(work.anchors)
    add_springs(
        model.points,
        model.springs,
        model.spring_rows,
        state,
        work.points,
        work.anchors,
        work.springs,
        work.power,
        work.work_sharing,
    )
    load_bodies(model.anchors, work.bodies, work.anchors)
    return 0.0


@kernel
def elastic_energy(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """ENERGY: U [J] of all springs."""
    out[3] += spring_energy(model.points, model.springs, model.spring_rows, state, work.anchors)
    return 0.0


@kernel
def momentum(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """MOMENTUM: sum m v and sum x x m v about the origin, of all points."""
    total, angular = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    rows = point_rows(model.points, state)
    for i in range(len(model.points.mass)):
        of_point = scale(model.points.mass[i], (rows[3, i], rows[4, i], rows[5, i]))
        total, angular = add(total, of_point), add(angular, cross((rows[0, i], rows[1, i], rows[2, i]), of_point))
    add_momentum(out, total, angular)
    return 0.0


@kernel
def tensions(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: forces of springs and strings with tension laws, and the power of what depends on their rates."""
    add_tensions(
        model.points,
        model.anchors,
        model.springs,
        model.tension_laws,
        state,
        work.points,
        work.anchors,
        work.bodies,
        work.events,
        work.power,
    )
    return 0.0


@kernel
def energy_of_tensions(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    """ENERGY: U [J] of springs and strings with tension laws."""
    out[ELASTIC] += tension_energy(model.points, model.springs, model.tension_laws, state, work.anchors)
    return 0.0


@kernel
def bending(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """LAW: forces of hinges."""
    add_bending(model.points, model.hinges, state, work.points)
    return 0.0


@kernel
def energy_of_bending(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    """ENERGY: U [J] of hinges, as elastic energy."""
    out[ELASTIC] += bending_energy(model.points, model.hinges, state)
    return 0.0


@kernel
def pulling(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray) -> float:
    """SWITCH: two functions of each string, both positive where it pulls."""
    write_pulling(model.points, model.springs, model.tension_laws, state, work.anchors, out)
    return 0.0


@kernel
def all_spring_forces(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, out: np.ndarray
) -> float:
    """Hook for display: forces of all springs and strings, and of bending."""
    spring_forces(model, inputs, time, state, work, out)
    tensions(model, inputs, time, state, work, out)
    bending(model, inputs, time, state, work, out)
    return 0.0


def _owner(built: CompiledScene, number: int) -> str:
    """Name of the soft body or particle to which component `number` of the section of points belongs."""
    point = number % len(built.model.points.mass)
    return next(name for name, where in built.points.items() if point < where.stop)


POINTS = Part(
    "points",
    check=check_points,
    compile=compile_points,
    inputs=lambda scene, model: {"held": model.points.fixed},
    work=lambda model: {"points": make_point_work(len(model.points.mass))},
    section=Section(lambda model: np.repeat([False, True], 3 * len(model.points.mass)), _owner, "points"),
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
