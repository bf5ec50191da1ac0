"""Potential landscapes against closed forms, and what is asked of them."""

from __future__ import annotations

from math import pi

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode.equilibria.coordinates import coordinates_of, states_at, values_in
from polhode.equilibria.equilibria import find_equilibria
from polhode.equilibria.landscape import Potential, potential_landscape
from polhode.equilibria.pose import pose_of_state
from polhode.scene.scene_file import scene_of
from polhode_app.data.plots.plot_table import landscape_table

G = 9.80665
BOB = {"kind": "sphere", "radius": 0.02, "mass": 0.5, "position": [0, 0, -0.8]}
PENDULUM = {
    "name": "bob",
    "support": "pivot",
    "position": [0.1, 0.2, 0.3],
    "orientation": {"axis": [1, 0.5, 2], "angle": 0.9},  # swung and spun
    "shape": [BOB],
}
NEEDLE = {
    "support": "axle",
    "axis": [0, 0, 1],
    "shape": [{"kind": "sphere", "radius": 0.004, "mass": 0.003}],
    "dipole": [{"moment": [0.2, 0, 0]}],
}


def scene(**tables: object):
    return scene_of({"format": 1, **tables}, "test")


def test_a_pendulum_has_the_potential_of_its_height_over_two_tilts() -> None:
    found = potential_landscape(scene(body=[PENDULUM]), ("bob.tilt.x", "bob.tilt.y"), (21, 31))
    x, y = np.meshgrid(*found.values, indexing="ij")
    assert found.energy.shape == (21, 31)
    assert (x[0, 0], x[-1, 0], y[0, 0]) == pytest.approx((-pi, pi, -pi))
    expected = 0.5 * G * (0.3 - 0.8 * np.cos(np.hypot(x, y)))
    assert found.energy == pytest.approx(expected, rel=1e-12)


def test_two_needles_have_the_potential_of_two_dipoles_over_their_angles() -> None:
    bodies = [NEEDLE | {"name": name, "position": [x, 0, 0]} for name, x in (("one", 0.0), ("two", 0.05))]
    found = potential_landscape(scene(body=bodies), ("one.angle", "two.angle"), 25)
    a, b = np.meshgrid(*found.values, indexing="ij")
    k = 1.25663706127e-6 * 0.2**2 / (4 * pi * 0.05**3)
    assert found.energy == pytest.approx(k * (np.cos(a - b) - 3 * np.cos(a) * np.cos(b)), abs=1e-12 * k)


def test_a_bead_has_the_potential_of_its_path() -> None:
    path = {"kind": "formula", "x": "q", "y": "0", "z": "q^4 - q^2/2", "range": [-1.0, 1.0]}
    bead = {"name": "bead", "mass": 0.2, "radius": 0.01, "path": path, "parameter": 0.3}
    found = potential_landscape(scene(bead=[bead]), ("bead.q",), 41, [(-0.8, 0.9)])
    (q,) = found.values
    assert q[[0, -1]].tolist() == [-0.8, 0.9]
    assert found.energy == pytest.approx(0.2 * G * (q**4 - q**2 / 2), rel=1e-12, abs=1e-14)


def test_a_free_body_on_a_spring_has_the_potential_of_the_spring_over_its_position() -> None:
    # the centre of mass is beside the origin, which the coordinates are of
    ball = {"name": "ball", "support": "free", "position": [0.3, 0.0, 0.1]}
    ball |= {"shape": [{"kind": "sphere", "radius": 0.02, "mass": 0.2, "position": [0.05, 0, 0.02]}]}
    spring = {"from": [0, 0, 0], "to": "ball", "rest_length": 0.2, "stiffness": 30.0}
    described = scene(body=[ball], spring=[spring], world={"gravity": [0, 0, -2.0]})
    found = potential_landscape(described, ("ball.position.x", "ball.position.z"), 15, [(0.1, 0.5), (-0.3, 0.3)])
    x, z = np.meshgrid(*found.values, indexing="ij")
    expected = 15.0 * (np.hypot(x, z) - 0.2) ** 2 + 0.2 * 2.0 * (z + 0.02)
    assert found.energy == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    "axes",
    [("bob.tilt.x", "bob.tilt.y"), ("bob.tilt.y", "bob.tilt.z"), ("bob.tilt.z",), ("turn.angle", "ball.position.y")],
)
def test_coordinates_of_a_state_are_those_that_it_was_made_with(axes: tuple[str, ...]) -> None:
    turning = NEEDLE | {"name": "turn", "axis": [1, 1, 0], "position": [0.5, 0, 0]}
    free = {"name": "ball", "support": "free", "shape": [BOB]}
    potential = Potential(scene(body=[PENDULUM, turning, free]), axes)
    values = np.random.default_rng(3).uniform(-1.5, 1.5, (20, len(axes)))
    states = states_at(potential.compiled, potential.axes, potential.compiled.start, values)
    read = [values_in(potential.axes, pose_of_state(potential.compiled, state)) for state in states]
    assert np.array(read) == pytest.approx(values, abs=1e-12)


