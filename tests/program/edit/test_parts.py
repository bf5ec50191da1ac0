"""Parts are added, removed, renamed, copied: every scene that comes of it is whole, and runs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import refuses

from polhode import read_scene
from polhode.physics.paths.description import PathBase
from polhode.scene import gallery
from polhode.scene.fields import at, forms, kinds, with_value, with_values
from polhode.scene.measured_input import MeasuredInput
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene as read
from polhode.scene.scene_file import scene_of
from polhode.scene.scene_writing import write_scene
from polhode.simulation.simulation import Simulation
from polhode_app.edit.add_menu import ADDITIONS, AddEntry, with_addition
from polhode_app.edit.clipboard import moved_apart, pasted, text_of, twins
from polhode_app.edit.joining import usual_of_joint
from polhode_app.edit.part_defaults import Placement, fresh, neat, of_another_kind, spot_in
from polhode_app.edit.parts import (
    depending,
    duplicated,
    found_again,
    free_name,
    hidden,
    names,
    parts_in,
    path_of,
    renamed,
    reordered,
    without,
)

MESH = Path(__file__).parents[3] / "meshes" / "hammer.stl"
BALL = {"name": "ball", "mass": 1.0, "position": [0, 0, 1]}
TIED = {
    "particle": [BALL, {**BALL, "name": "ball2", "position": [1, 0, 1]}],
    "soft": [
        {"name": "row", "kind": "chain", "count": 3, "spacing": 0.1, "particle_mass": 0.1, "stiffness": 10.0},
        {"name": "ro", "kind": "chain", "count": 3, "spacing": 0.1, "particle_mass": 0.1, "stiffness": 10.0},
    ],
    "body": [{"name": "bob", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 1.0, "position": [0, 0, -1]}]}],
    "spring": [
        {"from": "ball", "to": [0, 0, 2], "stiffness": 10.0},
        {"from": "row.2", "to": "ball2", "stiffness": 10.0},
        {"from": {"body": "bob", "point": [0, 0, -1]}, "to": "ro.0", "stiffness": 10.0},
    ],
    "ghost": [{"body": "bob", "tilt": [0.1, 0, 0]}],
    "view": {"hide": ["ball", "bob"]},
}
ALL = [addition for group in ADDITIONS.values() for addition in group]


def tied() -> Scene:
    return scene_of(TIED, "here")


@pytest.mark.parametrize("addition", ALL, ids=lambda addition: f"{addition.key} {addition.text}")
@pytest.mark.parametrize("start", ["empty", "tied", "again"])
def test_everything_that_can_be_added_runs_as_it_is(addition: AddEntry, start: str) -> None:
    scene = Scene() if start == "empty" else tied()
    chosen = ("body", 0) if start != "empty" or addition.inside else None
    if start == "empty" and (addition.inside or addition.key in ("spring", "force", "joint")):
        with pytest.raises(InputError):
            with_addition(scene, addition, Placement(0.1, (0.0, 0.0, 0.3)), None)
        return
    spot = spot_in(np.array([0.0, 0.0, 0.5]), 1.0, 0.0, scene)
    spot = Placement(spot.size, spot.position, spot.ground, str(MESH) if addition.file else "", 0.001)
    for _ in range(2 if start == "again" else 1):
        scene, place = with_addition(scene, addition, spot, chosen)
        assert place in list(parts_in(scene))
        spot = Placement(spot.size, (spot.position[0] + 1.0, *spot.position[1:]), spot.ground, spot.file, spot.scale)
    Simulation(scene).advance(0.05)


def test_a_spot_is_free_and_above_the_ground() -> None:
    scene = Scene()
    ball = ADDITIONS["Spheres"][0]
    for _ in range(6):
        spot = spot_in(np.zeros(3), 0.5, -0.1, scene)
        assert spot.position[2] > -0.1
        scene, _ = with_addition(scene, ball, spot, None)
    places = np.array([each.position for each in scene.sphere])
    moved_apart = np.linalg.norm(places[:, None] - places, axis=2) + 9 * np.eye(6)
    assert moved_apart.min() > 2 * scene.sphere[0].radius
    assert neat(0.37) == 0.2


def test_what_is_removed_takes_along_what_depends_on_it() -> None:
    scene = tied()
    assert depending(scene, ("particle", 0)) == [("spring", 0)]
    assert depending(scene, ("soft", 0)) == [("spring", 1)]  # and not those of `ro`
    assert depending(scene, ("body", 0)) == [("spring", 2), ("ghost", 0)]
    left = without(scene, ("body", 0))
    assert (len(left.body), len(left.spring), left.ghost, left.view.hide) == (0, 2, (), ("ball",))
    Simulation(left)
    with refuses("body[0].shape", "least", needed=1):
        without(scene, ("body", 0, "shape", 0))
    while parts := list(parts_in(scene)):
        scene = without(scene, parts[0][:2])
    assert names(scene) == set()


def test_references_follow_a_new_name() -> None:
    scene = renamed(renamed(renamed(tied(), ("soft", 0), "rope"), ("body", 0), "bell"), ("particle", 0), "pea")
    assert scene.spring[0].from_ == "pea"
    assert scene.spring[1].from_ == "rope.2"
    assert scene.spring[2].from_.body == "bell"
    assert scene.spring[2].to == "ro.0"
    assert scene.ghost[0].body == "bell"
    assert set(scene.view.hide) == {"pea", "bell"}
    Simulation(scene)
    for wrong in ("ball2", "a.b", ""):
        with pytest.raises(InputError):
            renamed(tied(), ("particle", 0), wrong)


def test_a_path_on_a_body_follows_its_name_and_goes_with_it() -> None:
    bead = {"path": {"kind": "circle", "radius": 1.0}, "path_motion": {"kind": "body", "body": "bob"}}
    other = {"name": "other", "path": bead["path"]}
    scene = scene_of({"body": TIED["body"], "bead": [{"name": "bead", **bead}, other]}, "here")
    assert renamed(scene, ("body", 0), "bell").bead[0].path_motion.body == "bell"
    assert renamed(scene, ("bead", 0), "bell").bead[0].path_motion.body == "bob"
    assert depending(scene, ("body", 0)) == [("bead", 0)]
    assert [bead.name for bead in without(scene, ("body", 0)).bead] == ["other"]
    chosen = of_another_kind(scene, ("bead", 1, "path_motion"), "body", 0.3)
    assert chosen.bead[1].path_motion.body == "bob"
    Simulation(chosen)


def test_a_name_that_is_taken_is_counted_on() -> None:
    assert free_name({"ball", "ball2"}, "ball") == "ball3"
    assert free_name({"bead7"}, "bead7") == "bead2"
    assert free_name(set(), "x") == "x"


@pytest.mark.parametrize("place", [("particle", 0), ("soft", 1), ("body", 0), ("spring", 0), ("ghost", 0)])
def test_a_copy_stands_behind_its_model_and_beside_it(place: tuple) -> None:
    scene, where = duplicated(tied(), place, np.array([0.5, 0, 0]))
    assert where == (place[0], place[1] + 1)
    assert len(getattr(scene, place[0])) == len(getattr(tied(), place[0])) + 1
    if place[0] in ("particle", "soft", "body"):
        assert np.subtract(at(scene, where).position, at(scene, place).position) == pytest.approx([0.5, 0, 0])
    Simulation(scene)


def test_a_copy_of_many_spheres_takes_none_of_their_names() -> None:
    rack = {"name": "b", "mass": 1.0, "radius": 0.1, "arrangement": {"kind": "triangle", "rows": 5}}
    scene, _ = duplicated(scene_of({"sphere": [rack]}, "here"), ("sphere", 0), np.array([3.0, 0, 0]))
    assert len({name for sphere in scene.sphere for name in sphere.names}) == 30


def test_parts_are_put_in_another_order_and_found_again() -> None:
    scene = tied()
    turned = reordered(scene, ("particle", 0), 1)
    assert [part.name for part in turned.particle] == ["ball2", "ball"]
    assert found_again(scene, ("particle", 0), turned) == ("particle", 1)
    assert found_again(scene, ("particle", 0), renamed(scene, ("particle", 0), "pea")) == ("particle", 0)
    assert found_again(scene, ("body", 0, "shape", 0), without(scene, ("body", 0))) is None


def test_what_the_hand_drives_follows_its_part_to_another_number() -> None:
    drives = [{"parameter": "spring[1].stiffness", "scale": 10.0}, {"parameter": "world.gravity[2]"}]
    scene = scene_of({**TIED, "sensor": {"drive": drives}}, "here")

    def driven(made: Scene) -> list[str]:
        return [drive.parameter for drive in made.sensor.drive]

    assert driven(reordered(scene, ("spring", 1), 2)) == ["spring[2].stiffness", "world.gravity[2]"]
    assert driven(duplicated(scene, ("spring", 0), np.zeros(3))[0]) == ["spring[2].stiffness", "world.gravity[2]"]
    assert driven(without(scene, ("particle", 0))) == ["spring[0].stiffness", "world.gravity[2]"]  # and its spring
    assert driven(without(scene, ("spring", 1))) == ["world.gravity[2]"]
    assert driven(without(scene, ("spring", 2))) == driven(scene)


def test_hiding_is_kept_in_the_scene() -> None:
    scene = hidden(hidden(tied(), "ball", on=False), "row", on=True)
    assert scene.view.hide == ("bob", "row")


def models_with_kinds() -> list[tuple[tuple, dict]]:
    """A place in a scene for each union, and the scene's tables."""
    bead = {"name": "bead", "path": {"kind": "circle", "radius": 1.0}}
    ball = {"name": "b", "mass": 1.0, "radius": 0.1, "arrangement": {"kind": "triangle", "rows": 2}}
    bowl = {"name": "c", "kind": "formula", "z": "x^2", "x_range": [-1, 1], "y_range": [-1, 1], "stiffness": 1e3}
    return [
        (("world", "magnetic_field"), {}),
        (("body", 0, "shape", 0), TIED),
        (("body", 0, "motion"), {"body": [{**TIED["body"][0], "support": "driven"}]}),
        (("soft", 0), TIED),
        (("wall", 0, "motion"), {"wall": [{"name": "w", "stiffness": 10.0}]}),
        (("bead", 0, "path"), {"bead": [bead]}),
        (("bead", 0, "path_motion"), {"bead": [bead]}),
        (("sphere", 0, "arrangement"), {"sphere": [ball]}),
        (("surface", 0), {"surface": [bowl]}),
    ]


