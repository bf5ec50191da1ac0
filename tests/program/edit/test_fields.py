"""Every field of a scene is found by its place, says what may stand there, and can be changed alone."""

from __future__ import annotations

from contextlib import suppress
from math import inf

import pytest
from every_field import Item, items
from meaning import Meaning

from polhode import read_scene
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.physics.joints.ends import ends_of
from polhode.scene import gallery
from polhode.scene.fields import at, form_at, forms, numbers, parse_path, with_value, with_values, written
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.part import ScenePart
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode_app.edit.fields import can_be_left_out, switched
from polhode_app.edit.scene_diff import SceneDiff

SCENES = [read_scene(gallery.path(name)) for name in gallery.scene_names()]
DEFAULT = read_scene(gallery.path(gallery.DEFAULT))
BALL = {"shape": [{"kind": "sphere", "radius": 0.1, "mass": 1.0}]}


def models() -> list[type[ScenePart]]:
    """Every model that can stand in a scene."""
    found: list[type[ScenePart]] = [Scene]
    for model in found:
        found += [inner for form in forms(model).values() for inner in form.models if inner not in found]
    return found


@pytest.mark.parametrize("model", models(), ids=lambda model: model.__name__)
def test_every_field_says_what_may_stand_there_and_what_it_is(model: type[ScenePart]) -> None:
    for key, form in forms(model).items():
        assert form.help or key == "kind", f"{model.__name__}.{key} has no docstring"
        assert form.kind != "constant" or key in ("kind", "format", "seed", "compare")
        assert form.low < form.high
        assert (form.kind == "part" or form.kind == "parts") == bool(set(form.models) - {MeasuredInput})


@pytest.mark.parametrize("text", ["world.gravity[2]", "body[1].shape[0].orientation.axis[0]", "title"])
def test_a_place_is_written_as_it_is_read(text: str) -> None:
    assert written(parse_path(text)) == text


def test_what_is_no_place_is_refused() -> None:
    with pytest.raises(ValueError, match=r"body\[1\]"):
        parse_path("world gravity")
    with pytest.raises(LookupError):
        at(DEFAULT, ("body", 99))
    with pytest.raises(LookupError):
        form_at(DEFAULT, ("world", "gravitation"))


