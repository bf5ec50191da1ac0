"""Modal damping: of bodies in modal coordinates and of those that move point by point, beside matrices in numpy."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from meaning import Meaning, refuses
from numba import njit
from scipy.linalg import expm
from scipy.spatial.transform import Rotation

from polhode.analysis.forces_by_law import forces_by_law
from polhode.analysis.steps.stability import largest_step
from polhode.engine.work import make_work
from polhode.physics.modal import compile as modal_compile
from polhode.physics.modal.compile import best_turn
from polhode.physics.modal.fitted_rotation import fitted_rotation
from polhode.physics.modal.mode_control import net_in
from polhode.physics.modal.normal_modes import lowest_modes
from polhode.physics.points.arrays import point_states
from polhode.scene.problem import InputError
from polhode.simulation.ghost_runs import ghost_scene
from polhode.simulation.simulation import Simulation
from polhode.simulation.units import units_to_run
from scenes import SOFT, TUMBLING, scene

NONE = {"gravity": [0, 0, 0]}
JELLY = SOFT | TUMBLING
SHEET = {**JELLY, "counts": [4, 3, 1], "natural_length": 0.97}
HELD = {**JELLY, "fixed": [0, 1, 2], "angular_velocity": [0, 0, 0]}
BODIES = {"free": JELLY, "flat": SHEET, "held": HELD}
# Two masses in a row, springs of 3000 N/m to the wall and 2000 N/m between them (Kobayashi, figure 4 and table 1).
ROW = {
    "kind": "chain",
    "name": "row",
    "count": 3,
    "spacing": 1.0,
    "direction": [1, 0, 0],
    "fixed": [0],
    "particle_mass": 10.0,
    "stiffness": [3000.0, 2000.0],
    "velocity": [0.3, 0, 0],
}
MASS, STIFFNESS = np.diag([10.0, 10.0]), np.array([[5000.0, -2000.0], [-2000.0, 2000.0]])


def run(soft, time_step=1e-3, method="verlet", **parts):
    return Simulation(scene(time_step=time_step, method=method, soft=[soft], **{"world": NONE, **parts}))


def available(soft):
    return net_in(run(soft).compiled, soft["name"]).available


def of_row(ratios):
    """[c] = Phi^-T C Phi^-1 of the two masses along their row, h of both modes."""
    squares, shapes = np.linalg.eigh(STIFFNESS / 10.0)
    damping = np.diag(2.0 * np.array(ratios) * np.sqrt(squares) * 10.0)
    return np.linalg.inv(shapes).T @ damping @ np.linalg.inv(shapes)


def exact(time, ratios):
    """Displacements and velocities of the two masses by the matrix exponential."""
    inverse = np.linalg.inv(MASS)
    rates = np.block([[np.zeros((2, 2)), np.eye(2)], [-inverse @ STIFFNESS, -inverse @ of_row(ratios)]])
    return expm(rates * time) @ [0.0, 0.0, 0.3, 0.3]


def along(simulation):
    points = simulation.snapshot().points
    return np.concatenate([points.position[1:, 0] - [1.0, 2.0], points.velocity[1:, 0]])


def force_in(compiled, state):
    """(3, p) [N] of modal damping on the points in a state, by the law of the program."""
    law = forces_by_law(compiled.model, compiled.inputs, 0.0, state, make_work(compiled.model, compiled.inputs))[
        "modal_damping"
    ]
    return law.on_points.T


def shaken(compiled, random, size):
    """A state with random displacements of `size` [m] and velocities of 1 m/s, and views of its points."""
    state = compiled.start.copy()
    places, velocities = point_states(compiled.model.points, state)
    moving = ~compiled.model.points.fixed
    places[:, moving] += random.normal(0.0, size, (3, moving.sum()))
    velocities[:, moving] = random.normal(0.0, 1.0, (3, moving.sum()))
    return state, places, velocities


@pytest.mark.parametrize("modes", [0, 6])
@pytest.mark.parametrize("ratios", [(0.005, 0.005), (0.02, 0.3), (0.0, 0.1)])
def test_two_masses_with_modal_damping_move_as_the_matrix_exponential(modes, ratios):
    """RK4 at w dt = 0.024: its error is (w dt)^4/120 of a phase of 24 rad, 7e-8."""
    damping = [0.0, 0.0, 0.0, 0.0, *ratios]  # across the row no spring resists: four modes with w = 0 come first
    simulation = run({**ROW, "modes": modes, "modal_damping": damping}, method="rk4")
    simulation.advance(1.0)
    assert along(simulation) == pytest.approx(exact(1.0, ratios), abs=1e-7)


@pytest.mark.parametrize("modes", [0, 6])
@pytest.mark.parametrize(("method", "order"), [("verlet", 2), ("splitting", 2), ("rk4", 4), ("adams_bashforth_2", 2)])
def test_methods_keep_their_order_with_modal_damping(method, order, modes):
    errors = []
    for step in (4e-3, 2e-3):
        simulation = run({**ROW, "modes": modes, "modal_damping": 0.1}, step, method)
        simulation.advance(0.32)
        errors.append(np.linalg.norm(along(simulation) - exact(0.32, (0.1, 0.1))))
    assert np.log2(errors[0] / errors[1]) == pytest.approx(order, abs=0.15)


def test_the_last_number_of_a_list_holds_for_all_further_modes():
    runs = [run({**ROW, "modes": 6, "modal_damping": h}) for h in (0.1, [0.1], [0.1, 0.1, 0.1], [0.1] * 9)]
    for simulation in runs:
        simulation.advance(0.2)
        assert (along(simulation) == along(runs[0])).all()
    damped = run({**ROW, "modes": 6, "modal_damping": [0.3, 0.2, 0.1]}).compiled.model.modal.damping
    assert damped == pytest.approx([0, 0, 0, 0, 2 * 0.1 * 10, 2 * 0.1 * np.sqrt(600)], rel=1e-9)


@pytest.mark.parametrize("soft", BODIES.values(), ids=BODIES)
@pytest.mark.parametrize("damping", [0.05, [0.3, 0.2, 0.0, 0.1]])
def test_a_body_of_points_moves_as_one_in_all_its_modes(soft, damping):
    """Both states are integrated by RK4 at 1e-3 s: their errors, below 1e-7, are all that differs."""
    damped = {**soft, "modal_damping": damping}
    simulations = [run({**damped, "modes": modes}, method="rk4") for modes in (0, available(soft))]
    for simulation in simulations:
        simulation.advance(0.3)
    by_points, by_modes = (simulation.snapshot() for simulation in simulations)
    assert by_points.points.position == pytest.approx(by_modes.points.position, abs=1e-7)
    assert by_points.ledger.damping == pytest.approx(by_modes.ledger.damping, abs=1e-6)
    without = run(soft, method="rk4")
    without.advance(0.3)
    assert np.abs(without.snapshot().points.position - by_points.points.position).max() > 3e-5


@pytest.mark.parametrize("soft", BODIES.values(), ids=BODIES)
def test_the_force_is_that_of_the_damping_matrix(soft):
    """c of all coordinates in numpy, in a frame by the singular value decomposition, on a random state.

    Of a free body the twin solves for the forces with given components on the modes and none on the rigid motions.
    """
    compiled = run({**soft, "modal_damping": 0.07}).compiled
    state, places, velocities = shaken(compiled, np.random.default_rng(5), 0.03)
    net = net_in(compiled, "jelly")
    modes = lowest_modes(net, net.available, False)
    mass, shapes, moving = net.mass, modes.shapes, ~net.fixed
    damping = 2 * 0.07 * modes.frequencies
    turn, q, rate = np.eye(3), places, velocities
    if net.is_free:
        rest = (net.positions - net.positions.mean(axis=0)).T
        turn = best_turn(places - places.mean(axis=1, keepdims=True), rest, mass)
        q = turn.T @ (places - places.mean(axis=1, keepdims=True))
        rate = turn.T @ (velocities - velocities.mean(axis=1, keepdims=True))
        spins = [np.cross(rest, np.cross(axis, q, axisb=0).T * mass, axis=0).sum(axis=1) for axis in np.eye(3)]
        omega = np.linalg.solve(np.array(spins).T, np.cross(rest, mass * rate, axis=0).sum(axis=1))
        rate = rate - np.cross(omega, q, axisb=0).T
    swing = np.einsum("aki,ki,i->a", shapes, rate, mass)
    rows, targets = shapes.reshape(len(shapes), -1), -damping * swing
    if net.is_free:
        moved = [np.broadcast_to(axis[:, None], q.shape) for axis in np.eye(3)]
        turned = [np.cross(axis, q, axisb=0).T for axis in np.eye(3)]
        rows = np.concatenate([rows, np.array([*moved, *turned]).reshape(6, -1)])
        targets = np.concatenate([targets, np.zeros(6)])
    free = np.tile(moving, 3)
    expected = np.zeros(3 * len(mass))
    expected[free] = np.linalg.solve(rows[:, free], targets)
    assert force_in(compiled, state) == pytest.approx(turn @ expected.reshape(3, -1), abs=1e-9)


@pytest.mark.parametrize("method", ["rk4", "verlet", "splitting", "semi_implicit_euler", "implicit"])
def test_a_free_body_of_points_keeps_its_momenta_and_its_balance_of_energy(method):
    """Opposite forces add up to nothing; what the damping takes stands in the ledger, to the order of the method."""
    simulation = run({**JELLY, "modal_damping": 0.05}, 5e-4, method)
    start = simulation.snapshot()
    simulation.advance(0.25)
    now = simulation.snapshot()
    assert now.momentum == pytest.approx(start.momentum, abs=1e-12)
    turning = {"rk4": 1e-9, "implicit": 1e-6}.get(method, 1e-12)
    assert now.angular_momentum == pytest.approx(start.angular_momentum, abs=turning)
    assert now.ledger.damping < -1e-3
    balance = now.energy.total - now.ledger.total - start.energy.total  # `implicit` is solved to 1e-6
    assert abs(balance) < {"rk4": 1e-8, "semi_implicit_euler": 1e-3}.get(method, 1e-5)


def test_a_rigid_rotation_of_the_body_is_not_damped():
    compiled = run({**JELLY, "modal_damping": 1.0}).compiled
    assert np.abs(force_in(compiled, compiled.start)).max() < 1e-13 * 2 * np.sqrt(800.0 * 0.5)  # of c times 1 m/s


@given(
    soft=st.sampled_from(list(BODIES.values())),
    seed=st.integers(0, 2**32 - 1),
    ratios=st.lists(st.floats(0, 3), min_size=1, max_size=40),
    size=st.floats(1e-3, 0.2),
)
def test_modal_damping_never_gives_energy(soft, seed, ratios, size):
    """f.v <= 0 in any state, and it is the power in the ledger; 1e-12 of |f||v| is rounding."""
    compiled = run({**soft, "modal_damping": [*ratios, 0.5]}).compiled
    state, places, velocities = shaken(compiled, np.random.default_rng(seed), size)
    force = force_in(compiled, state)
    power, largest = np.vdot(force, velocities), np.linalg.norm(force) * np.linalg.norm(velocities)
    assert power <= 1e-12 * largest
    if not soft.get("fixed"):
        assert np.abs(force.sum(axis=1)).max() <= 1e-10 * np.linalg.norm(force)
        assert np.abs(np.cross(places, force, axis=0).sum(axis=1)).max() <= 1e-9 * np.linalg.norm(force)


@njit
def fitted(a):
    u1, u2, u3 = fitted_rotation(
        ((a[0, 0], a[1, 0], a[2, 0]), (a[0, 1], a[1, 1], a[2, 1]), (a[0, 2], a[1, 2], a[2, 2]))
    )
    return np.array([u1, u2, u3]).T


@given(
    seed=st.integers(0, 2**32 - 1),
    sizes=st.tuples(st.floats(0.05, 1), st.floats(0.01, 1), st.floats(0, 1)),
    mirrored=st.booleans(),
    scale=st.floats(1e-6, 1e6),
)
def test_the_rotation_of_a_body_is_that_of_the_singular_values(seed, sizes, mirrored, scale):
    """U diag(1, 1, det) V^T; rounding counts 1/(s2 +- s3) times, which the drawn sizes bound."""
    one, two = Rotation.random(2, random_state=np.random.RandomState(seed)).as_matrix()
    first, second, third = sorted(sizes, reverse=True)
    third = -0.5 * min(third, second) if mirrored else third
    a = scale * one @ np.diag([first, second, third]) @ two
    expected = one @ two  # the signs are in `third`
    assert fitted(a) == pytest.approx(expected, abs=1e-10)


def test_a_ghost_of_points_is_damped_as_the_body_in_modes():
    described = scene(
        world=NONE, method="verlet", soft=[{**ROW, "modes": 6, "modal_damping": 0.05}], ghost=[{"modes": 0}]
    )
    both = [Simulation(described), Simulation(ghost_scene(described, described.ghost[0]))]
    for simulation in both:
        simulation.advance(1.0)
    assert along(both[0]) == pytest.approx(along(both[1]), abs=1e-13)
    assert both[1].snapshot().ledger.damping < -0.3


@pytest.mark.parametrize(
    ("soft", "modes", "needed"),
    [
        ({**ROW, "modes": 6, "modal_damping": 0.05}, 0, {"damping_of_points"}),
        ({**ROW, "modes": 6}, 0, set()),
        (ROW, 2, {"forces", "reduce", "project"}),
    ],
)
def test_code_that_only_a_ghost_needs_is_compiled_with_the_scene(soft, modes, needed):
    compiled = Simulation(scene(soft=[soft], ghost=[{"modes": modes}])).compiled
    names = {unit.name.split(":")[1] for unit in units_to_run(compiled) if "modal.part" in unit.name}
    own = {"forces", "reduce", "project", "finish"} if soft.get("modes") else set()
    assert names - own >= needed - own
    assert ("damping_of_points" in names) == ("damping_of_points" in needed)


def test_the_stable_step_counts_the_damping_of_points():
    """Verlet on x'' = -w^2 x - 2 h w x': with h = 2 the fast real eigenvalue halves the limit at least."""
    free, damped = run(ROW), run({**ROW, "modal_damping": 2.0})
    limits = [
        largest_step(each.compiled.model, each.compiled.inputs, 0.0, each.state, "verlet") for each in (free, damped)
    ]
    assert limits[0] == pytest.approx(2 / np.sqrt(600), rel=1e-3)
    assert limits[1] < 0.6 * limits[0]


