"""Magnets on the axis of a ring of wire: with a given current, superconducting, and with a resistance alone.

The flux of a dipole p on the axis of N turns of radius a is Phi(z) = mu0 N p a^2/2 (a^2 + z^2)^(-3/2).
"""

from __future__ import annotations

from math import pi
from typing import Any

from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode.verification.case import GRAVITY, Case, at_end

PERMEABILITY = 1.25663706127e-6  # [T m/A] the default of a scene
TURNS, RADIUS, MOMENT, MASS = 100, 0.02, 1.0, 0.01  # [1], [m], [A m^2], [kg]
REASON = "RK4 at steps of a thousandth of the passage: the error of its fourth order is below 1e-12 J"


def flux(z: float) -> float:
    """Phi [Wb] at the height z [m] over the ring."""
    return PERMEABILITY * TURNS * MOMENT * RADIUS**2 / 2 * (RADIUS**2 + z**2) ** -1.5


def over_ring(start: float, velocity: float, gravity: float, step: float, **of_coil: Any) -> Scene:
    """A magnet on the axis of a ring at the height `start` [m], with a velocity [m/s] along it."""
    ball = {"kind": "sphere", "radius": 0.003, "mass": MASS, "magnet": {"moment": [0, 0, MOMENT]}}
    motion = {"support": "free", "position": [0, 0, start], "velocity": [0, 0, velocity]}
    ring = {"kind": "loop", "radius": RADIUS, "wire_radius": 0.001}
    return Scene.model_validate(
        {
            "world": {"gravity": [0, 0, -gravity]},
            "solver": {"method": "rk4", "time_step": step},
            "body": [{"name": "magnet", **motion, "shape": [ball]}],
            "coil": [{"name": "ring", "winding": ring, "turns": TURNS, **of_coil}],
        }
    )


def pulled() -> Case:
    """A current of 2 A pulls the magnet through the ring: M v^2/2 - I Phi(z) stays -I Phi at the start."""
    current = 2.0

    def energy(now: Snapshot) -> float:
        return MASS / 2 * float(now.bodies.velocity[0, 2]) ** 2 - current * flux(float(now.bodies.position[0, 2]))

    described = over_ring(0.03, 0.0, 0.0, 1e-4, source={"kind": "current", "current": current})
    expected = -current * flux(0.03)
    return Case("a current pulls a magnet", described, at_end(0.25, energy), expected, 1e-12, "J", REASON)


def floats() -> Case:
    """A magnet that falls onto a superconducting ring without flux linkage: M v^2/2 + M g z + Phi^2/(2 L) is kept."""
    inductance, start = 1e-3, 0.05

    def energy(now: Snapshot) -> float:
        z, v = float(now.bodies.position[0, 2]), float(now.bodies.velocity[0, 2])
        return MASS / 2 * v**2 + MASS * GRAVITY * z + flux(z) ** 2 / (2 * inductance)

    of_coil = {"resistance": 0.0, "inductance": inductance, "current": -flux(start) / inductance}
    described = over_ring(start, 0.0, GRAVITY, 1e-4, **of_coil)
    expected = MASS * GRAVITY * start + flux(start) ** 2 / (2 * inductance)
    return Case("a superconducting ring stops a magnet", described, at_end(0.127, energy), expected, 1e-12, "J", REASON)


def braked() -> Case:
    """A magnet thrown through a ring with resistance alone loses M dv = int Phi'^2 dz/R = 45 pi (mu0 N p)^2/(512 a^3
    R), whatever its speed.
    """
    speed, resistance, far = 2.0, 0.5, 1.0
    lost = 45 * pi * (PERMEABILITY * TURNS * MOMENT) ** 2 / (512 * RADIUS**3 * resistance)
    described = over_ring(far, -speed, 0.0, 1e-4, resistance=resistance, inductance=0.0)

    measure = at_end(2 * far / speed, lambda now: MASS * (speed + float(now.bodies.velocity[0, 2])))

    # what the magnet would lose beyond 50 radii is (1/50)^7 of it
    return Case("a resistive ring brakes a magnet", described, measure, lost, 1e-10 * lost, "N s", REASON)


CASES = (pulled(), floats(), braked())
