"""Runs of cells against Simulation and against an independent integrator, and what all cells say together."""

import numpy as np
import pytest
from cellwise_dop853 import integrate
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.special import ellipk

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.run.status import DIVERGED, INVALID, PENDING, SETTLED, UNCERTAIN
from polhode.scene.problem import InputError
from polhode.scene.scene_file import read_scene
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.simulation import Simulation
from polhode.sweep.cells import CellRunner, Plan
from polhode.sweep.maps.map import interval
from polhode.sweep.measure import check_sweeps
from polhode.sweep.order import between, levels, refinement, strides_known
from polhode.sweep.sweep import Sweep
from scenes import scene

VACUUM = 1.25663706127e-6 / (4e-7 * np.pi)  # mu0 in units of 4 pi 1e-7
UP = np.array([0.0, 0.0, 1.0])
BASINS = "scenes/basins_of_three_magnets.toml"
PENDULUM = {
    "name": "bob",
    "support": "axle",
    "axis": [0, 1, 0],
    "shape": [{"kind": "sphere", "radius": 0.02, "mass": 0.3, "position": [0, 0, -0.5]}],
}


def swung(angle: float) -> dict:
    return {"orientation": {"axis": [0, 1, 0], "angle": angle}}


def settings(*axes, until=30.0, **more) -> SweepSettings:
    named = [{"parameter": name, "range": [low, high], "count": count} for name, low, high, count in axes]
    return SweepSettings.model_validate({"until": until, "axes": named} | more)


def basins(count: int, **more) -> SweepSettings:
    pushes = [(f"body[0].angular_velocity[{k}]", -5.0, 5.0, count) for k in range(2)]
    outcome = {"kind": "attractor", "near": ["magnet0", "magnet1", "magnet2"]}
    return settings(*pushes, **{"outcome": outcome} | more)


@pytest.mark.parametrize("method", ["rk4", "adams_bashforth_2", "dormand_prince_8"])
def test_a_cell_ends_where_a_simulation_does(method):
    given = scene(PENDULUM | {"friction": 1e-3, "angular_velocity": [0, 2, 0]}, method=method, time_step=1e-3)
    states = np.tile(build(given, Meshes()).start, (2, 1))
    status, _, _ = CellRunner(build(given, Meshes())).run(states, Plan(700, 1e-3, 50, 0, -1, False))
    simulation = Simulation(given)
    simulation.advance_steps(700)
    assert list(status) == [2, 2]
    assert np.array_equal(states[0], states[1])
    assert np.array_equal(states[1], simulation.state)


class SphericalPendulum:
    """A twin of the bob that shares nothing with the program: its axis e and angular velocity w,

        de/dt = w x e,  I dw/dt = -e x dU/de - c w,  U = m g (l e_z) - sum_k p e.B_k,
        B_k = k S (3 r r_z/d^5 - z/d^3)

    with r from magnet k to the dipole at a e below the pivot.
    """

    def __init__(self, sweep: Sweep):
        given, mass = sweep.compiled.scene, sweep.compiled.properties[0]
        bob = given.body[0]
        self.magnets, self.pivot = np.array([body.position for body in given.body[1:]]), np.array(bob.position)
        self.inertia = np.diag(mass.about(np.zeros(3)))[0]
        self.weight = mass.mass * 9.80665 * mass.center[2]
        self.arm, self.friction = bob.dipole[0].position[2], bob.friction
        self.strength = 1e-7 * VACUUM * given.body[1].dipole[0].moment[2] * bob.dipole[0].moment[2]

    def potential(self, axis: np.ndarray) -> np.ndarray:
        """(n,) energies [J] over axes (n, 3), which may be complex."""
        energy = self.weight * axis[..., 2]
        for magnet in self.magnets:
            r = self.pivot + self.arm * axis - magnet
            d2 = (r * r).sum(axis=-1)
            energy = energy - self.strength * (3 * (axis * r).sum(axis=-1) * r[..., 2] / d2 - axis[..., 2]) / d2**1.5
        return energy

    def slope(self, axis: np.ndarray) -> np.ndarray:
        """(n, 3) dU/de."""
        found = np.zeros_like(axis) + self.weight * UP
        for magnet in self.magnets:
            r = self.pivot + self.arm * axis - magnet
            d2 = (r * r).sum(axis=-1, keepdims=True)
            along, up, tilt = (axis * r).sum(axis=-1, keepdims=True), r[..., 2:], axis[..., 2:]
            field = (3 * r * up / d2 - UP) / d2**1.5
            pull = (3 * (axis * up + along * UP + tilt * r) - 15 * along * up * r / d2) / d2**2.5
            found -= self.strength * (field + self.arm * pull)
        return found

    def rates(self, y: np.ndarray) -> np.ndarray:
        """(n, 6) rates of axes and angular velocities."""
        axis, spin = y[:, :3], y[:, 3:]
        torque = -np.cross(axis, self.slope(axis)) - self.friction * spin
        return np.concatenate([np.cross(spin, axis), torque / self.inertia], axis=1)

    def starts(self, spins: np.ndarray) -> np.ndarray:
        """(n, 6) upright, with pushes (n, 2) [rad/s]."""
        return np.column_stack([np.tile(UP, (len(spins), 1)), spins, np.zeros(len(spins))])

    def nearest(self, y: np.ndarray) -> np.ndarray:
        """(n,) index of the magnet that is nearest to the bob."""
        places = self.pivot + self.arm * y[:, :3]
        return np.linalg.norm(places[:, None] - self.magnets, axis=2).argmin(axis=1)


