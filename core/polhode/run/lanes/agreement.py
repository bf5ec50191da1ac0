"""Whether lanes have all laws of a scene: that is not assumed but tested, by some steps of the general loop.

A law that is extended, and not written for lanes yet, moves the body otherwise. Then all runs go by the general loop.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Clock
from polhode.engine.work import make_work
from polhode.jit.simd import WIDTH
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BASIS, BODY_SIZE, FREE, MOMENTUM, POSITION
from polhode.run.lanes.body import LaneBody
from polhode.run.loop import advance, method_of
from polhode.run.method import begin, set_step

STEPS = 2
SPEED = 1.0  # [rad/s] of rotations, and [1/s] in radii of gyration, with which a body is pushed, at most
CLOSE, ROUNDING = 1e-9, 1e-13  # parts of the change, and of the numbers themselves, by which results may differ
KINDS = (POSITION, MOMENTUM, BASIS, ANGULAR_MOMENTUM, BODY_SIZE)  # first rows of numbers of one unit


def have_all_laws(compiled: CompiledScene, body: LaneBody, lanes: Callable[[np.ndarray, int], np.ndarray]) -> bool:
    """Whether STEPS steps in lanes and in the general loop agree for the body, pushed at random.

    lanes: ends (8, k) of states (8, k) after a number of steps in lanes
    """
    states, own = pushed(compiled, body), slice(BODY_SIZE * body.body, BODY_SIZE * (body.body + 1))
    found, expected = lanes(states, STEPS)[:, own], stepped(compiled, states, STEPS)[:, own]
    change, difference, size = np.abs(expected - states[:, own]), np.abs(found - expected), np.abs(expected)
    for first, stop in pairwise(KINDS):
        kind = slice(first, stop)
        if not difference[:, kind].max() <= CLOSE * change[:, kind].max() + ROUNDING * size[:, kind].max():
            return False
    return True


def pushed(compiled: CompiledScene, body: LaneBody) -> np.ndarray:
    """(8, k) starts of a scene with random rotations of the body that its support allows."""
    random, row = np.random.default_rng(0), BODY_SIZE * body.body
    states = np.tile(compiled.start, (WIDTH, 1))
    arm = np.sqrt(0.5 * np.trace(body.inertia) / body.mass)
    basis = compiled.start[row + BASIS : row + ANGULAR_MOMENTUM].reshape(3, 3)  # rows u1, u2, u3
    spins = random.uniform(-SPEED, SPEED, (WIDTH, 3)) @ body.inertia
    if body.restricted:
        spins = spins @ body.turnable.T
    states[:, row + ANGULAR_MOMENTUM : row + BODY_SIZE] += spins @ basis
    if body.support == FREE:
        states[:, row + MOMENTUM : row + BASIS] += random.uniform(-SPEED, SPEED, (WIDTH, 3)) * body.mass * arm
    return states


def stepped(compiled: CompiledScene, states: np.ndarray, steps: int) -> np.ndarray:
    """States (n, k) after a number of steps of the general loop."""
    method, work, ends = method_of(compiled), make_work(compiled.model, compiled.inputs), states.copy()
    step = compiled.scene.solver.time_step
    set_step(work, step)
    for state in ends:
        begin(method, compiled.model, compiled.inputs, 0.0, state, work)
        advance(method, compiled.model, compiled.inputs, state, work, Clock(0.0, step, 0), steps)
    return ends
