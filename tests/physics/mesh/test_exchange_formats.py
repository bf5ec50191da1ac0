"""Formats that trimesh reads: units, up axes, placed parts, and what is refused before it reads them."""

import io
import json
import struct
import zipfile

import numpy as np
import pytest
import trimesh
from meaning import Meaning

from polhode.mesh.files.exchange import EXCHANGE
from polhode.mesh.frame import LENGTHS
from polhode.mesh.mesh import Mesh, Meshes, read_mesh
from polhode.mesh.volume_integrals import enclosed
from polhode.physics.bodies.mass.mass_properties import mesh_properties
from polhode.physics.bodies.shapes import MeshShape
from polhode.scene.problem import InputError

SIZE = np.array([0.1, 0.2, 0.4])
FRAMES = {".glb": (1.0, "y"), ".gltf": (1.0, "y"), ".3mf": (0.001, "z"), ".dae": (1.0, "y"), ".off": (None, None)}
TO_Z = {"x": [1, 2, 0], "y": [0, 2, 1], "z": [0, 1, 2], None: [0, 1, 2]}  # where the extents of x, y, z come from


def exported(mesh, ending):
    """Bytes of a file of this format, written by trimesh."""
    if ending == ".gltf":
        files = mesh.export(file_type="gltf", embed_buffers=True)
        return files["model.gltf"]
    content = mesh.export(file_type=ending[1:])
    return content.encode() if isinstance(content, str) else content


def fault(path):
    """The text of the only problem of a file."""
    with pytest.raises(InputError) as error:
        read_mesh(path)
    (problem,) = error.value.problems
    assert str(error.value).startswith(f"{path}: '{path.name}' ")
    return f"{problem.rule}; {problem.remedy}"


@pytest.fixture
def written(tmp_path):
    def write(name, content):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    return write


def test_every_format_has_a_case():
    assert set(FRAMES) == set(EXCHANGE)


@pytest.mark.parametrize("ending", FRAMES)
def test_a_file_is_read_in_metres_with_z_up(ending, written):
    box = trimesh.creation.box(SIZE)
    box.apply_translation([1, 2, 3])
    mesh = Meshes().mesh(written(f"box{ending}", exported(box, ending)))
    unit, up = FRAMES[ending]
    assert (mesh.frame.unit, mesh.frame.up) == (unit, up)
    low, high = mesh.box
    assert high - low == pytest.approx(SIZE[TO_Z[up]] * (unit or 1.0), rel=1e-6)
    assert enclosed(mesh.vertices, mesh.faces)[0] == pytest.approx(SIZE.prod() * (unit or 1.0) ** 3, rel=1e-6)
    if up == "y":  # the height of the file is up here: turned about x, and not mirrored
        assert (low + high) / 2 == pytest.approx([1, -3, 2], rel=1e-6)


