"""Builders of scenes, scenes that several tests share, and their motion by the reference implementation."""

from __future__ import annotations

import numpy as np
import reference

from polhode.analysis.steps.limits import judged, warnings_of
from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import body_properties
from polhode.scene.problem import Problem
from polhode.scene.scene import World
from polhode.scene.scene_file import scene_of

G = 9.80665
JELLY = """
format = 1
title = "A jelly and a box to hold"
[world]
gravity = [0, 0, 0]
[[soft]]
name = "jelly"
kind = "lattice"
counts = [4, 4, 1]
spacing = [0.2, 0.2, 0.2]
position = [-0.5, 0, 0.5]
particle_mass = 0.1
particle_radius = 0.05
stiffness = 300.0
damping = 1.0
fixed = [0]
[[body]]
name = "box"
support = "free"
position = [0.6, 0, 0.5]
[[body.shape]]
kind = "cuboid"
size = [0.4, 0.3, 0.3]
mass = 2.0
"""
SOFT = {
    "kind": "lattice",
    "name": "jelly",
    "counts": [3, 2, 2],
    "spacing": [0.2, 0.25, 0.3],
    "particle_mass": 0.5,
    "stiffness": 800.0,
    "position": [0.0, 0.0, 1.0],
}
TUMBLING = {"angular_velocity": [1.0, 2.0, 3.0], "velocity": [0.1, 0.0, 0.2]}
SWING = """
title = "Swing"
[[body]]
name = "bob"
support = "pivot"
angular_velocity = [0, 2, 0]
shape = [{ kind = "sphere", radius = 0.05, mass = 1, position = [0, 0, -0.5] }]
"""
LEANING = SWING.replace("Swing", "first").replace(
    "angular_velocity = [0, 2, 0]", "orientation = { axis = [1, 0, 0], angle = 1.0 }"
)


def scene(*bodies, time_step=1e-3, method="rk4", **parts):
    """A scene of bodies and other parts. Fields of `world` may also be given by their own names."""
    solver = {"time_step": time_step, "method": method} | parts.pop("solver", {})
    world = parts.pop("world", {}) | {name: parts.pop(name) for name in World.model_fields if name in parts}
    return scene_of({"body": [*bodies, *parts.pop("body", ())], "world": world, "solver": solver, **parts}, "test")


def bead_scene(*beads, gravity=G, **parts):
    """A scene of beads with names; `gravity` [m/s^2] points down."""
    named = [{"name": f"bead{number}", **bead} for number, bead in enumerate(beads)]
    return scene(bead=named, gravity=[0, 0, -gravity], **parts)


def sphere(radius=0.02, mass=0.3, position=(0, 0, 0), **more):
    return {"kind": "sphere", "radius": radius, "mass": mass, "position": list(position), **more}


def turned(x, y, z, angle):
    return {"axis": [x, y, z], "angle": angle}


TILTED = {
    "name": "tilted",
    "position": [0.1, 0.0, 0.2],
    "orientation": turned(1, 2, -0.5, 0.8),
    "angular_velocity": [1.0, -2.0, 3.0],
    "friction": 2e-5,
    "shape": [
        {
            "kind": "cylinder",
            "radius": 0.01,
            "length": 0.06,
            "mass": 0.05,
            "position": [0.0, 0.01, -0.05],
            "orientation": turned(0, 1, 0, 0.5),
        },
        {
            "kind": "cuboid",
            "size": [0.02, 0.03, 0.01],
            "density": 7800,
            "position": [0.02, 0, -0.08],
            "orientation": turned(1, 1, 0, 1.1),
        },
        {"kind": "ellipsoid", "semi_axes": [0.01, 0.02, 0.03], "mass": 0.03, "position": [-0.01, 0.02, 0.0]},
    ],
    "dipole": [
        {"position": [0.0, 0.01, -0.09], "moment": [0.1, 0.2, 0.9]},
        {"position": [0.02, 0, 0], "moment": [0, 0.3, 0]},
    ],
}
OTHER = {
    "name": "other",
    "position": [0.25, 0.05, 0.2],
    "orientation": turned(0, 1, 0, -0.4),
    "shape": [{"kind": "torus", "radius": 0.02, "tube_radius": 0.005, "mass": 0.04, "position": [0, 0, -0.1]}],
    "dipole": [{"position": [0.0, 0.005, -0.1], "moment": [0, 0.1, 1.2]}],
}
FIXED = {
    "name": "base",
    "support": "fixed",
    "position": [0.15, 0.0, 0.0],
    "orientation": turned(1, 0, 0, 0.2),
    "shape": [sphere()],
    "dipole": [{"moment": [0, 0, -1.5]}],
}


def independent_turns(s, times):
    """Turns of the same scene by the twin's Euler equations and DOP853."""
    return independent_motion(s, times)[1]


def independent_motion(s, times, field=None):
    """Places of the origins and turns of the same scene by the twin's equations and DOP853."""
    bodies, to_origin = [], []
    for body in s.body:
        p, turn = body_properties(s, body, Meshes()), body.orientation.matrix()
        at = p.center if body.support == "free" else np.zeros(3)
        axis = None if body.axis is None else np.array(body.axis) / np.linalg.norm(body.axis)
        bodies.append(
            reference.RigidBody(
                p.mass,
                p.center - at,
                p.about(at),
                body.position + turn @ at,
                turn,
                body.angular_velocity,
                body.friction,
                [(np.array(d.position) - at, d.moment) for d in body.dipole],
                body.support,
                np.array(body.velocity) + np.cross(body.angular_velocity, turn @ at),
                axis,
            )
        )
        to_origin.append(-at)
    field = s.world.magnetic_field.value if field is None else field
    places, turns = reference.integrate(bodies, times, s.world.gravity, field, s.world.permeability)
    return places + np.einsum("tnij,nj->tni", turns, to_origin), turns


FREE = {
    "name": "free",
    "support": "free",
    "position": [0.2, 0.1, 0.4],
    "velocity": [0.1, -0.2, 0.5],
    "angular_velocity": [3.0, 1.0, -2.0],
    "orientation": turned(1, 0, 1, 0.7),
    "shape": [
        {"kind": "cuboid", "size": [0.03, 0.02, 0.01], "mass": 0.02, "position": [0.02, 0.01, 0.0]},
        sphere(radius=0.01, mass=0.01, position=(-0.01, 0.0, 0.02)),
    ],
    "dipole": [{"position": [0.03, 0, 0.01], "moment": [0.2, 0.1, 0.4]}],
}
AXLE = {
    **TILTED,
    "name": "wheel",
    "support": "axle",
    "position": [0.45, -0.1, 0.3],
    "axis": [1.0, -2.0, 0.5],
    "angular_velocity": (4.0 * np.array([1.0, -2.0, 0.5]) / np.linalg.norm([1.0, -2.0, 0.5])).tolist(),
}


def step_warnings(compiled: CompiledScene, method: str, step: float) -> list[Problem]:
    """The warning about a step [s] of a method for a run from the start of a scene, if it is too long."""
    return warnings_of(compiled, judged(compiled, method, step, 0.0, compiled.start))
