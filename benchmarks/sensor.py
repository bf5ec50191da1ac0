"""A distance sensor: from the byte on the wire to the wall, the reader's share of a core, cables, and garbage."""

from __future__ import annotations

import gc
import os
import sys
import tempfile
import threading
import time
from pathlib import Path

import numpy as np

from polhode.scene.scene_file import scene_of
from polhode_app.messages import LoadScene, Play, SetSensorSource
from polhode_app.runner.thread import SimulationThread
from polhode_app.sensor.filtering import FilterSettings
from polhode_app.sensor.hub import SensorHub
from polhode_app.sensor.port import Address, SerialPort
from polhode_app.sensor.protocol import Decoder, line

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from serial_ports import Cable, until

SCENE = {
    "solver": {"time_step": 1e-3},
    "sensor": {"amplitude": 0.0, "fastest": 50.0},
    "particle": [{"name": "ball", "mass": 1.0, "radius": 0.1, "position": [0, 0, 0.5]}],
    "wall": [{"name": "floor", "stiffness": 2000.0, "damping": 10.0, "motion": {"kind": "sensor"}}],
}

MOVED = 1e-4  # [m] more than what is left of the last way, less than the first batch goes


def memory() -> float:
    """[MB] of this process now."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def latency(cable: Cable) -> None:
    """Lines come at odd moments and ask for another place; timed until the first moment that has moved."""
    hub, runner = SensorHub(), SimulationThread()
    hub.filtering = FilterSettings("none", 1)
    runner.start()
    for command in (SetSensorSource(hub.hand), LoadScene(scene_of(SCENE, "")), Play()):
        runner.send(command)
    until(lambda: runner.frame is not None and runner.frame.snapshot.time > 0.1, "it does not run", 600)
    hub.connect(SerialPort(Address(str(cable.path))))
    until(lambda: hub.state.kind == "waiting", "never opened")
    chance, found = np.random.default_rng(1), []
    for turn in range(200):
        distance = 300.0 + (20.0 if turn % 2 else -20.0)
        runner.new_frames()
        assert runner.frame is not None
        before = runner.frame.snapshot.walls[0]
        start = time.perf_counter()
        cable.say(line(f"D,{turn},{100 * turn},{distance},ok"))
        while abs(runner.frame.snapshot.walls[0] - before) < MOVED:
            time.sleep(0.0002)
        found.append(time.perf_counter() - start)
        time.sleep(0.25 + 0.02 * chance.random())  # it has come to rest
    hub.stop()
    runner.stop(60)
    middle, most = np.percentile(1000 * np.array(found), [50, 99])
    print(f"{'wire to wall':<34} median {middle:.1f} ms, 99 % {most:.1f} ms (goal: a batch of 8 ms + 10 ms)")


def share(cable: Cable) -> None:
    """100 lines per second for 10 s; processor time of the reader's thread."""
    port, heard = SerialPort(Address(str(cable.path))), []
    clock: list[float] = []

    def hear(_sample: object) -> None:
        clock.append(time.thread_time())
        heard.append(1)

    port.start(hear)
    until(lambda: port.state.kind == "waiting", "never opened")
    begin = time.perf_counter()
    for number in range(1000):
        cable.say(line(f"D,{number},{10 * number},300.0,ok"))
        time.sleep(max(0.0, begin + 0.01 * (number + 1) - time.perf_counter()))
    wall = time.perf_counter() - begin
    port.stop()
    spent = clock[-1] - clock[0]
    of_core = f"{100 * spent / wall:.2f} % of a core (goal 2 %)"
    print(f"{'reader at 100 lines per second':<34} {of_core}, {len(heard)} of 1000 lines")


def cycles(cable: Cable) -> None:
    """Plugged in and out a thousand times."""
    port, heard = SerialPort(Address(str(cable.path))), []
    port.start(lambda _sample: heard.append(1))
    before: tuple[int, int, float] | None = None

    def state() -> tuple[int, int, float]:
        gc.collect()
        return threading.active_count(), len([*Path("/proc/self/fd").iterdir()]), memory()

    for turn in range(1000):
        if turn == 100:
            before = state()
        count = len(heard)
        while len(heard) == count:
            cable.say(line("D,1,1,300.0,ok"))
            time.sleep(0.002)
        cable.unplug()
        cable.plug()
    assert before is not None
    threads, files, megabytes = (now - then for now, then in zip(state(), before, strict=True))
    port.stop()
    print(f"{'1000 times unplugged':<34} {threads:+d} threads, {files:+d} files, {megabytes:+.1f} MB since the 100th")


def garbage() -> None:
    """Ten million random bytes, in pieces as a port gives them."""
    chance, decoder = np.random.default_rng(2), Decoder()
    start = time.perf_counter()
    checked = 0
    for _ in range(10_000_000 // 4096 + 1):
        checked += len([each for each in decoder.feed(chance.bytes(4096)) if type(each).__name__ != "Bare"])
    spent = time.perf_counter() - start
    print(f"{'10 million random bytes':<34} {spent:.1f} s, {decoder.counts.bad} bad lines, {checked} taken for ours")


if __name__ == "__main__":
    garbage()
    for case in (share, cycles, latency):
        with tempfile.TemporaryDirectory() as folder, Cable(Path(folder) / "tty") as plugged:
            case(plugged)
