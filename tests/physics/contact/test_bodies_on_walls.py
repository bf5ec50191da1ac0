"""Rigid bodies on walls: against the slow twin, a particle and closed forms, and what the ledger must keep."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest
import reference
from sampling import sampled
from scipy.spatial import ConvexHull

from polhode.mesh.mesh import Meshes
from polhode.physics.bodies.arrays import FIXED
from polhode.physics.bodies.mass.mass_properties import body_properties
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from scenes import turned

FLOOR = {"name": "floor", "stiffness": 2000.0, "damping": 3.0, "friction": 1.0}
EDGE, CORNER = turned(1, 0, 0, np.pi / 4), turned(1, -1, 0, np.arctan(np.sqrt(2)))
CUBOID = {"kind": "cuboid", "size": [0.3, 0.2, 0.1], "mass": 1.0}
CYLINDER = {"kind": "cylinder", "radius": 0.1, "length": 0.3, "mass": 1.0}
ON_ITS_SIDE = turned(1, 0, 0, np.pi / 2)
ALL_SHAPES = [
    {"kind": "sphere", "radius": 0.1},
    CYLINDER,
    {"kind": "capsule", "radius": 0.05, "length": 0.2},
    {"kind": "cone", "radius": 0.1, "length": 0.3},
    {"kind": "ellipsoid", "semi_axes": [0.1, 0.05, 0.2]},
    CUBOID,
    {"kind": "torus", "radius": 0.1, "tube_radius": 0.03},
    {"kind": "tube", "radius": 0.1, "inner_radius": 0.06, "length": 0.1},
    {"kind": "rod", "length": 0.3},
    {"kind": "point"},
]


def described(shapes, floor=None, time_step=1e-4, gravity=9.8, **body):
    return Scene.model_validate(
        {
            "world": {"gravity": [0, 0, -gravity]},
            "solver": {"time_step": time_step},
            "body": [{"name": "body", "support": "free", "shape": shapes, **body}],
            "wall": [{**FLOOR, **(floor or {})}],
        }
    )


def surface(shape):
    """(m, 3) [m] many points whose convex hull is nearly the shape's, in its own frame."""
    sines = np.sin(np.linspace(-np.pi / 2, np.pi / 2, 361))
    angle, z = (grid.ravel() for grid in np.meshgrid(np.linspace(0, 2 * np.pi, 721), sines))
    ball = np.column_stack([np.cos(angle) * np.sqrt(1 - z * z), np.sin(angle) * np.sqrt(1 - z * z), z])
    ring = np.column_stack([np.cos(angle), np.sin(angle), 0 * angle])
    up, r = np.array([0, 0, 1.0]), shape.get("radius", 0)
    match shape["kind"]:
        case "sphere":
            return r * ball
        case "cylinder" | "tube":
            return np.vstack([r * ring + side * shape["length"] / 2 * up for side in (-1, 1)])
        case "capsule":
            return np.vstack([r * ball + side * shape["length"] / 2 * up for side in (-1, 1)])
        case "cone":  # its position is its centre of mass
            return np.vstack([r * ring - shape["length"] / 4 * up, 3 / 4 * shape["length"] * up])
        case "ellipsoid":
            return ball * shape["semi_axes"]
        case "cuboid":
            return np.array(list(product(*((-a / 2, a / 2) for a in shape["size"]))))
        case "torus":
            return r * ring + shape["tube_radius"] * ball
        case "rod":
            return np.array([-0.5, 0.5])[:, None] * shape["length"] * up
    return np.zeros((1, 3))


@pytest.mark.parametrize("shape", sampled(ALL_SHAPES, 3), ids=lambda shape: shape["kind"])
def test_the_energy_of_a_body_behind_a_wall_is_that_of_its_deepest_point(shape):
    """However it is turned and placed in its body: U = k depth^2/2 where one place alone is behind the wall."""
    rng = np.random.default_rng(3)
    part = {**shape, "mass": 1.0, "position": [0.1, 0.2, -0.1], "orientation": turned(1, 1, 0, 0.5)}
    placed = described([part]).body[0].shape[0]
    inner = surface(shape) @ placed.orientation.matrix().T + placed.position
    for axis in rng.normal(size=(20, 3)):
        angle = np.linalg.norm(axis)
        scene = described([part], orientation=turned(*axis, angle), position=[0.1, 0.2, 0.3])
        body = scene.body[0]
        low = (inner @ body.orientation.matrix()[2]).min() + body.position[2]
        depth = 1e-3
        wall = scene.wall[0].model_copy(update={"point": (0.0, 0.0, low + depth)})
        start = Simulation(scene.model_copy(update={"wall": (wall,)})).snapshot()
        # the places above are fine to (1 - cos 0.25 deg) a^2/b = 8e-6 m for the ellipsoid's axes a and b
        assert start.energy.elastic == pytest.approx(0.5 * 2000.0 * depth**2, rel=2 * 8e-6 / depth)


