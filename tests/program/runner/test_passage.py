"""Lines of the past are smooth, however seldom a frame is drawn: they are made of states within batches of steps."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pytest
import pyvista as pv
from loop_alone import Shown

from app.messages import Play, SetForcesByLaw, SetSpeed
from app.runner.passage import MOST, SPAN, TURN, parts_of
from app.viewport.vectors import polhode
from app.viewport.view import SceneView
from core.mesh.mesh import Meshes
from core.scene import gallery
from core.scene.scene_file import read_scene
from core.simulation.simulation import Simulation

FRAME = 0.2  # [s] wall time between two frames


@pytest.mark.parametrize(("count", "rate"), [(1, 0.0), (7, 1e3), (100, 0.0), (100, 60.0), (5000, 1e6), (100, np.inf)])
def test_parts_of_a_batch(count: int, rate: float) -> None:
    parts = list(parts_of(count, 1e-3, rate))
    assert sum(parts) == count
    assert min(parts) > 0
    assert len(parts) <= MOST
    longest = max(parts) * 1e-3
    assert len(parts) == min(MOST, count) or longest <= SPAN + 1e-3
    if np.isfinite(rate):
        assert len(parts) == min(MOST, count) or (max(parts) - 1) * 1e-3 * rate <= TURN


def run_seldom_drawn(name: str, seconds: float, speed: float = 1.0) -> tuple[SceneView, Shown]:
    """A view of a built-in scene with 5 frames per second, which run for some wall time [s]; and the run."""
    scene = read_scene(gallery.path(name))
    compiled = Simulation(scene)
    compiled.advance_steps(10)  # machine code is not made while the frames are counted
    compiled.snapshot(forces=True)
    shown = Shown(scene)
    plotter = pv.Plotter(off_screen=True, window_size=(100, 100))
    view = SceneView(plotter, Meshes(), patient=True)
    first = shown.do(SetSpeed(speed), SetForcesByLaw(False))
    view.show(scene, first.snapshot, (), shown.run._simulation.built)
    shown.do(Play())
    seen = len(shown.moments)
    for _ in range(round(seconds / FRAME)):
        time.sleep(FRAME)
        shown.run.batch()
        for moment in shown.moments[seen:-1]:
            view.follow(moment.snapshot, moment.ghosts)
        view.update(shown.moments[-1].snapshot, shown.moments[-1].ghosts)
        seen = len(shown.moments)
    return view, shown


def test_states_between_frames_are_published() -> None:
    view, shown = run_seldom_drawn("t_handle", 1.0)
    view.close()
    view.plotter.close()
    for before, after in pairwise(moment.snapshot for moment in shown.moments):
        passed = after.time - before.time
        spin = np.linalg.norm(before.bodies.angular_velocity, axis=1).max()
        assert passed <= SPAN + 2e-3
        assert passed * spin <= 1.3 * TURN


def test_the_polhode_has_no_corners_at_five_frames_per_second() -> None:
    view, _ = run_seldom_drawn("t_handle", 3.0, speed=5.0)
    (curve,) = (np.asarray(each, float) for each in view.views["polhode"].curves)
    view.close()
    view.plotter.close()
    ways = np.diff(curve[np.append(True, np.linalg.norm(np.diff(curve, axis=0), axis=1) > 0)], axis=0)
    ways = ways[:-1]  # the last one is shorter than the others
    assert len(ways) > 30
    lengths = np.linalg.norm(ways, axis=1)
    cosine = np.einsum("ni,ni->n", ways[1:], ways[:-1]) / (lengths[1:] * lengths[:-1])
    assert np.degrees(np.arccos(cosine.clip(-1, 1))).max() < 12


def test_the_polhode_stays_on_its_curve_at_five_frames_per_second() -> None:
    """The intersection of two ellipsoids, which is closed: chords between few states would leave it."""
    view, _ = run_seldom_drawn("t_handle", 3.0, speed=5.0)
    (curve,) = (np.asarray(each, float) for each in view.views["polhode"].curves)
    (drawing,) = polhode.figures(view.stage)
    view.close()
    view.plotter.close()
    inertia = drawing.inertia
    squares = np.einsum("ni,ij,jk,nk->n", curve, inertia, inertia, curve)  # L^2 / 2T, constant along a polhode
    assert np.ptp(curve, axis=0).max() > 0.5 * drawing.longest
    assert np.ptp(squares) < 2e-3 * squares.mean()


def test_the_trail_of_a_bead_stays_on_its_ring_at_five_frames_per_second() -> None:
    view, _ = run_seldom_drawn("bead_on_circle", 3.0)
    stage, trails = view.stage, view.views["trails"]._trails.astype(float)
    view.close()
    view.plotter.close()
    path = stage.scene.bead[0].path
    away = np.abs(np.linalg.norm(trails[0] - path.center, axis=1) - path.radius)
    assert np.ptp(trails[0], axis=0).max() > 0.3 * path.radius
    assert away.max() < 2e-3 * path.radius
