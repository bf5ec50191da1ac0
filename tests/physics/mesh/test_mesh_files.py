"""Mesh files: what is read, what is mended, and what each kind of damage is called."""

import contextlib
import os
import struct

import numpy as np
import pytest
import trimesh
from balls import ball, inside_out, together, volume
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from meaning import Meaning

from polhode.mesh.files import obj
from polhode.mesh.mesh import Mesh, Meshes, check_mesh, guess_unit, read_mesh
from polhode.physics.bodies.mass.mass_properties import mesh_properties
from polhode.physics.bodies.shapes import MeshShape
from polhode.scene.problem import InputError

CORNERS = np.array([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)], dtype=float)
QUADS = np.array([(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)])
CUBE = Mesh(CORNERS, np.concatenate([QUADS[:, [0, 1, 2]], QUADS[:, [0, 2, 3]]]))


def stl(triangles, declared=None):
    """Bytes of a binary STL file of triangles (m, 3, 3)."""
    rows = np.zeros(len(triangles), dtype=[("n", "<f4", 3), ("v", "<f4", (3, 3)), ("a", "<u2")])
    rows["v"] = triangles
    return (
        b"made for a test".ljust(80) + struct.pack("<I", len(rows) if declared is None else declared) + rows.tobytes()
    )


def text_stl(triangles):
    facets = "".join(
        "facet normal 0 0 0\n outer loop\n"
        + "".join(f"  vertex {x} {y} {z}\n" for x, y, z in t)
        + " endloop\nendfacet\n"
        for t in triangles
    )
    return f"solid a test\n{facets}endsolid a test\n".encode()


def ply(form, order, quads=QUADS, extra=()):
    """Bytes of a PLY file with quadrilaterals, then triangles, and columns that no one asked for."""
    faces = [*quads, *extra]
    header = (
        f"ply\nformat {form} 1.0\ncomment a test\nelement vertex {len(CORNERS)}\nproperty float x\nproperty uchar red\n"
        f"property double y\nproperty float z\nelement face {len(faces)}\nproperty list uchar int vertex_indices\n"
        "property list uchar float shade\nend_header\n"
    )
    if form == "ascii":
        lines = [f"{x} 255 {y} {z}" for x, y, z in CORNERS] + [f"{len(f)} {' '.join(map(str, f))} 1 0.5" for f in faces]
        return (header + "\n".join(lines) + "\n").encode()
    body = b"".join(struct.pack(order + "fBdf", x, 255, y, z) for x, y, z in CORNERS)
    body += b"".join(struct.pack(f"{order}B{len(f)}iBf", len(f), *f, 1, 0.5) for f in faces)
    return header.encode() + body


OBJ = (
    "mtllib nothing.mtl\n" + "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS) + "vt 0 0\nvn 0 0 1\n"
    "f 1/1 3/1 4/1 2/1\nf -4//1 -3//1 -1//1 -2//1\nf 1/1/1 2/1/1 6/1/1 5/1/1\nf 3 7 8 4\nf 1 5 \\\n7 3\nf 2 4 8 6\n"
).encode()
SPLIT = [(0, 2, 3), (0, 3, 1)]
GOOD = {
    "binary.stl": stl(CUBE.vertices[CUBE.faces]),
    "text.STL": text_stl(CUBE.vertices[CUBE.faces]),
    "polygons.obj": OBJ,
    "text.ply": ply("ascii", ""),
    "little.ply": ply("binary_little_endian", "<"),
    "big.ply": ply("binary_big_endian", ">", QUADS[1:], SPLIT),
    "mixed.ply": ply("ascii", "", QUADS[1:], SPLIT),
}


@pytest.fixture
def written(tmp_path):
    def write(name, content):
        (tmp_path / name).write_bytes(content)
        return tmp_path / name

    return write


def problem_of(work):
    with pytest.raises(InputError) as caught:
        work()
    (problem,) = caught.value.problems
    assert problem.remedy
    return problem.rule


@pytest.mark.parametrize("name", GOOD)
def test_cube_is_the_same_cube_in_every_format(written, name):
    mesh = Meshes().mesh(written(name, GOOD[name]))
    assert (len(mesh.vertices), len(mesh.faces)) == (8, 12)
    assert mesh.notes == ()
    ours = mesh_properties(mesh)
    assert (ours.mass, *ours.center) == pytest.approx((1, 0.5, 0.5, 0.5), rel=1e-15)


