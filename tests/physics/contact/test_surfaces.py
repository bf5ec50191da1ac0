"""Spheres on curved surfaces: nearest places, rolling, what is kept, and what is no surface."""

import time
from math import sqrt

import numpy as np
import pytest
import trimesh
from meaning import Meaning
from scipy.integrate import solve_ivp
from scipy.optimize import minimize

from polhode.physics.contact.surface_contact import on_formula, on_mesh
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation

G, MASS, RADIUS, STIFFNESS = 9.80665, 0.2, 0.05, 1e5
WAVES = "0.3*x^2 + 0.1*sin(3*x + y) - 0.05*y"


def on(z, x=0.0, y=0.0, speed=(0.0, 0.0), rolling=False, time_step=1e-4, extent=2.0, world=None, **law):
    """A ball that touches z = f(x, y) at a place, pressed in by its weight, moving along with dx/dt, dy/dt."""
    surface = {"name": "s", "kind": "formula", "z": z, "x_range": [-extent, extent], "y_range": [-extent, extent]}
    data = {
        "world": world or {},
        "solver": {"time_step": time_step},
        "sphere": [{"name": "b", "mass": MASS, "radius": RADIUS}],
    }
    data["surface"] = [{**surface, "stiffness": STIFFNESS, **law}]
    described = Scene.model_validate(data)
    f = described.surface[0].heights
    h = 1e-5
    place = np.array([x, y, float(f(np.array(x), np.array(y)))])
    slope_x = float(f(np.array(x + h), np.array(y)) - f(np.array(x - h), np.array(y))) / (2 * h)
    slope_y = float(f(np.array(x), np.array(y + h)) - f(np.array(x), np.array(y - h))) / (2 * h)
    normal = np.array([-slope_x, -slope_y, 1]) / sqrt(1 + slope_x**2 + slope_y**2)
    velocity = np.array([*speed, slope_x * speed[0] + slope_y * speed[1]])
    gravity = -np.array(described.world.gravity)
    ball = {
        "position": (place + (RADIUS - max(0.0, MASS * gravity @ normal) / STIFFNESS) * normal).tolist(),
        "velocity": velocity.tolist(),
        "angular_velocity": (np.cross(normal, velocity) / RADIUS if rolling else np.zeros(3)).tolist(),
    }
    return Simulation(Scene.model_validate({**data, "sphere": [{**data["sphere"][0], **ball}]}))


@pytest.mark.parametrize("center", [(0.3, 0.2, 0.18), (-0.5, 0.7, 0.15), (0.0, 0.0, 0.06), (0.9, -0.4, 0.42)])
def test_the_nearest_place_agrees_with_a_minimiser(center):
    """Depth within the minimiser's tolerance; how the normal turns by moving the sphere a little to either side."""
    simulation = on(WAVES)
    model, f = simulation.compiled.model, simulation.scene.surface[0].heights
    velocity = (0.3, -0.2, 0.4)

    def far(xy):
        place = np.array([*xy, float(f(np.array(xy[0]), np.array(xy[1])))])
        return float(np.sum((place - center) ** 2))

    best = minimize(far, center[:2], method="BFGS", options={"gtol": 1e-12})
    depth, normal, turning = on_formula(model.surfaces, 0, center, velocity, 0.2)
    assert 0.2 - depth == pytest.approx(sqrt(best.fun), abs=1e-9)
    place = np.array([*best.x, float(f(*map(np.array, best.x)))])
    assert normal == pytest.approx((np.array(center) - place) / sqrt(best.fun), abs=1e-6)
    h = 1e-5
    ends = [
        on_formula(model.surfaces, 0, tuple(np.array(center) + s * h * np.array(velocity)), velocity, 0.2)[1]
        for s in (1, -1)
    ]
    assert turning == pytest.approx((np.array(ends[0]) - ends[1]) / (2 * h), abs=1e-7)


def test_a_plane_by_a_formula_is_a_slope():
    simulation = on("-0.3*x", kinetic_friction=0.5, time_step=1e-3)
    simulation.advance(0.5)
    now = simulation.snapshot().bodies.velocity[0]
    assert np.linalg.norm(now) == pytest.approx(5 / 7 * G * 0.3 / sqrt(1.09) * 0.5, rel=1e-9)


