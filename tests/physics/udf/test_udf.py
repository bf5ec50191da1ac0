"""PEM's files: what their values mean, that nothing is lost on the way back, and that they move as PEM moved them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pem
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from meaning import Meaning, refuses

from polhode import InputError, Simulation, read_records, read_scene, read_udf, write_udf
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.mass.mass_properties import body_properties, stated_properties
from polhode.scene.display.colors import RGB
from polhode.scene.scene import Body, Inertia, RotatingField, Scene
from polhode.scene.toml_edit import same, stated
from polhode_app.cli.convert import convert
from scenes import independent_turns

SAMPLES = Path(__file__).parents[3].parent / "shared" / "pem"  # PEM's own files, where they are at hand


def read(folder: Path, text: str, name: str = "sample.udf") -> Scene:
    (folder / name).write_text(text, encoding="utf-8")
    return read_udf(folder / name)


def turning_by(scene: Scene, inertia: str) -> Scene:
    return scene.model_copy(update={"solver": scene.solver.model_copy(update={"inertia": inertia})})


def test_a_pendulum_is_read_in_si_and_by_its_names(tmp_path: Path) -> None:
    scene = read(tmp_path, pem.PENDULUM)
    assert [body.name for body in scene.body] == ["pendulum0", "body0", "body1"]
    assert [body.support for body in scene.body] == ["pivot", "fixed", "fixed"]
    bob, _, turned = scene.body
    cylinder, line = bob.shape
    assert (cylinder.kind, cylinder.radius, cylinder.mass, cylinder.color) == ("cylinder", 0.01, 0.002, "#ff0000")
    assert cylinder.length == pytest.approx(0.005, rel=1e-15)  # PEM's length is half of it
    assert (line.kind, line.mass, line.color) == ("rod", 0.0, None)
    assert line.length == pytest.approx(0.1, rel=1e-15)
    assert bob.dipole[0].position == pytest.approx((0, 0, -0.1))
    assert bob.dipole[0].moment == pytest.approx((0, 3 * 4 * 1e-4, 100 * 4 * 1e-4))  # A m^2
    assert bob.angular_velocity == pytest.approx((0.15, -0.1, 0.05))  # a unit of time has 2 s
    assert bob.friction == pytest.approx(0.5 * 1e-3 * 1e-4 / 2)  # N m s
    assert turned.orientation.matrix() == pytest.approx(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]]))
    assert scene.world.gravity == pytest.approx((0, 0, -10 * 0.01 / 4))
    assert scene.world.permeability == pytest.approx(0.1 * 1e-3 * 0.01 / 4 / 16, rel=1e-15)  # and not vacuum's
    assert scene.world.magnetic_field.value == (0.0, 0.0, 0.0)
    assert (scene.solver.method, scene.solver.time_step) == ("rk4", 2e-3)


def test_every_kind_of_shape_keeps_its_size_and_direction(tmp_path: Path) -> None:
    d = "{0.0,3.0,4.0}"
    shapes = [
        pem.shape("sphere", sphere="1.5"),
        pem.shape("cylinder", cylinder=f"1.0,2.0,{d}"),
        pem.shape("ellipsoid", ellipsoid="1.0,2.0,3.0,{0.0,1.0,0.0}{0.0,0.0,1.0}"),
        pem.shape("cuboid", cuboid="1.0,2.0,3.0,{0.0,0.0,1.0}{1.0,0.0,0.0}"),
        pem.shape("line", line=f"2.0,{d}"),
        pem.shape("point"),
    ]
    sphere, cylinder, ellipsoid, cuboid, line, point = (
        read(tmp_path, pem.file([pem.body(0, *shapes)], pem.pendulum(0), units="")).body[0].shape
    )
    assert (sphere.radius, cylinder.radius, cylinder.length, line.length) == (1.5, 1.0, 4.0, 4.0)
    assert (ellipsoid.semi_axes, cuboid.size, point.kind) == ((1.0, 2.0, 3.0), (2.0, 4.0, 6.0), "point")
    for shape in (cylinder, line):
        assert shape.orientation.matrix()[:, 2] == pytest.approx([0, 0.6, 0.8], abs=1e-15)
    assert ellipsoid.orientation.matrix().T == pytest.approx(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
    assert cuboid.orientation.matrix().T == pytest.approx(np.array([[0, 0, 1], [1, 0, 0], [0, 1, 0]]))


def test_axles_fields_and_motions_are_read(tmp_path: Path) -> None:
    field = '{"ellipticRotationField",{{9.0,9.0,9.0}}{1.5,{0.2,0.0,0.0}{0.0,0.3,0.0}}}'
    ellipse = "{{1.0,2.0,3.0}0.3,0.5,{3.0,0.0,0.0}{0.0,2.0,0.0}}"
    others = pem.other(3, (1.0, 0.0, 0.0), "constantVelocity", "{{0.5,0.0,0.0}}") + pem.other(
        3, (9.0, 9.0, 9.0), "ellipticRotation", ellipse=ellipse
    )
    text = pem.file([pem.BOB, pem.MAGNET], pem.pendulum(7, axis=(0.0, 2.0, 0.0)), others, "", field=field)
    scene = read(tmp_path, text.replace("4thOrderRungeKutta", "Euler"))
    axle, moving, round_ = scene.body
    assert (axle.support, axle.axis, axle.friction) == ("axle", (0.0, 2.0, 0.0), 0.0)
    assert (moving.support, moving.position, moving.motion.velocity) == ("driven", (1, 0, 0), (0.5, 0, 0))
    assert (round_.position, round_.motion.phase, round_.motion.angular_frequency) == ((1, 2, 3), 0.3, 0.5)
    assert round_.angular_velocity == (0, 0, 0.5)  # it turns as it goes round
    assert isinstance(scene.world.magnetic_field, RotatingField)
    assert scene.world.magnetic_field.angular_frequency == 1.5
    assert scene.solver.method == "euler_as_printed"
    now = Simulation(scene).snapshot().bodies
    assert now.position[2] == pytest.approx([1 + 3 * np.cos(0.3), 2 + 2 * np.sin(0.3), 3])


def test_what_a_file_states_of_its_inertia_counts_on_request(tmp_path: Path) -> None:
    """The tensor of the file is about the pivot. Off-diagonal elements come in the order yx, zx, zy."""
    scene = read(tmp_path, pem.PENDULUM)
    by_file = body_properties(turning_by(scene, "file"), scene.body[0], Meshes())
    assert by_file.mass == pytest.approx(2e-3)
    assert by_file.center == pytest.approx([0, 1e-3, -0.1])
    tensor = np.array([[201, 0.3, 0.2], [0.3, 200.5, 0.1], [0.2, 0.1, 1.5]])
    assert by_file.about(np.zeros(3)) == pytest.approx(tensor * 1e-7, rel=1e-13)
    by_shapes = body_properties(scene, scene.body[0], Meshes())
    across = 2 * (1 / 4 + 0.5**2 / 12 + 100)
    assert by_shapes.about(np.zeros(3)) == pytest.approx(np.diag([across, across, 1.0]) * 1e-7, rel=1e-13)


@pytest.mark.parametrize("inertia", ["file", "shapes"])
def test_a_pendulum_of_pem_agrees_with_an_independent_integration(tmp_path: Path, inertia: str) -> None:
    """RK4 with 1000 steps per unit of time is off by (0.2 * 1e-3)^4 of a radian here; the twin's tolerance is 1e-11."""
    scene = turning_by(read(tmp_path, pem.PENDULUM), inertia)
    simulation, times = Simulation(scene), np.linspace(0.0, 6.0, 4)
    expected = independent_turns(scene, times)
    for k, time in enumerate(times):
        simulation.advance(time - simulation.time)
        assert np.swapaxes(simulation.snapshot().bodies.basis, 1, 2) == pytest.approx(expected[k], abs=1e-9)


