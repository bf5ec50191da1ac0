"""Random scenes of a few bodies with joints, limits, strings and contacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of

FLOOR = {"name": "floor", "normal": [0, 0, 1], "point": [0, 0, -0.6]}
METHODS = ("rk4", "verlet", "dormand_prince_8", "splitting", "implicit")


def random_scene(seed: int) -> Scene:
    """A scene that depends on the seed alone."""
    random = np.random.default_rng(seed)
    bodies = [_body(random, number) for number in range(random.integers(1, 4))]
    joints = [_joint(random, bodies, number) for number in range(len(bodies))]
    data: dict[str, Any] = {"format": 1, "body": bodies, "joint": [each for each in joints if each]}
    data["solver"] = {"method": str(random.choice(METHODS)), "time_step": float(random.choice([5e-4, 1e-3, 2e-3]))}
    if random.random() < 0.5:
        data["wall"] = [FLOOR]
    return scene_of(data, f"seed {seed}")


def _vector(random: np.random.Generator, size: float) -> list[float]:
    return [round(float(number), 3) for number in random.uniform(-size, size, 3)]


def _body(random: np.random.Generator, number: int) -> dict[str, Any]:
    """A ball or a brick, at a place of its own, which moves and turns."""
    shape: dict[str, Any] = {"kind": "sphere", "radius": 0.05, "mass": 0.3}
    if random.random() < 0.5:
        shape = {"kind": "cuboid", "size": [0.1, 0.06, 0.08], "mass": 0.5}
    place = [0.4 * number, 0.0, 0.0]
    motion = {"velocity": _vector(random, 1.0), "angular_velocity": _vector(random, 4.0)}
    return {"name": f"b{number}", "support": "free", "position": place, "shape": [shape]} | motion


def _joint(random: np.random.Generator, bodies: list[dict[str, Any]], number: int) -> dict[str, Any]:
    """A joint of a body to the laboratory or to the body before it; none in one of six cases."""
    kind = random.integers(6)
    ends: dict[str, Any] = {"name": f"j{number}", "first": f"b{number}"}
    ends |= {"second": f"b{number - 1}"} if number and random.random() < 0.6 else {}
    limits = {"lower": -round(random.uniform(0.05, 0.5), 3), "upper": round(random.uniform(0.05, 0.5), 3)}
    limits["restitution"] = round(random.uniform(0.0, 1.0), 2)
    place = [0.4 * number - 0.2, 0.0, 0.0]
    if kind == 0:
        return ends | {"kind": "hinge", "axis": [0, 1, 0], "anchor": place, "limits": limits}
    if kind == 1:
        return ends | {"kind": "slider", "axis": [1, 0, 0], "anchor": place, "limits": limits}
    if kind == 2:
        return ends | {"kind": "hinge", "axis": [0, 1, 0], "anchor": place, "dry_friction": 0.02}
    if kind == 3:
        string = {"kind": "distance", "pull_only": True, "restitution": round(random.uniform(0.0, 1.0), 2)}
        string |= {"length": 0.45} if "second" in ends else {"anchor_second": place, "length": 0.25}
        return ends | string | ({"breaks_at": 20.0} if random.random() < 0.3 else {})
    if kind == 4:
        return ends | {"kind": "ball", "anchor": place}
    return {}