def test_the_start_of_a_scene_lies_on_its_landscape() -> None:
    potential = Potential(scene(body=[PENDULUM]), ("bob.tilt.x", "bob.tilt.y"))
    pose = pose_of_state(potential.compiled, potential.compiled.start)
    again = states_at(potential.compiled, potential.axes, potential.compiled.start, np.array([potential.place(pose)]))
    assert again[0] == pytest.approx(potential.compiled.start, abs=1e-12)


def test_equilibria_are_where_the_landscape_is_flat_and_tell_when_they_are_beside_it() -> None:
    bodies = [NEEDLE | {"name": name, "position": [x, 0, 0]} for name, x in (("one", 0.0), ("two", 0.05))]
    described = scene(body=bodies)
    found = find_equilibria(described, 40)
    potential = Potential(described, ("one.angle", "two.angle"))
    for each in found.equilibria:
        pose = pose_of_state(found.compiled, each.state)
        place, step = np.array(potential.place(pose)), 1e-4
        around = potential.at(np.array([place, *(place + s * step * e for e in np.eye(2) for s in (1, -1))]))
        k = np.ptp(potential.at(np.random.default_rng(1).uniform(-3, 3, (50, 2))))
        assert np.abs(around[1::2] - around[2::2]).max() < 1e-8 * k  # no slope
        assert not potential.hides(pose, each.energy, 1e-9 * k)
    one = Potential(described, ("one.angle",))  # the other needle is held along x
    hidden = [one.hides(pose_of_state(found.compiled, each.state), each.energy, 1e-6 * k) for each in found.equilibria]
    assert 0 < sum(hidden) < len(hidden)


def test_names_of_coordinates_cover_all_that_moves() -> None:
    path = {"kind": "circle", "radius": 0.3}
    described = scene(
        body=[PENDULUM, NEEDLE | {"name": "needle"}, {"name": "ball", "support": "free", "shape": [BOB]}],
        bead=[{"name": "bead", "mass": 0.2, "radius": 0.01, "path": path, "parameter": 0.3}],
        particle=[{"name": "dust", "mass": 0.1, "radius": 0.01}],
    )
    names = [axis.name for axis in coordinates_of(Potential(described, ("bead.q",)).compiled)]
    three = [f"{name}.{letter}" for name in ("bob.tilt",) for letter in "xyz"]
    ball = [f"ball.{kind}.{letter}" for kind in ("tilt", "position") for letter in "xyz"]
    assert names == [*three, "needle.angle", *ball, "bead.q", *(f"dust.position.{letter}" for letter in "xyz")]


@pytest.mark.parametrize(
    ("axes", "options", "message"),
    [
        (("bob.tilt.w",), {}, Meaning("axes[0]", name="bob.tilt.w", near="bob.tilt.z")),
        (("bob.tilt.x", "bob.tilt.x"), {}, Meaning("axes", "different", count=1)),
        ((), {}, Meaning("axes", "different", count=0)),
        (("bob.tilt.x",), {"counts": 1}, Meaning("counts", "coordinate", most=4000000)),
        (("bob.tilt.x", "bob.tilt.y"), {"counts": 100_000}, Meaning("counts", "all", most=4000000)),
        (("bob.tilt.x",), {"ranges": [(1.0, 1.0)]}, Meaning("ranges", "rise", "finite")),
        (("bob.tilt.x",), {"ranges": [(0.0, float("nan"))]}, Meaning("ranges[0][1]", "finite")),
        (("bob.tilt.x",), {"ranges": []}, Meaning("counts", count=1, sizes=1, spans=0)),
    ],
)
def test_wrong_landscapes_are_refused(axes: tuple[str, ...], options: dict, message: Meaning) -> None:
    with refuses(message):
        potential_landscape(scene(body=[PENDULUM]), axes, **options)


def test_a_table_of_a_landscape_has_a_row_for_each_point(tmp_path) -> None:
    found = potential_landscape(scene(body=[PENDULUM]), ("bob.tilt.x", "bob.tilt.y"), (3, 4))
    landscape_table(found).save(tmp_path / "landscape.csv")
    head, *rows = (tmp_path / "landscape.csv").read_text().splitlines()
    assert head == "bob.tilt.x [rad],bob.tilt.y [rad],energy [J]"
    numbers = np.array([[float(text) for text in row.split(",")] for row in rows])
    assert numbers[:, 2].tolist() == found.energy.ravel().tolist()
    assert numbers[5, :2].tolist() == [found.values[0][1], found.values[1][1]]
