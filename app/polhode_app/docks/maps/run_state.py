"""Words for the state of a map that is computed."""

from __future__ import annotations

from math import isfinite

from polhode.scene.message import Message
from polhode_app.data.maps.map_run import MapRun
from polhode_app.i18n.translation import translate


def button_text(run: MapRun | None) -> str:
    """Text of the button: compute the chosen sweep, or pause or continue the shown map."""
    stage = run.stage if run is not None else "new"
    if stage in ("waiting", "running"):
        return translate(Message("Pause"))
    if stage in ("paused", "refused"):
        return translate(Message("Continue"))
    return translate(Message("Compute again") if stage == "finished" else Message("Compute"))


def progress_text(run: MapRun, compiling: tuple[int, int]) -> str:
    """How far a map is, and how long it will take."""
    done = f"{100 * run.map.done:.1f} %"
    if compiling[1] and run.stage == "waiting":
        return translate(Message("compiling {done} of {total}", done=compiling[0], total=compiling[1]))
    if run.stage == "waiting":
        return translate(Message("starting..."))
    if run.stage == "running" and isfinite(run.left):
        return translate(Message("{done}, {time} left", done=done, time=duration(run.left)))
    if run.stage == "paused":
        return translate(Message("{done}, paused", done=done))
    return "" if run.stage == "finished" else done


def duration(seconds: float) -> str:
    """A time in seconds, minutes, hours or days."""
    if seconds < 90:
        return translate(Message("{count:.0f} s", count=seconds))
    if seconds < 90 * 60:
        return translate(Message("{count:.0f} min", count=seconds / 60))
    if seconds < 48 * 3600:
        return translate(Message("{count:.1f} h", count=seconds / 3600))
    return translate(Message("{count:.1f} days", count=seconds / 86_400))
