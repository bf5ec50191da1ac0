"""Dry friction of bodies that are not round: rolling keeps energy, rolling resistance slows, friction only takes."""

from itertools import pairwise

import numpy as np
import pytest
from sampling import sampled
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from polhode.simulation.simulation import Simulation
from scenes import G, scene, turned

UP = np.array([0.0, 0.0, 1.0])
STIFFNESS, FIRM = 1e5, 5.0  # [N/m]; a coefficient of friction that nothing here exceeds
UPRIGHT = turned(1, 0, 0, np.pi / 2)  # the axis of a cylinder lies along -y


def basis(matrix):
    return {"basis": matrix.T.tolist()}


def body(shapes, position, name="body", **more):
    return {"name": name, "support": "free", "shape": shapes, "position": list(position), **more}


def on_floor(shapes, position, ground="wall", time_step=1e-3, law=None, **more):
    """A body on a wall or on a fixed cuboid, at z = 0, from which it differs by its rounding."""
    law = {"kinetic_friction": FIRM, "stiffness": STIFFNESS} | (law or {})
    if ground == "wall":
        floor = {"name": "floor"} | law
        return Simulation(scene(body(shapes, position, **more), wall=[floor], time_step=time_step))
    block = {"kind": "cuboid", "size": [10, 10, 0.2], "mass": 1.0}
    base = body([block], [0, 0, -0.1], "base", support="fixed", contact=law)
    return Simulation(scene(body(shapes, position, contact=law, **more), base, time_step=time_step))


def ran(simulation, seconds):
    start = simulation.snapshot()
    simulation.advance(seconds)
    return start, simulation.snapshot()


# a disc that rolls on its rim


def lowest(turn, radius, thickness):
    """(3,) [m] from the centre of a disc, whose axis is the third column of `turn`, to its lowest point."""
    axis = turn[:, 2]
    down = (axis @ UP) * axis - UP
    return radius * down / np.linalg.norm(down) - 0.5 * thickness * np.sign(axis @ UP) * axis


def inertia_of(radius, thickness):
    """(3,) [m^2] principal moments over the mass."""
    across = radius**2 / 4 + thickness**2 / 12
    return np.array([across, across, radius**2 / 2])


def rolling(turn, spin, radius, thickness, until):
    """Centre, basis and angular velocity after `until` [s] of a disc that rolls without slipping: the twin.

    m dv/dt = F - m g, d(I omega)/dt = r x F and v = -omega x r, with dr/dt by central differences.
    """
    inertia, near = inertia_of(radius, thickness), 1e-5

    def unpacked(y):
        return y[:3], y[3:12].reshape(3, 3), y[12:]

    def rates(_, y):
        _, turn, omega = unpacked(y)
        arm = lowest(turn, radius, thickness)
        ahead, back = (Rotation.from_rotvec(sign * near * omega).as_matrix() @ turn for sign in (1, -1))
        arm_rate = (lowest(ahead, radius, thickness) - lowest(back, radius, thickness)) / (2 * near)
        tensor = turn @ np.diag(inertia) @ turn.T
        about = tensor + (arm @ arm) * np.eye(3) - np.outer(arm, arm)
        torque = np.cross(arm, G * UP - np.cross(omega, arm_rate)) - np.cross(omega, tensor @ omega)
        return np.concatenate(
            [-np.cross(omega, arm), np.cross(omega, turn.T).T.ravel(), np.linalg.solve(about, torque)]
        )

    start = np.concatenate([-lowest(turn, radius, thickness)[2] * UP, turn.ravel(), spin])
    return unpacked(solve_ivp(rates, (0, until), start, rtol=1e-9, atol=1e-10).y[:, -1])


