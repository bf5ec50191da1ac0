"""Films and pictures of scenes and recordings, rendered off screen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from polhode.analysis.columns import columns
from polhode.recording.reader import RecordedRun
from polhode.scene.display.view import Camera
from polhode.scene.scene import Scene
from polhode_app.edit.open_file import is_sequence
from polhode_app.edit.parts import owners
from polhode_app.edit.scene_diff import SceneDiff
from polhode_app.export.camera_motion import orbiting, through_keys
from polhode_app.export.camera_path import CameraKey
from polhode_app.export.film_bands import film_bands
from polhode_app.export.known_columns import check_columns
from polhode_app.export.overlay import Overlay
from polhode_app.export.sources import (
    FrameSource,
    RecordingSource,
    RunningSource,
    SimulationSource,
    changes_appearance,
    current_scene,
    values_in,
)
from polhode_app.export.video_file import ENDINGS, ImageSequence, VideoFile, open_film
from polhode_app.viewport.base.picture import check_target, offscreen, pixels, save
from polhode_app.viewport.geometry.trail_bands import Prediction
from polhode_app.viewport.things.trails import TrailView
from polhode_app.viewport.view import SceneView

TRAIL_RATE = 60.0  # [1/s] states per second from which the trails of a picture are drawn
TRAIL_TIME = 4.0  # [s] length of the trails of a picture
CURVE_TIME = 20.0  # [s] the same of polhodes, which close


@dataclass(frozen=True)
class RenderSettings:
    """Options of a film or a picture."""

    begin: float = 0.0  # [s] simulated time of the first frame
    turn: float = 0.0  # [s] of the film for one orbit of the camera; 0: it is fixed
    keys: tuple[CameraKey, ...] = ()  # path of the camera
    clock: bool = False  # draw the time
    plots: tuple[str, ...] = ()  # columns drawn as plots
    transparent: bool = False  # transparent background, for pictures only
    theme: str = "light"
    switches: tuple[tuple[str, bool], ...] = ()  # views shown or hidden, overriding the scene
    sizes: tuple[tuple[str, float], ...] = ()  # lengths of arrows by view, relative to the default
    camera: Camera | None = None  # in place of the scene's
    plain: bool = False  # without the axes of the laboratory and the scale bar
    beside: bool = False  # whether the plots of items are side by side


def render(
    what: Scene | RecordedRun | RunningSource,
    until: float,
    out: Path,
    size: tuple[int, int] = (1280, 720),
    fps: float = 30.0,
    speed: float = 1.0,
    progress: Callable[[float], None] | None = None,
    look: RenderSettings | None = None,
) -> None:
    """Render a scene, a recording or a running simulation up to `until` [s] of simulated time.

    A .png file gets the last state; .mp4, .webm, .gif, and .png names with %d get all frames. `size` is (width, height)
    [pixel], `speed` simulated seconds per second of film; `progress` receives the fraction done, 0 to 1.

    Raises InputError before the work for a file that cannot be written. Raises Diverged after saving what was rendered
    before; Ctrl-C leaves a shorter film, too.
    """
    report, look = progress or (lambda share: None), look or RenderSettings()
    films = out.suffix.lower() in ENDINGS or is_sequence(out)
    if not films:
        check_target(out, (".png", *ENDINGS))
    with _rendered(_source(what, until, progress), until, size, look, look.transparent and not films) as renderer:
        renderer.predict()
        if films:
            renderer.film(out, fps, speed, report)
        else:
            renderer.still(out, report)


def render_now(source: RunningSource, size: tuple[int, int], look: RenderSettings) -> np.ndarray:
    """(height, width, 3 or 4) uint8 picture of the present state. Raises InputError."""
    with _rendered(source, source.simulation.time, size, look, look.transparent) as renderer:
        return renderer.now()


def _source(what: Scene | RecordedRun | RunningSource, until: float, listener: object) -> FrameSource:
    """The states to render. Raises InputError for a scene that can't be compiled, or can't run up to `until` [s]."""
    if isinstance(what, RunningSource):
        return what
    return SimulationSource(what, listener, until) if isinstance(what, Scene) else RecordingSource(what)


@contextmanager
def _rendered(
    source: FrameSource, until: float, size: tuple[int, int], look: RenderSettings, transparent: bool
) -> Iterator[_Renderer]:
    """Context manager that renders a source off screen."""
    units = _units(source, look.plots)
    plotter = offscreen(size, transparent)
    try:
        switches, sizes = dict(look.switches), dict(look.sizes)
        view = SceneView(plotter, source.meshes, look.theme, switches, patient=True, sizes=sizes)
        yield _Renderer(source, view, look, units, until)
    finally:
        plotter.close()


def _units(source: FrameSource, plots: tuple[str, ...]) -> dict[str, str]:
    """Units of the columns to plot, by name. Raises InputError for unknown columns."""
    known = columns(source.simulation.compiled)
    check_columns("--plot", plots, known)
    return {name: known[name] for name in plots}


class _Renderer:
    """A source rendered by one view and one camera."""

    def __init__(self, source: FrameSource, view: SceneView, look: RenderSettings, units: dict[str, str], until: float):
        self._source, self._view, self._look, self._until = source, view, look, until
        self._changes_appearance = changes_appearance(source)
        known = [*columns(source.simulation.compiled)]
        self._columns = [known.index(name) for name in units]
        self._shown_scene: Scene | None = None
        self._bands: tuple[Scene, Prediction | None] | None = None
        self._rebuild_view()
        view.reset_camera()
        if look.transparent:
            view.hide_background()
        if look.plain:
            view.hide_annotations()
        begin = look.begin if until > look.begin else 0.0
        span, items = (begin, max(until, begin)), owners(units, source.simulation.scene) if look.beside else None
        self._overlay = Overlay(tuple(view.plotter.window_size), look.clock, units, span, items)
        self._move = through_keys(look.keys) if look.keys else None
        if look.turn:  # the orbit starts at the first key
            if self._move is not None:
                self._move(view.plotter.renderer.GetActiveCamera(), 0.0)
            self._move = orbiting(look.turn)

    def _rebuild_view(self) -> None:
        """Rebuild the view for the current scene."""
        simulation, camera = self._source.simulation, self._look.camera
        scene = simulation.scene if camera is None else simulation.scene.with_values({"view.camera": camera})
        diff, self._shown_scene = SceneDiff(self._shown_scene, simulation.scene), simulation.scene
        self._view.show(scene, simulation.snapshot(), self._source.ghosts(), simulation.compiled, diff=diff)
        if self._bands is not None:
            of, prediction = self._bands
            trails = self._view.views["trails"]
            assert isinstance(trails, TrailView)
            trails.show_bands(prediction if simulation.scene == of else None)

    def predict(self) -> None:
        """Compute the bands about trails, if they are shown and numbers of the scene are uncertain."""
        view = self._view
        if view.visible["trails"] and view.stage is not None:
            bands = film_bands(view.stage, self._until, lambda part: None)
            self._bands = (self._source.simulation.scene, bands)
            self._rebuild_view()

    def _update_view(self) -> float:
        """Update the view to the current state; returns its time [s]."""
        simulation = self._source.simulation
        if simulation.scene != self._shown_scene:  # the recording has reached an edit
            self._rebuild_view()
        snapshot = simulation.snapshot(self._view.needs_forces)
        self._view.update(snapshot, self._source.ghosts())
        if self._changes_appearance:
            self._view.redraw_driven(*current_scene(self._source))
        self._overlay.add(snapshot.time, values_in(snapshot, self._columns))
        return snapshot.time

    def _rendered_frame(self, time: float) -> np.ndarray:
        """The rendered frame with its overlay, (height, width, 3 or 4) uint8."""
        self._view.plotter.renderer.ResetCameraClippingRange()
        self._view.plotter.render_window.Render()
        return self._overlay.draw_on(pixels(self._view.plotter, self._look.transparent), time)

    def now(self) -> np.ndarray:
        """(height, width, 3 or 4) uint8 picture of the present state."""
        return self._rendered_frame(self._update_view())

    def film(self, out: Path, fps: float, speed: float, report: Callable[[float], None]) -> None:
        """Write a film to `out`; the frames so far are kept on errors."""
        look = self._look
        film: VideoFile | ImageSequence = open_film(out, tuple(self._view.plotter.window_size), fps)
        try:
            count = int(max(0.0, self._until - look.begin) / speed * film.fps + 1e-9)
            for number in range(count + 1):
                self._source.go_to(min(look.begin + number * speed / film.fps, self._until))
                time = self._update_view()
                if self._move is not None:
                    self._move(self._view.plotter.renderer.GetActiveCamera(), number / film.fps)
                film.add(self._rendered_frame(time)[..., :3])
                report(number / max(count, 1))
        finally:
            film.close()

    def still(self, out: Path, report: Callable[[float], None]) -> None:
        """Write a picture of the last state to `out`, on divergence of the last finite one."""
        source, until = self._source, self._until
        begin = max(0.0, until - (CURVE_TIME if self._view.visible["polhode"] else TRAIL_TIME))
        try:
            for number in range(int(begin)):  # in steps of 1 s, between which Ctrl-C takes effect
                source.go_to(number)
                report(number / until)
            source.go_to(begin)
            self._shown_scene = None  # rebuilt in any case: trails start here
            self._rebuild_view()
            steps = max(1, round(TRAIL_RATE * (until - begin)))
            for number in range(1, steps + 1):
                time = begin + (until - begin) * number / steps
                source.go_to(time)
                self._update_view()
                report(time / until if until > 0 else 1.0)
        finally:
            time = self._update_view()
            if self._move is not None:
                self._move(self._view.plotter.renderer.GetActiveCamera(), 0.0)
            about = {"Title": source.simulation.scene.title, "Simulated time": f"{time!r} s"}
            save(self._rendered_frame(time), out, about)