def test_without_friction_energy_and_the_angular_momentum_about_the_axis_stay():
    """It is carried along on a parabola of revolution, 1e-4 s per step of w = 707 1/s: (w dt)^4/72 over 2 s."""
    simulation = on("0.5*(x^2 + y^2)", 0.4, 0.0, speed=(0.0, 0.5))
    before = simulation.snapshot()
    simulation.advance(2.0)
    after = simulation.snapshot()
    assert after.energy.total == pytest.approx(before.energy.total, rel=1e-6)
    assert after.angular_momentum[2] == pytest.approx(before.angular_momentum[2], rel=1e-9)
    assert np.abs(after.bodies.angular_velocity).max() < 1e-12


def test_a_ball_rolls_to_and_fro_in_a_gutter_like_a_pendulum_with_seven_fifths_of_the_inertia():
    """The centre moves on a circle of radius R - r: phi'' = -5/7 g/(R - r) sin phi, integrated by another code."""
    big, start = 1.0, 0.6
    simulation = on(f"{big} - sqrt({big}^2 - x^2)", big * np.sin(start), extent=0.9, kinetic_friction=0.6)
    far = big - RADIUS
    way = solve_ivp(
        lambda _, s: [s[1], -5 / 7 * G / far * np.sin(s[0])], (0, 1.5), [start, 0.0], method="DOP853", rtol=1e-10
    )
    simulation.advance(1.5)
    x, _, z = simulation.snapshot().bodies.position[0]
    # it sinks in by m (g cos + v^2/R)/k = 40 um more or less, which is another circle
    assert np.arctan2(x, big - z) == pytest.approx(way.y[0, -1], abs=5e-4)
    assert abs(simulation.snapshot().ledger.contact) < 1e-4


def test_rolling_on_a_curved_surface_keeps_energy_though_it_spins_about_the_normal():
    """Then the place of contact stands only if friction follows the turning of the normal."""
    simulation = on(WAVES + " + 0.2*y^2", 0.5, 0.3, speed=(0.0, 0.4), rolling=True, kinetic_friction=2.0)
    before = simulation.snapshot()
    simulation.advance(1.0)
    after = simulation.snapshot()
    assert np.abs(after.bodies.angular_velocity[0]).min() > 0.01
    assert after.energy.total == pytest.approx(before.energy.total, rel=1e-5)
    assert abs(after.ledger.contact) < 1e-5 * before.energy.kinetic


def test_a_ball_leaves_the_rectangle_and_falls():
    simulation = on("0", 0.9, speed=(1.0, 0.0), extent=1.0)
    simulation.advance(0.5)
    assert simulation.snapshot().bodies.position[0, 2] < -0.3


def test_impact_on_a_curved_surface_has_its_restitution():
    simulation = on("0.5*x^2 + y", 0.3, 0.1, world={"gravity": [0, 0, 0]}, time_step=1e-5, restitution=0.7)
    depth, normal, _ = on_formula(
        simulation.compiled.model.surfaces, 0, tuple(simulation.snapshot().bodies.position[0]), (0, 0, 0), 0.1
    )
    toward = {"velocity": (-np.array(normal)).tolist()}
    ball = simulation.scene.sphere[0].model_copy(update={"velocity": tuple(toward["velocity"])})
    simulation.load(simulation.scene.model_copy(update={"sphere": (ball,)}))
    simulation.advance(0.02)
    assert depth > 0
    assert simulation.snapshot().bodies.velocity[0] == pytest.approx(0.7 * np.array(normal), abs=5e-3)


def box_file(tmp_path):
    trimesh.creation.box((2.0, 2.0, 0.5)).export(tmp_path / "box.stl")
    return {"name": "m", "kind": "mesh", "file": "box.stl", "stiffness": STIFFNESS}


def on_box(tmp_path, position, **more):
    ball = {"name": "b", "mass": MASS, "radius": RADIUS, "position": position, **more.pop("ball", {})}
    data = {"solver": {"time_step": 1e-4}, "sphere": [ball], "surface": [{**box_file(tmp_path), **more}]}
    return Simulation(Scene.model_validate(data).in_folder(tmp_path))


