"""From a source of distances to the wall of a scene that runs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from ports import Cable, until

from app.batch import run_to_table
from app.commands import Listen, Load, Moment, Play
from app.runner import Runner
from app.sensor.filtering import Settings
from app.sensor.hub import Hub
from app.sensor.port import Address, SerialPort
from app.sensor.protocol import line
from app.sensor.sources import SimulatedHand, Wave
from core import gallery, read_scene
from core.scene_file import scene_of

FLOOR = {"name": "floor", "stiffness": 2000.0, "damping": 10.0, "motion": {"kind": "sensor"}}
BALL = {"name": "ball", "mass": 1.0, "radius": 0.1, "position": [0, 0, 0.4]}
STEP = 1e-3


@pytest.fixture
def hub() -> Iterator[Hub]:
    made = Hub()
    yield made
    made.stop()


@pytest.fixture
def run(hub: Hub) -> Iterator[Runner]:
    """A ball on a floor that the hand leads; it runs."""
    runner = Runner()
    runner.start()
    described = {"solver": {"time_step": STEP}, "particle": [BALL], "wall": [FLOOR], "sensor": {"amplitude": 0.0}}
    runner.send(Listen(hub.hand))
    runner.send(Load(scene_of(described, "")))
    runner.send(Play())
    until(lambda: runner.moment is not None and runner.moment.snapshot.time > 0.05, "it does not run", 300)
    yield runner
    assert runner.stop(60)


def floor(run: Runner) -> float:
    assert run.moment is not None
    return float(run.moment.snapshot.walls[0])


@pytest.mark.timeout(400)
def test_the_floor_goes_where_the_hand_goes_and_never_jumps(hub: Hub, run: Runner) -> None:
    assert floor(run) == pytest.approx(0.3)  # nobody has been measured
    run.passed()
    hand = SimulatedHand(Wave(350.0))
    hub.connect(hand)
    until(lambda: floor(run) == pytest.approx(0.35, abs=1e-4), "it does not follow")
    hand.wave = Wave(250.0)
    until(lambda: floor(run) == pytest.approx(0.25, abs=1e-4), "it does not follow")
    hub.connect(None)
    time.sleep(0.3)
    assert hub.last is not None
    assert floor(run) == pytest.approx(hub.last.filtered / 1000, abs=1e-4)  # it stays where the hand was
    assert hub.latency is not None
    assert hub.latency < 0.5
    moments: list[Moment] = run.passed()
    times = np.array([moment.snapshot.time for moment in moments])
    ways = np.array([moment.snapshot.walls[0] for moment in moments])
    assert np.all(np.abs(np.diff(ways)) <= 2.0 * np.diff(times) + 1e-12)  # the fastest that the scene allows
    last = moments[-1]
    assert last.snapshot.ledger.drive != 0.0
    assert abs(last.drift) < 1e-2


@pytest.mark.timeout(400)
def test_the_floor_holds_still_while_the_sensor_is_unplugged_and_goes_on_then(
    hub: Hub, run: Runner, tmp_path: Path
) -> None:
    hub.filtering = Settings("none", 1)
    cable = Cable(tmp_path / "ttyHand")
    count = iter(range(10**6))

    def led_to(distance: float) -> bool:
        number = next(count)
        cable.say(line(f"D,{number % 65536},{10 * number},{distance},ok"))
        time.sleep(0.01)
        return bool(abs(floor(run) - distance / 1000) < 1e-4)

    with cable:
        hub.connect(SerialPort(Address(str(cable.path))))
        until(lambda: led_to(330.0), "it does not follow")
    until(lambda: hub.state.kind == "unplugged", "not noticed")
    time.sleep(0.7)
    assert floor(run) == pytest.approx(0.33, abs=1e-3)
    with cable:
        until(lambda: led_to(280.0), "it does not go on")


@pytest.mark.timeout(400)
def test_the_last_exercise_of_the_course_runs_with_a_simulated_hand(tmp_path: Path) -> None:
    """Without a window, twice the same; and the hand works."""
    scene = read_scene(gallery.path("course_11_hand"))
    tables = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for table in tables:
        run_to_table(scene, 0.2, 0.1, table, lambda _time: None, lambda _warning: None)
    assert tables[0].read_text() == tables[1].read_text()