def test_merged_vertices_are_those_of_trimesh(written, tmp_path):
    ball = trimesh.creation.icosphere(subdivisions=4)
    ball.export(tmp_path / "ball.stl")
    ours, other = read_mesh(tmp_path / "ball.stl"), trimesh.load_mesh(tmp_path / "ball.stl")
    assert (ours.vertices.shape, ours.faces.shape) == (other.vertices.shape, other.faces.shape)
    assert (ours.vertices[ours.faces] == other.vertices[other.faces]).all()


def test_minus_zero_is_zero(written):
    triangles = CUBE.vertices[CUBE.faces]
    triangles[:3] = np.where(triangles[:3] == 0, -0.0, triangles[:3])
    assert len(read_mesh(written("zeros.stl", stl(triangles))).vertices) == 8


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("empty.stl", b"", Meaning("", "empty", "bytes", file="empty.stl")),
        ("none.stl", stl(np.zeros((0, 3, 3))), Meaning("", "triangles", file="none.stl")),
        ("none.obj", b"# nothing\n", Meaning("", "vertices", file="none.obj")),
        ("points.obj", b"v 0 0 0\nv 1 0 0\nv 0 1 0\n", Meaning("", "triangles", file="points.obj")),
        ("none.ply", b"ply\nformat ascii 1.0\nend_header\n", Meaning("", "faces", file="none.ply")),
        ("short.stl", b"\0" * 50, Meaning("", "short", count=50)),
        ("cut.stl", GOOD["binary.stl"][:-75], Meaning("", "triangles", declared=12, held=10.5)),
        ("count.stl", stl(CUBE.vertices[CUBE.faces], 0), Meaning("", "triangles", declared=0, held=12)),
        ("many.stl", stl(CUBE.vertices[CUBE.faces], 2**32 - 1), Meaning("", "triangles", declared=4294967295, held=12)),
        ("cut_text.stl", GOOD["text.STL"][:-40], Meaning("", facets=11)),
        ("no_end.stl", GOOD["text.STL"][:-16], Meaning("", facets=12)),
        ("word.stl", GOOD["text.STL"].replace(b"1.0", b"one"), Meaning("", "numbers", "belong", file="word.stl")),
        ("nan.stl", stl(np.full((1, 3, 3), np.nan)), Meaning("", "infinite", count=1)),
        ("inf.obj", OBJ.replace(b"v 1.0 1.0 1.0", b"v 1.0 inf 1.0"), Meaning("", "infinite", count=1)),
        ("huge.obj", OBJ.replace(b"v 1.0 1.0 1.0", b"v 1.0 1e200 1.0"), Meaning("", "infinite", count=1)),
        ("beyond.obj", OBJ.replace(b"f 3 7 8 4", b"f 3 7 9 4"), Meaning("", count=2, vertices=8)),
        ("zero.obj", OBJ.replace(b"f 3 7 8 4", b"f 0 7 8 4"), Meaning("", count=2, vertices=8)),
        ("letter.obj", OBJ.replace(b"f 3 7 8 4", b"f a 7 8 4"), Meaning("", corner="a")),
        ("plane.obj", OBJ.replace(b"v 1.0 1.0 1.0", b"v 1.0 1.0"), Meaning("", "vertex", count=2)),
        ("cut.ply", GOOD["little.ply"][:-30], Meaning("", "missing", name="face")),
        ("cut_text.ply", GOOD["text.ply"][:-40], Meaning("", "missing", name="face")),
        ("other.ply", b"PK\3\4", Meaning("", "PLY", "file", file="other.ply")),
        (
            "format.ply",
            GOOD["text.ply"].replace(b"ascii", b"morse"),
            Meaning("", "unknown", "format", file="format.ply"),
        ),
        (
            "type.ply",
            GOOD["text.ply"].replace(b"uchar red", b"colour red"),
            Meaning("", "understood", line="property colour red"),
        ),
        (
            "twice.ply",
            GOOD["text.ply"].replace(b"uchar red", b"uchar x"),
            Meaning("", "properties", file="twice.ply", name="vertex"),
        ),
        (
            "flatland.ply",
            GOOD["text.ply"].replace(b"float z", b"float w"),
            Meaning("", "vertices", "z", file="flatland.ply"),
        ),
        ("list.ply", GOOD["text.ply"].replace(b"4 0 2 3 1", b"-4 0 2 3 1"), Meaning("", "numbers", size=-4)),
        ("picture.png", b"\x89PNG", Meaning("", "unknown", ending=".png")),
    ],
)
def test_damage_has_its_own_message(written, name, content, words):
    with pytest.raises(InputError) as caught:
        read_mesh(written(name, content))
    assert words.of(caught.value)
    assert f"'{name}'" in str(caught.value)


