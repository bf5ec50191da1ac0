"""Metadata of a recording: the output of `polhode info`."""

from __future__ import annotations

from collections import Counter
from typing import Any

from core.recording.reader import RecordedRun
from core.scene.problem import printable


def about(run: RecordedRun) -> dict[str, Any]:
    """Metadata of a recording by key: file size in bytes, solver, number of states, times in s, counts of events."""
    scene = run.scene
    return {
        "file": str(run.path),
        "bytes": run.path.stat().st_size,
        "title": run.about.title,
        "written_by": run.about.program,
        "created": run.about.created,
        "method": run.about.method,
        "time_step": run.about.time_step,
        "moments": run.rows,
        "first": float(run.times[0]),
        "last": run.until,
        "bodies": [body.name for body in scene.bodies],
        "soft_bodies": [soft.name for soft in scene.soft],
        "particles": len(scene.particle),
        "deeds": dict(Counter(event.name for event in run.events)),
    }


def as_text(told: dict[str, Any]) -> str:
    """The metadata `told` as lines of text."""
    count = told["moments"]
    span = told["last"] - told["first"]  # 0 also where the time step is too small to change the time
    rate = (count - 1) / span if span > 0.0 else 0.0
    things = {"bodies": len(told["bodies"]), "soft bodies": len(told["soft_bodies"]), "particles": told["particles"]}
    done = ", ".join(f"{what}: {number}" for what, number in told["deeds"].items())
    lines = {
        "title": told["title"] or "-",
        "recorded": f"{told['created']} by {told['written_by']}",
        "solver": f"{told['method']}, time step {told['time_step']:g} s",
        "moments": f"{count}, from {told['first']:g} s to {told['last']:g} s, {rate:.4g} per second",
        "things": ", ".join(f"{what}: {number}" for what, number in things.items() if number) or "none",
        "done to it": done or "nothing",
        "size": f"{told['bytes'] / 1e6:.3g} MB",
    }
    return "\n".join(f"{name + ':':<12}{printable(text)}" for name, text in lines.items())