@pytest.mark.parametrize(("place", "tables"), models_with_kinds(), ids=lambda each: str(each)[:40])
def test_every_kind_can_take_the_place_of_every_other(place: tuple, tables: dict) -> None:
    scene = scene_of(tables, "here")
    whole = forms(type(at(scene, place[:-2] if isinstance(place[-1], int) else place[:-1])))
    choices = kinds(whole[place[-2] if isinstance(place[-1], int) else place[-1]])
    assert len(choices) > 1
    for first in choices:
        for second in choices:
            made = of_another_kind(scene, place, first, 0.3, str(MESH))
            made = of_another_kind(made, place, second, 0.3, str(MESH))
            assert at(made, place).kind == second


def test_fields_in_common_stay_when_the_kind_changes() -> None:
    scene = with_value(tied(), ("body", 0, "shape", 0, "color"), "tomato")
    shape = of_another_kind(scene, ("body", 0, "shape", 0), "cylinder", 0.3).body[0].shape[0]
    assert (shape.radius, shape.mass, shape.position, shape.color) == (0.1, 1.0, (0, 0, -1), "tomato")
    magnet = {"remanence": (0.0, 0.0, 1.0), "field": "exact"}
    bar = {"kind": "cylinder", "radius": 0.1, "length": 0.3, "mass": 1.0, "magnet": magnet}
    scene, place = scene_of({"body": [{"name": "bar", "shape": [bar]}]}, "here"), ("body", 0, "shape", 0)
    shapes = [of_another_kind(scene, place, kind, 0.3).body[0].shape[0] for kind in ("cuboid", "cone")]
    assert [shape.magnet.field for shape in shapes] == ["exact", "dipoles"]  # a cone has no closed form
    soft = of_another_kind(tied(), ("soft", 0), "lattice", 0.3).soft[0]
    assert (soft.name, soft.particle_mass, soft.stiffness) == ("row", 0.1, 10.0)
    listed = with_value(tied(), ("soft", 0, "modal_damping"), (0.1, 0.2))
    listed = with_value(listed, ("soft", 0, "stiffness"), (10.0,) * (listed.soft[0].count - 1))
    soft = of_another_kind(listed, ("soft", 0), "lattice", 0.3).soft[0]
    assert soft.modal_damping == (0.1, 0.2)  # a list of springs has no place in a lattice
    assert of_another_kind(with_value(listed, ("soft", 0), soft), ("soft", 0), "chain", 0.3).soft[0].stiffness > 0


