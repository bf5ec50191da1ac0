"""Contact stiffnesses that a scene leaves out, as unknowns of fits."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.analysis.columns import columns
from polhode.data.measured import MeasuredData, measured
from polhode.engine.compile import build
from polhode.fitting.fit import fit
from polhode.fitting.forward import computed
from polhode.fitting.unstated import unstated, with_stated
from polhode.mesh.mesh import Meshes
from polhode.physics.contact.stiffness import contact_stiffness
from polhode.physics.points.description import Particle
from polhode.scene.fields import with_value
from polhode.scene.scene import Scene

RADIUS, MASS = 0.05, 0.2
COMPUTED = contact_stiffness(MASS, 2 * RADIUS)


def ball(name: str, x: float = 0.0, mass: float = MASS, **more: Any) -> dict[str, Any]:
    """A ball that falls onto the floor."""
    shape = {"kind": "sphere", "radius": RADIUS, "mass": mass}
    return {"name": name, "support": "free", "position": [x, 0.0, 0.08], "shape": [shape]} | more


def on_floor(*bodies: dict[str, Any], **more: Any) -> Scene:
    """Balls above a wall that states no stiffness by itself."""
    wall = {"name": "floor", "damping": 1.0} | more
    solver = {"method": "rk4", "time_step": 5e-4}
    return Scene.model_validate({"solver": solver, "body": bodies, "wall": [wall]})


def fall(scene: Scene, quantity: str) -> MeasuredData:
    """Made data: a quantity of the scene's run."""
    compiled, times = build(scene, Meshes()), np.arange(60) * 0.004
    return measured(
        "made", times, {"z": computed(compiled, times, np.array([list(columns(compiled)).index(quantity)]))[:, 0]}
    )


@pytest.mark.parametrize("factor", [1.0, 1.2])
def test_the_stiffness_of_a_wall_that_states_none_is_found(factor):
    """It begins at the default of the wall, m g/(0.002 s), which is the answer for data of that wall."""
    scene = on_floor(ball("ball"))
    data = fall(on_floor(ball("ball"), stiffness=factor * COMPUTED) if factor != 1.0 else scene, "ball.position.z")
    found = fit(scene, data, {"z": "ball.position.z"}, ["wall[0].stiffness"])
    assert found.estimates[0].unknown.start == pytest.approx(COMPUTED, rel=1e-12)
    assert found.estimates[0].value == pytest.approx(factor * COMPUTED, rel=1e-4)
    assert found.scene.wall[0].stiffness == found.estimates[0].value
    assert scene.wall[0].stiffness is None


def test_the_scene_with_the_computed_stiffness_runs_as_the_one_without():
    scene = on_floor(ball("ball"))
    stated = with_stated(scene, ["wall[0].stiffness"], Meshes())
    alone, other = (fall(each, "ball.position.z").column("z").values for each in (scene, stated))
    assert np.ptp(alone) > 0.02
    assert other == pytest.approx(alone, abs=1e-12)


def test_every_contact_stiffness_that_is_left_out_is_offered():
    particle = {"name": "p", "mass": 0.1, "radius": 0.01, "position": [1, 0, 1], "contact": {}}
    balls = ball("ball", contact={}), ball("stated", 0.5, contact={"stiffness": 100.0})
    scene = with_value(on_floor(*balls), ("particle",), (Particle.model_validate(particle),))
    names = ["wall[0].stiffness", "body[0].contact.stiffness", "particle[0].contact.stiffness"]
    assert [name for name, _ in unstated(scene)] == names
    assert {form.unit for _, form in unstated(scene)} == {"N/m"}
    stated = with_stated(scene, names[1:], Meshes())
    assert stated.body[0].contact.stiffness == pytest.approx(COMPUTED, rel=1e-12)
    assert stated.particle[0].contact.stiffness == pytest.approx(contact_stiffness(0.1, 0.02), rel=1e-12)
    assert [name for name, _ in unstated(stated)] == names[:1]


@pytest.mark.parametrize(
    ("bodies", "rule", "remedy"),
    [
        (
            [ball("light"), ball("heavy", 0.5, 4 * MASS)],
            Meaning("free", "stiffnesses", name="wall[0].stiffness", low=9806.65),
            "wall\\[0\\].stiffness = ",
        ),
        (
            [ball("post", support="fixed")],
            Meaning("free", "presses", name="wall[0].stiffness"),
            "state",
        ),
    ],
)
def test_a_stiffness_that_is_not_one_number_is_refused_with_the_remedy(bodies, rule, remedy):
    with refuses(rule) as error:
        fit(on_floor(*bodies), fall(on_floor(ball("light")), "light.position.z"), {}, ["wall[0].stiffness"])
    (problem,) = error.value.problems
    assert problem.place == "free"
    assert re.search(remedy, str(problem.remedy))
