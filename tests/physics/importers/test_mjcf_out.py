"""Scenes written as MJCF: MuJoCo reads the same masses, inertias and positions, and the bodies move as here."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from polhode import InputError, Scene, Simulation, read_robot, read_scene, scene_names, write_mjcf
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene.scene_file import scene_of_text

mujoco = pytest.importorskip("mujoco")
STEP, TIME, NEAR = 2e-4, 0.5, 1e-6
HEAD = f"""title = "tree"
[world]
gravity = [0.3, 0.0, -9.81]
[solver]
time_step = {STEP}
"""
BOX = '[[body.shape]]\nkind = "cuboid"\nsize = [0.1, 0.2, {size}]\nposition = [0.02, 0.0, -0.1]\nmass = {mass}\n'


def body(name: str, position: str, more: str = "", mass: float = 1.0, size: float = 0.3) -> str:
    """The text of a body, free unless `more` states its support."""
    support = "" if "support" in more else 'support = "free"\n'
    return f'[[body]]\nname = "{name}"\n{support}position = {position}\n{more}\n' + BOX.format(mass=mass, size=size)


def joint(kind: str, first: str, second: str, anchor: str, more: str = "") -> str:
    end = f'second = "{second}"\n' if second else ""
    return f'[[joint]]\nname = "{kind}_{first}"\nkind = "{kind}"\nfirst = "{first}"\n{end}anchor = {anchor}\n{more}\n'


TURNED = "orientation = { axis = [1.0, 2.0, 0.5], angle = 0.7 }"
TREE = (
    HEAD
    + body("pivoted", "[0, 0, 1]", 'support = "pivot"\nfriction = 0.05\nangular_velocity = [0.5, 1, 2]\n' + TURNED)
    + body("elbow", "[0, 0, 0.6]", TURNED, 0.5)
    + body("rail", "[0.1, 0, 0.3]", TURNED, 0.7)
    + body("bob", "[0.2, 0, 0.1]", mass=0.4)
    + body("cardan", "[2, 0, 0.8]", TURNED)
    + body("screw", "[2.1, 0, 0.4]", mass=0.6)
    + body("plate", "[2.1, 0.1, 0.0]", mass=0.3)
    + body(
        "wheel", "[-2, 0, 1]", 'support = "axle"\naxis = [0, 1, 0.2]\nfriction = 0.01\nangular_velocity = [0, 3, 0.6]'
    )
    + body("world", "[4, 0, 1]", "velocity = [0.1, 0.2, 0.3]\nangular_velocity = [1, 2, 3]\n" + TURNED)
    + body("arm", "[4.2, 0, 1]", "velocity = [0.1, 0.2, 0.3]", 0.5)
    + joint("hinge", "elbow", "pivoted", "[0, 0, 0.7]", "axis = [0, 1, 0.2]\nangle = 0.3\nfriction = 0.02")
    + "spring = { stiffness = 2.0, rest = 0.1, damping = 0.01 }\nmotor = { torque = 0.4 }\n"
    + joint("slider", "elbow", "rail", "[0, 0, 0.5]", "axis = [0.2, 0, 1]\nspring = { stiffness = 80, rest = 0.01 }")
    + joint("ball", "rail", "bob", "[0.15, 0, 0.2]", "friction = 0.01")
    + joint("universal", "cardan", "", "[2, 0, 1]", "axis = [1, 0, 0]\nsecond_axis = [0, 0.8, 0.6]\nfriction = 0.02")
    + joint("cylindrical", "cardan", "screw", "[2, 0, 0.6]", "axis = [0.1, 0.1, 1]")
    + joint("weld", "screw", "plate", "[2.1, 0, 0.2]")
    + joint("hinge", "world", "arm", "[4.1, 0, 1]", "axis = [0, 0, 1]")
)
# the second axis of a universal joint is across the first one at the start
TREE = TREE.replace("second_axis = [0, 0.8, 0.6]", "second_axis = SECOND")


def scene_of(text: str, folder: Path = Path()) -> Scene:
    if "SECOND" in text:
        axis, angle = np.array([1.0, 2.0, 0.5]), 0.7
        n = axis / np.linalg.norm(axis)
        k = np.array([[0, -n[2], n[1]], [n[2], 0, -n[0]], [-n[1], n[0], 0]])
        turn = np.eye(3) + np.sin(angle) * k + (1 - np.cos(angle)) * k @ k
        across = np.cross(turn[:, 0], [0.0, 0.0, 1.0])  # the laboratory is the second one
        text = text.replace("SECOND", str(across.tolist()))
    return scene_of_text(text.encode(), "scene", folder)


def written(scene: Scene, folder: Path):
    """MuJoCo's model and state at the start, and the notes."""
    notes = write_mjcf(scene, folder / "scene.xml")
    model = mujoco.MjModel.from_xml_path(str(folder / "scene.xml"))
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    return model, data, notes