@pytest.mark.parametrize(
    ("tensor", "mass", "support", "rule"),
    [
        (
            [[1, 0, 0], [0, 1, 0], [0, 0, -0.1]],
            1.0,
            "pivot",
            Meaning("inertia.tensor", "principal", moment=-0.1),
        ),
        ([[1, 2, 0], [2, 1, 0], [0, 0, 1]], 1.0, "pivot", Meaning("inertia.tensor", "principal", moment=-1)),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 2.1]], 1.0, "pivot", Meaning("inertia.tensor", "principal", moment=2.1)),
        ([[1, 0, 0], [0, 1, 0], [0, 0, 1]], 0.0, "axle", Meaning("inertia.mass", "mass", name="bob")),
        # 1 kg at 2 m has 4 kg m^2 about the origin already
        ([[0, 0, 0], [0, 3, 0], [0, 0, 4]], 1.0, "free", Meaning("inertia.tensor", "positive", moment=-1)),
    ],
)
def test_an_inertia_that_no_body_has_is_refused(tensor, mass: float, support: str, rule: Meaning) -> None:
    inertia = {"mass": mass, "center": [2.0, 0.0, 0.0], "tensor": np.array(tensor, float).tolist()}
    bob = {"name": "bob", "support": support, "axis": [0, 0, 1], "shape": [{"kind": "point", "mass": 1}]}
    body = Body.model_validate({**bob, "inertia": inertia})
    with pytest.raises(InputError) as refused:
        body_properties(Scene(body=(body,)), body, Meshes())
    assert any(rule.of(problem) for problem in refused.value.problems)
    still = body.model_copy(update={"support": "fixed"})
    assert stated_properties(still, body.inertia).mass == mass  # nothing turns it, so nothing is asked of it


