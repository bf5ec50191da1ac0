"""Evaluates a state and copies the results into a Snapshot.

One compiled call writes all numbers into one new array, the columns of the table first; the parts of the Snapshot are
read-only views of it, made on first access.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import NamedTuple

import numpy as np

from polhode.analysis.angular_acceleration import angular_accelerations
from polhode.analysis.forces_by_law import forces_by_law
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.diagnostics import ENERGY_COLUMNS, energies, momenta, width, write_row
from polhode.engine.ledger import ENERGIES, LEDGER_SIZE
from polhode.engine.model import NOTHING, Inputs, Model, Work
from polhode.jit.kernel import kernel
from polhode.physics.bodies.arrays import BASIS, body_states
from polhode.physics.bodies.columns import WIDTH as BODY_WIDTH
from polhode.physics.breaking.compile import broken_flags
from polhode.physics.contact.penetration import wall_displacements
from polhode.physics.grab.interactions import Carry, Grab, Interaction, PullAll, PullBody, PullPoint, Twist
from polhode.physics.joints.arrays import BROKEN, FREE, has_coordinate, widths
from polhode.physics.joints.arrays import WIDTH as JOINT_WIDTH
from polhode.physics.paths.arrays import HOLD, bead_states, is_held
from polhode.physics.paths.columns import WIDTH as BEAD_WIDTH
from polhode.physics.points.arrays import POINT_SIZE, point_states
from polhode.physics.sensor.sensor_motion import sensor_distance
from polhode.run.table_types import ROW, step_types
from polhode.simulation.snapshot import (
    BeadStates,
    BodyStates,
    Energy,
    InteractionMarker,
    JointStates,
    Ledger,
    PointStates,
    Snapshot,
    no_beads,
)

NO_BEADS, NOT_TAKEN = no_beads(), np.zeros((0, 3))
DISTANCE, DRIFT, ENERGY = 6, 7, 8  # offsets after the columns, which momentum and angular momentum follow
OTHERS = ENERGY + ENERGIES


def take_snapshot(
    compiled: CompiledScene,
    inputs: Inputs,
    state: np.ndarray,
    work: Work,
    when: tuple[float, int],
    interaction: Interaction | None = None,
    forces: bool = False,
) -> Snapshot:
    """The snapshot of `state` at `when`, time [s] and step; with the forces of each law and the angular accelerations
    of bodies if `forces` is True.

    state: (k,) flat state, placed, which completes positions that other coordinates determine
    work: scratch, overwritten; so only the thread that advances the simulation may call this
    interaction: the current one, for its marker
    """
    time, step = when
    model = compiled.model
    columns = width(work)
    numbers = np.empty(columns + OTHERS + len(model.walls.stiffness))
    _measure()(model, inputs, time, state, work, numbers)
    numbers.setflags(write=False)  # its views are read-only, too
    measured = Moment(model, columns, numbers)
    parts = {
        "time": time,
        "step": step,
        "beads": _beads(model, state, work, measured.of_beads()) if len(model.beads.body) else NO_BEADS,
        "interaction_marker": _interaction_marker(compiled, state, interaction) if interaction is not None else None,
        "currents": work.coils.current.copy(),  # of the last observation
        "in_metal": work.conductors.node_current.copy(),
        "charges": work.iron.charge[0].copy(),
        "broken_springs": broken_flags(model.breaking, state),
        "forces": forces_by_law(model, inputs, time, state, work) if forces else {},
        "angular_acceleration": angular_accelerations(model, inputs, time, state, work) if forces else NOT_TAKEN,
        "measured": measured,
    }
    return Snapshot.of(parts)


@cache
def _measure() -> Callable[..., None]:
    """`measure` compiled for its only types, since finding these out in each call would take as long as the call."""
    return measure.compile((*step_types(), ROW))


@kernel
def measure(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, numbers: np.ndarray) -> None:
    """Write the columns of the table, the OTHERS and the displacements of walls into `numbers` (c + OTHERS + w,).

    The OTHERS: momentum [kg m/s], angular momentum [kg m^2/s] about the origin, distance of the sensor's target [m],
    drift of the bases, energies [J]. `state` (k,) is placed.
    """
    columns = work.program.width[0] + ENERGY_COLUMNS + LEDGER_SIZE
    energies(model, inputs, time, state, work)
    for kind in range(ENERGIES):
        numbers[columns + ENERGY + kind] = work.energy[kind]
    write_row(model, inputs, time, state, work, numbers[:columns])
    momenta(model, inputs, time, state, work, numbers[columns : columns + DISTANCE])
    numbers[columns + DISTANCE] = sensor_distance(inputs.sensor_track, time)[0]
    numbers[columns + DRIFT] = work.basis_error[0]
    wall_displacements(model.walls, inputs.sensor_track, time, numbers[columns + OTHERS :])


class Moment(NamedTuple):
    """Measured quantities in one array; the parts of a Snapshot are views of it."""

    model: Model
    columns: int  # number of columns of the table
    array: np.ndarray  # (c + OTHERS + w,) see `measure`

    def numbers(self) -> np.ndarray:
        """(c,) columns of the table."""
        return self.array[: self.columns]

    def bodies(self) -> BodyStates:
        """Views of the columns of all bodies; see Bodies for shapes."""
        columns = self.array[1 : self._points_at].reshape(-1, BODY_WIDTH // 3, 3)
        return BodyStates(
            position=columns[:, 0],
            velocity=columns[:, 1],
            basis=columns[:, 2:5],
            angular_velocity=columns[:, 5],
            angular_momentum=columns[:, 6],
        )

    def points(self) -> PointStates:
        """Views of the columns of all points; see Points for shapes."""
        columns = self.array[self._points_at : self._beads_at].reshape(-1, POINT_SIZE)
        return PointStates(columns[:, :3], columns[:, 3:])

    def of_beads(self) -> np.ndarray:
        """(b,) columns of the beads."""
        return self.array[self._beads_at : self._beads_end]

    def energy(self) -> Energy:
        """Energies [J], also those that have no column in this scene."""
        return Energy(*self.array[self.columns + ENERGY : self.columns + OTHERS].tolist())

    def ledger(self) -> Ledger:
        """Lines of the ledger [J], the last columns of the table."""
        return Ledger(*self.array[self.columns - LEDGER_SIZE : self.columns].tolist())

    def momentum(self) -> np.ndarray:
        """(3,) [kg m/s]."""
        return self.array[self.columns : self.columns + 3]

    def angular_momentum(self) -> np.ndarray:
        """(3,) [kg m^2/s] about the laboratory's origin."""
        return self.array[self.columns + 3 : self.columns + DISTANCE]

    def basis_drift(self) -> float:
        """Largest |u_i.u_j - delta_ij| before repair in the last batch of steps."""
        return float(self.array[self.columns + DRIFT])

    def distance(self) -> float:
        """Distance [m] of the sensor's target."""
        return float(self.array[self.columns + DISTANCE])

    def joints(self) -> JointStates:
        """Forces and torques of joints, and their coordinates; the last columns of the subjects."""
        joints = self.model.joints
        angles, width = has_coordinate(joints), widths(joints)
        first = self.columns - ENERGY_COLUMNS - LEDGER_SIZE - int(width.sum()) + np.cumsum(width) - width
        rows = self.array[first[:, None] + np.arange(JOINT_WIDTH)]
        coordinate = np.where(angles, self.array[first + JOINT_WIDTH], np.nan)
        status = np.where(joints.status != NOTHING, self.array[first + width - 1], FREE).astype(np.int64)
        return JointStates(rows[:, :3], rows[:, 3:6], coordinate, rows[:, 6], rows[:, 7], status, status == BROKEN)

    def walls(self) -> np.ndarray:
        """(w,) [m] displacements along the normals."""
        return self.array[self.columns + OTHERS :]

    @property
    def _points_at(self) -> int:
        return 1 + BODY_WIDTH * len(self.model.bodies.mass)

    @property
    def _beads_at(self) -> int:
        return self._points_at + POINT_SIZE * len(self.model.points.mass)

    @property
    def _beads_end(self) -> int:
        return self._beads_at + BEAD_WIDTH * len(self.model.beads.body)


