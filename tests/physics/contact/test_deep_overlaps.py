"""Shapes that overlap deeply at the start are named, with a shift after which they just touch; so are those that get
deep in a run.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import trimesh
from meaning import Meaning
from sampling import sampled

from polhode.analysis.deep_overlaps import MM, deep_overlaps
from polhode.scene.problem import Problem
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from scenes import scene

RING = {"kind": "torus", "radius": 0.02, "tube_radius": 0.005, "density": 1000.0}
BOX = {"kind": "cuboid", "size": (0.02, 0.02, 0.02), "density": 1000.0}


def two(shape: dict[str, object], place: tuple[float, float, float], support: str = "free") -> Scene:
    """A ring that is held, and another shape at a place."""
    contact = {"shape": "mesh", "detail": 32}
    return scene(
        {"name": "ring", "support": "fixed", "shape": [RING], "contact": contact},
        {"name": "other", "support": support, "position": list(place), "shape": [shape], "contact": contact},
    )


def warnings(described: Scene) -> tuple[Problem, ...]:
    return deep_overlaps(Simulation(described).compiled)


@pytest.mark.parametrize(("shape", "place", "depth"), [(RING, (0, 0, 0.006), 4.0), (BOX, (0.02, 0, 0.012), 3.0)])
def test_the_depth_is_named_and_the_shift_separates(
    shape: dict[str, object], place: tuple[float, float, float], depth: float
) -> None:
    """Rings above each other overlap by 2 * 5 - 6 mm, a box on the ring by 5 + 10 - 12 mm; both part upwards.

    Sample points lie a cell apart, 1.6 mm: the deepest one misses the largest depth by up to a cell squared over
    8 times the tube's radius, 0.06 mm, and cells of the box's face by more where points are two cells apart.
    """
    described = two(shape, place)
    (found,) = warnings(described)
    assert found.place == "body[1].position"
    assert Meaning(found.place, "overlap", "start", a="ring", b="other").of(found)
    assert found.rule.values["depth"] == pytest.approx(depth, abs=0.3)
    shift = np.array([found.remedy.values[axis] for axis in "xyz"]) / MM
    assert shift[2] == pytest.approx(depth / MM, abs=0.3e-3)
    assert np.abs(shift[:2]).max() < 0.5e-3
    assert dict(found.values)["body[1].position"] == pytest.approx(np.array(place) + shift)
    moved = described.with_values(dict(found.values))
    assert warnings(moved) == ()
    assert Simulation(moved).snapshot().energy.elastic == 0.0
    nearly = described.with_values({"body[1].position": tuple(np.array(place) + 0.8 * shift)})
    assert Simulation(nearly).snapshot().energy.elastic > 0.0


@pytest.mark.parametrize(("radius", "height", "depth"), [(0.006, 0.003, 8.0), (0.1, 0.07, 34.0)])
def test_a_sphere_deep_in_a_mesh_is_named_and_the_shift_separates(radius: float, height: float, depth: float) -> None:
    """A small one by the distance of its centre from the tube of the ring; a large one by the points of the ring, that
    are within its radius less those of the tube and of the rounding: 100 - 70 + 5 mm, all but for the curvature.
    """
    ball = {"kind": "sphere", "radius": radius, "density": 1000.0}
    described = two(ball, (0.02 if radius < 0.01 else 0.0, 0, height))
    (found,) = warnings(described)
    assert found.place == "body[1].position"
    expected = depth if radius < 0.01 else 1000 * (radius + 0.005 - np.hypot(0.02, height))
    assert found.rule.values["depth"] == pytest.approx(expected, abs=0.3)
    moved = described.with_values(dict(found.values))
    assert warnings(moved) == ()
    assert Simulation(moved).snapshot().energy.elastic == 0.0
    resting = described.with_values({"body[1].position": (0.02, 0.0, radius + 0.004)})
    assert warnings(resting) == ()


def test_what_is_held_is_not_moved_and_what_merely_touches_is_not_named() -> None:
    """Roundings are 0.2 mm each: an overlap of 0.2 mm is a contact."""
    (found,) = warnings(two(RING, (0, 0, 0.006), "fixed"))
    assert "x" not in found.remedy.values
    assert warnings(two(RING, (0, 0, 0.0098))) == ()


def test_a_run_says_it() -> None:
    assert any(each.place == "body[1].position" for each in Simulation(two(RING, (0, 0, 0.006))).warnings)


WALL = 0.002  # [m]
HEAVY = {
    "block": {"kind": "torus", "radius": 0.01, "tube_radius": 0.004, "mass": 2.0},
    "box": {"kind": "cuboid", "size": (0.01, 0.01, 0.01), "mass": 2.0},
    "ball": {"kind": "sphere", "radius": 0.006, "mass": 2.0},
    "large ball": {"kind": "sphere", "radius": 0.05, "mass": 2.0},
}


def pressing(shape: dict[str, object], stiffness: float, folder: Path) -> Simulation:
    """A heavy thing 1 mm above a lying tube with a thin wall, which is held."""
    trimesh.creation.annulus(r_min=0.02 - WALL, r_max=0.02, height=0.04).export(folder / "shell.stl")
    mesh = {"kind": "mesh", "file": str(folder / "shell.stl"), "unit": "m", "density": 1000.0}
    contact = {"shape": "mesh", "stiffness": stiffness, "restitution": 0.1}
    lowest = {"torus": 0.004, "cuboid": 0.005}.get(str(shape["kind"]), shape.get("radius", 0.0))
    place = [0.0, 0.0, 0.021 + float(str(lowest))]
    return Simulation(
        scene(
            {
                "name": "shell",
                "support": "fixed",
                "shape": [mesh],
                "contact": contact,
                "orientation": {"basis": [[0, 1, 0], [0, 0, 1], [1, 0, 0]]},
            },
            {"name": "heavy", "support": "free", "position": place, "shape": [shape], "contact": contact},
            solver={"method": "rk4", "time_step": 2e-4},
        )
    )


@pytest.mark.parametrize("kind", sampled(HEAVY, 4, 1))
def test_what_is_pressed_through_a_thin_shell_is_named_once_in_a_run(kind: str, tmp_path: Path) -> None:
    """It falls by 1 mm in 14 ms, and is then stopped within the wall, or not: 20 N press a stiff contact in by less
    than 0.1 mm, and a soft one by more than the wall.
    """
    stiff = pressing(HEAVY[kind], 3e6, tmp_path)
    stiff.advance(0.1)
    assert stiff.warnings == ()
    assert stiff.snapshot().energy.elastic > 0.0
    soft = pressing(HEAVY[kind], 3e2, tmp_path)
    for _ in range(10):
        soft.advance(0.01)
    (found,) = soft.warnings
    assert Meaning(found.place, "overlapped", "after", a="heavy", b="shell").of(found)
    assert found.rule.values["depth"] > 1000 * WALL / 2
    assert 0.0142 < found.rule.values["time"] < 0.1
