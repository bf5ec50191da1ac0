"""Coloured tubes along paths: speed of beads at their last passage, and where a one-sided track would lose them."""

from __future__ import annotations

from abc import abstractmethod

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLSphereMapper

from polhode.physics.paths.bead import Bead
from polhode.physics.paths.path_geometry import point_on_path
from polhode.physics.paths.path_motions import PathMotion
from polhode.scene.scene import Scene
from polhode.simulation.path_pose import pose_of_path
from polhode.simulation.snapshot import Snapshot
from polhode_app.i18n.item_names import named_all
from polhode_app.i18n.language import tr
from polhode_app.viewport.base.color_bar import ColorBar
from polhode_app.viewport.base.color_map import COLORS, color_map
from polhode_app.viewport.base.glyph_arrows import ArrowScale, legend
from polhode_app.viewport.base.palette import PALETTE, RGB, rgb
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.base.text_actor import set_colored_text
from polhode_app.viewport.paths.path_polylines import PathPolyline, tracks
from polhode_app.viewport.paths.paths import FEW, THICKEST, THINNEST, move_to
from polhode_app.viewport.record import Arrays, ViewBase

AROUND, OVER = 1.25, 1.4  # radii of the inner and of the outer tube, in radii of the wire
MARK = 3.0  # radius of a mark, in the same
MARKS = 500  # marks at most
LOST = PALETTE[5]