def test_parts_go_to_another_scene_as_text_and_what_refers_to_them_follows(tmp_path: Path) -> None:
    scene = tied()
    text = text_of(scene, [("particle", 0), ("spring", 0), ("body", 0), ("ghost", 0)])
    made, places = pasted(scene, text, None)
    assert [at(made, place).name for place in places if place[0] in ("body", "particle")] == ["bob2", "ball3"]
    assert made.spring[3].from_ == "ball3"
    alone, _ = pasted(Scene(), text, None)
    assert alone.body == scene.body
    assert alone.spring == scene.spring[:1]
    assert alone.ghost == scene.ghost
    Simulation(alone)
    write_scene(alone, tmp_path / "alone.toml")
    assert read(tmp_path / "alone.toml").model_dump() == alone.model_dump()


def test_a_mesh_is_found_where_it_is_pasted() -> None:
    scene = read_scene(gallery.path(gallery.DEFAULT))
    body = next(place for place in parts_in(scene) if any(shape.kind == "mesh" for shape in at(scene, place).shape))
    whole, _ = pasted(Scene().in_folder(Path("/")), text_of(scene, [body]), None)
    files = [Path("/", shape.file) for shape in whole.body[0].shape if shape.kind == "mesh"]
    assert files
    assert all(file.is_file() for file in files)
    mass = Simulation(whole).compiled.model.bodies.mass
    assert mass == pytest.approx(Simulation(scene).compiled.model.bodies.mass[body[1] : body[1] + 1])


