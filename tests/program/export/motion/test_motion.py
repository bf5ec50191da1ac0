"""Runs as moving parts: they are where the simulation is, and look as in the window."""

from __future__ import annotations

import numpy as np
import pytest
import pyvista as pv
from moving_scene import TIMES, everything, motion_at
from vtkmodules.vtkRenderingCore import vtkPolyDataMapper

from polhode import Simulation
from polhode_app.export.motion.actors import meshes_of
from polhode_app.export.motion.capture import chosen
from polhode_app.export.motion.parts import Deformed, Poses, RunMotion, Spheres, Still
from polhode_app.export.motion.turns import extra_turns
from polhode_app.viewport.base.palette import NORTH, SOUTH, rgb
from polhode_app.viewport.things.instances import quaternions


@pytest.fixture(scope="module")
def motion() -> RunMotion:
    return motion_at(everything(), TIMES)


def test_poses_are_those_of_the_simulation(motion: RunMotion) -> None:
    simulation = Simulation(everything())
    for row, time in enumerate(TIMES):
        simulation.advance_steps(round(time / 1e-3) - simulation.steps)
        now = simulation.snapshot().bodies
        assert np.allclose(motion.poses.position[row, :3], now.position, atol=1e-12)
        assert np.allclose(motion.poses.quaternion[row, :3], quaternions(now.basis), atol=1e-12)


def test_every_view_with_something_to_draw_is_there(motion: RunMotion) -> None:
    views = {part.view for part in motion.parts}
    assert views >= {"bodies", "points", "skins", "springs", "supports", "dipoles", "walls"}


def test_the_poles_of_a_magnet_have_their_colours(motion: RunMotion) -> None:
    of_bob = [part for part in motion.parts if part.view == "bodies" and 0 in getattr(part.movement, "poses", ())]
    colors = np.array([part.look.color for part in of_bob])
    for color in (rgb(NORTH), rgb(SOUTH), (1.0, 1.0, 1.0)):  # and white letters
        assert (np.abs(colors - color).max(axis=1) < 0.5 / 255 + 1e-9).any()


def test_what_stands_still_has_no_poses(motion: RunMotion) -> None:
    stand = [part for part in motion.parts if part.view == "bodies" and isinstance(part.movement, Still)]
    assert len(stand) == 3  # shades of the faces of a box
    assert np.vstack([part.mesh.points for part in stand]).min(axis=0) == pytest.approx([-0.6, -0.1, 0.0], abs=1e-6)


def test_supports_differ_in_the_light_theme(motion: RunMotion) -> None:
    support = next(part for part in motion.parts if part.view == "supports")
    assert np.mean(support.look.color) > np.mean(support.light_look.color) + 0.1


def test_sheets_pass_through_their_points(motion: RunMotion) -> None:
    simulation = Simulation(everything())
    simulation.advance_steps(round(TIMES[-1] / 1e-3))
    points = simulation.snapshot().points.position
    sheet = next(p.movement for p in motion.parts if p.view == "skins" and "sheets" in p.movement.structure)
    assert isinstance(sheet, Deformed)
    away = np.linalg.norm(sheet.points[-1][None] - points[:12, None], axis=2).min(axis=1)
    assert away.max() < 1e-6  # float32


def test_particles_are_spheres_at_their_places(motion: RunMotion) -> None:
    simulation = Simulation(everything())
    simulation.advance_steps(round(TIMES[-1] / 1e-3))
    balls = next(part.movement for part in motion.parts if isinstance(part.movement, Spheres))
    place = simulation.snapshot().points.position[-1]
    assert np.linalg.norm(balls.points[-1] - place, axis=1).min() < 1e-6
    assert 0.03 in np.round(balls.radius, 6)


def test_full_turns_are_counted() -> None:
    """400 rad/s for 0.02 s are 8 rad: one full turn and 1.717 rad."""
    angle = 8.0 * np.arange(4)
    turned = np.column_stack([np.cos(angle / 2), np.zeros((4, 2)), np.sin(angle / 2)])[:, None]
    swept = np.zeros((4, 1, 3))
    swept[:, 0, 2] = angle
    assert extra_turns(Poses(np.zeros((4, 1, 3)), turned, swept)).ravel().tolist() == [1, 1, 1]
    assert extra_turns(Poses(np.zeros((4, 1, 3)), turned, swept * (8 - 2 * np.pi) / 8)).ravel().tolist() == [0, 0, 0]


def test_full_turns_the_other_way_are_counted() -> None:
    """-8 rad are the shortest rotation of -1.717 rad, whose axis is then -z, and one full turn about it."""
    angle = -8.0 * np.arange(3)
    turned = np.column_stack([np.cos(angle / 2), np.zeros((3, 2)), np.sin(angle / 2)])[:, None]
    swept = np.zeros((3, 1, 3))
    swept[:, 0, 2] = angle
    assert extra_turns(Poses(np.zeros((3, 1, 3)), turned, swept)).ravel().tolist() == [1, 1]


def test_thinning_keeps_moments_as_they_are(motion: RunMotion) -> None:
    few = motion.thinned(np.array([0, 10, 25]))
    assert few.times.tolist() == motion.times[[0, 10, 25]].tolist()
    assert np.array_equal(few.poses.position, motion.poses.position[[0, 10, 25]])
    for part, thin in zip(motion.parts, few.parts, strict=True):
        if isinstance(part.movement, Deformed):
            assert np.array_equal(thin.movement.points, part.movement.points[[0, 10, 25]])


def test_moments_are_left_out_evenly() -> None:
    assert [*chosen(101, 11)] == [*range(0, 101, 10)]
    assert [*chosen(3, 3)] == [0, 1, 2]
    assert [*chosen(1, 2)] == [0]


def test_cells_of_several_colours_become_meshes_of_one() -> None:
    box = pv.Box(level=1)
    colors = np.zeros((box.n_cells, 3), np.uint8)
    colors[: box.n_cells // 2, 0] = 255
    box.cell_data.set_scalars(colors, "color")
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(box)
    mapper.SetColorModeToDirectScalars()
    made = meshes_of(box, mapper)
    assert sorted(color for _, color in made) == [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0)]
    assert sum(len(mesh.triangles) for mesh, _ in made) == 2 * box.n_cells