def own_name(name: str) -> str:
    return "world.body" if name == "world" else name


def compare(scene: Scene, data, time: float, near: float = NEAR) -> None:
    """Positions, axes and velocities of all bodies, and positions of particles, after a time [s]."""
    simulation = Simulation(scene)
    if time:
        simulation.advance(time)
        for _ in range(round(time / STEP)):
            mujoco.mj_step(data.model, data)
        mujoco.mj_kinematics(data.model, data)
        mujoco.mj_comVel(data.model, data)
    now = simulation.snapshot()
    for b, each in enumerate(scene.bodies):
        twin = data.body(own_name(each.name))
        np.testing.assert_allclose(twin.xpos, now.bodies.position[b], rtol=0, atol=near, err_msg=each.name)
        np.testing.assert_allclose(twin.xmat.reshape(3, 3).T, now.bodies.basis[b], rtol=0, atol=near, err_msg=each.name)
        np.testing.assert_allclose(twin.cvel[:3], now.bodies.angular_velocity[b], rtol=0, atol=30 * near)
    for k, each in enumerate(scene.particle):
        np.testing.assert_allclose(data.body(each.name).xpos, now.points.position[k], rtol=0, atol=near)


def test_a_tree_of_all_joints_moves_as_in_mujoco(tmp_path: Path) -> None:
    scene = scene_of(TREE)
    model, data, notes = written(scene, tmp_path)
    assert notes == ()
    compare(scene, data, 0.0, 1e-12)
    compare(scene, data, TIME)
    bodies = build(scene, Meshes())
    for each, properties in zip(scene.bodies, bodies.properties, strict=True):
        twin = model.body(own_name(each.name))
        assert twin.mass[0] == pytest.approx(properties.mass, rel=1e-12)
        np.testing.assert_allclose(twin.ipos, properties.center, rtol=0, atol=1e-12)
        np.testing.assert_allclose(np.sort(twin.inertia), properties.principal()[0], rtol=1e-9)


def test_our_own_reader_reads_what_is_written(tmp_path: Path) -> None:
    scene = scene_of(re.sub(r"motor = .*\n|(angular_)?velocity = .*\n", "", TREE))
    write_mjcf(scene, tmp_path / "scene.xml")
    again = read_robot(tmp_path / "scene.xml").scene
    moments = []
    for each in (scene, again):
        simulation = Simulation(each)
        simulation.advance(0.2)
        bodies = simulation.snapshot().bodies
        moments.append({body.name: bodies.position[b] for b, body in enumerate(each.bodies)})
    moments[0]["world_body"] = moments[0].pop("world")  # no body of MJCF may have that name
    assert moments[0].keys() <= moments[1].keys()
    for name, position in moments[0].items():
        np.testing.assert_allclose(moments[1][name], position, rtol=0, atol=NEAR, err_msg=name)


def test_rotors_hidden_contacts_and_stated_meshes_are_written(tmp_path: Path) -> None:
    stated = 'kind = "mesh"\nfile = "stated"\nvertices = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]\n'
    stated += "faces = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]\nstretch = [1, 2, -1]\nmass = 1\npresses = false\n"
    text = (
        HEAD
        + body("a", "[0, 0, 1]", 'contact = { ignores = ["b"] }')
        + body("b", "[0, 0, 1.1]", 'contact = { ignores = ["a"] }')
        + f"[[body.shape]]\n{stated}"
        + joint("hinge", "a", "", "[0, 0, 1]", "axis = [0, 1, 0]\narmature = 0.3\n")
    )
    model, data, notes = written(scene_of(text), tmp_path)
    assert [note.values for note in notes] == [{}]  # on contacts alone
    assert model.dof_armature[model.joint("hinge_a").dofadr[0]] == 0.3
    assert (data.ncon, model.nexclude) == (0, 1)
    assert model.geom_contype[model.geom_type == mujoco.mjtGeom.mjGEOM_MESH].tolist() == [0]
    assert pdist(model.mesh_vert).max() == pytest.approx(np.sqrt(5))


