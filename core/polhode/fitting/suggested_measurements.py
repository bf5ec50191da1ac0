"""Suggested measurements, for data that leave unknowns open or poorly determined.

Three kinds are tried: further quantities of the same run, runs from other starts with the same quantities, and the
value of one unknown from another source. Each adds rows to the scaled sensitivities, in units of the spread of the
quantity over its run or of the size of the unknown, so that all have the same relative error. The best one leaves the
fewest directions open, and then has the largest smallest singular value of the others (E-optimality): it shrinks the
longest axis of the region of confidence. Numbers of a start and the time offset differ between runs: their share of
the rows of another run is projected out.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from polhode.fitting.determination import NOTHING
from polhode.fitting.fit import PreparedFit
from polhode.fitting.models import FitModels
from polhode.fitting.quantities.known import observe, offered
from polhode.fitting.task import FitTask
from polhode.fitting.unknowns import TIME_OFFSET, Unknown, Unknowns
from polhode.mesh.mesh import Meshes
from polhode.scene.fields import FieldPath, at
from polhode.scene.message import Message, plural
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.variants.numbers import scene_with

Kind = Literal["quantity", "start", "value"]
HELPS = 1.5  # least gain of the smallest singular value: repeating a measurement gives sqrt(2)
WEAK = 1e-3  # of the largest singular value: directions below it are poorly determined
MOST_ROWS = 500  # times of a run that are evaluated
MOST_BODIES = 4  # whose starts are varied
FLAT = 1e-6  # of the largest value of the same unit: smaller variations are rounding
NOT_MEASURED = ("momentum", "energy.", "work.", "status", "largest_")  # in names of columns that are only computed
TURNS = (0.5, 1.5)  # [rad] a body is turned further by
LEAST_RATE, LEAST_SPEED = 1.0, 1.0  # [rad/s], [m/s] added to a start, unless the run has larger ones
MOVING = ("pivot", "axle", "free")
START_FIELDS = ("tilt", "orientation", "angular_velocity", "velocity", "position")
BEAD_FIELDS = ("parameter", "speed")


@dataclass(frozen=True)
class SuggestedMeasurement:
    """A measurement, and its effect on the singular values."""

    kind: Kind
    name: str  # of the quantity, of the changed number of the start, or of the unknown
    description: Message
    before: float  # smallest singular value of the scaled sensitivities without it
    after: float  # and with it
    open_after: int  # directions that stay open
    least_determined: float  # smallest singular value of the other directions, with it

    @property
    def text(self) -> Message:
        """The description, with the number of directions that stay open."""
        if not self.open_after:
            return self.description
        return plural(
            "{measurement} ({count} direction stays open)",
            "{measurement} ({count} directions stay open)",
            measurement=self.description,
            count=self.open_after,
        )


@dataclass(frozen=True)
class _Start:
    """Another start: a number of the scene with another value."""

    name: str
    path: FieldPath
    value: float
    description: Message


def is_weak(prepared: PreparedFit) -> bool:
    """Whether the data leave a direction open, or determine it poorly."""
    values = prepared.determination.singular_values
    return bool(prepared.determination.problems) or bool(values[-1] < WEAK * values[0])


def suggested_measurements(
    prepared: PreparedFit, meshes: Meshes | None = None, most: int = 3
) -> tuple[SuggestedMeasurement, ...]:
    """Measurements that add most to the present data, at most `most` of each kind, the best ones first.

    Only those that close open directions, or without any raise the smallest singular value by HELPS. Cost: about two
    runs for each unknown, for the quantities and for each start.
    """
    given = prepared.part
    every = -(-len(given.times) // MOST_ROWS)
    task = replace(given, times=given.times[::every], values=given.values[::every])
    rows = given.sensitivities(prepared.start)
    present = np.asarray(np.linalg.qr(rows, mode="r"))
    base = _Stacked(present, len(rows), float(np.sqrt(every)))
    found = [*_quantities(task, prepared.start, base), *_values(given.unknowns, base)]
    for start in _starts(task, prepared.start):
        added = _start_rows(task, start, meshes or Meshes())
        if added is not None:
            found.append(base.with_rows("start", start.name, start.description, added))
    before = base.open_count(present, 0)
    if before:  # changes of singular values below NOTHING are rounding
        helping = [each for each in found if each.open_after < before]
    else:
        helping = [each for each in found if each.after > HELPS * each.before]
    helping.sort(key=lambda each: (each.open_after, -each.least_determined))
    kinds: tuple[Kind, ...] = ("quantity", "start", "value")
    chosen = {id(each) for kind in kinds for each in [one for one in helping if one.kind == kind][:most]}
    return tuple(each for each in helping if id(each) in chosen)


@dataclass(frozen=True, eq=False)
class _Stacked:
    """The present sensitivities, to which rows are appended."""

    present: np.ndarray  # (k, p) triangular factor
    count: int  # rows of the sensitivities
    weight: float  # of rows of thinned runs

    def with_rows(self, kind: Kind, name: str, description: Message, added: np.ndarray) -> SuggestedMeasurement:
        """The measurement with the rows (r, p)."""
        weight = 1.0 if kind == "value" else self.weight
        whole = np.concatenate([self.present, weight * added])
        before, after = (np.linalg.svd(each, compute_uv=False) for each in (self.present, whole))
        open_after = self.open_count(whole, len(added))
        least = float(after[-1 - open_after]) if open_after < len(after) else 0.0
        return SuggestedMeasurement(kind, name, description, float(before[-1]), float(after[-1]), open_after, least)

    def open_count(self, rows: np.ndarray, added: int) -> int:
        """Number of directions that sensitivities `rows` (r, p) leave open, counted as by `determination`."""
        values = np.linalg.svd(rows, compute_uv=False)
        return int(np.sum(values <= NOTHING * max(values[0], np.sqrt(self.count + added))))


def _values(unknowns: Unknowns, base: _Stacked) -> Iterator[SuggestedMeasurement]:
    """The value of each unknown, from another source."""
    for k, name in enumerate(unknowns.names):
        description = Message("measure '{name}' itself, and leave it out of the unknowns", name=name)
        yield base.with_rows("value", name, description, np.eye(len(unknowns.each))[k : k + 1])


def _quantities(task: FitTask, x: np.ndarray, base: _Stacked) -> Iterator[SuggestedMeasurement]:
    """Quantities of the scene that are not yet measured."""
    known = [name for name in offered(task.models.first) if not any(part in name for part in NOT_MEASURED)]
    names = [name for name in known if name not in task.observed.names]
    wide = _observing(task, [*task.observed.names, *names])
    run = wide.model(x)
    if not names or not np.isfinite(run).all():
        return
    rows = wide.sensitivities(x).reshape(len(task.times), -1, len(x))
    for k, size in enumerate(_spreads(run, wide.observed.units)):
        each = rows[:, k] / size
        if k >= len(task.columns) and np.isfinite(each).all():
            name = names[k - len(task.columns)]
            yield base.with_rows("quantity", name, Message("measure {quantity} as well", quantity=name), each)


def _observing(task: FitTask, names: list[str]) -> FitTask:
    """The task with quantities `names`, as if all their readings were zero; the first are its own."""
    count = len(names)
    return replace(
        task,
        values=np.zeros((len(task.times), count)),
        columns=(*task.columns, *names[len(task.columns) :]),
        observed=observe(names, task.models.first),
        sigma=np.ones(count),
    )


def _spreads(run: np.ndarray, units: tuple[str, ...]) -> np.ndarray:
    """(m,) spread of each column of a run (n, m), or its size if constant; inf if both are rounding."""
    spread, size = np.std(run, axis=0), np.abs(run).max(axis=0)
    largest = {unit: max(float(size[k]) for k, other in enumerate(units) if other == unit) for unit in units}
    least = np.array([max(FLAT * largest[unit], 1e-9) for unit in units])
    return np.where(spread > least, spread, np.where(size > least, size, np.inf))


def _starts(task: FitTask, x: np.ndarray) -> Iterator[_Start]:
    """Other starts of the first bodies that move: turned further, with more rate, and free ones with more speed."""
    scene = task.unknowns.scene
    moving = [(b, body) for b, body in enumerate(scene.body) if body.support in MOVING][:MOST_BODIES]
    unknown = [each.path for each in task.unknowns.each if each.path is not None]
    for b, body in moving:
        names = [f"{body.name}.{what}.{axis}" for what in ("angular_velocity", "velocity") for axis in "xyz"]
        run = _observing(task, [*task.observed.names, *names]).model(x)[:, len(task.columns) :]
        rate, speed = (float(np.nanmax(np.linalg.norm(part, axis=1), initial=0.0)) for part in (run[:, :3], run[:, 3:]))
        angle = body.orientation.angle
        if angle and body.support != "axle" and abs(angle) <= np.pi / 2:
            yield _Start(
                f"body[{b}].orientation.angle",
                ("body", b, "orientation", "angle"),
                2 * angle,
                Message("a run of '{body}' that starts turned by {angle:.3g} rad", body=body.name, angle=2 * angle),
            )
        if ("body", b, "orientation") not in [path[:3] for path in unknown]:
            yield from _turned(scene, b)
        yield from _pushed(scene, b, "angular_velocity", max(rate, LEAST_RATE))
        if body.support == "free":
            yield from _pushed(scene, b, "velocity", max(speed, LEAST_SPEED))


def _axes(scene: Scene, b: int) -> list[int]:
    """Axes about which a body is turned: for one on an axle, the nearest to it."""
    body = scene.body[b]
    return [int(np.argmax(np.abs(body.axis)))] if body.support == "axle" and body.axis is not None else [0, 1, 2]


def _turned(scene: Scene, b: int) -> Iterator[_Start]:
    """A body turned further about each axis."""
    for angle in TURNS:
        for axis in _axes(scene, b):
            description = Message(
                "a run of '{body}' that starts turned by {angle:.3g} rad more about {axis}",
                body=scene.body[b].name,
                angle=angle,
                axis="xyz"[axis],
            )
            yield _Start(f"body[{b}].tilt[{axis}]", ("body", b, "tilt", axis), angle, description)


def _pushed(scene: Scene, b: int, field: str, more: float) -> Iterator[_Start]:
    """A body with more angular velocity about, or more velocity along, each axis."""
    body, rounded = scene.body[b], float(f"{more:.1g}")
    for axis in _axes(scene, b) if field == "angular_velocity" else range(3):
        given = {"body": body.name, "rate": rounded, "axis": "xyz"[axis]}
        if field == "angular_velocity":
            description = Message("a run of '{body}' that starts with {rate:.3g} rad/s more about {axis}", **given)
        else:
            description = Message("a run of '{body}' that starts with {rate:.3g} m/s more along {axis}", **given)
        value = getattr(body, field)[axis] + rounded
        yield _Start(f"body[{b}].{field}[{axis}]", ("body", b, field, axis), value, description)


def _start_rows(task: FitTask, start: _Start, meshes: Meshes) -> np.ndarray | None:
    """(r, p) rows of a run from another start; None if it is invalid, or the run ends before the data."""
    try:
        unknowns = _unknowns_from(task.unknowns, start)
        moved = replace(task, unknowns=unknowns, models=FitModels(unknowns, meshes), sigma=np.ones(len(task.columns)))
    except InputError:
        return None
    moved = replace(moved, values=np.zeros(task.values.shape))
    x = np.array([each.start for each in unknowns.each]) / unknowns.scales
    run = moved.model(x)
    if not np.isfinite(run).all():
        return None
    rows = moved.sensitivities(x).reshape(*run.shape, len(x)) / _spreads(run, moved.observed.units)[:, None]
    rows = rows.reshape(-1, len(x))
    if not np.isfinite(rows).all():
        return None
    own = np.array([_is_of_run(unknowns.scene, each) for each in unknowns.each])
    if own.any():
        turned, values, _ = np.linalg.svd(rows[:, own], full_matrices=False)
        explained = turned[:, values > NOTHING * max(values[0], 1e-300)]
        rows = rows - explained @ (explained.T @ rows)
        rows[:, own] = 0.0
    return rows


def _unknowns_from(unknowns: Unknowns, start: _Start) -> Unknowns:
    """The unknowns of a scene with another start. Raises InputError."""
    scene = scene_with(unknowns.scene, (start.path,), np.array([start.value]))
    each = []
    for one in unknowns.each:
        value = one.start
        if one.path is not None and "tilt" not in one.path:
            value = float(at(scene, one.path))
        each.append(replace(one, start=value, lower=min(one.lower, value), upper=max(one.upper, value)))
    return replace(unknowns, scene=scene, each=tuple(each))


def _is_of_run(scene: Scene, unknown: Unknown) -> bool:
    """Whether an unknown belongs to one run: to its start, or to its clock."""
    path = unknown.path
    if path is None:
        return unknown.name == TIME_OFFSET
    if path[0] == "bead":
        return path[2] in BEAD_FIELDS
    if path[0] != "body" or path[2] not in START_FIELDS:
        return False
    support = scene.body[int(path[1])].support
    return support in MOVING and (support == "free" or path[2] != "position")
