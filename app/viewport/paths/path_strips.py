"""Strips of colour along paths: how fast beads were there, and where a track on one side would lose them."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLSphereMapper

from app.i18n.language import tr
from app.viewport.base.color_bar import ABOVE, LEFT, ColorBar
from app.viewport.base.color_map import COLORS, color_map
from app.viewport.base.glyph_arrows import ArrowScale, legend
from app.viewport.base.palette import PALETTE, RGB, rgb
from app.viewport.base.stage import Stage
from app.viewport.paths.path_polylines import PathPolyline, tracks
from app.viewport.paths.paths import FEW, THICKEST, THINNEST
from app.viewport.vectors.bead_arrows import LINE, LOWEST
from core.physics.paths.path_geometry import path_offsets
from core.physics.paths.path_motions import PathMotion
from core.simulation.snapshot import Snapshot

AROUND, OVER = 1.25, 1.4  # radius of a strip, and of one above another, in radii of its wire
MARK = 3.0  # radius of a mark, in the same
MARKS = 500
LOST = PALETTE[5]


class PassageRecord:
    """One number for each place of the tracks of a scene: what a bead had there when it passed last.

    The places of a track are even in length. Between two moments the number is taken to go evenly with q.
    """

    def __init__(self, stage: Stage):
        each = list(tracks(stage.scene).values())
        self.tracks = list({id(track): track for track in each}.values())
        number = {id(track): k for k, track in enumerate(self.tracks)}
        self._track = np.array([number[id(track)] for track in each], dtype=np.intp)  # (c,) of each bead
        self._size = np.array([len(track.line) for track in self.tracks], dtype=np.intp)
        self.first = np.concatenate([[0], np.cumsum(self._size)])  # of each track's places among all
        self._closed = np.array([track.closed for track in self.tracks], dtype=bool)
        self._start = np.array([track.parameters[0] for track in self.tracks])
        self._span = np.array([np.ptp(track.parameters) for track in self.tracks])
        shares = [(track.parameters - track.parameters[0]) / np.ptp(track.parameters) for track in self.tracks]
        self._keys = np.concatenate([[], *(2 * k + share for k, share in enumerate(shares))])
        self.values = np.full(self.first[-1], np.nan)
        self.is_new = False  # there are numbers that nobody has read
        self.here = np.zeros(len(each), dtype=np.intp)  # (c,) the place that each bead has passed last
        self._time = np.inf
        self._place = self.here
        self._value = np.zeros(len(each))
        self._q = np.zeros(len(each))

    @property
    def beads(self) -> int:
        return len(self._track)

    def write(self, now: Snapshot, value: np.ndarray) -> None:
        """What the beads (c,) have at a moment; a clock that went back starts again."""
        q, held = now.beads.parameter, now.beads.is_held
        place = self._places(q)
        if now.time < self._time:
            self.values[:] = np.nan
            self._q, self._place, self._value = q, place - 1, value
        low, high = np.minimum(self._place, place), np.maximum(self._place, place)
        count = np.where(held, np.minimum(high - low, self._size[self._track]), 0)
        bead = np.repeat(np.arange(self.beads), count)
        passed = low[bead] + 1 + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        track = self._track[bead]
        where = self.first[track] + np.where(self._closed[track], passed % (self._size[track] - 1), passed)
        way = (q - self._q)[bead]
        share = (self._parameter(track, passed, where) - self._q[bead]) / np.where(way == 0, np.inf, way)
        self.values[where] = self._value[bead] + share.clip(0, 1) * (value - self._value)[bead]
        self.values[self.first[1:][self._closed] - 1] = self.values[self.first[:-1][self._closed]]
        self._time, self._place, self._value, self._q = now.time, place, value, q
        self.is_new |= bool(len(where))
        self.here = self.first[self._track] + np.where(
            self._closed[self._track], place % np.maximum(self._size[self._track] - 1, 1), place
        )

    def _places(self, q: np.ndarray) -> np.ndarray:
        """(c,) the last place before each q; on closed tracks they are counted on from turn to turn."""
        track = self._track
        share = (q - self._start[track]) / self._span[track]
        turns = np.where(self._closed[track], np.floor(share), 0.0)
        inside = (share - turns).clip(0, 1)
        place = np.searchsorted(self._keys, 2 * track + inside, "right") - 1 - self.first[track]
        return np.asarray(place + turns.astype(np.intp) * (self._size[track] - 1))

    def _parameter(self, track: np.ndarray, passed: np.ndarray, where: np.ndarray) -> np.ndarray:
        """q of places, counted on from turn to turn."""
        turns = np.where(self._closed[track], passed // (self._size[track] - 1), 0)
        return np.asarray(self._start[track] + (self._keys[where] - 2 * track + turns) * self._span[track])


class ColoredTubes:
    """Tubes around the wires of all tracks whose places have colours; those that are moved alike are one actor."""

    def __init__(self, renderer: vtkRenderer, around: float):
        """`around` is the radius of a strip, in radii of its wire."""
        self._renderer, self._around = renderer, around
        self._shown: list[tuple[PathMotion, vtkActor, pv.PolyData, np.ndarray]] = []

    def rebuild(self, diary: PassageRecord | None, stage: Stage) -> None:
        """Build them, without colours."""
        for _, actor, _, _ in self._shown:
            self._renderer.RemoveActor(actor)
        self._shown = []
        if diary is None:
            return
        groups: dict[PathMotion, list[int]] = {}
        for k, track in enumerate(diary.tracks):
            groups.setdefault(track.motion, []).append(k)
        sides = 12 if diary.beads <= FEW else 5
        for motion, alike in groups.items():
            radii = [self._around * wire_radius(diary.tracks[k], stage.radius) for k in alike]
            parts = [
                _tube(diary.tracks[k], int(diary.first[k]), radius, sides)
                for k, radius in zip(alike, radii, strict=True)
            ]
            tubes = pv.merge(parts) if len(parts) > 1 else parts[0]
            place = np.asarray(tubes.point_data["place"]).astype(np.intp)
            tubes.clear_data()
            tubes.point_data.set_scalars(np.zeros((len(place), 4), np.uint8), "color")
            actor = _strip_actor(tubes)
            self._renderer.AddActor(actor)
            self._shown.append((motion, actor, tubes, place))

    def paint(self, colors: np.ndarray) -> None:
        """Give all places of the diary colours (n, 4), bytes."""
        for _, _, tubes, place in self._shown:
            np.take(colors, place, axis=0, out=np.asarray(tubes.point_data["color"]))
            tubes.GetPointData().GetScalars().Modified()

    def shift(self, now: Snapshot) -> None:
        """Go with the paths to where they are."""
        for motion, actor, _, _ in self._shown:
            if motion.kind != "still":
                actor.SetPosition(*path_offsets(motion, np.array([now.time]), np.array([now.distance]))[0])

    def turn(self, on: bool) -> None:
        """Show or hide them."""
        for _, actor, _, _ in self._shown:
            actor.SetVisibility(on)


def wire_radius(track: PathPolyline, stage_radius: float) -> float:
    return float(np.clip(track.radius, THINNEST * stage_radius, THICKEST * stage_radius))


def _tube(track: PathPolyline, first: int, radius: float, sides: int) -> pv.PolyData:
    line = pv.PolyData(track.line, lines=[len(track.line), *range(len(track.line))])
    line.point_data["place"] = first + np.arange(len(track.line), dtype=float)
    return line.tube(radius=radius, n_sides=sides, capping=False)


def _strip_actor(tubes: pv.PolyData) -> vtkActor:
    mapper, actor = vtkPolyDataMapper(), vtkActor()
    mapper.SetInputData(tubes)
    mapper.SetColorModeToDirectScalars()
    actor.SetMapper(mapper)
    actor.PickableOff()
    actor.ForceTranslucentOn()
    actor.GetProperty().SetAmbient(0.6)
    actor.GetProperty().SetDiffuse(0.4)
    return actor


class PathSpeedView:
    """How fast beads were at each place of their paths when they passed last, and what the colours mean."""

    def __init__(self, renderer: vtkRenderer):
        self._strips, self._colors = ColoredTubes(renderer, AROUND), color_map()
        self._bar = ColorBar(renderer, self._colors, LEFT, ABOVE)
        self._scale = ArrowScale()
        self._diary: PassageRecord | None = None
        self._stage: Stage | None = None
        self._text: RGB = (0.0, 0.0, 0.0)
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        self._stage, self._diary, self._text, self._scale = stage, None, rgb(stage.theme.text), ArrowScale()
        self._strips.rebuild(None, stage)
        self.set_visible(self._on)

    def follow(self, now: Snapshot) -> None:
        """Write how fast the beads are."""
        if self._on and self._diary is not None and len(now.beads.speed) == self._diary.beads:
            self._diary.write(now, np.abs(now.beads.speed))

    def update(self, now: Snapshot) -> None:
        """Colour what has been written."""
        self.follow(now)
        diary = self._diary
        if not self._on or diary is None:
            return
        self._strips.shift(now)
        if not diary.is_new:
            return
        diary.is_new = False
        self._scale.measure(float(np.nanmax(diary.values, initial=0.0)))
        most = self._scale.unit
        self._bar.show([(share, f"{share * most:g} m/s") for share in (0.0, 0.5, 1.0)], self._text)
        known = ~np.isnan(diary.values)
        step = np.where(known, diary.values, 0.0) * ((COLORS - 1) / most if most else 0.0)
        colors = np.empty((len(known), 4), np.uint8)
        colors[:, :3] = self._colors[step.clip(0, COLORS - 1).astype(np.intp)]
        colors[:, 3] = np.where(known, 255, 0)
        self._strips.paint(colors)

    def set_visible(self, on: bool) -> None:
        self._on = on
        if on and self._diary is None and self._stage is not None and self._stage.scene.bead:
            self._diary = PassageRecord(self._stage)
            self._strips.rebuild(self._diary, self._stage)
        self._strips.turn(on)
        self._bar.switch(on and self._diary is not None)


class LiftOffView:
    """Where a track on one side, which can't pull, would lose a bead: S.n is negative, and marks where it changes."""

    def __init__(self, renderer: vtkRenderer):
        self._strips = ColoredTubes(renderer, OVER)
        self._marks = pv.PolyData(np.zeros((MARKS, 3), np.float32))
        self._marks.point_data["radius"] = np.zeros(MARKS, np.float32)
        spheres = vtkOpenGLSphereMapper()
        spheres.SetInputData(self._marks)
        spheres.SetScaleArray("radius")
        spheres.ScalarVisibilityOff()
        self._actor = vtkActor()
        self._actor.SetMapper(spheres)
        self._actor.PickableOff()
        self._actor.GetProperty().SetColor(*rgb(LOST))
        self._actor.GetProperty().SetAmbient(0.4)
        renderer.AddActor(self._actor)
        self._text = legend(renderer, rgb(LOST))
        self._text.SetInput(tr("a one-sided track would lose it"))
        self._text.SetPosition(0.985, LOWEST + 3 * LINE)
        self._diary: PassageRecord | None = None
        self._stage: Stage | None = None
        self._on = False

    def rebuild(self, stage: Stage) -> None:
        self._stage, self._diary = stage, None
        self._strips.rebuild(None, stage)
        self.set_visible(self._on)

    def follow(self, now: Snapshot) -> None:
        """Write which side the paths press on."""
        if self._on and self._diary is not None and len(now.beads.speed) == self._diary.beads:
            self._diary.write(now, now.beads.pressure)

    def update(self, now: Snapshot) -> None:
        """Colour what has been written, and mark where it changes its sign."""
        self.follow(now)
        diary, stage = self._diary, self._stage
        if not self._on or diary is None or stage is None:
            return
        self._strips.shift(now)
        if diary.is_new:
            diary.is_new = False
            colors = np.zeros((len(diary.values), 4), np.uint8)
            colors[:, :3] = np.round(255 * np.array(rgb(LOST)))
            colors[:, 3] = np.where(diary.values < 0, 255, 0)
            self._strips.paint(colors)
        at, radius = changes(diary, stage.radius, now)
        count = min(len(at), MARKS)
        points = np.asarray(self._marks.points)
        points[:count], points[count:] = at[:count], at[0] if count else 0.0
        sizes = np.asarray(self._marks.point_data["radius"])
        sizes[:count], sizes[count:] = radius[:count], 0.0
        self._marks.GetPoints().Modified()
        self._marks.GetPointData().GetArray("radius").Modified()
        self._actor.SetVisibility(count > 0)
        self._text.SetVisibility(bool((diary.values < 0).any()))

    def set_visible(self, on: bool) -> None:
        self._on = on
        if on and self._diary is None and self._stage is not None and self._stage.scene.bead:
            self._diary = PassageRecord(self._stage)
            self._strips.rebuild(self._diary, self._stage)
        self._strips.turn(on)
        self._actor.SetVisibility(False)  # the next moment shows them
        self._text.SetVisibility(False)


def changes(diary: PassageRecord, stage_radius: float, now: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """(k, 3) [m] where the numbers of a diary change their signs now, and (k,) [m] how large marks are."""
    a, b = diary.values[:-1], diary.values[1:]
    cell = (a < 0) != (b < 0)
    cell &= ~np.isnan(a) & ~np.isnan(b)
    cell[diary.first[1:-1] - 1] = False  # from one track to the next
    new = np.concatenate([diary.here, diary.here - 1])
    cell[new[(new >= 0) & (new < len(cell))]] = False  # what is new ends there, it changes nothing
    found = np.flatnonzero(cell)
    share = (a[found] / (a[found] - b[found]))[:, None]
    line = np.vstack([np.zeros((0, 3)), *(track.line for track in diary.tracks)])
    track = np.searchsorted(diary.first, found, "right") - 1
    time, distance = np.array([now.time]), np.array([now.distance])
    shifts = np.array([path_offsets(track.motion, time, distance)[0] for track in diary.tracks]).reshape(-1, 3)
    sizes = np.array([MARK * wire_radius(track, stage_radius) for track in diary.tracks])
    return line[found] + share * (line[found + 1] - line[found]) + shifts[track], sizes[track]