def test_what_is_pasted_where_it_was_copied_stands_beside_it_each_time() -> None:
    """As a whole: a particle and its springs keep their shape; what stands apart already stays where it is."""
    scene, shift = tied(), np.array([0.2, 0.0, 0.0])
    text = text_of(scene, [("particle", 0), ("spring", 0), ("body", 0), ("ghost", 0)])
    for times in (1, 2):
        scene, places = pasted(scene, text, None)
        assert {("particle", 0), ("body", 0)} <= set(twins(scene, places))
        scene = moved_apart(scene, places, shift)
        assert twins(scene, places) == []
        for before, now in ((tied().body[0], scene.body[-1]), (tied().particle[0], scene.particle[-1])):
            assert now.position == pytest.approx(np.array(before.position) + times * shift)
    inside, places = pasted(scene, text_of(scene, [("body", 0, "shape", 0)]), ("body", 0))
    assert moved_apart(inside, places, shift).body[0].shape[1].position == pytest.approx((0.2, 0, -1))
    alone, places = pasted(Scene(), text_of(tied(), [("body", 0)]), None)
    assert moved_apart(alone, places, shift) == alone
    assert twins(*pasted(tied(), text_of(tied(), [("spring", 1)]), None)) == []
    assert moved_apart(scene, [("body", 1)], np.zeros(3)) == scene


def test_shapes_go_into_the_body_that_is_chosen_and_worlds_replace_the_old_one() -> None:
    scene = with_value(tied(), ("world", "gravity"), (0.0, 0.0, -1.0))
    text = text_of(scene, [("body", 0, "shape", 0), ("world",)])
    made, places = pasted(tied(), text, ("body", 0))
    assert places == [("body", 0, "shape", 1), ("world",)]
    assert made.world.gravity[2] == -1.0
    with refuses("", "shapes", "dipoles"):
        pasted(Scene(), text, None)


@pytest.mark.parametrize("text", ["", "hello", "a = 1", "[[body]]\nname = 'x'", "[[body]]\nnme = 3", "format = 1"])
def test_a_text_that_holds_no_whole_part_is_refused_with_a_reason(text: str) -> None:
    with pytest.raises(InputError) as refused:
        pasted(tied(), text, None)
    assert all(problem.rule and problem.remedy for problem in refused.value.problems)


def test_everything_that_must_be_stated_has_something_usual() -> None:
    found = [Scene]
    for model in found:
        found += [inner for form in forms(model).values() for inner in form.models if inner not in found]
    for model in found[1:]:
        if issubclass(model, PathBase | MeasuredInput):
            continue  # it takes the place of another one, and its size; data are dropped or typed as a whole
        try:
            ends = {"body": "x", "from": "x", "to": "x", "on": "x", "first": "x", "second": "y", "circuit": "x"}
            table = fresh(model, 0.2, {"name": "x", "shape": (), "path": None, **ends})
        except KeyError as missing:
            pytest.fail(f"{model.__name__} needs {missing}, which has nothing usual in part_kinds.py")
        assert all(value is not None or key == "path" for key, value in table.items())


def test_a_part_is_found_by_any_of_its_names() -> None:
    assert path_of(tied(), "row.2") == ("soft", 0)
    assert path_of(tied(), "ro.1") == ("soft", 1)
    assert path_of(tied(), "nobody") is None


