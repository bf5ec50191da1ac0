"""Recordings: what VTK reads, what comes back, what is left when the program dies."""

from __future__ import annotations

import io
import os
import random
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import ClassVar
from unittest.mock import Mock

import h5py
import numpy as np
import pytest
from meaning import Meaning, refuses
from recording_files import Animation, advance, begun, ended
from sampling import sampled
from scipy.spatial import cKDTree

import polhode.recording.crash_safe_file
import polhode.recording.vtkhdf
from polhode.analysis.columns import columns
from polhode.mesh.mesh import Meshes
from polhode.physics.grab.interactions import Grab, PullAll, PullBody
from polhode.physics.points.description import skin_shape
from polhode.recording.crash_safe_file import CrashSafeFile
from polhode.recording.playback import Playback
from polhode.recording.reader import read_recording
from polhode.recording.vtkhdf import Block, Writer, cells_of
from polhode.recording.writer import RecordingWriter
from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode.scene.scene_file import read_scene
from polhode.scene.scene_file import scene_of as parsed
from polhode.simulation.simulation import Simulation
from polhode_app.runner.geometry import geometry

ROOT = Path(__file__).parents[3]
ROWS = 9


def scene_of(name: str):
    return read_scene(gallery.path(name))


@pytest.mark.parametrize("name", sampled(gallery.scene_names(), 49, 3))
def test_a_recording_opens_in_vtk_and_comes_back_to_the_bit(name: str, tmp_path: Path):
    scene = scene_of(name)
    every = max(1, round(1 / 60 / scene.solver.time_step))
    simulation, taping = begun(scene, tmp_path / "run.vtkhdf", every)
    snapshots = [simulation.snapshot()]
    for _ in range(ROWS):
        advance(simulation, taping, 1)
        snapshots.append(simulation.snapshot())
    ended(taping)

    run = read_recording(taping.path)
    assert run.rows == len(snapshots)
    playback = Playback(run)
    assert [playback.snapshot(row).numbers.tobytes() for row in range(run.rows)] == [
        snapshot.numbers.tobytes() for snapshot in snapshots
    ]
    assert np.array_equal(playback.table(), [snapshot.numbers for snapshot in snapshots], equal_nan=True)
    assert [again.state.tobytes() for again in playback.rerun()] == [
        run.state(row).tobytes() for row in range(run.rows)
    ]

    animation = Animation(taping.path)
    assert animation.times == tuple(snapshot.time for snapshot in snapshots)
    drawn = [animation.at(animation.times[row]) for row in (0, ROWS)]  # a spring may have no length at first
    size = max(np.ptp(block["points"], axis=0).max() for blocks in drawn for block in blocks.values())
    for row in (0, ROWS // 2, ROWS):
        blocks, now = animation.at(animation.times[row]), snapshots[row]
        grain = 2.0**-14 * 4 * size  # of places; three directions, and a power of two beyond the size
        if len(now.bodies.position):
            assert np.allclose(blocks["Motion"]["points"], now.bodies.position, rtol=0, atol=grain)
            assert np.allclose(blocks["Motion"]["Velocity"], now.bodies.velocity, rtol=1e-3, atol=1e-12)
        if len(now.points.position):
            count = len(now.points.position)
            assert np.allclose(blocks["Points"]["points"][:count], now.points.position, rtol=0, atol=grain)
            assert np.allclose(blocks["Points"]["Velocity"][:count], now.points.velocity, rtol=1e-3, atol=1e-12)
            assert blocks["Points"]["cells"] == count + len(simulation.compiled.springs.rest)
        assert blocks["Run"]["energy.total"] == pytest.approx([now.energy.total], rel=1e-6, abs=1e-30)


def test_vertices_of_a_body_go_where_the_body_goes(tmp_path: Path):
    simulation, taping = begun(scene_of("t_handle"), tmp_path / "run.vtkhdf", 100)
    advance(simulation, taping, 3)
    ended(taping)
    animation = Animation(taping.path)
    first, last = (animation.at(t)["Bodies"]["points"].astype(float) for t in (animation.times[0], animation.times[-1]))
    run = read_recording(taping.path)
    playback = Playback(run)
    start, end = playback.snapshot(0).bodies, playback.snapshot(3).bodies
    local = (first - start.position[0]) @ start.basis[0].T
    assert local @ end.basis[0] + end.position[0] == pytest.approx(last, abs=2.0**-12)
    assert np.abs(last - first).max() > 0.01


def test_paths_of_a_body_go_where_the_body_goes(tmp_path: Path):
    simulation, taping = begun(scene_of("hoops_free_to_turn"), tmp_path / "run.vtkhdf", 50)
    starts = simulation.snapshot().bodies
    advance(simulation, taping, 3)
    ended(taping)
    animation, ends = Animation(taping.path), simulation.snapshot().bodies
    lines = [np.split(animation.at(animation.times[row])["Paths"]["points"].astype(float), 3) for row in (0, -1)]
    for body, (first, last) in enumerate(zip(*lines, strict=True)):
        local = (first - starts.position[body]) @ starts.basis[body].T
        assert np.linalg.norm(local, axis=1) == pytest.approx(0.2, abs=2.0**-12)
        assert local @ ends.basis[body] + ends.position[body] == pytest.approx(last, abs=2.0**-12)
        assert np.abs(last - first).max() > 0.1


@pytest.mark.parametrize(("file", "detail", "near"), [("hammer.stl", 10**6, 0.0), ("hammer.stl", 200, 0.04)])
def test_soft_meshes_have_the_skins_that_are_drawn(file: str, detail: int, near: float, tmp_path: Path):
    jelly = {"name": "jelly", "kind": "mesh", "file": str(ROOT / "meshes" / file), "scale": 0.001, "spacing": 0.01}
    jelly |= {"particle_mass": 1e-3, "stiffness": 60, "fixed": [0, 1], "color": "#ff8000", "position": [0, 0, 0.1]}
    ball = {"name": "ball", "mass": 0.1}
    scene = parsed({"soft": [jelly], "particle": [ball], "solver": {"method": "verlet"}}, "")
    meshes = Meshes()
    simulation = Simulation(scene, meshes)
    taping = RecordingWriter(tmp_path / "run.vtkhdf", simulation, 50, "test", geometry(meshes, detail))
    advance(simulation, taping, 3)
    ended(taping)
    animation = Animation(taping.path)
    first, last = (animation.at(animation.times[row])["Skins"] for row in (0, -1))
    compiled = simulation.compiled
    skin = compiled.skins["jelly"] @ simulation.snapshot().points.position[compiled.points["jelly"]]
    size = np.ptp(skin, axis=0).max()
    if near:  # thinned, it has some of the vertices, and others beside them
        assert 100 < len(last["points"]) < 400 < len(skin)
        assert cKDTree(skin).query(last["points"])[0].max() < near * size
    else:
        assert last["points"] == pytest.approx(skin, abs=2.0**-12 * size)
        assert last["cells"] == len(meshes.of(skin_shape(scene.soft[0]), scene.folder).faces)
    assert np.abs(last["points"] - first["points"]).max() > 0.01 * size
    with h5py.File(taping.path, locking=False) as file_:
        assert set(map(tuple, file_["VTKHDF/Skins/CellData/Color"][:].tolist())) == {(255, 128, 0)}
        assert file_["VTKHDF/Skins/CellData/Part"].attrs["names"].tolist() == ["jelly", "ball"]


def test_hands_edits_and_the_sensor_are_done_again(tmp_path: Path):
    simulation, taping = begun(scene_of("jelly_pendulum"), tmp_path / "run.vtkhdf", 7)
    advance(simulation, taping, 5)
    place = tuple(simulation.snapshot().points.position[3] + 0.01)
    simulation.grab(Grab(3, place, (0.1, 0.0, 0.0)))
    advance(simulation, taping, 3)
    simulation.advance_steps(3)  # in between two moments
    simulation.grab(PullAll((0.0, 0.2, 0.1)))
    simulation.advance_steps(4)
    advance(simulation, taping, 3)
    simulation.release()
    world = simulation.scene.world.model_copy(update={"gravity": (0.0, 1.0, -3.0)})
    simulation.load(simulation.scene.model_copy(update={"world": world}))
    advance(simulation, taping, 3)
    shape = np.ones_like(simulation.snapshot().points.position.T)
    simulation.excite(simulation.scene.soft[0].name, shape, 0.2)
    advance(simulation, taping, 3)
    ended(taping)
    run = read_recording(taping.path)
    assert [event.name for event in run.events] == ["grab", "grab", "release", "load", "excite"]
    assert run.scene_at(0).world.gravity == scene_of("jelly_pendulum").world.gravity
    assert run.scene_at(run.rows - 1).world.gravity == (0.0, 1.0, -3.0)
    playback = Playback(run)
    assert playback.snapshot(6).interaction_marker.interaction == Grab(3, place, (0.1, 0.0, 0.0))
    for row, again in enumerate(playback.rerun()):
        assert again.state.tobytes() == run.state(row).tobytes(), row
    assert playback.snapshot(run.rows - 1).numbers.tobytes() == simulation.snapshot().numbers.tobytes()


def test_the_measured_hand_is_done_again(tmp_path: Path):
    simulation, taping = begun(scene_of("course_11_hand"), tmp_path / "run.vtkhdf", 50)
    for number in range(6):
        simulation.track(0.3 + 0.01 * number, 0.05, 0.02)
        advance(simulation, taping, 1)
    ended(taping)
    run = read_recording(taping.path)
    assert [deed.arguments["place"] for deed in run.events] == pytest.approx([0.3, 0.31, 0.32, 0.33, 0.34, 0.35])
    playback = Playback(run)
    assert [again.state.tobytes() for again in playback.rerun()] == [run.state(row).tobytes() for row in range(7)]
    assert playback.snapshot(6).distance == simulation.snapshot().distance
    assert np.array_equal(playback.snapshot(6).walls, simulation.snapshot().walls)


def test_broken_springs_are_played_and_break_again_in_a_replay(tmp_path: Path):
    """Rows of 1/20 s: the bar breaks between the fifth and the ninth."""
    simulation, taping = begun(scene_of("breaking_bar"), tmp_path / "run.vtkhdf", 100)
    broken = [simulation.snapshot().broken_springs]
    for _ in range(ROWS):
        advance(simulation, taping, 1)
        broken.append(simulation.snapshot().broken_springs)
    ended(taping)
    run = read_recording(taping.path)
    playback = Playback(run)
    counts = [int(row.sum()) for row in broken]
    assert counts[0] == 0 < counts[-1]
    assert [int(playback.snapshot(row).broken_springs.sum()) for row in range(run.rows)] == counts
    assert playback.table()[:, list(columns(simulation.compiled)).index("bar.broken")].tolist() == counts
    assert [again.state.tobytes() for again in playback.rerun()] == [
        run.state(row).tobytes() for row in range(run.rows)
    ]


def test_a_method_without_memory_goes_on_from_a_moment_as_the_run_did(tmp_path: Path):
    simulation, taping = begun(scene_of("magnet_pendulum"), tmp_path / "run.vtkhdf", 20)
    advance(simulation, taping, 8)
    ended(taping)
    run = read_recording(taping.path)
    again = Playback(run).go_to(3)
    again.advance_steps(100)
    assert again.state.tobytes() == run.state(8).tobytes()


def test_another_method_runs_the_same_deeds(tmp_path: Path):
    simulation, taping = begun(scene_of("magnet_pendulum"), tmp_path / "run.vtkhdf", 20)
    simulation.grab(PullBody(0, (0.0, 0.0, -0.05), (0.05, 0.0, 0.1)))
    advance(simulation, taping, 10)
    ended(taping)
    run = read_recording(taping.path)
    playback = Playback(run)
    others = [again.snapshot().numbers for again in playback.rerun("dormand_prince_8", 5e-4)]
    assert np.asarray(others)[:, 1:4] == pytest.approx(playback.table()[:, 1:4], abs=1e-6)  # rk4's error at this step
    assert not np.array_equal(others[-1], playback.table()[-1])


def test_an_edit_that_brings_other_things_ends_the_recording(tmp_path: Path):
    simulation, taping = begun(scene_of("magnet_pendulum"), tmp_path / "run.vtkhdf")
    advance(simulation, taping, 3)
    simulation.load(simulation.scene.model_copy(update={"body": simulation.scene.body[:-1]}))
    advance(simulation, taping, 3)
    taping.join(60.0)
    assert "other things" in taping.over
    assert not taping.failure
    run = read_recording(taping.path)
    assert run.rows == 4
    assert len([*Playback(run).rerun()]) == 4


def test_time_that_is_turned_back_ends_the_recording(tmp_path: Path):
    simulation, taping = begun(scene_of("compass"), tmp_path / "run.vtkhdf")
    advance(simulation, taping, 3)
    simulation.reset()
    advance(simulation, taping, 3)
    taping.join(60.0)
    assert "turned back" in taping.over
    assert not taping.failure
    assert read_recording(taping.path).rows == 4


# When the program dies


class _LoggedFile(io.FileIO):
    """A file on the disk that keeps a log of what was written to it: position and content; at first what it has."""

    log: ClassVar[list[tuple[int, bytes]]] = []

    def __init__(self, path: Path, mode: str):
        super().__init__(path, mode)
        self.log[:] = [(0, path.read_bytes())]
        self._size = os.fstat(self.fileno()).st_size

    def write(self, content: memoryview, /) -> int:
        size = os.fstat(self.fileno()).st_size
        if size > self._size:  # space was allocated
            self.log.append((size - 1, b"\0"))
        place = self.tell()
        count = super().write(content)
        self.log.append((place, bytes(content[:count])))
        self._size = max(size, place + count)
        return count


@pytest.mark.nightly
@pytest.mark.parametrize("every", sampled([7, 1], 2))
def test_a_file_is_whole_to_the_last_commit_after_every_single_write(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, every: int
):
    """The program is killed between two writes, or within one, which then counts as not begun or as complete.

    every: one write of this number is inspected
    """
    monkeypatch.setattr(polhode.recording.crash_safe_file, "FileIO", _LoggedFile)
    logged = _LoggedFile
    fields = {"Velocity": 3}
    still = np.arange(12.0).reshape(4, 3)
    blocks = (
        Block("A", still, {"Polygons": cells_of(np.array([[0, 1, 2], [1, 2, 3]]))}),
        Block("B", still, {"Vertices": cells_of(np.arange(4)[:, None])}, fields=fields),
        Block("C", still, {"Lines": cells_of(np.array([[0, 1]]))}, moves=False),
    )

    writer = Writer(tmp_path / "run.vtkhdf", blocks)
    own = writer.grow("Own/State", 1, (30,), "f8")
    writer.commit()
    marks, rows = [(0, 0)], 0
    # Pieces are of 64 moments, and a node of a tree has 64 of them: the first is split at 4096, the next at 7744.
    few = (64, 5, 200, 1, 64, 64)
    for count in (3800, *few, *few, 3000, *few, *few, *few):
        times = np.arange(rows, rows + count, dtype=float)
        places = np.tile(times[:, None, None], (1, 4, 3))
        writer.add(times, {"A": {"Points": places}, "B": {"Points": places, "Velocity": -places}})
        own.add(np.tile(times[:, None], (1, 30)))
        writer.commit()
        rows += count
        marks.append((len(logged.log), rows))
    monkeypatch.undo()

    image, mark, counts = bytearray(), 0, set()
    for number, (place, content) in enumerate(logged.log):
        image.extend(bytes(max(0, place + len(content) - len(image))))
        image[place : place + len(content)] = content
        while mark + 1 < len(marks) and marks[mark + 1][0] <= number + 1:
            mark += 1
        if marks[mark][1] not in range(3800, 4600) and marks[mark][1] < 7400:  # the others are like these
            continue
        if number % every != 0:
            continue
        with h5py.File(io.BytesIO(bytes(image)), "r") as file:
            steps = [int(file[f"VTKHDF/{name}/Steps"].attrs["NSteps"]) for name in "ABC"]
            assert len(set(steps)) == 1, "VTK takes no file whose blocks have different counts"
            assert len(file["VTKHDF/A/Steps/Values"]) == steps[0], "VTK writes times beyond its memory"
            assert steps[0] >= marks[mark][1]
            expected = np.arange(steps[0], dtype=float)
            assert np.array_equal(file["VTKHDF/A/Steps/Values"][: steps[0]], expected)
            assert np.array_equal(file["VTKHDF/A/Points"][: 4 * steps[0], 0], np.repeat(expected, 4))
            assert np.array_equal(file["VTKHDF/B/PointData/Velocity"][: 4 * steps[0], 2], -np.repeat(expected, 4))
            assert np.array_equal(file["VTKHDF/B/Steps/PointOffsets"][: steps[0]], 4 * expected)
            assert np.array_equal(file["VTKHDF/C/Steps/PointOffsets"][: steps[0]], 0 * expected)
            assert np.array_equal(file["Own/State"][: steps[0], 29], expected)
            counts.add(steps[0])
    assert len(counts) >= 25


@pytest.mark.parametrize("count", sampled(range(1, 9), 3))
def test_the_counts_lie_in_one_page(tmp_path: Path, count: int, monkeypatch: pytest.MonkeyPatch):
    """The kernel may end a write that is killed between two pages, but nowhere else. More blocks no scene has had."""
    names = ("Run", "Bodies", "Fixed bodies", "Motion", "Points", "Skins", "Walls", "Paths", "Surfaces")
    places, defer = set(), CrashSafeFile.defer
    monkeypatch.setattr(CrashSafeFile, "defer", lambda file, place: places.add(place) or defer(file, place))
    writer = Writer(tmp_path / "run.vtkhdf", tuple(Block(name, np.zeros((1, 3))) for name in names[:count]))
    places = sorted(places)
    assert len(places) == count + 1
    assert places[0] // 4096 == (places[-1] + 7) // 4096
    writer.close()


def killed(scene: str, path: Path, after: float) -> None:
    """Start `polhode run`, and kill -9 it some wall time [s] after its first moments."""
    command = [
        sys.executable,
        "-m",
        "polhode_app",
        "run",
        scene,
        *["--until", "1e6", "--force", "--every", "0.01", "--out"],
        str(path),
    ]
    process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    try:
        deadline = time.monotonic() + 240.0
        while not path.exists() or rows_in(path) < 2:  # VTK has no times for a single one
            assert process.poll() is None, process.stderr.read().decode()
            assert time.monotonic() < deadline
            time.sleep(0.05)
        time.sleep(after)
    finally:
        process.send_signal(signal.SIGKILL)
        process.wait()
        process.stderr.close()


def rows_in(path: Path) -> int:
    """Moments in a file that is being written. HDF5 reads it in this process: nothing has damaged it."""
    try:
        with h5py.File(path, locking=False) as file:
            return int(file["VTKHDF/Run/Steps"].attrs["NSteps"])
    except (OSError, KeyError):
        return 0


def whole(path: Path) -> None:
    """All that the file counts is there and is what the run computes, and VTK reads it."""
    run = read_recording(path)
    stop = min(run.rows, 400)
    playback = Playback(run)
    for row, again in enumerate(playback.rerun()):
        assert again.state.tobytes() == run.state(row).tobytes()
        if row == stop - 1:
            break
    assert np.isfinite(run.states(0, run.rows)).all()
    animation = Animation(path)
    assert len(animation.times) == run.rows
    assert animation.at(animation.times[-1])["Run"]["energy.total"] == pytest.approx(
        playback.table("energy.total", start=run.rows - 1)[0], rel=1e-6
    )


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="there is no kill -9 here")
@pytest.mark.parametrize("after", sampled([0.3, 0.0, 0.9], 3))
def test_a_killed_program_leaves_a_whole_file(tmp_path: Path, after: float):
    killed("course_10_moving_floor", tmp_path / "run.vtkhdf", after)
    whole(tmp_path / "run.vtkhdf")


