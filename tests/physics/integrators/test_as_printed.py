"""The bouncing ball as its document prints it, beside the listing itself and a transcription of its arithmetic."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from polhode import Simulation, read_scene
from polhode.scene import gallery
from polhode.scene.scene import Scene

DOCUMENTS = Path(__file__).parents[3].parent / "shared" / "seeds"
G, DAMPING, STIFFNESS, RADIUS, STEP = 9.8, 3.0, 2000.0, 1.0, 0.02


def program(steps: int, **changes: object) -> np.ndarray:
    """Heights (steps + 1,) [m] of the scene's ball by `rk4_as_printed` with the step of the document."""
    scene = read_scene(gallery.path("bouncing_ball")).model_dump(mode="json")
    scene |= {"solver": {"method": "rk4_as_printed", "time_step": STEP}, "ghost": [], "story": {}} | changes
    simulation, heights = Simulation(Scene.model_validate(scene)), [10.0]
    for _ in range(steps):
        simulation.advance(STEP)
        heights.append(float(simulation.snapshot().points.position[0, 2]))
    return np.array(heights)


def step_of(x: float, v: float, force) -> tuple[float, float]:
    """One step of the printed method for x'' = force(v, x); returns x [m] and v [m/s]."""
    rates = [(v, force(v, x))]
    for _ in range(2):
        dx, dv = rates[-1]
        rates.append((v + STEP * dv / 2, force(v + STEP * dv / 2, x + STEP * dx / 2)))
    dx, dv = rates[-1]
    rates.append((v + STEP * dv, force(v + STEP * dv / 2, x + STEP * dx)))
    weights = np.array([1, 2, 2, 1]) / 6
    return x + STEP * float(weights @ [r[0] for r in rates]), v + STEP * float(weights @ [r[1] for r in rates])


def transcribed(steps: int) -> np.ndarray:
    """Heights of the document's ball, the law decided once per step."""
    x, v, heights = 10.0, 0.0, [10.0]
    for _ in range(steps):
        if x < RADIUS:
            x, v = step_of(x, v, lambda v, x: -DAMPING * v - STIFFNESS * (x - RADIUS) - G)
        else:
            x, v = step_of(x, v, lambda v, x: -G)
        heights.append(x)
    return np.array(heights)


def tops(heights: np.ndarray) -> list[float]:
    """Largest heights between impacts."""
    rises = np.diff(heights) > 0
    return [float(heights[k + 1]) for k, (up, on) in enumerate(pairwise(rises)) if up and not on]


def test_the_ball_as_printed_is_that_of_the_document():
    """Equal to rounding, which the first four impacts (4 s) multiply by less than 1000."""
    assert program(200) == pytest.approx(transcribed(200), abs=1e-10)


def test_the_rebounds_are_those_of_the_document():
    assert tops(program(300))[:3] == pytest.approx([5.82, 2.91, 2.23], abs=5e-3)


def test_free_fall_is_exact():
    times = STEP * np.arange(151)
    assert program(150, wall=[]) == pytest.approx(10.0 - G / 2 * times**2, abs=1e-12)


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason="the documents are not at hand")
def test_the_listing_itself_gives_the_same_ball():
    """The functions and constants of the last listing of the document are run as they stand there."""
    (document,) = DOCUMENTS.glob("003_*.txt")
    listing = document.read_text("utf-8").rsplit("import matplotlib.pyplot", 1)[1]
    constants = re.findall(r"^\w+ = [\w.]+(?= |$)", listing, re.MULTILINE)
    functions = re.findall(
        r"^def (?:func|runge)\w+\(.*?(?=^\S(?!ef (?:func|runge)))", listing, re.MULTILINE | re.DOTALL
    )
    names: dict = {}
    exec("\n".join([*constants, *functions]), names)
    assert names["dt"] == STEP
    x, v, heights = names["x_0"], names["v_0"], [10.0]
    for _ in range(200):
        law = names["func_bound"] if x < names["l"] / 2 else names["func_normal"]
        v, x = names["runge_kutta_method"](x, v, law)
        heights.append(x)
    assert np.array(heights) == pytest.approx(transcribed(200), abs=1e-10)


def test_euler_without_orthonormal_bases_is_the_sum_of_its_rates():
    """A free cuboid: u_k += dt w x u_k with w = sum_k (L.u_k/I_k) u_k of the vectors as they have become."""
    size, mass, dt = np.array([0.1, 0.2, 0.3]), 0.6, 1e-3
    moments = mass / 12 * ((size**2).sum() - size**2)
    body = {
        "name": "box",
        "support": "free",
        "angular_velocity": [0.5, 6.0, 0.3],
        "shape": [{"kind": "cuboid", "size": size.tolist(), "mass": mass}],
    }
    solver = {"method": "euler_as_printed", "time_step": dt}
    scene = Scene.model_validate({"world": {"gravity": [0, 0, 0]}, "solver": solver, "body": [body]})
    simulation = Simulation(scene)
    bases, momentum = np.eye(3), moments * [0.5, 6.0, 0.3]
    for _ in range(1000):
        omega = (bases @ momentum / moments) @ bases
        bases = bases + dt * np.cross(omega, bases)
    simulation.advance(1.0)
    found = simulation.snapshot().bodies
    assert found.basis[0] == pytest.approx(bases, abs=1e-11)
    assert found.angular_momentum[0] == pytest.approx(momentum, abs=1e-16)
    assert np.linalg.norm(bases, axis=1).max() > 1.01
