"""Lines of the past are smooth, however seldom a frame is drawn: they are made of states within batches of steps."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import numpy as np
import pytest
import pyvista as pv
from loop_alone import Shown

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.messages import Play, SetForcesByLaw, SetSpeed
from polhode_app.runner.pacing import IDLE
from polhode_app.runner.passage import SPAN, STATES_PER_SECOND, TURN, most_parts, parts_of
from polhode_app.viewport.vectors import polhode
from polhode_app.viewport.view import SceneView

FRAME = 0.2  # [s] wall time between two frames
TUMBLING = {  # free of gravity, about no principal axis: its polhode is no plane curve
    "body": [
        {
            "name": "box",
            "support": "free",
            "angular_velocity": [3, 0.5, 9],
            "shape": [{"kind": "cuboid", "size": [0.3, 0.2, 0.05], "mass": 1}],
        }
    ],
    "world": {"gravity": [0, 0, 0]},
    "view": {"show": ["polhode"]},
}


class Clock:
    """Wall time [s] of a run, which passes only where a test says so: no other load shifts it, and nobody waits."""

    def __init__(self) -> None:
        self.now = 0.0

    def perf_counter(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr("polhode_app.runner.loop.time", SimpleNamespace(perf_counter=made.perf_counter))
    return made


@pytest.mark.parametrize("wall", [0.0, 0.017, 0.1])
@pytest.mark.parametrize(("count", "rate"), [(1, 0.0), (7, 1e3), (100, 0.0), (100, 60.0), (5000, 1e6), (100, np.inf)])
def test_parts_of_a_batch(count: int, rate: float, wall: float) -> None:
    parts, most = list(parts_of(count, 1e-3, rate, wall)), most_parts(wall)
    assert sum(parts) == count
    assert min(parts) > 0
    assert len(parts) <= most
    longest = max(parts) * 1e-3
    assert len(parts) == min(most, count) or longest <= SPAN + 1e-3
    if np.isfinite(rate):
        assert len(parts) == min(most, count) or (max(parts) - 1) * 1e-3 * rate <= TURN


def test_a_late_batch_has_as_many_states_as_several_in_time() -> None:
    assert len(list(parts_of(5000, 1e-3, 1e6, 0.1))) == 0.1 * STATES_PER_SECOND


def test_a_run_in_time_takes_few_batches(clock: Clock) -> None:
    """Each costs this thread and the window: of single steps of 0.2 ms there would be a thousand in this time."""
    shown = Shown(read_scene(gallery.path("heavy_top")))
    shown.do(Play())
    batches = 0
    while clock.now < 0.5:
        shown.run.batch()
        batches += 1
        clock.now += shown.run.patience or 1e-4
    assert batches <= 0.5 / IDLE + 4  # where the processor is late for a moment, the next batch does not wait
    assert shown.frames[-1].snapshot.time == pytest.approx(0.5, abs=2 * IDLE)


def run_seldom_drawn(clock: Clock, scene: Scene, seconds: float, speed: float = 1.0) -> tuple[SceneView, Shown]:
    """A view of a scene with 5 frames per second, run up to a simulated time [s]; and the run."""
    compiled = Simulation(scene)
    compiled.advance_steps(10)  # machine code is not made while the frames are counted
    compiled.snapshot(forces=True)
    shown = Shown(scene)
    plotter = pv.Plotter(off_screen=True, window_size=(100, 100))
    view = SceneView(plotter, Meshes(), patient=True)
    first = shown.do(SetSpeed(speed), SetForcesByLaw(False))
    view.show(scene, first.snapshot, (), shown.run._simulation.compiled)
    shown.do(Play())
    seen = len(shown.frames)
    while shown.frames[-1].snapshot.time < seconds:
        clock.now += FRAME
        shown.run.batch()
        for moment in shown.frames[seen:-1]:
            view.follow(moment.snapshot, moment.ghosts)
        view.update(shown.frames[-1].snapshot, shown.frames[-1].ghosts)
        seen = len(shown.frames)
    return view, shown


def test_states_between_frames_are_published(clock: Clock) -> None:
    view, shown = run_seldom_drawn(clock, read_scene(gallery.path("t_handle")), 1.0)
    view.close()
    view.plotter.close()
    for before, after in pairwise(moment.snapshot for moment in shown.frames):
        passed = after.time - before.time
        spin = np.linalg.norm(before.bodies.angular_velocity, axis=1).max()
        assert passed <= SPAN + 2e-3
        assert passed * spin <= 1.3 * TURN


@pytest.mark.parametrize(("name", "largest"), [("t_handle", 5), ("tumbling", 12)])
def test_the_polhode_is_smooth_at_five_frames_per_second(clock: Clock, name: str, largest: float) -> None:
    """The intersection of two ellipsoids, which is closed: chords between few states would leave it and have corners.

    Points are one to two steps apart, and the curve's own radius is 50 steps (T-handle) and 9.5 steps: it turns by
    `largest` degrees at most from one to the next. Not so within eight steps of the intermediate axis, where that of
    the T-handle turns in less than a step.
    """
    scene = scene_of(TUMBLING, "") if name == "tumbling" else read_scene(gallery.path(name))
    view, _ = run_seldom_drawn(clock, scene, 7.5, speed=5.0)
    (curve,) = (np.asarray(each, float) for each in view.views["polhode"].curves)
    (drawing,) = polhode.figures(view.stage)
    view.close()
    view.plotter.close()
    curve = curve[np.append(True, np.linalg.norm(np.diff(curve, axis=0), axis=1) > 0)]
    assert np.ptp(curve, axis=0).max() > 0.3 * drawing.longest
    inertia = drawing.inertia
    squares = np.einsum("ni,ij,jk,nk->n", curve, inertia, inertia, curve)  # L^2 / 2T, constant along a polhode
    assert np.ptp(squares) < 1e-5 * squares.mean()
    pole = drawing.half_axes[1] * drawing.axes[:, 1]
    beyond = 8 * polhode.STEP * drawing.longest
    far = np.minimum(*(np.linalg.norm(curve - end, axis=1) for end in (pole, -pole))) > beyond
    ways = np.diff(curve, axis=0)
    ways /= np.linalg.norm(ways, axis=1)[:, None]
    corners = np.degrees(np.arccos(np.einsum("ni,ni->n", ways[1:-1], ways[:-2]).clip(-1, 1)))[far[1:-2]]
    assert len(corners) > 150
    assert corners.max() < largest


def test_the_trail_of_a_bead_stays_on_its_ring_at_five_frames_per_second(clock: Clock) -> None:
    view, _ = run_seldom_drawn(clock, read_scene(gallery.path("bead_on_circle")), 3.0)
    stage, trails = view.stage, view.views["trails"]._trails.astype(float)
    view.close()
    view.plotter.close()
    path = stage.scene.bead[0].path
    away = np.abs(np.linalg.norm(trails[0] - path.center, axis=1) - path.radius)
    assert np.ptp(trails[0], axis=0).max() > 0.3 * path.radius
    assert away.max() < 2e-3 * path.radius
