"""Joints: a slider-crank, a gear train, and the reactions of a rod that goes round a cone.

Slider-crank with radius r, rod l and crank angle a: the piston is at r cos a + sqrt(l^2 - r^2 sin^2 a). Two wheels of
inertia J with the ratio n, driven by a torque T at the first, are accelerated by T/(J + n^2 J). A thin rod of length l
that hangs on a ball joint and goes round the vertical at the angle c does so with w^2 = 3 g/(2 l cos c), and pulls at
the joint with m w^2 (l/2) sin c across and m g along the vertical.
"""

from __future__ import annotations

from math import cos, hypot, sin, sqrt
from typing import Any

from polhode.scene.scene import Scene
from polhode.verification.case import GRAVITY, Case, at_end

CRANK, ROD, SPEED = 0.1, 0.35, 7.0
TORQUE, RATIO, WHEEL, RIM = 0.02, -2.5, 0.5, 0.1
LENGTH, ANGLE, MASS, THIN = 0.6, 0.5, 0.3, 0.02


def of(bodies: list[dict[str, Any]], joints: list[dict[str, Any]], time_step: float = 1e-3) -> Scene:
    return Scene.model_validate({"body": bodies, "joint": joints, "solver": {"time_step": time_step}})


def box(name: str, size: tuple[float, float, float], mass: float, **more: Any) -> dict[str, Any]:
    """A free cuboid."""
    return {"name": name, "support": "free", "shape": [{"kind": "cuboid", "size": size, "mass": mass}], **more}


def crank() -> Case:
    """Place of the piston after 1 s at constant speed of the motor."""
    angle = SPEED * 1.0
    expected = CRANK * cos(angle) + sqrt(ROD**2 - (CRANK * sin(angle)) ** 2)
    bodies = [
        box("wheel", (0.2, 0.02, 0.2), 1.0),
        box("rod", (ROD, 0.02, 0.02), 0.2, position=[CRANK + ROD / 2, 0, 0]),
        box("piston", (0.05, 0.05, 0.05), 0.4, position=[CRANK + ROD, 0, 0]),
    ]
    across = {"axis": [0, 1, 0]}
    joints: list[dict[str, Any]] = [
        {"name": "crank", "kind": "hinge", "first": "wheel", "motor": {"speed": str(SPEED)}, **across},
        {"name": "pin", "kind": "hinge", "first": "wheel", "second": "rod", "anchor": [CRANK, 0, 0], **across},
        {"name": "wrist", "kind": "hinge", "first": "piston", "second": "rod", "anchor": [CRANK + ROD, 0, 0], **across},
        {"name": "bore", "kind": "slider", "first": "piston", "axis": [1, 0, 0]},
    ]
    position = at_end(1.0, lambda now: now.bodies.position[2, 0])
    reason = "the angle of the crank by RK4: (7 rad/s x 1 ms)^5/120 per step; positions are projected to rounding"
    return Case("piston of a slider-crank", of(bodies, joints), position, expected, 1e-9, "m", reason)


def gears() -> Case:
    """Angle of the second wheel after 2 s, from rest."""
    inertia = WHEEL * RIM**2 / 2
    expected = RATIO * TORQUE / (inertia * (1 + RATIO**2)) * 2.0**2 / 2
    wheel = {"kind": "cylinder", "radius": RIM, "length": 0.02, "mass": WHEEL}
    still = {"name": "frame", "support": "fixed", "shape": [{"kind": "point", "mass": 1.0, "position": [0, 0, 0.2]}]}
    bodies: list[dict[str, Any]] = [
        {"name": f"wheel{k}", "support": "free", "position": [0.3 * k, 0, 0], "shape": [wheel]} for k in range(2)
    ]
    joints: list[dict[str, Any]] = [
        {
            "name": f"axle{k}",
            "kind": "hinge",
            "first": "frame",
            "second": f"wheel{k}",
            "anchor": [0.3 * k, 0, 0],
            "axis": [0, 0, 1],
        }
        for k in range(2)
    ]
    joints[0]["motor"] = {"torque": str(TORQUE)}
    gear = {"name": "gear", "kind": "gear", "first": "axle0", "second": "axle1", "ratio": RATIO}
    turned = at_end(2.0, lambda now: now.joints.coordinate[1])
    reason = "RK4 is exact for a constant torque about a fixed axis in the angular momentum; (w dt)^4/120 of the angle"
    return Case("angle of a geared wheel", of([*bodies, still], [*joints, gear]), turned, expected, 1e-8, "rad", reason)


def cone() -> Case:
    """Horizontal force in the ball joint of a rod that goes round a cone, after 1 s."""
    along, across = MASS * (LENGTH**2 + THIN**2) / 12, MASS * THIN**2 / 6
    about = along + MASS * LENGTH**2 / 4
    rate = sqrt(MASS * GRAVITY * LENGTH / 2 / ((about - across) * cos(ANGLE)))
    shape = {"kind": "cuboid", "size": [THIN, THIN, LENGTH], "mass": MASS, "position": [0, 0, -LENGTH / 2]}
    turn = {"axis": [0, 1, 0], "angle": ANGLE}
    rod = {"name": "rod", "support": "free", "shape": [shape], "angular_velocity": [0, 0, rate], "orientation": turn}
    ball = {"name": "ball", "kind": "ball", "first": "rod", "anchor": [0, 0, 0]}
    force = at_end(1.0, lambda now: hypot(now.joints.force[0, 0], now.joints.force[0, 1]))
    expected = MASS * rate**2 * LENGTH / 2 * sin(ANGLE)
    reason = "RK4 at w dt = 0.005, (w dt)^4/120 of the rates, times the ratio of the moments of a slender rod"
    return Case("force in the joint of a rod on a cone", of([rod], [ball]), force, expected, 1e-9, "N", reason)


CASES = (crank(), gears(), cone())
