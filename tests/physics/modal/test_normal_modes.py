"""Modes of soft bodies: frequencies, and motion in modal coordinates beside that in physical ones."""

import numpy as np
import pytest
from meaning import Meaning, refuses
from reference import PointSystem

from polhode.analysis.steps.stability import largest_step
from polhode.physics.modal.normal_modes import DENSE, Net, lowest_modes, tangent_stiffness
from polhode.physics.points.lattice import grid, pairs, runs
from polhode.scene.problem import InputError
from polhode.simulation.simulation import Simulation
from scenes import SOFT, TUMBLING, scene

NONE = {"gravity": [0, 0, 0]}
# Two masses of 10 kg in a row: k1 to the wall, k2 between them. A spring at rest resists nothing across itself, so four
# of its six modes have w = 0, and the two along the row come last.
ROW = {"kind": "chain", "name": "row", "count": 3, "spacing": 1.0, "direction": [1, 0, 0], "fixed": [0]}
TWO = {**ROW, "particle_mass": 10.0, "stiffness": 3000.0, "velocity": [0.3, 0, 0]}
K1, K2, W1, W2 = 3000.0, 2000.0, 10.0, np.sqrt(600.0)
JELLY = SOFT | TUMBLING
ALL = 3 * 12 - 6  # its modes


def net_of_lattice(counts, fixed=(), natural_length=1.0):
    positions, joined = 0.1 * grid(counts), pairs(runs(grid(counts)))
    rest = natural_length * np.linalg.norm(positions[joined[:, 1]] - positions[joined[:, 0]], axis=1)
    held = np.isin(np.arange(len(positions)), fixed)
    return Net(positions, np.full(len(positions), 0.5), held, joined, rest, np.full(len(joined), 1e4))


def limit(simulation, method):
    compiled = simulation.compiled
    return largest_step(compiled.model, compiled.inputs, 0.0, compiled.start, method)


def test_two_masses_in_a_row_swing_at_the_frequencies_of_the_document():
    pairs, rest = np.array([[0, 1], [1, 2]]), np.ones(2)
    positions, held = np.array([[0.0, 0, 0], [1, 0, 0], [2, 0, 0]]), np.array([True, False, False])
    modes = lowest_modes(Net(positions, np.full(3, 10.0), held, pairs, rest, np.array([K1, K2])), 6, False)
    assert modes.frequencies == pytest.approx([0, 0, 0, 0, W1, W2], abs=1e-9)
    assert modes.shapes[4, 0, 2] / modes.shapes[4, 0, 1] == pytest.approx(2.0, abs=1e-9)


@pytest.mark.parametrize("natural_length", [0.9, 1.0, 1.05])
def test_the_tangent_stiffness_is_the_derivative_of_the_forces(natural_length):
    """Against central differences of an independent sum; steps of 1e-6 m leave 1e-5 of 1e4 N/m."""
    net = net_of_lattice((3, 2, 2), natural_length=natural_length)

    def force(flat):
        x, f = flat.reshape(3, -1).T, np.zeros((12, 3))
        for (i, j), rest, k in zip(net.pairs, net.rest, net.stiffness, strict=True):
            along = x[j] - x[i]
            pull = k * (1 - rest / np.linalg.norm(along)) * along
            f[i], f[j] = f[i] + pull, f[j] - pull
        return f.T.ravel()

    start = net.positions.T.ravel()
    expected = np.array([force(start - 1e-6 * axis) - force(start + 1e-6 * axis) for axis in np.eye(36)]) / 2e-6
    assert tangent_stiffness(net).toarray() == pytest.approx(expected.T, abs=1e-4)


@pytest.mark.parametrize("fixed", [(), (0, 1, 2)])
def test_shapes_are_orthonormal_in_mass_and_those_of_a_free_body_know_no_rigid_motion(fixed):
    net = net_of_lattice((4, 3, 3), fixed)
    shapes = lowest_modes(net, 20, False).shapes
    assert np.einsum("aki,bki,i->ab", shapes, shapes, net.mass) == pytest.approx(np.eye(20), abs=1e-13)
    assert not shapes[:, :, list(fixed)].any()
    if not fixed:
        turning = np.cross(net.positions - net.positions.mean(axis=0), shapes.swapaxes(1, 2))
        assert np.einsum("aki,i->ak", shapes, net.mass) == pytest.approx(0, abs=1e-13)
        assert np.einsum("aik,i->ak", turning, net.mass) == pytest.approx(0, abs=1e-13)


