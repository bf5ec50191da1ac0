"""Bodies that roll without slipping on a plane: a disc on its path and a rattleback.

With r from the centre of mass to the point of contact, the velocity of the centre is v = -w x r, and the force of the
contact is m (v' - g). In the moments about the centre of mass that is

    (I + m (r^2 - r r^T)) w' = -w x (I w) - m r x (w x r') - m r x g

(Garcia and Hubbard, Proc. R. Soc. A 418, 165, 1988), where r depends on the vertical u in the frame of the body alone:
r = -a n - h/2 e for the rim of a disc with the axis e, n the direction of the part of u across it, and
r = h e3 - (a^2 u1, b^2 u2, c^2 u3)/sqrt(a^2 u1^2 + b^2 u2^2 + c^2 u3^2) for an ellipsoid whose middle is h above the
centre of mass. A couple N q of resistances, with the normal force N = m (g + v'.u), is added to the right side.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from math import acos, degrees, nan, sqrt
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from polhode.scene.message import Message
from polhode.verification.published.experiment import Experiment, Row, Run

GRAVITY = 9.81  # [m/s^2]
RADIUS, THICKNESS, DISC = 0.1, 0.01, 0.5  # [m], [m], [kg]
AXES, ABOVE = (0.2, 0.03, 0.02), 0.01  # [m] semi-axes of the rattleback, [m] of their middle over the centre of mass
OF_STONE = np.array([[2e-4, -2e-5, 0.0], [-2e-5, 1.6e-3, 0.0], [0.0, 0.0, 1.7e-3]])  # [kg m^2]
STIFFNESS, HARDER = 1e7, 1e8  # [N/m] of the disc and its table, of the stone and its
SPIN, TILT = 5.0, 0.5  # [rad/s] of the stone, [degrees] about both axes
WATCHED = 12.5  # [s] of the stone
SPAN = 0.25  # [s] before and after, over which the spin of the stone is averaged, which swings as it rocks
OF_SINKING = "pressed in by 0.5 um of 0.1 m: differences are ten times as large with a contact a tenth as stiff"
OF_ROCKING = "the load swings between 2 and 70 N: differences are ten times as large with contacts a tenth as stiff"
OF_DISC = np.diag([DISC * (RADIUS**2 / 4.0 + THICKNESS**2 / 12.0)] * 2 + [DISC * RADIUS**2 / 2.0])
Contact = Callable[[Sequence[float], Sequence[float]], tuple[list[float], list[float]]]
"""[m] from the centre of mass to the point of contact, and its rate [m/s], by the vertical and its rate."""
Resistance = Callable[[Sequence[float], Sequence[float]], Sequence[float]]
"""q [m], couple over normal force, by the vertical and the angular velocity; all in the frame of the body."""


def cross(a: Sequence[float], b: Sequence[float]) -> list[float]:
    """a x b of three numbers each, in the time of a float."""
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def rim_of(radius: float, thickness: float) -> Contact:
    """The contact of a disc [m], above whose lower side the axis z points."""

    def rim(up: Sequence[float], turning: Sequence[float]) -> tuple[list[float], list[float]]:
        across = sqrt(up[0] ** 2 + up[1] ** 2)
        n = up[0] / across, up[1] / across
        along = radius * (n[0] * turning[1] - n[1] * turning[0]) / across
        return [-radius * n[0], -radius * n[1], -0.5 * thickness], [n[1] * along, -n[0] * along, 0.0]

    return rim


def ellipsoid(up: Sequence[float], turning: Sequence[float]) -> tuple[list[float], list[float]]:
    """The contact of the rattleback."""
    squares = [axis**2 for axis in AXES]
    root = sqrt(sum(s * u**2 for s, u in zip(squares, up, strict=True)))
    growth = sum(s * u * t for s, u, t in zip(squares, up, turning, strict=True)) / root**2
    r = [-s * u / root for s, u in zip(squares, up, strict=True)]
    rate = [-s * (t - u * growth) / root for s, u, t in zip(squares, up, turning, strict=True)]
    return [r[0], r[1], r[2] + ABOVE], rate


def without_resistance(_up: Sequence[float], _spin: Sequence[float]) -> list[float]:
    """q = 0."""
    return [0.0, 0.0, 0.0]


def rolling(
    mass: float, inertia: Any, contact: Contact, resistance: Resistance = without_resistance
) -> Callable[[float, np.ndarray], list[float]]:
    """Rates of the directions x, y, z of space (9) and of the angular velocity (3) [rad/s], in the frame of the body,
    and of the path of the centre of mass (2) [m] in space."""
    own = np.asarray(inertia)

    def rates(_time: float, state: np.ndarray) -> list[float]:
        values = state.tolist()
        ways, spin = [values[0:3], values[3:6], values[6:9]], values[9:12]
        turning = [cross(way, spin) for way in ways]
        r, change = contact(ways[2], turning[2])
        moved = [a + b for a, b in zip(change, cross(spin, r), strict=True)]
        pull = [a - GRAVITY * b for a, b in zip(cross(spin, moved), ways[2], strict=True)]
        moment = -mass * np.array(cross(r, pull)) - cross(spin, (own @ spin).tolist())
        about = own + mass * (np.dot(r, r) * np.eye(3) - np.outer(r, r))
        v = cross(r, spin)
        path = [sum(a * b for a, b in zip(way, v, strict=True)) for way in ways[:2]]
        free, resisted = np.linalg.solve(about, np.column_stack([moment, resistance(ways[2], spin)])).T
        load = -mass * np.dot(ways[2], np.add(cross(free.tolist(), r), pull))
        load /= 1.0 + mass * np.dot(ways[2], cross(resisted.tolist(), r))
        return [*turning[0], *turning[1], *turning[2], *(free + load * resisted).tolist(), *path]

    return rates


@dataclass(frozen=True, eq=False)
class Start:
    """A rolling body at the start."""

    mass: float  # [kg]
    inertia: np.ndarray  # (3, 3) [kg m^2] about the centre of mass, in the frame of the body
    contact: Contact
    axes: np.ndarray  # (3, 3) axes of the body in its columns
    spin: np.ndarray  # (3,) [rad/s] in the laboratory
    resistance: Resistance = without_resistance
    stiffness: float = STIFFNESS  # [N/m] of both bodies

    def numbers(self) -> dict[str, Any]:
        """Of the first body of a scene, pressed in by its weight."""
        r = self.axes @ self.contact(self.axes[2].tolist(), [0.0, 0.0, 0.0])[0]
        turned = Rotation.from_matrix(self.axes).as_rotvec()
        angle = float(np.linalg.norm(turned))
        return {
            "body[0].position": [0.0, 0.0, float(-r[2] - self.mass * GRAVITY / self.stiffness)],
            "body[0].orientation": {"axis": (turned / angle).tolist(), "angle": angle},
            "body[0].velocity": np.cross(r, self.spin).tolist(),
            "body[0].angular_velocity": self.spin.tolist(),
        }

    def motion(self, times: np.ndarray, tolerance: float) -> np.ndarray:
        """(n, 14) states at times [s] by DOP853, as `rolling` has them; the first time is that of the start."""
        start = [*self.axes.ravel(), *(self.axes.T @ self.spin), 0.0, 0.0]
        rates = rolling(self.mass, self.inertia, self.contact, self.resistance)
        found = solve_ivp(rates, (times[0], times[-1]), start, "DOP853", times, rtol=tolerance, atol=0.1 * tolerance)
        return np.asarray(found.y.T)


def disc(lean: float, along: float, upward: float) -> Start:
    """The disc whose axis is at `lean` [degrees] from the vertical, with spins [rad/s] about its axis and upwards."""
    axes = Rotation.from_euler("y", lean, degrees=True).as_matrix()
    return Start(DISC, OF_DISC, rim_of(RADIUS, THICKNESS), axes, along * axes[:, 2] + (0.0, 0.0, upward))


def stone(spin: float) -> Start:
    """The rattleback with a spin [rad/s] upwards."""
    axes = Rotation.from_euler("xy", [TILT, TILT], degrees=True).as_matrix()
    return Start(1.0, OF_STONE, ellipsoid, axes, np.array([0.0, 0.0, spin]), stiffness=HARDER)


@cache
def of_disc(lean: float, along: float, upward: float, time: float) -> tuple[float, float, float]:
    """Inclination of the axis [degrees] and place x, y [m] of the disc at a time [s]."""
    state = disc(lean, along, upward).motion(np.array([0.0, time]), 1e-10)[-1]
    return degrees(acos(state[8])), float(state[12]), float(state[13])


def reversal(times: np.ndarray, spin: np.ndarray) -> float:
    """Time [s] at which the spin (n,) [rad/s], averaged over `SPAN` to both sides, changes its sign; nan for none."""
    half = round(SPAN / (times[1] - times[0]))
    mean = np.convolve(spin, np.full(2 * half + 1, 1.0 / (2 * half + 1)), "valid")
    changes = np.flatnonzero(mean[1:] * mean[:-1] < 0.0)
    if changes.size == 0:
        return nan
    k = int(changes[0])
    return float(times[half + k] + (times[1] - times[0]) * mean[k] / (mean[k] - mean[k + 1]))


@cache
def spins_of(spin: float, until: float) -> tuple[np.ndarray, np.ndarray]:
    """Times (n,) [s] in steps of `INTERVAL`, and the spin (n,) [rad/s] upwards of a rattleback with this at first."""
    times = INTERVAL * np.arange(round(until / INTERVAL) + 1)
    states = stone(spin).motion(times, 1e-8)
    return times, np.einsum("ij,ij->i", states[:, 6:9], states[:, 9:12])


def reversal_of(spin: float, until: float) -> float:
    """Time [s] at which a rattleback with this spin [rad/s] turns back."""
    return reversal(*spins_of(spin, until))


def largest_difference(run: Run) -> float:
    """Largest difference [rad/s] of the spin of the stone from that of a calculation with the same spin at first."""
    found = run.column("stone.angular_velocity.z")
    return float(np.abs(found - spins_of(float(found[0]), WATCHED)[1]).max())


def at(time: float, quantity: str) -> Callable[[Run], float]:
    """Measures a column at a time [s], or the inclination [degrees] of the axis."""

    def measure(run: Run) -> float:
        k = int(np.argmin(np.abs(run.times - time)))
        if quantity == "inclination":
            return degrees(acos(run.snapshots[k].bodies.basis[0, 2, 2]))
        return float(run.column(quantity)[k])

    return measure


def turns_back(run: Run) -> float:
    """Time [s] at which the stone turns back."""
    return reversal(run.times, run.column("stone.angular_velocity.z"))


INTERVAL = 0.01  # [s] of snapshots
PATH, SLOWER = (60.0, 8.0, 3.0), (60.0, 6.0, 2.0)  # starts of the disc


def _of_disc(name: Message, quantity: str, start: tuple[float, float, float], time: float, tolerance: float) -> Row:
    """The inclination [degrees] of the disc, or x or y [m] of its middle, at a time [s] after a start."""
    which = ("inclination", "disc.position.x", "disc.position.y").index(quantity)
    changed = {} if start == PATH else disc(*start).numbers()
    unit, reference = ("m" if which else "deg"), lambda: of_disc(*start, time)[which]
    return Row(name, at(time, quantity), reference, tolerance, unit, OF_SINKING, changed, "calculation")


ROLLING_DISC = Experiment(
    "disc_on_its_path",
    4.0,
    (
        _of_disc(Message("inclination of the axis at 1 s"), "inclination", PATH, 1.0, 0.01),
        _of_disc(Message("inclination of the axis at 4 s"), "inclination", PATH, 4.0, 0.02),
        _of_disc(Message("x of the disc at 4 s"), "disc.position.x", PATH, 4.0, 1e-4),
        _of_disc(Message("y of the disc at 4 s"), "disc.position.y", PATH, 4.0, 1e-4),
        _of_disc(Message("inclination of the slower disc at 2 s"), "inclination", SLOWER, 2.0, 0.02),
    ),
    every=200,
)

RATTLEBACK = Experiment(
    "rattleback",
    WATCHED,
    (
        Row(
            Message("reversal after a start with -5 rad/s"),
            turns_back,
            lambda: reversal_of(-SPIN, WATCHED),
            3e-3,
            "s",
            OF_ROCKING,
            origin="calculation",
        ),
        Row(
            Message("reversal after a start with 5 rad/s"),
            turns_back,
            lambda: reversal_of(SPIN, WATCHED),
            0.02,
            "s",
            OF_ROCKING,
            stone(SPIN).numbers(),
            "calculation",
        ),
        Row(
            Message("largest difference of the spin from the calculation in 12.5 s"),
            largest_difference,
            0.0,
            0.08,
            "rad/s",
            OF_ROCKING,
            origin="calculation",
        ),
    ),
    every=800,
)

EXPERIMENTS = (ROLLING_DISC, RATTLEBACK)
