"""The image of a simulation: it depends on the scene alone, holds no address of this process, and can be changed."""

from __future__ import annotations

import numpy as np
import pytest

from polhode import Scene, Simulation
from polhode.exporters.image.difference import difference
from polhode.exporters.image.image import ALIGNMENT, WORD, Image
from polhode.exporters.image.packing import UnknownCode, image_of, members_of
from polhode.exporters.image.qualification import problems_of
from polhode.jit.kernel_struct import Addresses, KernelStruct

BALL = {"name": "ball", "support": "free", "shape": [{"kind": "sphere", "radius": 0.1, "density": 1000.0}]}
BASE = 1 << 16


def scene(gravity: float = -9.81, balls: int = 1, **world: object) -> Scene:
    """Balls that fall, 1 m apart."""
    bodies = [BALL | {"name": f"ball{k}", "position": [float(k), 0.0, 0.0]} for k in range(balls)]
    return Scene.model_validate({"world": {"gravity": [0.0, 0.0, gravity], **world}, "body": bodies})


def image(**given: object) -> Image:
    return image_of(Simulation(scene(**given)))


@pytest.fixture(scope="module")
def falling() -> Image:
    return image()


def words(content: bytes, offsets: np.ndarray) -> np.ndarray:
    """(n,) words at these offsets."""
    return np.frombuffer(content, WORD)[offsets // WORD.itemsize]


def test_two_builds_of_a_scene_have_the_same_image(falling: Image) -> None:
    """Although their arrays lie elsewhere."""
    again = image()
    assert again.content == falling.content
    assert (again.places, again.units) == (falling.places, falling.units)
    assert np.array_equal(again.pointers, falling.pointers)


def test_pointers_follow_the_block(falling: Image) -> None:
    block = falling.at(BASE, unit=lambda name: 7)
    inner = words(falling.content, falling.pointers)
    assert np.all(inner < len(falling.content))
    assert np.array_equal(words(block, falling.pointers), inner + BASE)


def test_words_of_code_are_those_of_the_host(falling: Image) -> None:
    numbers = {name: 100 + k for k, name in enumerate(falling.units)}
    block = falling.at(BASE, numbers.__getitem__, lambda form: 50)
    for name, offsets in falling.units.items():
        assert set(words(block, np.array(offsets))) == {numbers[name]}
        assert not words(falling.content, np.array(offsets)).any()
    assert all(set(words(block, np.array(each))) == {50} for each in falling.formulas.values())


def test_state_in_the_image_is_that_of_the_simulation() -> None:
    simulation = Simulation(scene())
    simulation.advance(0.1)
    packed = image_of(simulation)
    begin = packed.places["state"]
    assert begin % ALIGNMENT == 0
    assert packed.content[begin : begin + 8 * packed.size_of_state] == simulation.state.tobytes()
    assert packed.clock.done == simulation.steps


def test_members_are_where_the_block_has_them() -> None:
    simulation = Simulation(scene(balls=2))
    packed, structs = image_of(simulation), simulation.structs
    place = packed.members["model.bodies.mass"]
    found = np.ndarray(place.shape, place.kind, packed.content, place.offset, place.strides)
    assert np.array_equal(found, structs.model.bodies.mass)
    ledger = packed.members["model.ledger"]
    assert ledger.shape == ()
    assert words(packed.content, np.array([ledger.offset])).tolist() == [structs.model.ledger]


def test_the_difference_of_two_images_turns_one_into_the_other(falling: Image) -> None:
    moon = image(gravity=-1.62)
    change = difference(falling, moon)
    assert change is not None
    assert 0 < len(change.offsets) < 20
    assert change.in_block(falling.content) == moon.content
    index = {name: k for k, name in enumerate(falling.units)}.__getitem__
    assert change.in_block(falling.at(BASE, index)) == moon.at(BASE, index)


def test_images_of_other_shapes_have_no_difference(falling: Image) -> None:
    assert difference(falling, image(balls=2)) is None


def test_a_scene_of_constant_parts_qualifies() -> None:
    assert problems_of(Simulation(scene())) == []


def test_an_address_without_its_annotation_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else it would be written into pages, and be called there."""
    monkeypatch.setattr(KernelStruct, "address_members", classmethod(lambda cls: frozenset()))
    with pytest.raises(UnknownCode):
        image()


def test_members_know_their_words() -> None:
    class Inner(KernelStruct):
        rows: np.ndarray
        code: Addresses

    class Outer(KernelStruct):
        inner: Inner
        last: float

    Inner.__annotations__["code"] = "Addresses"  # as modules with postponed annotations have it
    found = list(members_of(Outer(Inner(np.zeros((2, 3)), np.zeros(1, dtype=np.int64)), 1.5), "outer"))
    assert [(each.path, each.word, each.is_address) for each in found] == [
        ("outer.inner.rows", 0, False),
        ("outer.inner.code", 5, True),
        ("outer.last", 8, False),
    ]