@pytest.mark.parametrize(
    ("name", "content", "left"),
    [
        ("more.stl", GOOD["binary.stl"] + b"#" * 70, 70),
        ("count.stl", stl(np.concatenate([CUBE.vertices[CUBE.faces]] * 2), 12), 600),
        ("more_text.stl", GOOD["text.STL"] + b"\nand more\n", 8),
        ("more.ply", GOOD["big.ply"] + b"#" * 70, 70),
        ("more_text.ply", GOOD["text.ply"] + b"4 0 2 3 1 1 0.5\n", 15),
        ("more.off", CUBE.to_trimesh().export(file_type="off").encode() + b"3 0 1 2\n", 7),
    ],
)
def test_bytes_after_the_last_triangle_are_noted(written, name, content, left):
    mesh = Meshes().mesh(written(name, content))
    assert len(mesh.faces) == 12
    assert volume(mesh) == pytest.approx(1)
    (note,) = mesh.notes
    assert Meaning("", "last", file=name, count=left).of(note)


def test_negative_corners_count_from_the_newest_vertex(written):
    """trimesh alone would count them from the last vertex of the file."""
    faces = b"".join(b"f %d %d %d %d\n" % tuple(q - 8) for q in QUADS)
    vertices = "".join(f"v {x} {y} {z}\n" for x, y, z in CORNERS).encode()
    mesh = Meshes().mesh(written("back.obj", vertices + faces + b"v 5 5 5\nv 6 6 6\n"))
    assert volume(mesh) == pytest.approx(1)


def test_names_and_normals_of_text_stl_are_passed_over(written):
    text = (
        GOOD["text.STL"]
        .replace(b"solid a test", b"solid vertex normal")
        .replace(b"normal 0 0 0", b"normal -nan(ind) 0 0")
    )
    mesh = Meshes().mesh(written("names.stl", text + text.replace(b"1.0", b"3.0")))
    assert volume(mesh) == pytest.approx(27 - 1)


def test_a_mesh_hands_out_its_trimesh(written):
    mesh = Meshes().mesh(written("cube.stl", GOOD["binary.stl"]))
    assert mesh.trimesh is mesh.trimesh
    assert isinstance(mesh.trimesh, trimesh.Trimesh)
    assert (mesh.trimesh.volume, mesh.trimesh.is_watertight) == (pytest.approx(1), True)
    assert np.shares_memory(mesh.trimesh.vertices, mesh.vertices)
    own = mesh.to_trimesh()
    own.apply_scale(2)
    assert (own.volume, volume(mesh)) == (pytest.approx(8), pytest.approx(1))


def test_what_is_no_file_has_its_own_message(tmp_path):
    (tmp_path / "folder.stl").mkdir()
    with (tmp_path / "large.stl").open("wb") as file:
        file.truncate(2 * 10**9)  # a hole in the disk: nothing is written
    assert Meaning("", file="nowhere.stl", folder=tmp_path).of(problem_of(lambda: read_mesh(tmp_path / "nowhere.stl")))
    assert Meaning("", "folder", file="folder.stl").of(problem_of(lambda: read_mesh(tmp_path / "folder.stl")))
    assert Meaning("", "limit", size="2.0", most=2).of(problem_of(lambda: read_mesh(tmp_path / "large.stl")))
    assert Meaning("", "file", "can", file="null\\x00.stl").of(
        problem_of(lambda: Meshes().mesh(tmp_path / "null\0.stl"))
    )
    assert Meaning("", "cannot", "read").of(problem_of(lambda: Meshes().mesh(tmp_path / ("long" * 100 + ".stl"))))


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="the superuser may read everything")
def test_file_without_permission_has_its_own_message(written):
    path = written("secret.stl", GOOD["binary.stl"])
    path.chmod(0)
    assert "no permission" in problem_of(lambda: read_mesh(path))


