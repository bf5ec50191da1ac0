"""Scene files: what is read is what stands there, what is written is read again, and every fault is named."""

from __future__ import annotations

import contextlib
import math
import tomllib
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meaning import Meaning, refuses

from polhode import InputError, read_scene, scene_schema, write_scene
from polhode.physics.bodies.shapes import Cuboid, MeshShape, Orientation, Point, Sphere, Torus
from polhode.scene.problem import Problem
from polhode.scene.quantity import Quantity
from polhode.scene.scene import Body, Dipole, Scene, Solver, UniformField, Units, World
from polhode.scene.scene_file import scene_of

COMMENTED = """\
# a pendulum
format = 1
title = "x" # the title

[units]
length = 0.01
mass = 0.001

[solver]
time_step = 1.0e-3 # fine

# the first
[[body]]
name = "a"   # A
position = [1, 2.50, 3]
orientation = { axis = [0,0,1], angle = 0.30 }
  [[body.shape]]
  kind = "mesh"   # from disk
  file = "a.stl"
  density = 7.80
  [[body.dipole]]
  moment = [0,0, 1e3]

# the second
[[body]]
name = "b"
basis = [[1,0,0],[0,1,0],[0,0,1]]
friction = 0.0
shape = [{ kind = "sphere", radius = 1, mass = 1 }] # inline
"""

numbers = st.floats(-1e6, 1e6).map(lambda number: number if abs(number) > 1e-100 else 0.0)  # or digits get lost
positive = st.floats(1e-6, 1e6)
vectors = st.tuples(numbers, numbers, numbers)
axes = vectors.filter(lambda axis: any(axis))
orientations = st.just(Orientation()) | st.builds(Orientation, axis=axes, angle=numbers)
placed = {"position": vectors, "orientation": orientations}
colors = st.none() | st.sampled_from(["tomato", "#12aBf0"])
shapes = st.one_of(
    st.builds(Sphere, kind=st.just("sphere"), radius=positive, mass=positive, color=colors, **placed),
    st.builds(Cuboid, kind=st.just("cuboid"), size=st.tuples(positive, positive, positive), density=positive, **placed),
    st.builds(Point, kind=st.just("point"), mass=positive, **placed),
    st.builds(MeshShape, kind=st.just("mesh"), file=st.just("a/b.stl"), scale=positive, mass=positive, **placed),
)
bodies = st.builds(
    Body,
    name=st.text(st.characters(exclude_characters=".,", exclude_categories=["Z", "C"]), min_size=1),
    support=st.sampled_from(["pivot", "fixed"]),
    angular_velocity=vectors,
    friction=numbers.map(abs),
    shape=st.lists(shapes, min_size=1, max_size=3).map(tuple),
    dipole=st.lists(st.builds(Dipole, position=vectors, moment=vectors), max_size=2).map(tuple),
    **placed,
)
texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=40)
scenes = st.builds(
    Scene,
    title=texts,
    description=texts,
    world=st.builds(World, gravity=vectors, magnetic_field=st.builds(UniformField, value=vectors)),
    solver=st.builds(Solver, time_step=positive),
    body=st.lists(bodies, max_size=3, unique_by=lambda body: body.name).map(tuple),
)
units = st.builds(Units, length=st.sampled_from([1, 0.01, 0.0254]), mass=positive, time=st.sampled_from([1, 60]))


@pytest.fixture
def commented(tmp_path: Path) -> Path:
    path = tmp_path / "scene.toml"
    path.write_text(COMMENTED, encoding="utf-8")
    return path


def fault(tmp_path: Path, text: str | bytes) -> tuple[Problem, ...]:
    """The problems of a scene file of this content."""
    path = tmp_path / "fault.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    with pytest.raises(InputError) as caught:
        read_scene(path)
    assert caught.value.source == str(path)
    return caught.value.problems


def close(one: object, other: object) -> bool:
    """Equal but for the rounding of a division by a unit and the multiplication with it (2 roundings each)."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(close(one[key], other[key]) for key in one)
    if isinstance(one, list | tuple) and isinstance(other, list | tuple):
        return len(one) == len(other) and all(map(close, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-15)
    return one == other


@given(scene=scenes)
@settings(deadline=None, derandomize=True, max_examples=40)
def test_a_written_scene_is_read_again_exactly(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("exact") / "scene.toml"
    write_scene(scene.in_folder(path.parent), path)
    assert read_scene(path).model_dump() == scene.model_dump()


@pytest.mark.parametrize("text", ["\r\n", "two\r\nlines", "a\rb", 'three\n\r\n"""\\'])
def test_line_ends_of_texts_are_kept(tmp_path: Path, text: str) -> None:
    write_scene(Scene(description=text), tmp_path / "scene.toml")
    assert read_scene(tmp_path / "scene.toml").description == text


