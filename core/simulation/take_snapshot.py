"""A Snapshot of a state: everything placed and measured, and copied."""

from __future__ import annotations

import numpy as np

from core.analysis.diagnostics import ENERGY_COLUMNS, momenta, observed
from core.analysis.forces_by_law import forces_by_law
from core.engine.compile import CompiledScene
from core.engine.ledger import LEDGER_SIZE
from core.engine.model import Inputs, Model, Work
from core.physics.bodies.arrays import BASIS, body_states
from core.physics.bodies.columns import WIDTH as BODY_WIDTH
from core.physics.contact.penetration import wall_displacements
from core.physics.grab.interactions import Grab, Grip, PullAll, PullBody, PullPoint, Twist
from core.physics.paths.arrays import HOLD, bead_states
from core.physics.paths.columns import WIDTH as BEAD_WIDTH
from core.physics.paths.placement import is_held
from core.physics.points.arrays import POINT_SIZE, point_states
from core.physics.sensor.sensor_motion import sensor_distance
from core.simulation.snapshot import Beads, Bodies, Energy, Hand, Ledger, Points, Snapshot, no_beads

NO_BEADS = no_beads()


def take_snapshot(
    built: CompiledScene,
    inputs: Inputs,
    state: np.ndarray,
    work: Work,
    when: tuple[float, int],
    grip: Grip | None = None,
    forces: bool = False,
) -> Snapshot:
    """A copy of a flat state at a time [s] and step, with the forces law by law if they are asked for."""
    time, step = when
    model = built.model
    numbers = observed(model, inputs, np.array([time]), state[None], work)[0]
    numbers.flags.writeable = False  # and so are all views of it
    end = len(numbers) - LEDGER_SIZE - ENERGY_COLUMNS
    points_at = 1 + BODY_WIDTH * len(model.bodies.mass)
    beads_at = points_at + POINT_SIZE * len(model.points.mass)
    beads_end = beads_at + BEAD_WIDTH * len(model.beads.body)
    of_points = numbers[points_at:beads_at].reshape(-1, POINT_SIZE)
    found = np.empty(6)
    momenta(model, inputs, time, state, work, found)
    found.flags.writeable = False
    return Snapshot(
        time,
        step,
        _bodies(numbers[1:points_at].reshape(-1, BODY_WIDTH // 3, 3)),
        Points(of_points[:, :3], of_points[:, 3:]),
        Energy(*numbers[end : end + 4].tolist(), *numbers[beads_end:end].tolist()),
        Ledger(*numbers[end + ENERGY_COLUMNS :].tolist()),
        found[:3],
        found[3:],
        float(work.drift[0]),
        _beads(model, state, work, numbers[beads_at:beads_end]) if len(model.beads.body) else NO_BEADS,
        _hand(built, state, grip),
        forces_by_law(model, inputs, time, state, work) if forces else {},
        _walls(model, inputs, time),
        sensor_distance(inputs.hand, time)[0],
        numbers,
    )


def _bodies(columns: np.ndarray) -> Bodies:
    return Bodies(
        position=columns[:, 0],
        velocity=columns[:, 1],
        basis=columns[:, 2:5],
        angular_velocity=columns[:, 5],
        angular_momentum=columns[:, 6],
    )


def _walls(model: Model, inputs: Inputs, time: float) -> np.ndarray:
    """(w,) [m] how far each wall has moved along its normal."""
    ways = np.empty(len(model.walls.stiffness))
    if len(ways):
        wall_displacements(model.walls, inputs.hand, time, ways)
    ways.flags.writeable = False
    return ways


def _beads(model: Model, state: np.ndarray, work: Work, numbers: np.ndarray) -> Beads:
    """The beads of a placed state; `numbers` are theirs in a row of the table."""
    of_beads, now = numbers.reshape(-1, BEAD_WIDTH), work.beads
    held = np.array([is_held.py_func(hold) for hold in bead_states(model.beads, state)[HOLD]], dtype=bool)
    normal = np.cross(now.tangent, now.across)
    vectors = of_beads[:, 2:], now.shift, now.tangent, now.curvature, normal
    for part in (parts := [part.copy() for part in (of_beads[:, 0], of_beads[:, 1], held, *vectors)]):
        part.flags.writeable = False
    parameter, speed, held, constraint, *of_path = parts
    return Beads(parameter, speed, constraint, held, *of_path)


def _hand(built: CompiledScene, state: np.ndarray, grip: Grip | None) -> Hand | None:
    """Where a hand is, and where what it holds."""
    if grip is None:
        return None
    rows, points = body_states(built.model.bodies, state), point_states(built.model.points, state)[0]
    match grip:
        case Grab(point) | PullPoint(point):
            at = points[:, point]
        case PullBody(body, arm):
            at = rows[body, :3] + (built.model.bodies.origin[body] + arm) @ rows[body, BASIS : BASIS + 9].reshape(3, 3)
        case Twist(body):
            at = rows[body, :3] + built.model.bodies.center[body] @ rows[body, BASIS : BASIS + 9].reshape(3, 3)
        case PullAll(place):
            at = np.array(place)
    hand = at if isinstance(grip, Twist) else np.array(grip.place)
    return Hand(grip, hand.copy(), at.copy())
