"""Soft shadows on the ground, a floor or a slope: sample points of the surfaces are projected along the key light.

Each point represents an area; the areas that fall on each cell of a texture are summed and blurred, which gives the
attenuation of the light. This costs a fraction of rendering the shapes again, and has no hard edges.
"""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_UNSIGNED_CHAR
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import (
    vtkActor,
    vtkPolyDataMapper,
    vtkRenderer,
    vtkTexture,
)

from polhode.simulation.snapshot import BodyStates, Snapshot
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.polydata import box, set_normals
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.environment.shadow_plane import ShadowPlane, shadow_plane
from polhode_app.viewport.geometry.finishes import unlit
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.bodies import surface_samples
from polhode_app.viewport.things.point_appearance import cloud

CELLS = 128  # pixels of the texture along one side
SAMPLES = 6000  # sample points of all moving bodies
STILL_SAMPLES = 50_000  # sample points of all fixed bodies at most; they are projected once
PER_CELL = 8  # sample points of fixed bodies for each cell that their surfaces would cover
NEXT = 0.1  # [s] a larger step of time is a jump, not the next frame of a run
GOLDEN = np.pi * (1 + 5**0.5)  # [rad] golden angle between successive points on a sphere
FEW = 16  # bodies up to which each is projected by its own matrix product
FEWEST = 40  # sample points of the smallest shape
BLUR = 1.4  # [cells] standard deviation
GAUSSIAN = np.exp(-((np.arange(-3, 4) / BLUR) ** 2) / 2)
KERNEL = (GAUSSIAN / GAUSSIAN.sum()).astype(np.float32)
DENSITY = 2.5  # optical density of a surface that covers its cell once
INSIDE = 0.9  # share of the square that what moves stays in; beyond it the square follows
LEAST = 0.1  # side of the square, relative to the radius of the scene
ABOVE = 1.5e-3  # height over the plane, in radii of the stage
WIDEST = 4.0  # half side of the square at most, relative to the first one: its cells are as much coarser


