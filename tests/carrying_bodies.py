"""Bodies that carry paths, and beads on these."""

from __future__ import annotations

KNOT = {"kind": "formula", "x": "0.3*cos(q)", "y": "0.2*sin(2*q)", "z": "0.2*sin(3*q + 0.5)", "range": [0, "2*pi"]}
HOOP = {"kind": "circle", "radius": 0.4, "center": [0.1, 0, 0.2]}
LINE = {"kind": "line", "start": [-0.5, 0.02, 0.1], "end": [0.5, 0.1, 0.2]}
BOX = {"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 0.8, "position": [0.05, 0, -0.02]}


def on(body: str, **bead) -> dict:
    return {"mass": 0.3, "radius": 0.05, "path_motion": {"kind": "body", "body": body}, **bead}


def hoop(rate: float = 6.0, **more) -> dict:
    """A hoop that turns about its vertical diameter, with the moment of inertia 0.02 kg m^2."""
    tensor = [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.02]]
    look = {"kind": "sphere", "radius": 0.05, "mass": 0.5}
    spin = {"angular_velocity": [0, 0, rate], "support": "axle", "axis": [0, 0, 1]}
    return {"name": "hoop", "shape": [look], "inertia": {"mass": 0.5, "tensor": tensor}, **spin, **more}


def rod(**more) -> dict:
    """A free rod along x of 0.6 kg and 0.05 kg m^2 about its middle."""
    tensor = [[1e-3, 0, 0], [0, 0.05, 0], [0, 0, 0.05]]
    look = {"kind": "cuboid", "size": [1.0, 0.02, 0.02], "mass": 0.6}
    return {"name": "rod", "support": "free", "shape": [look], "inertia": {"mass": 0.6, "tensor": tensor}, **more}


WIRE = {"kind": "line", "start": [-0.5, 0, 0], "end": [0.5, 0, 0]}


SUPPORTS = {
    "free": {"support": "free", "velocity": [0.1, 0.2, -0.1]},
    "pivot": {"support": "pivot"},
    "axle": {"support": "axle", "axis": [1, 2, 3]},
    "driven": {"support": "driven", "motion": {"kind": "uniform", "velocity": [0.1, 0.2, 0.3]}},
    "turned": {
        "support": "driven",
        "angular_velocity": [0, 0, 0],
        "motion": {"kind": "formula", "x": "0.1*sin(3*t)", "axis": [1, 1, 2], "angle": "0.7*t + 0.3*sin(2*t)"},
    },
    "round": {
        "support": "driven",
        "motion": {"kind": "ellipse", "r1": [0.1, 0, 0.2], "r2": [0, 0.2, 0.1], "angular_frequency": 3.0},
    },
    "shaken": {"support": "pivot", "motion": {"kind": "formula", "z": "0.1*sin(5*t)", "x": "0.05*cos(3*t)"}},
    "fixed": {"support": "fixed"},
}


def box(kind: str, **more) -> dict:
    spin = {} if kind == "fixed" else {"angular_velocity": [1.0, -0.8, 1.5]}
    place = {"position": [0.3, -0.1, 0.2], "orientation": {"axis": [1, 2, -1], "angle": 0.8}}
    return {"name": "box", "shape": [BOX], **place, **spin, **SUPPORTS[kind], **more}