class PassageRecord:
    """A value for each vertex of the polylines: that of a bead when it last passed there.

    Vertices of all polylines are numbered consecutively. Between two snapshots the value is interpolated linearly in q.
    """

    def __init__(self, stage: Stage):
        each = list(tracks(stage.scene).values())
        self.tracks = list({id(track): track for track in each}.values())
        number = {id(track): k for k, track in enumerate(self.tracks)}
        self._track = np.array([number[id(track)] for track in each], dtype=np.intp)  # (c,) polyline of each bead
        self._size = np.array([len(track.line) for track in self.tracks], dtype=np.intp)
        self.first = np.concatenate([[0], np.cumsum(self._size)])  # first vertex of each polyline among all
        self._closed = np.array([track.closed for track in self.tracks], dtype=bool)
        self._start = np.array([track.parameters[0] for track in self.tracks])
        self._span = np.array([np.ptp(track.parameters) for track in self.tracks])
        shares = [(track.parameters - track.parameters[0]) / np.ptp(track.parameters) for track in self.tracks]
        self._keys = np.concatenate([[], *(2 * k + share for k, share in enumerate(shares))])
        self.values = np.full(self.first[-1], np.nan)
        self.is_new = False  # values have changed since the view was updated
        self.here = np.zeros(len(each), dtype=np.intp)  # (c,) vertex that each bead has passed last
        self._time = np.inf
        self._vertex = self.here
        self._value = np.zeros(len(each))
        self._q = np.zeros(len(each))

    def memory(self) -> Arrays:
        """Values of the vertices, and what the next ones are interpolated from."""
        now = {"vertex": self._vertex, "value": self._value, "q": self._q, "here": self.here}
        return {"values": self.values, "time": np.array(self._time), **now}

    def recall(self, memory: Arrays) -> None:
        """Take over a record."""
        self.values[:], self._time, self.is_new = memory["values"], float(memory["time"]), True
        self._vertex, self._value, self._q, self.here = (memory[name] for name in ("vertex", "value", "q", "here"))

    @property
    def beads(self) -> int:
        """Number of beads."""
        return len(self._track)

    def track_of(self, bead: int) -> PathPolyline:
        """Polyline of the path of a bead."""
        return self.tracks[self._track[bead]]

    def write(self, now: Snapshot, value: np.ndarray) -> None:
        """Record the values (c,) of the beads in a snapshot; if the time has decreased the record starts again."""
        q, held = now.beads.parameter, now.beads.is_held
        vertex = self._vertices(q)
        if now.time < self._time:
            self.values[:] = np.nan
            self._q, self._vertex, self._value = q, vertex - 1, value
        low, high = np.minimum(self._vertex, vertex), np.maximum(self._vertex, vertex)
        count = np.where(held, np.minimum(high - low, self._size[self._track]), 0)
        bead = np.repeat(np.arange(self.beads), count)
        passed = low[bead] + 1 + np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
        track = self._track[bead]
        where = self.first[track] + np.where(self._closed[track], passed % (self._size[track] - 1), passed)
        advance = (q - self._q)[bead]
        share = (self._parameter(track, passed, where) - self._q[bead]) / np.where(advance == 0, np.inf, advance)
        self.values[where] = self._value[bead] + share.clip(0, 1) * (value - self._value)[bead]
        self.values[self.first[1:][self._closed] - 1] = self.values[self.first[:-1][self._closed]]
        self._time, self._vertex, self._value, self._q = now.time, vertex, value, q
        self.is_new |= bool(len(where))
        self.here = self.first[self._track] + np.where(
            self._closed[self._track], vertex % np.maximum(self._size[self._track] - 1, 1), vertex
        )

    def _vertices(self, q: np.ndarray) -> np.ndarray:
        """(c,) last vertex before each q (c,); on closed paths vertices are counted on from turn to turn."""
        track = self._track
        share = (q - self._start[track]) / self._span[track]
        turns = np.where(self._closed[track], np.floor(share), 0.0)
        inside = (share - turns).clip(0, 1)
        vertex = np.searchsorted(self._keys, 2 * track + inside, "right") - 1 - self.first[track]
        return np.asarray(vertex + turns.astype(np.intp) * (self._size[track] - 1))

    def _parameter(self, track: np.ndarray, passed: np.ndarray, where: np.ndarray) -> np.ndarray:
        """q of vertices; on closed paths counted on from turn to turn."""
        turns = np.where(self._closed[track], passed // (self._size[track] - 1), 0)
        return np.asarray(self._start[track] + (self._keys[where] - 2 * track + turns) * self._span[track])


class ColoredTubes:
    """Tubes around all polylines with a colour per vertex; paths with equal motion share an actor."""

    def __init__(self, renderer: vtkRenderer, around: float):
        """`around` is the radius of the tubes, in radii of the wire."""
        self._renderer, self._around = renderer, around
        self._shown: list[tuple[PathMotion, vtkActor, pv.PolyData, np.ndarray]] = []

    def rebuild(self, diary: PassageRecord | None, stage: Stage) -> None:
        """Build the tubes, transparent at first; None removes them."""
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
            vertex = np.asarray(tubes.point_data["vertex"]).astype(np.intp)
            tubes.clear_data()
            tubes.point_data.set_scalars(np.zeros((len(vertex), 4), np.uint8), "color")
            actor = _strip_actor(tubes)
            self._renderer.AddActor(actor)
            self._shown.append((motion, actor, tubes, vertex))

    def paint(self, colors: np.ndarray) -> None:
        """Set the colours (n, 4) uint8 of all vertices of the record."""
        for _, _, tubes, vertex in self._shown:
            np.take(colors, vertex, axis=0, out=np.asarray(tubes.point_data["color"]))
            tubes.GetPointData().GetScalars().Modified()

    def shift(self, scene: Scene, now: Snapshot) -> None:
        """Move the tubes to the current displacement of the paths."""
        for motion, actor, _, _ in self._shown:
            if motion.kind != "still":
                move_to(actor, pose_of_path(scene, motion, now))

    def turn(self, on: bool) -> None:
        """Show or hide the tubes."""
        for _, actor, _, _ in self._shown:
            actor.SetVisibility(on)


def wire_radius(track: PathPolyline, stage_radius: float) -> float:
    """Drawn radius [m] of the wire of a path, limited relative to the stage."""
    return float(np.clip(track.radius, THINNEST * stage_radius, THICKEST * stage_radius))


def _tube(track: PathPolyline, first: int, radius: float, sides: int) -> pv.PolyData:
    """Tube along a polyline whose vertices are numbered from `first` in the array "vertex"."""
    line = pv.PolyData(track.line, lines=[len(track.line), *range(len(track.line))])
    line.point_data["vertex"] = first + np.arange(len(track.line), dtype=float)
    return line.tube(radius=radius, n_sides=sides, capping=False)


def _strip_actor(tubes: pv.PolyData) -> vtkActor:
    """An actor for tubes with colours per point."""
    mapper, actor = vtkPolyDataMapper(), vtkActor()
    mapper.SetInputData(tubes)
    mapper.SetColorModeToDirectScalars()
    actor.SetMapper(mapper)
    actor.PickableOff()
    actor.ForceTranslucentOn()
    actor.GetProperty().SetAmbient(0.6)
    actor.GetProperty().SetDiffuse(0.4)
    return actor


class PassageView(ViewBase):
    """Tubes with the colours of a quantity of the beads at their last passage, recorded while the view is shown."""

    def __init__(self, renderer: vtkRenderer, around: float):
        self._strips = ColoredTubes(renderer, around)
        self._diary: PassageRecord | None = None
        self._stage: Stage | None = None
        self._on = False

    @abstractmethod
    def _quantity(self, now: Snapshot) -> np.ndarray:
        """(b,) recorded quantity of all beads."""

    @abstractmethod
    def _draw(self, now: Snapshot, diary: PassageRecord, stage: Stage) -> None:
        """Draw what is recorded."""

    def rebuild(self, stage: Stage) -> None:
        """Discard the record; a new one is made when the view is shown."""
        self._stage, self._diary = stage, None
        self._strips.rebuild(None, stage)
        self.set_visible(self._on)

    def follow(self, now: Snapshot) -> None:
        """Record the quantity."""
        if self._on and self._diary is not None and len(now.beads.speed) == self._diary.beads:
            self._diary.write(now, self._quantity(now))

    def update(self, now: Snapshot) -> None:
        """Record the quantity, and draw."""
        self.follow(now)
        if self._on and self._diary is not None and self._stage is not None:
            self._strips.shift(self._stage.scene, now)
            self._draw(now, self._diary, self._stage)

    def memory(self) -> Arrays:
        """The record."""
        return self._diary.memory() if self._diary is not None else {}

    def recall(self, memory: Arrays) -> None:
        """Take over a record."""
        if self._diary is not None and memory:
            self._diary.recall(memory)

    def set_visible(self, on: bool) -> None:
        """Show or hide the tubes; the record starts when the view is first shown."""
        self._on = on
        if on and self._diary is None and self._stage is not None and self._stage.scene.bead:
            self._diary = PassageRecord(self._stage)
            self._strips.rebuild(self._diary, self._stage)
        self._strips.turn(on)


class PathSpeedView(PassageView):
    """Speed of beads at their last passage by colour, with a colour bar."""

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer, AROUND)
        self._colors = color_map()
        self._bar = ColorBar(renderer, self._colors)
        self._scale = ArrowScale()
        self._text: RGB = (0.0, 0.0, 0.0)

    def rebuild(self, stage: Stage) -> None:
        """Discard the record and the scale of colours."""
        self._text, self._scale = rgb(stage.theme.text), ArrowScale()
        super().rebuild(stage)

    def memory(self) -> Arrays:
        """The record, and the scale of colours."""
        return {**super().memory(), "unit": np.array(self._scale.unit)}

    def recall(self, memory: Arrays) -> None:
        """Take over a record and its scale."""
        self._scale.unit = float(memory["unit"])
        super().recall({name: array for name, array in memory.items() if name != "unit"})

    def _quantity(self, now: Snapshot) -> np.ndarray:
        return np.abs(now.beads.speed)

    def _draw(self, now: Snapshot, diary: PassageRecord, stage: Stage) -> None:
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
        """Show or hide tubes and colour bar."""
        super().set_visible(on)
        self._bar.switch(on and self._diary is not None)


