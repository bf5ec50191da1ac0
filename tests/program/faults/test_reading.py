"""A file that can't be read, or ends earlier than it seemed, is refused with one message; nothing else is lost.

Every system call by which a program reads a file fails once: opening, asking for the size, reading. A read that returns
nothing is that of a file which another program cuts at that moment.
"""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import pytest
import trimesh
from command_line import forked, polhode
from faults import NEEDS_STRACE
from sampling import sampled

from polhode.scene import gallery

READS = "openat,fstat,newfstatat,statx,read,pread64,lseek"
FAULTS = {"EIO": "error=EIO", "EACCES": "error=EACCES", "ENOENT": "error=ENOENT", "cut": "retval=0"}
OF_FAULT = {"ENOENT": ("openat",), "cut": ("read", "pread64")}  # the calls of other faults are all of READS
CALL = re.compile(r"(\d+) +(\w+)\(")

SENSOR_SCENE = 'format = 1\n[sensor]\nfile = "log.csv"\n'
SETTINGS = """
from PySide6.QtCore import QSettings
from polhode_app.session.settings import Settings
settings = Settings(QSettings(FILE, QSettings.Format.IniFormat))
assert settings.language in ("en", "ja", "", None), settings.language
"""
AUTOSAVE = """
from pathlib import Path
from polhode_app.session.autosave import Autosave
from polhode.scene.problem import InputError
from polhode.scene.scene_file import read_scene
import sys
for left in Autosave(Path(FILE).parent).left():
    try:
        read_scene(left.path)
    except InputError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
"""
CODE = """
import sys
from pathlib import Path
from polhode.jit.storage.code_folder import CodeFolder
files = CodeFolder(Path(FILE).parent)
found = files.read(Path(FILE).name)
assert found in (None, bytes(5000)), len(found)
"""


@dataclass(frozen=True)
class Kind:
    """A kind of file, and the command or the Python program that reads it."""

    words: str  # of the command, with {file} and {folder}
    name: str
    program: str = ""
    goes_on: bool = False  # what can't be read is left out: the program does its work all the same
    beside: tuple[str, ...] = ()  # files in the folder that the command names


KINDS = {
    "scene": Kind("check {file}", "top.toml"),
    "STL": Kind("inertia {file}", "duck.stl"),
    "OBJ": Kind("inertia {file}", "box.obj"),
    "GLB": Kind("inertia {file}", "box.glb"),
    "mesh of a scene": Kind("check {folder}/mesh.toml", "duck.stl", beside=("mesh.toml",)),
    "PEM file": Kind("check {file}", "top.udf"),
    "recording": Kind("info {file}", "run.vtkhdf"),
    "recording to a table": Kind("convert {file} {folder}/out.csv", "run.vtkhdf"),
    "sensor log": Kind("check {folder}/sensor.toml", "log.csv", beside=("sensor.toml",)),
    "settings": Kind("", "settings.ini", SETTINGS, goes_on=True),
    "autosave": Kind("", "0.toml", AUTOSAVE, goes_on=True),
    "machine code": Kind("", "one", CODE, goes_on=True),
}
QUICK = ("scene", "recording", "STL", "settings")

