"""Conversion of scenes between the TOML format and PEM's UDF format, of models of robots to these, of all to MJCF and
to FMUs, and of lessons to worksheets.

Meshes embedded in UDF files become files, as all meshes do beside MJCF; those of robots stay where they are.
"""

from __future__ import annotations

from pathlib import Path

from polhode.exporters.uncertainties import lost_uncertainties
from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.shapes import MeshShape, Shape
from polhode.recording.unpacking import unpack
from polhode.scene.files.file_writing import replace_file
from polhode.scene.message import Message, joined
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.scene_writing import write_scene
from polhode.scene.variants.conversion import in_newest_format
from polhode.udf.meshes import mesh_source, read_mesh_in
from polhode.udf.writing import in_pem_order, write_udf
from polhode_app.cli.options.arguments import check_choices, refuse_outputs
from polhode_app.cli.options.outputs import refuse_files_of, refuse_inputs
from polhode_app.cli.options.scene_settings import AS_STATED, SceneSettings, with_values
from polhode_app.cli.terminal.console import ProgressListener
from polhode_app.edit.open_file import is_scene, open_file

FMU, WORKSHEET = ".fmu", ".pdf"
WRITTEN = (".toml", ".udf", ".xml", FMU, WORKSHEET)


def convert(
    source: Path,
    out: Path,
    overwrite: bool = False,
    settings: SceneSettings = AS_STATED,
    outputs: tuple[str, ...] = (),
    listener: ProgressListener | None = None,
) -> list[Message]:
    """Convert a scene file, with the values of its settings, to another format; returns notes for the user.

    outputs: columns that are outputs of an FMU; none: all
    listener: called with the part that is done of a worksheet, and of the library of FMUs, where that is not built yet

    Meshes embedded in a UDF file are written next to `out`; existing files are replaced only if `overwrite` is set.
    Raises InputError.
    """
    ending = out.suffix.lower()
    _check_formats(source, out, outputs)
    check_choices(source, settings.robot)
    opened = open_file(source, settings.robot)
    scene = with_values(opened.scene, str(source), settings.values)
    refuse_files_of(scene, out)
    refuse_inputs([out], [source])
    if ending == ".toml":
        if source.suffix.lower() == ending:
            scene = in_newest_format(scene)
        scene, meshes = _with_own_meshes(scene, out)
        refuse_inputs([out.parent / name for name in meshes], [source])
        unpack(meshes, out.parent, str(out), overwrite)
        write_scene(scene, out, like=source)
        return list(opened.notes)
    if ending == ".xml":
        from polhode.exporters.mjcf.document import mjcf_of  # with it comes the compiler

        export = mjcf_of(scene, out.stem, Meshes())
        refuse_files_of(scene, *(out.parent / name for name in export.files))
        export.write(out, overwrite)
        return [*opened.notes, *export.notes]
    if ending == FMU:
        return [*opened.notes, *_write_fmu(scene, out, outputs, listener)]
    if ending == WORKSHEET:
        _write_worksheet(scene, out, listener)
        return list(opened.notes)
    write_udf(scene, out, Meshes())
    return [*opened.notes, *lost_uncertainties(scene), *_renamings(scene)]


def _check_formats(source: Path, out: Path, outputs: tuple[str, ...]) -> None:
    """Raise InputError where no conversion leads from one file to the other, or the other has no outputs."""
    ending = out.suffix.lower()
    # MJCF of another model is read and written, and a scene of format 1 becomes one of format 2
    is_same = ending == source.suffix.lower() and ending not in (".xml", ".toml")
    if not is_scene(source) or ending not in WRITTEN or is_same:
        rule = Message(
            "can't be made from '{name}': conversions lead from .toml, .udf, .xml and .urdf to {endings}",
            name=source.name,
            endings=", ".join(WRITTEN),
        )
        remedy = Message("choose another ending out of {endings}", endings=", ".join(WRITTEN))
        raise InputError(str(out), [Problem("", rule, remedy)])
    if ending != FMU:
        refuse_outputs(outputs)


def _write_fmu(scene: Scene, out: Path, outputs: tuple[str, ...], listener: ProgressListener | None) -> list[Message]:
    """Write the FMU of a scene, and build its library if that has not been done; returns notes. Raises InputError."""
    from polhode.compilation.fmi_library.build import build_library  # with it comes the compiler
    from polhode.exporters.fmi.fmu import fmu_of

    made = fmu_of(scene, out.stem, lambda: build_library(listener or (lambda done: None), lambda: None), outputs)
    replace_file(out, made.content)
    return list(made.notes)


def _write_worksheet(scene: Scene, out: Path, listener: ProgressListener | None) -> None:
    """Write the worksheet of the lessons of a scene. Raises InputError."""
    from polhode_app.export.worksheet import write_worksheet  # with it come the compiler and the view

    write_worksheet(scene, out, listener or (lambda done: None))


def _renamings(scene: Scene) -> list[Message]:
    """A note on the names that PEM gives to the bodies, where they are others."""
    renamed = {body.name: name for body, name in zip(in_pem_order(scene), _names(scene), strict=True)}
    lost = [Message("'{old}' is {new}", old=old, new=new) for old, new in renamed.items() if old != new]
    return [Message("PEM has no names: {renamings}", renamings=joined(lost, ", "))] if lost else []


def _names(scene: Scene) -> list[str]:
    """Names that PEM gives to the bodies when it reads the file, in PEM's order."""
    pendulums = sum(body.support in ("pivot", "axle") for body in scene.body)
    others = len(scene.body) - pendulums
    return [*(f"pendulum{i}" for i in range(pendulums)), *(f"body{i}" for i in range(others))]


def _with_own_meshes(scene: Scene, out: Path) -> tuple[Scene, dict[str, bytes]]:
    """Return the scene with its embedded meshes in OBJ files next to `out`, and the contents of these by name."""
    names: dict[str, str] = {}
    meshes: dict[str, bytes] = {}

    def own(shape: Shape) -> Shape:
        source = mesh_source(scene.folder / shape.file) if isinstance(shape, MeshShape) and shape.has_file else None
        if not isinstance(shape, MeshShape) or source is None:
            return shape
        if shape.file not in names:
            name = names[shape.file] = f"{out.stem}-body{source[1]}-shape{source[2]}.obj"
            meshes[name] = _obj(scene.folder / shape.file).encode()
        return shape.model_copy(update={"file": names[shape.file]})

    bodies = tuple(body.model_copy(update={"shape": tuple(map(own, body.shape))}) for body in scene.body)
    return (scene.model_copy(update={"body": bodies}).in_folder(out.parent) if meshes else scene), meshes


def _obj(path: Path) -> str:
    """Text of an OBJ file with the mesh embedded in a UDF file; coordinates keep full precision."""
    vertices, polygons = read_mesh_in(path)
    lines = [f"v {x!r} {y!r} {z!r}" for x, y, z in vertices]
    lines += ["f " + " ".join(str(corner + 1) for corner in polygon) for polygon in polygons]
    return "\n".join([*lines, ""])
