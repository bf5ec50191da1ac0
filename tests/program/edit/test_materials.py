"""A material that is chosen sets density, colour and friction, as far as nobody has chosen another friction."""

from __future__ import annotations

import pytest

from polhode.physics.bodies.materials import MATERIALS
from polhode.physics.contact.walls.wall_materials import WALL_MATERIALS, similar_material, wall_material_of
from polhode.scene.fields import with_value
from polhode.scene.scene import Scene
from polhode_app.edit.contacts import FRICTION
from polhode_app.edit.fields import made_of
from scenes import scene

BALL = {"kind": "sphere", "radius": 0.1, "density": 1000.0}
SHAPE, CONTACT = ("body", 0, "shape", 0), ("body", 0, "contact")


def ball(*shapes: dict[str, object], **contact: object) -> Scene:
    law = {"stiffness": 1e4, **contact}
    body = {"name": "ball", "support": "free", "shape": list(shapes or (BALL,)), "contact": law}
    return scene(body=[body], wall=[{"name": "floor", "stiffness": 1e4}])


def friction(described: Scene) -> float:
    return described.body[0].contact.kinetic_friction


def test_a_material_sets_the_friction_of_a_contact_that_has_none_of_its_own() -> None:
    steel = made_of(ball(), SHAPE, "steel")
    assert steel.body[0].shape[0].density == MATERIALS["steel"].density
    assert friction(steel) == MATERIALS["steel"].friction
    assert friction(made_of(steel, SHAPE, "ice")) == MATERIALS["ice"].friction
    assert friction(made_of(ball(kinetic_friction=FRICTION), SHAPE, "rubber")) == MATERIALS["rubber"].friction


@pytest.mark.parametrize(
    "chosen", [{"kinetic_friction": 0.0}, {"kinetic_friction": 0.17}, {"static_friction": 0.4}, {"rough": True}]
)
def test_a_chosen_friction_stays(chosen: dict[str, object]) -> None:
    before = ball(**chosen)
    after = made_of(before, SHAPE, "steel")
    assert after.body[0].contact == before.body[0].contact
    assert after.body[0].shape[0].density == MATERIALS["steel"].density


def test_a_friction_typed_after_a_material_stays() -> None:
    typed = with_value(made_of(ball(), SHAPE, "steel"), (*CONTACT, "kinetic_friction"), 0.2)
    assert friction(made_of(typed, SHAPE, "ice")) == 0.2


def test_only_a_body_of_one_material_has_its_friction() -> None:
    two = ball(BALL, {**BALL, "position": (0, 0, 0.3)})
    half = made_of(two, SHAPE, "steel")
    assert friction(half) == 0.0
    assert friction(made_of(half, ("body", 0, "shape", 1), "steel")) == MATERIALS["steel"].friction


@pytest.mark.parametrize("key", WALL_MATERIALS)
def test_a_wall_slides_and_looks_as_its_material(key: str) -> None:
    rough = with_value(with_value(ball(), ("wall", 0, "rough"), True), ("wall", 0, "friction"), 2.0)
    assert wall_material_of(rough.wall[0]) is None
    wall = made_of(rough, ("wall", 0), key).wall[0]
    assert (wall.kinetic_friction, wall.static_friction, wall.rough) == (WALL_MATERIALS[key].friction, None, False)
    assert wall_material_of(wall) == key
    assert similar_material(wall) == ("ice" if key == "frictionless" else key)


def test_another_friction_is_no_material() -> None:
    walls = ({"kinetic_friction": 0.25}, {"friction": 2.0}, {"kinetic_friction": 0.3, "static_friction": 0.5})
    for fields in walls:
        described = scene(wall=[{"name": "floor", "stiffness": 1e4, **fields}])
        assert wall_material_of(described.wall[0]) is None