def ends_by_dop853(sweep: Sweep, spins: np.ndarray, until: float, tolerance: float = 1e-12) -> np.ndarray:
    """(n,) index of the magnet that is nearest to the bob after `until` [s], for pushes (n, 2) [rad/s]."""
    bob = SphericalPendulum(sweep)
    return bob.nearest(integrate(bob.rates, bob.starts(spins), until, tolerance, 0.1 * tolerance))


def test_the_twin_is_a_gradient_and_its_integrator_that_of_scipy():
    """dU/de by the complex step, which is exact to rounding; and solve_ivp on single cells, over a time in which an
    error grows by some exp(1 s * 3/s)."""
    sweep = Sweep(read_scene(BASINS), basins(8), workers=1)
    bob, spins = SphericalPendulum(sweep), sweep.variation.values(np.arange(3, 64, 21))
    axes = np.random.default_rng(3).standard_normal((20, 3))
    axes /= np.linalg.norm(axes, axis=1, keepdims=True)
    by_steps = np.stack([bob.potential(axes + 1e-30j * unit).imag / 1e-30 for unit in np.eye(3)], axis=1)
    assert bob.slope(axes) == pytest.approx(by_steps, rel=1e-11, abs=1e-13)
    ends = integrate(bob.rates, bob.starts(spins), 1.0, 1e-12, 1e-13)
    for start, end in zip(bob.starts(spins), ends, strict=True):
        one = solve_ivp(lambda _, y: bob.rates(y[None])[0], (0, 1.0), start, method="DOP853", rtol=1e-12, atol=1e-13)
        assert end == pytest.approx(one.y[:, -1], abs=1e-8)


def test_cells_end_as_those_of_an_independent_integrator():
    sweep = Sweep(read_scene(BASINS), basins(8), workers=2)
    made = sweep.run()
    certain = made.status.reshape(-1) == SETTLED
    assert certain.mean() > 0.95
    ends = ends_by_dop853(sweep, sweep.variation.values(np.arange(64)), np.nanmax(made.time) + 1.0, 1e-9)
    assert np.array_equal(made.label.reshape(-1)[certain], ends[certain])


