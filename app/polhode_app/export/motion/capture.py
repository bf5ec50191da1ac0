"""A run as moving parts: the views of the window draw it, frame by frame, and what their actors draw is kept.

Nothing is rendered: neither a screen nor a graphics card is needed.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from vtkmodules.vtkRenderingCore import vtkActor, vtkRenderer

from polhode.analysis.columns import columns
from polhode.scene.scene import Scene
from polhode.simulation.diverged import Diverged
from polhode_app.export.motion.legends import Legends
from polhode_app.export.motion.parts import MotionPart, RunMotion, Trail
from polhode_app.export.motion.pose_table import PoseTable
from polhode_app.export.motion.records import Record, record_of
from polhode_app.export.sources import FrameSource
from polhode_app.jobs import Job
from polhode_app.viewport.base.palette import THEMES
from polhode_app.viewport.base.stage import Stage, set_stage
from polhode_app.viewport.environment.drawable import drawable
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.registry import ON_REQUEST, VIEWS
from polhode_app.viewport.things.appearance_cache import AppearanceCache
from polhode_app.viewport.things.trails import bright, followed

KINDS = ("item", "surroundings", "ground", "arrows", "marker")  # of views whose actors are kept
FEW = 24  # bodies and points of a scene whose page offers views that are off at the start


class Capture:
    """The frames of a source, taken one by one."""

    def __init__(self, source: FrameSource, switches: Mapping[str, bool], sizes: Mapping[str, float]):
        """`switches`: visibility of views that differs from the defaults; `sizes`: lengths of arrows by view."""
        self._source, self._switches, self._sizes = source, dict(switches), dict(sizes)
        scene = source.simulation.scene
        self.shown, self._names = _views(scene, self._switches, source.simulation)
        self._renderers = {name: vtkRenderer() for name in self._names}
        self._views: dict[str, ViewBase] = {name: VIEWS[name].make(self._renderers[name]) for name in self._names}
        self._records: dict[str, dict[vtkActor, Record]] = {name: {} for name in self._names}
        self._job, self._looks = Job("field", patient=True), AppearanceCache()
        self._scene: Scene | None = None
        self._twins: dict[str, list[vtkActor]] = {}
        self.stages: dict[str, Stage] = {}
        self._columns = columns(source.simulation.compiled)
        self._numbers: list[np.ndarray] = []
        self._times: list[float] = []
        self._poses = PoseTable()
        self._legends = Legends()

    @property
    def numbers_of_a_moment(self) -> int:
        """How many numbers of the last frame differ from those of the first one; columns are not counted."""
        records = (record for of_view in self._records.values() for record in of_view.values())
        return sum(record.count for record in records)

    @property
    def is_empty(self) -> bool:
        """Whether no frame is taken yet."""
        return not self._times

    @property
    def frames(self) -> int:
        """Number of frames taken."""
        return len(self._times)

    def add(self) -> None:
        """Take the current frame of the source; a snapshot with values too large to draw is skipped."""
        simulation = self._source.simulation
        if simulation.scene is not self._scene:
            self._show(simulation.scene)
        now = simulation.snapshot(any(VIEWS[name].needs_forces for name in self._names))
        if not drawable(now) or (self._times and now.time <= self._times[-1]):
            return
        for name, view in self._views.items():
            view.update(now)
            self._read(name)
            self._legends.read(name, view, self._renderers[name], now)
        self._poses.add(now)
        self._times.append(now.time)
        self._numbers.append(np.array(now.numbers))

    def _read(self, name: str) -> None:
        """Read all actors of a view."""
        seen, known, view = [*self._renderers[name].GetActors()], self._records[name], self._views[name]
        bodies = {each.actor: each.numbers for each in view.copies}
        for number, actor in enumerate(seen):
            if actor not in known:
                twins = self._twins[name]
                twin = twins[number] if len(twins) == len(seen) else None
                record = record_of(actor, twin, len(self._times), bodies.get(actor))
                if record is None:
                    continue
                known[actor] = record
            known[actor].add()
        for actor in known.keys() - {*seen}:
            known[actor].add_missing()

    def _show(self, scene: Scene) -> None:
        """Build all views for a scene, and once more in the light theme for the colours."""
        simulation = self._source.simulation
        solids = self._looks.of(scene, self._source.meshes)
        made = {
            name: replace(
                set_stage(scene, solids, theme, self._source.meshes, self._job, simulation.compiled), sizes=self._sizes
            )
            for name, theme in THEMES.items()
        }
        light = {name: vtkRenderer() for name in self._names}
        for name, view in self._views.items():
            view.rebuild(made["dark"])
            view.set_visible(True)
            twin = VIEWS[name].make(light[name])
            twin.rebuild(made["light"])
            twin.set_visible(True)
            self._twins[name] = [*light[name].GetActors()]
        self.stages, self._scene = self.stages or made, scene

    def motion(self, available: int) -> RunMotion:
        """All frames taken so far, of `available` ones that the source has."""
        self._job.close()
        table = self._poses
        parts: list[MotionPart] = []
        for name in self._names:
            for record in self._records[name].values():
                parts += record.parts(name, table.find)
        values = np.array(self._numbers)
        named = {name: (unit, values[:, k]) for k, (name, unit) in enumerate(self._columns.items())}
        return RunMotion(
            np.array(self._times),
            table.poses(np.array(self._times)),
            tuple(parts),
            _trails(self.stages["dark"]),
            named,
            tuple(self._legends.found),
            self.stages,
            frozenset(self.shown),
            available,
        )


def _views(scene: Scene, switches: Mapping[str, bool], simulation: object) -> tuple[set[str], tuple[str, ...]]:
    """Names of the views that are on at the start, and of those that are kept."""
    usual = {name: name not in ON_REQUEST or name in scene.view.show for name in VIEWS} | switches
    on = {name for name, is_on in usual.items() if is_on}
    compiled = simulation.compiled  # type: ignore[attr-defined]
    few = len(scene.bodies) + len(compiled.start_points) <= FEW
    offered = {name for name, record in VIEWS.items() if record.offered and few and switches.get(name, True)}
    return on, tuple(name for name, record in VIEWS.items() if record.kind in KINDS and name in on | offered)


def _trails(stage: Stage) -> tuple[Trail, ...]:
    """The trails of all moving bodies."""
    return tuple(Trail(i, followed(stage.solids[i]), bright(stage.solids[i], i)) for i in stage.moving)


def capture(
    source: FrameSource,
    times: Sequence[float],
    switches: Mapping[str, bool],
    sizes: Mapping[str, float],
    most: Callable[[int], int],
    progress: Callable[[float], None],
) -> RunMotion:
    """The motion of a source at some of the increasing `times` [s].

    `most` tells from the numbers of a frame how many frames are taken at most: the others are left out evenly.
    `progress` is called with the fraction done. A run that diverges ends there, and `stopped` says why.
    """
    taken, stopped = Capture(source, switches, sizes), None
    try:
        for time in times[:2]:
            source.go_to(time)
            taken.add()
        count = min(len(times), max(2, most(taken.numbers_of_a_moment)))
        for number in (number for number in chosen(len(times), count) if number > 1):
            source.go_to(times[number])
            taken.add()
            progress(number / len(times))
    except Diverged as stop:
        if taken.is_empty:
            raise
        stopped = stop
    return replace(taken.motion(len(times)), stopped=stopped)


def chosen(available: int, count: int) -> Collection[int]:
    """Indices of `count` of the frames, evenly spread, with the first one and the last one."""
    return sorted({*np.round(np.linspace(0, available - 1, count)).astype(int).tolist()})
