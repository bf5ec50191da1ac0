"""Broken meshes through every repair: what is closed, what its volume is then, and what stays refused."""

import numpy as np
import pytest
import trimesh
from meaning import Meaning, refuses

from polhode.mesh.mesh import Mesh, Meshes, Request
from polhode.mesh.repair import rings
from polhode.mesh.volume_integrals import enclosed
from polhode.physics.bodies.shapes import MeshShape
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of

CUBE = trimesh.creation.box([1, 1, 1])
BALL = trimesh.creation.icosphere(subdivisions=3)
FINE = trimesh.creation.icosphere(subdivisions=4)
HULL = ("convex_hull",)


def arrays(mesh):
    return np.array(mesh.vertices), np.array(mesh.faces)


def without(mesh, gone):
    vertices, faces = arrays(mesh)
    return vertices, np.delete(faces, gone, axis=0)


def flipped(mesh, which):
    vertices, faces = arrays(mesh)
    faces[which] = faces[which][:, ::-1]
    return vertices, faces


def soup(mesh, noise):
    """Each triangle with corners of its own, moved at random."""
    corners = mesh.vertices[mesh.faces].reshape(-1, 3)
    noise = np.random.default_rng(3).uniform(-noise, noise, corners.shape)
    return corners + noise, np.arange(len(corners)).reshape(-1, 3)


def together(*meshes):
    starts = np.cumsum([0, *(len(vertices) for vertices, _ in meshes)])
    return (
        np.concatenate([vertices for vertices, _ in meshes]),
        np.concatenate([faces + start for (_, faces), start in zip(meshes, starts, strict=False)]),
    )


def moved(mesh, by, scale=1.0):
    vertices, faces = arrays(mesh)
    return vertices * scale + by, faces


def inside_out(mesh):
    vertices, faces = mesh
    return vertices, faces[:, ::-1]


def cap(mesh, height):
    """Without the triangles that lie above a height."""
    return without(mesh, np.flatnonzero(mesh.triangles_center[:, 2] > height))


def off_grid(content):
    """As a file whose every triangle names its own vertices, twice."""
    vertices, faces = content
    return np.concatenate([vertices, vertices]), np.concatenate([faces[:6], faces[6:] + len(vertices)])


CAPPED = np.pi * (2 / 3 + 0.8 - 0.8**3 / 3)  # volume of the unit ball below z = 0.8

# name: mesh, steps, volume (None: refused), relative tolerance
CASES = {
    "one triangle missing": (without(CUBE, [0]), ("fill_holes",), 1.0, 1e-12),
    "a side missing": (without(CUBE, np.flatnonzero(CUBE.face_normals[:, 2] > 0.9)), ("fill_holes",), 1.0, 1e-12),
    "two opposite sides missing": (
        without(CUBE, np.flatnonzero(abs(CUBE.face_normals[:, 0]) > 0.9)),
        ("fill_holes",),
        1.0,
        1e-12,
    ),
    "three holes in a ball": (without(BALL, [0, 400, 900]), ("fill_holes",), BALL.volume, 1e-3),
    "a ball without its cap": (cap(BALL, 0.8), ("fill_holes",), CAPPED, 0.03),  # its rim is a zigzag
    "holes that touch": (without(FINE, np.arange(20)), ("fill_holes",), FINE.volume, 1e-2),
    "holes everywhere": (without(FINE, np.arange(0, 1280, 7)), ("fill_holes",), FINE.volume, 1e-2),
    "cracks": (soup(CUBE, 1e-6), ("merge",), 1.0, 1e-4),
    "cracks in a ball": (soup(BALL, 1e-5), ("merge",), BALL.volume, 1e-3),
    "wide cracks": (soup(CUBE, 0.01), HULL, 1.0, 0.08),
    "cracks and a hole": (soup(trimesh.Trimesh(*without(CUBE, [3])), 1e-6), ("merge", "fill_holes"), 1.0, 1e-4),
    "some triangles turned": (flipped(CUBE, [1, 5, 6]), ("orient",), 1.0, 1e-12),
    "half a ball turned": (flipped(BALL, np.arange(600)), ("orient",), BALL.volume, 1e-12),
    "inside out": (inside_out(arrays(BALL)), ("orient",), BALL.volume, 1e-12),
    "turned and with a hole": (
        flipped(trimesh.Trimesh(*without(CUBE, [0])), [4, 8]),
        ("orient", "fill_holes"),
        1.0,
        1e-12,
    ),
    "doubled triangles": (together(arrays(CUBE), (CUBE.vertices, CUBE.faces[:5])), ("merge",), 1.0, 1e-12),
    "all triangles twice": (together(arrays(CUBE), arrays(CUBE)), ("merge",), 1.0, 1e-12),
    "triangles without area": (
        (np.array(CUBE.vertices), np.concatenate([CUBE.faces, [[0, 0, 1], [2, 2, 2]]])),
        ("merge",),
        1.0,
        1e-12,
    ),
    "vertices that no triangle has": ((np.concatenate([CUBE.vertices, [[9, 9, 9]]]), CUBE.faces), HULL, 1.0, 1e-12),
    "two patches of vertices": (off_grid(arrays(CUBE)), ("merge",), 1.0, 1e-12),
    "far from the origin": (moved(trimesh.Trimesh(*without(CUBE, [0])), 1e4), ("merge", "fill_holes"), 1.0, 1e-6),
    "very small": (moved(trimesh.Trimesh(*soup(CUBE, 1e-6), process=False), 0, 1e-9), ("merge",), 1e-27, 1e-4),
    "hollow, with a hole in the outside": (
        together(without(BALL, [7]), inside_out(moved(BALL, 0, 0.5))),
        ("orient", "fill_holes"),
        BALL.volume * (1 - 0.125),
        1e-2,
    ),
    "two cubes, both open": (
        together(without(CUBE, [0]), moved(trimesh.Trimesh(*without(CUBE, [5])), 3)),
        ("fill_holes",),
        2.0,
        1e-12,
    ),
    "an open sheet": (without(CUBE, np.flatnonzero(CUBE.face_normals[:, 2] < 0.9)), HULL, None, None),
    "a flat sheet": ((np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0)]), np.array([(0, 1, 2)])), ("fill_holes",), None, None),
    "an inner wall": (
        together(arrays(CUBE), (np.array(CUBE.vertices), np.array([[0, 3, 7], [0, 7, 4]]))),
        HULL,
        1.0,
        1e-12,
    ),
}