def compare_with_dop853(sweep: Sweep, cells: np.ndarray) -> tuple[float, float, float]:
    """Parts of the cells (n,) of a map: equal among the certain ones; uncertain; changed by DOP853's own tolerance.

    The uncertain ones are counted without those that DOP853 itself changes between 1e-10 and 1e-12.
    """
    made, spins = sweep.chunks.run(cells).results, sweep.variation.values(cells)
    until = np.nanmax(made.time) + 1.0  # by then all are below the barriers
    fine, coarse = (ends_by_dop853(sweep, spins, until, tolerance) for tolerance in (1e-12, 1e-10))
    certain, fickle = made.status == SETTLED, fine != coarse
    print(
        f"until {until:.1f} s: {certain.mean():.4f} certain, of these {(made.label == fine)[certain].mean():.5f} equal,"
    )
    print(f"DOP853 changes {fickle.mean():.4f}, uncertain besides {np.mean(~certain & ~fickle):.4f}")
    return np.mean(made.label[certain] == fine[certain]), np.mean(~certain & ~fickle), np.mean(fickle)


def test_a_rest_at_none_of_the_attractors_is_uncertain():
    """These six cells of 512 x 512 come to rest below the pivot, between the magnets, by DOP853 as well."""
    sweep, cells = Sweep(read_scene(BASINS), basins(512)), np.array([132525, 141490, 145356, 188022, 195882, 207911])
    bob = SphericalPendulum(sweep)
    ends = integrate(bob.rates, bob.starts(sweep.variation.values(cells[:2])), 40.0, 1e-9, 1e-10)
    assert ends[:, :2] == pytest.approx(0.0, abs=1e-3)
    assert (sweep.chunks.run(cells).results.status == UNCERTAIN).all()


@pytest.mark.nightly
@pytest.mark.timeout(7200)
def test_4096_random_cells_end_as_those_of_dop853():
    sweep = Sweep(read_scene(BASINS), basins(512))
    cells = np.sort(np.random.default_rng(4096).choice(512 * 512, 4096, replace=False))
    equal, uncertain, _ = compare_with_dop853(sweep, cells)
    assert equal >= 0.999
    assert uncertain <= 0.05


def test_threads_and_chunks_do_not_change_a_bit(monkeypatch):
    given = read_scene(BASINS)
    one = Sweep(given, basins(12), workers=1).run()
    monkeypatch.setattr("polhode.sweep.sweep.MOST", 13)
    monkeypatch.setattr("polhode.sweep.sweep.CHUNK_SECONDS", 0.02)
    two = Sweep(given, basins(12), workers=3).run()
    for name in ("label", "time", "value", "status"):
        assert getattr(one, name).tobytes() == getattr(two, name).tobytes()
    assert one.counts().keys() <= {"settled", "uncertain"}
    assert one.certain > 0.95


def test_rests_without_names_are_those_with_names():
    given = read_scene(BASINS)
    named, found = Sweep(given, basins(10)).run(), Sweep(given, basins(10, outcome={})).run()
    pairs = set(zip(named.label.reshape(-1).tolist(), found.label.reshape(-1).tolist(), strict=True))
    assert len(pairs) == 3  # one to one
    assert {label for _, label in pairs} == {0, 1, 2}
    assert np.array_equal(named.status, found.status)


def test_a_mirrored_start_ends_at_the_mirrored_magnet():
    """The scene is symmetric under x -> -x: (wx, wy) -> (wx, -wy) and magnet 1 <-> magnet 2."""
    made = Sweep(read_scene(BASINS), basins(16)).run()
    certain = (made.status == SETTLED) & (made.status == SETTLED)[:, ::-1]
    assert certain.mean() > 0.9
    mirrored = np.array([0, 2, 1])[made.label[:, ::-1]]
    assert np.array_equal(made.label[certain], mirrored[certain])
    first, second, third = made.fractions()
    assert second.cells == pytest.approx(third.cells, abs=6)  # up to uncertain cells
    assert first.low < 1 / 3 < first.high


def test_the_period_of_a_pendulum_over_its_amplitude():
    axes = ("body[0].tilt[1]", 0.2, 3.0, 8)
    sweep = settings(axes, until=20.0, outcome={"kind": "period", "quantity": "bob.angular_velocity.y"})
    given = scene(PENDULUM, method="dormand_prince_8", time_step=2e-3)
    made = Sweep(given, sweep).run()
    compiled = build(given, Meshes())
    inertia = compiled.properties[0].about(np.zeros(3))[1, 1]
    slow = 4 * np.sqrt(inertia / (0.3 * 9.80665 * 0.5))
    # Linear interpolation of a crossing errs by (w dt)^2 / 8 of a step: below 1e-6 s.
    assert made.value == pytest.approx(slow * ellipk(np.sin(made.axis_values[0] / 2) ** 2), abs=2e-6)


