"""`polhode info`: metadata of a recording, summary of a map, or the installation of the program."""

from __future__ import annotations

import json
import sys
from collections import Counter
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Parameter

from polhode.jit.storage.kept import FILES
from polhode.recording.reader import RecordedRun, read_recording
from polhode.scene.message import Message, shortened
from polhode.scene.problem import Problem
from polhode_app.cli.options.arguments import refusal
from polhode_app.cli.options.outputs import INPUT
from polhode_app.cli.sweep_command import is_map, map_info
from polhode_app.cli.terminal.exit_status import DONE
from polhode_app.edit.open_file import is_recording
from polhode_app.i18n.translation import translate_problem
from polhode_app.version import FOLDER, left_over, version


def info(
    path: Annotated[
        Path | None, Parameter(help="Recording (.vtkhdf), or map (.h5); none for the program itself."), INPUT
    ] = None,
    /,
    *,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")] = False,
) -> int:
    """Contents of a recording or of a map; without a file, version and folders of the program."""
    if path is not None and is_map(path):
        print(map_info(path, as_json))
        return DONE
    if path is not None and not is_recording(path):
        rule = Message("'{path}' is not a recording", path=path)
        raise refusal("FILE", rule, Message("use 'polhode check' for scenes"))
    found, text = (installed(), program_text) if path is None else (about(read_recording(path)), as_text)
    print(json.dumps(found, indent=2, ensure_ascii=False) if as_json else text(found))
    return DONE


def installed() -> dict[str, Any]:
    """Versions and folders of the program by key, and the folders that an older version has left beside it."""
    return {
        "version": version(),
        "python": sys.version.split()[0],
        "folder": str(FOLDER),
        "compiled": str(FILES.path),
        "left_over": [str(folder) for folder in left_over()],
    }


def program_text(program: dict[str, Any]) -> str:
    """Versions and folders of the program as lines of text, and advice about remains of an older version."""
    names = {"version": "version", "python": "Python", "folder": "program", "compiled": "kernels"}
    lines = [f"{name + ':':<12}{program[key]}" for key, name in names.items()]
    rule = Message("belongs to a version before 0.2 and was not removed with it")
    faults = [Problem(folder, rule, Message("delete this folder")) for folder in program["left_over"]]
    return "\n".join([*lines, *map(translate_problem, faults)])


def about(run: RecordedRun) -> dict[str, Any]:
    """Metadata of a recording by key: file size in bytes, solver, number of states, times in s, counts of events."""
    scene = run.scene
    return {
        "file": str(run.path),
        "bytes": run.path.stat().st_size,
        "title": shortened(run.about.title),
        "written_by": shortened(run.about.program),
        "created": shortened(run.about.created),
        "method": shortened(run.about.method),
        "time_step": run.about.time_step,
        "portable": run.about.portable,
        "moments": run.rows,
        "first": float(run.times[0]),
        "last": run.until,
        "bodies": [body.name for body in scene.bodies],
        "soft_bodies": [soft.name for soft in scene.soft],
        "particles": len(scene.particle),
        "deeds": dict(Counter(event.stored_name for event in run.events)),
    }


def as_text(metadata: dict[str, Any]) -> str:
    """The `metadata` as lines of text."""
    count = metadata["moments"]
    span = metadata["last"] - metadata["first"]  # 0 also where the time step is too small to change the time
    rate = (count - 1) / span if span > 0.0 else 0.0
    things = {
        "bodies": len(metadata["bodies"]),
        "soft bodies": len(metadata["soft_bodies"]),
        "particles": metadata["particles"],
    }
    events = ", ".join(f"{what}: {number}" for what, number in metadata["deeds"].items())
    lines = {
        "title": metadata["title"] or "-",
        "recorded": f"{metadata['created']} by {metadata['written_by']}",
        "solver": f"{metadata['method']}, time step {metadata['time_step']:g} s",
        "frames": f"{count}, from {metadata['first']:g} s to {metadata['last']:g} s, {rate:.4g} per second",
        "things": ", ".join(f"{what}: {number}" for what, number in things.items() if number) or "none",
        "events": events or "none",
        "size": f"{metadata['bytes'] / 1e6:.3g} MB",
    }
    return "\n".join(f"{name + ':':<12}{shortened(text)}" for name, text in lines.items())
