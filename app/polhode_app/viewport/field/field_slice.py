"""Section of the magnetic field: its strength by colour, its direction by needles like iron filings."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from types import ModuleType

import numpy as np
import pyvista as pv
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import VTK_UNSIGNED_CHAR
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer, vtkTexture

from polhode.simulation.snapshot import BodyStates, Snapshot
from polhode_app.viewport.base.color_bar import ColorBar, decades
from polhode_app.viewport.base.color_map import COLORS, color_map
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.field.external_field import external_vectors, field_in_space, strongest_in_coils
from polhode_app.viewport.field.streamline_seeds import main_plane
from polhode_app.viewport.record import ViewBase

NAME = "field_slice"
CELLS = 112  # pixels along one side, which determines the cost
FILINGS = 27  # needles along one side
HALF = 1.0  # half side of the plane, in radii of the stage
DECADES = 4  # range of the colour scale
WEAK, STRONG = 0.30, 0.85  # opacity of the weakest and the strongest field
ROUND = 0.55  # fraction of the half side from which the plane fades out
LIFT = 0.02  # height of a horizontal plane above the ground, in radii of the stage
FILING = 0.36  # half length of a needle, in the distance of neighbours
MU_0_BY_4_PI = 1e-7  # [T m/A] rounded; sufficient to choose a decade


@dataclass(frozen=True, eq=False)
class SlicePlane:
    """Plane of the section and range of its colours; constant during a run."""

    stage: Stage
    center: np.ndarray  # (3,) [m]
    across: np.ndarray  # (2, 3) unit vectors along the sides, laboratory frame
    half: float  # [m] half side
    bottom: int  # the colour scale is 10**bottom to 10**(bottom + DECADES) [T]

    def points(self, share: np.ndarray) -> np.ndarray:
        """(n, 3) [m] points with coordinates (n, 2), each -1 to 1, in half sides; laboratory frame."""
        return np.asarray(self.center + self.half * share @ self.across)

    def seen(self, share: np.ndarray) -> np.ndarray:
        """(n,) opacity 0 to 1: the plane fades out towards a circle, and is invisible below the ground."""
        fade = np.clip((1 - np.linalg.norm(share, axis=1)) / (1 - ROUND), 0, 1)
        return np.where(self.points(share)[:, 2] < self.stage.ground, 0.0, fade**1.5)


@dataclass(frozen=True, eq=False)
class ComputedSlice:
    """The section for one snapshot."""

    plane: SlicePlane
    pixels: np.ndarray  # (CELLS, CELLS, 4) uint8
    filings: np.ndarray  # (2 n, 3) float32 [m] both ends of each needle, laboratory frame


def _shares(count: int, shifted: bool) -> np.ndarray:
    """(count**2, 2) coordinates -1 to 1, row by row.

    With `shifted`, every second row is offset by half of the distance.
    """
    line = (np.arange(count) + 0.5) / count * 2 - 1
    v, u = np.meshgrid(line, line, indexing="ij")
    if shifted:
        u = u + (np.arange(count) % 2 - 0.5)[:, None] / count
    return np.column_stack([u.ravel(), v.ravel()])


GRID, TICKS = _shares(CELLS, shifted=False), _shares(FILINGS, shifted=True)


class FieldSliceView(ViewBase):
    """A textured square and needles, which are overwritten when new ones are computed."""

    def __init__(self, renderer: vtkRenderer):
        self._colors = color_map()
        self._image = vtkImageData()
        self._image.SetDimensions(CELLS, CELLS, 1)
        self._image.AllocateScalars(VTK_UNSIGNED_CHAR, 4)
        self._pixels = vtk_to_numpy(self._image.GetPointData().GetScalars()).reshape(CELLS, CELLS, 4)
        texture = vtkTexture()
        texture.SetInputData(self._image)
        texture.InterpolateOn()
        texture.EdgeClampOn()
        texture.SetColorModeToDirectScalars()
        self._square, self._filings = _actor(), _actor()
        self._square.SetTexture(texture)
        self._filings.GetProperty().SetLineWidth(1.5)
        for actor in (self._square, self._filings):
            renderer.AddActor(actor)
        self._bar = ColorBar(renderer, self._colors)
        self._needles = pv.PolyData()
        self._stage: Stage | None = None
        self._plane: SlicePlane | None = None  # made on demand, as the view is off by default
        self._asked: BodyStates | None = None
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        """Discard the plane of the previous scene."""
        self._stage, self._plane, self._asked = stage, None, None

    def _lay(self, stage: Stage) -> None:
        """Make plane, needles and colour bar."""
        plane = self._plane = cut_through(stage)
        corners = np.array([(-1, -1), (1, -1), (-1, 1), (1, 1)], dtype=float)
        square = pv.PolyData(plane.points(corners), faces=[4, 0, 1, 3, 2])
        square.active_texture_coordinates = ((corners + 1) / 2).astype(np.float32)
        self._square.GetMapper().SetInputData(square)
        self._pixels[:] = 0
        self._image.Modified()
        count = len(TICKS)
        cells = np.column_stack([np.full(count, 2), np.arange(2 * count).reshape(count, 2)])
        self._needles = pv.PolyData(np.repeat(plane.points(TICKS), 2, axis=0).astype(np.float32), lines=cells.ravel())
        color = np.column_stack([np.tile(rgb(stage.theme.text), (count, 1)), 0.75 * plane.seen(TICKS)])
        self._needles.point_data.set_scalars(np.round(255 * color).astype(np.uint8).repeat(2, axis=0), "color")
        self._filings.GetMapper().SetInputData(self._needles)
        self._bar.show(decades(plane.bottom, plane.bottom + DECADES), rgb(stage.theme.text))

    def update(self, now: Snapshot) -> None:
        """Request the section of this snapshot, and draw the one that is finished."""
        if not self._on or self._plane is None:
            return
        job = self._plane.stage.job
        if now.bodies is not self._asked:
            self._asked = now.bodies
            work = partial(cut, self._plane, self._colors, now)
            job.add(lambda _check: work(field_in_space()), NAME)
        ready = job.poll(NAME)
        if isinstance(ready, ComputedSlice) and ready.plane is self._plane:
            self._pixels[:] = ready.pixels
            self._image.Modified()
            np.asarray(self._needles.points)[:] = ready.filings
            self._needles.GetPoints().Modified()

    def set_visible(self, on: bool) -> None:
        """Show or hide the section."""
        self._on = on
        self._asked = None
        stage = self._stage
        if on and self._plane is None and stage is not None and stage.compiled is not None and _strongest(stage) > 0:
            self._lay(stage)
        drawn = on and self._plane is not None
        self._square.SetVisibility(drawn)
        self._filings.SetVisibility(drawn)
        self._bar.switch(drawn)


def cut_through(stage: Stage) -> SlicePlane:
    """Plane of the magnets, if they lie in one, otherwise a vertical plane that faces the default camera."""
    center, normal = main_plane(stage)
    if normal[2]:
        center[2] = max(center[2], stage.ground + LIFT * stage.radius)
    else:
        center[2] = stage.center[2]
    across = np.eye(3)[[axis for axis in range(3) if not normal[axis]]]
    return SlicePlane(stage, center, across, HALF * stage.radius, _top(stage) - DECADES)


def _top(stage: Stage) -> int:
    """Decade [T] above the strongest field."""
    return int(np.ceil(np.log10(_strongest(stage))))


def _strongest(stage: Stage) -> float:
    """Estimate [T] of the field close to the strongest magnet, or of the external field; 0 without field."""
    strongest = float(np.abs(external_vectors(stage)).max(initial=0.0))
    for solid in stage.solids:
        for dipole in solid.magnets:
            near = min(solid.size, 0.2 * stage.radius)
            strongest = max(strongest, 2 * MU_0_BY_4_PI * float(np.linalg.norm(dipole.moment)) / near**3)
    return max(strongest, strongest_in_coils(stage))


def cut(plane: SlicePlane, colors: np.ndarray, now: Snapshot, field: ModuleType) -> ComputedSlice:
    """Compute the section for one snapshot. Runs in the background; `field` is
    polhode.physics.magnets.field_in_space.

    `colors` (COLORS, 3) uint8 is the colour map.
    """
    compiled = plane.stage.compiled
    assert compiled is not None
    states = now.bodies.position, now.bodies.basis, now.time, now.currents, now.in_metal, now.charges
    of = field.sources(compiled.model, compiled.inputs, *states)
    points = plane.points(np.vstack([GRID, TICKS]))
    flux = np.empty_like(points)
    field.fields(points, of, flux)
    strength = np.linalg.norm(flux, axis=1)
    with np.errstate(divide="ignore"):
        share = (np.log10(strength[: len(GRID)]) - plane.bottom) / DECADES
    share = np.nan_to_num(share, nan=1.0, posinf=1.0, neginf=0.0).clip(0, 1)  # singularity of a dipole
    opacity = (WEAK + (STRONG - WEAK) * share) * plane.seen(GRID)
    pixels = np.column_stack([colors[(share * (COLORS - 1)).astype(int)], np.round(255 * opacity)]).astype(np.uint8)
    along = flux[len(GRID) :] @ plane.across.T / np.maximum(strength[len(GRID) :, None], 1e-300)
    along = np.nan_to_num(along) * FILING * 2 / FILINGS
    ends = np.stack([plane.points(TICKS - along), plane.points(TICKS + along)], axis=1)
    return ComputedSlice(plane, pixels.reshape(CELLS, CELLS, 4), ends.reshape(-1, 3).astype(np.float32))


def _actor() -> vtkActor:
    """A translucent actor without shading, coloured by its points or its texture."""
    mapper = vtkPolyDataMapper()
    mapper.SetColorModeToDirectScalars()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.GetProperty().LightingOff()
    actor.ForceTranslucentOn()
    actor.PickableOff()
    return actor