@pytest.fixture
def written(tmp_path):
    def write(mesh):
        vertices, faces = mesh
        lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (faces + 1).tolist()]
        path = tmp_path / "broken.obj"
        path.write_text("\n".join(lines))
        return path

    return write


def test_there_are_many_kinds_of_damage():
    assert len(CASES) > 20


@pytest.mark.parametrize("name", CASES)
def test_a_repair_closes_the_mesh_or_it_is_refused(name, written):
    mesh, steps, volume, tolerance = CASES[name]
    request = Request(written(mesh), repair=steps)
    if volume is None:
        with refuses("broken.obj", "'broken.obj'"):
            request.read()
        return
    found = request.read()
    assert enclosed(found.vertices, found.faces)[0] == pytest.approx(volume, rel=tolerance)
    other = found.to_trimesh()
    assert other.is_watertight
    assert other.is_winding_consistent
    assert other.volume == pytest.approx(volume, rel=tolerance)
    assert all(note.startswith("'broken.obj': ") for note in found.notes)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("one triangle missing", Meaning("'broken.obj'", "holes", count=1)),
        ("cracks", Meaning("'broken.obj'", "merged", count=28)),
        ("some triangles turned", Meaning("'broken.obj'", "turned", count=3)),
        ("wide cracks", Meaning("'broken.obj'", "convex")),
    ],
)
def test_a_note_says_what_a_repair_changed(name, words, written):
    mesh, steps, *_ = CASES[name]
    assert any(words.of(note) for note in Request(written(mesh), repair=steps).read().notes)


def test_rings_use_each_edge_once():
    eight = [(0, 1), (1, 2), (2, 0), (0, 3), (3, 4), (4, 0)]  # two triangles that meet in 0
    assert sorted(map(sorted, rings([*eight, (4, 9), (9, 10)]))) == [[0, 1, 2], [0, 3, 4]]
    assert rings([(0, 1), (1, 2)]) == []
    net = [(a, b) for a in range(7) for b in range(a)]  # all pairs of 7: each vertex has six edges
    found = rings(net)
    pairs = [(ring[k - 1], ring[k]) for ring in found for k in range(len(ring))]
    assert sorted(tuple(sorted(pair, reverse=True)) for pair in pairs) == net
    assert all(len(set(ring)) == len(ring) for ring in found)


def test_condition_counts_holes_parts_and_volume():
    whole = Mesh(*arrays(CUBE)).condition()
    assert (whole.triangles, whole.vertices, whole.holes, whole.crowded, whole.parts) == (12, 8, 0, 0, 1)
    assert whole.volume == pytest.approx(1.0)
    holed = Mesh(*without(BALL, [0, 400, 900])).condition()
    assert (holed.holes, holed.parts) == (3, 1)
    pair = Mesh(*CASES["two cubes, both open"][0]).condition()
    assert (pair.holes, pair.parts) == (2, 2)
    doubled = Mesh(np.array(CUBE.vertices), np.concatenate([CUBE.faces, CUBE.faces[:5]])).condition()
    assert doubled.crowded > 0


