"""A short scene for each law that switches, made so that it does within the first 0.3 s of the run."""

from __future__ import annotations

from typing import Any

from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of

DOWN = [0.0, 0.0, -9.80665]


def ball(name: str = "a", radius: float = 0.05, mass: float = 0.5, **more: Any) -> dict[str, Any]:
    """A free ball."""
    return {"name": name, "support": "free", "shape": [{"kind": "sphere", "radius": radius, "mass": mass}]} | more


def block(**more: Any) -> dict[str, Any]:
    """A free cube of 1 kg."""
    return {"name": "a", "support": "free", "shape": [{"kind": "cuboid", "size": [0.1] * 3, "mass": 1.0}]} | more


def rod_on_a_hinge(speed: float) -> dict[str, Any]:
    """A rod between two limits, which bounces off them."""
    shape = {"kind": "cuboid", "size": [0.02, 0.02, 0.4], "position": [0, 0, -0.2], "mass": 0.3}
    rod = {"name": "rod", "support": "free", "angular_velocity": [0, speed, 0], "shape": [shape]}
    pin = {"name": "pin", "kind": "hinge", "first": "rod", "axis": [0, 1, 0], "anchor": [0, 0, 0]}
    return {"body": [rod], "joint": [pin | {"limits": {"lower": -0.5, "upper": 0.7, "restitution": 0.8}}]}


def slider(**more: Any) -> dict[str, Any]:
    """A joint that lets the block move along x."""
    return {"name": "s", "kind": "slider", "first": "a", "axis": [1, 0, 0], "anchor_second": [0, 0, 0]} | more


def string(**more: Any) -> dict[str, Any]:
    """A string from the origin to the ball."""
    return {"name": "s", "kind": "distance", "first": "a", "anchor_second": [0, 0, 0], "pull_only": True} | more


def bead(**more: Any) -> dict[str, Any]:
    """A bead on a line that goes down."""
    line = {"kind": "line", "start": [0, 0, 0.3], "end": [0.4, 0, 0]}
    return {"name": "bead", "mass": 0.1, "radius": 0.01, "path": line} | more


FLOOR = {"name": "floor", "kind": "plane", "point": [0, 0, 0], "normal": [0, 0, 1]}
LEVEL = {"kind": "line", "start": [0, 0, 0], "end": [0.4, 0, 0]}
SHAKEN = {"kind": "formula", "z": "0.02*sin(30*t)"}
BOUNCY = {"stiffness": 1e4, "restitution": 0.4}
LAWS: dict[str, dict[str, Any]] = {
    "limits": rod_on_a_hinge(6.0),
    "dry friction in a joint": {"body": [block(velocity=[0.6, 0, 0])], "joint": [slider(dry_friction=3.0)]},
    "a string": {"body": [ball(position=[0.1, 0, -0.45], velocity=[1, 0, -0.5])], "joint": [string(length=0.5)]},
    "a string that bounces": {
        "body": [ball(position=[0, 0, -0.45], velocity=[0.3, 0, -1.0])],
        "joint": [string(length=0.5, restitution=0.6)],
    },
    "breaking": {"body": [ball(position=[0.5, 0, 0])], "joint": [string(length=0.5, breaks_at=8.0)]},
    "a spring that only pulls": {
        "body": [ball(position=[0, 0, -0.45])],
        "spring": [{"from": [0, 0, 0], "to": "a", "rest_length": 0.5, "pull_only": True, "stiffness": 100.0}],
    },
    "a spring that breaks": {
        "particle": [{"name": "a", "mass": 0.5, "position": [0, 0, -0.2]}],
        "spring": [{"from": [0, 0, 0], "to": "a", "stiffness": 100.0, "breaks_at": 7.0}],
    },
    "a soft body that breaks": {
        "soft": [
            {"name": "a", "kind": "lattice", "counts": [3, 3, 1], "spacing": [0.1] * 3, "particle_mass": 0.05}
            | {"stiffness": 100.0, "damping": 0.02, "breaks_at_strain": 0.1, "angular_velocity": [1.0, 0, 20.0]}
        ],
    },
    "dry friction of a pivot": {
        "body": [ball(support="pivot", angular_velocity=[3, 4, 12], dry_friction=2e-2, radius=0.1)]
    },
    "friction on a track": {"bead": [bead(parameter=0.2, speed=-1.0, kinetic_friction=0.3)]},
    "a track that throws its bead up": {
        "bead": [bead(path=LEVEL, path_motion=SHAKEN, parameter=0.2, one_sided="below", contact=BOUNCY)]
    },
}
IN_GALLERY = {
    "ends of paths": "helix_slide",
    "one-sided tracks": "loop_the_loop",
    "restitution of spheres": "rolling_11_several_at_once",
    "restitution of solids": "rolling_9_impact_with_spin",
    "pulleys": "swinging_atwood",
    "a sling": "trebuchet",
}


def scene_with(law: str, method: str = "rk4", time_step: float = 2e-3) -> Scene:
    """The scene of a law, by a method."""
    if law in IN_GALLERY:
        scene = read_scene(gallery.path(IN_GALLERY[law])).model_copy(update={"sweep": (), "ghost": ()})
        return scene.model_copy(update={"solver": scene.solver.model_copy(update={"method": method})})
    solver = {"method": method, "time_step": time_step}
    return scene_of({"format": 1, "world": {"gravity": DOWN}, "solver": solver} | LAWS[law], law)