@given(scene=scenes, units=units)
@settings(deadline=None, derandomize=True, max_examples=25)
def test_units_of_the_file_do_not_change_the_scene(
    scene: Scene, units: Units, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("units") / "scene.toml"
    scene = scene.model_copy(update={"units": units})
    write_scene(scene.in_folder(path.parent), path)
    assert close(read_scene(path).model_dump(), scene.model_dump())


@given(scene=scenes)
@settings(deadline=None, derandomize=True, max_examples=25)
def test_any_scene_can_be_written_over_any_file(scene: Scene, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("over") / "scene.toml"
    path.write_text(COMMENTED, encoding="utf-8")
    write_scene(scene.in_folder(path.parent), path)
    assert read_scene(path).model_dump() == scene.model_dump()


def test_numbers_of_the_file_count_in_its_units_and_defaults_in_si(commented: Path) -> None:
    scene = read_scene(commented)
    first, second = scene.body
    assert first.position == pytest.approx((0.01, 0.025, 0.03), rel=1e-15)
    assert first.shape[0].scale == 0.01  # one unit of the mesh file is one of the scene's
    assert first.shape[0].density == pytest.approx(7800.0, rel=1e-15)
    assert first.dipole[0].moment[2] == pytest.approx(1e3 * 0.01**2, rel=1e-15)
    assert first.orientation.angle == 0.3
    assert second.shape[0].mass == 0.001
    assert scene.world.gravity == (0.0, 0.0, -9.80665)
    assert scene.solver.time_step == 1e-3
    assert scene.folder == commented.parent


def test_a_magnet_and_a_contact_count_in_the_units_of_the_file(tmp_path: Path) -> None:
    """T is mass/(time^2 current), N/m is mass/time^2: a gram, a millisecond and a milliampere make 1e6 and 1e3."""
    path = tmp_path / "magnet.toml"
    units = "[units]\nlength = 0.01\nmass = 0.001\ntime = 0.001\ncurrent = 0.001\n"
    more = "magnet = { remanence = [0, 0, 2e-6], dipoles = 9 }\n"
    contact = "contact = { stiffness = 4, damping = 3, friction = 2, rolling = 1 }\n"
    path.write_text(units + BODY + contact + SPHERE + more, encoding="utf-8")
    (body,) = read_scene(path).body
    magnet, found = body.shape[0].magnet, body.contact
    assert magnet is not None
    assert magnet.remanence == pytest.approx((0, 0, 2.0), rel=1e-14)
    assert magnet.dipoles == 9
    assert found is not None
    values = (found.stiffness, found.damping, found.friction, found.rolling)
    assert values == pytest.approx((4e3, 3.0, 2.0, 1e-4), rel=1e-14)
    text = path.read_text(encoding="utf-8")
    write_scene(read_scene(path), path)
    assert path.read_text(encoding="utf-8") == text


def test_writing_what_was_read_changes_no_byte(commented: Path) -> None:
    write_scene(read_scene(commented), commented)
    assert commented.read_text(encoding="utf-8") == COMMENTED


def test_only_the_changed_number_is_rewritten(commented: Path) -> None:
    scene = read_scene(commented)
    write_scene(scene.model_copy(update={"solver": Solver(time_step=2e-3)}), commented)
    assert commented.read_text(encoding="utf-8") == COMMENTED.replace("1.0e-3 # fine", "0.002 # fine")


def test_a_table_of_a_file_becomes_a_name(tmp_path: Path) -> None:
    """The end of a spring is a point of a body in the file, and a particle in the scene that is written over it."""
    path, ends = tmp_path / "scene.toml", ({"body": "bob", "point": [0.0, 0.0, 0.1]}, "ball", [0.0, 0.0, 2.0])
    bob = {"name": "bob", "shape": [{"kind": "sphere", "radius": 0.1, "mass": 1.0}]}
    for to in (*ends, *reversed(ends)):
        spring = {"from": [0, 0, 1], "to": to, "stiffness": 1.0}
        scene = scene_of({"body": [bob], "particle": [{"name": "ball", "mass": 1.0}], "spring": [spring]}, "")
        write_scene(scene.in_folder(tmp_path), path)
        assert read_scene(path).spring == scene.spring


def test_a_body_goes_with_the_comment_above_it_and_no_other(commented: Path) -> None:
    scene = read_scene(commented)
    write_scene(scene.model_copy(update={"body": scene.body[1:]}), commented)
    start, end = COMMENTED.index("# the first"), COMMENTED.index("# the second")
    assert commented.read_text(encoding="utf-8") == COMMENTED[:start] + COMMENTED[end:]


def test_an_added_body_leaves_the_rest_alone(commented: Path) -> None:
    scene = read_scene(commented)
    added = Body(name="c", shape=(Point(kind="point", mass=1.0),))
    write_scene(scene.model_copy(update={"body": (*scene.body, added)}), commented)
    assert commented.read_text(encoding="utf-8").startswith(COMMENTED)
    assert read_scene(commented).body[2] == added


def test_saving_elsewhere_keeps_the_comments_and_finds_the_meshes(commented: Path) -> None:
    (commented.parent / "elsewhere").mkdir()
    copy = commented.parent / "elsewhere" / "copy.toml"
    write_scene(read_scene(commented), copy, like=commented)
    assert copy.read_text(encoding="utf-8") == COMMENTED.replace('"a.stl"', '"../a.stl"')


def test_a_write_that_fails_leaves_the_old_file(commented: Path, tmp_path: Path) -> None:
    scene = read_scene(commented)
    with refuses("", "cannot", "written"):
        write_scene(scene, tmp_path / "missing" / "scene.toml")
    (tmp_path / "folder.toml").mkdir()
    with refuses("", "cannot", "written"):
        write_scene(scene, tmp_path / "folder.toml")
    with refuses("", "ending", name="scene.json"):
        write_scene(scene, tmp_path / "scene.json")
    assert {path.name for path in tmp_path.iterdir()} == {"scene.toml", "folder.toml"}


BODY = '[[body]]\nname = "a"\n'
SPHERE = '[[body.shape]]\nkind = "sphere"\nradius = 1\nmass = 1\n'


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("forma = 1", Meaning("forma", value=1, near="format")),
        ("format = 3", Meaning("format", "known", value=3, known="1, 2")),
        ("[solver]\nmethod = 'rk5'", Meaning("solver.method", value="'rk5'", near="rk4")),
        ("[solver]\ntime_step = -1", Meaning("solver.time_step", "greater", limit=0, value=-1)),
        ("[solver]\ntime_step = nan", Meaning("solver.time_step", "finite", value="nan")),
        ("[solver]\ntime_step = '1'", Meaning("solver.time_step", "number", value="'1'")),
        ("[world]\ngravity = [0, 0]", Meaning("world.gravity", count=2, needed=3)),
        ("[world]\ngravity = [0, 0, 0, 1]", Meaning("world.gravity", count=4, needed=3)),
        ("[world]\ngravity = 9.8", Meaning("world.gravity", "list", value=9.8)),
        ("world = 3", Meaning("world", "table", value=3)),
        (BODY, Meaning("body[0].shape", "missing", name="shape")),
        ("[body]\nname = 'a'", Meaning("body", "list", value="{'name': 'a'}", heading="body")),
        ("[[body]]\nname = 'a b'\n" + SPHERE, Meaning("body[0].name", "spaces", value="'a b'")),
        (BODY + "support = 'pivo'\n" + SPHERE, Meaning("body[0].support", value="'pivo'", near="pivot")),
        (
            BODY + "[[body.shape]]\nkind = 'spher'",
            Meaning("body[0].shape[0]", value="'spher'", near="sphere"),
        ),
        (BODY + "[[body.shape]]\nradius = 1", Meaning("body[0].shape[0]", "kind", kind="sphere")),
        (
            BODY + SPHERE.replace("radius = 1", "radius = -1"),
            Meaning("body[0].shape[0].radius", "greater", limit=0, value=-1),
        ),
        (
            BODY + SPHERE.replace("radius = 1", ""),
            Meaning("body[0].shape[0].radius", "missing", name="radius", unit="m"),
        ),
        (
            BODY + SPHERE + "colour = 'red'",
            Meaning("body[0].shape[0].colour", value="'red'", near="color"),
        ),
        (BODY + SPHERE + "color = '#12345'", Meaning("body[0].shape[0].color", "colour", color="#12345")),
        (BODY + SPHERE + "color = 'tomatto'", Meaning("body[0].shape[0].color", color="tomatto", near="tomato")),
        (BODY + SPHERE + "density = 1", Meaning("body[0].shape[0]", "exactly", "density")),
        (BODY + SPHERE.replace("mass = 1", ""), Meaning("body[0].shape[0]", "exactly", "density")),
        (
            BODY + "orientation = { axis = [0, 0, 0], angle = 1 }\n" + SPHERE,
            Meaning("body[0].orientation.axis", "zero", "direction"),
        ),
        (
            BODY + "basis = [[1,0,0],[0,1,0],[0,2,3]]\n" + SPHERE,
            Meaning("body[0]", "basis", "right-handed"),
        ),
        (
            BODY + "basis = [[1,0,0],[0,1,0],[0,0,1]]\norientation = {}\n" + SPHERE,
            Meaning("body[0].basis", "orientation"),
        ),
        (
            BODY + "basis = [[1,0,0],[0,1,0],[0,'2',3]]\n" + SPHERE,
            Meaning("body[0].basis[2][1]", "number", value="'2'"),
        ),
        (
            BODY + SPHERE + "[[body.dipole]]\nposition = [0,0,0]",
            Meaning("body[0].dipole[0].moment", "missing", name="moment", unit="A m^2"),
        ),
        (BODY + SPHERE + BODY + SPHERE, Meaning("", "parts", name="a")),
        (
            BODY + SPHERE + "magnet = { dipoles = 8 }",
            Meaning("body[0].shape[0].magnet", "remanence"),
        ),
        (
            BODY + SPHERE + "magnet = { moment = [0, 0, 1], remanence = [0, 0, 1] }",
            Meaning("body[0].shape[0].magnet", "remanence"),
        ),
        (
            BODY + SPHERE + "magnet = { moment = [0, 0, 1], dipoles = 0 }",
            Meaning("body[0].shape[0].magnet.dipoles", "least", limit=1, value=0),
        ),
        (
            BODY + SPHERE + "magnet = { moment = [0, 0] }",
            Meaning("body[0].shape[0].magnet.moment", count=2, needed=3),
        ),
        (
            BODY + "shape = [{ kind = 'point', mass = 1, magnet = { moment = [0, 0, 1] } }]",
            Meaning("body[0].shape[0]", "volume", "magnet"),
        ),
        (
            BODY + "contact = { stiffness = 0 }\n" + SPHERE,
            Meaning("body[0].contact.stiffness", "greater", limit=0, value=0),
        ),
        (
            BODY + "contact = { stiffness = 1 }\n[[body.shape]]\nkind = 'point'\nmass = 1",
            Meaning("body[0]", "shape", "press"),
        ),
        (
            "[[bead]]\nname = 'b'\npath = {kind = 'circle', radius = 1}\npath_motion = {kind = 'sensor', scale = 0}",
            Meaning("bead[0].path_motion", "scale", "nowhere"),
        ),
        (BODY + "support = 'axle'\n" + SPHERE, Meaning("body[0]", "held", "axle")),
        (BODY + "suport = 'axle'\n" + SPHERE, Meaning("body[0].suport", value="'axle'", near="support")),
        ("[solver]\nmethod = 'eular'", Meaning("solver.method", value="'eular'", near="euler")),
        ("[units]\nlength = 0", Meaning("units.length", "least", limit=1e-30, value=0)),
        (
            "[units]\nlength = 1e30\n" + BODY + SPHERE.replace("radius = 1", "radius = 1e300"),
            Meaning("body[0].shape[0].radius", "most", limit=1e60, value=1e300),
        ),
        ("title = 'x", Meaning("line 1, column 11", "TOML")),
        ("a = 1\na = 2", Meaning("line 2, column 6", "cannot", "overwrite")),
        ("a = " + "[" * 100_000, Meaning("", "deeply")),
        ("a = " + "9" * 10_000, Meaning("", "TOML")),
        ("", Meaning("", "empty")),
        (b"title = '\xff'", Meaning("line 1", "text", byte=255)),
    ],
)
def test_every_fault_is_named_with_place_rule_value_and_remedy(tmp_path: Path, text: str, expected: Meaning) -> None:
    (found,) = fault(tmp_path, text)
    assert expected.of(found)
    assert "; " in str(found)


