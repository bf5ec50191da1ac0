"""Measured data in place of formulas of time: the motion beside scipy, files, fits, and what is refused."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning, refuses
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline

from polhode import read_scene, write_scene
from polhode.data.measured import MeasuredData
from polhode.fitting.fit import fit
from polhode.recording.scene_bundle import bundle_scene
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.diverged import Diverged
from polhode.simulation.simulation import Simulation
from polhode.sweep.sweep import Sweep

TIMES = np.linspace(-1.0, 5.0, 121)
TORQUE = np.sin(3.0 * TIMES) + 0.3 * np.cos(11.0 * TIMES)
INERTIA, WEIGHT, FRICTION = 0.5 * 0.16 + 0.4 * 0.5 * 0.05**2, 0.5 * 9.81 * 0.4, 0.05
ARM = {
    "name": "arm",
    "support": "axle",
    "axis": [0, 1, 0],
    "friction": FRICTION,
    "shape": [{"kind": "sphere", "radius": 0.05, "mass": 0.5, "position": [0, 0, -0.4]}],
}
RATE = "arm.angular_velocity.y"
GAIN, DELAY = "force[0].torque[1].gain", "force[0].torque[1].delay"


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """A table of a torque, of a displacement and of a voltage."""
    path = tmp_path / "in.csv"
    columns = np.column_stack([TIMES, TORQUE, 0.01 * TORQUE, 5.0 * TORQUE])
    np.savetxt(path, columns, "%.17g", ",", header="t (s),torque (N m),x (m),u (V)", comments="")
    return path


def driven(folder: Path, **source) -> Scene:
    """An arm on an axle, driven by the measured torque."""
    torque = {"y": {"data": "in.csv", "column": "torque"} | source}
    parts = {"body": [ARM], "force": [{"on": "arm", "torque": torque}], "world": {"gravity": [0, 0, -9.81]}}
    return scene_of({"solver": {"time_step": 1e-3}, **parts}, "test").in_folder(folder)


def turned(torque, times: np.ndarray) -> np.ndarray:
    """Angular velocities [rad/s] of the arm, by scipy."""

    def rate(t: float, s: np.ndarray) -> list[float]:
        return [s[1], (torque(t) - WEIGHT * np.sin(s[0]) - FRICTION * s[1]) / INERTIA]

    return solve_ivp(rate, (0, times[-1]), [0.0, 0.0], "DOP853", times, rtol=1e-11, atol=1e-12, max_step=5e-3).y[1]


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_a_measured_torque_turns_a_body(table, interpolation):
    """RK4 at 1 ms: 1e-7 rad/s with a smooth torque; at a kink of the slope k a step loses about k h^2."""
    scene = driven(table.parent, interpolation=interpolation, gain=2.0, offset=0.1, delay=0.2)
    at = np.arange(0.0, 4.01, 0.5)
    found = Simulation(scene).run(4.0, 0.5)[RATE]
    column = CubicSpline(TIMES, TORQUE, bc_type="natural") if interpolation == "cubic" else None
    torque = column or (lambda t: np.interp(t, TIMES, TORQUE))
    expected = turned(lambda t: 0.1 + 2.0 * torque(t - 0.2), at)
    assert found == pytest.approx(expected, abs=1e-6 if interpolation == "cubic" else 1e-5)
    assert np.abs(expected).max() > 1.0


def test_the_work_of_a_measured_torque_is_in_the_ledger(table):
    simulation = Simulation(driven(table.parent, interpolation="cubic"))
    begun = simulation.snapshot().energy.total
    simulation.advance(3.0)
    now = simulation.snapshot()
    assert now.energy.total - begun == pytest.approx(now.ledger.total, abs=1e-8)
    assert abs(now.ledger.drive) > 0.1


def test_pivots_motors_fields_and_voltages_take_measured_data(table):
    def source(column: str, **more) -> dict[str, object]:
        return {"data": "in.csv", "column": column, "interpolation": "cubic"} | more

    moved = ARM | {"motion": {"kind": "formula", "x": source("x")}}
    winding = {"kind": "loop", "radius": 0.1, "wire_radius": 1e-3}
    coil = {"name": "coil", "turns": 100, "resistance": 2.0, "winding": winding}
    parts = {
        "body": [moved],
        "coil": [coil | {"source": {"kind": "voltage", "voltage": source("u")}}],
        "world": {"magnetic_field": {"kind": "formula", "z": source("x", unit="T")}},
    }
    simulation = Simulation(scene_of({"solver": {"time_step": 1e-4}, **parts}, "test").in_folder(table.parent))
    start = simulation.snapshot().bodies.position[0, 0]
    simulation.advance(1.0)
    spline = CubicSpline(TIMES, TORQUE, bc_type="natural")
    assert simulation.field([[3.0, 0.0, 0.0]])[0, 2] == pytest.approx(0.01 * spline(1.0), abs=1e-8)
    assert simulation.run(1.0001)["coil.current"][-1] == pytest.approx(2.5 * spline(1.0), rel=0.05)
    assert abs(simulation.snapshot().bodies.position[0, 0] - start) < 0.5


def test_numbers_of_an_input_change_while_it_runs_and_in_maps(table):
    scene = driven(table.parent)
    simulation = Simulation(scene)
    model = simulation._built.model
    simulation.set({GAIN: 3.0})
    assert simulation._built.model.points is model.points  # adjusted, not built
    simulation.advance(1.0)
    other = Simulation(scene.with_values({GAIN: 3.0}))
    other.advance(1.0)
    assert np.array_equal(simulation.snapshot().bodies.basis, other.snapshot().bodies.basis)
    found = Sweep(scene, axes={GAIN: (1.0, 3.0, 3)}, until=1.0).run()
    assert found.value.shape == (3,)


def test_a_fit_finds_gain_and_delay(table):
    """The rates of a run with other numbers, with noise: the estimates are within four standard errors."""
    true = driven(table.parent, gain=2.2, delay=0.13, interpolation="cubic", outside="hold")
    run = Simulation(true).run(4.0, 0.02)
    noisy = run[RATE] + np.random.default_rng(2).normal(0.0, 0.05, len(run["time"]))
    scene = true.with_values({GAIN: 1.5, DELAY: 0.0})
    data = MeasuredData.of_arrays(run["time"], {"w": noisy}, {"w": "rad/s"})
    found = fit(scene, data, {"w": RATE}, [GAIN, DELAY])
    for name, value in ((GAIN, 2.2), (DELAY, 0.13)):
        estimate = found.estimate(name)
        assert abs(estimate.value - value) < 4.0 * estimate.error
        assert estimate.error < 0.02


def test_a_scene_keeps_its_file_when_it_is_written_or_recorded(table, tmp_path):
    scene = driven(table.parent, delay=0.1)
    other = tmp_path / "elsewhere" / "scene.toml"
    other.parent.mkdir()
    write_scene(scene, other)
    again = read_scene(other)
    assert (other.parent / again.force[0].torque[1].data).resolve() == table.resolve()
    assert again.force[0].torque[1].delay == 0.1
    bundle = bundle_scene(scene)
    assert list(bundle.files.values()) == [table.read_bytes()]
    assert bundle.scene.force[0].torque[1].data in bundle.files


def test_a_table_names_only_the_components_that_it_has(table):
    assert driven(table.parent).force[0].torque[::2] == (0.0, 0.0)


def test_a_run_ends_with_the_data_or_holds_their_last_value(table):
    simulation = Simulation(driven(table.parent, delay=0.1))
    with pytest.raises(Diverged) as ended:
        simulation.advance(10.0)
    assert simulation.time == pytest.approx(5.1, abs=2e-3)
    assert Meaning("", place="force[0].torque[1]", time=5.1).of(ended.value)
    held = Simulation(driven(table.parent, outside="hold"))
    held.advance(8.0)
    assert held.time == pytest.approx(8.0)
    with refuses("force[0].torque[1]", until=10.0):
        Simulation(driven(table.parent)).run(10.0)


@pytest.mark.parametrize(
    ("changes", "place", "values"),
    [
        ({"column": "force"}, "column", {"name": "force"}),
        ({"data": "none.csv"}, "data", {"file": "none.csv"}),
        ({"unit": "m"}, "unit", {"unit": "m"}),
        ({"unit": "furlong"}, "unit", {"unit": "furlong"}),
        ({"delay": 1.5}, "delay", {"first": 0.5}),
    ],
)
def test_data_that_do_not_fit_are_refused(table, changes, place, values):
    with pytest.raises(InputError) as refused:
        Simulation(driven(table.parent, **changes))
    assert Meaning(f"force[0].torque[1].{place}", **values).of(refused.value)


def test_straight_lines_do_not_move_a_pivot(table):
    moved = ARM | {"motion": {"kind": "formula", "x": {"data": "in.csv", "column": "x"}}}
    with refuses("body[0].motion.x.interpolation"):
        Simulation(scene_of({"body": [moved]}, "test").in_folder(table.parent))


def test_the_units_of_a_table_are_bundled_with_it(table, tmp_path):
    table.write_text("t,torque\n-1,0\n0,0\n5,2\n")
    table.with_name("in.units.csv").write_text("column,unit\nt,s\ntorque,mN m\n")
    bundle = bundle_scene(driven(table.parent))
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    for name, content in bundle.files.items():
        (folder / name).write_bytes(content)
    ends = [Simulation(scene).run(4.0, 1.0)[RATE] for scene in (driven(table.parent), bundle.scene.in_folder(folder))]
    assert np.array_equal(*ends)
    table.with_name("in.units.csv").write_text("column,unit\nt,s\ntorque,N m\n")
    assert not np.array_equal(ends[0], Simulation(driven(table.parent)).run(4.0, 1.0)[RATE])  # read again


def test_a_delay_varies_only_where_data_are_held(table):
    with refuses(DELAY):
        Sweep(driven(table.parent), axes={DELAY: (-0.5, 0.0, 3)}, until=1.0).run()
    found = Sweep(driven(table.parent, outside="hold"), axes={DELAY: (-0.5, 0.0, 3)}, until=1.0).run()
    assert len(set(found.value.tolist())) == 3


def test_a_file_that_has_gone_ends_no_run(table):
    simulation = Simulation(driven(table.parent))
    table.unlink()
    simulation.advance(0.5)
    assert simulation.copy().run(1.0)["time"][-1] == 1.0


def test_fields_of_the_world_are_checked_as_others(table):
    field = {"kind": "formula", "z": {"data": "in.csv", "column": "x", "unit": "T"}}
    simulation = Simulation(
        scene_of({"body": [ARM], "world": {"magnetic_field": field}}, "test").in_folder(table.parent)
    )
    with refuses("world.magnetic_field.z.delay", first=99.0):
        simulation.set({"world.magnetic_field.z.delay": 100.0})


def test_a_scene_states_how_its_file_is_read(table):
    """Another column of times, rows in wrong order, a table without times, and a clock that runs at another rate."""
    seconds = TIMES + 1.0  # from 0 on
    wrong = np.column_stack([seconds[::-1], seconds, TORQUE])
    wrong = np.insert(wrong, 50, [0.0, 0.5, 99.0], axis=0)  # an earlier time
    np.savetxt(table.with_name("odd.csv"), wrong, "%.17g", ",", header="t (s),clock (s),torque (N m)", comments="")
    plain = Simulation(driven(table.parent, delay=1.0)).run(2.0, 0.5)[RATE]
    with pytest.raises(InputError):
        Simulation(driven(table.parent, data="odd.csv"))
    odd = driven(table.parent, data="odd.csv", time="clock", drop_later=True)
    assert Simulation(odd).run(2.0, 0.5)[RATE] == pytest.approx(plain, abs=1e-12)
    rows = np.column_stack([0.01 * TORQUE, TORQUE])
    np.savetxt(table.with_name("film.csv"), rows, "%.17g", ",", header="x (m),torque (N m)", comments="")
    film = driven(table.parent, data="film.csv", rate=20.0)
    assert Simulation(film).run(2.0, 0.5)[RATE] == pytest.approx(plain, abs=1e-9)
    fast = driven(table.parent, data="film.csv", rate=10.0, time_scale=0.5)
    assert Simulation(fast).run(2.0, 0.5)[RATE] == pytest.approx(plain, abs=1e-9)
    with refuses("force[0].torque[1].data", "nothing"):
        Simulation(driven(table.parent, time="nothing"))


def test_a_scene_names_the_table_of_a_file_with_several(table):
    with zipfile.ZipFile(table.with_name("two.zip"), "w") as file:
        file.writestr("first.csv", "t (s),torque (N m)\n-1,0\n9,0\n")
        file.write(table, "second.csv")
    found = Simulation(driven(table.parent, data="two.zip", table="second")).run(2.0, 0.5)[RATE]
    assert np.array_equal(found, Simulation(driven(table.parent)).run(2.0, 0.5)[RATE])
    assert not Simulation(driven(table.parent, data="two.zip", table="first")).run(2.0, 0.5)[RATE].any()