def coin(lean=20, rate=20.0, radius=0.1, thickness=0.01, stiffness=STIFFNESS, **more):
    """A coin of 1 kg that leans and rolls without slipping, pressed in by its weight; and its basis and spin."""
    turn = Rotation.from_euler("x", 90 - lean, degrees=True).as_matrix()
    rounding = 0.0 if more.get("ground", "wall") == "wall" else 0.02 * thickness
    arm = lowest(turn, radius - rounding, thickness - 2 * rounding) - rounding * UP
    spin = rate * turn[:, 2]
    shape = {"kind": "cylinder", "radius": radius, "length": thickness, "mass": 1.0}
    motion = {"velocity": (-np.cross(spin, arm)).tolist(), "angular_velocity": spin.tolist()}
    law = {"stiffness": stiffness} | more.pop("law", {})
    place = [0, 0, -arm[2] - G / stiffness]
    return on_floor([shape], place, law=law, orientation=basis(turn), **motion, **more), turn, spin


def test_a_coin_rolls_like_the_twin():
    """The floor gives way by G/k, 1e-5 m, of 0.1 m, and trembles by as much: 1e-4 of what moves, times a few turns."""
    simulation, turn, spin = coin(stiffness=1e6, time_step=5e-4)
    _, now = ran(simulation, 1.0)
    place, turned_to, omega = rolling(turn, spin, 0.1, 0.01, 1.0)
    assert now.bodies.position[0] == pytest.approx(place, abs=1e-3)
    assert now.bodies.basis[0].T == pytest.approx(turned_to, abs=1e-2)
    assert now.bodies.angular_velocity[0] == pytest.approx(omega, abs=2e-3 * 20)


def euler_disc(inclination, radius=0.0375, thickness=0.0128, mass=0.44, **more):
    """A disc whose centre rests while it turns about the vertical at the rate of its inclination [degrees]."""
    turn = Rotation.from_euler("x", inclination, degrees=True).as_matrix()
    arm, (across, _, along) = lowest(turn, radius, thickness), inertia_of(radius, thickness)
    sine, cosine = np.sin(np.radians(inclination)), np.cos(np.radians(inclination))
    lever = G * (radius * cosine - thickness / 2 * sine)
    rate = np.sqrt(lever / (across * sine * cosine - along * thickness / (2 * radius) * sine**2))
    share, _ = np.linalg.lstsq(np.column_stack([arm, -turn[:, 2]]), rate * UP, rcond=None)[0]
    shape = {"kind": "cylinder", "radius": radius, "length": thickness, "mass": mass}
    place = [0, 0, -arm[2] - mass * G / STIFFNESS]
    return on_floor([shape], place, orientation=basis(turn), angular_velocity=(share * arm).tolist(), **more), rate


def inclination_of(moment):
    return np.degrees(np.arccos(abs(moment.bodies.basis[0, 2, 2])))


@pytest.mark.parametrize("inclination", [5, 10])
def test_euler_s_disc_keeps_its_inclination_at_the_rate_of_the_closed_form(inclination):
    """Omega^2 (A sin cos - C h/(2 a) sin^2) = m g (a cos - h/2 sin); the dent of m g/k, 4e-5 m, tilts it by a/1000."""
    simulation, rate = euler_disc(inclination)
    turned_by, last = 0.0, simulation.snapshot().bodies.basis[0, 2]
    for _ in range(200):
        simulation.advance(1e-3)
        axis = simulation.snapshot().bodies.basis[0, 2]
        turned_by += np.arctan2(np.cross(last, axis)[2], last[:2] @ axis[:2])
        last = axis
    assert abs(turned_by) == pytest.approx(0.2 * rate, rel=5e-3)
    assert inclination_of(simulation.snapshot()) == pytest.approx(inclination, rel=2e-2)


