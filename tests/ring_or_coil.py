"""A scene with a ring of metal, and the same scene with a loop of a coil in its place."""

from __future__ import annotations

import copy
from typing import Any

from polhode.physics.conductors.loops import loops_of_body
from polhode.scene.scene import Scene

MU0 = 1.25663706127e-6
STILL = {"gravity": [0, 0, 0]}
RING = {"kind": "tube", "radius": 0.0265, "inner_radius": 0.0235, "length": 0.01, "mass": 0.05}
BALL = {"kind": "ellipsoid", "semi_axes": [0.004, 0.003, 0.006], "mass": 0.002}


def ring_or_coil(is_metal: bool, iron: bool, conductivity: float, saturation: float | None = None) -> dict[str, Any]:
    """A ring of metal or the same loop as a coil, with a magnet, and iron or a second one."""
    shape = {**RING, "conductor": {"conductivity": conductivity, "currents": "rings", "panels": 1}}
    loops = loops_of_body(Scene.model_validate({"body": [{"name": "ring", "shape": [shape]}]}).body[0], MU0)
    motion = {"support": "free", "velocity": [0, 0.1, 0.3], "angular_velocity": [3, 0, 1]}
    ring = {"name": "ring", "position": [0.002, 0, 0.01], **motion, "shape": [shape if is_metal else RING]}
    magnet = {"kind": "sphere", "radius": 0.003, "mass": 0.02, "magnet": {"moment": [0.1, 0, 0.8]}}
    bob = {
        "name": "bob",
        "support": "free",
        "position": [0.01, 0.005, 0.05],
        "velocity": [0, 0, -0.5],
        "shape": [magnet],
    }
    third = {**copy.deepcopy(ring), "name": "third", "position": [0, 0, -0.014], "velocity": [0, 0, 0.1]}
    if iron:
        third["shape"] = [{**BALL, "semi_axes": [0.006, 0.006, 0.009], "iron": {"permeability": 500, "panels": 120}}]
        if saturation is not None:
            third["shape"][0]["iron"]["saturation"] = saturation
    described: dict[str, Any] = {
        "world": STILL,
        "solver": {"method": "rk4", "time_step": 1e-4},
        "body": [ring, bob, third],
    }
    if not is_metal:
        winding = {"kind": "loop", "radius": float(loops.radius[0]), "wire_radius": 1e-3}
        numbers = {"resistance": float(loops.resistance[0, 0]), "inductance": float(loops.inductance[0, 0])}
        coil = {"winding": winding, "turns": 1, **numbers, "source": {"kind": "shorted"}}
        owners = ["ring"] if iron else ["ring", "third"]
        described["coil"] = [{"name": f"{owner}_coil", "body": owner, **coil} for owner in owners]
    return described