BALL = ball()
SMALL, FAR = ball(radius=0.5), ball(center=(5, 0, 0))


def klein_bottle(n=8):
    """Closed, each edge with two triangles, and one-sided; the places of its vertices do not matter."""

    def vertex(i, j):
        i, j = (i - n, -j) if i >= n else (i, j)
        return i * n + j % n

    cells = [(i, j) for i in range(n) for j in range(n)]
    quads = np.array([(vertex(i, j), vertex(i + 1, j), vertex(i + 1, j + 1), vertex(i, j + 1)) for i, j in cells])
    return Mesh(np.random.default_rng(1).random((n * n, 3)), np.concatenate([quads[:, [0, 1, 2]], quads[:, [0, 2, 3]]]))


DOUBLED = Mesh(CUBE.vertices, np.concatenate([CUBE.faces, CUBE.faces[:1]]))


@pytest.mark.parametrize(
    ("mesh", "words"),
    [
        (Mesh(CUBE.vertices, CUBE.faces[1:]), Meaning("", "open", count=3)),
        (DOUBLED, Meaning("", "triangles", count=3)),
        (Mesh(CUBE.vertices * (1, 1, 0), CUBE.faces), Meaning("", "flat", "encloses", file="thing.stl")),
        (
            Mesh([(0, 0, 0), (1, 0, 0), (0, 1, 1)], [(0, 1, 2), (2, 1, 0)]),
            Meaning("", "flat", "encloses", file="thing.stl"),
        ),
        (Mesh(CUBE.vertices * 1e-40, CUBE.faces), Meaning("", "flat", "encloses", file="thing.stl")),
        (klein_bottle(), Meaning("", "inside", "bottle", file="thing.stl")),
        (Mesh(CUBE.vertices, [(0, 0, 1)]), Meaning("", "flat", "encloses", file="thing.stl")),
    ],
)
def test_what_is_no_solid_is_refused(mesh, words):
    same, (problem,) = check_mesh(mesh, "thing.stl")
    assert same is mesh
    assert problem.rule.startswith("'thing.stl' ")
    assert words.of(problem)


def flipped(mesh, which):
    faces = mesh.faces.copy()
    faces[which] = faces[which][:, ::-1]
    return Mesh(mesh.vertices, faces)


def cracked(mesh, width):
    """Every triangle with corners of its own, which lie `width` off at random."""
    corners = mesh.vertices[mesh.faces].reshape(-1, 3)
    noise = np.random.default_rng(1).uniform(-width / 2, width / 2, corners.shape)
    return Mesh(corners + noise, np.arange(len(corners)).reshape(-1, 3))


@pytest.mark.parametrize(
    ("mesh", "expected", "words"),
    [
        (inside_out(BALL), volume(BALL), Meaning("", "inside", "triangles")),
        (flipped(BALL, [3, 77, 78]), volume(BALL), Meaning("", "inverted", count=3)),
        (flipped(BALL, np.arange(20, 320)), volume(BALL), Meaning("", "inverted", count=20)),
        (Mesh(CUBE.vertices, [*CUBE.faces, (1, 1, 2)]), 1.0, Meaning("", "having", count=1)),
        (cracked(CUBE, 1e-9), 1.0, Meaning("", "neighbours", count=28)),
        (together(BALL, inside_out(SMALL)), volume(BALL) - volume(SMALL), Meaning("", "cavity", count=1, parts=2)),
        (together(inside_out(BALL), SMALL), volume(BALL) - volume(SMALL), Meaning("", "inside")),
        (together(BALL, inside_out(FAR)), 2 * volume(BALL), Meaning("", "inside", count=1, parts=2)),
    ],
)
def test_what_can_be_mended_is_mended_and_said(mesh, expected, words):
    mended, problems = check_mesh(mesh, "thing.stl")
    assert problems == []
    assert volume(mended) == pytest.approx(expected, rel=1e-8)
    assert any(words.of(note) for note in mended.notes)


def test_separate_parts_need_no_mending():
    mended, problems = check_mesh(together(BALL, FAR), "thing.stl")
    assert (problems, mended.notes) == ([], ())


