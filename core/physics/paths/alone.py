"""Spheres that slide on paths while nothing acts on them but their weight and the friction of their paths.

Nobody reads where their bodies are (core/engine/idle.py), so what is needed of a path that stays is its direction alone.
"""

from __future__ import annotations

from math import sqrt

import numpy as np

from core.engine.model import FRICTION, Inputs, Model, Work, bead_rows
from core.jit.kernel import kernel
from core.jit.vec import Triple, dot, put, scale
from core.physics.frame.gravity import weight
from core.physics.paths.arrays import HOLD, PLACE, SPEED
from core.physics.paths.path_kernels import SPLINE, is_moved, piece_at, slopes
from core.physics.paths.placement import acceleration_along, moves_along, nearest_on, path_at, place_bead, project_bead

ZERO = (0.0, 0.0, 0.0)


@kernel
def first_derivative(model: Model, i: int, q: float, pieces: np.ndarray) -> Triple:
    """r' of path i as `path_at` has it."""
    paths = model.beads.paths
    if paths.kind[i] == SPLINE and nearest_on(model, i, q) == q:
        inside, pieces[i] = piece_at(paths, i, q, pieces[i])
        return slopes(paths, pieces[i], inside)
    _, first, _ = path_at(model, i, q, pieces)
    return first


@kernel
def drive_beads(model: Model, inputs: Inputs, time: float, state: np.ndarray, work: Work, rate: np.ndarray) -> None:
    """Time derivative of beads whose bodies wait, at `time` [s], with the powers of their paths."""
    rows, rates, beads = bead_rows(model, state), bead_rows(model, rate), model.beads
    gravity, friction = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2]), 0.0
    loaded = work.beads.loaded[0]
    for i in range(rows.shape[1]):
        if is_moved(beads.paths, i):
            drive_on_moving_path(model, inputs, time, i, rows, work, rates)
            continue
        rates[PLACE, i], rates[SPEED, i], rates[HOLD, i] = 0.0, 0.0, 0.0
        if not moves_along(rows[HOLD, i]):
            continue
        mass, speed = model.bodies.mass[beads.body[i]], rows[SPEED, i]
        first = first_derivative(model, i, rows[PLACE, i], work.beads.piece)
        stretch = sqrt(dot(first, first))
        rates[PLACE, i] = speed / stretch
        push = dot(weight(mass, gravity), scale(1.0 / stretch, first)) - beads.friction[i] * speed
        rates[SPEED, i] = loaded * push / (beads.inertia[i] * mass)
        friction -= loaded * beads.friction[i] * speed * speed
    work.power[FRICTION] += friction


@kernel
def drive_on_moving_path(
    model: Model, inputs: Inputs, time: float, i: int, rows: np.ndarray, work: Work, rates: np.ndarray
) -> None:
    """The same of bead i alone, wherever its path is at `time` [s]; its place and what acts on it stand in `work`."""
    b = model.beads.body[i]
    place_bead(model, inputs, i, rows[PLACE, i], time, work)
    gravity = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2])
    put(work.force, b, weight(model.bodies.mass[b], gravity))
    put(work.torque, b, ZERO)
    project_bead(model, i, rows, work, rates)


@kernel
def driven_alone(model: Model, inputs: Inputs, time: float, i: int, rows: np.ndarray, work: Work) -> float:
    """du/dt [m/s^2] of bead i where it is in the next state; what its path does there stands in work.beads."""
    gravity, b = (inputs.gravity[0], inputs.gravity[1], inputs.gravity[2]), model.beads.body[i]
    place_bead(model, inputs, i, rows[PLACE, i], time, work)
    put(work.force, b, weight(model.bodies.mass[b], gravity))
    return acceleration_along(model, i, rows[SPEED, i], work)
