"""Unpacked files stay in the target folder, and no file is overwritten."""

from __future__ import annotations

import os
import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import h5py
import numpy as np
import pytest
import tomlkit
from command_line import polhode, refused
from meaning import Meaning, refuses

from polhode import read_scene
from polhode.recording.reader import read_recording
from polhode.recording.scene_bundle import ExtractedBundle, bundle_scene
from polhode.recording.unpacking import is_plain, plain, unpack
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of

ROOT = Path(__file__).parents[3]
KEPT = ROOT / "tests/recordings/format_1.vtkhdf"
MESH = (ROOT / "meshes/hammer.stl").read_bytes()
PARTS = (
    "..",
    ".",
    "",
    "/",
    "\\",
    "etc",
    "a",
    "~",
    "C:",
    "\0",
    "\n",
    "con",
    "NUL.stl",
    " ",
    "\u202e",
    "\ud800",
    "x" * 300,
)


def evil_names(count: int) -> Iterator[str]:
    """Names that lead out of a folder, or that no file should have; each is another one."""
    yield from ("", ".", "..", "/", "/etc/passwd", "../a", "a/..", "a/b", "\\a", "c:a", "a:b", "nul", "LPT1.stl", "a.")
    chance, known = random.Random(5), set[str]()
    while len(known) < count:
        parts = [chance.choice(PARTS) for _ in range(chance.randint(1, 4))]
        name = chance.choice(["/", "\\", "", "/../"]).join(parts)
        bad = any(each in name for each in ("/", "\\", ":", "\0", "\n", "\u202e", "\ud800")) or len(name) > 255
        if bad and name not in known:
            known.add(name)
            yield name


def everything(folder: Path) -> dict[str, bytes | str]:
    """All that lies in a folder and below, links with what they say."""
    paths = sorted(folder.rglob("*"))
    found = {
        str(path): str(path.readlink()) if path.is_symlink() else path.read_bytes()
        for path in paths
        if not path.is_dir()
    }
    return {**found, **{str(path): "folder" for path in paths if path.is_dir()}}


@pytest.mark.parametrize("name", [*evil_names(200)])
def test_an_evil_name_writes_nothing(name: str, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    before = everything(tmp_path)
    for overwrite in (False, True):
        with refuses("", "folders"):
            unpack({"good.stl": b"good", name: b"evil"}, tmp_path / "in", "evil.vtkhdf", overwrite)
    with pytest.raises(InputError):
        ExtractedBundle({name: b"evil"}, "evil.vtkhdf")
    assert everything(tmp_path) == before


@pytest.mark.parametrize("name", [*evil_names(100), "hammer.stl", "-", "0-Größe 日本.stl", "é" * 200])
def test_every_name_has_a_plain_one(name: str) -> None:
    assert is_plain(plain(12, name))
    assert plain(12, name) != plain(2, name)
    assert not is_plain(f"1-{name}") or len(name) > 100 or plain(1, name) == f"1-{name}"


def test_files_with_odd_names_are_recorded_by_plain_ones(tmp_path: Path) -> None:
    (tmp_path / 'a\\b: "c"?.stl').write_bytes(MESH)
    jelly = {"name": "jelly", "kind": "mesh", "file": 'a\\b: "c"?.stl', "scale": 0.001, "spacing": 0.01}
    jelly |= {"particle_mass": 1e-3, "stiffness": 60}
    bundle = bundle_scene(scene_of({"soft": [jelly]}, "").in_folder(tmp_path))
    assert dict(bundle.files) == {"0-a_b_ _c__.stl": MESH}
    assert bundle.scene.soft[0].file == "0-a_b_ _c__.stl"


def there(kind: str, path: Path, aside: Path) -> None:
    """Something that has this name already."""
    match kind:
        case "file":
            path.write_bytes(b"thesis")
        case "empty file":
            path.write_bytes(b"")
        case "link to a file":
            path.symlink_to(aside / "thesis.txt")
        case "link to the same":
            (aside / "same").write_bytes(b"mesh")
            path.symlink_to(aside / "same")
        case "link to nothing":
            path.symlink_to(aside / "nothing")
        case "pipe":
            os.mkfifo(path)


KINDS = ("file", "empty file", "link to a file", "link to the same", "link to nothing", "pipe")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no such files here")
@pytest.mark.parametrize("kind", KINDS)
def test_what_is_there_stays_unless_it_may_be_replaced(kind: str, tmp_path: Path) -> None:
    folder, aside = tmp_path / "in", tmp_path / "aside"
    folder.mkdir()
    aside.mkdir()
    (aside / "thesis.txt").write_bytes(b"thesis")
    there(kind, folder / "mesh.stl", aside)
    listed, outside = [*folder.iterdir()], everything(aside)
    with refuses(str(folder / "mesh.stl"), "content"):
        unpack({"other.stl": b"other", "mesh.stl": b"mesh"}, folder, "run.vtkhdf")
    assert [*folder.iterdir()] == listed
    unpack({"other.stl": b"other", "mesh.stl": b"mesh"}, folder, "run.vtkhdf", overwrite=True)
    assert everything(folder) == {str(folder / name): name[:-4].encode() for name in ("mesh.stl", "other.stl")}
    assert everything(aside) == outside


def test_a_folder_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "mesh.stl").mkdir()
    with refuses(str(tmp_path / "mesh.stl"), "folder"):
        unpack({"mesh.stl": b"mesh"}, tmp_path, "run.vtkhdf", overwrite=True)