def test_parts_are_numbered_by_volume_and_keep_their_cavities(written):
    small, large = moved(CUBE, 10, 0.5), arrays(BALL)
    path = written(together(small, large, inside_out(moved(BALL, 0.1, 0.5))))
    whole = Request(path).read()
    assert whole.part_count() == 2
    volumes = [enclosed(mesh.vertices, mesh.faces)[0] for mesh in (Request(path, part=k).read() for k in (0, 1))]
    assert volumes == pytest.approx([BALL.volume * (1 - 0.125), 0.125])
    with refuses("", count=2, name="broken.obj", number=2):
        Request(path, part=2).read()
    hull = Request(path, part=1, hull=True).read()
    assert enclosed(hull.vertices, hull.faces)[0] == pytest.approx(0.125)


def test_each_request_has_its_own_mesh(written):
    path, meshes = written(CASES["one triangle missing"][0]), Meshes()
    shapes = [MeshShape(kind="mesh", file=path.name, mass=1, **more) for more in ({"repair": ("fill_holes",)}, {})]
    closed = meshes.of(shapes[0], path.parent)
    assert meshes.of(shapes[0], path.parent) is closed
    with refuses("", "open", file="broken.obj", count=3):
        meshes.of(shapes[1], path.parent)


@pytest.mark.parametrize(
    ("fields", "place", "words"),
    [
        (
            {"repair": ["fill_hole"]},
            "repair[0]",
            Meaning("body[0].shape[0].repair[0]", value="'fill_hole'", near="fill_holes"),
        ),
        ({"repair": ["merge", "merge"]}, "repair", Meaning("body[0].shape[0].repair", "twice", step="merge")),
        ({"repair": "merge"}, "repair", Meaning("body[0].shape[0].repair", "list", value="'merge'")),
        ({"up": "Y"}, "up", Meaning("body[0].shape[0].up", "known", value="'Y'")),
        ({"up": 1}, "up", Meaning("body[0].shape[0].up", value=1)),
        ({"unit": "km"}, "unit", Meaning("body[0].shape[0].unit", "known", value="'km'")),
        ({"unit": 0.001}, "unit", Meaning("body[0].shape[0].unit", "known", value=0.001)),
        ({"part": -1}, "part", Meaning("body[0].shape[0].part", "least", limit=0, value=-1)),
        ({"part": 1.5}, "part", Meaning("body[0].shape[0].part", "whole", value=1.5)),
        ({"part": True}, "part", Meaning("body[0].shape[0].part")),
    ],
)
def test_a_bad_value_is_one_problem_with_its_place(fields, place, words):
    shape = {"kind": "mesh", "file": "a.stl", "mass": 1.0, **fields}
    with pytest.raises(InputError) as error:
        scene_of({"body": [{"name": "a", "shape": [shape]}]}, "bad.toml")
    (problem,) = error.value.problems
    assert problem.place == f"body[0].shape[0].{place}"
    assert words.of(problem)
    assert problem.remedy


def test_a_stated_unit_does_not_count_in_the_units_of_the_scene():
    units = {"length": 0.01}
    files = [{"file": "a.stl"}, {"file": "a.stl", "unit": "mm"}, {"file": "a.glb"}, {"file": "a.3mf", "scale": 2.0}]
    shapes = [{"kind": "mesh", "mass": 1.0, **file} for file in files]
    scene = scene_of({"units": units, "body": [{"name": "a", "shape": shapes}]}, "a.toml")
    assert [shape.scale for shape in scene.body[0].shape] == [0.01, 1.0, 1.0, 2.0]


def test_a_repair_that_leaves_no_triangle_is_refused(tmp_path):
    needle = np.array([[(0, 0, 0), (1e-9, 0, 0), (1, 0, 0)]])
    trimesh.Trimesh(needle[0], [(0, 1, 2)], process=False).export(tmp_path / "needle.stl")
    with refuses("", "enclose", file="needle.stl"):
        Request(tmp_path / "needle.stl", repair=("merge",)).read()


def test_a_flat_piece_is_no_part(tmp_path):
    """Two triangles back to back beside a cube: closed, but without a volume."""
    flat = trimesh.Trimesh([(5, 0, 0), (6, 0, 0), (5, 1, 0)], [(0, 1, 2), (0, 2, 1)], process=False)
    path = tmp_path / "two.obj"
    trimesh.util.concatenate([CUBE, flat]).export(path)
    assert Request(path).read().part_count() == 1
    assert enclosed(*(lambda mesh: (mesh.vertices, mesh.faces))(Request(path, part=0).read()))[0] == pytest.approx(1)
