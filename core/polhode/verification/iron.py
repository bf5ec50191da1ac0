"""Soft iron: energies in closed form of spheres and ellipsoids, and the speed of a ball that meets a magnet.

A magnet of moment m at the distance d from the centre of a sphere of radius a and infinite permeability, y = (a/d)^2:

    U = -mu0 m^2/(8 pi d^3) (a/d) [(1 + y)/(1 - y)^3 - 1]      m towards the sphere
    U = -mu0 m^2/(8 pi d^3) (a/d) y/(1 - y)^3                  m across

A ring of N turns, radius R, about the axis through the centre at the distance h, r^2 = R^2 + h^2: iron adds

    dL = pi mu0 N^2 (R/r)^4 sum c_l P_l'(h/r)^2 a^(2l+1)/(l^2 r^(2l))      c_l = (mu_r - 1) l/((mu_r + 1) l + 1)

to its inductance, and a current I pulls with I^2/2 d(dL)/dh.
"""

from __future__ import annotations

from math import pi, sqrt
from typing import Any

import numpy as np
from numpy.polynomial.legendre import Legendre

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot
from polhode.verification.case import Case, at_end

PERMEABILITY = 1.25663706127e-6  # [T m/A] the default of a scene
RADIUS, MASS = 0.01, 0.0329657  # [m], [kg] of a ball of iron
STEEL = 100.0
TIME = 0.176  # [s] at which the ball is 26.7 mm from the magnet
RING, TURNS, NEAR = 0.03, 100, 0.015  # [m], turns, [m] of a ring beside the ball
TERMS = 60  # multipoles of the ball
OF_MESH = "500 panels: the tests have the errors of fewer and of more"


def scene_of_iron(
    shape: dict[str, Any],
    permeability: float,
    others: list[dict[str, Any]],
    field: Any,
    step: float = 1e-3,
    **of: Any,
) -> Scene:
    """A body of iron at the origin, without gravity, with other bodies, in a uniform field [T]."""
    iron = {"mass": MASS, "iron": {"permeability": permeability}, **shape}
    return Scene.model_validate(
        {
            "world": {"gravity": [0, 0, 0], "magnetic_field": {"kind": "uniform", "value": field}},
            "solver": {"method": "rk4", "time_step": step},
            "body": [{"name": "iron", "support": "fixed", "shape": [iron], **of}, *others],
        }
    )


def magnet(at: float, moment: tuple[float, float, float]) -> dict[str, Any]:
    """A fixed magnet on the z axis."""
    ball = {"kind": "sphere", "radius": 0.001, "mass": 0.01}
    return {
        "name": "magnet",
        "support": "fixed",
        "position": [0, 0, at],
        "dipole": [{"moment": moment}],
        "shape": [ball],
    }


def energy(now: Snapshot) -> float:
    """Magnetic energy [J]."""
    return now.energy.magnetic


def ellipsoid_in_field() -> Case:
    """U = -V/(2 mu0) sum chi B_i^2/(1 + chi N_i) of a long ellipsoid, N by Osborn's closed form."""
    across, along, field = 0.005, 0.01, (0.06, 0.0, 0.08)
    e = sqrt(1.0 - (across / along) ** 2)
    axial = (1.0 - e**2) / e**3 * (np.arctanh(e) - e)
    factors, chi = (0.5 * (1.0 - axial), 0.0, axial), STEEL - 1.0
    volume = 4.0 / 3.0 * pi * across**2 * along
    shares = sum(chi * b**2 / (1.0 + chi * n) for b, n in zip(field, factors, strict=True))
    expected = -volume / (2.0 * PERMEABILITY) * shares
    shape = {"kind": "ellipsoid", "semi_axes": (across, across, along)}
    scene = scene_of_iron(shape, STEEL, [], field)
    return Case(
        "ellipsoid of iron in a field", scene, at_end(1e-3, energy), expected, 2e-4 * abs(expected), "J", OF_MESH
    )


def magnet_at_sphere(name: str, moment: tuple[float, float, float], distance: float, share: float, bar: float) -> Case:
    """The energy of a magnet beside a sphere; `share` is the bracket of the module."""
    expected = -PERMEABILITY * float(np.dot(moment, moment)) / (8.0 * pi * distance**3) * RADIUS / distance * share
    scene = scene_of_iron({"kind": "sphere", "radius": RADIUS}, np.inf, [magnet(distance, moment)], (0, 0, 0))
    return Case(name, scene, at_end(1e-3, energy), expected, bar * abs(expected), "J", OF_MESH)


