"""Chains whose springs differ: the same motion as single particles and springs, and messages about wrong lists."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.physics.points.lattice import chain_runs, spring_constants
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of
from polhode.scene.scene_writing import scene_text
from polhode.simulation.simulation import Simulation
from scenes import scene

ROPE = {
    "kind": "chain",
    "name": "rope",
    "count": 12,
    "position": [0, 0, 1.0],
    "direction": [1, 0, 0],
    "particle_mass": 0.2,
    "fixed": [0],
}
STIFFNESS = [300.0, 300.0, 200.0, 200.0, 200.0, 450.0, 300.0, 300.0, 300.0, 120.0, 300.0]
DAMPING = [0.5, 0.5, 0.5, 0.1, 0.1, 0.1, 0.0, 0.0, 0.0, 0.0, 2.0]
SPACING = [0.1, 0.2, 0.2, 0.2, 0.1, 0.1, 0.1, 0.1, 0.3, 0.1, 0.1]
LISTS = {"stiffness": STIFFNESS, "damping": DAMPING, "spacing": SPACING}


def as_single_springs(rope):
    """The same chain of particles and `[[spring]]` tables, which another loop of the law evaluates."""
    edges = rope["count"] - 1
    of = {name: rope[name] if isinstance(rope[name], list) else [rope[name]] * edges for name in LISTS}
    places = np.concatenate([[0.0], np.cumsum(of["spacing"])])
    particles = [{"name": f"p{i}", "mass": 0.2, "position": [x, 0, 1.0], "fixed": i == 0} for i, x in enumerate(places)]
    springs = [
        {"from": f"p{i}", "to": f"p{i + 1}", "stiffness": k, "damping": d, "damper": rope.get("damper", "axial")}
        for i, (k, d) in enumerate(zip(of["stiffness"], of["damping"], strict=True))
    ]
    return {"particle": particles, "spring": springs}


@pytest.mark.parametrize("damper", ["axial", "full"])
@pytest.mark.parametrize(
    "lists",
    [LISTS, {**LISTS, "stiffness": 250.0}, {**LISTS, "spacing": 0.15}, {**LISTS, "damping": 0.2, "spacing": 0.1}],
)
def test_a_chain_of_different_springs_moves_as_single_particles_and_springs(lists, damper):
    """Sums in another order, and 500 steps: 1e-12 m is rounding."""
    rope = {**ROPE, **lists, "damper": damper}
    runs = [Simulation(scene(soft=[rope])), Simulation(scene(**as_single_springs(rope)))]
    for simulation in runs:
        simulation.advance(0.5)
    chain, singles = (simulation.snapshot() for simulation in runs)
    assert chain.points.position == pytest.approx(singles.points.position, abs=1e-12)
    assert chain.energy.elastic == pytest.approx(singles.energy.elastic, rel=1e-10)
    assert chain.ledger.damping == pytest.approx(singles.ledger.damping, rel=1e-10)
    assert chain.ledger.damping < -1e-4
    assert abs(chain.energy.total - chain.ledger.total - chain_start(rope)) < 1e-7


def chain_start(rope):
    return Simulation(scene(soft=[rope])).snapshot().energy.total


def test_a_list_of_equal_numbers_is_the_number():
    one = {**ROPE, "stiffness": 300.0, "damping": 0.5, "spacing": 0.125}
    lists = {**ROPE, "stiffness": [300.0] * 11, "damping": [0.5] * 11, "spacing": [0.125] * 11}
    runs = [Simulation(scene(soft=[soft])) for soft in (one, lists)]
    for simulation in runs:
        simulation.advance(0.3)
    assert (runs[0].state == runs[1].state).all()


def test_several_chains_and_a_lattice_keep_their_own_springs():
    """Blocks of different laws side by side, also across the ends of bodies: the same as each alone."""
    lattice = {
        "kind": "lattice",
        "name": "block",
        "counts": [3, 3, 2],
        "spacing": [0.1, 0.1, 0.1],
        "position": [0, 2.0, 0],
        "particle_mass": 0.1,
        "stiffness": 150.0,
        "angular_velocity": [1, 2, 3],
    }
    second = {**ROPE, **LISTS, "name": "second", "position": [0, 1, 0], "stiffness": STIFFNESS[::-1]}
    bodies = [{**ROPE, **LISTS}, lattice, second]
    together = Simulation(scene(soft=bodies))
    together.advance(0.2)
    alone = [Simulation(scene(soft=[body])) for body in bodies]
    for simulation in alone:
        simulation.advance(0.2)
    expected = np.concatenate([simulation.snapshot().points.position for simulation in alone])
    assert together.snapshot().points.position == pytest.approx(expected, abs=1e-13)


def test_equal_neighbouring_springs_are_one_row():
    chain = scene_of({"soft": [{**ROPE, **LISTS}]}, "").soft[0]
    rows = chain_runs(chain)
    assert rows[:, 2].sum() == 11
    assert rows.tolist()[:3] == [[0, 1, 1], [1, 2, 1], [2, 3, 1]]
    assert rows.tolist()[6:9] == [[6, 7, 2], [8, 9, 1], [9, 10, 1]]
    assert spring_constants(chain, rows).tolist()[-1] == [300.0, 2.0]
    assert chain_runs(scene_of({"soft": [{**ROPE, "stiffness": 1.0, "spacing": 1.0}]}, "").soft[0]).tolist() == [
        [0, 1, 11]
    ]


def test_lists_keep_their_numbers_in_a_file_of_other_units():
    described = scene_of(
        {"units": {"length": 0.01, "time": 0.1}, "soft": [{**ROPE, "position": [0, 0, 100], **LISTS}]}, ""
    )
    assert described.soft[0].spacing == pytest.approx([0.01 * each for each in SPACING])
    assert described.soft[0].stiffness == pytest.approx([100.0 * each for each in STIFFNESS])
    assert scene_of(tomllib.loads(scene_text(described)), "") == described


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"stiffness": [1.0, 2.0]}, Meaning("soft[0].stiffness", numbers=2, edges=11)),
        ({"damping": [1.0] * 12}, Meaning("soft[0].damping", numbers=12, edges=11)),
        ({"spacing": [0.1]}, Meaning("soft[0].spacing", numbers=1, edges=11)),
        ({"stiffness": []}, Meaning("soft[0].stiffness", "least", needed=1)),
        ({"modal_damping": []}, Meaning("soft[0].modal_damping", "least", needed=1)),
        ({"stiffness": [*STIFFNESS[1:], 0]}, Meaning("soft[0].stiffness[10]", "greater", limit=0, value=0)),
        ({"spacing": [*SPACING[1:], "a"]}, Meaning("soft[0].spacing[10]", "number", value="'a'")),
        ({"damping": [-1, *DAMPING[1:]]}, Meaning("soft[0].damping[0]", "least", limit=0, value=-1)),
        ({"modal_damping": [0.1, -1]}, Meaning("soft[0].modal_damping[1]", "least", limit=0, value=-1)),
        (
            {"stiffness": [*STIFFNESS[1:], 1e40]},
            Meaning("soft[0].stiffness", "most", value=1e40, unit="N/m", limit=1e30),
        ),
    ],
)
def test_wrong_lists_are_refused_with_their_place(change, said):
    with pytest.raises(InputError) as refusal:
        scene_of({"soft": [{**ROPE, **LISTS, **change}]}, "file")
    assert said.of(refusal.value)
    assert len(refusal.value.problems) == 1


@pytest.mark.parametrize("kind", [{"kind": "lattice", "counts": [2, 2, 2]}, {"kind": "mesh", "file": "duck.stl"}])
def test_only_chains_take_lists_of_springs(kind):
    soft = {"name": "jelly", "particle_mass": 1.0, "stiffness": [1.0, 2.0], **kind}
    soft["spacing"] = [0.1, 0.1, 0.1] if kind["kind"] == "lattice" else 0.1
    with refuses("soft[0].stiffness", "number", value="[1.0, 2.0]"):
        scene_of({"soft": [soft]}, "file")