def cuboid_corners(turn, _normal):
    return [turn @ (0.5 * np.array(CUBOID["size"]) * signs) for signs in product((-1, 1), repeat=3)]


def rim_places(turn, normal):
    """Of both ends of CYLINDER: the lowest point of the rim and three more, a quarter turn each."""
    axis = turn[:, 2]
    low = -(normal - (normal @ axis) * axis)
    low /= np.linalg.norm(low)
    quarters = [np.cos(a) * low + np.sin(a) * np.cross(axis, low) for a in np.pi / 2 * np.arange(4)]
    return [0.1 * out + side * 0.15 * axis for out in quarters for side in (-1, 1)]


@pytest.mark.parametrize(
    ("shape", "touching", "orientation", "height"),
    sampled(
        [
            (CUBOID, cuboid_corners, CORNER, 0.19),
            (CUBOID, cuboid_corners, EDGE, 0.12),
            (CYLINDER, rim_places, turned(1, 0.2, 0, 0.3), 0.19),
            (CUBOID, cuboid_corners, turned(0, 0, 1, 0.4), 0.051),
        ],
        4,
    )
    + [pytest.param(CYLINDER, rim_places, turned(1, 0.2, 0, 1.4), 0.15, marks=pytest.mark.nightly)],
    ids=["corner", "edge", "end", "flat", "side"],
)
def test_a_dropped_body_agrees_with_an_independent_integration(shape, touching, orientation, height):
    """With a spin, on a floor that swings: places to the first order of the kinks, 50 m/s^2 x (1e-4 s)^2 each."""
    floor = {"motion": {"kind": "sine", "amplitude": 0.01, "period": 0.3}}
    start = {"velocity": [0.2, 0, -0.5], "angular_velocity": [0.5, -0.3, 0.2], "orientation": orientation}
    scene = described([shape], floor, position=[0, 0, height], time_step=2e-5, **start)
    properties, body = body_properties(scene, scene.body[0], Meshes()), scene.body[0]
    twin = reference.RigidBody(
        properties.mass,
        np.zeros(3),
        properties.about(np.zeros(3)),
        body.position,
        body.orientation.matrix(),
        body.angular_velocity,
        support="free",
        velocity=body.velocity,
    )
    times = [0.1, 0.2, 0.3]
    places, turns, spins = reference.landing(twin, touching, scene.wall[0], times, scene.world.gravity)
    simulation = Simulation(scene)
    first = simulation.snapshot().energy.total
    for k, time in enumerate(times):
        simulation.advance(time - simulation.time)
        now = simulation.snapshot()
        assert now.bodies.position[0] == pytest.approx(places[k], abs=2e-5)
        assert now.bodies.basis[0].T == pytest.approx(turns[k], abs=5e-4)
        assert now.bodies.angular_velocity[0] == pytest.approx(spins[k], abs=2e-2)
        # a kink in a step costs some 100 W x 2e-5 s at most; there are a few
        assert now.energy.total - now.ledger.total == pytest.approx(first, abs=5e-3)
    assert now.ledger.contact < -0.02
    assert abs(now.ledger.drive) > 1e-3


def test_a_sphere_bounces_like_a_particle_of_its_radius():
    scene = described([{"kind": "sphere", "radius": 0.1, "mass": 1.0}], {"friction": 0.0}, position=[0, 0, 0.4])
    ball = {"name": "ball", "mass": 1.0, "radius": 0.1, "position": [1, 0, 0.4]}
    scene = Scene.model_validate({**scene.model_dump(by_alias=True), "particle": [ball]})
    simulation = Simulation(scene)
    for _ in range(20):
        simulation.advance(0.1)
        now = simulation.snapshot()
        assert now.bodies.position[0, 2] == pytest.approx(now.points.position[0, 2], abs=1e-12)
    assert now.ledger.contact < -0.1


def test_a_cylinder_that_slides_begins_to_roll():
    """m dv/dt = -2 f (v - w r) and I dw/dt = 2 f r (v - w r), I = m r^2/2: slip decays at 2 f (1 + 2)/m, and v ends at
    2/3 of its start; two rims press with friction f each, and its dent, m g/2k deep, is part of the arm of 0.1 m."""
    dent = 9.8 / (2 * 2000.0)
    scene = described([CYLINDER], orientation=ON_ITS_SIDE, position=[0, 0, 0.1 - dent], velocity=[0.9, 0, 0])
    simulation = Simulation(scene)
    simulation.advance(1.0)
    slip = np.exp(-6.0)
    now = simulation.snapshot().bodies
    assert now.velocity[0] == pytest.approx([0.9 * (2 / 3 + slip / 3), 0, 0], abs=1e-9)
    assert now.angular_velocity[0] == pytest.approx([0, 9.0 * (2 / 3 - 2 / 3 * slip), 0], abs=1e-8)
    assert now.position[0, 2] == pytest.approx(0.1 - dent, abs=1e-12)


