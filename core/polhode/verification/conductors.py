"""Magnets on the axis of a tube: the speed at which one falls, and the momentum that one thrown through it loses. A
ring over an alternating current: its heat, pi omega (M I)^2/R per period for a slow current. A ring around a ball of
iron in an alternating field: the ball adds mu0 m a^2/(2 (a^2 + z^2)^(3/2)) to its flux.

A ring of radius a and resistance R takes the momentum 45 pi (mu0 p)^2/(512 a^3 R) from a dipole p that passes it on the
axis, at any speed; so a thin tube of length l, wall w and conductivity sigma takes 45/1024 mu0^2 p^2 sigma w l/a^4.
"""

from __future__ import annotations

from math import log, pi
from typing import Any

import numpy as np

from polhode.physics.coils.windings.inductance import coaxial_rings
from polhode.scene.scene import Scene
from polhode.verification.case import GRAVITY, Case, at_end

PERMEABILITY = 1.25663706127e-6  # [T m/A] the default of a scene
RADIUS, WALL, CONDUCTIVITY = 8e-3, 1e-5, 5.96e9  # [m], [m], [S/m]: as copper of 1 mm
MOMENT, MASS = 0.55, 0.006  # [A m^2], [kg]
DRAG = 45 / 1024 * PERMEABILITY**2 * MOMENT**2 * CONDUCTIVITY * WALL / RADIUS**4  # [N s/m]
REASON = "a wall of 10 um differs from a thin one by 5/6 (w/a)^2 = 1.3e-6"


def on_axis(length: float, panels: int, height: float, velocity: float, gravity: float, step: float) -> Scene:
    """A magnet on the axis of a tube of a length [m] at a height [m], with a velocity [m/s] along it."""
    ball = {"kind": "sphere", "radius": 0.003, "mass": MASS, "magnet": {"moment": [0, 0, MOMENT]}}
    motion: dict[str, Any] = {"support": "free", "position": [0, 0, height], "velocity": [0, 0, velocity]}
    metal = {"currents": "rings", "conductivity": CONDUCTIVITY, "panels": panels}
    wall = {"radius": RADIUS + WALL / 2, "inner_radius": RADIUS - WALL / 2, "length": length}
    tube = {"kind": "tube", **wall, "density": 8960.0, "conductor": metal}
    return Scene.model_validate(
        {
            "world": {"gravity": [0, 0, -gravity]},
            "solver": {"method": "rk4", "time_step": step},
            "body": [
                {"name": "magnet", "shape": [ball], **motion},
                {"name": "tube", "support": "fixed", "shape": [tube]},
            ],
        }
    )


def falls() -> Case:
    """A magnet falls through a long tube at the speed M g/c."""
    described = on_axis(0.4, 200, 0.1, 0.0, GRAVITY, 1e-3)
    expected = MASS * GRAVITY / DRAG
    measure = at_end(0.6, lambda now: -float(now.bodies.velocity[0, 2]))
    return Case("a magnet falls through a tube", described, measure, expected, 3e-6 * expected, "m/s", REASON)


def thrown() -> Case:
    """A magnet thrown through a short tube loses the momentum c l, whatever its speed."""
    length, speed = 0.03, 5.0
    described = on_axis(length, 60, 0.2, -speed, 0.0, 2.5e-4)
    measure = at_end(0.1, lambda now: MASS * (speed + float(now.bodies.velocity[0, 2])))
    lost = DRAG * length
    return Case("a magnet thrown through a tube", described, measure, lost, 5e-6 * lost, "N s", REASON)


def heats() -> Case:
    """A period of 50 Hz in a coil heats a coaxial ring; steps do not resolve the time constant of the ring."""
    coil, turns, height, current, omega = 0.025, 500, 0.01, 5.0, 100.0 * pi
    wide, wall, length, conductivity = 0.02, 1e-5, 1e-4, 1e7
    resistance = 2.0 * pi / (conductivity * length * log((wide + wall / 2) / (wide - wall / 2)))
    mutual = turns * float(coaxial_rings(wide, coil, np.array([height]), PERMEABILITY)[0])
    expected = -pi * omega * (mutual * current) ** 2 / resistance
    metal = {"currents": "rings", "conductivity": conductivity, "panels": 1}
    size = {"radius": wide + wall / 2, "inner_radius": wide - wall / 2, "length": length}
    ring = {"kind": "tube", **size, "density": 2700.0, "conductor": metal}
    source = {"kind": "current", "current": f"{current}*sin({omega}*t)"}
    winding = {"kind": "loop", "radius": coil, "wire_radius": 1e-3}
    described = Scene.model_validate(
        {
            "solver": {"method": "rk4", "time_step": 1e-4},
            "body": [{"name": "ring", "support": "fixed", "position": [0, 0, height], "shape": [ring]}],
            "coil": [{"name": "coil", "winding": winding, "turns": turns, "source": source}],
        }
    )
    measure = at_end(0.02, lambda now: now.ledger.joule)
    reason = "the ring is as thick as 5e-4 of its radius, and 1e-4 m long: M varies by the square of that"
    return Case("an alternating current heats a ring", described, measure, expected, 1e-5 * -expected, "J", reason)


def around_iron(name: str, induced: str, reason: str, accuracy: float) -> Case:
    """A period of 50 Hz of a uniform field heats a ring beside a ball of iron, whose moment is that of a sphere."""
    radius, height, ball, permeability, strength, omega = 0.02, 0.006, 0.01, 1000.0, 0.01, 100.0 * pi
    wall, length, conductivity = 1e-5, 1e-4, 1e7
    resistance = 2.0 * pi / (conductivity * length * log((radius + wall / 2) / (radius - wall / 2)))
    moment = 4.0 * pi * ball**3 * (permeability - 1.0) / (permeability + 2.0) * strength  # times mu0
    flux = pi * radius**2 * strength + 0.5 * moment * radius**2 / (radius**2 + height**2) ** 1.5
    expected = -pi * omega * flux**2 / resistance
    size = {"radius": radius + wall / 2, "inner_radius": radius - wall / 2, "length": length}
    metal = {"currents": "rings", "conductivity": conductivity, "panels": 1}
    ring = {"kind": "tube", **size, "density": 2700.0, "conductor": metal}
    iron = {"permeability": permeability, "panels": 320, "induced": induced}
    core = {"kind": "sphere", "radius": ball, "density": 7870.0, "iron": iron}
    field = {"kind": "rotating", "cosine": [0, 0, strength], "sine": [0, 0, 0], "angular_frequency": omega}
    described = Scene.model_validate(
        {
            "world": {"magnetic_field": field},
            "solver": {"method": "rk4", "time_step": 1e-4},
            "body": [
                {"name": "ring", "support": "fixed", "position": [0, 0, height], "shape": [ring]},
                {"name": "core", "support": "fixed", "shape": [core]},
            ],
        }
    )
    measure = at_end(0.02, lambda now: now.ledger.joule)
    return Case(name, described, measure, expected, accuracy * -expected, "J", reason)


OF_PANELS = "a ball of 320 panels, a ring as thick as 5e-4 of its radius: 3e-7"
OF_MOMENT = "a ring as thick as 5e-4 of its radius, and RK4: 1e-7"
CASES = (
    falls(),
    thrown(),
    heats(),
    around_iron("an alternating field heats a ring around iron", "surface", OF_PANELS, 1e-6),
    around_iron("an alternating field heats a ring around iron of one moment", "dipole", OF_MOMENT, 1e-6),
)
