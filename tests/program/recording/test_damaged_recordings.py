"""Damaged recordings: each is read or refused with one message, whatever HDF5 makes of it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
import pytest
from command_line import polhode, refused
from recording_files import LocalFile, advance, begun, ended
from sampling import sampled

from polhode import read_recording
from polhode.recording import reader
from polhode.recording.contents import LARGEST_FILES
from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode.scene.scene_file import read_scene
from polhode_app.cli.recording_info import about, as_text

if sys.platform == "win32":
    pytest.skip("processes have no limits there", allow_module_level=True)
from hostile.damaged_recordings import make, outcome, use
from meaning import Meaning, refuses

KEPT = Path(__file__).parents[2] / "recordings" / "format_1.vtkhdf"
GOOD = ("read", "refused", "ended in HDF5")
Change = Callable[[h5py.File], object]


def ends(numbers: range, sources: list[Path], folder: Path) -> Counter[str]:
    """How many cases have each outcome; the cases with another one than GOOD fail the test."""
    for source in sources:
        use(source, folder, lambda mark: None)  # compiles once, for all forked processes
    counts: Counter[str] = Counter()
    for number in numbers:
        what = make(number, sources[number // 2 % len(sources)], folder / "case.vtkhdf")
        end = outcome(folder / "case.vtkhdf", folder)
        assert end in GOOD, f"case {number}, {what}: {end}"
        counts[end] += 1
    return counts


@pytest.mark.nightly
@pytest.mark.parametrize("count", sampled([12, 100], 2))
def test_damage_of_every_kind_is_read_or_refused(count: int, tmp_path: Path) -> None:
    counts = ends(range(count), [KEPT], tmp_path)
    assert min(counts["read"], counts["refused"]) > count // 5


@pytest.mark.nightly
@pytest.mark.timeout(7200)
def test_hundreds_of_damaged_recordings_are_read_or_refused(tmp_path: Path) -> None:
    sources = [KEPT]
    for name in ("jelly_magnet", "course_10_moving_floor", "bead_cradle", "magnet_pendulum"):
        simulation, taping = begun(read_scene(gallery.path(name)), tmp_path / f"{name}.vtkhdf", 20)
        advance(simulation, taping, 12)
        ended(taping)
        sources.append(taping.path)
    print(ends(range(600), sources, tmp_path))


# At the command line


@pytest.mark.nightly  # in the process of the tests it is tried always
def test_a_recording_that_hdf5_never_ends_reading_is_refused_by_a_command(tmp_path: Path) -> None:
    content = KEPT.read_bytes()
    (tmp_path / "run.vtkhdf").write_bytes(content[:46336] + bytes(64) + content[46400:])  # a heap of attributes
    said = refused("info", "run.vtkhdf", folder=tmp_path)
    assert Meaning("run.vtkhdf", "damaged", "end").of(said)


def test_states_that_can_not_be_read_are_refused_when_they_are_asked_for(tmp_path: Path) -> None:
    path = tmp_path / "run.vtkhdf"
    shutil.copy(KEPT, path)
    with h5py.File(path, locking=False) as file:
        chunk = file["Polhode/State"].id.get_chunk_info(0)
    with path.open("r+b") as file:
        file.seek(chunk.byte_offset)
        file.write(bytes(chunk.size // 2))
    assert polhode("info", "run.vtkhdf", folder=tmp_path).returncode == 0
    said = refused("convert", "run.vtkhdf", "run.csv", folder=tmp_path)
    assert Meaning("run.vtkhdf", "copy").of(said)


# Places and rules


def changed(tmp_path: Path, change: Change) -> Path:
    path = tmp_path / "run.vtkhdf"
    shutil.copy(KEPT, path)
    with h5py.File(path, "r+") as file:
        change(file)
    return path


def value(name: str, index: object, number: float) -> Change:
    def change(file: h5py.File) -> None:
        file[name][index] = number

    return change


def many_files(file: h5py.File) -> None:
    for number in range(LARGEST_FILES + 1):
        file[f"Polhode/Files/{number}"] = np.zeros(1, np.uint8)


def one_file_by_many_names(file: h5py.File) -> None:
    file["Polhode/Files/0"] = np.zeros(100_000, np.uint8)
    for number in range(1, 10):
        file[f"Polhode/Files/{number}"] = file["Polhode/Files/0"]


def other_file(file: h5py.File) -> None:
    file["Polhode/Files/0"] = np.zeros(9)


OPENED = (
    (value("Polhode/Hand", (3, 1), np.nan), Meaning("Polhode/Hand[3]", "finite")),
    (value("Polhode/Step", 5, 1), Meaning("Polhode/Step[4]", "increase")),
    (value("VTKHDF/Run/Steps/Values", 5, 0.0), Meaning("VTKHDF/Steps/Values[5]", "earlier")),
    (many_files, Meaning("Polhode/Files", count=1001, most=1000)),
    (one_file_by_many_names, Meaning("Polhode/Files", "bytes", total=1000000)),
    (other_file, Meaning("Polhode/Files/0", found="float64", kind="uint8")),
    (lambda file: file.__delitem__("Polhode/Step"), Meaning("Polhode/Step", "data", "set")),
    (lambda file: file["Polhode"].attrs.__delitem__("method"), Meaning("Polhode@method", "missing")),
)


@pytest.mark.parametrize(("change", "said"), OPENED)
def test_the_message_names_the_place(
    change: Change, said: Meaning, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reader, "IsolatedFile", LocalFile)
    path = changed(tmp_path, change)
    with pytest.raises(InputError) as found:
        read_recording(path)
    (problem,) = found.value.problems
    assert found.value.source == str(path)
    assert said.of(str(problem))
    assert Meaning(problem.place, "copy").of(problem)


def test_frames_of_one_time_have_no_rate(tmp_path: Path) -> None:
    def stand(file: h5py.File) -> None:
        file["VTKHDF/Run/Steps/Values"][:16] = 0.0
        del file["Polhode/Deeds"]
        file["Polhode/Deeds"] = np.zeros(0, np.uint8)

    run = read_recording(changed(tmp_path, stand))
    assert "16, from 0 s to 0 s, 0 per second" in as_text(about(run))


@pytest.mark.parametrize(
    ("column", "number", "said"),
    [
        (6, 1e-308, Meaning("Polhode/State[4], 'bob'", "orthonormal")),
        (0, np.inf, Meaning("Polhode/State[4]", "finite")),
    ],
)
def test_a_state_that_is_none_of_the_scene_is_refused(
    column: int, number: float, said: Meaning, tmp_path: Path
) -> None:
    path = changed(tmp_path, value("Polhode/State", (4, column), number))
    run = read_recording(path)
    assert run.playback.snapshot(3).time == run.times[3]
    for use_it in (lambda: run.playback.snapshot(4), lambda: run.table("time")):
        with pytest.raises(InputError) as found:
            use_it()
        assert said.of(found.value)


# The process that reads


def test_a_closed_recording_gives_no_states() -> None:
    run = read_recording(KEPT)
    run.close()
    run.close()
    with refuses("", "closed"):
        run.state(0)
    assert run.rows == 16


def test_the_process_that_reads_ends_with_the_recording_and_with_the_program(tmp_path: Path) -> None:
    program = "import sys; from polhode import read_recording; run = read_recording(sys.argv[1]); "
    program += "print(run._source._process.number, flush=True); sys.stdin.read()"
    asks = subprocess.Popen(
        [sys.executable, "-c", program, str(KEPT)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    reader = Path("/proc") / asks.stdout.readline().strip()
    if not Path("/proc/self").exists():
        pytest.skip("without /proc")
    assert reader.exists()
    asks.kill()
    asks.wait()
    asks.stdin.close()
    asks.stdout.close()
    deadline = time.monotonic() + 20.0
    while reader.exists() and "Z" not in (reader / "stat").read_text().split()[2]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
