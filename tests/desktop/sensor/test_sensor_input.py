"""From a source of distances to the wall of a scene that runs."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning
from serial_ports import Cable, until

from polhode import read_scene
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.simulation.simulation import Simulation
from polhode_app.cli.main import main
from polhode_app.cli.results.batch import Request, run_to_file
from polhode_app.messages import FrameData, LoadScene, Play, SetSensorSource
from polhode_app.runner.thread import SimulationThread
from polhode_app.sensor.filtering import FilterSettings
from polhode_app.sensor.hub import SensorHub
from polhode_app.sensor.playback import connect_sensor
from polhode_app.sensor.port import Address, SerialPort
from polhode_app.sensor.protocol import line
from polhode_app.sensor.sources import SimulatedSensor, Wave

FLOOR = {"name": "floor", "stiffness": 2000.0, "damping": 10.0, "motion": {"kind": "sensor"}}
BALL = {"name": "ball", "mass": 1.0, "radius": 0.1, "position": [0, 0, 0.4]}
GRAVITY = {"parameter": "world.gravity[0]", "scale": 10.0}
STEP = 1e-3
Capture = pytest.CaptureFixture[str]


@pytest.fixture
def hub() -> Iterator[SensorHub]:
    made = SensorHub()
    yield made
    made.stop()


@pytest.fixture
def run(hub: SensorHub) -> Iterator[SimulationThread]:
    """A ball on a floor that the hand leads; it runs."""
    runner = SimulationThread()
    runner.start()
    described = {"solver": {"time_step": STEP}, "particle": [BALL], "wall": [FLOOR], "sensor": {"amplitude": 0.0}}
    runner.send(SetSensorSource(hub.distance_at))
    runner.send(LoadScene(scene_of(described, "")))
    runner.send(Play())
    until(lambda: runner.frame is not None and runner.frame.snapshot.time > 0.05, "it does not run", 300)
    yield runner
    assert runner.stop(60)


def floor(run: SimulationThread) -> float:
    assert run.frame is not None
    return float(run.frame.snapshot.walls[0])


@pytest.mark.timeout(400)
def test_the_floor_goes_where_the_hand_goes_and_never_jumps(hub: SensorHub, run: SimulationThread) -> None:
    assert floor(run) == pytest.approx(0.3)  # nobody has been measured
    run.new_frames()
    hand = SimulatedSensor(Wave(350.0))
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
    moments: list[FrameData] = run.new_frames()
    times = np.array([moment.snapshot.time for moment in moments])
    ways = np.array([moment.snapshot.walls[0] for moment in moments])
    assert np.all(np.abs(np.diff(ways)) <= 2.0 * np.diff(times) + 1e-12)  # the fastest that the scene allows
    last = moments[-1]
    assert last.snapshot.ledger.drive != 0.0
    assert abs(last.drift) < 1e-2


@pytest.mark.timeout(400)
def test_the_floor_holds_still_while_the_sensor_is_unplugged_and_goes_on_then(
    hub: SensorHub, run: SimulationThread, tmp_path: Path
) -> None:
    hub.filtering = FilterSettings("none", 1)
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


def recording(folder: Path, places: list[float | None]) -> None:
    """A hand.csv with a distance [mm] every 20 ms."""
    rows = "".join(f"{0.02 * k:.2f},{'' if place is None else place}\n" for k, place in enumerate(places))
    (folder / "hand.csv").write_text("time,raw\n" + rows)


def played(folder: Path, **sensor: object) -> Scene:
    by_file = {"source": "recording", "file": "hand.csv", "drive": [GRAVITY]}
    described = {"solver": {"time_step": STEP}, "particle": [BALL], "wall": [FLOOR], "sensor": by_file | sensor}
    return scene_of(described, "").in_folder(folder)


@pytest.mark.timeout(400)
def test_a_run_plays_a_recording_the_same_way_every_time(tmp_path: Path) -> None:
    """A hand that waits at 35 cm, is not seen for a while, and waits at 25 cm; twice, for it begins again."""
    recording(tmp_path, [350.0] * 25 + [None] * 25 + [250.0] * 50)
    tables = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for table in tables:
        run_to_file(played(tmp_path), Request(3.2, 0.1, table))
    assert tables[0].read_bytes() == tables[1].read_bytes()
    simulation = Simulation(played(tmp_path))
    connect_sensor(simulation.scene, [simulation])
    seen = []
    for _ in range(32):
        simulation.advance(0.1)
        seen.append((simulation.snapshot().distance, simulation.compiled.inputs.gravity[0]))
    one_turn = [0.35] * 9 + [None] * 3 + [0.25] * 6  # s: 0.1 ... 0.9, on the way, 1.3 ... 1.8
    for (distance, gravity), place in zip(seen, one_turn, strict=False):
        if place is not None:
            assert distance == pytest.approx(place, abs=1e-4)
            assert gravity == pytest.approx(10 * place, abs=1e-3)
    assert seen[27][0] == pytest.approx(0.35, abs=1e-4)  # 2.8 s, of a turn of 1.98 s and a pause of 0.3 s


def test_what_no_run_can_play_is_said_before_anything_is_written(tmp_path: Path, capsys: Capture) -> None:
    recording(tmp_path, [None] * 5)
    out = tmp_path / "table.csv"
    for source, said in (
        ("serial", Meaning("", "sensor", "machine")),
        ("recording", Meaning("", "valid", "measurement")),
    ):
        scene = tmp_path / "scene.toml"
        scene.write_text(
            f'format = 1\n[sensor]\nsource = "{source}"\nfile = "hand.csv"\n[[particle]]\nname = "a"\nmass = 1\n'
        )
        for command in (["run", str(scene), "--until", "1", "--out", str(out)], ["check", str(scene)]):
            if source == "serial" and command[0] == "check":
                continue
            assert main(command) == 2
            heard = capsys.readouterr().err
            assert said.of(heard)
            assert heard.count("\n") == 1
        assert not out.exists()


@pytest.mark.timeout(400)
def test_the_last_exercise_of_the_course_runs_with_a_simulated_hand(tmp_path: Path) -> None:
    """Without a window, twice the same; and the hand works."""
    scene = read_scene(gallery.path("course_11_hand"))
    tables = [tmp_path / "one.csv", tmp_path / "two.csv"]
    for table in tables:
        run_to_file(scene, Request(0.2, 0.1, table))
    assert tables[0].read_text() == tables[1].read_text()
