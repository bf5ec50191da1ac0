"""A Snapshot of a state: everything placed and measured, and copied."""

from __future__ import annotations

import numpy as np

from core.analysis.diagnostics import ENERGY_COLUMNS, momenta, observed
from core.analysis.forces_by_law import force_parts
from core.engine.compile import Built
from core.engine.model import LEDGER_SIZE, POINT_SIZE, Inputs, Work
from core.physics.bodies.columns import WIDTH as BODY_WIDTH
from core.physics.contact.penetration import wall_ways
from core.physics.grab.interaction_forces import seen
from core.physics.grab.interactions import Grip
from core.physics.paths.bead_snapshot import beads_seen
from core.physics.paths.columns import WIDTH as BEAD_WIDTH
from core.physics.sensor.sensor_motion import hand_at
from core.simulation.snapshot import Bodies, Energy, Ledger, Points, Snapshot


def snapshot_of(
    built: Built,
    inputs: Inputs,
    state: np.ndarray,
    work: Work,
    when: tuple[float, int],
    grip: Grip | None = None,
    forces: bool = False,
) -> Snapshot:
    """A copy of a flat state at a time [s] and step, with the forces law by law if they are asked for."""
    time, step = when
    numbers = observed(built.model, inputs, np.array([time]), state[None], work)[0]
    numbers.flags.writeable = False
    end = len(numbers) - LEDGER_SIZE - ENERGY_COLUMNS
    points_at = 1 + BODY_WIDTH * len(built.model.bodies.mass)
    beads_at = end - BEAD_WIDTH * len(built.model.beads.body)
    of_points = numbers[points_at:beads_at].reshape(-1, POINT_SIZE)
    ways = np.empty(len(built.model.walls.stiffness))
    wall_ways(built.model, inputs, time, ways)
    bodies = _bodies(numbers[1:points_at].reshape(-1, BODY_WIDTH // 3, 3))
    # what an axle holds off its axis is no part of the state
    spin = np.einsum("nij,nj->ni", bodies.basis, work.angular_velocity)
    of_spin = np.einsum("nji,njk,nk->ni", bodies.basis, built.model.bodies.inertia, spin)
    momentum, angular_momentum = momenta(built.model, state, work, of_spin)
    return Snapshot(
        time,
        step,
        bodies,
        Points(_frozen(of_points[:, :3]), _frozen(of_points[:, 3:])),
        Energy(*numbers[end : end + 4].tolist()),
        Ledger(*numbers[end + ENERGY_COLUMNS :].tolist()),
        _frozen(momentum),
        _frozen(angular_momentum),
        float(work.drift[0]),
        beads_seen(built.model, state, work, numbers[beads_at:end]),
        seen(built, state, grip),
        force_parts(built.model, inputs, time, state, work) if forces else {},
        _frozen(ways),
        hand_at(inputs.hand, time)[0],
        numbers,
    )


def _bodies(columns: np.ndarray) -> Bodies:
    return Bodies(
        position=_frozen(columns[:, 0]),
        velocity=_frozen(columns[:, 1]),
        basis=_frozen(columns[:, 2:5]),
        angular_velocity=_frozen(columns[:, 5]),
        angular_momentum=_frozen(columns[:, 6]),
    )


def _frozen(values: np.ndarray) -> np.ndarray:
    """A copy that nobody can write to."""
    copy = values.copy()
    copy.flags.writeable = False
    return copy