@pytest.mark.nightly
@pytest.mark.timeout(7200)
def test_a_program_that_is_killed_at_50_random_moments_leaves_whole_files(tmp_path: Path):
    chance = random.Random(8)
    for number in range(50):
        path = tmp_path / f"{number}.vtkhdf"
        killed("course_10_moving_floor", path, chance.uniform(0.0, 1.5))
        whole(path)
        path.unlink()


LIMITED = """
import os, resource, sys
from pathlib import Path
from typing import ClassVar
from unittest.mock import Mock
sys.path.insert(0, "tests")
from recording_files import advance, begun
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
simulation, taping = begun(read_scene(gallery.path("course_10_moving_floor")), Path(sys.argv[1]), 5)
size = Path(sys.argv[1]).stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 30_000_000, -1))
while taping.going:
    advance(simulation, taping, 50)
print(simulation.steps, taping.failure)
simulation.advance_steps(100)
"""


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
def test_where_a_file_can_grow_no_more_the_recording_stops_and_the_simulation_goes_on(tmp_path: Path):
    path = tmp_path / "run.vtkhdf"
    done = subprocess.run(
        [sys.executable, "-c", LIMITED, str(path)], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "too large" in done.stdout
    assert read_recording(path).rows > 20
    whole(path)


class Stop:
    """Ctrl-C at the start of a recording."""

    def __format__(self, spec: str) -> str:
        raise KeyboardInterrupt


def test_a_recording_that_is_stopped_as_it_begins_leaves_no_file(tmp_path: Path):
    meshes = Meshes()
    simulation = Simulation(scene_of("compass"), meshes)
    with pytest.raises(KeyboardInterrupt):
        RecordingWriter(tmp_path / "run.vtkhdf", simulation, 1, Stop(), geometry(meshes))
    assert not [*tmp_path.iterdir()]
    assert simulation.listeners == []


def test_a_recording_without_a_frame_leaves_no_file_and_an_older_one_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> None:
        raise OSError(28, "full")

    path = tmp_path / "run.vtkhdf"
    monkeypatch.setattr(Writer, "add", fail)
    for expected in ([], [path]):
        with pytest.raises(OSError, match="full"):
            begun(scene_of("compass"), path)
        assert [*tmp_path.iterdir()] == expected
        path.write_bytes(b"older")
    assert path.read_bytes() == b"older"


def test_a_recording_has_its_first_frame_before_the_first_step(tmp_path: Path) -> None:
    simulation, taping = begun(scene_of("jelly_magnet"), tmp_path / "run.vtkhdf")
    assert read_recording(taping.path).state(0).tobytes() == simulation.state.tobytes()
    ended(taping)


@pytest.mark.nightly
def test_a_run_waits_for_a_writer_that_is_late(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """At every moment the disk has all frames that are older than a second, though each commit takes half of one."""
    simulation, taping = begun(scene_of("compass"), tmp_path / "run.vtkhdf", 10)
    commit = taping._writer.commit
    monkeypatch.setattr(taping._writer, "commit", lambda: (time.sleep(0.5), commit()))
    recorded: list[float] = [time.perf_counter()]
    while time.perf_counter() - recorded[0] < 3.0:
        advance(simulation, taping, 1)
        recorded.append(time.perf_counter())
        on_disk = taping._writer.rows
        if on_disk < len(recorded):
            assert recorded[-1] - recorded[on_disk] < 1.0  # LATE, and the commit that had begun without the frame
    ended(taping)
    assert read_recording(taping.path).rows == len(recorded)


FULL = """
import resource, sys
from pathlib import Path
from typing import ClassVar
from unittest.mock import Mock
import h5py, numpy as np
from polhode.recording.vtkhdf import Block, Writer
from polhode.physics.points.description import skin_shape
from polhode.recording.crash_safe_file import CrashSafeFile
path, block = Path(sys.argv[1]), Block("A", np.zeros((5, 3)), fields={"Velocity": 3})
def written(limit):
    path.unlink(missing_ok=True)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, -1))
    writer = Writer(path, (block,))
    own = writer.grow("Own/State", 1, (30,), "f8")
    try:
        while writer.rows < 150:
            times = writer.rows + np.arange(5.0)
            places = np.tile(times[:, None, None], (1, 5, 3))
            writer.add(times, {"A": {"Points": places, "Velocity": -places}})
            own.add(np.tile(times[:, None], (1, 30)))
            writer.commit()
    finally:
        writer.close()
written(2**22)
whole = path.stat().st_size
for limit in range(whole - 1, 300, -whole // 40):
    try:
        written(limit)
        raise AssertionError("there was room enough")
    except OSError as error:
        assert error.errno == 27
    try:
        assert path.stat().st_size <= limit
        with h5py.File(path) as file:
            count = int(file["VTKHDF/A/Steps"].attrs["NSteps"])
            assert np.array_equal(file["Own/State"][:count, 7], np.arange(count)), count
            assert np.array_equal(file["VTKHDF/A/PointData/Velocity"][: 5 * count, 2], np.repeat(-np.arange(count), 5))
    except (OSError, KeyError):
        count = 0  # it had not begun
    print(count)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files have no limit there")
def test_wherever_the_room_ends_hdf5_ends_in_peace_and_the_file_is_whole(tmp_path: Path):
    command = [sys.executable, "-c", FULL, str(tmp_path / "full.vtkhdf")]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    counts = [int(line) for line in done.stdout.split()]
    assert counts == sorted(counts, reverse=True)
    assert set(counts) == {125, 60, 0}  # it grows when 64 moments are full, and here they come by fives


@pytest.mark.skipif(not hasattr(os, "posix_fallocate"), reason="space is allocated in another way there")
def test_what_the_disk_has_not_taken_is_read_from_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    file = CrashSafeFile(tmp_path / "file")
    file.write(bytes(range(10)))
    file.publish()
    monkeypatch.setattr("os.posix_fallocate", Mock(side_effect=OSError(28, "full")))
    for place, content in ((8, b"abcd"), (20, b"z"), (9, b"B")):
        file.seek(place)
        assert file.write(content) == len(content)
    with pytest.raises(OSError, match="full"):
        file.check()
    file.seek(5)
    assert file.read() == b"\x05\x06\x07aBcd" + bytes(8) + b"z"
    file.close()
    assert (tmp_path / "file").read_bytes() == bytes(range(10))


@pytest.mark.nightly
def test_a_full_disk_stops_the_recording_and_leaves_it_whole(tmp_path: Path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=30m", "tmpfs", str(disk)], capture_output=True, text=True, check=False
    )
    if mounted.returncode != 0:
        pytest.skip(f"no disk can be mounted here: {mounted.stderr.strip()}")
    try:
        simulation, taping = begun(scene_of("course_10_moving_floor"), disk / "run.vtkhdf", 5)
        while taping.going:
            advance(simulation, taping, 50)
        taping.join(60.0)
        assert os.strerror(28) in taping.failure
        simulation.advance_steps(100)
        whole(disk / "run.vtkhdf")
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


# Files that are not recordings


@pytest.mark.parametrize(
    ("content", "rule"),
    [
        (b"", Meaning("", "no", "recording")),
        (b"solid cube", Meaning("", "no", "recording")),
        (b"\x89HDF\r\n\x1a\n" + bytes(600), Meaning("", "damaged")),
    ],
)
def test_what_is_no_recording_is_refused(tmp_path: Path, content: bytes, rule: Meaning):
    (tmp_path / "odd.vtkhdf").write_bytes(content)
    with refuses(rule):
        read_recording(tmp_path / "odd.vtkhdf")


@pytest.mark.nightly
@pytest.mark.parametrize("count", sampled([15, 60], 2))
def test_a_damaged_recording_is_refused_and_never_crashes(count: int, tmp_path: Path):
    simulation, taping = begun(scene_of("compass"), tmp_path / "run.vtkhdf", 10)
    advance(simulation, taping, 20)
    ended(taping)
    content = taping.path.read_bytes()
    chance = random.Random(4)
    for number in range(count):
        damaged = bytearray(content)
        for _ in range(chance.randint(1, 40)):
            damaged[chance.randrange(len(damaged))] = chance.randrange(256)
        path = tmp_path / f"{number}.vtkhdf"
        path.write_bytes(damaged[: chance.choice([len(damaged), chance.randrange(len(damaged))])])
        with suppress(InputError):
            read_recording(path).close()


def test_the_library_reads_columns_and_frames(tmp_path: Path):
    simulation, taping = begun(scene_of("magnet_pendulum"), tmp_path / "run.vtkhdf", 20)
    advance(simulation, taping, 3)
    ended(taping)
    run = polhode.read_recording(taping.path)
    assert run["energy.total"][3] == simulation.snapshot().energy.total
    assert run.table("time", "energy.total", start=1, stop=3).shape == (2, 2)
    assert run.columns["energy.total"] == "J"
    assert run.events == ()
    assert run.playback.snapshot(3).numbers.tobytes() == simulation.snapshot().numbers.tobytes()


def test_two_recordings_of_one_run_hold_the_same(tmp_path: Path):
    """Each has all events and frames, and continues after the other has ended."""
    simulation, first = begun(scene_of("jelly_magnet"), tmp_path / "first.vtkhdf", 10)
    second = RecordingWriter(tmp_path / "second.vtkhdf", simulation, 10, "test", geometry(Meshes()))
    for number, grip in enumerate((PullAll((0.1, 0.0, 0.3)), PullAll((0.0, 0.1, 0.3)))):
        simulation.grab(grip)
        for _ in range(2):
            simulation.advance_steps(10)
            for each in (first, second) if number == 0 else (second,):
                each.take()
        if number == 0:
            ended(first)
    ended(second)
    assert simulation.listeners == []
    short, whole = read_recording(first.path), read_recording(second.path)
    assert (len(short.events), len(whole.events)) == (1, 2)
    assert (short.rows, whole.rows) == (3, 5)
    assert short.events[0] == whole.events[0]
    assert all(np.array_equal(short.state(row), whole.state(row)) for row in range(short.rows))


def test_a_grab_that_an_edit_of_gravity_leaves_is_played_back(tmp_path: Path):
    """In single frames as well as in a run that is computed again, to the bit."""
    simulation, taping = begun(scene_of("jelly_magnet"), tmp_path / "run.vtkhdf", 10)
    grip = PullAll((0.1, 0.0, 0.3))
    simulation.grab(grip)
    advance(simulation, taping, 2)
    world = simulation.scene.world.model_copy(update={"gravity": (0.0, 0.0, -5.0)})
    simulation.load(simulation.scene.model_copy(update={"world": world}))
    advance(simulation, taping, 2)
    last = simulation.snapshot()
    ended(taping)
    run = read_recording(taping.path)
    assert [event.name for event in run.events] == ["grab", "load", "grab"]
    playback = Playback(run)
    assert playback.snapshot(-1).interaction_marker.interaction == last.interaction_marker.interaction == grip
    assert playback.snapshot(0).interaction_marker is None
    assert [again.state.tobytes() for again in playback.rerun()] == [
        run.state(row).tobytes() for row in range(run.rows)
    ]


def test_frames_are_counted_from_either_end(tmp_path: Path):
    simulation, taping = begun(scene_of("compass"), tmp_path / "run.vtkhdf", 10)
    advance(simulation, taping, 2)
    ended(taping)
    run = read_recording(taping.path)
    assert run.rows == 3
    assert np.array_equal(run.state(-1), run.state(2))
    assert Playback(run).snapshot(-3).time == 0.0
    for row in (3, -4):
        with pytest.raises(InputError):
            run.state(row)


def test_a_shape_of_zeros_excites_nothing_and_is_not_recorded(tmp_path: Path):
    simulation, taping = begun(scene_of("jelly_magnet"), tmp_path / "run.vtkhdf", 10)
    name = simulation.scene.soft[0].name
    count = len(simulation.compiled.model.points.mass[simulation.compiled.points[name]])
    with refuses("soft", "zeros"):
        simulation.excite(name, np.zeros((3, count)), 1.0)
    ended(taping)
    assert read_recording(taping.path).events == ()