SPRINGS = (
    HEAD
    + body("bob", "[0, 0, 1]", 'support = "pivot"\n' + TURNED)
    + """
[[particle]]
name = "ball"
mass = 0.3
radius = 0.05
position = [0.3, 0.1, 0.8]
velocity = [0.2, 0.0, 0.1]
[[particle]]
name = "nail"
mass = 1.0
position = [0.5, 0.5, 1.5]
fixed = true
[[spring]]
from = "ball"
to = { body = "bob", point = [0.0, 0.1, -0.2] }
stiffness = 20.0
damping = 0.1
[[spring]]
from = "ball"
to = "nail"
stiffness = 50.0
rest_length = 0.6
pull_only = true
[[spring]]
from = "ball"
to = [1.0, 0.0, 0.5]
over = [[0.6, 0.0, 1.2], [0.9, 0.1, 1.3]]
rest_length = 1.2
stiffness = 5.0
"""
)


def test_springs_strings_and_particles_move_as_in_mujoco(tmp_path: Path) -> None:
    scene = scene_of(SPRINGS)
    _, data, notes = written(scene, tmp_path)
    assert notes == ()
    compare(scene, data, 0.0, 1e-12)
    compare(scene, data, TIME)


LOOP = (
    HEAD
    + body("a", "[0, 0, 1]")
    + body("b", "[0.5, 0, 1]")
    + body("c", "[1, 0, 1]")
    + joint("hinge", "a", "", "[0, 0, 1]", "axis = [0, 1, 0]")
    + joint("hinge", "b", "a", "[0.25, 0, 0.8]", "axis = [0, 1, 0]")
    + joint("hinge", "c", "b", "[0.75, 0, 0.8]", "axis = [0, 1, 0]").replace("hinge_c", "closing")
    + joint("hinge", "c", "", "[1, 0, 1]", "axis = [0, 1, 0]").replace("hinge_c", "last")
    + '[[joint]]\nname = "cogs"\nkind = "gear"\nfirst = "hinge_a"\nsecond = "last"\nratio = 1.0\n'
    + joint("distance", "b", "", "[0.5, 0.4, 2]", "").replace("anchor", "anchor_second")
    + joint("distance", "a", "c", "[0, 0, 1]").replace("anchor", "anchor_first").replace("distance_a", "string")
    + "length = 2.0\npull_only = true\n"
)


def test_loops_rods_strings_and_gears_are_equalities(tmp_path: Path) -> None:
    model, data, notes = written(scene_of(LOOP), tmp_path)
    assert notes == ()
    kinds = sorted(mujoco.mjtEq(kind).name for kind in model.eq_type)
    assert kinds == ["mjEQ_CONNECT", "mjEQ_CONNECT", "mjEQ_JOINT", "mjEQ_TENDON"]
    assert np.abs(data.efc_pos).max() < 1e-12  # all hold at the start
    assert model.tendon_range[model.tendon("string").id].tolist() == [0.0, 2.0]
    assert (model.exclude_signature > 0).sum() == 2  # the closing joint, and the string


ARM = (
    HEAD
    + body("a", "[0, 0, 1]", TURNED)
    + body("b", "[0.5, 0, 1]")
    + joint("hinge", "a", "", "[0, 0, 1]", "axis = [0, 1, 0]\nangle = 0.1")
    + joint("hinge", "b", "a", "[0.25, 0, 0.8]", "axis = [0, 1, 0.3]")
)
TENDON = (
    '[[joint]]\nname = "tendon"\nkind = "tendon"\njoints = ["hinge_a", "hinge_b"]\ncoefficients = [0.5, -1.5]\n'
    "dry_friction = 0.3\narmature = 0.2\nlimits = {lower = -1, upper = 2}\n"
    "spring = {stiffness = 5, damping = 0.1, rest = 0.2}\n"
)