@pytest.mark.parametrize("ground", ["wall", "cuboid"])
def test_a_rolling_coin_keeps_its_energy_to_the_order_of_the_method(ground):
    """The work of friction falls with the third power of the step at least, until rounding of the start shows."""
    taken = []
    for step in (2e-3, 1e-3, 5e-4):
        start, now = ran(coin(time_step=step, ground=ground, thickness=0.02)[0], 0.5)
        taken.append(abs(now.ledger.contact) / start.energy.kinetic)
        assert now.energy.total - now.ledger.total == pytest.approx(start.energy.total, rel=1e-4)
    assert max(taken[1:]) < 1e-6
    assert all(later < before / 6 or later < 1e-7 for before, later in pairwise(taken))


def test_euler_s_disc_keeps_its_energy_to_the_order_of_the_method():
    taken = []
    for step in (1e-3, 5e-4, 2.5e-4):
        start, now = ran(euler_disc(10, time_step=step)[0], 0.4)
        taken.append(abs(now.ledger.contact) / start.energy.kinetic)
    assert taken[0] < 1e-4
    assert all(later < before / 6 for before, later in pairwise(taken))


def rattleback(time_step):
    """An ellipsoid whose principal axes are turned against its semi-axes, in rolling motion."""
    axes, weight = np.array([0.1, 0.02, 0.015]), {"kind": "point", "mass": 0.05}
    shapes = [{"kind": "ellipsoid", "semi_axes": axes.tolist(), "mass": 0.3}]
    shapes += [weight | {"position": [side * 0.07, side * 0.01, 0]} for side in (1, -1)]
    spin = np.array([0.3, 0.5, -5.0])
    place = [0, 0, axes[2] - 0.4 * G / STIFFNESS]
    return on_floor(shapes, place, time_step=time_step, velocity=np.cross(spin, axes[2] * UP).tolist(),
                    angular_velocity=spin.tolist())  # fmt: skip


def test_a_rattleback_keeps_its_energy_to_the_order_of_the_method():
    taken = []
    for step in (1e-3, 5e-4):
        start, now = ran(rattleback(step), 1.0)
        taken.append(abs(now.ledger.contact) / start.energy.kinetic)
    assert taken[0] < 1e-4
    assert taken[1] < taken[0] / 6


# rolling resistance


RADIUS = 0.1
WHEELS = {
    "coin": ({"kind": "cylinder", "radius": RADIUS, "length": 0.02}, 1 / 2),
    "cylinder": ({"kind": "cylinder", "radius": RADIUS, "length": 0.3}, 1 / 2),
    "spheroid": ({"kind": "ellipsoid", "semi_axes": [RADIUS, RADIUS, 0.05]}, 2 / 5),
    "long spheroid": ({"kind": "ellipsoid", "semi_axes": [RADIUS, RADIUS, 0.3]}, 2 / 5),
    "torus": ({"kind": "torus", "radius": 0.08, "tube_radius": 0.02}, 0.8**2 + 3 / 4 * 0.2**2),
    "ball": ({"kind": "sphere", "radius": RADIUS}, 2 / 5),
    "ball with a core": (
        [{"kind": "sphere", "radius": RADIUS, "mass": 0.5}, {"kind": "sphere", "radius": RADIUS / 2, "mass": 0.5}],
        0.5 * 2 / 5 * (1 + 1 / 4),
    ),
}  # shapes of 1 kg and their I/(m r^2)


@pytest.mark.parametrize(
    ("name", "ground"),
    [(name, "wall") for name in WHEELS] + [(name, "cuboid") for name in ("coin", "cylinder", "ball")],
)
def test_rolling_resistance_slows_down_whatever_rolls(name, ground):
    """By c g/(1 + I/(m r^2)); the floor gives way by 1e-4 m and less, of the radius of 0.1 m, and lets it tremble."""
    shapes, share = WHEELS[name]
    shapes = shapes if isinstance(shapes, list) else [shapes | {"mass": 1.0}]
    motion = {"velocity": [1, 0, 0], "angular_velocity": [0, 1 / RADIUS, 0], "orientation": UPRIGHT}
    simulation = on_floor(shapes, [0, 0, RADIUS - G / STIFFNESS], ground, law={"rolling_resistance": 0.02}, **motion)
    _, now = ran(simulation, 0.5)
    assert (1 - now.bodies.velocity[0, 0]) / 0.5 == pytest.approx(0.02 * G / (1 + share), rel=5e-3)
    assert now.bodies.angular_velocity[0, 1] * RADIUS == pytest.approx(now.bodies.velocity[0, 0], rel=1e-3)


