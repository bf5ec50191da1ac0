"""Needles in fields and beside each other, and magnets that nothing holds.

A dipole p in the field B has the energy -p.B; two of them at a distance r have -mu0/(4 pi d^3) {3 (p_a.r)(p_b.r)/d^2 -
p_a.p_b} (Jackson, Classical Electrodynamics, section 5.7; PEM, equations 3.21 and 3.25). Discs close by have closed
forms.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import hypot, pi, sqrt
from typing import Any

import numpy as np
from scipy.integrate import quad
from scipy.interpolate import CubicHermiteSpline
from scipy.special import j1

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot
from polhode.verification.bodies.pendulums import PHASE, TOLERANCE
from polhode.verification.case import Case, along, moments, pendulum_period, period, scene, turned

PERMEABILITY = 1.25663706127e-6  # [T m/A] the default of a scene
Y = (0.0, 1.0, 0.0)
LENGTH, MASS, MOMENT = 0.1, 0.012, 0.8  # of a needle [m], [kg], [A m^2]
INERTIA = MASS * LENGTH**2 / 12
FIELD = 5e-5  # [T]
DISTANCE = 0.25  # [m] between two needles
SMALL, LARGE = 1e-4, 2.5  # [rad]


def needle(angle: float, name: str = "needle", **body: Any) -> dict[str, Any]:
    """A rod with a dipole along it, along the x axis turned about the vertical one by an angle [rad]."""
    rod = {"kind": "rod", "length": LENGTH, "mass": MASS, "orientation": turned(0, 1, 0, pi / 2)}
    dipole = {"moment": [MOMENT, 0, 0]}
    return {"name": name, "orientation": turned(0, 0, 1, angle), "shape": [rod], "dipole": [dipole], **body}


def measured_period(described: Scene, seconds: float) -> float:
    """Period [s] of the y component of the first body's u1."""
    return period(along(moments(described, seconds), 0, 0, Y))


def compass(amplitude: float) -> Case:
    """Period of a needle in a uniform field: I x'' = -p B sin x, a pendulum of frequency sqrt(p B/I).

    Amplitudes 1e-4 and 2.5 rad: by the large one the sine of the angle is tested, not only its slope.
    """
    expected = pendulum_period(sqrt(MOMENT * FIELD / INERTIA), amplitude)
    field = {"value": [FIELD, 0, 0]}
    return Case(
        f"compass needle, {amplitude:g} rad",
        scene(needle(amplitude), magnetic_field=field),
        lambda described: measured_period(described, 1.35 * expected),
        expected,
        TOLERANCE * expected,
        "s",
        PHASE,
    )


def coupled(name: str, sign: int, factor: float) -> Case:
    """Small swings of two needles in a line: w^2 = 3 C/I in step and C/I against each other, C = mu0 p^2/(4 pi d^3).

    From U = -C (2 cos a cos b - sin a sin b) with a = b and a = -b. The terms of fourth order in the angles shift the
    frequency by about the amplitude squared, 1e-8, which is the tolerance.
    """
    frequency = sqrt(factor * PERMEABILITY * MOMENT**2 / (4 * pi * DISTANCE**3) / INERTIA)
    expected = pendulum_period(frequency, SMALL)
    pair = scene(needle(SMALL), needle(sign * SMALL, "other", position=[DISTANCE, 0, 0]), time_step=2e-3)
    return Case(
        f"two needles {name}",
        pair,
        lambda described: measured_period(described, 1.35 * expected),
        expected,
        1e-8 * expected,
        "s",
        f"the coupling is not linear: {SMALL:g} rad squared",
    )


def rotating_field() -> Case:
    """Seen from a field that turns as fast as w, the needle is a pendulum: I x'' = -p B sin x.

    The needle starts with the angular velocity of the field, 1 rad behind it, on an axle across its plane; the angle
    between both is measured.
    """
    turning, amplitude = 20.0, 1.0
    strong = 20 * FIELD
    expected = pendulum_period(sqrt(MOMENT * strong / INERTIA), amplitude)
    kind = {"kind": "rotating", "cosine": [strong, 0, 0], "sine": [0, strong, 0], "angular_frequency": turning}
    led = needle(amplitude, support="axle", axis=[0, 0, 1], angular_velocity=[0, 0, turning])

    def measure(described: Scene) -> float:
        run = moments(described, 1.35 * expected)
        angle = np.array([moment.time for moment in run]) * turning
        across = np.column_stack([-np.sin(angle), np.cos(angle), np.zeros(len(run))])
        ahead = np.column_stack([-np.cos(angle), -np.sin(angle), np.zeros(len(run))]) * turning
        tips = np.array([moment.bodies.basis[0, 0] for moment in run])
        speeds = np.cross([moment.bodies.angular_velocity[0] for moment in run], tips)
        rates = np.einsum("ni,ni->n", across, speeds) + np.einsum("ni,ni->n", ahead, tips)
        return period(CubicHermiteSpline(angle / turning, np.einsum("ni,ni->n", across, tips), rates))

    return Case(
        f"needle in a rotating field, {amplitude:g} rad behind",
        scene(led, time_step=5e-4, magnetic_field=kind),
        measure,
        expected,
        1e-8 * expected,
        "s",
        "RK4 adds (w dt)^4/120 < 1e-9 of the phase for w = 30 1/s",
    )


