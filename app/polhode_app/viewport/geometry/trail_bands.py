"""Bands of uncertainty about trails: tubes of two standard deviations, and ellipsoids at their heads.

The position of a traced point has the covariance C of first order about the undisturbed run. The cross-section of a
tube is the ellipse of two standard deviations across the path, with the axes of the part of C in that plane; deviations
along the path are those of the ellipsoid of C at the present time. From the time at which draws differ from the first
order, both are fainter and the tube is dashed.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.uncertainty.points import UncertainPoint

WIDTH = 2.0  # standard deviations on each side, as in plots
AROUND, ROWS = 16, 9  # points of a cross-section, and cross-sections of an ellipsoid
OPACITY, HEAD_OPACITY, FAINT = 0.22, 0.3, 0.45  # of tubes and ellipsoids, and factor where draws differ
DASH = 8  # points of a trail in a dash or a gap
WIDEST = 0.5  # half width, in radii of the stage, from which on nothing is drawn
ASIDE = 0.05  # distance of the run from the undisturbed one, in the same radii, from which on nothing is drawn
SLOW = 0.02  # of the highest speed: below it, as at the end of a swing, the direction of a path is that before
TURNS = np.linspace(0.0, 2 * np.pi, AROUND, endpoint=False)
HEIGHTS = np.linspace(-np.pi / 2, np.pi / 2, ROWS)
BALL = np.stack(
    np.broadcast_arrays(
        np.cos(HEIGHTS)[:, None] * np.cos(TURNS), np.cos(HEIGHTS)[:, None] * np.sin(TURNS), np.sin(HEIGHTS)[:, None]
    ),
    axis=-1,
).reshape(-1, 3)


@dataclass(frozen=True, eq=False)
class Prediction:
    """Undisturbed run of the traced points with their covariance."""

    rows: np.ndarray  # (b,) numbers of their trails
    time: np.ndarray  # (n,) [s]
    position: np.ndarray  # (b, n, 3) [m]
    covariance: np.ndarray  # (b, n, 3, 3) [m^2]
    differs_from: np.ndarray  # (b,) [s]

    @staticmethod
    def of(points: Mapping[int, UncertainPoint]) -> Prediction | None:
        """That of points by the number of their trail, all at the same times; None without any."""
        if not points:
            return None
        first, each = next(iter(points.values())), points.values()
        position, covariance = np.stack([p.position for p in each]), np.stack([p.covariance for p in each])
        return Prediction(
            np.array([*points]), first.time, position, covariance, np.array([p.differs_from for p in each])
        )

    @cached_property
    def velocity(self) -> np.ndarray:
        """(b, n, 3) [m/s]"""
        return np.gradient(self.position, self.time, axis=1)

    @cached_property
    def length(self) -> np.ndarray:
        """(b, n) [m] lengths of the paths from the start."""
        steps = np.linalg.norm(np.diff(self.position, axis=1), axis=2)
        return np.pad(np.cumsum(steps, axis=1), ((0, 0), (1, 0)))

    def at(self, times: np.ndarray) -> PredictedPoints:
        """The points at times (k,) [s]."""
        after = np.clip(np.searchsorted(self.time, times), 1, len(self.time) - 1)
        begin, step = self.time[after - 1], self.time[after] - self.time[after - 1]
        part = np.clip((times - begin) / step, 0.0, 1.0)
        weight = part[:, None]
        one, other = self.position[:, after - 1], self.position[:, after]
        leaving, coming = (step[:, None] * self.velocity[:, k] for k in (after - 1, after))
        chord = weight**2 * (3 - 2 * weight) * (other - one)
        position = one + chord + weight * (1 - weight) * ((1 - weight) * leaving - weight * coming)

        def between(values: np.ndarray) -> np.ndarray:
            share = part.reshape(-1, *[1] * (values.ndim - 2))
            return np.asarray((1 - share) * values[:, after - 1] + share * values[:, after])

        is_there = (times >= self.time[0]) & (times <= self.time[-1])
        return PredictedPoints(
            position, between(self.velocity), between(self.covariance), between(self.length), is_there
        )


class PredictedPoints(NamedTuple):
    """Traced points at some times."""

    position: np.ndarray  # (b, k, 3) [m]
    velocity: np.ndarray  # (b, k, 3) [m/s]
    covariance: np.ndarray  # (b, k, 3, 3) [m^2]
    length: np.ndarray  # (b, k) [m] of the path from the start
    is_there: np.ndarray  # (k,) bool: whether the times are those of the prediction


class TrailBands:
    """The bands of the trails of one view. One actor, which exists from the first prediction on."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._actor: vtkActor | None = None
        self._mapper = vtkPolyDataMapper()
        self._mapper.SetColorModeToDirectScalars()
        self._mapper.StaticOn()
        self._prediction: Prediction | None = None
        self._surface = pv.PolyData()
        self._on, self._step, self._radius = True, 1.0, 1.0
        self._color = np.zeros((0, 0, 4))  # (bodies, points, 4) of the trails
        self._times = np.zeros(0)  # (points,) [s] for which the next ones are known
        self._frame = np.zeros((2, 0, 0, 3))  # (2, b, points, 3) unit vectors across the paths, with little twist

    def rebuild(self, color: np.ndarray, step: float, radius: float, is_kept: bool) -> None:
        """Begin with other trails with colours (bodies, points, 4), 0 to 1; the bands are dropped unless `is_kept`.

        step: [m] between points of a trail; radius: [m] of the stage
        """
        self._color, self._step, self._radius = color, step, radius
        self.show(self._prediction if is_kept else None)

    def show(self, prediction: Prediction | None) -> None:
        """Draw other bands from now on; None for none."""
        self._prediction, self._times = prediction, np.zeros(0)
        if prediction is not None:
            if self._actor is None:
                self._actor = self._made_actor()
            rows = np.repeat([self._color.shape[1], ROWS], len(prediction.rows))
            begins = AROUND * np.cumsum([0, *rows])
            quads = np.concatenate([begin + _faces(each) for begin, each in zip(begins, rows, strict=False)])
            cells = np.column_stack([np.full(len(quads), 4), quads])
            self._surface = pv.PolyData(np.zeros((begins[-1], 3), dtype=np.float32), faces=cells.ravel())
            self._surface.point_data.set_scalars(np.zeros((begins[-1], 4), dtype=np.uint8), "color")
            self._mapper.SetInputData(self._surface)
        self.set_visible(self._on)

    def draw(self, times: np.ndarray, trails: np.ndarray) -> None:
        """Draw the bands of trails (bodies, points, 3) [m] that were traced at times (points,) [s], the newest last."""
        made = self._prediction
        if made is None or not self._on:
            return
        points, size = made.at(times), WIDTH**2 / self._radius**2
        first, second = self._frames(times, points.velocity)
        cross = [np.einsum("bki,bkij,bkj->bk", a, points.covariance, b) for a, b in _pairs(first, second)]
        root = _root_of(*cross)
        circle = np.stack([np.cos(TURNS), np.sin(TURNS)])  # (2, around)
        along = WIDTH * np.einsum("bkpq,qa->bkap", root, circle)
        tube = points.position[:, :, None] + along[..., :1] * first[:, :, None] + along[..., 1:] * second[:, :, None]
        trail = trails[made.rows]
        is_near = np.linalg.norm(points.position - trail, axis=2) < ASIDE * self._radius
        is_late = times >= made.differs_from[:, None]
        is_gap = is_late & (np.floor(points.length / (DASH * self._step)) % 2 == 1)
        is_shown = points.is_there & is_near & (size * (cross[0] + cross[2]) < WIDEST**2)
        alpha = OPACITY * self._color[made.rows, :, 3] * (is_shown & ~is_gap) * np.where(is_late, FAINT, 1.0)
        tube = np.where(is_shown[..., None, None], tube, trail[:, :, None])  # within the scene
        head = points.covariance[:, -1]
        has_head = points.is_there[-1] & is_near[:, -1] & (size * np.trace(head, axis1=1, axis2=2) < WIDEST**2)
        ellipsoid = WIDTH * np.einsum("bij,aj->bai", _root(np.where(has_head[:, None, None], head, 0.0)), BALL)
        head_alpha = HEAD_OPACITY * has_head * np.where(is_late[:, -1], FAINT, 1.0)
        heads = np.where(has_head[:, None], points.position[:, -1], trail[:, -1])[:, None] + ellipsoid
        self._write(tube, alpha, heads, head_alpha)

    def set_visible(self, on: bool) -> None:
        """Show or hide the bands."""
        self._on = on
        if self._actor is not None:
            self._actor.SetVisibility(on and self._prediction is not None)

    def remove(self) -> None:
        """Remove the actor."""
        if self._actor is not None:
            self._renderer.RemoveActor(self._actor)

    def memory(self) -> Mapping[str, np.ndarray]:
        """The prediction, by the names of its fields; {} without one."""
        made = self._prediction
        return {} if made is None else {each.name: getattr(made, each.name) for each in fields(made)}

    def recall(self, memory: Mapping[str, np.ndarray]) -> None:
        """Take over a prediction."""
        self.show(Prediction(**{each.name: memory[each.name] for each in fields(Prediction)}) if memory else None)

    def _made_actor(self) -> vtkActor:
        """An empty actor of the renderer."""
        actor = vtkActor()
        actor.SetMapper(self._mapper)
        actor.GetProperty().LightingOff()
        actor.ForceTranslucentOn()
        actor.PickableOff()
        self._renderer.AddActor(actor)
        return actor

    def _frames(self, times: np.ndarray, velocity: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Two unit vectors (b, points, 3) across the paths; those of points that are known are kept."""
        speed = np.linalg.norm(velocity, axis=2, keepdims=True)
        ahead, count = velocity / np.maximum(speed, 1e-300), len(times) - 1  # the last one is the head, which moves on
        known, left = self._times, times[:-1]
        new = int((left > known[-1]).sum()) if len(known) == count else count
        if new == count or not np.array_equal(known[new:], left[: count - new]):
            new, self._frame = count, np.zeros((2, *velocity.shape))
        self._frame[:, :, : count - new] = self._frame[:, :, new:count]
        is_slow = speed < SLOW * speed.max(axis=1, keepdims=True)
        for k in range(count - new, count + 1):
            before = self._frame[:, :, k - 1]
            across = _transported(before[0], ahead[:, k])
            other = np.cross(ahead[:, k], across)
            is_reversed = np.sum(other * before[1], axis=1, keepdims=True) < 0.0  # as at the end of a swing
            found = np.stack([across, np.where(is_reversed, -other, other)])
            self._frame[:, :, k] = np.where(is_slow[:, k], before, found) if k > 0 else found
        self._times = left.copy()
        return self._frame[0], self._frame[1]

    def _write(self, tube: np.ndarray, alpha: np.ndarray, heads: np.ndarray, head_alpha: np.ndarray) -> None:
        """Write points and opacities of tubes (b, points, around, 3) and ellipsoids (b, points, 3)."""
        assert self._prediction is not None
        colors = np.asarray(self._surface.point_data["color"])
        middle = tube[..., 0].size
        of_rows = np.round(255 * self._color[self._prediction.rows, -1, :3]).astype(np.uint8)
        points = np.asarray(self._surface.points)
        points[:middle], points[middle:] = tube.reshape(-1, 3), heads.reshape(-1, 3)
        colors[:middle, :3] = np.repeat(of_rows, tube[0, ..., 0].size, axis=0)
        colors[middle:, :3] = np.repeat(of_rows, len(BALL), axis=0)
        colors[:middle, 3] = np.repeat(np.round(255 * alpha).astype(np.uint8).ravel(), AROUND)
        colors[middle:, 3] = np.repeat(np.round(255 * head_alpha).astype(np.uint8), len(BALL))
        self._surface.GetPoints().Modified()
        self._surface.GetPointData().GetScalars().Modified()


def _faces(rows: int) -> np.ndarray:
    """(f, 4) corners of the quadrilaterals between `rows` closed rings of AROUND points."""
    row, column = np.meshgrid(np.arange(rows - 1), np.arange(AROUND), indexing="ij")
    first, second = (row * AROUND + each for each in (column, (column + 1) % AROUND))
    return np.stack([first, second, second + AROUND, first + AROUND], axis=-1).reshape(-1, 4)


def _pairs(first: np.ndarray, second: np.ndarray) -> tuple[tuple[np.ndarray, np.ndarray], ...]:
    return (first, first), (first, second), (second, second)


def _transported(before: np.ndarray, ahead: np.ndarray) -> np.ndarray:
    """(b, 3) unit vectors across directions (b, 3), turned from those before as little as possible.

    Directions may be reversed, as at the end of a swing. Where there is none before, any one.
    """
    for like in (before, np.array([[0.0, 0.0, 1.0]]), np.array([[1.0, 0.0, 0.0]])):
        found = like - np.sum(like * ahead, axis=1, keepdims=True) * ahead
        size = np.linalg.norm(found, axis=1, keepdims=True)
        if like is before:
            made, is_made = found / np.maximum(size, 1e-300), size > 0.1
        else:
            made, is_made = np.where(is_made, made, found / np.maximum(size, 1e-300)), is_made | (size > 0.1)
    return np.asarray(made)


def _root_of(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
    """(..., 2, 2) square roots of the symmetric matrices [[a, b], [b, c]], whose eigenvalues are not negative."""
    s = np.sqrt(np.maximum(a * c - b**2, 0.0))
    t = np.sqrt(np.maximum(a + c + 2 * s, 1e-300))
    return np.stack([np.stack([a + s, b], -1), np.stack([b, c + s], -1)], -1) / t[..., None, None]


def _root(matrices: np.ndarray) -> np.ndarray:
    """(b, 3, 3) square roots of symmetric matrices (b, 3, 3) whose eigenvalues are not negative."""
    values, vectors = np.linalg.eigh(np.nan_to_num(matrices))
    return np.asarray((vectors * np.sqrt(np.maximum(values, 0.0))[:, None]) @ vectors.swapaxes(1, 2))