def test_bodies_without_modal_damping_have_no_such_law():
    for soft in (ROW, {**ROW, "modal_damping": 0.0}, {**ROW, "modal_damping": [0, 0]}, {**ROW, "modes": 3}):
        assert not len(run(soft).compiled.model.damped.mass)
    across = {**SHEET, "natural_length": 1.0, "fixed": [0, 3, 8, 11]}  # the first modes are out of its plane, w = 0
    assert not len(run({**across, "modal_damping": [0.1, 0.0]}).compiled.model.damped.mass)


def test_modal_damping_that_is_too_large_or_undefined_is_refused(monkeypatch):
    monkeypatch.setattr(modal_compile, "MOST_NUMBERS", 500)
    with pytest.raises(InputError) as refusal:
        run({**JELLY, "modal_damping": 0.1})
    assert Meaning("soft[0].modal_damping", "points", modes=30, points=12).of(refusal.value)
    assert Meaning("soft[0].modal_damping", "acts", "many", most=13).of(refusal.value)
    assert len(run({**JELLY, "modal_damping": [*[0.1] * 13, 0]}).compiled.model.damped.damping) == 13
    with refuses("soft[0].modal_damping", "points", name="row", field="modal_damping"):
        run({**ROW, "fixed": [], "modal_damping": 0.1})
