"""Published experiments beside their values, relatives with other numbers, and that a flaw of a scene is noticed."""

import json
from math import cos, pi, radians, sqrt
from typing import Any

import numpy as np
import pytest
from sampling import sampled

from docs.site.published_values import FILE
from polhode.scene.display.published import SOURCES
from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.verification.published import (
    EXPERIMENTS,
    Experiment,
    basins,
    compass,
    contacts,
    eulers_disc,
    levitron,
    mechanisms,
    rolling,
    series_coils,
    slinky,
    vibrating_table,
    wilberforce,
)
from polhode.verification.published.experiment import Run

SLOW = {
    "flyball_governor",
    "ball_on_a_vibrating_table",
    "rattleback",
    "levitron",
    "elastic_666",
}  # more than 2 s
NAMES = [
    pytest.param(each, id=each.name, marks=[pytest.mark.nightly] if each.name in SLOW else []) for each in EXPERIMENTS
]

OTHER_FLAWS: dict[str, dict[str, Any]] = {
    "andrews_squeezer": {"spring[0].stiffness": 1.01 * 4530.0},
    "bricards_mechanism": {"solver.method": "semi_implicit_euler"},
    "foucault_pendulum": {"world.rotation": [0.0, 0.0, 0.101]},
    "rattleback": {"body[0].inertia.tensor": [[2e-4, -2.05e-5, 0.0], [-2.05e-5, 1.6e-3, 0.0], [0.0, 0.0, 1.7e-3]]},
    "driven_compass": {"world.magnetic_field.cosine[0]": 1.01e-3},
    "eight_basins": {"sphere[0].drag": 0.01212},
}
"""Of those that uniform gravity does not change, or hardly."""


def run_of(experiment: Experiment, **changed: Any) -> Run:
    """A run of an experiment with other numbers; "__" in a name is a point."""
    return experiment.run(experiment.scene.with_values({key.replace("__", "."): each for key, each in changed.items()}))


def test_each_source_has_an_experiment() -> None:
    assert [each.name for each in EXPERIMENTS] == [*SOURCES]
    assert sum(source.parameters for source in SOURCES.values()) >= 5


@pytest.mark.parametrize("experiment", NAMES)
def test_values_agree_within_their_tolerances(experiment: Experiment) -> None:
    found = experiment.results()
    assert [f"{each.case.name}: {each.error:.2g}" for each in found if not each.passed] == []
    kept = json.loads(FILE.read_text("utf-8"))[experiment.name]
    assert [Message.restored(row["name"]) for row in kept] == [row.name for row in experiment.rows]
    for row, each in zip(kept, found, strict=True):
        assert row["expected"] == pytest.approx(each.case.expected, rel=1e-9, abs=1e-12)
        assert row["found"] == pytest.approx(each.value, abs=each.case.tolerance)


@pytest.mark.parametrize("experiment", NAMES)
def test_a_flaw_such_as_one_percent_more_gravity_is_noticed(experiment: Experiment) -> None:
    """At least one value leaves its tolerance."""
    if experiment.name in OTHER_FLAWS:
        changed = OTHER_FLAWS[experiment.name]
    else:
        changed = {"world.gravity": [1.01 * each for each in experiment.scene.world.gravity]}
    off = 0
    for case in experiment.cases:
        off += not case.run(case.scene.with_values(changed)).passed
        if off:
            break
    assert off


@pytest.mark.parametrize("bars", [3, pytest.param(40, marks=pytest.mark.nightly)])
def test_more_four_bars_in_a_row(bars: int) -> None:
    """2 N + 1 bars are one pendulum; 3 bars of the scene are copied to both sides."""
    data = mechanisms.TWO_FOUR_BARS.scene.model_dump()
    rod, bar, joints = data["body"][0], data["body"][3], data["joint"][:2]
    bodies = [{**rod, "name": f"rod{k}", "position": [k, 0, 0]} for k in range(bars + 1)]
    bodies += [{**bar, "name": f"bar{k}", "position": [k + 0.5, -0.02, 1.0]} for k in range(bars)]
    hinges = [
        {**joints[side], "name": f"{side}_{k}", "first": f"rod{k + side}", "second": f"bar{k}"}
        | {"anchor": [k + side, 0, 1.0]}
        for k in range(bars)
        for side in (0, 1)
    ]
    scene = Scene.model_validate(data | {"body": bodies, "joint": hinges})
    run = mechanisms.TWO_FOUR_BARS.run(scene)
    assert mechanisms.time_at(run, "rod0", pi / 2) == pytest.approx(mechanisms.four_bar_time(bars, pi / 2), abs=1e-7)
    assert mechanisms.time_at(run, "rod0", 2 * pi) == pytest.approx(mechanisms.four_bar_time(bars, 2 * pi), abs=1e-7)