def test_rolling_resistance_takes_the_normal_force_times_the_way_over_the_surface():
    """Of an ellipsoid with three axes, dE = -c N dl with the way l of its contact point; sums of 1500 short steps."""
    axes, c, stiffness = np.array([0.1, 0.06, 0.04]), 0.05, 1e4
    law = {"rolling_resistance": c, "stiffness": stiffness}
    shape = {"kind": "ellipsoid", "semi_axes": axes.tolist(), "mass": 1.0}
    simulation = on_floor([shape], [0, 0, axes[2] - G / stiffness], law=law, angular_velocity=[8, 5, 1])
    simulation.advance(0.1)  # the first slip is over
    start, expected, last = simulation.snapshot().ledger.contact, 0.0, None
    for _ in range(1500):
        now = simulation.snapshot()
        down = -(now.bodies.basis[0].T * axes**2) @ now.bodies.basis[0] @ UP
        place = now.bodies.position[0] + down / np.sqrt(-down[2])
        if last is not None:
            expected += c * stiffness * max(0.0, -place[2]) * np.linalg.norm((place - last)[:2])
        last = place
        simulation.advance_steps(1)
    assert start - simulation.snapshot().ledger.contact == pytest.approx(expected, rel=2e-2)


def test_euler_s_disc_falls_with_the_two_thirds_power_of_time():
    """Energy 3/2 m g a alpha, loss c m g a Omega, Omega^2 = 4 g/(a alpha): alpha^(3/2) falls by 2 c sqrt(g/a) t.

    For small inclinations of a thin disc: 10 degrees leave 1 % (Easwar, Rouyer, Menon, Phys. Rev. E 66, 045102, 2002).
    """
    c, radius = 0.002, 0.0375
    simulation, _ = euler_disc(10, radius, 1e-4, law={"rolling_resistance": c})
    _, now = ran(simulation, 0.4)
    fallen = np.radians(10) ** 1.5 - 2 * c * np.sqrt(G / radius) * 0.4
    assert inclination_of(now) == pytest.approx(np.degrees(fallen ** (2 / 3)), rel=2e-2)


def test_a_disc_stays_on_a_slope_below_its_rolling_resistance_and_rolls_above():
    for degrees, rolls in ((1.0, False), (1.3, True)):
        angle = np.radians(degrees)
        law, gravity = {"rolling_resistance": 0.02}, [G * np.sin(angle), 0, -G * np.cos(angle)]
        floor = {"name": "floor", "kinetic_friction": 0.5, "stiffness": STIFFNESS} | law
        place = [0, 0, RADIUS - G * np.cos(angle) / (2 * STIFFNESS)]  # it rests on both rims
        wheel = body([WHEELS["coin"][0] | {"mass": 1.0}], place, orientation=UPRIGHT)
        _, now = ran(Simulation(scene(wheel, wall=[floor], gravity=gravity)), 0.5)
        expected = G * (np.sin(angle) - 0.02 * np.cos(angle)) / 1.5 * 0.5 if rolls else 0.0
        assert now.bodies.velocity[0, 0] == pytest.approx(expected, rel=1e-2, abs=1e-6)