def test_the_nearest_place_of_a_mesh_agrees_with_another_code(tmp_path):
    trimesh.creation.icosphere(subdivisions=2, radius=0.4).export(tmp_path / "ball.stl")
    surface = {"name": "m", "kind": "mesh", "file": "ball.stl", "stiffness": 1.0, "position": [0.1, 0.2, 0.3]}
    data = {"sphere": [{"name": "b", "mass": 1.0, "radius": 0.1}], "surface": [surface]}
    model = Simulation(Scene.model_validate(data).in_folder(tmp_path)).compiled.model
    mesh = trimesh.load(tmp_path / "ball.stl")
    mesh.apply_translation([0.1, 0.2, 0.3])
    rng = np.random.default_rng(0)
    directions = rng.normal(size=(60, 3))
    centers = [0.1, 0.2, 0.3] + directions / np.linalg.norm(directions, axis=1)[:, None] * rng.uniform(
        0.3, 0.55, (60, 1)
    )
    corners = mesh.triangles
    nearest = [trimesh.triangles.closest_point(corners, np.tile(center, (len(corners), 1))) for center in centers]
    expected = [np.linalg.norm(found - center, axis=1).min() for found, center in zip(nearest, centers, strict=True)]
    touching = 0
    for center, distance in zip(centers, expected, strict=True):
        depth, _, _ = on_mesh(model.surfaces, 0, tuple(center), (0.0, 0.0, 0.0), 0.1)
        assert max(depth, 0.0) == pytest.approx(max(0.1 - distance, 0.0), abs=1e-9)  # the file has single precision
        touching += depth > 0
    assert 20 < touching < 60


def test_a_ball_slides_and_rolls_on_a_mesh_as_on_a_wall(tmp_path):
    """From one triangle to the next nothing happens; then it falls off the edge."""
    position = [-0.5, 0.1, 0.25 + RADIUS - MASS * G / STIFFNESS]
    simulation = on_box(tmp_path, position, ball={"velocity": [2.0, 0.1, 0]}, kinetic_friction=0.2)
    simulation.advance(0.4)
    now = simulation.snapshot().bodies
    assert now.velocity[0] == pytest.approx(5 / 7 * np.array([2.0, 0.1, 0]), abs=1e-6)
    simulation.advance(1.0)
    assert simulation.snapshot().bodies.position[0, 2] < -0.3


def test_a_thousand_triangles_cost_little_more_than_ten(tmp_path):
    """Only those near the ball are tested: 80 times as many cost the same within the noise."""
    seconds = []
    for subdivisions in (1, 4):
        trimesh.creation.icosphere(subdivisions=subdivisions, radius=1.0).export(tmp_path / "box.stl")
        surface = {**box_file(tmp_path)}
        trimesh.creation.icosphere(subdivisions=subdivisions, radius=1.0).export(tmp_path / "box.stl")
        ball = {"name": "b", "mass": MASS, "radius": RADIUS, "position": [0, 0, 1.0 + RADIUS - 1e-4]}
        data = {"world": {"gravity": [0, 0, 0]}, "sphere": [ball], "surface": [{**surface, "stiffness": 1e-3}]}
        simulation = Simulation(Scene.model_validate(data).in_folder(tmp_path))
        simulation.advance(0.1)
        took = []
        for _ in range(5):
            start = time.thread_time()
            simulation.advance(1.0)
            took.append(time.thread_time() - start)
        seconds.append(min(took))
    assert seconds[1] < 10 * seconds[0]


SURFACE = {"name": "s", "kind": "formula", "z": "x", "x_range": [-1, 1], "y_range": [-1, 1], "stiffness": 1e4}


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"z": "x + yy"}, Meaning("surface[0].z")),
        ({"z": "__import__('os')"}, Meaning("surface[0].z")),
        ({"z": "(" * 10000}, Meaning("surface[0].z")),
        ({"z": "1/x"}, Meaning("surface[0]", x=0, y=-1)),
        ({"z": "sqrt(x)"}, Meaning("surface[0]", x=-1, y=-1)),
        ({"x_range": [1, 1]}, Meaning("surface[0]", "empty", low=1, high=1)),
        ({"kind": "formular"}, Meaning("surface[0]", near="formula")),
        ({"stiffness": 0.0}, Meaning("surface[0].stiffness", "greater", limit=0)),
        ({"damping": 1.0, "restitution": 0.5}, Meaning("surface[0]", "damping", "restitution")),
    ],
)
def test_what_is_no_surface_is_refused_with_its_place(change, said):
    start = time.thread_time()
    with pytest.raises(InputError) as stopped:
        scene_of({"surface": [{**SURFACE, **change}]}, "scene.toml")
    assert said.of(stopped.value)
    assert time.thread_time() - start < 2


def test_a_mesh_that_is_not_there_is_named(tmp_path):
    surface = {"name": "m", "kind": "mesh", "file": "nothing.stl", "stiffness": 1.0}
    with pytest.raises(InputError, match=r"surface\[0\].file"):
        Simulation(Scene.model_validate({"surface": [surface]}).in_folder(tmp_path))
