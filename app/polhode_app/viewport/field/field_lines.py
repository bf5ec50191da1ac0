"""Magnetic field lines of all magnets, coils and the external field: red at north poles, blue at south poles.

Lines that start at a north pole are traced from there, the others backwards from their south pole, so that no line is
drawn twice.
"""

from __future__ import annotations

import time as clock
from dataclasses import dataclass
from functools import partial
from types import ModuleType

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.scene.scene import RotatingField
from polhode.simulation.snapshot import BodyStates, Snapshot
from polhode_app.viewport.base.palette import NORTH, SOUTH, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.field.external_field import external_vectors, field_in_space
from polhode_app.viewport.field.streamline_seeds import ACROSS, Seeds, seeds
from polhode_app.viewport.record import ViewBase

NAME = "field_lines"
REACH = 1.35  # radius of the sphere at which lines end, in radii of the stage
ASIDE = np.array([0.11, 0.13, 0.17])  # from the centre, where formulas give the direction of the disc, in the same
WORLD = 0.8  # radius of the disc from which lines of the external field start, in the same
FADE = 0.45  # fraction of the sphere's radius over which lines fade out
STRONG, WEAK = 0.95, 0.4  # opacity of a line at a pole, and least opacity
FALL = 0.14  # exponent of the opacity as a function of the field
LATE, OLD = 0.4, 0.35  # [s] age of lines from which on they are dimmed if bodies have moved since; their opacity
MOVED, TURNED = 0.01, 0.02  # displacement in radii of the stage, and angle [rad], that count as moved


@dataclass(frozen=True, eq=False)
class LinePlan:
    """Data of the field lines that do not change during a run."""

    stage: Stage
    seeds: Seeds
    world: np.ndarray  # (3,) direction never parallel to the external field; (0,) without external field
    color: np.ndarray  # (3, 3) components 0 to 1 at north poles, in between, at south poles

    @property
    def count(self) -> int:
        """Number of lines at most."""
        return len(self.seeds.body) + 2 * len(self.seeds.coil_body) + (2 * len(ACROSS) if len(self.world) else 0)


@dataclass(frozen=True, eq=False)
class ComputedLines:
    """The field lines of one snapshot."""

    plan: LinePlan
    points: np.ndarray  # (n, 3) float32 [m] laboratory frame
    colors: np.ndarray  # (n, 4) uint8
    bodies: BodyStates  # of that snapshot
    asked: float  # [s] wall time of the request


class FieldLinesView(ViewBase):
    """All lines in one actor, whose points are overwritten when the worker has new ones.

    Lines that lag behind the magnets by more than LATE, as on a busy computer, are dimmed.
    """

    def __init__(self, renderer: vtkRenderer):
        self._mapper = vtkPolyDataMapper()
        self._mapper.SetColorModeToDirectScalars()
        self._actor = vtkActor()
        self._actor.SetMapper(self._mapper)
        self._actor.GetProperty().SetLineWidth(2.0)
        self._actor.GetProperty().LightingOff()
        self._actor.ForceTranslucentOn()
        self._actor.PickableOff()
        renderer.AddActor(self._actor)
        self._on = False
        self._stage: Stage | None = None
        self._plan: LinePlan | None = None  # made on demand, as the view is off by default
        self._lines: pv.PolyData | None = None
        self._asked: BodyStates | None = None
        self._ready: ComputedLines | None = None  # the lines that are drawn

    def rebuild(self, stage: Stage) -> None:
        """Discard the lines of the previous scene."""
        self._stage, self._plan, self._lines, self._asked, self._ready = stage, None, None, None, None
        self._mapper.SetInputData(pv.PolyData())

    def update(self, now: Snapshot) -> None:
        """Request the lines of this snapshot, and draw those that are finished."""
        if not self._on or self._plan is None or self._plan.count == 0:  # no sources
            return
        job = self._plan.stage.job
        if now.bodies is not self._asked:
            self._asked = now.bodies
            work = partial(drawn, self._plan, now, asked=clock.monotonic())
            job.add(lambda _check: work(field_in_space()), NAME)
        ready = job.poll(NAME)
        if isinstance(ready, ComputedLines) and ready.plan is self._plan:
            self._ready = ready
            self._write(ready)
        if self._ready is not None:
            is_late = clock.monotonic() - self._ready.asked > LATE
            is_old = is_late and _differ(self._ready.bodies, now.bodies, self._plan.stage.radius)
            self._actor.GetProperty().SetOpacity(OLD if is_old else 1.0)

    def set_visible(self, on: bool) -> None:
        """Show or hide the lines."""
        self._on = on
        self._asked = None
        if on and self._plan is None and self._stage is not None and self._stage.compiled is not None:
            self._plan = plan(self._stage)
        self._actor.SetVisibility(on)

    def _write(self, ready: ComputedLines) -> None:
        """Copy computed lines to the actor."""
        if self._lines is None:
            self._lines = pv.PolyData(ready.points, lines=_cells(ready.plan.count, len(ready.points)))
            self._lines.point_data.set_scalars(ready.colors, "color")
            self._mapper.SetInputData(self._lines)
            return
        np.asarray(self._lines.points)[:] = ready.points
        self._lines.point_data["color"][:] = ready.colors
        self._lines.GetPoints().Modified()
        self._lines.GetPointData().GetScalars().Modified()