@pytest.mark.parametrize(("fixed", "natural_length"), [((), 1.0), (tuple(range(9)), 1.0), (tuple(range(49)), 1.02)])
def test_the_modes_of_a_large_body_by_shift_and_invert_are_those_of_the_whole_matrix(fixed, natural_length):
    """scipy's dense eigenvalues of the same matrix, rigid motions left out by their w = 0; under pressure, too."""
    net = net_of_lattice((7, 7, 8), fixed, natural_length)
    moving = np.flatnonzero(np.tile(~net.fixed, 3))
    assert len(moving) > DENSE
    found = lowest_modes(net, 12, True).squares
    expected = np.linalg.eigvalsh(tangent_stiffness(net).toarray()[np.ix_(moving, moving)] / 0.5)
    assert found == pytest.approx(expected[0 if fixed else 6 :][:12], rel=1e-7, abs=1e-4)


def test_motions_that_no_spring_resists_come_smooth_ones_first():
    """Out of its plane a flat net at rest resists nothing: the first of these modes has no line where it is still."""
    net = net_of_lattice((9, 9, 1), [i + 9 * j for i in range(9) for j in range(9) if {i, j} & {0, 8}])
    modes = lowest_modes(net, 6, False)
    assert not modes.frequencies.any()
    first = modes.shapes[0, 2].reshape(9, 9)[1:-1, 1:-1]
    assert (first > 0).all()
    expected = np.sin(np.pi * np.arange(1, 8) / 8)
    assert first / first.max() == pytest.approx(np.outer(expected, expected), abs=0.02)  # diagonals are threads, too


def twin(steps, dt, h):
    """(steps, 2) [m] by Verlet's method in physical coordinates, with the damping c = Phi^-T C Phi^-1."""
    mass, k = 10.0 * np.eye(2), np.array([[K1 + K2, -K2], [-K2, K2]])
    squares, phi = np.linalg.eigh(k / 10.0)
    phi /= np.sqrt(10.0)
    c = np.linalg.inv(phi).T @ np.diag(2 * h * np.sqrt(squares)) @ np.linalg.inv(phi)
    x, v, way = np.zeros(2), np.array([0.3, 0.3]), []
    for _ in range(steps):
        a = np.linalg.solve(mass, -k @ x - c @ v)
        half = v + 0.5 * dt * a
        x = x + dt * half
        predicted = half + 0.5 * dt * a
        v = half + 0.5 * dt * np.linalg.solve(mass, -k @ x - c @ predicted)
        way.append(x)
    return np.array(way)


def two_masses(modes, time_step, h=0.0):
    soft = {**TWO, "stiffness": [K1, K2], "modes": modes, "modal_damping": h}
    return Simulation(scene(time_step=time_step, method="verlet", world=NONE, soft=[soft]))


@pytest.mark.parametrize("modes", [0, 6])
def test_all_modes_agree_with_physical_coordinates(modes):
    """The document's case, 1000 steps of 1e-4 s with h = 0.005: 5e-7 there, rounding here."""
    simulation = two_masses(modes, 1e-4, 0.005)
    for step, expected in enumerate(twin(1000, 1e-4, 0.005)):
        simulation.advance_steps(1)
        if step in (99, 999):
            assert simulation.snapshot().points.position[1:, 0] - [1, 2] == pytest.approx(expected, abs=1e-13)


def test_the_highest_mode_that_is_kept_sets_the_step():
    """The document's case: 0.0816 s with both, 0.2 s with one; and the run agrees, 3 % on either side."""
    for modes, expected in ((5, 2 / W1), (6, 2 / W2)):
        simulation = two_masses(modes, 0.97 * expected)
        assert limit(simulation, "verlet") == pytest.approx(expected, rel=1e-3)
        simulation.advance_steps(300)
        assert np.abs(simulation.snapshot().points.position[1:, 0] - [1, 2]).max() < 1.0
        simulation = two_masses(modes, 1.03 * expected)
        simulation.advance_steps(60)
        assert np.abs(simulation.snapshot().points.position[1:, 0] - [1, 2]).max() > 10.0


def test_all_modes_of_a_turning_and_shaking_free_body_agree_with_an_independent_integration():
    """Rotation and vibration are coupled without anything neglected: RK4's error is all that is left."""
    parts = {"world": {"wind": {"velocity": [3.0, 0, 1.0], "period": 0.7, "drag": 0.05}}, "soft": [JELLY]}
    expected = PointSystem(scene(**parts)).positions([0.3])[0]
    simulation = Simulation(scene(**{**parts, "soft": [{**JELLY, "modes": ALL}]}))
    simulation.advance(0.3)
    assert simulation.snapshot().points.position == pytest.approx(expected, abs=1e-7)