@pytest.mark.parametrize("length", [5e-324, 1e-200, 1e200, 1.7e308])
def test_an_axis_may_have_any_length(length: float) -> None:
    turned = Orientation(axis=(length, 0.0, length), angle=0.4).matrix()
    assert abs(turned - Orientation(axis=(1.0, 0.0, 1.0), angle=0.4).matrix()).max() < 1e-15


def test_all_faults_are_listed_at_once(tmp_path: Path) -> None:
    text = "forma = 1\n[solver]\ntime_step = 0\n" + BODY + "support = 'nail'\n[[body.shape]]\nkind = 'cube'\n"
    places = [problem.place for problem in fault(tmp_path, text)]
    assert sorted(places) == ["body[0].shape[0]", "body[0].support", "forma", "solver.time_step"]


def test_rules_between_values_are_tried_where_other_values_are_at_fault(tmp_path: Path) -> None:
    torus = "[[body.shape]]\nkind = 'torus'\nradius = 1\ntube_radius = 2\nmass = 'heavy'\ndensity = 1\n"
    found = fault(tmp_path, "forma = 1\n" + BODY + SPHERE + BODY + torus)
    expected = [
        Meaning("body[1].shape[0].mass", "number", value="'heavy'"),
        Meaning("forma", "known", value=1),
        Meaning("body[1].shape[0]", "exactly", "density"),
        Meaning("body[1].shape[0]", tube_radius=2, radius=1),
        Meaning("", "parts", name="a"),
    ]
    assert len(found) == len(expected)
    assert all(each.of(line) for each, line in zip(expected, found, strict=True)), found


