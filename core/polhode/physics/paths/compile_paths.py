"""Paths of a scene as kernel arrays: formulas as machine code, splines as cubic pieces."""

from __future__ import annotations

from collections.abc import Sequence
from math import tau

import numpy as np

from polhode.formulas.codegen import compile_expressions
from polhode.formulas.cubic_spline import cubic_pieces
from polhode.formulas.curve_checks import GRID, Texts, derivatives, zero_of
from polhode.physics.bodies.shapes import unit
from polhode.physics.paths.arc_length import PANELS, fill_lengths
from polhode.physics.paths.description import Cycloid, Path, PathBase, Spline
from polhode.physics.paths.path_kernels import CYCLOID, FORMULA, SPLINE, STILL, Paths, trace
from polhode.physics.paths.path_motions import PathFollows, PathMotion, SpinMotion
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem

KINDS: dict[type[PathBase], int] = {Spline: SPLINE, Cycloid: CYCLOID}  # all others are formulas


class _Numbers:
    """Constants of all formulas of a scene in one array; formulas know the index of their first one."""

    def __init__(self) -> None:
        self.all: list[float] = []

    def put(self, numbers: Sequence[float]) -> int:
        """Append constants; returns the index of the first."""
        self.all += numbers
        return len(self.all) - len(numbers)

    def code(self, texts: Texts, variable: str) -> tuple[int, int]:
        """Address of the machine code of three formulas with their two derivatives, and the index of its constants."""
        axes = [derivatives(text, variable) for text in texts]
        made = compile_expressions([axes[axis][order] for order in range(3) for axis in range(3)], [variable])
        return made.address, self.put(made.numbers.tolist())


def build_paths(rows: Sequence[tuple[Path, PathMotion]]) -> Paths:
    """Paths of the beads, in order, with their motions; equal paths and motions share their constants.

    Raises InputError where a spline turns back.
    """
    numbers, paths, moved = _Numbers(), [path for path, _ in rows], [motion for _, motion in rows]
    known = {path: index for index, path in enumerate(dict.fromkeys(paths))}
    which, splines = [known[path] for path in paths], [_pieces(path) for path in known]
    codes, ends = [_code(path, numbers) for path in known], [_internal_ends(path) for path in paths]
    codes_of_motions = {motion: _code_of_motion(motion, numbers) for motion in dict.fromkeys(moved)}
    frames, closures = [path.frame() for path in paths], [path.closure() for path in paths]
    pieces = np.cumsum([0, *(len(of_path) for _, of_path in splines)], dtype=np.int64)
    panels = [len(of_path) or PANELS for _, of_path in splines]
    first_length = np.cumsum([0, *(count + 1 for count in panels)], dtype=np.int64)
    table = Paths(
        kind=_int64([KINDS.get(type(path), FORMULA) for path in paths]),
        start=np.array([start for start, _ in ends], dtype=float),
        stop=np.array([stop for _, stop in ends], dtype=float),
        closed=np.array([closure.closed for closure in closures], dtype=bool),
        period=np.array([closure.period for closure in closures], dtype=float),
        origin=np.array([origin for origin, _ in frames]).reshape(-1, 3),
        frame=np.array([axes.T for _, axes in frames]).reshape(-1, 3, 3),
        code=_int64([codes[index][0] for index in which]),
        first=_int64([codes[index][1] for index in which]),
        follows=np.array([_follows(motion) for _, motion in rows]).reshape(-1, 4),
        along=np.array([_along(motion) for _, motion in rows]).reshape(-1, 3),
        motion=_int64([codes_of_motions[motion][0] for motion in moved]),
        first_of_motion=_int64([codes_of_motions[motion][1] for motion in moved]),
        turns=np.array([isinstance(motion, SpinMotion) for motion in moved], dtype=bool),
        axis=np.array([_spin(motion)[0] for motion in moved]).reshape(-1, 3),
        pivot=np.array([_spin(motion)[1] for motion in moved]).reshape(-1, 3),
        rate=np.array([_spin(motion)[2] for motion in moved], dtype=float),
        numbers=np.array(numbers.all, dtype=float),
        first_piece=pieces[:-1][which],
        stop_piece=pieces[1:][which],
        knots=np.concatenate([np.zeros(0), *(knots[:-1] for knots, _ in splines)]),
        ends=np.concatenate([np.zeros(0), *(knots[1:] for knots, _ in splines)]),
        pieces=np.concatenate([np.zeros((0, 3, 4)), *(pieces for _, pieces in splines)]),
        panels=_int64([panels[index] for index in which]),
        first_length=first_length[:-1][which],
        lengths=np.zeros(first_length[-1]),
    )
    if rows:  # the call alone takes longer than a scene without beads
        fill_lengths(table)
    for path, index in known.items():
        if isinstance(path, Spline):
            _check_regular(table, which.index(index))
    return table


