"""Machine code that comes with the program: when it is used, and that nothing else is used beside it."""

from __future__ import annotations

import os
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from import_path import IMPORT_PATH

from polhode.jit.storage import first_start, sources
from polhode.jit.storage.code_folder import CodeFolder, with_digest, without_digest
from polhode.jit.storage.first_start import COMPLETE, begin_with_shipped_code, note_complete, this_processor
from polhode.jit.storage.kept import CORE
from polhode.jit.storage.shipped_code import GENERIC, ShippedCode

ROOT = Path(__file__).parents[3]
# A program with shipped code in a folder; it needs one small function, and says whether that was compiled.
PROGRAM = """
import sys
from pathlib import Path
from polhode.jit.storage import kept
from polhode.jit.storage.shipped_code import ShippedCode
kept.SHIPPED = ShippedCode(Path(sys.argv[1]))
from numba.core import event
from polhode.jit.vec import cross
compiled = event.RecordingListener()
with event.install_listener("numba:compile", compiled):
    assert cross((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)) == (0.0, 0.0, 1.0)
print(len(compiled.buffer) // 2)
"""


def compilations(cache: Path, shipped: Path, target: dict[str, str]) -> int:
    """Number of functions that a process compiles with these folders, for a target processor."""
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH, "POLHODE_CACHE": str(cache), **target}
    words = [sys.executable, "-c", PROGRAM, str(shipped)]
    return int(subprocess.run(words, env=environment, capture_output=True, text=True, check=True).stdout)


@pytest.fixture(scope="module")
def shipped(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with shipped code of one function, made as the installers make it."""
    cache, folder = tmp_path_factory.mktemp("cache"), tmp_path_factory.mktemp("shipped")
    assert compilations(cache, folder / "none", GENERIC) == 1
    for file in cache.glob("kernels/*/polhode*"):
        content = without_digest(file.read_bytes())
        assert content is not None
        (folder / file.name).write_bytes(with_digest(zlib.compress(content)))
    return folder


def test_shipped_code_is_run_without_compiling(shipped: Path, tmp_path: Path) -> None:
    assert compilations(tmp_path, shipped, GENERIC) == 0


def test_another_target_does_not_use_it(shipped: Path, tmp_path: Path) -> None:
    """Functions that take SIMD vectors are called otherwise there: both in one process would compute nonsense."""
    assert compilations(tmp_path, shipped, {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": "+sse4.2"}) == 1


def test_what_is_damaged_is_compiled(shipped: Path, tmp_path: Path) -> None:
    (file,) = shipped.iterdir()
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    (tmp_path / "damaged").mkdir()
    (tmp_path / "damaged" / file.name).write_bytes(content)
    assert compilations(tmp_path / "cache", tmp_path / "damaged", GENERIC) == 1


@pytest.fixture
def plain(monkeypatch: pytest.MonkeyPatch) -> pytest.MonkeyPatch:
    """An environment that names no target; what is set in it is undone."""
    for name in GENERIC:
        monkeypatch.setenv(name, "")  # so that it is undone
        monkeypatch.delenv(name)
    return monkeypatch


def folders(path: Path) -> tuple[ShippedCode, CodeFolder]:
    (path / "shipped").mkdir()
    return ShippedCode(path / "shipped"), CodeFolder(path / "kernels" / "0123456789abcdef")


@pytest.mark.usefixtures("plain")
def test_the_first_start_uses_it_until_that_of_the_processor_is_complete(tmp_path: Path) -> None:
    shipped, files = folders(tmp_path)
    assert begin_with_shipped_code(shipped, files)
    assert {name: os.environ[name] for name in GENERIC} == GENERIC
    for name in GENERIC:
        del os.environ[name]
    note_complete(files)
    note_complete(files)
    assert files.read(COMPLETE) == this_processor().encode()
    assert not begin_with_shipped_code(shipped, files)
    assert not GENERIC.keys() & os.environ.keys()


def test_code_of_another_processor_is_not_that_of_this_one(tmp_path: Path, plain: pytest.MonkeyPatch) -> None:
    """As in a home folder that two computers share."""
    shipped, files = folders(tmp_path)
    with plain.context() as other:
        other.setattr(first_start, "this_processor", lambda: "another +one")
        note_complete(files)
    assert begin_with_shipped_code(shipped, files)
    note_complete(files)
    assert (files.read(COMPLETE) or b"").decode().splitlines() == ["another +one", this_processor()]


def test_a_target_that_the_user_has_set_stays(tmp_path: Path, plain: pytest.MonkeyPatch) -> None:
    plain.setenv("NUMBA_CPU_NAME", "haswell")
    assert not begin_with_shipped_code(*folders(tmp_path))
    assert os.environ["NUMBA_CPU_NAME"] == "haswell"


@pytest.mark.usefixtures("plain")
def test_a_program_that_comes_with_none_compiles_for_its_processor(tmp_path: Path) -> None:
    assert not begin_with_shipped_code(ShippedCode(tmp_path / "none"), CodeFolder(tmp_path / "kernels" / f"{0:016x}"))


def test_two_versions_share_no_machine_code(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even those whose kernels are the same, so that the removal of one leaves the other's."""
    names = set()
    for version in ("1.0.0", "1.0.1"):
        monkeypatch.setattr(sources, "own_version", lambda version=version: version)
        names.add(sources.version_of_code(sources.version_of_sources(CORE)))
    assert len(names) == 2