junk = st.recursive(
    st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.datetimes(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.sampled_from(["kind", "a", "mass"]), inner),
    max_leaves=5,
)


@given(values=st.data())
@settings(deadline=None, derandomize=True, max_examples=200)
def test_whatever_stands_in_a_file_is_read_or_refused(values: st.DataObject) -> None:
    """Any value at any place: a Scene or an InputError with a place, never another exception."""
    here = data = tomllib.loads(COMMENTED)
    while True:
        key = values.draw(st.sampled_from(sorted(here) if isinstance(here, dict) else range(len(here))))
        if not isinstance(here[key], dict | list) or not here[key] or values.draw(st.booleans()):
            break
        here = here[key]
    here[key] = values.draw(junk)
    problems: tuple[Problem, ...] = ()
    try:
        scene_of(data, "junk")
    except InputError as error:
        problems = error.problems
    assert all(problem.rule and problem.remedy for problem in problems)


@given(start=st.integers(0, len(COMMENTED)), length=st.integers(0, 20), text=st.text(max_size=5))
@settings(deadline=None, derandomize=True, max_examples=100)
def test_any_typing_error_is_read_or_refused(
    start: int, length: int, text: str, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("typing") / "scene.toml"
    path.write_text(COMMENTED[:start] + text + COMMENTED[start + length :], encoding="utf-8")
    with contextlib.suppress(InputError):
        write_scene(read_scene(path), path)


def test_files_that_cannot_be_read_say_why(tmp_path: Path) -> None:
    for path, rule in (
        (tmp_path / "none.toml", Meaning("", "such", "file")),
        (tmp_path, Meaning("", "folder", "file")),
    ):
        with refuses(rule):
            read_scene(path)
    huge = tmp_path / "huge.toml"
    with huge.open("wb") as file:
        file.truncate(2 * 2**30)  # a hole: takes no room on the disk
    with refuses("", "MB", size=2048):
        read_scene(huge)


def test_schema_names_units_and_kinds() -> None:
    schema = scene_schema()
    body = schema["$defs"]["Body"]["properties"]
    assert body["friction"]["unit"] == "N m s"
    assert body["friction"]["description"].endswith("[N m s].")
    assert set(body["shape"]["items"]["discriminator"]["mapping"]) >= {"sphere", "mesh", Torus.__name__.lower()}
    assert schema["additionalProperties"] is False


def test_a_unit_is_known_by_its_factors():
    centimetres_and_grams = (0.01, 0.001, 1.0, 1.0)
    assert Quantity("m^3/s^2").factor(centimetres_and_grams) == pytest.approx(1e-6)
    assert Quantity("N s/m").factor(centimetres_and_grams) == pytest.approx(1e-3)
    assert Quantity("T m/A").factor((1.0, 1.0, 2.0, 3.0)) == pytest.approx(1 / 36)
    with pytest.raises(KeyError, match="furlong"):
        Quantity("furlong/s")