def _differ(one: BodyStates, other: BodyStates, radius: float) -> bool:
    """Whether bodies have moved or turned visibly; `radius` [m] is that of the stage."""
    if one is other:
        return False
    displacement, turn = np.abs(one.position - other.position), np.abs(one.basis - other.basis)
    return bool(displacement.max(initial=0.0) > MOVED * radius or turn.max(initial=0.0) > TURNED)


def plan(stage: Stage) -> LinePlan:
    """Make the plan of the field lines of a stage."""
    vectors = external_vectors(stage)
    across = np.cross(*vectors) if isinstance(stage.scene.world.magnetic_field, RotatingField) else np.zeros(3)
    if not across.any() and len(vectors):
        across = np.eye(3)[int(np.abs(vectors[0]).argmin())]
    color = np.array([rgb(NORTH), rgb(stage.theme.line), rgb(SOUTH)])
    return LinePlan(stage, seeds(stage), across if vectors.any() else np.zeros(0), color)


def drawn(plan: LinePlan, now: Snapshot, field: ModuleType, asked: float = 0.0) -> ComputedLines:
    """Trace the lines of one snapshot; `asked` [s] is the wall time of the request.

    Runs in the background; `field` is polhode.physics.magnets.field_in_space.
    """
    stage, of, bodies = plan.stage, plan.seeds, now.bodies
    assert stage.compiled is not None
    states = bodies.position, bodies.basis, now.time, now.currents, now.in_metal, now.charges
    sources = field.sources(stage.compiled.model, stage.compiled.inputs, *states)
    starts, senses = [_in_space(bodies, of.body, of.position)], [of.sense]
    through = [_in_space(bodies, of.coil_body, of.coil_position)]
    if len(plan.world):
        disc = _disc(field.world_at(stage.center + ASIDE * stage.radius, sources), plan.world) * WORLD * stage.radius
        through.append(disc + stage.center)
    for both in through:
        starts += [both, both]
        senses += [np.ones(len(both)), -np.ones(len(both))]
    start, sense = np.vstack(starts), np.concatenate(senses)
    count, reach = len(start), REACH * stage.radius
    lines, strengths = np.empty((count, field.POINTS, 3)), np.empty((count, field.POINTS))
    ends = np.empty(count, dtype=np.int64)
    centers = _in_space(bodies, of.magnet, of.center)
    field.trace(start, sense, sources, centers, of.radius, stage.center, reach, lines, strengths, ends)
    seen = _seen(sense, ends, len(of.body), len(of.coil_body), field) & (strengths[:, 0] > 0.0)
    lines[~seen] = lines[~seen][:, :1]
    points = lines.astype(np.float32)
    colors = _colors(plan, points, strengths, sense, ends == field.AT_MAGNET, seen, len(of.body))
    return ComputedLines(plan, points.reshape(-1, 3), colors.reshape(-1, 4), bodies, asked)


