"""Views of beads on request: arrows, osculating circles, colours along their paths."""

from __future__ import annotations

from dataclasses import replace
from math import pi, sqrt, tau

import numpy as np
import pytest
import pyvista as pv

from polhode.mesh.mesh import Meshes
from polhode.simulation.simulation import Simulation
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.paths.path_strips import PassageRecord, changes
from polhode_app.viewport.vectors.curvature import POINTS, osculating
from polhode_app.viewport.view import SceneView
from scenes import bead_scene

G = 10.0
CIRCLE = {"kind": "circle", "radius": 0.5, "center": [0, 0, 1]}
LINE = {"kind": "line", "start": [-1, 0, 0], "end": [1, 0, 0]}


def begun(plotter: pv.Plotter, *beads: dict[str, object]) -> tuple[Stage, Simulation]:
    simulation, view = Simulation(bead_scene(*beads, gravity=G)), SceneView(plotter, Meshes())
    view.show(simulation.scene, simulation.snapshot(), compiled=simulation.compiled)
    assert view.stage is not None
    return view.stage, simulation


def at(now: Snapshot, time: float, *parameters: float, held: bool = True) -> Snapshot:
    """The same moment, but for the time and the places of the beads."""
    q = np.array(parameters)
    return replace(now, time=time, beads=replace(now.beads, parameter=q, is_held=np.full(len(q), held)))


def test_an_osculating_circle_touches_the_path_to_the_second_order(plotter: pv.Plotter) -> None:
    _, simulation = begun(plotter, {"path": {"kind": "parabola", "coefficient": 0.5}, "parameter": 0.7})
    now = simulation.snapshot()
    (circle,) = osculating(now.bodies.position, now.beads.tangent, now.beads.curvature, 100.0)
    # z = x^2/2 has the radius (1 + x^2)^(3/2) and the centre (-x^3, 1 + 3 x^2/2).
    center, radius = np.array([-(0.7**3), 0, 1 + 1.5 * 0.49]), 1.49**1.5
    assert np.linalg.norm(circle - center, axis=1) == pytest.approx(radius, abs=1e-9)
    assert circle[POINTS // 2] == pytest.approx(now.bodies.position[0], abs=1e-12)
    (piece,) = osculating(now.bodies.position, now.beads.tangent, 1e-7 * now.beads.curvature, 0.3)
    assert np.linalg.norm(piece - now.bodies.position[0], axis=1).max() == pytest.approx(0.3, rel=1e-6)


def test_a_diary_knows_what_a_bead_had_at_each_place(plotter: pv.Plotter) -> None:
    stage, simulation = begun(plotter, {"path": LINE}, {"path": CIRCLE})
    diary, now = PassageRecord(stage), simulation.snapshot()
    line, circle = (slice(*diary.first[k : k + 2]) for k in (0, 1))
    diary.write(at(now, 0.0, 0.2, 0.0), np.array([1.0, 0.0]))
    diary.write(at(now, 0.1, 1.2, -7.0), np.array([2.0, 7.0]))  # more than a whole turn backwards
    x = diary.tracks[0].line[:, 0]
    known = ~np.isnan(diary.values[line])
    assert x[known].min() == pytest.approx(-0.8, abs=0.011)
    assert x[known].max() == pytest.approx(0.2, abs=0.011)
    assert diary.values[line][known] == pytest.approx(2.0 + (x[known] - 0.2), abs=0.006)  # a cell
    assert not np.isnan(diary.values[circle]).any()
    diary.write(at(now, 0.2, 1.2, -6.0, held=False), np.array([9.0, 9.0]))
    assert np.nanmax(diary.values) < 8  # what has left its path is nowhere on it
    diary.write(at(now, 0.0, 1.0, 0.0), np.array([1.0, 0.0]))  # the clock went back
    assert np.isnan(diary.values).sum() > len(diary.values) - 5


def test_a_turn_is_written_over_the_end_of_a_closed_path(plotter: pv.Plotter) -> None:
    stage, simulation = begun(plotter, {"path": CIRCLE})
    diary, now = PassageRecord(stage), simulation.snapshot()
    for moment in range(60):
        diary.write(at(now, moment, 0.3 * moment), np.array([0.3 * moment]))
    q = diary.tracks[0].parameters
    latest = 0.3 * 59 - (0.3 * 59 - q) % tau
    assert diary.values[:-1] == pytest.approx(latest[:-1], abs=1e-9)


def test_marks_are_where_a_track_would_lose_a_bead(plotter: pv.Plotter) -> None:
    """m v^2/R + m g cos a = 0, a from the bottom, where v^2 = 4.2 g R: cos a = -2.2/3, on both sides."""
    radius = 0.5
    bead = {"path": CIRCLE, "parameter": -pi / 2, "speed": sqrt(4.2 * G * radius), "radius": 0.05}
    stage, simulation = begun(plotter, bead)
    diary = PassageRecord(stage)
    for _ in range(400):
        now = simulation.snapshot()
        diary.write(now, now.beads.pressure)
        simulation.advance(0.004)
    places, sizes = changes(diary, stage, now)
    height = 1 + radius * 2.2 / 3
    assert places[:, 2] == pytest.approx([height, height], abs=2e-3)
    assert sorted(np.sign(places[:, 0])) == [-1, 1]
    assert (sizes > 0).all()


def test_beads_that_share_a_path_share_its_strip(plotter: pv.Plotter) -> None:
    stage, _ = begun(plotter, *[{"path": CIRCLE, "parameter": 0.5 * k} for k in range(5)])
    assert len(PassageRecord(stage).tracks) == 1