pytestmark = NEEDS_STRACE


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A file of every kind."""
    folder = tmp_path_factory.mktemp("files")
    shutil.copy(gallery.path("heavy_top"), folder / "top.toml")
    meshes = gallery.FOLDER.parent / "meshes"
    shutil.copy(next(meshes.glob("*.stl")), folder / "duck.stl")
    for name in ("box.obj", "box.glb"):
        trimesh.creation.box((0.1, 0.2, 0.3)).export(folder / name)
    shape = 'shape = [{ kind = "mesh", file = "duck.stl", unit = "m", density = 1000 }]'
    (folder / "mesh.toml").write_text(f'format = 1\n[[body]]\nname = "duck"\n{shape}\n')
    (folder / "sensor.toml").write_text(SENSOR_SCENE)
    (folder / "log.csv").write_text("".join(f"{k / 50},{0.3 + 0.001 * k}\n" for k in range(60)))
    (folder / "settings.ini").write_text("[General]\nlanguage=en\n")
    (folder / "0.toml").write_text('format = 1\ntitle = "a"\n')
    (folder / "one").write_bytes(bytes(5000))
    for words in ("convert double_mesh top.udf", "run heavy_top --until 0.05 --out run.vtkhdf"):
        done = polhode(*words.split(), folder=folder)
        assert done.returncode == 0, done.stderr
    return folder


class Reader:
    """Runs what reads a kind of file, with or without a fault, each time in a new folder."""

    def __init__(self, kind: Kind, files: Path, folder: Path):
        self.kind, self._files, self._folder, self._runs = kind, files, folder, 0

    def calls(self) -> list[tuple[str, int]]:
        """The calls that read the file: name, and number from 1 on among those of the name in its thread."""
        done, lines, _ = self.run(f"trace={READS}")
        assert done.returncode == 0, done.stderr
        counts: Counter[tuple[str, str]] = Counter()
        for line in lines:
            if found := CALL.match(line):
                counts[found.group(1, 2)] += 1
        most: Counter[str] = Counter()
        for (_, name), count in counts.items():
            most[name] = max(most[name], count)
        return [(name, number) for name, count in most.items() for number in range(1, count + 1)]

    def run(self, *options: str):
        """A run under strace: how it ended, the lines of the log, and the folder."""
        self._runs += 1
        here = self._folder / f"run{self._runs}"
        here.mkdir()
        for name in (self.kind.name, *self.kind.beside):
            shutil.copy(self._files / name, here / name)
        path, log = here / self.kind.name, self._folder / "log"
        log.write_text("")
        tracer = ["-y", "-s", "8", "-o", str(log), "-P", str(path)]
        tracer += [word for option in options for word in ("-e", option)]
        words = self.kind.words.format(file=path, folder=here).split()
        done = forked(words, here, self.kind.program.replace("FILE", repr(str(path))), tuple(tracer))
        return done, log.read_text(errors="replace").splitlines(), here

    def fault_of(self, name: str, number: int, fault: str) -> str:
        """Error found after a fault; "" if there is none, "missed" if the fault did not occur."""
        before = (self._files / self.kind.name).read_bytes()
        done, lines, here = self.run(f"inject={name}:{FAULTS[fault]}:when={number}", f"trace={name}")
        if not any("(INJECTED)" in line for line in lines):
            return "missed"
        return "; ".join(self._wrong(done.returncode, done.stderr, before, here))

    def _wrong(self, status: int, said: str, before: bytes, here: Path):
        told = [line for line in said.splitlines() if line.strip() and " warning: " not in line]
        if "Traceback" in said:
            yield f"a traceback: {told[-1]}"
        if status not in ((0, 2) if self.kind.goes_on else (0, 2, 3)):
            yield f"status {status}: {said[-300:]}"
        if status != 0 and len(told) == 0:
            yield "nothing is said"
        if status != 0 and len(told) > 1:
            yield f"{len(told)} lines are said: {said[:300]}"
        if (here / self.kind.name).read_bytes() != before:
            yield "the file has changed"
        known = {
            self.kind.name,
            *self.kind.beside,
            "out.csv",
            "in-use",
            "0.lock",
            "1.lock",
            "1.toml",
        }  # locks of folders
        left = sorted(path.name for path in here.iterdir() if path.name not in known)
        if left:
            yield f"files are left: {left}"
        if status != 0 and (here / "out.csv").exists():
            yield "an output is left"


def wrong_outcomes(name: str, fault: str, files: Path, folder: Path, every: int = 1) -> dict[tuple[str, int], str]:
    """Errors found after a fault of each call, for every `every`-th call; at least one fault must occur."""
    reader = Reader(KINDS[name], files, folder)
    calls = [call for call in reader.calls() if call[0] in OF_FAULT.get(fault, READS.split(","))]
    found = {call: reader.fault_of(*call, fault) for call in calls[::every]}
    assert not calls or any(what != "missed" for what in found.values())
    return {call: what for call, what in found.items() if what not in ("", "missed")}


@pytest.mark.parametrize(("name", "fault"), sampled([(name, fault) for name in QUICK for fault in ("cut", "EIO")], 4))
def test_a_file_that_fails_is_refused_with_one_message(name: str, fault: str, files: Path, tmp_path: Path) -> None:
    assert wrong_outcomes(name, fault, files, tmp_path, every=60 if name == "recording" else 7) == {}


@pytest.mark.nightly
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", KINDS)
def test_every_call_that_reads_a_file_may_fail(name: str, fault: str, files: Path, tmp_path: Path) -> None:
    assert wrong_outcomes(name, fault, files, tmp_path) == {}
