"""Rounding in the assembly of joints: lengths against the joints and bodies, directions as they are."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import refuses

from polhode.physics.bodies.shapes import Orientation
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

KINDS = ("ball", "hinge", "slider", "cylindrical", "universal", "weld")


def concentric(kind, place, second=True, size=0.1, support="free", shape="cuboid", seed=1):
    """Two bodies, or one and the laboratory, whose origins and anchors are all in one place."""
    rng = np.random.default_rng(seed)
    shapes = {"cuboid": {"size": [size, 2 * size, 1.5 * size]}, "point": {}, "rod": {"length": size}}
    bodies = [
        {
            "name": f"b{k}",
            "support": support,
            "position": list(place),
            "orientation": {"axis": rng.normal(size=3).tolist(), "angle": float(rng.uniform(0, 3))},
            "angular_velocity": rng.normal(size=3).tolist(),
            "shape": [{"kind": shape, "mass": 0.5} | shapes[shape]],
        }
        for k in range(1 + second)
    ]
    if not second:
        bodies[0]["orientation"]["angle"] = 0.0
    joint = {"name": "j", "kind": kind, "first": "b0", "anchor_first": [0, 0, 0]}
    joint |= {"second": "b1", "anchor_second": [0, 0, 0]} if second else {"anchor_second": list(place)}
    if kind not in ("ball", "weld"):
        joint["axis"] = [1, 2, 3]
    if kind == "universal":  # across the axis in the laboratory
        turns = [Orientation(**body["orientation"]).matrix() for body in bodies]
        across = np.cross(turns[0] @ [1, 2, 3], [0.3, -0.2, 0.9])
        joint["second_axis"] = (turns[1].T @ across if second else across).tolist()
    data = {"format": 1, "world": {"gravity": [0, 0, 0]}, "solver": {"time_step": 1e-3}}
    return scene_of(data | {"body": bodies, "joint": [joint]}, "")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("shape", "size"), [("cuboid", 0.1), ("cuboid", 1e-4), ("cuboid", 300.0), ("rod", 0.2)])
def test_anchors_that_are_all_in_one_place_are_assembled(kind, shape, size):
    for place in ((0, 0, 0), (1e-17, 0, 0), (0.3, -0.1, 0.2)):
        for second in (False, True):
            simulation = Simulation(concentric(kind, place, second, size, shape=shape))
            start = simulation.snapshot().energy.total
            simulation.advance_steps(50)
            now = simulation.snapshot()
            assert now.energy.total == pytest.approx(start, rel=1e-6, abs=1e-15)


def test_anchors_that_rounding_parts_are_joined_at_the_origins_of_bodies():
    """0.1 + 0.2 is not 0.3: anchors without arms are compared with the bodies."""
    body = {"name": "b", "support": "free", "position": [0.1 + 0.2, 0, 0]}
    body |= {"shape": [{"kind": "cuboid", "size": [0.1, 0.1, 0.1], "mass": 1.0}]}
    hinge = {"name": "h", "kind": "hinge", "first": "b", "axis": [1, 2, 3], "anchor_first": [0, 0, 0]}

    def with_anchor(x):
        return scene_of({"format": 1, "body": [body], "joint": [hinge | {"anchor_second": [x, 0, 0]}]}, "")

    Simulation(with_anchor(0.3)).advance_steps(5)
    Simulation(with_anchor(0.300001)).advance_steps(5)
    with pytest.raises(InputError, match="anchors"):
        Simulation(with_anchor(0.301))


@pytest.mark.parametrize("size", [1e-5, 1e-2, 10.0, 1e3])
def test_a_loop_that_does_not_close_is_refused_at_any_size(size):
    """Three plates in a ring of hinges that are not parallel by a hundredth, and one whose hinges are."""

    def ring(lean):
        places = size * np.array([[0, 0, 0], [1.0, 0, 0], [0, 1.0, 0]])
        bodies = [
            {
                "name": f"b{k}",
                "support": "free" if k else "fixed",
                "position": ((places[k] + places[(k + 1) % 3]) / 2).tolist(),
                "shape": [{"kind": "cuboid", "size": [size / 3] * 3, "mass": size**3}],
            }
            for k in range(3)
        ]
        joints = [
            {"name": f"j{k}", "kind": "weld", "first": f"b{k}", "second": f"b{(k + 2) % 3}", "anchor": p.tolist()}
            for k, p in enumerate(places)
        ]
        joints[0] |= {"kind": "universal", "axis": [1, 0, 0], "second_axis": [lean, 1, 0]}
        return scene_of({"format": 1, "body": bodies, "joint": joints, "world": {"gravity": [0, 0, 0]}}, "")

    Simulation(ring(0.0)).advance_steps(3)
    with refuses("joint[2]", "assembled"):
        Simulation(ring(8e-6))
