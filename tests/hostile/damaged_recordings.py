"""Damaged recordings by number, and what reading one leads to.

`make` writes case `number` from a whole recording: bytes are changed, or h5py changes the structure or the values.
`outcome` does in a forked process, with limits, what `polhode info` and `polhode convert` do. The same number, source
and version of h5py give the same file, so that a fuzz target can use both and a found case becomes a test.
"""

from __future__ import annotations

import os
import random
import resource
import shutil
import signal
import traceback
from collections.abc import Callable
from pathlib import Path

import h5py
import numpy as np
from recording_files import LocalFile

from hostile.damaged_bytes import DAMAGES
from polhode.recording.contents import Contents
from polhode.recording.reader import RecordedRun
from polhode.scene.problem import InputError
from polhode_app.cli.recording_info import about, as_text
from polhode_app.cli.results.recording_export import unwind

ODD = (np.nan, np.inf, -np.inf, 1e308, -1e308, 1e18, -1e18, -1.0, 0.0, 0.5, 2.0**31, 2.0**62, 1e-308)
TYPES = ("f4", "i4", "i8", "u8", "u1", "f2", ">f8", ">i8", "S8", "c16", "?", "V9", "f8,i8")
NUMBERS = ("Polhode/State", "Polhode/Hand", "Polhode/Step", "VTKHDF/Run/Steps/Values")
EVENTS = (
    '{"what":"hold","how":{"grip":{"kind":"PullPoint","point":%s,"place":[%s,0,0]}}}',
    '{"what":"hold","how":{"grip":{"kind":"Grab","point":%s,"place":[0,0,0],"velocity":[%s,0,0]}}}',
    '{"what":"hold","how":{"grip":{"kind":"PullBody","body":%s,"at":[0,0,%s],"place":[0,0,1]}}}',
    '{"what":"hold","how":{"grip":{"kind":"Twist","body":%s,"turn":[0,%s,0]}}}',
    '{"what":"excite","how":{"name":"jelly","shape":[[%s],[1],[1]],"speed":%s}}',
    '{"what":"silence","how":{"name":"jelly","mode":%s,"on":%s}}',
    '{"what":"drive","how":{"values":[%s,%s]}}',
    '{"what":"set","how":{"values":{"world.gravity[2]":%s,"body[0].friction":%s}}}',
    '{"what":"follow","how":{"place":%s,"velocity":%s,"within":0.1}}',
    '{"what":"load","how":{"changed":{"world":"[world]\\ngravity = [%s, 0, %s]"},"removed":[]}}',
    '{"what":"load","how":{"changed":{},"removed":["%s","body"]}}',
)
TOKENS = ("0", "1", "-1", "3", "1e400", "1e308", "NaN", "null", '"1"', "true", "[]", "{}", "99999999999999999999")
Change = Callable[[h5py.File, random.Random], object]


# Bytes


def _metadata(content: bytearray, chance: random.Random) -> bytes:
    """Other bytes near a signature of HDF5's own structures."""
    mark = chance.choice((b"TREE", b"HEAP", b"SNOD", b"GCOL", b"OHDR", b"deflate", b"NSteps"))
    places = [at for at in range(len(content)) if content.startswith(mark, at)] if mark in content else [0]
    at = chance.choice(places) + chance.randrange(48)
    content[at : at + 1] = bytes([chance.choice((0, 1, 127, 128, 255, chance.randrange(256)))])
    return bytes(content)


BYTES = (*DAMAGES, _metadata, _metadata, _metadata)


# Structure


def _names(file: h5py.File, kind: type = h5py.HLObject) -> list[str]:
    """Paths of all objects of a kind, those of this program three times."""
    found: list[str] = []
    file.visititems(lambda name, each: found.append(name) if isinstance(each, kind) else None)
    return found + 2 * [name for name in found if name.startswith("Polhode") or "/Steps" in name]


def _deleted(file: h5py.File, chance: random.Random) -> None:
    del file[chance.choice(_names(file))]


def _renamed(file: h5py.File, chance: random.Random) -> None:
    one, other = chance.choice(_names(file)), chance.choice(_names(file))
    name = chance.choice((f"{one}_", f"{other}/x", "other", "/Polhode/Files/../x", "é" * 50))
    file.move(one, name)


def _exchanged(file: h5py.File, chance: random.Random) -> None:
    one, other = (chance.choice(_names(file, h5py.Dataset)) for _ in range(2))
    file.move(one, "aside")
    file.move(other if other in file else "aside", one)


def _retyped(file: h5py.File, chance: random.Random) -> None:
    name, kind = chance.choice(_names(file, h5py.Dataset)), np.dtype(chance.choice(TYPES))
    shape = file[name].shape
    del file[name]
    file[name] = np.zeros(shape, kind)


