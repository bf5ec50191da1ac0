"""The length of a pendulum is one number, although its rod and its bob are two shapes."""

from __future__ import annotations

import pytest
from meaning import refuses

from polhode.scene import gallery
from polhode.scene.scene import Body
from polhode.scene.scene_file import read_scene
from polhode_app.edit.fields import length_of, with_length

ROD = {"kind": "rod", "length": 0.5, "mass": 0.1, "position": (0, 0, -0.25)}
BOB = {"kind": "sphere", "radius": 0.05, "mass": 1.0, "position": (0, 0, -0.5)}


def body(*shapes: dict[str, object], support: str = "pivot", **others: object) -> Body:
    return Body.model_validate({"name": "bob", "support": support, "shape": shapes, **others})


def test_the_rod_is_stretched_and_the_bob_keeps_its_size() -> None:
    longer = with_length(body(ROD, BOB, dipole=[{"moment": (0, 0, 1), "position": (0, 0, -0.5)}]), 0.8)
    rod, bob = longer.shape
    assert (rod.length, rod.position) == (0.8, (0, 0, -0.4))
    assert (bob.radius, bob.position) == (0.05, (0, 0, -0.8))
    assert longer.dipole[0].position == (0, 0, -0.8)
    assert length_of(longer) == 0.8


def test_a_clamp_at_the_pivot_stays_there() -> None:
    clamp = {"kind": "sphere", "radius": 0.02, "mass": 0.1}
    assert with_length(body(clamp, ROD, BOB), 1.0).shape[0].position == (0, 0, 0)


@pytest.mark.parametrize(
    "other",
    [
        body(ROD, BOB, support="free"),
        body({**BOB, "position": (0, 0, 0)}),
        body(ROD, {**BOB, "position": (0.1, 0, -0.5)}),
        body(BOB, {**BOB, "position": (0, 0, 0.5)}),  # a dumbbell
    ],
    ids=["free", "at the pivot", "bent", "both sides"],
)
def test_what_is_no_pendulum_has_no_length(other: Body) -> None:
    assert length_of(other) is None
    with refuses("", "pendulum", raised=ValueError):
        with_length(other, 1.0)


def test_the_pendulums_of_the_gallery_have_one() -> None:
    for name in ("newtons_cradle", "pumped_swings", "pendulum_wave", "foucault_pendulum"):
        scene = read_scene(gallery.path(name))
        assert any(length_of(each) for each in scene.body), name
