"""Edits of beads and their paths: functions that return a new scene. No Qt, no compiler."""

from __future__ import annotations

from typing import Any, get_args

import numpy as np

from polhode.formulas.parser import parse
from polhode.physics.paths.bead import Bead
from polhode.physics.paths.description import Path, PathBase, Spline
from polhode.physics.paths.path_geometry import point_on_path, points_on, polyline
from polhode.physics.paths.path_motions import StillPath
from polhode.scene.problem import InputError, Problem
from polhode.scene.quantity import Vector
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode_app.edit.field_numbers import by_hand

KINDS: tuple[str, ...] = tuple(
    get_args(kind.model_fields["kind"].annotation)[0] for kind in get_args(get_args(Path)[0])
)
"""All kinds of paths, by their names in the scene format."""
POINTS = 8  # points of a spline that replaces another path
INSIDE = 0.25  # start of a bead whose start parameter is outside of its new path, as a fraction of the path
FINE = 3  # dragged points are rounded to this many decades below the size of their spline
DIGITS = 6  # significant digits of computed numbers


def bead_of(scene: Scene, number: int, **changes: object) -> Bead:
    """A bead with changed fields, validated as in a scene file.

    Raises InputError, with places relative to the bead.
    """
    bead = scene.bead[number]
    table = bead.model_dump(exclude_unset=True) | {"path": bead.path.model_dump(), **changes}
    try:
        return scene_of({"bead": [table]}, bead.name).bead[0]
    except InputError as error:
        problems = [Problem(_within(problem.place), problem.rule, problem.remedy) for problem in error.problems]
        raise InputError(bead.name, problems) from None


def _within(place: str) -> str:
    """The place of a problem, relative to the bead."""
    return place.removeprefix("bead[0]").removeprefix(".")


def with_bead(scene: Scene, number: int, bead: Bead) -> Scene:
    """The scene with bead `number` replaced."""
    beads = (*scene.bead[:number], bead, *scene.bead[number + 1 :])
    return scene.model_copy(update={"bead": beads})


def with_path(scene: Scene, number: int, table: dict[str, Any]) -> Scene:
    """The scene with another path for bead `number`, whose start parameter is adapted. Raises InputError."""
    bead = bead_of(scene, number, path=table)
    return with_bead(scene, number, bead.model_copy(update={"parameter": _start(bead)}))


def _start(bead: Bead) -> float:
    """Start parameter of a bead, moved inside the path if it is beyond its ends."""
    low, high = bead.path.ends()
    inside = bead.path.closure().closed or low <= bead.parameter <= high
    return bead.parameter if inside else low + INSIDE * (high - low)


def of_kind(kind: str, old: PathBase) -> dict[str, Any]:
    """Table of a path of another kind with about the position and size of `old`."""
    points = polyline(old)
    low, high = points.min(axis=0), points.max(axis=0)
    size = _round(max(float((high - low).max()) / 2, 1e-6))
    middle = by_hand((low + high) / 2, size, FINE)
    bottom = (*middle[:2], by_hand(low, size, FINE)[2])
    tables: dict[str, dict[str, Any]] = {
        "line": {
            "start": _rounded(points[0]),
            "end": _rounded(points[len(points) // 2 if old.closure().closed else -1]),
        },
        "circle": {"radius": size, "center": middle},
        "ellipse": {"semi_axes": [size, _round(size / 2)], "center": middle},
        "parabola": {"coefficient": _round(1 / size), "range": [-size, size], "position": bottom},
        "catenary": {"a": size, "range": [-size, size], "position": bottom},
        "cycloid": {"radius": _round(size / np.pi), "position": [_round(middle[0] - size), *bottom[1:]]},
        "helix": {"radius": _round(size / 2), "pitch": _round(size / 2), "position": bottom},
        "lissajous": {"amplitudes": [size, 0.0, _round(size / 2)], "frequencies": [1, 0, 2], "position": middle},
        "spline": _through(old),
        "formula": _typed(old, size, middle),
    }
    return {"kind": kind, **tables[kind]}


def _through(old: PathBase) -> dict[str, Any]:
    """Table of a spline through points of a path."""
    closed = old.closure().closed
    q = np.linspace(*old.ends(), POINTS + closed)
    points = [_rounded(point) for point in points_on(old, q[:POINTS])]
    if np.allclose(points[0], points[-1]):
        points = points[:-1]
    return {"points": points, "closed": closed}


def _typed(old: PathBase, size: float, middle: list[float]) -> dict[str, Any]:
    """Table of a path with the formulas of `old`.

    A path without formulas gives an ellipse of half-axis `size` [m] about `middle` (3,) [m].
    """
    texts = old.formulas()
    if texts is None:
        shape = {"x": f"{size}*cos(q)", "z": f"{size / 2:g}*sin(q)", "range": [0.0, float(2 * np.pi)]}
        return {**shape, "position": middle}
    origin, axes = old.frame()
    x, y, z = (str(parse(text, ["q"])) for text in texts)
    placing: dict[str, Any] = {"position": _rounded(origin)} if origin.any() else {}
    if not np.allclose(axes, np.eye(3)):
        placing["orientation"] = {"basis": axes.T.tolist()}
    return {"x": x, "y": y, "z": z, "range": list(old.ends()), **placing}


def moved_point(points: tuple[Vector, ...], row: int, point: np.ndarray) -> tuple[Vector, ...]:
    """The points of a spline with one moved to `point` (3,) [m], rounded to the precision of dragging."""
    moved = by_hand(point, float(np.ptp(np.array(points), axis=0).max()), FINE)
    return (*points[:row], moved, *points[row + 1 :])


def with_point_after(path: Spline, row: int) -> tuple[Vector, ...]:
    """The points of a spline with one inserted after `row`, on the curve, or appended beyond its end."""
    knots = np.concatenate([[0.0], np.cumsum(path.distances())])
    if row + 1 < len(knots):
        point = point_on_path(path, float(knots[row] + knots[row + 1]) / 2)
    else:
        point = 2 * np.array(path.points[-1]) - np.array(path.points[-2])
    x, y, z = _rounded(point)
    return (*path.points[: row + 1], (x, y, z), *path.points[row + 1 :])


def moves(bead: Bead) -> bool:
    """Whether the path of a bead is in motion."""
    return not isinstance(bead.path_motion, StillPath)


def _round(number: float) -> float:
    """A number with four significant digits."""
    return float(f"{number:.{DIGITS - 2}g}")


def _rounded(point: np.ndarray) -> list[float]:
    """A position (3,) [m] rounded to 10 micrometres, or to DIGITS digits for components below 1 m."""
    return [float(f"{number:.{DIGITS}g}") if abs(number) < 1 else round(float(number), DIGITS - 1) for number in point]


def shifted(path: PathBase, shift: np.ndarray) -> PathBase:
    """The path translated by `shift` (3,) [m], laboratory frame."""

    def moved(point: Vector) -> Vector:
        x, y, z = (np.array(point) + shift).tolist()
        return x, y, z

    positions = {key: moved(getattr(path, key)) for key in ("position", "center", "start", "end") if hasattr(path, key)}
    points = {"points": tuple(map(moved, path.points))} if isinstance(path, Spline) else {}
    return path.model_copy(update=positions | points)