def test_means_extremes_and_ends_of_a_pendulum():
    given = scene(PENDULUM, method="dormand_prince_8", time_step=2e-3)
    axes = ("body[0].tilt[1]", 0.3, 1.2, 4)
    fall = 0.3 * 9.80665 * 0.5 * (1 - np.cos(np.linspace(0.3, 1.2, 4)))  # [J]

    def asked(**outcome):
        return Sweep(given, settings(axes, until=6.0, outcome=outcome)).run().value

    assert asked(kind="extreme", quantity="energy.kinetic") == pytest.approx(fall, rel=1e-4)  # sampled: (w dt)^2
    assert asked(kind="extreme", extreme="minimum", quantity="energy.kinetic") == pytest.approx(0, abs=1e-4)
    ends = []
    for tilt in np.linspace(0.3, 1.2, 4):
        simulation = Simulation(scene(PENDULUM | swung(tilt), method="dormand_prince_8", time_step=2e-3))
        simulation.advance(6.0)
        ends.append(simulation.snapshot().energy.kinetic)
    assert asked(kind="final", quantity="energy.kinetic") == pytest.approx(ends, rel=1e-9)


def test_the_time_until_rest_is_that_of_the_decay():
    """A small swing with friction c decays as exp(-c t / 2 I): 1e-4 of its energy after t = I ln(1e4) / c."""
    friction = 0.03
    given = scene(PENDULUM | swung(0.1), method="dormand_prince_8", time_step=5e-3)
    made = Sweep(given, settings(("body[0].friction", friction, 2 * friction, 3), outcome={"kind": "settled"})).run()
    inertia = build(given, Meshes()).properties[0].about(np.zeros(3))[1, 1]
    expected = inertia * np.log(1e4) / made.axis_values[0]
    assert made.time == pytest.approx(expected, abs=0.5)  # [s] the energy swings twice in a period, 1.4 s
    assert np.array_equal(made.time, made.value)


def test_failed_cells_do_not_end_a_sweep():
    """A spring that is too stiff for the step diverges, and a negative stiffness is no scene."""
    particles = [
        {"name": "a", "position": [0, 0, 0], "mass": 1, "fixed": True},
        {"name": "b", "position": [0, 0, 1.1], "mass": 1},
    ]
    spring = {"from": "a", "to": "b", "stiffness": 10.0, "rest_length": 1.0}
    given = scene(particle=particles, spring=[spring], gravity=[0, 0, 0], time_step=0.1)
    axis = ("spring[0].stiffness", -1e3, 1e5, 5)
    made = Sweep(given, settings(axis, until=200.0, outcome={"kind": "final", "quantity": "b.position.z"})).run()
    assert made.status[0] == INVALID
    assert set(made.status[1:]) == {DIVERGED}
    assert np.isnan(made.value).all()


def halves(shape: tuple[int, ...], done: np.ndarray) -> np.ndarray:
    """(cells, 1) 1 above the diagonal of a map, 0 below, nan where it is not done."""
    places = np.indices(shape).reshape(len(shape), -1) / np.array(shape)[:, None]
    return np.where(done, places[0] > places[-1] if len(shape) > 1 else places[0] > 0.4, np.nan)[:, None]


@pytest.mark.parametrize("shape", [(64, 64), (100, 30), (33,), (5, 6, 7), (1, 2), (300, 200)])
def test_each_pending_cell_is_computed_once(shape):
    size = int(np.prod(shape))
    pending, done = np.random.default_rng(2).random(size) < 0.8, np.zeros(size, dtype=bool)
    done[~pending] = True
    for cells in refinement(shape, pending, lambda: (halves(shape, done), 0.5)):
        assert not done[cells].any()
        done[cells] = True
    assert done.all()


