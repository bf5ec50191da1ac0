"""`polhode field`: the magnetic field of a scene at points."""

from __future__ import annotations

import json
import math
import re
from pathlib import Path
from typing import Annotated

import numpy as np
from cyclopts import Parameter

from polhode.analysis.table.table_file import TABLES
from polhode.scene.files.file_io import contents
from polhode.scene.files.file_writing import check_place
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import LARGEST_FILE
from polhode_app.cli.options.arguments import check_numbers, check_steps, naming, refusal
from polhode_app.cli.options.outputs import INPUT, OUTPUT
from polhode_app.cli.options.scene_argument import SceneName
from polhode_app.cli.options.scene_settings import AS_STATED, SceneSettings, described_by
from polhode_app.cli.terminal.console import ProgressListener, progress
from polhode_app.cli.terminal.exit_status import kept
from polhode_app.cli.terminal.standard_streams import STANDARD, is_standard, table_to

AXES = "xyz"
COLUMNS = {**dict.fromkeys(AXES, "m"), **{f"field.{axis}": "T" for axis in AXES}}
NUMBER = r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?"
POINT = re.compile(rf"\s*({NUMBER})\s*,\s*({NUMBER})\s*,\s*({NUMBER})\s*")


def field(
    scene: SceneName,
    /,
    *,
    at: Annotated[
        tuple[str, ...],
        Parameter(allow_leading_hyphen=True, help="Point X,Y,Z in the laboratory [m]; may be repeated."),
    ] = (),
    points: Annotated[
        Path | None, Parameter(help="File of points: lines of x,y,z [m], below a heading or without one."), INPUT
    ] = None,
    until: Annotated[float, Parameter(help="Simulated time of the field [s].")] = 0.0,
    out: Annotated[
        Path,
        Parameter(allow_leading_hyphen=True, help="Table to write (.csv .parquet, - for standard output)."),
        OUTPUT,
    ] = Path(STANDARD),
    settings: SceneSettings = AS_STATED,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")] = False,
) -> int:
    """Magnetic flux density of a scene at points: of its dipoles, magnets and external field."""
    check_numbers(("--until", until, True))
    if not at and points is None:
        raise refusal("--at", Message("no points are named"), Message("add --at 0,0,0.1, or a file as --points"))
    if as_json and not is_standard(out):
        raise refusal("--json", Message("is for standard output"), Message("leave --out away"))
    _check_out(out)
    described = described_by(scene, settings, out)
    check_steps(until, described)
    where = np.array([*map(_point, at), *(_table(points) if points is not None else ())])

    def work() -> None:
        with naming(scene, out), progress(scene, until) as listener:
            found = _field(described, until, where, listener)
        if as_json:
            values = [[value if math.isfinite(value) else None for value in row] for row in found.tolist()]
            print(json.dumps({"time": until, "points": where.tolist(), "field": values}, indent=2))
            return
        with table_to(out, COLUMNS, {"title": described.title}) as table:
            table.add_rows(np.hstack((where, found)))

    return kept(work, scene, out)


def _check_out(out: Path) -> None:
    """Refuse a table that can't be written, before the run. Raises InputError."""
    if is_standard(out):
        return
    if out.suffix.lower() not in TABLES:
        rule = Message("the ending '{ending}' is not a known one", ending=out.suffix)
        raise InputError.of(str(out), rule, Message("use {endings}", endings=" or ".join(TABLES)))
    check_place(out)


def _field(scene: Scene, until: float, points: np.ndarray, listener: ProgressListener) -> np.ndarray:
    """(n, 3) [T] at points (n, 3) [m] after a run up to `until` [s]. Raises InputError, Diverged and Cancelled."""
    from polhode.mesh.mesh import Meshes
    from polhode.simulation.batches.chunked_run import ChunkedRun
    from polhode_app.compilation.preparation import start_simulation
    from polhode_app.sensor.playback import connect_sensor

    simulation = start_simulation(scene, Meshes(), listener)
    connect_sensor(scene, [simulation])
    ChunkedRun().advance(simulation, until, listener)
    return simulation.field(points)


def _point(text: str) -> list[float]:
    """Three numbers. Raises InputError."""
    found = POINT.fullmatch(text)
    if found is None or not all(math.isfinite(float(each)) for each in found.groups()):
        rule = Message("must be X,Y,Z, but is '{text}'", text=text)
        raise refusal("--at", rule, Message("write three numbers in metres, like 0,0,0.1"))
    return [float(each) for each in found.groups()]


def _table(path: Path) -> np.ndarray:
    """(n, 3) [m] the points of a file: three numbers in a line, below a heading or without one. Raises InputError."""
    lines = contents(path, LARGEST_FILE).decode("utf-8-sig", "replace").splitlines()
    first = 0 if POINT.fullmatch(lines[0]) else 1
    found = [POINT.fullmatch(line) for line in lines[first:] if line.strip()]
    if not found or None in found:
        place = Message("line {line}", line=first + 1 + (found.index(None) if found else 0))
        rule, remedy = Message("has no three numbers"), Message("write lines of x,y,z in metres, like 0,0,0.1")
        raise InputError.of(str(path), rule, remedy, place)
    return np.array([[float(each) for each in row.groups()] for row in found if row is not None])
