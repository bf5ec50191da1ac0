"""Gears between sliders and hinges: a rack and pinion by its closed form, two fingers, energy."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import Meaning

from polhode import InputError, Simulation
from polhode.scene.scene_file import scene_of

G = 9.80665


def body(name: str, mass: float, **more: object) -> dict[str, object]:
    return {"name": name, "support": "free", "shape": [{"kind": "sphere", "radius": 0.1, "mass": mass}]} | more


def scene(joints: list[dict[str, object]], *bodies: dict[str, object]):
    return scene_of({"solver": {"time_step": 1e-3}, "body": list(bodies), "joint": joints}, "")


def test_a_falling_rack_turns_its_pinion() -> None:
    """a = m g/(m + I/r^2) with the moment 2/5 M R^2 of a sphere."""
    radius, rack, pinion = 0.05, 1.5, 2.0
    joints = [
        {"name": "axle", "kind": "hinge", "first": "pinion", "axis": [0, 1, 0]},
        {"name": "rail", "kind": "slider", "first": "rack", "axis": [0, 0, 1], "anchor_first": [0, 0, 0]},
        {"name": "teeth", "kind": "gear", "first": "axle", "second": "rail", "ratio": radius},
    ]
    simulation = Simulation(scene(joints, body("pinion", pinion), body("rack", rack, position=[1, 0, 0])))
    simulation.advance(0.5)
    bodies = simulation.snapshot().bodies
    wanted = -rack * G / (rack + 0.4 * pinion * 0.01 / radius**2) * 0.125
    assert bodies.position[1][2] == pytest.approx(wanted, abs=1e-9)
    turned = np.arctan2(-bodies.basis[0][0][2], bodies.basis[0][0][0])
    assert np.exp(1j * turned) == pytest.approx(np.exp(1j * wanted / radius), abs=1e-7)


def test_fingers_on_a_turning_hand_move_alike_and_keep_the_energy() -> None:
    joints = [
        {"name": "wrist", "kind": "hinge", "first": "hand", "axis": [0, 1, 0.2]},
        *(
            {"name": f"f{k}", "kind": "slider", "first": "hand", "second": f"finger{k}", "axis": [1, k, 0],
             "anchor_first": [0, 0, -0.3], "spring": {"stiffness": 50.0, "rest": 0.05 * k}}
            for k in (1, 2)
        ),
        {"name": "pair", "kind": "gear", "first": "f1", "second": "f2", "ratio": -0.5},
    ]  # fmt: skip
    fingers = [body(f"finger{k}", 0.3, position=[0.2 * k, 0.2 * k * k, -0.3]) for k in (1, 2)]
    run = Simulation(scene(joints, body("hand", 1.0, angular_velocity=[0, 3, 0.6]), *fingers)).run(1.0, 0.05)
    first, second = (np.asarray(run[f"f{k}.slide"]) for k in (1, 2))
    np.testing.assert_allclose(second - second[0], -0.5 * (first - first[0]), atol=1e-12)
    assert np.ptp(first) > 0.01
    assert np.ptp(np.asarray(run["energy.total"])) < 1e-7


def test_a_gear_of_another_joint_is_refused() -> None:
    joints = [{"name": "j", "kind": "ball", "first": "a"}, {"name": "k", "kind": "ball", "first": "b"},
              {"name": "g", "kind": "gear", "first": "j", "second": "k"}]  # fmt: skip
    with pytest.raises(InputError) as caught:
        Simulation(scene(joints, body("a", 1.0), body("b", 1.0, position=[1, 0, 0])))
    assert any(Meaning("joint[2].first", "slider").of(problem) for problem in caught.value.problems)
