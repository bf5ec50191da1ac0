"""A small scene with everything that is drawn in another way, and its motion as pages and glTF files have it."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode_app.export.motion.parts import RunMotion
from polhode_app.export.sources import SimulationSource
from polhode_app.export.web.writing import PageSettings, motion_of

HOSTILE = "</script><script>window.hacked = 1</script><img src=x onerror='window.hacked = 2'> & \"quotes\""
EVERYTHING = {
    "title": HOSTILE,
    "solver": {"time_step": 1e-3},
    "body": [
        {
            "name": "bob",
            "support": "pivot",
            "position": [0, 0, 0.6],
            "angular_velocity": [0, 2, 0],
            "shape": [{"kind": "cylinder", "radius": 0.05, "length": 0.1, "mass": 1, "position": [0, 0, -0.4]}],
            "dipole": [{"position": [0, 0, -0.4], "moment": [0, 0, 1]}],
        },
        {
            "name": "gyro",
            "support": "pivot",
            "position": [0.5, 0, 0.5],
            "angular_velocity": [0, 0, 400],
            "shape": [{"kind": "cuboid", "size": [0.2, 0.1, 0.05], "mass": 1, "position": [0, 0, 0]}],
        },
        {
            "name": "stand",
            "support": "fixed",
            "position": [-0.5, 0, 0.1],
            "shape": [{"kind": "cuboid", "size": [0.2, 0.2, 0.2], "mass": 1}],
        },
    ],
    "soft": [
        {
            "name": "sheet",
            "kind": "lattice",
            "counts": [4, 3, 1],
            "spacing": [0.1, 0.1, 0.1],
            "position": [0, 0.6, 0.8],
            "particle_mass": 0.01,
            "stiffness": 100.0,
            "damping": 0.1,
            "fixed": [0, 3],
        },
        {
            "name": "rope",
            "kind": "chain",
            "count": 7,
            "spacing": 0.05,
            "direction": [1, 0, 0],
            "position": [0, -0.5, 0.8],
            "particle_mass": 0.01,
            "stiffness": 500.0,
            "damping": 0.1,
            "fixed": [0],
        },
    ],
    "particle": [{"name": "ball", "mass": 0.1, "radius": 0.03, "position": [-0.3, -0.3, 0.5]}],
    "spring": [{"from": [-0.3, -0.3, 0.9], "to": "ball", "stiffness": 20.0, "rest_length": 0.3}],
    "wall": [{"name": "floor", "point": [0, 0, 0], "normal": [0, 0, 1], "stiffness": 1e4, "damping": 10}],
}


def everything() -> Scene:
    """The scene."""
    return scene_of(EVERYTHING, "test")


def motion_at(scene: Scene, times: Sequence[float], **settings: object) -> RunMotion:
    """The motion of a scene at some times [s]."""
    return motion_of(SimulationSource(scene), [*times], PageSettings(**settings), lambda share: None)


TIMES = np.arange(0.0, 0.5001, 0.02)
