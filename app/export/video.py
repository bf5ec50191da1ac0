"""Films and pictures of a scene, without a screen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.export.film import ENDINGS, Film
from app.export.picture import offscreen, part_beside, picture, pixels
from app.ghosts import Ghosts
from app.sensor.playing import play_hand
from app.tuned import changes_the_look
from app.viewport.view import SceneView
from core.mesh import Meshes
from core.scene import Scene
from core.simulation import Simulation

TRAIL_RATE = 60.0  # moments per second at which the trail of a single picture is followed
TRAIL_TIME = 4.0  # [s] before the picture from which it is followed


def render(
    scene: Scene,
    until: float,
    out: Path,
    size: tuple[int, int] = (1280, 720),
    fps: float = 30.0,
    speed: float = 1.0,
    progress: Callable[[float], None] | None = None,
) -> None:
    """Run a scene up to `until` [s] and save it: .png its last moment, .mp4 and .gif all of it.

    `speed` is times real time, `progress` hears the finished share, 0 ... 1. Raises InputError before the work for a
    file that can't be written, and Diverged after what was drawn up to then is saved; Ctrl-C too leaves a film that
    ends there.
    """
    said = progress or (lambda share: None)
    if out.suffix.lower() not in ENDINGS:
        part_beside(out, (".png", *ENDINGS)).unlink()
    meshes = Meshes()
    simulation, ghosts = Simulation(scene, meshes), Ghosts.begun(scene, meshes)
    play_hand(scene, [simulation, *ghosts.simulations])
    plotter = offscreen(size)
    try:
        view = SceneView(plotter, meshes, patient=True)
        view.show(scene, simulation.snapshot(), ghosts.snapshots(), simulation.built)
        view.reset_camera()
        if out.suffix.lower() in ENDINGS:
            _film(simulation, ghosts, view, until, out, fps, speed, said)
        else:
            _still(simulation, ghosts, view, until, out, said)
    finally:
        plotter.close()


def _film(
    simulation: Simulation,
    ghosts: Ghosts,
    view: SceneView,
    until: float,
    out: Path,
    fps: float,
    speed: float,
    said: Callable[[float], None],
) -> None:
    film = Film(out, view.plotter.window_size, fps)
    tuned = changes_the_look(simulation.scene)
    try:
        count = int(until / speed * film.fps + 1e-9)
        for number in range(count + 1):
            run_to(simulation, ghosts, min(number * speed / film.fps, until))
            view.update(simulation.snapshot(view.visible["forces"]), ghosts.snapshots())
            if tuned:
                view.tune(simulation.driven_scene, simulation.built)
            view.plotter.render_window.Render()
            film.add(pixels(view.plotter))
            said(number / max(count, 1))
    finally:
        film.close()


def _still(
    simulation: Simulation,
    ghosts: Ghosts,
    view: SceneView,
    until: float,
    out: Path,
    said: Callable[[float], None],
) -> None:
    begin = max(0.0, until - TRAIL_TIME)
    try:
        for number in range(int(begin)):  # second by second, so that Ctrl-C is heard
            run_to(simulation, ghosts, number)
            said(number / until)
        run_to(simulation, ghosts, begin)
        view.show(
            simulation.scene, simulation.snapshot(), ghosts.snapshots(), simulation.built
        )  # the trail begins here
        steps = max(1, round(TRAIL_RATE * (until - begin)))
        for number in range(1, steps + 1):
            time = begin + (until - begin) * number / steps
            run_to(simulation, ghosts, time)
            view.update(simulation.snapshot(view.visible["forces"]), ghosts.snapshots())
            said(time / until if until > 0 else 1.0)
    finally:
        view.update(simulation.snapshot(view.visible["forces"]), ghosts.snapshots())
        if changes_the_look(simulation.scene):
            view.tune(simulation.driven_scene, simulation.built)
        view.plotter.render_window.Render()
        picture(view.plotter, out)


def run_to(simulation: Simulation, ghosts: Ghosts, time: float) -> None:
    """Go on to the whole step that is nearest to a time [s]; a ghost that is lost on the way is no longer drawn."""
    simulation.advance_steps(max(0, round(time / simulation.time_step) - simulation.steps))
    for _ in ghosts.follow(simulation.time):
        pass
