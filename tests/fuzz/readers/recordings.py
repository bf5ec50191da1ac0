"""Recordings: damaged bytes, structure, values, events and scenes, each read in a forked process of its own."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hostile.damaged_recordings import make, outcome, use

from fuzz.case import Case, Refused, Target

KEPT = Path(__file__).parents[2] / "recordings" / "format_1.vtkhdf"


def bases() -> list[Case]:
    """The recording of the first version of the format, read once: what that compiles serves all forked processes."""
    with tempfile.TemporaryDirectory() as name:
        use(KEPT, Path(name), lambda mark: None)
    return [Case("run.vtkhdf", KEPT.read_bytes())]


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """A damaged recording; damage that h5py can't do is none.

    The structure is changed of the whole recording only: HDF5 may not open a damaged one, or loop in it forever.
    """
    number = chance.randrange(2**40)
    with tempfile.TemporaryDirectory() as name:
        source, path = Path(name) / "source.vtkhdf", Path(name) / "run.vtkhdf"
        source.write_bytes(case.content if number % 2 else KEPT.read_bytes())
        make(number, source, path)
        return Case("run.vtkhdf", path.read_bytes())


def read(path: Path, content: bytes) -> str:
    """Use a recording as `polhode info` and `polhode convert` do."""
    said = outcome(path, path.parent)
    if said == "read":
        return said
    if said.startswith(("refused", "ended in HDF5")):
        raise Refused(said)
    raise RuntimeError(said)


TARGET = Target("recording", bases, mutate, read, goal=20_000, quick=12, memory=16 * 2**30, seconds=30)