def test_a_tensor_is_symmetric() -> None:
    with refuses("", "tensor", "symmetric", raised=ValueError):
        Inertia.model_validate({"mass": 1.0, "tensor": [[1, 0.1, 0], [0, 1, 0], [0, 0, 1]]})


def with_mesh(**box: object) -> str:
    mesh = pem.body(0, pem.shape("mesh", (0.0, 0.0, -4.0), 3.0, mesh=pem.box(**box)))
    return pem.file([pem.MAGNET, mesh], pem.pendulum(0), pem.other(3, (0.0, 0.0, -9.0)))


def test_a_mesh_in_the_file_weighs_what_its_box_weighs(tmp_path: Path) -> None:
    scene = read(tmp_path, with_mesh())
    p = body_properties(scene, scene.body[0], Meshes())
    assert (p.mass, p.center) == (pytest.approx(3e-3), pytest.approx([0, 0, -0.04]))
    expected = np.diag([0.6**2 + 0.4**2, 1 + 0.4**2, 1 + 0.6**2]) * 3e-3 / 12 * 1e-4
    assert p.inertia == pytest.approx(expected, abs=1e-20)


def test_a_conversion_takes_its_meshes_along(tmp_path: Path) -> None:
    scene = read(tmp_path, with_mesh())
    (tmp_path / "there").mkdir()
    there = tmp_path / "there" / "scene.toml"
    convert(tmp_path / "sample.udf", there)
    (tmp_path / "sample.udf").unlink()
    converted = read_scene(there)
    assert sorted(path.name for path in there.parent.iterdir()) == ["scene-body1-shape0.obj", "scene.toml"]
    p = body_properties(converted, converted.body[0], Meshes())
    assert p.inertia[0, 0] == pytest.approx((0.6**2 + 0.4**2) * 3e-3 / 12 * 1e-4, rel=1e-12)
    convert(there, tmp_path / "back.udf")
    back = read_udf(tmp_path / "back.udf")
    assert body_properties(back, back.body[0], Meshes()).inertia == pytest.approx(p.inertia, abs=1e-20)
    assert same(stated(back)["world"], stated(scene)["world"])


@pytest.mark.parametrize(
    ("broken", "rule"),
    [
        ("106,102,999", Meaning("body[0].shape[0].file", vertex=999)),
        ("102,106", Meaning("body[0].shape[0].file", "corners", file="sample.udf#body1-shape0", line=50)),
    ],
)
def test_a_mesh_that_is_none_is_named_with_its_line(tmp_path: Path, broken: str, rule: Meaning) -> None:
    scene = read(tmp_path, with_mesh(broken=broken))
    with refuses("body[0].shape[0].file", "line", face=5):
        Simulation(scene)
    Simulation(turning_by(scene, "file"))  # PEM needs no mesh to turn it