def _reshaped(file: h5py.File, chance: random.Random) -> None:
    name = chance.choice(_names(file, h5py.Dataset))
    values = np.atleast_1d(np.asarray(file[name][()]))
    shapes = (
        values.ravel(),
        values[None],
        values[..., None],
        values[: len(values) // 2],
        values[:0],
        values[:1].ravel()[:1],
        values.T,
    )
    del file[name]
    file[name] = chance.choice(shapes)


def _other_kind(file: h5py.File, chance: random.Random) -> None:
    name = chance.choice(_names(file))
    is_group = isinstance(file[name], h5py.Group)
    del file[name]
    file[name] = chance.choice((5, "text", b"\xff", np.arange(4))) if is_group else file.create_group("aside")


def _attribute(file: h5py.File, chance: random.Random) -> None:
    name = chance.choice(["Polhode", "VTKHDF/Run/Steps", *_names(file)])
    keys = [*file[name].attrs, "x"]
    values = (*ODD, -1, 0, 2**62, 17, "text", "x" * 60000, b"\xff\xfe", np.arange(3), h5py.Empty("f8"), True, file.ref)
    file[name].attrs[chance.choice(keys)] = chance.choice(values)


def _no_attribute(file: h5py.File, chance: random.Random) -> None:
    name = chance.choice([name for name in _names(file) if len(file[name].attrs)])
    del file[name].attrs[chance.choice([*file[name].attrs])]


def _references(file: h5py.File, chance: random.Random) -> None:
    name = chance.choice(_names(file, h5py.Dataset))
    del file[name]
    file[name] = np.array([file["VTKHDF"].ref] * 16, h5py.ref_dtype)


def _recursive(file: h5py.File, chance: random.Random) -> None:
    groups = _names(file, h5py.Group)
    file[chance.choice(groups)][chance.choice(("x", "Run", "Steps"))] = file[chance.choice(groups)]


def _linked(file: h5py.File, chance: random.Random) -> None:
    name = chance.choice(_names(file))
    del file[name]
    file[name] = chance.choice(
        (h5py.SoftLink("/Polhode"), h5py.SoftLink(f"/{name}"), h5py.ExternalLink("/dev/zero", "/x"))
    )


def _bomb(file: h5py.File, chance: random.Random) -> None:
    name = chance.choice(("Polhode/State", "Polhode/Hand", "Polhode/Step", "Polhode/Deeds", "Polhode/Files/x.stl"))
    tail = file[name].shape[1:] if name in file else ()
    kind = file[name].dtype if name in file else "u1"
    if name in file:
        del file[name]
    shape, chunks = (2 ** chance.randrange(20, 40), *tail), (2 ** chance.randrange(10, 20), *tail)
    data = file.create_dataset(name, shape, kind, chunks=chunks, compression=chance.choice(("gzip", None)))
    for start in range(0, 4 * chunks[0], chunks[0]):
        data[start : start + chunks[0]] = 0


def _values(file: h5py.File, chance: random.Random) -> None:
    """Some numbers are others, often of one column of the state."""
    data = file[chance.choice(NUMBERS + NUMBERS[:1] * 3)]
    values = data[()]
    value = chance.choice(ODD)
    value = value if values.dtype.kind == "f" else int(np.nan_to_num(value, posinf=2**62, neginf=-1) % 2**62)
    if chance.random() < 0.5 and values.ndim == 2:
        values[:, chance.randrange(values.shape[1])] = value
    else:
        values.reshape(-1)[chance.sample(range(values.size), min(values.size, chance.randint(1, 5)))] = value
    data[()] = values


def _event(file: h5py.File, chance: random.Random) -> None:
    event = chance.choice(EVENTS) % (chance.choice(TOKENS), chance.choice(TOKENS))
    row, steps, times = chance.randrange(16), file["Polhode/Step"], file["VTKHDF/Run/Steps/Values"]
    row = min(row, len(steps) - 1)
    head = f'{{"row":{row},"step":{steps[row]},"time":{float(times[row])!r},'
    line = (head + event.removeprefix("{") + "\n").encode()
    del file["Polhode/Deeds"]
    file["Polhode/Deeds"] = np.frombuffer(line, np.uint8)


def _event_bytes(file: h5py.File, chance: random.Random) -> None:
    lines = bytearray(file["Polhode/Deeds"][()].tobytes() or b"{}\n")
    del file["Polhode/Deeds"]
    file["Polhode/Deeds"] = np.frombuffer(chance.choice(DAMAGES)(lines * 70, chance), np.uint8)


def _scene(file: h5py.File, chance: random.Random) -> None:
    """A line of the scene is missing, twice, or has another value."""
    lines = file["Polhode/Scene"][()].decode().splitlines()
    number = chance.randrange(len(lines))
    key = lines[number].split("=")[0]
    value = chance.choice((*TOKENS, "nan", "inf", "-3", '"x"', "1e30", "[0, 0, 0]", '"/etc/passwd"', "1e-30"))
    lines[number : number + 1] = chance.choice(([], 2 * [lines[number]], [f"{key}= {value}"], [f"{key}= {value}"]))
    del file["Polhode/Scene"]
    file["Polhode/Scene"] = "\n".join(lines)


def _file(file: h5py.File, chance: random.Random) -> None:
    name = chance.choice(("..", "a:b", "nul", "x" * 300, "\u202e.stl", "ok.stl", " ", "a\nb"))
    file[f"Polhode/Files/{name}"] = chance.choice((np.zeros(9, np.uint8), np.zeros(9), "text", 3))


STRUCTURE: tuple[Change, ...] = (
    _deleted,
    _renamed,
    _exchanged,
    _retyped,
    _reshaped,
    _other_kind,
    _attribute,
    _no_attribute,
    _references,
    _recursive,
    _linked,
    _bomb,
    _values,
    _values,
    _event,
    _event_bytes,
    _scene,
    _scene,
    _file,
)


def make(number: int, source: Path, path: Path) -> str:
    """Write case `number` from the recording `source` to `path`; the name of what was done."""
    chance = random.Random(number)
    if number % 2:
        change = chance.choice(BYTES)
        path.write_bytes(change(bytearray(source.read_bytes()), chance))
        return change.__name__
    shutil.copy(source, path)
    edit = chance.choice(STRUCTURE)
    with h5py.File(path, "r+", locking=False) as file:
        try:
            edit(file, chance)
        except (KeyError, ValueError, OSError, RuntimeError, TypeError, IndexError):
            return f"{edit.__name__}, not possible"  # h5py refuses what it can't write; then some of it is done
    return edit.__name__


# Its outcome


class MarkedFile(LocalFile):
    """A LocalFile that tells when HDF5 reads and when it is done."""

    tell: Callable[[bytes], object]

    def contents(self, check_cancelled: Callable[[], None] = lambda: None) -> Contents:
        self.tell(b"h")
        found = super().contents(check_cancelled)
        self.tell(b"p")
        return found

    def states(self, start: int, stop: int) -> np.ndarray:
        self.tell(b"h")
        found = super().states(start, stop)
        self.tell(b"p")
        return found


def use(path: Path, folder: Path, tell: Callable[[bytes], object]) -> None:
    """Use a recording as `polhode info` and `polhode convert` do. Raises InputError."""
    source = MarkedFile(path)
    source.tell = tell
    run = RecordedRun(source)  # type: ignore[arg-type]
    as_text(about(run))
    for name in ("table.csv", "later.toml"):
        unwind(run, folder / name, None, lambda row: None, overwrite=True)
    unwind(run, folder / "first.toml", float(run.times[0]), lambda row: None, overwrite=True)


def outcome(path: Path, folder: Path, seconds: int = 8) -> str:
    """'read' or 'refused'; 'ended in HDF5' where the process of the reader would end, which is refused, too.

    Anything else is a fault of the program: the name of an exception with its last line, or of a signal.
    """
    marks, tell = os.pipe()
    child = os.fork()
    if child == 0:
        _use_and_exit(path, folder, seconds, tell)
    os.close(tell)
    with os.fdopen(marks, "rb") as stream:
        said = stream.read()
    status = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    last = said[:1] if said[:1] in b"hp" and len(said) == 1 else said[-1:]
    if status == 0:
        return "read"
    if status == 1:
        return "refused"
    if status < 0:
        return "ended in HDF5" if last == b"h" else f"signal {signal.Signals(-status).name}"
    return said.decode(errors="replace").lstrip("hp")


def _use_and_exit(path: Path, folder: Path, seconds: int, tell: int) -> None:
    """Body of the forked process: exit status 0 read, 1 refused, 2 another exception, whose text goes to `tell`."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_AS, (2**34, 2**34))
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    try:
        use(path, folder, lambda mark: os.write(tell, mark))
        os._exit(0)
    except InputError as error:
        os._exit(1 if all(problem.rule and problem.remedy for problem in error.problems) else 2)
    except BaseException as error:  # noqa: BLE001  (whatever it is, it is what is looked for)
        at = traceback.extract_tb(error.__traceback__)[-1]
        os.write(tell, f"{type(error).__name__}: {error} ({at.filename}:{at.lineno})".encode(errors="replace")[:2000])
    os._exit(2)