def _beads(model: Model, state: np.ndarray, work: Work, numbers: np.ndarray) -> BeadStates:
    """The beads of `state`, which is placed in `work`, as copies; `numbers` (b,) are their columns of the table."""
    of_beads, now = numbers.reshape(-1, BEAD_WIDTH), work.beads
    held = np.array([is_held.py_func(hold) for hold in bead_states(model.beads, state)[HOLD]], dtype=bool)
    normal = np.cross(now.tangent, now.across)
    vectors = of_beads[:, 2:5], now.shift, now.tangent, now.curvature, normal
    for part in (parts := [part.copy() for part in (of_beads[:, 0], of_beads[:, 1], held, *vectors)]):
        part.flags.writeable = False
    parameter, speed, held, constraint, *of_path = parts
    return BeadStates(parameter, speed, constraint, held, *of_path)


def _interaction_marker(compiled: CompiledScene, state: np.ndarray, interaction: Interaction) -> InteractionMarker:
    """The two ends of the spring of an interaction, laboratory frame."""
    rows, points = body_states(compiled.model.bodies, state), point_states(compiled.model.points, state)[0]
    match interaction:
        case Grab(point) | PullPoint(point):
            at = points[:, point]
        case PullBody(body, arm) | Carry(body, arm):
            at = rows[body, :3] + (compiled.model.bodies.origin[body] + arm) @ rows[body, BASIS : BASIS + 9].reshape(
                3, 3
            )
        case Twist(body):
            at = rows[body, :3] + compiled.model.bodies.center[body] @ rows[body, BASIS : BASIS + 9].reshape(3, 3)
        case PullAll(place):
            at = np.array(place)
    pointer = at if isinstance(interaction, Twist) else np.array(interaction.place)
    return InteractionMarker(interaction, pointer.copy(), at.copy())