@pytest.mark.parametrize("ending", [".glb", ".3mf"])
def test_parts_are_placed_and_mirrored_ones_stay_outward(ending, written):
    scene = trimesh.Scene()
    corner = trimesh.Trimesh([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    mirror = np.diag([-1.0, 1.0, 1.0, 1.0])
    mirror[:3, 3] = (5, 0, 0)
    scene.add_geometry(corner)
    scene.add_geometry(corner, transform=mirror)
    mesh = Meshes().mesh(written(f"two{ending}", exported(scene, ending)))
    assert mesh.notes == ()
    unit = mesh.frame.unit
    volume, center, _ = enclosed(mesh.vertices, mesh.faces)
    assert volume == pytest.approx(2 / 6 * unit**3)
    assert center[0] == pytest.approx(2.5 * unit)


DAE_UP = {"x": "X_UP", "y": "Y_UP", "z": "Z_UP"}


def dae(asset="", more=""):
    """A COLLADA file of a box of 1 x 2 x 3 by trimesh, with another asset element and something more."""
    text = exported(trimesh.creation.box([1, 2, 3]), ".dae").decode()
    head, _, tail = text.partition("<asset>")
    return head + f"<asset>{asset}</asset>" + more + tail.partition("</asset>")[2]


@pytest.mark.parametrize("up", "xyz")
def test_dae_states_unit_and_up_axis(up, written):
    asset = f'<unit name="inch" meter="0.0254"/><up_axis>{DAE_UP[up]}</up_axis>'
    mesh = Meshes().mesh(written("box.dae", dae(asset)))
    assert (mesh.frame.unit, mesh.frame.up) == (0.0254, up)
    assert (mesh.box[1] - mesh.box[0])[2] == pytest.approx(0.0254 * (1, 2, 3)["xyz".index(up)])
    assert enclosed(mesh.vertices, mesh.faces)[0] == pytest.approx(6 * 0.0254**3)


def test_pictures_of_a_dae_are_passed_over(written, capfd):
    """Also bumpmaps, of which trimesh would write that they are missing."""
    images = '<library_images><image id="i"><init_from>../skin.png</init_from></image></library_images>'
    sampler = (
        '<newparam sid="s"><surface type="2D"><init_from>i</init_from></surface></newparam>'
        '<newparam sid="t"><sampler2D><source>s</source></sampler2D></newparam>'
    )
    texture = '<texture texture="t" texcoord="UV"/>'
    effect = (
        f'<library_effects><effect id="e"><profile_COMMON>{sampler}<technique sid="c"><phong><diffuse>{texture}'
        f'</diffuse></phong><extra><technique profile="FCOLLADA"><bump>{texture}</bump></technique></extra></technique>'
        '</profile_COMMON></effect></library_effects><library_materials><material id="m"><instance_effect url="#e"/>'
        "</material></library_materials>"
    )
    mesh = Meshes().mesh(written("image.dae", dae(more=images + effect)))
    assert enclosed(mesh.vertices, mesh.faces)[0] == pytest.approx(6)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(("name", "unit"), [("micron", 1e-6), ("inch", 0.0254), ("meter", 1.0), ("foot", 0.3048)])
def test_3mf_states_its_unit(name, unit, written):
    content = changed_3mf(lambda text: text.replace('unit="millimeter"', f'unit="{name}"'))
    mesh = Meshes().mesh(written("box.3mf", content))
    assert mesh.frame.unit == unit
    assert mesh.box[1] - mesh.box[0] == pytest.approx(np.array([1, 2, 3]) * unit)


def changed_3mf(change, name="3D/3dmodel.model", more=()):
    """A 3MF file of a box of 1 x 2 x 3 by trimesh, with one of its parts changed, and more parts."""
    source = zipfile.ZipFile(io.BytesIO(exported(trimesh.creation.box([1, 2, 3]), ".3mf")))
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for part in source.namelist():
            text = source.read(part).decode()
            archive.writestr(part, change(text) if part == name else text)
        for part, text in more:
            archive.writestr(part, text)
    return out.getvalue()


@pytest.mark.parametrize("unit", LENGTHS)
@pytest.mark.parametrize("up", "xyz")
def test_a_scene_may_give_unit_and_up_axis(unit, up, written):
    for name, content in (("b.stl", None), ("b.glb", None)):
        box = trimesh.creation.box([1, 2, 3])
        path = written(name, content or box.export(file_type=name[2:]))
        mesh = Meshes().of(MeshShape(kind="mesh", file=name, mass=1, unit=unit, up=up), path.parent)
        assert (mesh.box[1] - mesh.box[0])[2] == pytest.approx(LENGTHS[unit] * (1, 2, 3)["xyz".index(up)])
        assert enclosed(mesh.vertices, mesh.faces)[0] == pytest.approx(6 * LENGTHS[unit] ** 3)


def gltf(change):
    """A glTF file of a box by trimesh with a changed tree."""
    tree = json.loads(exported(trimesh.creation.box([1, 2, 3]), ".gltf"))
    change(tree)
    return json.dumps(tree)


def glb(change):
    """A GLB file of a box by trimesh with a changed tree."""
    content = exported(trimesh.creation.box([1, 2, 3]), ".glb")
    length = struct.unpack_from("<I", content, 12)[0]
    tree = json.loads(content[20 : 20 + length])
    change(tree)
    text = json.dumps(tree).encode()
    text += b" " * (-len(text) % 4)
    rest = content[20 + length :]
    return struct.pack("<4sIII4s", b"glTF", 2, 20 + len(text) + len(rest), len(text), b"JSON") + text + rest


def doubling(tree):
    """Forty levels of nodes, each with the next one twice: 10^12 boxes."""
    tree["nodes"] = [{"children": [k + 1, k + 1]} for k in range(40)] + [{"mesh": 0}]
    tree["scenes"] = [{"nodes": [0]}]


def doubling_3mf(text):
    levels = "".join(
        f'<object id="{k}" type="model"><components><component objectid="{k + 1}"/><component objectid="{k + 1}"/>'
        "</components></object>"
        for k in range(100, 140)
    )
    text = text.replace("</resources>", levels + "</resources>").replace('objectid="140"', 'objectid="1"')
    return text.replace("</build>", '<item objectid="100"/></build>')


ENTITY = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>'
NODE = '<library_nodes><node id="a"><instance_node url="#a"/></node></library_nodes>'
REFUSED = {
    "buffer.gltf": (gltf(lambda t: t["buffers"][0].update(uri="box.bin")), Meaning("", "refers", name="box.bin")),
    "net.gltf": (
        gltf(lambda t: t["buffers"][0].update(uri="http://a.b/c")),
        Meaning("", "refers", name="http://a.b/c"),
    ),
    "buffer.glb": (
        glb(lambda t: t["buffers"].append({"uri": "../x.bin", "byteLength": 4})),
        Meaning("", "refers", "file", name="../x.bin"),
    ),
    "image.glb": (
        glb(lambda t: t.update(images=[{"uri": "skin.png"}])),
        Meaning("", "refers", "file", name="skin.png"),
    ),
    "draco.glb": (
        glb(lambda t: t.update(extensionsRequired=["KHR_draco_mesh_compression"])),
        Meaning("", "extension", name="KHR_draco_mesh_compression"),
    ),
    "zeros.glb": (
        glb(lambda t: t["accessors"].append({"componentType": 5126, "type": "VEC3", "count": 10**12})),
        Meaning("", "arrays", most=100000000),
    ),
    "doubling.glb": (glb(doubling), Meaning("", "repeated", most=1)),
    "cycle.glb": (
        glb(lambda t: t["nodes"][-1].update(children=[len(t["nodes"]) - 1])),
        Meaning("", "contains", "itself", file="cycle.glb"),
    ),
    "fan.glb": (glb(lambda t: t["meshes"][0]["primitives"][0].update(mode=6)), Meaning("", "fans", file="fan.glb")),
    "cut.glb": (glb(lambda t: None)[:300], Meaning("", "glTF", "file", file="cut.glb")),
    "short.glb": (glb(lambda t: None)[:-40], Meaning("", "read", kind="GLB")),
    "list.gltf": ("[1, 2]", Meaning("", "glTF", "file", file="list.gltf")),
    "wrong.gltf": ('{"buffers": 3}', Meaning("", "read", kind="GLTF")),
    "empty.gltf": ('{"asset": {"version": "2.0"}}', Meaning("", "triangles", file="empty.gltf")),
    "entity.dae": (dae().replace("<COLLADA", ENTITY + "<COLLADA", 1), Meaning("", "document", file="entity.dae")),
    "geometry.dae": (
        dae().replace('<instance_geometry url="#', '<instance_geometry url="other.dae#'),
        Meaning("", "refers", file="geometry.dae"),
    ),
    "cycle.dae": (dae(more=NODE), Meaning("", "contains", "itself", file="cycle.dae")),
    "unit.dae": (dae('<unit meter="nan"/>'), Meaning("", "unknown", unit="nan")),
    "axis.dae": (dae("<up_axis>W_UP</up_axis>"), Meaning("", "unknown", axis="W_UP")),
    "cut.dae": (dae()[:500], Meaning("", "XML", file="cut.dae")),
    "text.dae": ("no XML at all", Meaning("", "XML", file="text.dae")),
    "entity.3mf": (
        changed_3mf(lambda t: t.replace("<model", ENTITY + "<model", 1)),
        Meaning("", "document", file="entity.3mf"),
    ),
    "path.3mf": (
        changed_3mf(
            lambda t: t.replace(
                "</resources>",
                '<object id="77"><components><component objectid="5" path="/3D/b.model"/></components></object>'
                "</resources>",
            )
        ),
        Meaning("", "refers", name="3D/b.model"),
    ),
    "external.3mf": (
        changed_3mf(lambda t: t.replace("Target=", 'TargetMode="External" Target='), "_rels/.rels"),
        Meaning("", "refers", name="/3D/3dmodel.model"),
    ),
    "doubling.3mf": (changed_3mf(doubling_3mf), Meaning("", "repeated", file="doubling.3mf", most=1)),
    "unit.3mf": (
        changed_3mf(lambda t: t.replace('unit="millimeter"', 'unit="mile"')),
        Meaning("", "unknown", unit="mile"),
    ),
    "bomb.3mf": (
        changed_3mf(lambda t: t, more=[("x.bin", b"\0" * 300_000_000)]),
        Meaning("", "unpacked", size="0.3", most="0.26"),
    ),
    "cut.3mf": (changed_3mf(lambda t: t)[:-50], Meaning("", "3MF", "cut", file="cut.3mf")),
    "nothing.off": ("OFF\n0 0 0\n", Meaning("", "triangles", file="nothing.off")),
    "cut.off": ("OFF\n4 4 0\n0 0 0\n1 0 0\n0 1 0\n", Meaning("", "declares", declared=8, held=3)),
    "binary.off": (b"OFF BINARY\n\0\0\0\x04", Meaning("", "form", file="binary.off")),
    "corner.off": ("OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 7\n", Meaning("", "read", kind="OFF")),
    "number.off": ("OFF\n3 1 0\n0 0 0\n1 0 zero\n0 1 0\n3 0 1 2\n", Meaning("", "read", kind="OFF")),
    "void.glb": (b"", Meaning("", "empty", "bytes", file="void.glb")),
}


@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", REFUSED)
def test_what_is_not_read_is_refused_with_rule_and_remedy(name, written):
    content, words = REFUSED[name]
    assert words.of(fault(written(name, content)))


def test_a_file_that_names_another_one_is_refused_although_that_is_there(written):
    written("box.bin", b"\0" * 1000)
    path = written("box.gltf", REFUSED["buffer.gltf"][0])
    assert Meaning("", "refers", "export", name="box.bin").of(fault(path))


@pytest.mark.parametrize("header", ["OFF\n8 6 0", "OFF 8 6 0", "# note\nCOFF\n8 6 12", "STOFF\n\n8 6 0"])
def test_variants_of_off(header, written):
    corners = [(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)]
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    lines = [f"{x} {y} {z} # corner" for x, y, z in corners] + [f"4 {a} {b} {c} {d}" for a, b, c, d in quads]
    mesh = Meshes().mesh(written("cube.off", "\n".join([header, *lines, ""])))
    assert enclosed(mesh.vertices, mesh.faces)[0] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("kind", "name"), [("stl", "a.stl"), ("stl_ascii", "a.stl"), ("ply", "a.ply"), ("obj", "a.obj")]
)
def test_files_that_trimesh_writes_open_by_the_readers_of_our_own(kind, name, written):
    ball = trimesh.creation.icosphere(subdivisions=2)
    content = ball.export(file_type=kind)
    mesh = Meshes().mesh(written(name, content))
    assert enclosed(mesh.vertices, mesh.faces)[0] == pytest.approx(ball.volume, rel=1e-6)


def test_a_mesh_goes_to_trimesh_and_back():
    ball = trimesh.creation.icosphere(subdivisions=2, radius=3)
    ball.units = "mm"
    mesh = Mesh.from_trimesh(ball)
    assert mesh.vertices == pytest.approx(ball.vertices / 1000)
    assert mesh.frame.unit == pytest.approx(0.001)
    back = mesh.to_trimesh()
    assert back.units == "meters"
    assert back.volume == pytest.approx(ball.volume * 1e-9)
    assert np.array_equal(back.faces, ball.faces)
    back.vertices += 1.0  # copies: the mesh, whose arrays are shared by caches, stays
    assert mesh.vertices == pytest.approx(ball.vertices / 1000)
    ball.units = None
    assert np.array_equal(Mesh.from_trimesh(ball).vertices, ball.vertices)
    ball.units = "parsecs of rope"
    with pytest.raises(ValueError, match="parsec"):
        Mesh.from_trimesh(ball)


@pytest.mark.parametrize("seed", range(30))
def test_our_integrals_agree_with_trimesh_on_random_closed_meshes(seed):
    """Balls with noise on every vertex, stretched, turned and far from the origin: not convex, but closed.

    Both sum over some hundred triangles; the offset of a few sizes costs two or three digits.
    """
    rng = np.random.default_rng(seed)
    shape = trimesh.creation.icosphere(subdivisions=int(rng.integers(1, 4)))
    shape.vertices *= rng.uniform(0.6, 1.4, (len(shape.vertices), 1))
    shape.vertices = shape.vertices * rng.uniform(0.1, 3, 3) @ trimesh.transformations.random_rotation_matrix(
        rng.random(3)
    )[:3, :3] + rng.uniform(-3, 3, 3)
    density = rng.uniform(1, 10)
    ours = mesh_properties(Mesh.from_trimesh(shape), density=density)
    shape.density = density
    theirs = shape.mass_properties
    assert ours.mass == pytest.approx(theirs.mass, rel=1e-11)
    assert ours.center == pytest.approx(theirs.center_mass, abs=1e-11 * 3)
    assert ours.inertia == pytest.approx(theirs.inertia, abs=1e-10 * np.abs(theirs.inertia).max())
