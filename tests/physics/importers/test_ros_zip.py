"""Models in a zip of a ROS package."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning
from ros_package import ARM, PACKAGE, TETRAHEDRON

from polhode import InputError, Simulation, read_robot, read_scene, write_scene
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.recording.scene_bundle import bundle_scene
from polhode.scene.files import zip_archive

MEMBERS = {
    "ws/src/package.xml": PACKAGE.format("arm"),
    "ws/src/meshes/link.obj": TETRAHEDRON,
    "ws/src/urdf/arm.urdf": ARM.replace("MESH", "package://arm/meshes/link.obj").replace("KIND", "continuous"),
}


def packed(folder: Path, members: dict[str, str]) -> Path:
    """A zip with these members."""
    path = folder / "arm.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(name, text.replace("LIMIT", ""))
    return path


def test_a_zip_of_a_package_opens_as_its_folder(tmp_path: Path) -> None:
    path = packed(tmp_path, MEMBERS)
    for name, text in MEMBERS.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text.replace("LIMIT", ""))
    inside = read_robot(path).scene
    beside = read_robot(tmp_path / "ws/src/urdf/arm.urdf").scene
    assert inside.body[0].shape[0].file == "arm.zip#/ws/src/meshes/link.obj"
    assert sorted(tmp_path.iterdir()) == [path, tmp_path / "ws"]  # nothing is unpacked
    for scene in (inside, beside):
        build(scene, Meshes())
    np.testing.assert_array_equal(
        Meshes().of(inside.body[0].shape[0], inside.folder).vertices,
        Meshes().of(beside.body[0].shape[0], beside.folder).vertices,
    )
    assert inside.joint == beside.joint


def test_a_scene_that_names_a_mesh_in_a_zip_is_written_and_bundled(tmp_path: Path) -> None:
    scene = read_robot(packed(tmp_path, MEMBERS)).scene
    (tmp_path / "scenes").mkdir()
    write_scene(scene, tmp_path / "scenes/arm.toml")
    again = read_scene(tmp_path / "scenes/arm.toml")
    assert again.body[0].shape[0].file == "../arm.zip#/ws/src/meshes/link.obj"
    Simulation(again)
    bundle = bundle_scene(again)
    assert list(bundle.files) == ["0-arm.zip"]
    assert bundle.scene.body[0].shape[0].file == "0-arm.zip#/ws/src/meshes/link.obj"


def test_a_package_at_the_root_of_a_zip(tmp_path: Path) -> None:
    members = {name.removeprefix("ws/src/"): text for name, text in MEMBERS.items()}
    build(read_robot(packed(tmp_path, members)).scene, Meshes())


def test_of_several_models_one_is_named(tmp_path: Path) -> None:
    path = packed(tmp_path, MEMBERS | {"ws/src/urdf/other.urdf": MEMBERS["ws/src/urdf/arm.urdf"]})
    with pytest.raises(InputError, match=r"2 URDF files.*name one of .*arm\.zip#/ws/src/urdf/arm\.urdf"):
        read_robot(path)
    assert read_robot(f"{path}#/ws/src/urdf/other.urdf").scene.body


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"ws/src/urdf/arm.urdf": None}, "no URDF"),
        ({"ws/src/meshes/link.obj": None}, "not there"),
        ({"ws/src/package.xml": None}, "package"),
        ({"ws/src/urdf/arm.urdf": ARM.replace("MESH", "package://arm/../../../secret.obj")}, "leads"),
        ({"ws/src/urdf/arm.urdf": None, "../arm.urdf": ARM, "/arm.urdf": ARM}, "no URDF"),
    ],
)
def test_what_is_not_in_a_zip_is_not_looked_for_outside(
    tmp_path: Path, changes: dict[str, str | None], told: str
) -> None:
    for name in ("secret.obj", "link.obj", "package.xml"):
        (tmp_path / name).write_text(PACKAGE.format("arm") if name == "package.xml" else TETRAHEDRON)
    members = {name: text for name, text in (MEMBERS | changes).items() if text is not None}
    members = {name: text.replace("KIND", "continuous") for name, text in members.items()}
    with pytest.raises(InputError, match=told):
        read_robot(packed(tmp_path, members))


def test_damaged_and_large_zips_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = packed(tmp_path, MEMBERS)
    whole = path.read_bytes()
    for damaged in (whole[:-30], b"PK", whole.replace(b"ws/src/package.xml", b"ws/src/packa\xffe.xml")[:200]):
        path.write_bytes(damaged)
        with pytest.raises(InputError, match="zip"):
            read_robot(path)
    path.write_bytes(whole)
    monkeypatch.setattr(zip_archive, "LARGEST_DIRECTORY", 100)  # those of such a zip have more bytes
    with pytest.raises(InputError, match="list of files"):
        read_robot(path)


def test_a_member_that_unpacks_to_too_much_is_refused(tmp_path: Path) -> None:
    bomb = "<robot>" + " " * (17 * 2**20) + "</robot>"
    with pytest.raises(InputError, match="17 MB"):
        read_robot(packed(tmp_path, {"a.urdf": bomb}))


@pytest.mark.parametrize(
    ("name", "reader"), [("arm.urdf", "read_robot"), ("arm.xml", "read_robot"), ("top.udf", "read_udf")]
)
def test_read_scene_names_the_readers_of_other_formats(tmp_path: Path, name: str, reader: str) -> None:
    (tmp_path / name).write_text("<robot/>")
    with pytest.raises(InputError) as refused:
        read_scene(tmp_path / name)
    assert Meaning(name, reader=reader).of(refused.value)