numbers = st.floats(-1e3, 1e3).map(lambda x: x if abs(x) > 1e-6 else 0.0)
vectors = st.tuples(numbers, numbers, numbers)


@settings(max_examples=10)
@given(vectors, vectors, vectors, st.floats(1e-3, 1e3), st.floats(0.01, 3))
def test_nothing_is_lost_on_the_way_through_toml_and_back(
    tmp_path_factory: pytest.TempPathFactory, place, spin, b, friction: float, angle: float
) -> None:
    """The numbers of a file come back to their last digits; only a product with a unit may round one."""
    folder = tmp_path_factory.mktemp("round")
    c, s = float(np.cos(angle)), float(np.sin(angle))
    turned = f"{{{pem.vector((c, s, 0.0))}{pem.vector((-s, c, 0.0))}{{0.0,0.0,1.0}}}}"
    ellipse = f"{{{pem.vector(place)}{angle!r},{c!r},{{2.0,1.0,0.0}}{{0.0,1.0,{s!r}}}}}"
    text = pem.file(
        [pem.BOB, pem.MAGNET],
        pem.pendulum(7, place, spin, turned) + pem.pendulum(3, spin, place, turned, axis=(1.0, c, s)),
        pem.other(3, b, turned=turned)
        + pem.other(3, spin, "constantVelocity", f"{{{pem.vector(b)}}}")
        + pem.other(7, place, "ellipticRotation", ellipse=ellipse),
        field=f'{{"constantField",{{{pem.vector(b)}}}{{0.0,{{0.0,0.0,0.0}}{{0.0,0.0,0.0}}}}}}',
        friction=f'{{"true",{friction!r}}}',
    )
    scene = read(folder, text)
    convert(folder / "sample.udf", folder / "a.toml")
    convert(folder / "a.toml", folder / "b.udf")
    assert same(stated(read_scene(folder / "a.toml")), stated(scene))
    colored = stated(read_udf(folder / "b.udf"))
    for body in colored["body"]:
        for shape in body["shape"]:
            shape["color"] = None  # PEM's colours have no default
    plain = stated(scene)
    for body in plain["body"]:
        for shape in body["shape"]:
            shape["color"] = None
    assert same(colored, plain)


def test_the_opacity_of_a_colour_is_kept(tmp_path: Path) -> None:
    """PEM's files state opaque colours with trans = 1; the 8 bits of a colour hold 0.4 as 102/255."""
    scene = read(tmp_path, pem.PENDULUM.replace("{1.0,0.0,0.0,1.0}", "{1.0,0.0,0.0,0.4}"))
    assert scene.body[0].shape[0].color == "#ff000066"
    write_udf(scene, tmp_path / "back.udf", Meshes())
    assert read_udf(tmp_path / "back.udf").body[0].shape[0].color == "#ff000066"
    with refuses("line 41", "numbers", color="[1.0, 0.0, 0.0, 2.0]"):
        read(tmp_path, pem.PENDULUM.replace("{1.0,0.0,0.0,1.0}", "{1.0,0.0,0.0,2.0}"))


def test_a_scene_of_our_own_becomes_a_file_of_pem(tmp_path: Path) -> None:
    """Names and the order go; densities become masses, and what the shapes weigh is stated as PEM states it."""
    ball = {"kind": "sphere", "radius": 0.1, "density": 1000.0, "color": "tomato", "position": [0.0, 0.0, -1.0]}
    base = {"name": "base", "support": "fixed", "shape": [{"kind": "point", "mass": 1.0}]}
    text = 'with "quotes" and a \\ in it'
    scene = Scene.model_validate({"title": text, "body": [base, {"name": "bob", "shape": [ball]}]})
    write_udf(scene, tmp_path / "ours.udf", Meshes())
    back = read_udf(tmp_path / "ours.udf")
    assert (back.title, [body.name for body in back.body]) == (text, ["pendulum0", "body0"])
    sphere = back.body[0].shape[0]
    assert (sphere.mass, sphere.color) == (pytest.approx(4 / 3 * np.pi, rel=1e-15), f"#{RGB['tomato']}")
    assert back.body[0].inertia is not None
    ours = body_properties(turning_by(back, "file"), back.body[0], Meshes())
    assert ours.inertia == pytest.approx(body_properties(scene, scene.body[1], Meshes()).inertia, rel=1e-13)


