"""The equation of motion of a body on an axle, if it is the only item that moves.

    theta'' = alpha(theta, t) - gamma theta'        alpha = h0(theta) + h1(theta) cos(w t) + h2(theta) sin(w t)

with the angle theta [rad] about the axle and the frequency w of the world's magnetic field. h0, h1 and h2 have the
period 2 pi: their Fourier series follow from the engine's accelerations at equidistant angles. The equation is tested
against the engine's accelerations at random angles, rates and times; dry friction, quadratic drag and fields by
formulas of the time fail the test.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.model import Work
from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, AXLE, BASIS, BODY_SIZE, FIXED
from polhode.scene.scene import RotatingField
from polhode.scene.variants.numbers import rotation

ANGLES = 128  # at which accelerations are computed
HARMONICS = 32  # most of them
SMALL = 1e-12  # of the largest: harmonics below are rounding
AGREES = 1e-9  # of the largest acceleration
TESTS = 48  # random angles, rates and times
FINE = 0.15  # [rad] turn of the fastest part of the motion in a step of RK4: 10,000 periods take less than a second


@dataclass(frozen=True, eq=False)
class ReducedAxle:
    """The equation of motion of one body on an axle."""

    harmonics: np.ndarray  # (3, m + 1, 2) [rad/s^2] of h0, h1, h2: coefficients of cos(k theta) and sin(k theta)
    rates: np.ndarray  # (2,) w [rad/s] and gamma [1/s]
    row: int  # index in the state of the 18 numbers of the body
    axis: np.ndarray  # (3,) of the axle, laboratory frame
    basis: np.ndarray  # (3, 3) rows u1, u2, u3 at the angle 0
    inertia: float  # [kg m^2] about the axle

    @property
    def pointer(self) -> tuple[int, np.ndarray]:
        """Index in the state of the basis vector that is nearest to the plane of the motion, and (2, 3): the products
        with that vector are the cosine and the sine of the angle.
        """
        along = self.basis @ self.axis
        k = int(np.abs(along).argmin())
        across = self.basis[k] - along[k] * self.axis
        return self.row + BASIS + 3 * k, np.array([across, np.cross(self.axis, across)]) / (across @ across)

    def states(self, like: np.ndarray, angles: np.ndarray, rates: np.ndarray) -> np.ndarray:
        """(n, k) states with these angles (n,) [rad] and rates (n,) [rad/s], otherwise equal to `like` (k,)."""
        states = np.tile(like, (len(angles), 1))
        turned = self.basis @ np.swapaxes(rotation(np.multiply.outer(angles, self.axis)), 1, 2)
        states[:, self.row + BASIS : self.row + ANGULAR_MOMENTUM] = turned.reshape(-1, 9)
        momenta = np.multiply.outer(self.inertia * rates, self.axis)
        states[:, self.row + ANGULAR_MOMENTUM : self.row + BODY_SIZE] = momenta
        return states

    def step(self, state: np.ndarray) -> float:
        """Time step [s] for RK4: the fastest part of the motion turns by FINE, with an error of FINE^5/120."""
        orders = np.arange(self.harmonics.shape[1])
        size = np.hypot(self.harmonics[..., 0], self.harmonics[..., 1]).sum(axis=0)
        steepest, frequency, gamma = float(size @ orders), abs(float(self.rates[0])), float(self.rates[1])
        momentum = state[self.row + ANGULAR_MOMENTUM : self.row + BODY_SIZE] @ self.axis
        turning = abs(momentum) / self.inertia if steepest else 0.0
        own = np.sqrt(steepest) * max(1, int(orders[size > 1e-3 * size.max(initial=0.0)].max(initial=1)))
        return float(FINE / max(frequency + own + min(turning, 4 * own), gamma, 1e-300))


def reduced_axle(compiled: CompiledScene, scratch: Work | None = None) -> ReducedAxle | None:
    """The equation of motion, or None if more than one body on an axle moves, or other laws act on it."""
    scene, bodies = compiled.scene, compiled.model.bodies
    moving = np.flatnonzero(bodies.support != FIXED)
    others = (scene.soft, scene.particle, scene.spring, scene.wall, scene.bead, scene.joint, scene.surface, scene.force)
    if len(moving) != 1 or bodies.support[moving[0]] != AXLE or any(others):
        return None
    number = int(moving[0])
    row = BODY_SIZE * number
    inverse = float(bodies.inverse_moments[number].max())
    basis = compiled.start[row + BASIS : row + ANGULAR_MOMENTUM].reshape(3, 3).copy()
    axis = bodies.axes[number][int(bodies.inverse_moments[number].argmax())] @ basis
    field = scene.world.magnetic_field
    frequency = field.angular_frequency if isinstance(field, RotatingField) else 0.0
    blank = ReducedAxle(np.zeros((3, 1, 2)), np.array([frequency, 0.0]), row, axis, basis, 1.0 / inverse)
    work, rate = scratch or make_work(compiled.model, compiled.inputs), np.empty(len(compiled.start))

    def accelerations(angles: np.ndarray, spins: np.ndarray, times: np.ndarray) -> np.ndarray:
        found = np.empty(len(angles))
        for k, state in enumerate(blank.states(compiled.start, angles, spins)):
            rates(compiled.model, compiled.inputs, times[k], state, work, rate)
            found[k] = rate[row + ANGULAR_MOMENTUM : row + BODY_SIZE] @ axis * inverse
        return found

    def series(time: float) -> np.ndarray:
        return accelerations(2 * np.pi * np.arange(ANGLES) / ANGLES, np.zeros(ANGLES), np.full(ANGLES, time))

    at_start = series(0.0)
    if frequency:
        quarter, half = series(0.5 * np.pi / frequency), series(np.pi / frequency)
        values = np.array([0.5 * (at_start + half), 0.5 * (at_start - half), quarter - 0.5 * (at_start + half)])
    else:
        values = np.array([at_start, np.zeros(ANGLES), np.zeros(ANGLES)])
    size = float(np.abs(values).sum(axis=0).max()) or 1.0
    slowed, hastened = accelerations(np.zeros(2), np.array([1.0, -1.0]), np.zeros(2))
    gamma = float(hastened - slowed) / 2
    found = ReducedAxle(_harmonics(values), np.array([frequency, gamma]), row, axis, basis, 1.0 / inverse)
    tests = np.random.default_rng(0).uniform((-np.pi, -30.0, 0.0), (np.pi, 30.0, 1e3), (TESTS, 3)).T
    difference = np.abs(accelerations(*tests) - _accelerations(found, *tests))
    return found if (difference <= AGREES * (size + np.abs(gamma * tests[1]))).all() else None


def _harmonics(values: np.ndarray) -> np.ndarray:
    """(3, m + 1, 2) Fourier coefficients of `values` (3, ANGLES), up to the last one above rounding."""
    spectrum = np.fft.rfft(values, axis=1)[:, : HARMONICS + 1] / ANGLES
    found = np.stack([2 * spectrum.real, -2 * spectrum.imag], axis=-1)
    found[:, 0] *= 0.5
    size = np.abs(found).max(axis=(0, 2))
    last = np.flatnonzero(size > SMALL * size.max(initial=0.0)).max(initial=0)
    return np.ascontiguousarray(found[:, : max(int(last), 1) + 1])


def _accelerations(axle: ReducedAxle, angles: np.ndarray, spins: np.ndarray, times: np.ndarray) -> np.ndarray:
    """(n,) theta'' [rad/s^2] by the series."""
    turns = np.multiply.outer(np.arange(axle.harmonics.shape[1]), angles)
    parts = np.einsum("hmc,cmn->hn", axle.harmonics, np.stack([np.cos(turns), np.sin(turns)]))
    phase = axle.rates[0] * times
    return parts[0] + parts[1] * np.cos(phase) + parts[2] * np.sin(phase) - axle.rates[1] * spins