def test_the_coarse_picture_comes_first_and_borders_before_the_rest():
    shape, done = (512, 512), np.zeros(512 * 512, dtype=bool)
    groups = []
    for cells in refinement(shape, ~done, lambda: (halves(shape, done), 0.5)):
        done[cells] = True
        groups.append(cells)
    _, strides = levels(shape)
    assert strides == [32, 16, 8, 4, 2, 1]
    assert len(groups) == 2 * len(strides)
    assert strides_known(shape, np.isin(np.arange(512 * 512), np.concatenate(groups[:2])).reshape(shape)) == 16
    first = np.concatenate(groups[: len(strides)])
    assert len(first) < 0.1 * 512 * 512
    row, column = np.divmod(np.arange(512 * 512), 512)
    on_border = np.flatnonzero((row - column == 0) | (row - column == 1))  # neighbours that differ
    assert np.isin(on_border, first).all()


def test_cells_beside_a_lone_island_are_refined():
    """Of a map that is known on the grid of 4 only, with one cell that differs: all blocks that touch it."""
    numbers = np.full((17, 17), np.nan)
    numbers[::4, ::4] = 0.0
    numbers[8, 8] = 1.0
    found = between((17, 17), 4, numbers.reshape(-1, 1), 0.5).reshape(17, 17)
    assert found[4:12, 4:12].all()
    assert not found[:4].any()
    assert not found[12:].any()


def test_a_cancelled_sweep_goes_on():
    given = read_scene(BASINS)
    sweep = Sweep(given, basins(12))
    sweep.run(lambda run: run.cancel())
    some = sweep.map.status.copy()
    assert (some == PENDING).any()
    assert (some != PENDING).any()
    whole = sweep.run()
    assert not whole.is_pending
    assert np.array_equal(whole.label, Sweep(given, basins(12)).run().label)


def test_uncertain_cells_are_those_near_borders():
    """With a step near the limit of stability many cells change their label when it is halved."""
    given = read_scene(BASINS)
    rough = given.model_copy(update={"solver": given.solver.model_copy(update={"method": "rk4", "time_step": 0.012})})
    made = Sweep(rough, basins(16)).run()
    assert (made.status == UNCERTAIN).sum() > 10
    fine = Sweep(given, basins(16, check="none")).run()
    certain = made.status == SETTLED
    assert (made.label == fine.label)[certain].mean() > (made.label == fine.label)[~certain].mean() + 0.1


@pytest.mark.parametrize(("count", "total"), [(0, 50), (3, 50), (25, 50), (50, 50)])
def test_intervals_are_wilsons(count, total):
    """Its ends are the probabilities whose deviation from the found one is 1.96 standard errors."""
    low, high = interval(count, total)

    def distance(p):
        return abs(count / total - p) - 1.959963984540054 * np.sqrt(p * (1 - p) / total)

    if count > 0:
        assert low == pytest.approx(brentq(distance, 1e-12, count / total - 1e-6), abs=1e-9)
    if count < total:
        assert high == pytest.approx(brentq(distance, count / total + 1e-6, 1 - 1e-12), abs=1e-9)
    assert 0 <= low <= count / total <= high <= 1


def test_outcomes_that_name_nothing():
    given = scene(PENDULUM)
    axis = {"parameter": "body[0].tilt[1]", "range": [0, 1], "count": 3}
    sweeps = [
        {"until": 1.0, "axes": [axis], "outcome": {"near": ["bob", "nothing"]}},
        {"until": 1.0, "axes": [axis], "outcome": {"kind": "mean", "quantity": "bob.positon.x"}},
        {"until": 1.0, "axes": [axis | {"parameter": "body[0].colour"}]},
    ]
    asked = scene(PENDULUM, sweep=sweeps)
    with pytest.raises(InputError) as caught:
        check_sweeps(asked, build(given, Meshes()))
    places = [problem.place for problem in caught.value.problems]
    assert places == ["sweep[0].outcome", "sweep[1].outcome.quantity", "sweep[2].axes[0].parameter"]
    assert "bob.position.x" in str(caught.value)