def test_tendons_over_hinges_are_fixed_tendons(tmp_path: Path) -> None:
    scene = scene_of(ARM + TENDON + "motor = {torque = 3}\n")
    model, _, notes = written(scene, tmp_path)
    assert notes == ()
    assert model.tendon_range.tolist() == [[-1.0, 2.0]]
    assert model.tendon_lengthspring.tolist() == [[0.2, 0.2]]
    for numbers, wanted in ((model.tendon_stiffness, 5.0), (model.tendon_damping, 0.1), (model.tendon_armature, 0.2)):
        assert numbers.tolist() == [wanted]
    assert model.tendon_frictionloss.tolist() == [0.3]
    assert model.wrap_prm.tolist() == [0.5, -1.5]
    assert model.actuator("tendon.motor").biasprm[0] == 3.0
    again = read_robot(tmp_path / "scene.xml").scene
    (read,) = (joint for joint in again.joint if joint.kind == "tendon")
    (given,) = (joint for joint in scene.joint if joint.kind == "tendon")
    assert read.model_copy(update={"motor": None}) == given.model_copy(update={"motor": None})
    smooth = TENDON.replace("dry_friction = 0.3\n", "").replace("limits = {lower = -1, upper = 2}\n", "")
    smooth = scene_of(ARM + smooth)
    compare(smooth, written(smooth, tmp_path)[1], TIME)


COURSES = ARM + (
    '[[spring]]\nfrom = [0.1, 0.2, 1.5]\nto = {body = "b", point = [0.1, 0, 0.1]}\nstiffness = 20\ndamping = 0.2\n'
    'rest_length = 0.9\nover = [[0.1, 0, 0], [0, 0.3, 1.2], [0, 0.1, 0.1]]\nover_bodies = ["a", "", "a"]\n'
)


@pytest.mark.parametrize(("strands", "pulleys"), [([1, 1, 1, 1], 0), ([2, 0, 0.5, 0.5], 2), ([1, 3, 1, 0.25], 3)])
def test_strings_over_bodies_are_tendons_with_pulleys(tmp_path: Path, strands: list[float], pulleys: int) -> None:
    scene = scene_of(f"{COURSES}strands = {strands}\n")
    model, data, notes = written(scene, tmp_path)
    assert notes == ()
    assert (model.wrap_type == mujoco.mjtWrap.mjWRAP_PULLEY).sum() == pulleys
    compare(scene, data, TIME)
    (read,) = read_robot(tmp_path / "scene.xml").scene.spring
    assert [part for part in read.strands or (1.0,) * 4 if part] == [part for part in strands if part]


def test_meshes_are_written_beside_and_read_back(tmp_path: Path) -> None:
    part = 'kind = "mesh"\nfile = "part.obj"\nscale = 0.5\ndensity = 700\nposition = [0.1, 0, 0]'
    (tmp_path / "part.obj").write_text("v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 2\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n")
    shapes = [part, 'kind = "cone"\nradius = 0.1\nlength = 0.3\nmass = 1', part]
    shapes += ['kind = "torus"\nradius = 0.2\ntube_radius = 0.05\nmass = 1', 'kind = "rod"\nlength = 1\nmass = 1']
    shapes.append('kind = "tube"\nradius = 0.2\ninner_radius = 0.15\nlength = 0.3\nmass = 1')
    text = HEAD + '[[body]]\nname = "b"\n' + "".join(f"[[body.shape]]\n{each}\n" for each in shapes)
    scene = scene_of(text, tmp_path)
    out = tmp_path / "out"
    out.mkdir()
    model, _, _ = written(scene, out)
    assert sorted(file.name for file in out.glob("*.obj")) == [f"scene-mesh{number}.obj" for number in range(4)]
    assert model.ngeom == 6
    own = build(scene, Meshes()).properties[0]
    assert model.body("b").mass[0] == pytest.approx(own.mass, rel=1e-12)
    np.testing.assert_allclose(np.sort(model.body("b").inertia), own.principal()[0], rtol=1e-9)
    robot = read_robot(out / "scene.xml").scene
    assert build(robot, Meshes()).properties[0].mass == pytest.approx(own.mass, rel=1e-12)
    (out / "scene-mesh0.obj").write_text("another")
    with pytest.raises(InputError, match="other content"):
        write_mjcf(scene, out / "scene.xml")
    write_mjcf(scene, out / "scene.xml", overwrite=True)