@pytest.mark.parametrize("scene", SCENES, ids=gallery.scene_names())
def test_every_number_of_every_scene_is_found_and_can_be_written(scene: Scene) -> None:
    found = list(numbers(scene))
    assert len({place for place, _ in found}) == len(found)
    for place, form in found:
        number = at(scene, place)
        assert form.low <= number <= form.high, written(place)
        assert form_at(scene, place).unit == form.unit
        assert parse_path(written(place)) == place
    place, _ = found[len(found) // 2]
    assert with_value(scene, place, at(scene, place)) == scene


def test_bounds_units_and_choices_are_those_of_the_models() -> None:
    assert (form_at(DEFAULT, ("solver", "time_step")).low, form_at(DEFAULT, ("solver", "time_step")).beyond) == (
        0,
        True,
    )
    assert form_at(DEFAULT, ("world", "gravity", 2)).unit == "m/s^2"
    assert form_at(DEFAULT, ("world", "gravity", 2)).high == inf
    assert "rk4" in form_at(DEFAULT, ("solver", "method")).choices
    assert form_at(DEFAULT, ("solver", "dipole_tolerance")).high == 0.1


def test_a_change_leaves_all_beside_it_the_very_same() -> None:
    made = with_value(DEFAULT, ("body", 0, "shape", 0, "position", 2), -0.5)
    assert made.body[0].shape[0].position[2] == -0.5
    assert made.body[1] is DEFAULT.body[1]
    assert made.body[0].dipole is DEFAULT.body[0].dipole
    assert SceneDiff(DEFAULT, made).is_only("body")
    assert made.folder == DEFAULT.folder
    assert DEFAULT.body[0].shape[0].position[2] != -0.5


@pytest.mark.parametrize(
    ("place", "value", "said"),
    [
        ("body[0].friction", -1.0, Meaning("body[0].friction", "least", limit=0, value=-1.0)),
        ("world.wind.drag", -3.0, Meaning("world.wind.drag", "least", limit=0)),
        ("world.gravity[1]", "much", Meaning("world.gravity[1]", "known", shown="much", column=1)),
        ("solver.method", "rk5", Meaning("solver.method", near="rk4")),
        (
            "body[0].orientation",
            {"axis": [0, 0, 0], "angle": 1.0},
            Meaning("body[0].orientation.axis", "direction", "zero"),
        ),
        ("body[1].name", "a b", Meaning("body[1].name", "spaces", value="'a b'")),
        ("body[1].name", DEFAULT.body[0].name, Meaning("", "parts", name="knot")),
        ("body[0].shape", (), Meaning("body[0].shape", "least", needed=1)),
        ("body[0].support", "axle", Meaning("body[0]", "held", "axle")),
        ("view.hide", ("nobody",), Meaning("", "part", name="nobody")),
    ],
)
def test_a_wrong_value_is_told_as_a_file_would_be(place: str, value: object, said: Meaning) -> None:
    with pytest.raises(InputError) as refused:
        with_value(DEFAULT, parse_path(place), value)
    assert said.of(refused.value)


def test_fields_that_belong_together_change_together() -> None:
    made = with_values(DEFAULT, ("body", 0), {"support": "axle", "axis": (0.0, 0.0, 1.0)})
    assert made.body[0].axis == (0, 0, 1)
    with pytest.raises(InputError, match=r"body\[0\].axis"):
        with_values(DEFAULT, ("body", 0), {"support": "axle", "axis": (0.0, 0.0, "x")})


@pytest.mark.parametrize(
    ("name", "side"), [("bead_on_circle", "inside"), ("bead_on_parabola", "below"), ("isochronous_cycloids", "inside")]
)
def test_a_track_that_becomes_one_sided_is_on_a_side_that_its_path_has(name: str, side: str) -> None:
    scene = switched(read_scene(gallery.path(name)), ("bead", 0, "one_sided"), True, 1.0)
    assert scene.bead[0].one_sided == side
    build(scene, Meshes())
    assert switched(scene, ("bead", 0, "one_sided"), False, 1.0).bead[0].one_sided is None


@pytest.mark.parametrize("item", list(items()), ids=str)
def test_every_optional_field_is_switched_on_and_off(item: Item) -> None:
    """Its default is a value that the model takes."""
    optional = [key for key in item.all_keys if forms(type(item.part))[key].optional]
    for key in [key for key in optional if can_be_left_out(item.part, key)]:
        place = (*item.path, key)
        stated = item.scene
        if at(stated, place) is None:
            stated = switched(stated, place, True, 0.2)
            assert at(stated, place) is not None
        with suppress(InputError):  # of a field that is needed, such as the last limit
            assert at(switched(stated, place, False, 0.2), place) is None


def test_what_excludes_another_field_takes_its_place() -> None:
    scene = next(item.scene for item in items() if str(item) == "joint.motor")
    place = next(item.path for item in items() if str(item) == "joint.motor")
    fast = switched(scene, (*place, "speed"), True, 0.2)
    assert (at(fast, place).torque, at(fast, place).speed) == (None, "0")
    strong = switched(fast, (*place, "torque"), True, 0.2)
    assert (at(strong, place).torque, at(strong, place).speed) == ("0", None)


def test_a_joint_stays_where_it_is_when_its_anchors_are_stated_in_another_way() -> None:
    table = {
        "body": [
            {"name": "a", "support": "free", "position": [1, 2, 3], "basis": [[0, 1, 0], [0, 0, 1], [1, 0, 0]], **BALL},
            {"name": "b", "support": "free", "position": [0, 2, 3], **BALL},
        ],
        "joint": [{"name": "j", "kind": "ball", "first": "a", "second": "b", "anchor_first": [0.1, 0.2, 0.3]}],
    }
    scene = scene_of(table, "test")
    rows = {"a": 0, "b": 1}
    before = ends_of(scene, scene.joint[0], rows).positions
    for key in ("anchor", "anchor_second", "anchor_first", "anchor"):
        scene = switched(scene, ("joint", 0, key), True, 0.2)
        assert ends_of(scene, scene.joint[0], rows).positions == pytest.approx(before, abs=1e-8)


@pytest.mark.parametrize(("angle", "kind"), [(2.5, "hinge"), (-4.0, "hinge"), (0.0, "slider")])
def test_new_limits_of_a_joint_are_on_both_sides_of_where_it_is(angle: float, kind: str) -> None:
    joint = {"name": "j", "kind": kind, "first": "a", "axis": [0, 0, 1]} | ({"angle": angle} if angle else {})
    scene = scene_of({"body": [{"name": "a", "support": "free", **BALL}], "joint": [joint]}, "test")
    limits = switched(scene, ("joint", 0, "limits"), True, 0.2).joint[0].limits
    assert limits.lower < angle < limits.upper