# Two magnets that nothing holds; each body's origin is its centre of mass, its magnet sits beside it.
LUMP = {"kind": "cuboid", "size": [0.03, 0.02, 0.01], "mass": 0.02}
LUMP_MASS = 0.02


def loose(gravity: Sequence[float] = (0.0, 0.0, 0.0)) -> Scene:
    """Two free magnets with dipoles off their centres of mass, thrown and spinning: no symmetry hides a term."""
    magnet = {"shape": [LUMP], "dipole": [{"position": [0.01, 0, 0.005], "moment": [0.2, 0.1, 0.4]}], "support": "free"}
    first = {"name": "first", "velocity": [0.01, -0.02, 0.03], "angular_velocity": [3.0, 1.0, -2.0], **magnet}
    second = {"name": "second", "position": [0.1, 0.01, 0.02], "orientation": turned(1, 0, 1, 0.7), **magnet}
    return scene(first, second, gravity=list(gravity))


def totals(moment: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """Momentum (3,) [kg m/s], and angular momentum (3,) [kg m^2/s] about the origin, of the loose magnets.

    The angular momenta of a snapshot are about the centres of mass of free bodies, to which x x M v is added.
    """
    momenta = LUMP_MASS * moment.bodies.velocity
    return momenta.sum(axis=0), (moment.bodies.angular_momentum + np.cross(moment.bodies.position, momenta)).sum(axis=0)


def change(described: Scene, which: int) -> float:
    """Largest change of a total in 1 s: of momentum [kg m/s] (0) or angular momentum [kg m^2/s] (1)."""
    kept = [totals(moment)[which] for moment in moments(described, 1.0)]
    return float(np.abs(np.array(kept) - kept[0]).max())


def loose_magnets() -> tuple[Case, ...]:
    """Totals of two free magnets are constant: F_a + F_b = 0 and T_a + T_b + (x_b - x_a) x F_b = 0 for every pair."""
    return (
        Case(
            "change of momentum of two loose magnets",
            loose(),
            lambda described: change(described, 0),
            0.0,
            1e-15,
            "kg m/s",
            "forces of a pair are opposite to the last bit: roundings of 1e-18 of 0.01 kg m/s, a thousand times",
        ),
        Case(
            "change of angular momentum of two loose magnets",
            loose(),
            lambda described: change(described, 1),
            0.0,
            1e-13,
            "kg m^2/s",
            "RK4 is off by (w dt)^4/120 w t of 1e-5 kg m^2/s for w = 10 1/s",
        ),
    )


def attraction() -> Case:
    """Two magnets in a line meet: m v^2/4 = C (1/d^3 - 1/d_0^3) for their relative speed v, C = mu0 p^2/(2 pi).

    Conservation of energy with the reduced mass m/2, at the distance of 0.1 m, half of that at the start.
    """
    start, end, moment = 0.2, 0.1, 1.0
    depth = PERMEABILITY * moment**2 / (2 * pi)
    expected = sqrt(4 * depth * (1 / end**3 - 1 / start**3) / LUMP_MASS)
    magnet = {"support": "free", "shape": [LUMP], "dipole": [{"moment": [0, 0, moment]}]}
    first, second = {"name": "lower", **magnet}, {"name": "upper", "position": [0, 0, start], **magnet}

    reason = "RK4 is off by 1e-10; the slope of the curve between steps by dt^3/100 of its fourth derivative"
    pair = scene(first, second, time_step=5e-4, gravity=[0, 0, 0])
    return Case("two magnets meet, speed at 0.1 m", pair, closing(end), expected, 1e-8, "m/s", reason)


def closing(end: float) -> Callable[[Scene], float]:
    """Measures the relative speed [m/s] of two bodies that meet along z, at a distance `end` [m]."""

    def measure(described: Scene) -> float:
        simulation = Simulation(described)
        times: list[float] = []
        distances: list[float] = []
        speeds: list[float] = []
        while simulation.time < 5.0 and (not distances or distances[-1] > end):
            bodies = simulation.snapshot().bodies
            times.append(simulation.time)
            distances.append(bodies.position[1, 2] - bodies.position[0, 2])
            speeds.append(bodies.velocity[1, 2] - bodies.velocity[0, 2])
            simulation.advance_steps(1)
        reached = CubicHermiteSpline(times, np.array(distances) - end, speeds)
        zeros = reached.solve(0.0, extrapolate=False)
        return float(-reached(zeros[0], 1)) if len(zeros) else np.inf

    return measure


# A disc of neodymium, 12.7 x 3.175 mm
DISC_RADIUS, DISC_LENGTH, DISC_MASS, REMANENCE = 6.35e-3, 3.175e-3, 3e-3, 1.32


def disc(name: str, height: float, **body: Any) -> dict[str, Any]:
    """The disc, magnetised along its axis, at a height [m]; it acts by closed forms."""
    magnet = {"remanence": [0, 0, REMANENCE], "field": "exact"}
    solid = {"kind": "cylinder", "radius": DISC_RADIUS, "length": DISC_LENGTH, "mass": DISC_MASS, "magnet": magnet}
    return {"name": name, "position": [0, 0, height], "support": "free", "shape": [solid], **body}


def energy_of_discs(gap: float) -> float:
    """U = -pi mu0 M^2 R^2 int J1(kR)^2/k^2 e^(-kg) (1 - e^(-kl))^2 dk [J] of two discs in a line, g between the faces.

    From the potential of a charged disc as an integral over Bessel functions (Jackson, Classical Electrodynamics,
    section 3.11); lengths in radii.
    """
    g, length = gap / DISC_RADIUS, DISC_LENGTH / DISC_RADIUS

    def density(k: float) -> float:
        return float((j1(k) / k) ** 2 * np.exp(-k * g) * (1.0 - np.exp(-k * length)) ** 2)

    total = quad(density, 0.0, 40.0 / g, epsabs=1e-13, epsrel=1e-11, limit=400)[0]
    return -pi * REMANENCE**2 / PERMEABILITY * DISC_RADIUS**3 * total


def discs_meet() -> Case:
    """Two discs in a line: m v^2/4 = U(3 mm) - U(1 mm), at a gap of a twelfth of their width."""
    start, end = 3e-3, 1e-3
    expected = sqrt(4 * (energy_of_discs(start) - energy_of_discs(end)) / DISC_MASS)
    pair = scene(disc("lower", 0.0), disc("upper", DISC_LENGTH + start), time_step=1e-5, gravity=[0, 0, 0])
    reason = "the charges of the faces at points of Gauss' rule: 7e-5 of the force at 1 mm, less before"
    name = "two discs meet, speed at a gap of 1 mm"
    return Case(name, pair, closing(DISC_LENGTH + end), expected, 1e-4 * expected, "m/s", reason)


def face_of_disc() -> Case:
    """The field at the middle of the face of a disc, B = Br/2 l/|R, l|: 0.295161 T."""
    expected = REMANENCE / 2 * DISC_LENGTH / hypot(DISC_RADIUS, DISC_LENGTH)
    point = np.array([[0.0, 0.0, DISC_LENGTH / 2]])
    return Case(
        "field at the face of a disc",
        scene(disc("disc", 0.0, support="fixed")),
        lambda described: float(Simulation(described).field(point)[0, 2]),
        expected,
        1e-12,
        "T",
        "a closed form: rounding",
    )


def cloud() -> Case:
    """A cylinder of uniform remanence: B = Br/2 ((z + l/2)/|R, z + l/2| - (z - l/2)/|R, z - l/2|) on its axis.

    The field of a solenoid with the surface current Br/mu0 (Jackson, Classical Electrodynamics, problem 5.3); |a, b| is
    sqrt(a^2 + b^2). It is read from the energy -m B of a small dipole. The cloud of 512 dipoles replaces cells by
    points, an error of the square of their size over the distance.
    """
    radius, length, remanence, height, moment = 0.01, 0.02, 1.2, 0.03, 0.01
    near, far = height - length / 2, height + length / 2
    expected = remanence / 2 * (far / hypot(radius, far) - near / hypot(radius, near))
    probe = {"shape": [{"kind": "point", "mass": 1e-3}], "dipole": [{"moment": [0, 0, moment]}], "support": "fixed"}
    magnet = {"remanence": [0, 0, remanence], "dipoles": 512}
    solid = {"kind": "cylinder", "radius": radius, "length": length, "density": 7500, "magnet": magnet}
    pair = scene(
        {"name": "probe", "position": [0, 0, height], **probe}, {"name": "magnet", "support": "fixed", "shape": [solid]}
    )
    return Case(
        "field of a cloud of dipoles on the axis of its cylinder",
        pair,
        lambda described: -Simulation(described).snapshot().energy.magnetic / moment,
        expected,
        5e-4 * expected,
        "T",
        "512 cells, two radii from the face: a third of a thousandth",
    )


CASES = (
    compass(SMALL),
    compass(LARGE),
    coupled("in step", 1, 3.0),
    coupled("against each other", -1, 1.0),
    rotating_field(),
    *loose_magnets(),
    attraction(),
    cloud(),
    discs_meet(),
    face_of_disc(),
)
