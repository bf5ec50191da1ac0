"""Cells of a map: the scene that each of them starts from, and the texts about it. No Qt."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.run.status import PENDING, UNSETTLED
from polhode.scene.fields import FieldPath, at
from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone
from polhode.scene.variants.numbers import scene_with
from polhode.scene.variants.outcome import Outcome
from polhode.sweep.losses import loses_energy
from polhode.sweep.maps.map import NO_LABEL, SweepMap
from polhode.sweep.variation import Variation
from polhode_app.data.maps.map_run import MapRun
from polhode_app.edit.field_numbers import with_uncertainty_of
from polhode_app.i18n.field_names import quantity, unit_text
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.i18n.translation import translate

LONGER = 4.0  # factor of the duration of runs that is proposed where none settles
FEWEST_DONE = 8  # cells that are done, before their status is judged
LOOKS = ("title", "description", "story", "view", "sweep", "ghost", "format", "units")
"""Fields of a scene that are not part of what a sweep runs."""
STATUS_NAMES = (
    Message("pending"),
    Message("settled"),
    Message("unsettled"),
    Message("diverged"),
    Message("uncertain"),
    Message("invalid"),
)
"""Names of the statuses, in the order of STATUS of core/polhode/run/status.py."""


def scene_of_cell(run: MapRun, cell: int, now: Scene, is_drawn: bool = True) -> Scene:
    """The scene that starts as a cell of a map does; title, view, story, sweeps and ghosts are those of `now`.

    cell: flat index; is_drawn: whether numbers with draws have the value of the cell, or that of the scene

    Raises InputError for a cell whose scene is invalid.
    """
    numbers = zip(run.settings.axes, run.variation.paths, run.variation.values(np.array([cell]))[0], strict=True)
    values = {path: value for axis, path, value in numbers if is_drawn or axis.draws is None}
    made = scene_with(alone(run.scene), tuple(values), np.array([*values.values()]))
    for path in values:
        if "tilt" not in path:
            made = _with(made, path, with_uncertainty_of(at(run.scene, path), at(made, path)))
    kept: dict[str, object] = {name: getattr(now, name) for name in LOOKS}
    return made.model_copy(update=kept)


def is_of_scene(run: MapRun, scene: Scene) -> bool:
    """Whether a map was computed from a scene: the same but for its looks and the numbers that the map varies."""
    variation = run.variation
    fields = [name for name in type(scene).model_fields if name not in LOOKS]
    if all(getattr(scene, name) == getattr(run.scene, name) for name in fields):
        return True
    try:
        first = _set_alike(variation, run.scene, scene)
    except (LookupError, ValueError):
        return False
    return all(getattr(first, name) == getattr(run.scene, name) for name in fields)


def _set_alike(variation: Variation, like: Scene, scene: Scene) -> Scene:
    """`scene` with the numbers that are varied as `like` states them. Raises LookupError where it has none there."""
    for path in variation.paths:
        here = (*path[:2], "orientation") if "tilt" in path else path
        scene = _with(scene, here, at(like, here))
    return scene


def _with(part: object, path: FieldPath, value: object) -> object:
    """A copy of a part with another value at a path, without checks. Raises LookupError."""
    if not path:
        return value
    step, rest = path[0], path[1:]
    if isinstance(part, tuple) and isinstance(step, int):
        return (*part[:step], _with(part[step], rest, value), *part[step + 1 :])
    inner = _with(at(part, (step,)), rest, value)
    name = str(step) if hasattr(part, str(step)) else f"{step}_"
    return part.model_copy(update={name: inner})  # type: ignore[attr-defined]


def axis_titles(scene: Scene, made: SweepMap) -> list[str]:
    """Titles of the axes of a map of a scene, such as "bob: angular velocity x [rad/s]"."""
    axes = zip(made.sweep.axes, made.units, strict=True)
    return [parameter_name(scene, axis.parameter, unit) for axis, unit in axes]


def attractor_name(outcome: Outcome, number: int) -> str:
    """Name of an attractor: that of the body at it, or its number from 1."""
    return outcome.near[number] if outcome.near else translate(Message("attractor {number}", number=number + 1))


def status_name(status: int) -> str:
    """Name of a status in the current language."""
    return translate(STATUS_NAMES[status])


def value_title(outcome: Outcome) -> str:
    """Title of the values of a map, with their quantity."""
    return translate(outcome.row.title(outcome, quantity(outcome.quantity) if outcome.quantity else ""))


def unsettled_reason(run: MapRun) -> str:
    """Why no cell of a map of attractors, or of times to rest, settles, and the remedy; "" if some do."""
    status = run.map.status
    done, outcome = status[status != PENDING], run.settings.outcome
    if outcome.kind not in ("attractor", "settled") or done.size < FEWEST_DONE or (done != UNSETTLED).any():
        return ""
    if _may_settle(run):
        text = Message(
            "No run settles before {until:g} s. Let runs take longer, or ask for another outcome.",
            until=run.settings.until,
        )
    else:
        text = Message(
            "No run settles: nothing in the scene takes energy out of the motion. Add friction or damping, or ask for "
            "another outcome, such as the largest value of a quantity."
        )
    return translate(text)


def longer_time(run: MapRun) -> float | None:
    """Duration [s] of runs that may settle, of a map in which none does; None if some do, or nothing loses energy."""
    return LONGER * run.settings.until if _may_settle(run) and unsettled_reason(run) else None


def _may_settle(run: MapRun) -> bool:
    """Whether runs may settle later: they lose energy, or need not rest for it."""
    return bool(loses_energy(run.scene) or run.settings.outcome.features or run.settings.outcome.grid)


def _ended(outcome: Outcome, time: float) -> Message:
    """Why a run ended at a time [s]: near a named attractor it need not rest, only be unable to leave it."""
    if outcome.kind == "settled" or (outcome.kind, outcome.criterion) == ("attractor", "rests"):
        return Message("rests after {time:.3g} s", time=time)
    if outcome.kind == "attractor" and outcome.near:
        return Message("captured after {time:.3g} s", time=time)
    return Message("settled after {time:.3g} s", time=time)


def describe(run: MapRun, cell: int, labels: np.ndarray) -> list[str]:
    """Lines about a cell: the values of the axes with units, the outcome of the run, its status and its time.

    labels: (n, m, ...) numbers of the attractors of all cells
    """
    made, values = run.map, run.variation.values(np.array([cell]))[0]
    lines = [
        f"{parameter_name(run.scene, axis.parameter)} = {value:.5g} {unit_text(unit)}".rstrip()
        for axis, value, unit in zip(run.settings.axes, values, made.units, strict=True)
    ]
    status, time = int(made.status.reshape(-1)[cell]), float(made.time.reshape(-1)[cell])
    outcome, number = run.settings.outcome, int(labels.reshape(-1)[cell])
    words: Sequence[str] = [status_name(status)]
    if np.isfinite(time):
        words = [*words, translate(_ended(outcome, time))]
    if outcome.kind == "attractor" and number != NO_LABEL:
        words = [attractor_name(outcome, number), *words]
    value = float(made.value.reshape(-1)[cell])
    if outcome.kind != "attractor" and np.isfinite(value):
        words = [f"{value_title(outcome)}: {value:.6g}", *words]
    return [*lines, ", ".join(words)]