def test_all_that_no_file_of_pem_can_hold_is_named_at_once(tmp_path: Path) -> None:
    ball = {"kind": "sphere", "radius": 0.1, "mass": 1.0}
    scene = Scene.model_validate(
        {
            "world": {"wind": {"velocity": [1.0, 0.0, 0.0]}},
            "solver": {"method": "verlet"},
            "body": [
                {
                    "name": "a",
                    "support": "free",
                    "shape": [{"kind": "cone", "radius": 1.0, "length": 1.0, "mass": 1.0}],
                },
                {"name": "b", "friction": 1.0, "shape": [ball]},
                {"name": "c", "friction": 2.0, "shape": [ball]},
                {
                    "name": "d",
                    "support": "driven",
                    "angular_velocity": [0.0, 1.0, 0.0],
                    "motion": {"kind": "uniform", "velocity": [1.0, 0.0, 0.0]},
                    "shape": [ball],
                },
            ],
        }
    )
    with pytest.raises(InputError) as refused:
        write_udf(scene, tmp_path / "no.udf", Meshes())
    assert [problem.place for problem in refused.value.problems] == [
        *("world.wind", "solver.method", "body[0].support", "body[0].shape[0].kind"),
        *("body[1].friction", "body[2].friction", "body[3].angular_velocity"),
    ]
    assert not (tmp_path / "no.udf").exists()


def test_records_are_the_motion_that_pem_computed(tmp_path: Path) -> None:
    path = tmp_path / "run_o.udf"
    path.write_text(pem.PENDULUM + pem.record(0) + pem.record(1, pem.QUARTER), encoding="utf-8")
    records = read_records(path)
    assert records.names == ("pendulum0", "body0", "body1")
    assert records.times == pytest.approx([0.0, 10 * 1e-3 * 2])
    assert records.position[1] == pytest.approx(np.array([[0, 0, 0], [2, 0, -13], [-1, 2, -13]]) * 0.01)
    assert records.basis[1, 0] == pytest.approx(np.array([[0, 1, 0], [-1, 0, 0], [0, 0, 1]]))
    assert records.angular_velocity[0, 0] == pytest.approx([0.15, -0.1, 0.05])
    assert records.angular_momentum[0, 0] == pytest.approx(np.array([60, -40, 0.1]) * 1e-3 * 1e-4 / 2)
    assert np.isnan(records.angular_velocity[:, 1:]).all()
    assert same(stated(read_udf(path))["body"], stated(read(tmp_path, pem.PENDULUM))["body"])


@pytest.mark.skipif(not SAMPLES.is_dir(), reason="PEM's own files are not at hand")
@pytest.mark.parametrize("name", ["ellipsoid", "magnetic_pendulum"])
def test_pem_and_polhode_move_alike(name: str) -> None:
    """With PEM's inertia its own records are met: 15 digits stand in them, and the pendulum's chaos costs seven."""
    records = read_records(SAMPLES / f"{name}_o.udf")
    simulation = Simulation(turning_by(read_udf(SAMPLES / f"{name}.udf"), "file"))
    for k in range(201):
        simulation.advance(max(0.0, records.times[k] - simulation.time))
        now = simulation.snapshot().bodies
        assert now.position == pytest.approx(records.position[k], abs=1e-15)
        assert now.basis == pytest.approx(records.basis[k], abs=1e-7)
        assert now.angular_velocity[0] == pytest.approx(records.angular_velocity[k, 0], abs=1e-7)
    assert records.times[200] == pytest.approx(20.0)