def _int64(values: Sequence[int]) -> np.ndarray:
    return np.array(values, dtype=np.int64)


def _follows(motion: PathMotion) -> tuple[float, float, float, float]:
    """Row of `follows` (scale, offset, lowest, highest) of a motion; all zero if it does not follow the sensor."""
    return motion.numbers if isinstance(motion, PathFollows) else (0.0, 0.0, 0.0, 0.0)


def _along(motion: PathMotion) -> np.ndarray:
    """(3,) unit vector of a motion that follows the sensor, laboratory frame; zero of others."""
    return unit(motion.axis) if isinstance(motion, PathFollows) else np.zeros(3)


def _spin(motion: PathMotion) -> tuple[np.ndarray, np.ndarray, float]:
    """Unit vector (3,), point (3,) [m] and rate [rad/s] of the axis of a motion that turns; zeros of others."""
    if not isinstance(motion, SpinMotion):
        return np.zeros(3), np.zeros(3), 0.0
    return unit(motion.axis), np.array(motion.point), motion.angular_velocity


def _internal_ends(path: PathBase) -> tuple[float, float]:
    """First and last internal parameter of a path."""
    if isinstance(path, Cycloid):
        return -4 * path.radius, 8 * path.radius * path.ends()[1] / tau - 4 * path.radius
    return path.ends()


def _code(path: PathBase, numbers: _Numbers) -> tuple[int, int]:
    """Address of the code of a path, STILL without formulas, and the index of its constants or a cycloid's radius."""
    if isinstance(path, Cycloid):
        return STILL, numbers.put([path.radius])
    texts = path.formulas()
    return (STILL, 0) if texts is None else numbers.code(texts, "q")


def _code_of_motion(motion: PathMotion, numbers: _Numbers) -> tuple[int, int]:
    """Address of the code of a motion, STILL if it has no formulas, and the index of its constants."""
    texts = motion.formulas()
    return (STILL, 0) if texts is None else numbers.code(texts, "t")


def _pieces(path: PathBase) -> tuple[np.ndarray, np.ndarray]:
    """(j + 1,) knots [m] and (j, 3, 4) coefficients of a spline: periodic, or with zero second derivative at its ends.

    Knots are lengths of chords; none of another path.
    """
    if not isinstance(path, Spline):
        return np.zeros(0), np.zeros((0, 3, 4))
    points = np.array([*path.points, path.points[0]] if path.closed else path.points)
    knots = np.concatenate([[0.0], np.cumsum(path.distances())])
    return knots, cubic_pieces(knots, points, path.closed)


def _check_regular(paths: Paths, i: int) -> None:
    """Raise InputError where a spline has r' = 0: it turns back there, and dq/dt = u/|r'| is not defined."""

    def speed(q: np.ndarray) -> np.ndarray:
        found = np.empty((q.size, 3, 3))
        trace(paths, i, q.ravel(), found)
        return np.asarray(np.linalg.norm(found[:, 1], axis=1).reshape(1, *q.shape))

    knots = paths.knots[paths.first_piece[i] : paths.stop_piece[i]]
    grid = np.unique(np.concatenate([np.linspace(paths.start[i], paths.stop[i], GRID), knots]))
    where = zero_of(speed, grid)
    if where is not None:
        point = int(np.searchsorted(knots, where * (1 + 1e-12), "right")) - 1
        rule = Message("turns back on itself at q = {q:.6g} m, at or after point {point}", q=where, point=point)
        raise InputError("", [Problem(f"bead[{i}].path", rule, Message("move a point sideways"))])