CONTACTS = (
    HEAD
    + '[[wall]]\nname = "floor"\nstiffness = 1e4\ndamping = 20\nkinetic_friction = 0.3\nnormal = [0.1, 0, 1]\n'
    + body("a", "[0, 0, 1]", "contact = { stiffness = 1e4, kinetic_friction = 0.2, rolling = 0.1 }")
    + body("b", "[0, 0, 1.1]", "contact = { stiffness = 1e4 }")
    + body("ghost", "[0, 0, 1.2]")
)


def test_light_bodies_without_a_size_do_not_harden_walls(tmp_path: Path) -> None:
    light = '[[body]]\nname = "light"\nsupport = "free"\n[[body.shape]]\nkind = "point"\nmass = 1e-8\n'
    rates = []
    for text in (CONTACTS, CONTACTS + light):
        model, _, _ = written(scene_of(text), tmp_path)
        rates.append(model.geom("floor").solref.tolist())
    assert rates[0] == rates[1] == pytest.approx([-1e4 / 3 * 0.95**2, -20 * 0.95])


def test_contacts_touch_whom_they_touch_here(tmp_path: Path) -> None:
    model, data, notes = written(scene_of(CONTACTS), tmp_path)
    touching = {tuple(sorted((model.geom(a).bodyid[0], model.geom(b).bodyid[0]))) for a, b in data.contact.geom}
    assert touching == {(1, 2)}  # the third one lies in both, but has no contact
    for number in (1, 2, 3):
        data.joint(number - 1).qpos[2] = -0.05
        mujoco.mj_forward(model, data)
        assert any(0 in model.geom_bodyid[pair] and number in model.geom_bodyid[pair] for pair in data.contact.geom)
    np.testing.assert_allclose(model.geom("floor").friction[0], 0.3)
    np.testing.assert_allclose(data.geom("floor").xmat.reshape(3, 3)[:, 2], np.array([0.1, 0, 1]) / np.sqrt(1.01))
    assert [note.values.get("place") for note in notes] == ["body[0].contact.rolling", None]


@pytest.mark.parametrize(
    ("name", "lost"),
    [
        ("magnet_pendulum", ["body[0].dipole"]),
        ("bead_on_circle", ["bead[0]"]),
        ("eddy_current_brake", ["plate[0]", "body[0].shape[0].magnet"]),
        ("slider_crank", ["joint[0].motor"]),
        ("foucault_pendulum", ["world.rotation"]),
    ],
)
def test_what_mjcf_can_not_state_is_noted(tmp_path: Path, name: str, lost: list[str]) -> None:
    _, _, notes = written(read_scene(name), tmp_path)
    for each in lost:
        assert any(note.values.get("place") == each for note in notes), each


def test_a_point_mass_gets_a_moment_that_mujoco_takes(tmp_path: Path) -> None:
    text = HEAD + '[[body]]\nname = "bob"\n[[body.shape]]\nkind = "point"\nmass = 1\nposition = [0.3, 0, -1]\n'
    scene = scene_of(text)
    _, data, notes = written(scene, tmp_path)
    assert len(notes) == 1
    compare(scene, data, TIME)


def test_bodies_too_deep_in_each_other_are_refused(tmp_path: Path) -> None:
    links = [body(f"b{k}", f"[{k}, 0, 0]") for k in range(182)]
    ties = [joint("ball", f"b{k}", f"b{k + 1}", f"[{k}.5, 0, 0]") for k in range(181)]
    with pytest.raises(InputError, match="shorter chain"):
        write_mjcf(scene_of(HEAD + "".join(links + ties)), tmp_path / "deep.xml")


@pytest.mark.nightly
def test_all_built_in_scenes_are_read_by_mujoco(tmp_path: Path) -> None:
    for name in scene_names():
        scene = read_scene(name)
        model, data, _ = written(scene, tmp_path)
        masses = build(scene, Meshes())
        count = len(scene.bodies) - len(scene.bead)
        for each, properties in list(zip(scene.bodies, masses.properties, strict=True))[:count]:
            if each.support not in ("fixed", "driven"):
                assert model.body(each.name).mass[0] == pytest.approx(properties.mass, rel=1e-12), name
        for file in tmp_path.iterdir():
            file.unlink()
        del model, data
