"""Cost of recordings: speed of a simulation, disk space, opening and scrubbing.

The simulation goes as fast as it can, in batches as in the window, and 60 moments per second of wall time are recorded:
at most 5 % of its speed may go, counted by the processor time of all threads, as on a machine with a single core: so
other programs do not matter. An hour of that is at most 1 GB. A recording of 1 GB shows its first frame in 2 s, and
a look at any moment takes less than 1/20 s.
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from timing import report

from polhode.mesh.mesh import Meshes
from polhode.recording.playback import Playback
from polhode.recording.reader import read_recording
from polhode.recording.writer import RecordingWriter
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.runner.geometry import geometry

SCENES = ("course_10_moving_floor", "magnet_pendulum")
BATCH = 0.008  # [s] wall time
RATE = 60.0  # moments per second of wall time
TURNS, LONG = 15, 1.5  # runs of each, and how long each lasts [s]
HOUR = 3600 * RATE
LARGE = 2**30  # [bytes]


def speed(name: str, folder: Path | None) -> tuple[float, float, int]:
    """Steps per second of processor time, with a recording or without; bytes of it and its moments."""
    meshes = Meshes()
    simulation = Simulation(read_scene(gallery.path(name)), meshes)
    simulation.advance_steps(2000)
    start = time.thread_time()
    simulation.advance_steps(2000)
    steps = max(1, round(BATCH * 2000 / (time.thread_time() - start)))
    simulation.reset()
    path = None if folder is None else folder / "run.vtkhdf"
    taping = None if path is None else RecordingWriter(path, simulation, 1, "benchmark", geometry(meshes))
    begun, worked, taken = time.perf_counter(), time.process_time(), 0
    while (now := time.perf_counter()) - begun < LONG:
        simulation.advance_steps(steps)
        if taping is not None and (now - begun) * RATE > taken:
            taken += 1
            taping.take()
    rate = simulation.steps / (time.process_time() - worked)
    if taping is None or path is None:
        return rate, 0.0, 0
    taping.finish()
    taping.join()
    assert not taping.failure
    return rate, path.stat().st_size, taping.rows


def size_of_an_hour(name: str, folder: Path) -> float:
    """[bytes] of an hour at 60 moments per simulated second, from two recordings of a few seconds."""
    sizes = []
    for moments in (640, 1920):
        meshes = Meshes()
        simulation = Simulation(read_scene(gallery.path(name)), meshes)
        path = folder / "size.vtkhdf"
        every = max(1, round(1 / RATE / simulation.time_step))
        taping = RecordingWriter(path, simulation, every, "benchmark", geometry(meshes))
        while taping.rows < moments:
            simulation.advance_steps(taping.every)
            taping.take()
        taping.finish()
        taping.join()
        sizes.append(path.stat().st_size)
    return (sizes[1] - sizes[0]) / (1920 - 640) * HOUR


def large(folder: Path) -> Path:
    """A recording of 1 GB."""
    meshes = Meshes()
    simulation = Simulation(read_scene(gallery.path("cloth_on_ball")), meshes)
    path = folder / "large.vtkhdf"
    taping = RecordingWriter(path, simulation, 1, "benchmark", geometry(meshes))
    while path.stat().st_size < LARGE:
        for _ in range(500):
            simulation.advance_steps(1)
            taping.take()
    taping.finish()
    taping.join()
    return path


def main() -> None:
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        for name in SCENES:
            alone, taped = [], []
            for _ in range(TURNS):
                alone.append(speed(name, None)[0])
                taped.append(speed(name, folder)[0])
            report(f"{name}, speed", max(taped) / max(alone), 0.95, f"{max(taped):.3g} steps/s")
            hour = size_of_an_hour(name, folder)
            report(f"{name}, 1 GB to an hour", LARGE / hour, 1.0, f"{hour / 2**30:.2f} GB")
        if "--large" not in sys.argv:
            print("a recording of 1 GB: with --large")
            return
        path = large(folder)
        start = time.perf_counter()
        run = read_recording(path)
        playback = Playback(run)
        playback.snapshot(0)
        first = time.perf_counter() - start
        report("1 GB, first frame in 2 s", 2.0 / first, 1.0, f"{first:.2f} s, {run.rows} moments")
        looks = []
        for row in np.random.default_rng(1).integers(0, run.rows, 60).tolist():
            start = time.perf_counter()
            playback.snapshot(row)
            looks.append(time.perf_counter() - start)
        slow = float(np.percentile(looks, 95))
        report("1 GB, scrubbed at 20 per second", 0.05 / slow, 1.0, f"{1e3 * slow:.1f} ms, 95 of 100")


if __name__ == "__main__":
    main()
