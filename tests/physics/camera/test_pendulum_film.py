"""Period and g from films of a pendulum with a tag: 30 s, uneven times, noise, distortion and motion blur."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from filmed_tag import LENS, Filming, Pose, facing, frames, uneven
from scipy.integrate import solve_ivp
from scipy.optimize import least_squares

from polhode.camera.lens import Lens
from polhode.camera.tag_finder import TagFinder
from polhode.camera.tags import Tag
from polhode.camera.tracking import choose_all
from polhode.camera.watching import hypothesis

LENGTH, G, SIDE, TAG = 0.5, 9.81, 0.04, Tag("36h11", 3)
STUDENT = 1.97  # for some 300 values


class Swing:
    """A pendulum with friction, whose tag has an angle of 15 to 35 degrees to the picture."""

    def __init__(self, seed: int, until: float):
        random = np.random.default_rng(seed)
        start, self.damping = random.uniform(0.25, 0.45), random.uniform(0.005, 0.02)
        self.tilt, self.about = random.uniform(np.radians(15), np.radians(35)), random.uniform(0, 2 * np.pi)
        self._angle = solved(G, start, 0.0, self.damping, until).sol

    def pose(self, time: float) -> Pose:
        """Rotation and position of the tag in the frame of the camera."""
        angle = self._angle(time)[0]
        turned = cv2.Rodrigues(np.array([0.0, 0.0, -angle]))[0] @ facing(self.tilt, self.about)
        return turned, np.array([LENGTH * np.sin(angle), LENGTH * np.cos(angle) - 0.45, 1.0])


def solved(g: float, angle: float, rate: float, damping: float, until: float):
    return solve_ivp(
        lambda _, y: [y[1], -g / LENGTH * np.sin(y[0]) - damping * y[1]],
        (-0.01, until + 0.01), [angle, rate], method="DOP853", rtol=1e-10, atol=1e-12, dense_output=True,
    )  # fmt: skip


def measured(seed: int, count: int, interval: float) -> tuple[np.ndarray, np.ndarray, Swing]:
    """Times (n,), positions (n, 3) of the tag by the program, and the swing."""
    times = uneven(count, interval, interval / 4)
    swing = Swing(seed, times[-1])
    camera = Filming(exposure=0.002, exposures=3)
    find = TagFinder(cv2, Lens(*LENS), TAG.family, {TAG.number: SIDE})
    seen = [find(each)["tags"] for each in frames(camera, TAG.bitmap(cv2), SIDE, swing.pose, times, seed)]
    assert all(len(each) == 1 for each in seen)
    poses = choose_all([[hypothesis(row) for row in each[0][1]] for each in seen])
    return times, np.array([each.position for each in poses]), swing


def fitted_g(times: np.ndarray, x: np.ndarray) -> tuple[float, float]:
    """g and half its 95 % interval [m/s²] from x (n,); the scale of x is unknown, the length is known."""

    def residuals(p: np.ndarray) -> np.ndarray:
        g, angle, rate, damping, origin, scale = p
        return origin + scale * LENGTH * np.sin(solved(g, angle, rate, damping, times[-1]).sol(times)[0]) - x

    start = [9.8, x[0] / LENGTH, 0.0, 0.01, 0.0, 1.0]
    found = least_squares(residuals, start, x_scale=[1e-3] * 6, diff_step=1e-6)
    variance = np.sum(found.fun**2) / (len(x) - 6)
    return found.x[0], STUDENT * np.sqrt(np.linalg.inv(found.jac.T @ found.jac)[0, 0] * variance)


@pytest.mark.nightly
def test_the_period_of_a_swing_is_that_of_the_pendulum():
    """In 30 s with two pictures a second."""
    times, positions, swing = measured(7, 60, 0.5)
    truth = np.array([swing.pose(time)[1] for time in times])
    errors = np.sqrt(np.mean((positions - truth) ** 2, axis=0))
    assert errors[:2].max() < 0.5e-3
    assert errors[2] < 3e-3
    g, _ = fitted_g(times, positions[:, 0])
    assert abs(np.sqrt(G / g) - 1.0) < 1e-4  # the period goes with the root


@pytest.mark.nightly
@pytest.mark.timeout(3600)
def test_the_interval_of_g_covers_it():
    """In at least 35 of 40 films of 30 s."""
    covered = 0
    for seed in range(40):
        times, positions, _ = measured(seed, 300, 0.1)
        g, half = fitted_g(times, positions[:, 0])
        covered += abs(g - G) <= half
        print(f"{seed}: g = {g:.6f} ± {half:.6f}, {covered} covered", flush=True)
        assert abs(np.sqrt(G / g) - 1.0) < 1e-4
    assert covered >= 35