def test_rounding_noise_across_the_cells_of_a_grid_is_closed():
    block = Mesh(CUBE.vertices * 0.1, CUBE.faces)
    for shift in np.linspace(0.0, 4e-7, 9):
        mended, problems = check_mesh(cracked(Mesh(block.vertices + shift, block.faces), 2e-9), "thing.stl")
        assert problems == []
        assert volume(mended) == pytest.approx(1e-3, rel=1e-6)
        assert any(Meaning("", "neighbours").of(note) for note in mended.notes)


def test_convex_hull_closes_an_open_mesh(written):
    path = written("open.stl", stl(CUBE.vertices[CUBE.faces[1:]]))
    assert Meaning("", "open", file="open.stl", count=3).of(problem_of(lambda: Meshes().mesh(path)))
    hull = Meshes().of(MeshShape(kind="mesh", file="open.stl", mass=1.0, convex_hull=True), path.parent)
    assert volume(hull) == pytest.approx(1.0)
    flat = written("flat.stl", stl(CUBE.vertices[CUBE.faces[:2]] * (1, 1, 0)))
    assert Meaning("", "convex", name="flat.stl").of(problem_of(lambda: Meshes().mesh(flat, hull=True)))


def test_file_is_read_once_and_again_when_it_has_changed(written):
    meshes = Meshes()
    path = written("thing.stl", stl(CUBE.vertices[CUBE.faces]))
    first = meshes.mesh(path)
    assert meshes.mesh(path) is first
    written("thing.stl", stl(2 * BALL.vertices[BALL.faces]))
    assert len(meshes.mesh(path).faces) == len(BALL.faces)
    path.unlink()
    assert Meaning("", file="thing.stl", folder=path.parent).of(problem_of(lambda: meshes.mesh(path)))


def test_mesh_cannot_be_changed_under_its_readers():
    with pytest.raises(ValueError, match="read-only"):
        CUBE.vertices[0, 0] = 1.0


@pytest.mark.parametrize(
    ("size", "unit"), [(0.3, ("m", 1.0)), (9.9, ("m", 1.0)), (10.1, ("mm", 0.001)), (250, ("mm", 0.001))]
)
def test_unit_is_guessed_from_the_size(size, unit):
    assert guess_unit(Mesh(CUBE.vertices * (size, 1, 0.1), CUBE.faces)) == unit


damages = st.one_of(
    st.tuples(st.just("cut"), st.integers(0, 2000), st.just(b"")),
    st.tuples(st.just("overwrite"), st.integers(0, 1500), st.binary(min_size=1, max_size=12)),
    st.tuples(st.just("insert"), st.integers(0, 1500), st.binary(min_size=1, max_size=12)),
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from(sorted(GOOD)), st.lists(damages, min_size=1, max_size=3))
def test_no_damage_to_a_file_escapes_as_another_error(written, name, blows):
    content = GOOD[name]
    for kind, at, junk in blows:
        content = (
            content[:at] + junk + {"cut": b"", "overwrite": content[at + len(junk) :], "insert": content[at:]}[kind]
        )
    with contextlib.suppress(InputError):
        assert volume(Meshes().mesh(written(name, content))) > 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.sampled_from([".stl", ".obj", ".ply"]), st.binary(max_size=300))
def test_random_bytes_are_refused(written, ending, content):
    problem_of(lambda: Meshes().mesh(written(f"random{ending}", content)))


@pytest.mark.parametrize(
    "text",
    [
        "v 0 0 0\nv 1 0 0\nv 0 1e-2 0\nf 1 2 3\n",
        "# by hand\nvn 0 0 1\nv 0 0 0\r\nv 1. 0 .5\r\nv 0 -1 +0\r\nvt 0 0\r\nf 1/1/1 2//1 3/1\r\n",
    ],
)
def test_plain_statements_are_scanned_as_all_others(text: str) -> None:
    """A quick scan of files without polygons, negative numbers and colours gives what the general one gives."""
    plain, general = obj._plain(text.replace("\r\n", "\n").encode()), obj._by_lines(text.encode())
    assert plain is not None
    assert plain.content == general.content


@pytest.mark.parametrize(
    "line", ["f 1 2 3 1", "f -1 -2 -3", "v 0 0 0 1", " v 0 0 0", "f 1 2", "v", "v 0 0 1_0", "f 1 2\\\n3"]
)
def test_other_statements_need_the_general_scan(line: str) -> None:
    assert obj._plain(f"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n{line}\n".encode()) is None