class ShadowView(ViewBase):
    """A textured rectangle on the plane that shadows fall on. It follows what leaves the extent of the scene."""

    def __init__(self, renderer: vtkRenderer):
        self._image = vtkImageData()
        self._image.SetDimensions(CELLS, CELLS, 1)
        self._image.AllocateScalars(VTK_UNSIGNED_CHAR, 4)
        self._pixels = vtk_to_numpy(self._image.GetPointData().GetScalars()).reshape(CELLS, CELLS, 4)
        texture = vtkTexture()
        texture.SetInputData(self._image)
        texture.InterpolateOn()
        texture.EdgeClampOn()
        texture.SetColorModeToDirectScalars()
        self._mapper = vtkPolyDataMapper()
        self._mapper.StaticOn()  # no upstream pipeline to be checked every frame
        self._actor = vtkActor()
        self._actor.SetMapper(self._mapper)
        self._actor.SetTexture(texture)
        unlit(self._actor.GetProperty())
        self._actor.GetProperty().BackfaceCullingOn()
        self._actor.ForceTranslucentOn()
        self._actor.PickableOff()
        renderer.AddActor(self._actor)
        self._body = np.zeros(0, dtype=int)  # (n,) body of each sample point
        self._runs: list[tuple[int, slice]] = []  # bodies and slices of their sample points
        self._point = np.zeros((0, 3))  # (n, 3) [m] sample points, body frame
        self._weight = np.zeros(0)  # (n,) cells covered by each
        self._dots = np.zeros(0, dtype=int)  # (d,) point of the scene on whose sphere each dot lies
        self._off = np.zeros((0, 3))  # (d, 3) [m] offset from the centre of the sphere, laboratory frame
        self._dot_weight = np.zeros(0)  # (d,) cells covered by each dot
        self._still = np.zeros((CELLS, CELLS))  # coverage by fixed bodies
        self._corner = np.zeros(2)  # [m] of the square
        self._cell = 1.0  # [m]
        self._half, self._first_half = 1.0, 1.0  # [m] half side of the square, now and for the extent of the scene
        self._stage: Stage | None = None
        self._plane: ShadowPlane | None = None
        self._growths = 0  # of what walls reach as far as, when the square was placed
        self._drawn = (-1, -1, -1, -1)  # first and last column and row of the texture in which there are shadows
        self._has_place = True  # whether the place of the scene is drawn
        self._strength = 0.0  # largest opacity, 0 to 255
        self._due = True  # whether the next snapshot is projected
        self._time = 0.0  # [s] of the last snapshot

    def rebuild(self, stage: Stage) -> None:
        """Place the square and choose sample points."""
        self._stage, plane = stage, shadow_plane(stage, self._has_place)
        low, high = (np.clip(end, plane.low, plane.high) for end in box((stage.extent - plane.origin) @ plane.onto))
        # shadows of high things may fall beside what is drawn of the floor, where nothing is left of the square
        self._first_half = 0.55 * max(float((high - low).max()), LEAST * stage.radius)
        self._strength = 255 * stage.theme.shadow_strength
        self._pixels[:, :, :3] = np.round(255 * np.array(rgb(stage.theme.shadow)))
        self._set_square(plane, (low + high) / 2, self._first_half)
        self._due = True
        self.update(stage.start)

    def _set_square(self, plane: ShadowPlane, center: np.ndarray, half: float) -> None:
        """Place the square of half side `half` [m] about `center` (2,) [m] of a plane, and choose sample points."""
        stage = self._stage
        assert stage is not None
        self._plane, self._half, self._corner, self._cell = plane, half, center - half, 2 * half / CELLS
        self._growths = stage.swept.growths
        self._drawn = (-1, -1, -1, -1)
        moving = set(stage.moving)
        fixed = [i for i in range(len(stage.solids)) if i not in moving and i not in stage.unseen]
        self._sample(stage, fixed, STILL_SAMPLES, PER_CELL)
        self._still = self._fallen(stage.bodies)
        self._sample(stage, sorted(moving), SAMPLES)
        self._cover(stage)

    def _follow(self, now: Snapshot) -> None:
        """Move the square to what moves once that has left the extent, and widen it where things go apart.

        What is too far from most others is left out, so that the cells of the texture stay small.
        """
        stage, plane = self._stage, self._plane
        if stage is None or plane is None or not stage.swept.growths:
            return
        reached = np.vstack([now.bodies.position[stage.moving], now.points.position]).clip(*stage.swept.ends)
        positions = (reached - plane.origin) @ plane.onto
        near = positions[(abs(positions - np.median(positions, axis=0)) < (WIDEST - 1) * self._first_half).all(axis=1)]
        if not len(near):
            return
        if (abs(near - self._corner - self._half) > INSIDE * self._half).any():
            low, high = box(near)
            half = max(self._first_half, float((high - low).max()) / 2 + self._first_half / 2)
            self._set_square(shadow_plane(stage, self._has_place), (low + high) / 2, half)
        elif self._growths != stage.swept.growths:  # the floor has other edges
            self._set_square(shadow_plane(stage, self._has_place), self._corner + self._half, self._half)

    def update(self, now: Snapshot) -> None:
        """Project every second snapshot of a run, which halves the cost.

        A delay of one frame is invisible in a soft shadow.
        """
        due = self._due or not 0 < now.time - self._time < NEXT
        self._due, self._time = not due, now.time
        if not (due and self._actor.GetVisibility()):
            return
        self._follow(now)
        fallen = self._fallen(now.bodies) + self._fallen_points(now.points.position)
        shade = _blurred(self._still + fallen)
        self._pixels[:, :, 3] = self._strength * (1 - np.exp(-DENSITY * shade))
        self._image.Modified()
        self._crop()

    def _crop(self) -> None:
        """Draw the part of the square in which there are shadows: the rest would cost software OpenGL its pixels."""
        rows, columns = (np.flatnonzero(self._pixels[:, :, 3].any(axis=axis)) for axis in (1, 0))
        wanted = (columns[0], rows[0], columns[-1], rows[-1]) if len(rows) else (0, 0, 0, 0)
        if wanted == self._drawn or self._plane is None or self._stage is None:
            return
        self._drawn = wanted
        first, last = (
            self._corner + self._cell * (np.array(ends) + at) for ends, at in ((wanted[:2], -1), (wanted[2:], 2))
        )
        low, high = np.maximum(first, self._plane.low), np.minimum(last, self._plane.high)
        high = np.maximum(low, high)
        # Over the floor by so little that it is not seen: an offset of depths would cost software OpenGL more.
        points = self._plane.corners(low, high) + ABOVE * self._stage.radius * self._plane.normal
        square = pv.PolyData(points, faces=[4, 0, 1, 3, 2])
        set_normals(square, np.tile(self._plane.normal, (4, 1)))
        (left, lower), (right, upper) = ((end - self._corner) / (2 * self._half) for end in (low, high))
        square.active_texture_coordinates = np.array(
            [(left, lower), (right, lower), (left, upper), (right, upper)], dtype=np.float32
        )
        self._mapper.SetInputData(square)

    def set_visible(self, on: bool) -> None:
        """Show or hide the shadows."""
        self._actor.SetVisibility(on)
        self._due = True

    def other_switched(self, on: bool) -> None:
        """Let shadows fall on the place of the scene only while it is drawn."""
        if on != self._has_place:
            self._has_place = on
            if self._stage is not None:
                self.rebuild(self._stage)

    def _sample(self, stage: Stage, numbers: list[int], count: int, per_cell: float = 1e9) -> None:
        """Distribute about `count` sample points over the surfaces of some bodies, in proportion to their areas.

        At most `per_cell` points are used for each cell that the surfaces would cover.
        """
        looks = {id(stage.solids[i].parts): stage.solids[i].parts for i in numbers}
        areas = {id(part): float(part.areas.sum()) for look in looks.values() for part in look}
        parts = [(i, part, areas[id(part)]) for i in numbers for part in stage.solids[i].parts]
        total = sum(area for _, _, area in parts)
        count = max(int(min(count, per_cell * total / self._cell**2)), len(parts))
        fewest = min(FEWEST, 2 * count // max(len(parts), 1))
        shares = [max(fewest, round(count * area / total)) for _, _, area in parts]
        known = {(id(part), share): part for (_, part, _), share in zip(parts, shares, strict=True)}
        spread = {key: surface_samples(part, key[1]) for key, part in known.items()}  # shared by equal surfaces
        samples = [spread[id(part), share] for (_, part, _), share in zip(parts, shares, strict=True)]
        self._body = np.repeat([i for i, _, _ in parts], shares).astype(int)
        self._point = np.vstack([np.zeros((0, 3)), *samples])
        ends = np.flatnonzero(np.diff(self._body, append=-1)) + 1
        self._runs = [(self._body[b - 1], slice(a, b)) for a, b in zip([0, *ends], ends, strict=False)]
        # Front and back of a closed surface both count, and the mean cosine of the angle is 1/2: a factor of 1/4.
        each = [area / share / 4 / self._cell**2 for (_, _, area), share in zip(parts, shares, strict=True)]
        self._weight = np.repeat(each, shares).astype(float)

    def _cover(self, stage: Stage) -> None:
        """Distribute dots over the spheres of all points of the scene, in proportion to their areas.

        Each point has at least one dot, so that small points have exactly one.
        """
        radius = cloud(stage).shade
        area = np.pi * radius**2
        budget = SAMPLES * area / max(float(area.sum()), 1e-300)
        counts = np.minimum(budget, (2 * radius / self._cell) ** 2).astype(int).clip(1)
        self._dots = np.repeat(np.arange(len(radius)), counts)
        number = np.arange(len(self._dots)) - np.repeat(np.cumsum(counts) - counts, counts)
        height = 1 - 2 * (number + 0.5) / counts[self._dots]
        angle = GOLDEN * number
        flat = np.sqrt(1 - height**2)
        sphere = np.column_stack([flat * np.cos(angle), flat * np.sin(angle), height])
        self._off = sphere * np.where(counts > 1, radius, 0.0)[self._dots, None]
        self._dot_weight = (area / counts / self._cell**2)[self._dots]

    def _fallen_points(self, points: np.ndarray) -> np.ndarray | float:
        """(CELLS, CELLS) coverage of each cell by the spheres of the points (p, 3) [m]."""
        plane = self._plane
        if plane is None or len(self._dots) == 0 or len(points) <= self._dots[-1]:
            return 0.0
        position = ((points[self._dots] + self._off - plane.origin) @ plane.onto - self._corner) / self._cell
        return _counted(position, self._dot_weight)

    def _fallen(self, bodies: BodyStates) -> np.ndarray:
        """(CELLS, CELLS) coverage of each cell by the surfaces of the sampled bodies."""
        plane = self._plane
        assert plane is not None
        turn = bodies.basis @ plane.onto / self._cell  # (bodies, 3, 2)
        origin = ((bodies.position - plane.origin) @ plane.onto - self._corner) / self._cell
        if len(self._runs) <= FEW:  # a product for each body; one for each point takes ten times as long
            parts = [self._point[rows] @ turn[i] + origin[i] for i, rows in self._runs]
            position = np.concatenate([np.zeros((0, 2)), *parts])
        else:
            position = np.einsum("ni,nij->nj", self._point, turn[self._body]) + origin[self._body]
        return _counted(position, self._weight)


def _counted(position: np.ndarray, weight: np.ndarray) -> np.ndarray:
    """(CELLS, CELLS) sums of the weights (n,) in each cell, at positions (n, 2) in cells from the corner.

    What is outside, and NaN of a diverged run, falls on a cell that is left out.
    """
    column, row = np.fmin(np.fmax(position, -1), CELLS).astype(int).T + 1
    wide = CELLS + 2
    return np.bincount(row * wide + column, weight, wide * wide).reshape(wide, wide)[1:-1, 1:-1]


def _blurred(shade: np.ndarray) -> np.ndarray:
    """(CELLS, CELLS) convolution with a Gaussian; outside of the texture is no shadow.

    scipy's filter gives the same result, but its import takes a quarter of a second at every start; a matrix product
    would wake BLAS threads that rendering needs.
    """
    reach = len(KERNEL) // 2
    padded = np.zeros((CELLS + 2 * reach, CELLS), dtype=np.float32)
    for _ in range(2):
        padded[reach:-reach] = shade
        mixed = KERNEL[0] * padded[:CELLS]
        for k in range(1, len(KERNEL)):
            mixed += KERNEL[k] * padded[k : k + CELLS]
        shade = mixed.T
    return shade