def test_a_wall_that_is_to_follow_the_hand_stands_where_it_stood() -> None:
    wall = {"name": "floor", "stiffness": 100.0, "motion": {"kind": "sine", "amplitude": 0.1, "period": 1.0}}
    scene = Scene.model_validate({"wall": [wall], "sensor": {"centre": 0.25}})
    motion = of_another_kind(scene, ("wall", 0, "motion"), "sensor", 0.3).wall[0].motion
    assert motion.scale * scene.sensor.centre + motion.offset == 0.0


def jointed() -> Scene:
    """Two bodies on hinges, whose angles a gear ties."""
    shape = [{"kind": "sphere", "radius": 0.1, "mass": 1.0}]
    bodies = [{"name": f"b{k}", "support": "free", "position": [k, 0, 0], "shape": shape} for k in range(3)]
    hinges = [{"name": f"h{k}", "kind": "hinge", "first": f"b{k}", "second": "b2", "axis": [0, 1, 0]} for k in range(2)]
    gear = {"name": "g", "kind": "gear", "first": "h0", "second": "h1"}
    return scene_of({"body": bodies, "joint": [*hinges, gear], "view": {"hide": ["h1"]}}, "here")


def test_joints_follow_the_names_of_their_bodies_and_hinges() -> None:
    scene = renamed(renamed(jointed(), ("body", 2), "base"), ("joint", 1), "elbow")
    assert [joint.second for joint in scene.joint] == ["base", "base", "elbow"]
    assert [joint.first for joint in scene.joint] == ["b0", "b1", "h0"]
    assert scene.view.hide == ("elbow",)


def test_joints_and_gears_go_with_what_they_tie() -> None:
    scene = jointed()
    assert depending(scene, ("body", 0)) == [("joint", 0), ("joint", 2)]
    assert depending(scene, ("joint", 1)) == [("joint", 2)]
    assert [joint.name for joint in without(scene, ("body", 0)).joint] == ["h1"]
    assert without(scene, ("body", 2)).joint == ()


def wound() -> Scene:
    """The joints of `jointed` with a tendon over both hinges, and a string over a pulley on the second body."""
    scene = jointed()
    tendon = {"name": "t", "kind": "tendon", "joints": ["h0", "h1"], "coefficients": [1.0, -0.5]}
    string = {
        "from": "b0",
        "to": [0, 0, 2],
        "over": [[0, 0, 0.1], [0, 0, 1]],
        "over_bodies": ["b1", ""],
        "stiffness": 1,
    }
    return with_values(scene, (), {"joint": (*scene.joint, tendon), "spring": (string,)})


def test_tendons_and_strings_follow_the_names_of_what_they_run_over() -> None:
    scene = renamed(renamed(wound(), ("joint", 1), "elbow"), ("body", 1), "block")
    assert scene.joint[3].joints == ("h0", "elbow")
    assert scene.spring[0].over_bodies == ("block", "")
    assert scene.joint[1].first == "block"


def test_tendons_and_strings_go_with_what_they_run_over() -> None:
    assert depending(wound(), ("joint", 1)) == [("joint", 2), ("joint", 3)]
    assert set(depending(wound(), ("body", 1))) == {("spring", 0), ("joint", 1), ("joint", 2), ("joint", 3)}
    left = without(wound(), ("body", 1))
    assert (left.spring, [joint.name for joint in left.joint]) == ((), ["h0"])


def test_a_hinge_becomes_a_tendon_over_the_others() -> None:
    scene = of_another_kind(jointed(), ("joint", 2), "tendon", 0.1)
    assert (scene.joint[2].joints, scene.joint[2].coefficients) == (("h0", "h1"), (1.0, 1.0))
    limits = usual_of_joint(scene, scene.joint[2], "limits", 0.1)
    assert limits == {"lower": -0.1, "upper": 0.1}


def test_a_ghost_compares_the_friction_of_the_selected_body() -> None:
    scene = read_scene(gallery.path("hanging_hammer"))
    (addition,) = (entry for entry in ADDITIONS[""] if entry.key == "ghost" and "value" in entry.text)
    usual = scene.body[0].friction
    assert usual > 0
    made, place = with_addition(scene, addition, Placement(0.1, (0.0, 0.0, 0.3)), ("body", 0))
    assert place == ("ghost", 0)
    (value,) = made.ghost[0].values
    assert (value.parameter, value.value) == ("body[0].friction", pytest.approx(2 * usual))
    made, _ = with_addition(scene, addition, Placement(0.1, (0.0, 0.0, 0.3)), None)
    assert made.ghost[0].values[0].parameter == "world.gravity[2]"