def test_a_pendulum_from_another_angle() -> None:
    """Period at 2 rad by the complete elliptic integral."""
    from scipy.special import ellipk  # noqa: PLC0415

    run = run_of(mechanisms.PENDULUM, **{"body[0]__orientation": {"axis": [0, 1, 0], "angle": 2.0}})
    crossings = 2.0 * (mechanisms._crossing(run, 1) - mechanisms._crossing(run, 0))
    assert crossings == pytest.approx(4.0 * ellipk(np.sin(1.0) ** 2) / sqrt(9.81), abs=1e-7)


def test_a_slower_cube_on_a_smoother_plane() -> None:
    changed = {"body[0]__velocity": [2.0, 1.0, 0.0], "wall[0]__kinetic_friction": 0.3}
    run = run_of(contacts.CUBE, **changed, **{"body[0]__contact__kinetic_friction": 0.3})
    distance = np.hypot(run.column("cube.position.x")[-1], run.column("cube.position.y")[-1])
    assert distance == pytest.approx(5.0 / (2.0 * 0.3 * 9.81), abs=5e-4)


def test_a_longer_row_of_heavier_beams() -> None:
    run = run_of(contacts.BEAMS_IN_A_ROW, **{"body[9]__shape[0]__mass": 0.3})
    assert run.column("weld0.torque.y")[-1] == pytest.approx(4.905 + 0.2 * 9.81 * 0.95, abs=1e-9)