@pytest.mark.parametrize("kind", ["cylinder", "capsule"])
def test_a_roller_on_rails_rolls_on_its_radius(kind):
    """Its axis crosses the edges of two rails; it slides at first and rolls with v = omega r, less what it is pressed
    in, and then loses c g/(1 + I/(m r^2)).
    """
    law, radius = {"stiffness": STIFFNESS, "kinetic_friction": 1.0, "rolling_resistance": 0.02}, 0.05
    bar = {"kind": kind, "radius": radius, "length": 0.5, "mass": 1.0}
    roller = body([bar], [0, 0, radius - G / (4 * STIFFNESS)], orientation=UPRIGHT, velocity=[1, 0, 0], contact=law)
    rail = {"kind": "cuboid", "size": [6, 0.02, 0.1], "mass": 1.0}
    rails = [
        body([rail], [1, y, -0.05], f"rail{number}", support="fixed", contact=law)
        for number, y in enumerate((-0.15, 0.15))
    ]
    simulation = Simulation(scene(roller, *rails))
    _, early = ran(simulation, 0.3)
    _, late = ran(simulation, 0.5)
    share = simulation.compiled.model.bodies.inertia[0, 2, 2] / radius**2
    assert late.bodies.angular_velocity[0, 1] * radius == pytest.approx(late.bodies.velocity[0, 0], rel=2e-3)
    lost = early.bodies.velocity[0, 0] - late.bodies.velocity[0, 0]
    assert lost / 0.5 == pytest.approx(0.02 * G / (1 + share), rel=1e-2)


# what friction takes


KINDS = ("ellipsoid", "cylinder", "disc", "capsule", "cone", "torus", "cuboid")


def thrown(seed, ground):
    """A body of random shape, mass, motion and friction, thrown onto a floor; every other one with a weight in it."""
    rng = np.random.default_rng(seed)
    kind = KINDS[seed % len(KINDS)]
    size = 10 ** rng.uniform(-1.5, -0.7)
    a, b, c = size * rng.uniform(0.5, 1, 3)
    shape = {
        "ellipsoid": {"semi_axes": [a, b, c]},
        "cylinder": {"radius": a, "length": 2 * b},
        "disc": {"kind": "cylinder", "radius": a, "length": 0.2 * a},
        "capsule": {"radius": 0.5 * a, "length": b},
        "cone": {"radius": a, "length": b},
        "torus": {"radius": a, "tube_radius": 0.3 * a},
        "cuboid": {"size": [a, b, c]},
    }[kind]
    shapes = [{"kind": kind, "mass": 1.0} | shape]
    if seed % 2:
        shapes.append({"kind": "point", "mass": 0.2, "position": (0.2 * size * rng.normal(size=3)).tolist()})
    motion = {"velocity": (0.5 * rng.normal(size=3)).tolist(), "angular_velocity": (5 * rng.normal(size=3)).tolist()}
    turn = Rotation.random(random_state=seed).as_matrix()
    law = {"kinetic_friction": 10 ** rng.uniform(-1, 0.7), "stiffness": None}
    return on_floor(shapes, [0, 0, 1.6 * size], ground, law=law, orientation=basis(turn), **motion)


def gained(simulation, seconds=1.5):
    """Largest work of friction so far at any of thirty moments, over the largest kinetic energy."""
    work, kinetic = [], [simulation.snapshot().energy.kinetic]
    for _ in range(30):
        simulation.advance(seconds / 30)
        now = simulation.snapshot()
        work.append(now.ledger.contact)
        kinetic.append(now.energy.kinetic)
    return max(work) / max(kinetic)


@pytest.mark.parametrize("seed", sampled(range(14), 6))
def test_friction_of_thrown_bodies_takes_energy(seed):
    assert gained(thrown(seed, "wall")) < 1e-6
    if KINDS[seed % len(KINDS)] in ("cylinder", "disc", "capsule", "cuboid"):
        assert gained(thrown(seed, "cuboid")) < 1e-6


@pytest.mark.nightly
def test_friction_of_many_thrown_bodies_takes_energy():
    for seed in range(210):
        for ground in ("wall", "cuboid"):
            if ground == "wall" or KINDS[seed % len(KINDS)] in ("cylinder", "disc", "capsule", "cuboid"):
                assert gained(thrown(seed, ground)) < 1e-6, (seed, ground)