def test_a_cylinder_stands_on_four_feet_and_rocks_at_their_frequency():
    """Upright, m g = 4 k dent; tilted by a, the feet press 2 k r^2 a back, and gravity over the floor helps it fall."""
    dent, k, h = 9.8 / 8000.0, 2000.0, 0.15
    inertia = (3 * 0.1**2 + 0.3**2) / 12 + h**2  # about the middle of the standing end, which friction holds at rest
    sticking = {"damping": 0.0, "friction": 1e4}
    tilt = 1e-5
    position = [h * np.sin(tilt), 0, h * np.cos(tilt) - dent]
    scene = described([CYLINDER], sticking, orientation=turned(0, 1, 0, tilt), position=position, time_step=1e-5)
    simulation = Simulation(scene)
    w = np.sqrt((2 * k * 0.1**2 - 9.8 * (h - dent)) / inertia)
    simulation.advance(np.pi / w)
    assert simulation.snapshot().bodies.basis[0, 2, 0] / tilt == pytest.approx(-1.0, abs=2e-2)


@pytest.mark.parametrize("support", ["pivot", "axle", "driven", "fixed"])
def test_bodies_that_are_held_press_too_and_the_ledger_closes(support):
    """A bar swings into a wall that moves."""
    held = {"support": support} | ({"axis": [0, 1, 0.2]} if support == "axle" else {})
    if support == "driven":
        held |= {"motion": {"kind": "ellipse", "r1": [0, 0, 0.1], "r2": [0, 0, 0], "angular_frequency": 9.0}}
    bar = {**CUBOID, "size": [0.1, 0.1, 0.6], "position": [0, 0, -0.2]}
    wall = {"point": [-0.1, 0, 0], "normal": [1, 0, 0.2], "motion": {"kind": "sine", "amplitude": 0.02, "period": 0.3}}
    scene = described([bar], wall, orientation=turned(0, 1, 0.1, -0.7), angular_velocity=[0, 0.5, 0], **held)
    simulation = Simulation(scene)
    start = simulation.snapshot()
    simulation.advance(1.0)
    now = simulation.snapshot()
    assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, abs=5e-3)
    if support == "fixed":
        assert simulation.compiled.model.bodies.support[0] == FIXED
        assert now.energy.elastic == 0.0
    else:
        assert now.ledger.contact < -0.01


def test_bodies_in_a_box_keep_their_energy_without_damping():
    """Every shape at once in its own box of walls, rk4: kinks cost energy of either sign, some 1e-5 of it each."""
    walls = [
        {"name": f"w{k}", "point": (-0.3 * np.array(n)).tolist(), "normal": n, "stiffness": 2000.0}
        for k, n in enumerate(np.vstack([np.eye(3), -np.eye(3)]).tolist())
    ]
    for number, shape in enumerate(ALL_SHAPES):
        scene = described([{**shape, "mass": 1.0}], velocity=[2.0, 1.0, 0.5], angular_velocity=[3, 1, number])
        scene = Scene.model_validate({**scene.model_dump(by_alias=True), "wall": walls})
        simulation = Simulation(scene)
        start = simulation.snapshot().energy.total
        simulation.advance(2.0)
        assert simulation.snapshot().energy.total == pytest.approx(start, rel=2e-3), shape["kind"]


def test_a_dropped_mesh_comes_to_rest_where_its_lowest_points_touch():
    mesh = {"kind": "mesh", "file": "meshes/duck.stl", "scale": 0.01, "density": 20.0}
    floor = {"stiffness": 2000.0, "damping": 8.0, "friction": 4.0}
    scene = described([mesh], floor, position=[0, 0, 0.6], orientation=turned(1, 0.3, 0, 0.4), time_step=1e-3)
    scene = scene.in_folder(Path())
    simulation = Simulation(scene)
    simulation.advance(30.0)
    rest = simulation.snapshot()
    simulation.advance(5.0)
    later = simulation.snapshot()
    assert np.abs(later.bodies.position - rest.bodies.position).max() < 1e-9
    assert np.abs(later.bodies.basis - rest.bodies.basis).max() < 1e-9
    vertices = Meshes().of(scene.body[0].shape[0], Path()).vertices * 0.01
    vertices = vertices[ConvexHull(vertices).vertices]
    heights = (vertices @ later.bodies.basis[0] + later.bodies.position[0])[:, 2]
    weight = simulation.compiled.model.bodies.mass[0] * 9.8
    assert 2000.0 * np.maximum(0, -heights).sum() == pytest.approx(weight, rel=1e-6)
    assert later.energy.total - later.ledger.total == pytest.approx(Simulation(scene).snapshot().energy.total, rel=1e-2)