class LiftOffView(PassageView):
    """Where a one-sided track, which cannot pull, would lose a bead: where S.n < 0, with marks at changes of sign.

    Of beads that a one-sided track has lost, the point of departure is marked, and a line of text names them.
    """

    def __init__(self, renderer: vtkRenderer):
        super().__init__(renderer, OVER)
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
        self._renderer, self._text = renderer, legend(renderer, rgb(LOST), "lower right")

    def _quantity(self, now: Snapshot) -> np.ndarray:
        return now.beads.pressure

    def _draw(self, now: Snapshot, diary: PassageRecord, stage: Stage) -> None:
        if diary.is_new:
            diary.is_new = False
            colors = np.zeros((len(diary.values), 4), np.uint8)
            colors[:, :3] = np.round(255 * np.array(rgb(LOST)))
            colors[:, 3] = np.where(diary.values < 0, 255, 0)
            self._strips.paint(colors)
        gone = flying(stage, now)
        marks = changes(diary, stage, now), departures(gone, diary, stage, now)
        at, radius = (np.concatenate(part) for part in zip(*marks, strict=True))
        count = min(len(at), MARKS)
        points = np.asarray(self._marks.points)
        points[:count], points[count:] = at[:count], at[0] if count else 0.0
        sizes = np.asarray(self._marks.point_data["radius"])
        sizes[:count], sizes[count:] = radius[:count], 0.0
        self._marks.GetPoints().Modified()
        self._marks.GetPointData().GetArray("radius").Modified()
        self._actor.SetVisibility(count > 0)
        names = named_all(bead.name for bead in gone.values())
        said = tr("off the track: {names}").format(names=names) if gone else tr("a one-sided track would lose it")
        set_colored_text(self._renderer, self._text, said, rgb(LOST))
        self._text.SetVisibility(bool(gone) or bool((diary.values < 0).any()))

    def set_visible(self, on: bool) -> None:
        """Show or hide tubes and marks."""
        super().set_visible(on)
        self._actor.SetVisibility(False)  # shown by the next update
        self._text.SetVisibility(False)