@pytest.mark.parametrize(("angle", "thickness"), [(20.0, 0.0128), (7.0, 0.004)])
def test_euler_discs_of_other_thickness_and_tilt(
    angle: float, thickness: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(eulers_disc, "THICKNESS", thickness)
    start = eulers_disc.rolling_at(radians(angle))
    tilt = radians(angle)
    rate = eulers_disc.disc_rate(tilt, thickness)
    share, across = thickness / (2 * eulers_disc.DISC), np.array([cos(tilt), 0.0, -np.sin(tilt)])
    spin = -rate * np.sin(tilt) * (across - share * np.array([np.sin(tilt), 0.0, cos(tilt)]))
    changed = start | {"body[0].shape[0].length": thickness, "body[0].angular_velocity": spin.tolist()}
    run = eulers_disc.EULERS_DISC.run(eulers_disc.EULERS_DISC.scene.with_values(changed))
    assert eulers_disc.rolling_rate(run) == pytest.approx(rate, abs=1e-6)


def test_euler_s_disc_sinks_faster_with_other_frictions() -> None:
    changed = eulers_disc.rolling_at(radians(12.0)) | eulers_disc.resisting(2e-3, 1e-4)
    run = eulers_disc.EULERS_DISC.run(eulers_disc.EULERS_DISC.scene.with_values(changed))
    expected = eulers_disc.sunk_after(eulers_disc.SECONDS, radians(12.0), 2e-3, 1e-4)
    assert eulers_disc.sunk_in(run) == pytest.approx(expected, rel=5e-4)


@pytest.mark.nightly
def test_a_ball_on_the_table_at_another_strength() -> None:
    """At 1.45 g one period, at 1.7 g two jumps as the map has them."""
    run = vibrating_table.TABLE.run(vibrating_table.TABLE.scene.with_values(vibrating_table.at_strength(1.45)))
    assert vibrating_table.phase(run) == pytest.approx(vibrating_table.phase_of(1.45), abs=1e-5)
    run = vibrating_table.TABLE.run(vibrating_table.TABLE.scene.with_values(vibrating_table.at_strength(1.62)))
    assert vibrating_table.last_jumps(run) == pytest.approx(vibrating_table.jumps_of_map(1.62), abs=1e-6)


@pytest.mark.parametrize(("lean", "along", "upward"), [(75.0, 9.0, 0.5), (45.0, 10.0, 4.0)])
def test_discs_on_other_paths(lean: float, along: float, upward: float) -> None:
    changed = rolling.disc(lean, along, upward).numbers()
    run = rolling.ROLLING_DISC.run(rolling.ROLLING_DISC.scene.with_values(changed))
    inclination, x, y = rolling.of_disc(lean, along, upward, 3.0)
    assert rolling.at(3.0, "inclination")(run) == pytest.approx(inclination, abs=0.02)
    assert rolling.at(3.0, "disc.position.x")(run) == pytest.approx(x, abs=2e-4)
    assert rolling.at(3.0, "disc.position.y")(run) == pytest.approx(y, abs=2e-4)
    energy = run.column("energy.total")
    assert np.abs(energy - energy[0]).max() < 1e-4 * energy[0]


@pytest.mark.nightly
def test_a_slower_rattleback_turns_back_as_one_that_never_slips() -> None:
    changed = rolling.stone(-4.0).numbers()
    run = rolling.RATTLEBACK.run(rolling.RATTLEBACK.scene.with_values(changed))
    assert rolling.turns_back(run) == pytest.approx(rolling.reversal_of(-4.0, 4.0), abs=0.05)


def test_bounces_with_another_restitution_on_the_moon() -> None:
    run = run_of(contacts.BOUNCING, world__gravity=[0.0, 0.0, -1.62], **{"joint[1]__limits__restitution": 0.8})
    assert run.column("ball2.position.z")[-1] - 0.05 == pytest.approx(contacts.bounced(0.8, 6.0, 1.62), abs=1e-7)


@pytest.mark.parametrize(("restitution", "low", "high"), [(1.0, -1e-3, 1e-3), (0.99, 0.05, 0.2)])
def test_fewer_balls_on_the_moon_lose_energy_by_their_restitution_alone(
    restitution: float, low: float, high: float
) -> None:
    """Shares of the energy that 3^3 balls lose in 10 s."""
    changed = {"world.gravity": [0.0, 0.0, -1.62], "sphere[0].arrangement.counts": [3, 3, 3]}
    lossy = {"sphere[0].contact.restitution": restitution, "wall[0].restitution": restitution}
    run = contacts.ELASTIC.run(contacts.ELASTIC.scene.with_values(changed | lossy))
    energy = run.column("energy.total")
    assert low < 1.0 - energy[-1] / energy[0] < high
    assert contacts.pushed_aside(run) < 1e-9
    assert contacts.fallen(run) == pytest.approx(0.5 * 1.62 * 0.16, abs=1e-9)


def test_wilberforces_pendulum_at_another_start() -> None:
    run = wilberforce.WILBERFORCE.run(wilberforce.WILBERFORCE.scene.with_values(wilberforce.started(-0.02)))
    height, angle = wilberforce.motion(-0.02, 17.0)
    assert wilberforce.height_at(17.0)(run) == pytest.approx(height, abs=1e-6)
    assert wilberforce.angle_at(17.0)(run) == pytest.approx(angle, abs=1e-6)


def test_a_compass_in_a_faster_field() -> None:
    scene = compass.COMPASS.scene.with_values(compass.at_frequency(11.0))
    assert compass.turned(5.0)(compass.COMPASS.run(scene)) == pytest.approx(compass.angle(11.0, 5.0), abs=2e-5)


@pytest.mark.parametrize(("spin", "aside"), sampled([(130.0, 1e-3), (290.0, 2e-4)], 2))
def test_tops_of_other_spins_float_as_calculated(spin: float, aside: float) -> None:
    run = levitron.LEVITRON.run(levitron.LEVITRON.scene.with_values(levitron.start(spin, aside=aside)))
    expected = levitron.motion(5.0, spin, aside)
    for axis in range(3):
        assert levitron.at(5.0, axis)(run) == pytest.approx(expected[axis], abs=1e-8)


def test_the_field_of_a_loop_near_its_axis() -> None:
    """That of the experiment by elliptic integrals, beside the series that the modes are from."""
    field, slope, bend = levitron.on_axis(0.034)
    outwards, up = levitron.loop_field(1e-4, 0.034)
    assert outwards == pytest.approx(-0.5e-4 * slope, rel=1e-4)
    assert up - field == pytest.approx(-0.25e-8 * bend, rel=1e-3)


@pytest.mark.parametrize(("start", "ohms"), [((0.012, 0.0035), 5.0), ((0.0065, -0.004), 60.0)])
def test_magnets_in_a_circuit_of_another_resistance(start: tuple[float, float], ohms: float) -> None:
    changed = {"body[0]__position[2]": start[0], "body[1]__position[2]": start[1], "circuit[0]__resistance": ohms}
    run = run_of(series_coils.SERIES, **changed)
    expected = series_coils.motion(6.0, start, ohms)
    for quantity, value in zip(series_coils.HEIGHTS, expected[:2], strict=True):
        assert series_coils.at(6.0, quantity)(run) == pytest.approx(value, abs=2e-7)
    assert series_coils.at(6.0, "left_coil.current")(run) == pytest.approx(expected[4], abs=2e-7)


@pytest.mark.parametrize(("drag", "between"), [(0.009, (0.65, 0.8)), (0.02, (1.0, 1.2))])
def test_starts_on_the_hill_with_another_drag(drag: float, between: tuple[float, float]) -> None:
    scene = basins.BASINS.scene.with_values({"sphere[0].drag": drag})
    found = basins.limit_in(Run(scene, [], ()), *between)
    assert found == pytest.approx(basins.limit(*between, drag / 0.01), abs=5e-6)


def test_basins_of_a_wider_block() -> None:
    """Not all corners get the same share once the middle of the block is moved."""
    changed = {"sphere[0].position": [0.1, 0.0, -0.05], "sphere[0].arrangement.spacing": [0.3, 0.3, 0.3]}
    run = basins.BASINS.run(basins.BASINS.scene.with_values(changed))
    corners = [(x, y, z) for z in (-1, 1) for y in (-1, 1) for x in (-1, 1)]
    expected = [basins.share_of((0.1, 0.0, -0.05), corner, 0.3) for corner in corners]
    assert basins.shares(run) == pytest.approx(expected, abs=1e-12)
    assert max(expected) > 1.2 * min(expected)


def test_a_slinky_stays_closed() -> None:
    """After its turns have met it is never longer by a tenth than closed, until it meets the floor."""
    run = slinky.SLINKY.run(slinky.SLINKY.scene)
    closed = (slinky.COUNT - 1) * slinky.CLOSED
    for moment in run.snapshots:
        if moment.time > 0.25:
            assert moment.points.position[0, 2] - moment.points.position[slinky.COUNT - 1, 2] < 1.1 * closed


def test_a_slinky_keeps_its_energy_account_when_it_meets_the_floor() -> None:
    """The energy less what its dampers and the floor have taken, within 0.1 mJ of 1.6 J; the floor is met at 0.34 s."""
    simulation, found = Simulation(slinky.SLINKY.scene), []
    for _ in range(100):
        simulation.advance(0.005)
        now = simulation.snapshot()
        found.append(now.energy.total - now.ledger.total)
    assert now.ledger.contact < -0.1
    assert np.ptp(found[52:]) < 1e-4


def test_a_slinky_falls_while_its_lower_end_waits() -> None:
    """The centre of mass falls freely, and the lower end stays, until 0.22 s."""
    run = slinky.SLINKY.run(slinky.SLINKY.scene)
    for moment in run.snapshots:
        if moment.time < 0.22:
            high = moment.points.position[: slinky.COUNT, 2]
            assert high.mean() == pytest.approx(slinky.hanging().mean() - 4.905 * moment.time**2, abs=1e-9)
            assert abs(high[-1]) < 1e-9