def _in_space(bodies: BodyStates, body: np.ndarray, position: np.ndarray) -> np.ndarray:
    """(n, 3) [m] positions in the laboratory frame of points `position` (n, 3) [m] of bodies `body` (n,).

    The number after that of the last body is the laboratory.
    """
    origin, basis = np.vstack([bodies.position, np.zeros((1, 3))]), np.concatenate([bodies.basis, np.eye(3)[None]])
    return np.asarray(origin[body] + np.einsum("ni,nij->nj", position, basis[body]))


def _disc(uniform: np.ndarray, across: np.ndarray) -> np.ndarray:
    """(n, 3) points on a disc of radius 1 perpendicular to the field."""
    along = uniform / max(float(np.linalg.norm(uniform)), 1e-300)
    first = np.cross(across, along)
    first /= max(float(np.linalg.norm(first)), 1e-300)
    return ACROSS @ np.array([first, np.cross(along, first)])


def _seen(sense: np.ndarray, ends: np.ndarray, own: int, coils: int, field: ModuleType) -> np.ndarray:
    """(k,) bool: whether each line is drawn.

    The first `own` lines belong to magnets: drawn are those from north poles, and those that come from outside of the
    sphere. The next ones, twice `coils`, go through coils: a closed one is drawn in one sense. The others, of the
    external field, are drawn if they cross the whole sphere.
    """
    seen = (sense > 0) | (ends == field.AT_EDGE)
    world = own + 2 * coils
    seen[own + coils : world] = ends[own : own + coils] != field.UNFINISHED
    through = (ends[world:].reshape(2, -1) == field.AT_EDGE).all(axis=0)
    seen[world:] = np.tile(through, 2)
    return np.asarray(seen)


def _colors(
    plan: LinePlan,
    lines: np.ndarray,
    strengths: np.ndarray,
    sense: np.ndarray,
    arrives: np.ndarray,
    seen: np.ndarray,
    own: int,
) -> np.ndarray:
    """(k, points, 4) uint8 colours: those of the poles near them, fading with a weaker field and towards the sphere."""
    north, middle, south = plan.color.astype(np.float32)
    reach = REACH * plan.stage.radius
    length = np.zeros(strengths.shape, np.float32)
    np.cumsum(_norm(np.diff(lines, axis=1)), axis=1, out=length[:, 1:])
    whole = np.where(arrives, length[:, -1], 0.6 * reach).astype(np.float32)[:, None]
    share = (length / np.maximum(whole, 1e-30)).clip(0, 1)
    # From -1 at the pole where a line starts to 1 at the pole where it ends.
    shade = np.where(arrives[:, None], 2 * share - 1, share - 1)
    shade[own:] = 0.0
    start = np.where((sense > 0)[:, None], north, south)[:, None]
    far = np.where((sense > 0)[:, None], south, north)[:, None]
    strongest = float(np.median(strengths[:own, 0] if own else strengths[:, 0]))
    with np.errstate(all="ignore"):  # zero field, or the singularity of a dipole
        force = np.nan_to_num((strengths / strongest).astype(np.float32) ** np.float32(FALL), nan=1.0)
    fade = ((1 - _norm(lines - plan.stage.center.astype(np.float32)) / reach) / FADE).clip(0, 1)
    colors = np.empty((*strengths.shape, 4), np.float32)
    weight = np.abs(shade)[..., None]
    colors[..., :3] = middle + weight * (np.where(shade[..., None] < 0, start, far) - middle)
    colors[..., 3] = force.clip(WEAK, 1) * STRONG * fade * seen[:, None]
    return (255 * colors + 0.5).astype(np.uint8)


def _norm(vectors: np.ndarray) -> np.ndarray:
    """(k, points) norms of vectors (k, points, 3)."""
    return np.sqrt(np.einsum("kpi,kpi->kp", vectors, vectors))


def _cells(count: int, points: int) -> np.ndarray:
    """Connectivity of `count` polylines with `points` points altogether, in the format of VTK."""
    each = points // count
    return np.insert(np.arange(points).reshape(count, each), 0, each, axis=1).ravel()