def towards() -> Case:
    """A magnet that points to the sphere, three radii from its centre."""
    y = 1.0 / 9.0
    return magnet_at_sphere("magnet towards iron", (0, 0, 1), 0.03, (1 + y) / (1 - y) ** 3 - 1, 1e-3)


def across() -> Case:
    """A magnet that lies beside the sphere, three radii from its centre."""
    y = 1.0 / 9.0
    return magnet_at_sphere("magnet across iron", (1, 0, 0), 0.03, y / (1 - y) ** 3, 1e-3)


def rifle() -> Case:
    """A ball that a magnet of 4 A m^2 has pulled from 60 mm away to 25 mm: its speed by the difference of U."""
    moment, start, end = 4.0, 0.06, 0.025

    def potential(d: float) -> float:
        y = (RADIUS / d) ** 2
        return -PERMEABILITY * moment**2 / (8.0 * pi * d**3) * RADIUS / d * ((1 + y) / (1 - y) ** 3 - 1)

    expected = sqrt(2.0 / MASS * (0.5 * MASS * 0.1**2 + potential(start) - potential(end)))

    def speed(now: Snapshot) -> float:
        """Speed at 25 mm: with the energy of the distance that is left."""
        z, v = float(now.bodies.position[0, 2]), float(now.bodies.velocity[0, 2])
        return sqrt(v * v - 2.0 / MASS * (potential(end) - potential(-z)))

    scene = scene_of_iron(
        {"kind": "sphere", "radius": RADIUS},
        np.inf,
        [magnet(0.0, (0, 0, moment))],
        (0, 0, 0),
        1e-4,
        support="free",
        position=[0, 0, -start],
        velocity=[0, 0, 0.1],
    )
    return Case("a magnet pulls a ball of iron", scene, at_end(TIME, speed), expected, 5e-4 * expected, "m/s", OF_MESH)


def added(radius: float, ring: float, turns: float, distance: float, permeability: float) -> float:
    """dL [H] of a ball of iron, `radius` [m], at the distance [m] from the centre of a ring, radius `ring` [m]."""
    square, total = ring**2 + distance**2, 0.0
    for order in range(1, TERMS):
        slope = float(Legendre.basis(order).deriv()(distance / sqrt(square)))
        share = (permeability - 1.0) * order / ((permeability + 1.0) * order + 1.0)
        total += share * slope**2 * radius ** (2 * order + 1) / (order**2 * square**order)
    return pi * PERMEABILITY * (turns * ring**2 / square) ** 2 * total


def beside_ring(distance: float, **of_coil: Any) -> Scene:
    """A ball of iron on the axis of a ring of 100 turns, without gravity."""
    winding = {"kind": "loop", "radius": RING, "wire_radius": 1e-3}
    scene = scene_of_iron(
        {"kind": "sphere", "radius": RADIUS},
        STEEL,
        [],
        (0, 0, 0),
        1e-4,
        support="free",
        position=[0, 0, -distance],
    )
    coil = {"name": "ring", "winding": winding, "turns": TURNS, **of_coil}
    return Scene.model_validate({**scene.model_dump(), "coil": [coil]})


def adds() -> Case:
    """Inductance of a ring beside a ball, less that without iron."""
    expected, far = added(RADIUS, RING, TURNS, NEAR, STEEL), 10.0
    scene = beside_ring(NEAR, resistance=0.5)

    def measure(described: Scene) -> float:
        moved = described.with_values({"body[0].position[2]": far})
        found = [float(Simulation(each).inductance()[0, 0]) for each in (described, moved)]
        return found[0] - found[1]

    return Case("a ball of iron adds to an inductance", scene, measure, expected, 3e-4 * expected, "H", OF_MESH)


def lifts() -> Case:
    """A ball that a current of 5 A has pulled from rest: M v^2/2 = I^2/2 (dL - dL at the start)."""
    current, start = 5.0, 0.03

    def potential(now: Snapshot) -> float:
        distance = -float(now.bodies.position[0, 2])
        return 0.5 * current**2 * added(RADIUS, RING, TURNS, distance, STEEL)

    def kept(now: Snapshot) -> float:
        return 0.5 * MASS * float(now.bodies.velocity[0, 2]) ** 2 - potential(now)

    scene = beside_ring(start, source={"kind": "current", "current": current})
    expected = -0.5 * current**2 * added(RADIUS, RING, TURNS, start, STEEL)
    tolerance = 1e-3 * -expected
    return Case("a current pulls a ball of iron", scene, at_end(0.2, kept), expected, tolerance, "J", OF_MESH)


CASES = (ellipsoid_in_field(), towards(), across(), rifle(), adds(), lifts())