def test_the_same_content_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mesh.stl").write_bytes(b"mesh")
    before = (tmp_path / "mesh.stl").stat()
    unpack({"mesh.stl": b"mesh"}, tmp_path, "run.vtkhdf")
    assert (tmp_path / "mesh.stl").stat() == before


# Whole recordings


def recording(path: Path, name: str, named: str | None = None) -> Path:
    """A recording with a file of this name, and a scene that names it, or another."""
    shutil.copy(KEPT, path)
    with h5py.File(path, "r+") as file:
        head = file["Polhode"]
        scene = tomlkit.parse(head["Scene"][()].decode())
        shape = {"kind": "mesh", "file": name if named is None else named, "scale": 0.001, "mass": 1.0}
        if name.endswith(".stl"):
            scene["body"][0]["shape"] = [shape]
        else:
            scene["sensor"] = {"source": "recording", "file": name}
        del head["Scene"]
        head["Scene"] = tomlkit.dumps(scene)
        head["Files"][name] = np.frombuffer(MESH, np.uint8)
    return path


def test_a_moment_brings_its_files_and_asks_before_it_replaces_any(tmp_path: Path) -> None:
    recording(tmp_path / "run.vtkhdf", "0-hammer.stl")
    (tmp_path / "0-hammer.stl").write_bytes(b"mine")
    said = refused("convert", "run.vtkhdf", "later.toml", folder=tmp_path)
    assert Meaning("later.toml: 0-hammer.stl", "content", "--overwrite").of(said)
    assert (tmp_path / "0-hammer.stl").read_bytes() == b"mine"
    assert not (tmp_path / "later.toml").exists()
    done = polhode("convert", "run.vtkhdf", "later.toml", "--overwrite", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "0-hammer.stl").read_bytes() == MESH
    assert read_scene(tmp_path / "later.toml").body[0].shape[0].file == "0-hammer.stl"
    done = polhode("convert", "run.vtkhdf", "later.toml", folder=tmp_path)  # the same files are there now
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("name", ["deep/er.stl", "../up.stl", "a:b.stl", "nul.stl", "a\nb.stl"])
def test_a_recording_with_an_evil_name_is_refused(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError):
        read_recording(recording(tmp_path / "run.vtkhdf", name))


def test_a_file_that_no_scene_names_is_not_unpacked(tmp_path: Path) -> None:
    recording(tmp_path / "run.vtkhdf", "0-hammer.stl")
    with h5py.File(tmp_path / "run.vtkhdf", "r+") as file:
        file["Polhode/Files/thesis.txt"] = np.frombuffer(b"evil", np.uint8)
    (tmp_path / "thesis.txt").write_bytes(b"mine")
    done = polhode("convert", "run.vtkhdf", "later.toml", folder=tmp_path)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "thesis.txt").read_bytes() == b"mine"


def test_no_file_takes_the_name_of_the_scene(tmp_path: Path) -> None:
    recording(tmp_path / "run.vtkhdf", "Later.toml")
    said = refused("convert", "run.vtkhdf", "later.toml", "--overwrite", folder=tmp_path)
    assert Meaning("later.toml", "file", "scene").of(said)
    assert not (tmp_path / "Later.toml").exists()


@pytest.mark.parametrize(
    "named", [str(ROOT / "meshes/hammer.stl"), "../hammer.stl", "hammer.stl", "0-x.udf#body0-shape0"]
)
def test_a_recorded_scene_names_no_file_outside(named: str, tmp_path: Path) -> None:
    with refuses("Scene", "recording"):
        read_recording(recording(tmp_path / "run.vtkhdf", "0-hammer.stl", named))
