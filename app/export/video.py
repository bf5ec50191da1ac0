"""Films and pictures of scenes and recordings, without a screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path

import numpy as np

from app.export.camera_motion import along, turning
from app.export.camera_path import CameraKey
from app.export.overlay import Overlay
from app.export.sources import FrameSource, RecordingSource, SimulationSource, is_tuned, scene_seen, values_in
from app.export.video_file import ENDINGS, ImageSequence, VideoFile, film_at, is_sequence
from app.viewport.base.picture import offscreen, part_beside, pixels, save
from app.viewport.view import SceneView
from core.analysis.columns import columns
from core.recording.reader import RecordedRun
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene

TRAIL_RATE = 60.0  # moments per second at which the trail of a single picture is followed
TRAIL_TIME = 4.0  # [s] before the picture from which it is followed


@dataclass(frozen=True)
class RenderSettings:
    """How it is seen."""

    begin: float = 0.0  # [s] where a film begins
    turn: float = 0.0  # [s] of the film in which the camera goes once round; 0: it stands
    keys: tuple[CameraKey, ...] = ()  # that it goes along
    clock: bool = False  # the time is written into every picture
    plots: tuple[str, ...] = ()  # columns that are plotted into it
    transparent: bool = False  # of a picture: nothing behind things
    theme: str = "dark"
    switches: tuple[tuple[str, bool], ...] = ()  # views that are on or off, whatever the scene asks for
    sizes: tuple[tuple[str, float], ...] = ()  # of arrows, by view, in the usual ones


def render(
    what: Scene | RecordedRun,
    until: float,
    out: Path,
    size: tuple[int, int] = (1280, 720),
    fps: float = 30.0,
    speed: float = 1.0,
    progress: Callable[[float], None] | None = None,
    look: RenderSettings | None = None,
) -> None:
    """Save a scene or a recording up to `until` [s]: .png its last moment, .mp4 .webm .gif and .png with %d all of it.

    `speed` is times real time, `progress` hears the finished share, 0 ... 1. Raises InputError before the work for a
    file that can't be written, and Diverged after what was drawn up to then is saved; Ctrl-C too leaves a film that
    ends there.
    """
    said, look = progress or (lambda share: None), look or RenderSettings()
    films = out.suffix.lower() in ENDINGS or is_sequence(out)
    if not films:
        part_beside(out, (".png", *ENDINGS)).unlink()
    source: FrameSource = SimulationSource(what, progress) if isinstance(what, Scene) else RecordingSource(what)
    units = _units(source, look.plots)
    plotter = offscreen(size, look.transparent and not films)
    try:
        switches, sizes = dict(look.switches), dict(look.sizes)
        view = SceneView(plotter, source.meshes, look.theme, switches, patient=True, sizes=sizes)
        shot = _Shot(source, view, look, units, until)
        if films:
            shot.film(out, fps, speed, said)
        else:
            shot.still(out, said)
    finally:
        plotter.close()


def _units(source: FrameSource, plots: tuple[str, ...]) -> dict[str, str]:
    known = columns(source.simulation.built)
    for name in plots:
        if name not in known:
            near = get_close_matches(name, [*known], 1)
            remedy = (
                Message("did you mean '{near}'?", near=near[0])
                if near
                else Message("the first row of a table names the columns")
            )
            raise InputError("polhode", [Problem("--plot", Message("'{name}' is not a column", name=name), remedy)])
    return {name: known[name] for name in plots}


class _Shot:
    """One source before one camera."""

    def __init__(self, source: FrameSource, view: SceneView, look: RenderSettings, units: dict[str, str], until: float):
        self._source, self._view, self._look, self._until = source, view, look, until
        self._tuned = is_tuned(source)
        known = [*columns(source.simulation.built)]
        self._places = [known.index(name) for name in units]
        self._shown: Scene | None = None
        self._show()
        view.reset_camera()
        if look.transparent:
            view.hide_background()
        begin = look.begin if until > look.begin else 0.0
        self._overlay = Overlay(tuple(view.plotter.window_size), look.clock, units, (begin, max(until, begin)))
        self._move = along(look.keys) if look.keys else None
        if look.turn:  # from where the first key is
            if self._move is not None:
                self._move(view.plotter.renderer.GetActiveCamera(), 0.0)
            self._move = turning(look.turn)

    def _show(self) -> None:
        """Build what is drawn from here on."""
        simulation = self._source.simulation
        self._shown = simulation.scene
        self._view.show(simulation.scene, simulation.snapshot(), self._source.ghosts(), simulation.built)

    def _moment(self) -> float:
        """Write the moment into the view; its time [s]."""
        simulation = self._source.simulation
        if simulation.scene is not self._shown:  # a recording has come to an edit
            self._show()
        snapshot = simulation.snapshot(self._view.needs_forces)
        self._view.update(snapshot, self._source.ghosts())
        if self._tuned:
            self._view.redraw_driven(*scene_seen(self._source))
        self._overlay.take(snapshot.time, values_in(snapshot, self._places))
        return snapshot.time

    def _drawn(self, time: float) -> np.ndarray:
        self._view.plotter.renderer.ResetCameraClippingRange()
        self._view.plotter.render_window.Render()
        return self._overlay.on(pixels(self._view.plotter, self._look.transparent), time)

    def film(self, out: Path, fps: float, speed: float, said: Callable[[float], None]) -> None:
        look = self._look
        film: VideoFile | ImageSequence = film_at(out, tuple(self._view.plotter.window_size), fps)
        try:
            count = int(max(0.0, self._until - look.begin) / speed * film.fps + 1e-9)
            for number in range(count + 1):
                self._source.go_to(min(look.begin + number * speed / film.fps, self._until))
                time = self._moment()
                if self._move is not None:
                    self._move(self._view.plotter.renderer.GetActiveCamera(), number / film.fps)
                film.add(self._drawn(time)[..., :3])
                said(number / max(count, 1))
        finally:
            film.close()

    def still(self, out: Path, said: Callable[[float], None]) -> None:
        source, until = self._source, self._until
        begin = max(0.0, until - TRAIL_TIME)
        try:
            for number in range(int(begin)):  # second by second, so that Ctrl-C is heard
                source.go_to(number)
                said(number / until)
            source.go_to(begin)
            self._show()  # the trail begins here
            steps = max(1, round(TRAIL_RATE * (until - begin)))
            for number in range(1, steps + 1):
                time = begin + (until - begin) * number / steps
                source.go_to(time)
                self._moment()
                said(time / until if until > 0 else 1.0)
        finally:
            time = self._moment()
            if self._move is not None:
                self._move(self._view.plotter.renderer.GetActiveCamera(), 0.0)
            about = {"Title": source.simulation.scene.title, "Simulated time": f"{time!r} s"}
            save(self._drawn(time), out, about)
