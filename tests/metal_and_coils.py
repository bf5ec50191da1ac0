"""A scene of a moving piece of metal with coils and a magnet, and fields of the world."""

from __future__ import annotations

import copy
from typing import Any

from laws import BOB, YOKE

WORLD = {"gravity": [0, 0, 0]}
RING = {"kind": "tube", "radius": 0.0265, "inner_radius": 0.0235, "length": 0.01, "mass": 0.0127235}
ROTATING = {"kind": "rotating", "cosine": [0, 0, 0.02], "sine": [0.01, 0, 0], "angular_frequency": 200.0}
FORMULA = {"kind": "formula", "x": "0", "y": "0.1*x*cos(200*t)", "z": "0.02 + 0.1*y*cos(200*t)"}


def mixed(currents: str = "sheet") -> dict[str, Any]:
    """A moving piece of metal with a coil, another coil on a magnet, and two in the laboratory."""
    metal = {"conductivity": 3.7e7, "currents": currents, "panels": 60 if currents == "sheet" else 12}
    tube = {
        "name": "tube",
        **YOKE,
        "shape": [{**RING, "mass": 0.03, "conductor": metal}],
    }
    magnet = {"kind": "sphere", "radius": 0.002, "mass": 0.01, "magnet": {"moment": [0.1, 0, 0.5]}}
    bob = BOB | {"position": [0.02, 0.005, 0.03], "shape": [magnet]}
    wide = {"kind": "solenoid", "radius": 0.045, "length": 0.02}
    shared = {"resistance": 0.5, "source": {"kind": "shorted"}, "turns": 200}
    loop = {"kind": "loop", "radius": 0.008, "wire_radius": 1e-3}
    coils = [
        {**shared, "name": "own", "body": "tube", "winding": {**loop, "radius": 0.04}, "current": 1.5},
        {**shared, "name": "lab", "winding": wide, "position": [0, 0, 0.03], "current": -2.0},
        {
            "name": "driven",
            "body": "bob",
            "winding": loop,
            "turns": 50,
            "source": {"kind": "current", "current": "3*cos(100*t)"},
        },
        {"name": "open", "body": "bob", "winding": {**loop, "radius": 0.01}, "turns": 30, "source": {"kind": "open"}},
    ]
    solver = {"method": "rk4", "time_step": 1e-5}
    return {"world": copy.deepcopy(WORLD), "solver": solver, "body": [tube, bob], "coil": coils}