@pytest.mark.parametrize("method", ["rk4", "verlet", "splitting", "semi_implicit_euler"])
def test_a_free_body_of_few_modes_keeps_momentum_angular_momentum_and_its_balance_of_energy(method):
    """Momenta stand in the state and opposite forces add up to nothing: rounding of 3 kg m/s is left."""
    soft = [{**JELLY, "modes": 12, "modal_damping": 0.05}]
    simulation = Simulation(scene(time_step=5e-4, method=method, world=NONE, soft=soft))
    start = simulation.snapshot()
    simulation.advance(0.25)
    now = simulation.snapshot()
    assert now.momentum == pytest.approx(start.momentum, abs=1e-14)
    assert now.angular_momentum == pytest.approx(start.angular_momentum, abs=1e-13)
    assert now.ledger.damping < -1e-3
    balance = now.energy.total - now.ledger.total - start.energy.total
    assert abs(balance) < {"rk4": 1e-8, "semi_implicit_euler": 1e-3}.get(method, 1e-6)


def test_what_is_joined_to_a_modal_body_gives_and_takes_momentum_and_energy():
    bob = {
        "name": "bob",
        "support": "free",
        "position": [1.0, 0, 1.0],
        "shape": [{"kind": "cuboid", "size": [0.1, 0.2, 0.3], "mass": 2.0}],
    }
    spring = {"from": {"body": "bob", "point": [0.05, 0.1, 0.15]}, "to": "jelly.11", "stiffness": 60.0, "damping": 0.4}
    soft = [{**JELLY, "modes": 12, "damping": 1.0}]
    simulation = Simulation(scene(world=NONE, soft=soft, body=[bob], spring=[spring]))
    start = simulation.snapshot()
    simulation.advance(0.3)
    now = simulation.snapshot()
    assert now.bodies.velocity[0] != pytest.approx([0, 0, 0], abs=0.01)
    assert now.momentum == pytest.approx(start.momentum, abs=1e-13)
    assert now.angular_momentum == pytest.approx(start.angular_momentum, abs=1e-8)  # RK4's error
    assert abs(now.energy.total - now.ledger.total - start.energy.total) < 1e-7


def test_edits_carry_motion_between_modes_and_points():
    simulation = Simulation(scene(method="verlet", world=NONE, soft=[{**JELLY, "modes": 12}]))
    simulation.advance(0.05)
    before = simulation.snapshot()
    for modes in (20, 0, ALL):
        simulation.load(scene(method="verlet", world=NONE, soft=[{**JELLY, "modes": modes}]))
        now = simulation.snapshot()
        assert now.points.position == pytest.approx(before.points.position, abs=1e-13)
        assert now.points.velocity == pytest.approx(before.points.velocity, abs=1e-13)


def test_modes_that_buckle_are_named_and_left_out_or_kept():
    rod = {**ROW, "count": 6, "fixed": [0, 5], "particle_mass": 0.1, "stiffness": 100.0, "natural_length": 1.05}
    dropped = Simulation(scene(method="verlet", world=NONE, soft=[{**rod, "modes": 2}]))
    (warning,) = dropped.warnings
    assert Meaning("soft[0].modes", "buckle", count=8, name="row").of(warning)
    assert Meaning("soft[0].modes", "left", count=8, name="row").of(warning)
    kept = Simulation(scene(method="verlet", world=NONE, soft=[{**rod, "modes": 2, "unstable_modes": "clamp"}]))
    assert Meaning("soft[0].modes", "w", count=2, name="row").of(kept.warnings[0])
    modes = kept.compiled.modal["row"].modes
    # each thread under pressure k (l0/l - 1) pushes aside: w^2 = -4 k (l0/l - 1) sin^2(pi n/10)/m, n = 4 first
    assert modes.squares == pytest.approx([-4 * 100.0 * 0.05 * np.sin(0.4 * np.pi) ** 2 / 0.1] * 2, rel=1e-6)


@pytest.mark.parametrize(
    ("soft", "place", "rule"),
    [
        ({**TWO, "modes": 7}, "soft[0].modes", Meaning("soft[0].modes", modes=7, available=6)),
        (
            {**TWO, "fixed": [], "modes": 1},
            "soft[0].modes",
            Meaning("soft[0].modes", "line", "nothing", name="row", field="modes"),
        ),
        ({**TWO, "fixed": [0, 1, 2], "modes": 1}, "soft[0].modes", Meaning("soft[0].modes", "mode", name="row")),
        (
            {**ROW, "particle_mass": 1.0, "stiffness": 1.0, "modes": -1},
            "soft[0].modes",
            Meaning("soft[0].modes", "least", limit=0),
        ),
    ],
)
def test_modes_that_a_body_does_not_have_are_refused(soft, place, rule):
    with pytest.raises(InputError) as refusal:
        Simulation(scene(method="verlet", soft=[soft]))
    (problem,) = refusal.value.problems
    assert problem.place == place
    assert rule.of(problem)


def test_divergence_names_the_modal_body():
    simulation = Simulation(
        scene(time_step=0.5, method="verlet", soft=[{**JELLY, "modes": 12}], particle=[{"name": "ball", "mass": 1.0}])
    )
    with refuses("", "diverged", part="jelly", raised=Exception):
        simulation.advance(500.0)