def flying(stage: Stage, now: Snapshot) -> dict[int, Bead]:
    """The beads that have left a one-sided track, by their number."""
    beads = zip(stage.scene.bead, now.beads.is_held.tolist(), strict=False)
    return {i: bead for i, (bead, held) in enumerate(beads) if bead.one_sided is not None and not held}


def departures(
    gone: dict[int, Bead], diary: PassageRecord, stage: Stage, now: Snapshot
) -> tuple[np.ndarray, np.ndarray]:
    """(k, 3) [m] points of their paths, now, at which beads have left them, and (k,) [m] radii of marks."""
    points = [
        pose_of_path(stage.scene, bead.path_motion, now).apply(
            point_on_path(bead.path, float(now.beads.parameter[i]))[None]
        )
        for i, bead in gone.items()
    ]
    sizes = [MARK * wire_radius(diary.track_of(i), stage.radius) for i in gone]
    return np.concatenate([np.zeros((0, 3)), *points]), np.array(sizes)


def changes(diary: PassageRecord, stage: Stage, now: Snapshot) -> tuple[np.ndarray, np.ndarray]:
    """(k, 3) [m] current positions at which the recorded values change their sign, and (k,) [m] radii of marks."""
    a, b = diary.values[:-1], diary.values[1:]
    cell = (a < 0) != (b < 0)
    cell &= ~np.isnan(a) & ~np.isnan(b)
    cell[diary.first[1:-1] - 1] = False  # between two polylines
    new = np.concatenate([diary.here, diary.here - 1])
    cell[new[(new >= 0) & (new < len(cell))]] = False  # the end of the newest values is no change of sign
    found = np.flatnonzero(cell)
    share = (a[found] / (a[found] - b[found]))[:, None]
    line = np.vstack([np.zeros((0, 3)), *(track.line for track in diary.tracks)])
    track = np.searchsorted(diary.first, found, "right") - 1
    poses = [pose_of_path(stage.scene, track.motion, now) for track in diary.tracks]
    rotations = np.array([pose.rotation for pose in poses]).reshape(-1, 3, 3)
    shifts = np.array([pose.offset for pose in poses]).reshape(-1, 3)
    points = line[found] + share * (line[found + 1] - line[found])
    sizes = np.array([MARK * wire_radius(track, stage.radius) for track in diary.tracks])
    return np.einsum("kij,kj->ki", rotations[track], points) + shifts[track], sizes[track]
