"""The machine code on the disk: what it must not outlive, and what must not be read."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from itertools import product
from pathlib import Path

import pytest
from import_path import IMPORT_PATH
from sampling import sampled

from polhode.jit.interrupts import deferred
from polhode.jit.storage.code_folder import KEPT_FOLDERS, USED, CodeFolder, Trouble
from polhode.jit.storage.sources import compiled_sources

if sys.platform != "win32":
    import resource

ROOT = Path(__file__).parents[3]
FILES = {
    "jit/kernel.py": "import numba\n",
    "law.py": "from polhode.jit.kernel import kernel\nfrom polhode.constants import MU_0\n"
    "from polhode import (\n    vec,\n)\n",
    "constants.py": "from polhode.deeper.numbers import (\n    PI,\n)\nMU_0 = PI\n",
    "deeper/__init__.py": "",
    "deeper/numbers.py": "PI = 3\n",
    "vec.py": "",
    "scene.py": "from polhode.law import law  # uses a kernel, is in none\n",
}
# A program that needs one small function, and says what was compiled and what was wrong.
PROGRAM = """
from numba.core import event
from polhode.jit.storage.machine_code import FILES
from polhode.jit.vec import cross
compiled = event.RecordingListener()
with event.install_listener("numba:compile", compiled):
    assert cross((1.0, 0.0, 0.0), (0.0, 1.0, 0.0)) == (0.0, 0.0, 1.0)
print(len(compiled.buffer) // 2, FILES.trouble.kind if FILES.trouble else "well")
"""


def test_the_cache_depends_on_kernels_and_on_all_that_they_import(tmp_path: Path) -> None:
    package = tmp_path / "polhode"
    for name, text in FILES.items():
        (package / name).parent.mkdir(parents=True, exist_ok=True)
        (package / name).write_text(text)
    found = set(compiled_sources(package))
    assert found == FILES.keys() - {"scene.py", "deeper/__init__.py"}


def begun(cache: Path, program: str = PROGRAM, prepare: Callable[[], object] | None = None) -> subprocess.Popen[str]:
    """A process of its own with the folder of machine code in `cache`."""
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH, "XDG_CACHE_HOME": str(cache)}
    words = [sys.executable, "-c", program]
    return subprocess.Popen(
        words, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=prepare
    )


def said(process: subprocess.Popen[str]) -> str:
    out, error = process.communicate(timeout=120)
    assert not error
    assert process.returncode == 0
    return out.strip()


def run(cache: Path, prepare: Callable[[], object] | None = None) -> str:
    return said(begun(cache, prepare=prepare))


def folder_in(cache: Path) -> Path:
    (folder,) = (cache / "polhode" / "kernels").iterdir()
    return folder


def code_in(cache: Path) -> Path:
    (file,) = (file for file in folder_in(cache).iterdir() if file.name != USED)
    return file


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache with the machine code of one function, which tests leave as it is."""
    made = tmp_path_factory.mktemp("compiled")
    assert run(made) == "1 well"
    return made


@pytest.fixture
def cache(compiled: Path, tmp_path: Path) -> Path:
    """A copy of that cache, with its times and rights."""
    shutil.copytree(compiled, tmp_path, dirs_exist_ok=True)
    return tmp_path


linux = pytest.mark.skipif(sys.platform == "win32", reason="owners and modes of Unix")


@pytest.mark.nightly
@linux
def test_the_folder_is_its_users_own(cache: Path) -> None:
    assert run(cache) == "0 well"
    for path in (folder_in(cache), folder_in(cache).parent):
        assert path.stat().st_mode & 0o777 == 0o700
    assert code_in(cache).stat().st_mode & 0o777 == 0o600


def one_bit_turned(whole: bytes) -> bytes:
    middle = len(whole) // 2
    return whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :]


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "one bit turned": one_bit_turned,
    "cut": lambda whole: whole[: len(whole) // 2],
    "empty": lambda _: b"",
    "others": lambda _: bytes(range(256)) * 20,
    "a zero": lambda _: b"\0",
}


@pytest.mark.parametrize("damage", sampled(DAMAGES, 5))
def test_a_damaged_file_is_compiled_again(cache: Path, damage: str) -> None:
    file = code_in(cache)
    file.write_bytes(DAMAGES[damage](file.read_bytes()))
    assert run(cache) == "1 damaged"
    assert run(cache) == "0 well"


@linux
def test_what_others_may_write_is_not_read(cache: Path) -> None:
    file, folder = code_in(cache), folder_in(cache)
    file.chmod(0o620)
    assert run(cache) == "1 foreign"
    file.chmod(0o600)
    folder.chmod(0o770)
    assert run(cache) == "1 foreign"
    folder.chmod(0o700)
    assert run(cache) == "0 well"


@pytest.mark.nightly
@linux
def test_what_is_anothers_or_a_link_is_not_read(cache: Path, tmp_path: Path) -> None:
    file = code_in(cache)
    elsewhere = tmp_path / "elsewhere"
    file.rename(elsewhere)
    file.symlink_to(elsewhere)
    assert run(cache).startswith("1 ")
    file.unlink()
    elsewhere.rename(file)
    if os.geteuid() == 0:
        os.chown(file, 12345, 12345)
        assert run(cache) == "1 foreign"
        os.chown(file, 0, 0)
        os.chown(folder_in(cache), 12345, 12345)
        assert run(cache) == "1 foreign"


def common_folder(path: Path) -> Path:
    """An empty folder in which everybody may write, as in /tmp."""
    path.mkdir()
    path.chmod(0o1777)
    return path


SPECIAL = {
    "pipe": os.mkfifo if hasattr(os, "mkfifo") else None,
    "link to a device": lambda path: path.symlink_to("/dev/zero"),
    "link to nothing": lambda path: path.symlink_to(path.with_name("nothing")),
    "link to a folder": lambda path: path.symlink_to(common_folder(path.with_name("common"))),
    "folder": Path.mkdir,
    "file": Path.touch,
}


@linux
@pytest.mark.parametrize("what", sampled(["pipe", "link to a device", "link to nothing", "folder"], 4))
def test_a_file_that_is_none_is_not_read_and_nothing_waits(cache: Path, what: str) -> None:
    file = code_in(cache)
    file.unlink()
    SPECIAL[what](file)
    assert run(cache).startswith("1 ")


@linux
@pytest.mark.parametrize(
    ("depth", "what"), sampled(product([0, 1, 2], [what for what in SPECIAL if what != "folder"]), 8)
)
def test_in_place_of_a_folder_anything_else_is_told_once_and_the_program_runs(
    cache: Path, depth: int, what: str
) -> None:
    folder = folder_in(cache)
    place = (folder, *folder.parents)[depth]
    place.rename(cache / "elsewhere")
    SPECIAL[what](place)
    said = run(cache)
    assert said in ("1 foreign", "1 closed") or (depth == 2 and what == "link to a folder" and said == "1 well")


@linux
@pytest.mark.parametrize("what", sampled(["pipe", "link to a device", "folder"], 3))
def test_the_file_of_the_lock_may_be_anything(cache: Path, what: str) -> None:
    (folder_in(cache) / USED).unlink()
    SPECIAL[what](folder_in(cache) / USED)
    assert run(cache).split()[0] == "0"


@linux
@pytest.mark.skipif(sys.platform != "win32" and os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_can_only_be_read_is_read(cache: Path) -> None:
    folder_in(cache).chmod(0o500)
    assert run(cache) == "0 well"
    code_in(cache).unlink(missing_ok=True)


@linux
def test_where_no_folder_can_be_made_the_program_compiles_in_memory(tmp_path: Path) -> None:
    nowhere = tmp_path / "file"
    nowhere.write_text("not a folder")
    assert run(nowhere) == "1 closed"


@linux
def test_on_a_full_disk_the_program_compiles_in_memory(tmp_path: Path) -> None:
    def fill() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))

    environment = {"PYTHONDONTWRITEBYTECODE": "1"}
    os.environ.update(environment)
    process = begun(tmp_path, prepare=fill)
    del os.environ["PYTHONDONTWRITEBYTECODE"]
    assert said(process) == "1 closed"
    assert [file.name for file in folder_in(tmp_path).iterdir()] == [USED]


def test_a_folder_that_vanishes_meanwhile_is_no_harm(tmp_path: Path) -> None:
    files = CodeFolder(tmp_path / "kernels" / "0123456789abcdef")
    files.write("one", b"1")
    assert files.read("one") == b"1"
    (files.path / "one").unlink()
    (files.path / USED).unlink()
    files.path.rmdir()
    assert files.read("one") is None
    files.write("one", b"1")
    assert files.trouble is not None
    assert files.trouble.kind == "closed"


@pytest.mark.nightly
def test_programs_that_start_at_once_do_each_other_no_harm(tmp_path: Path) -> None:
    program = PROGRAM.replace("from polhode.jit.vec import cross", "from polhode.jit.vec import cross, rotated")
    program += "assert rotated((1.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.0) == (1.0, 0.0, 0.0)\n"
    together = [begun(tmp_path, program) for _ in range(3)]
    assert {said(process).split()[1] for process in together} == {"well"}
    assert said(begun(tmp_path, program)) == "0 well"
    assert not [file for file in folder_in(tmp_path).iterdir() if file.name.count(".") > 4]  # nothing half written


@linux
def test_folders_of_other_versions_go_but_none_that_is_used(tmp_path: Path) -> None:
    root = tmp_path / "kernels"
    used = CodeFolder(root / f"{0:016x}")
    assert used.usable
    old = time.time() - 10 * 86400.0
    for number in range(1, KEPT_FOLDERS + 3):
        (root / f"{number:016x}").mkdir()
    (root / "something else").mkdir()
    for folder in root.iterdir():
        os.utime(folder, (old, old))
    os.utime(used.path / USED, (old, old))
    assert CodeFolder(root / f"{99:016x}").usable
    left = {folder.name for folder in root.iterdir()}
    assert {"something else", f"{0:016x}", f"{99:016x}"} <= left
    assert len(left) <= KEPT_FOLDERS + 3


def test_a_folder_used_of_late_stays(tmp_path: Path) -> None:
    root = tmp_path / "kernels"
    for number in range(KEPT_FOLDERS + 3):
        (root / f"{number:016x}").mkdir(parents=True)
    assert CodeFolder(root / f"{99:016x}").usable
    assert len([*root.iterdir()]) == KEPT_FOLDERS + 4


def test_only_the_first_trouble_is_kept(tmp_path: Path) -> None:
    files = CodeFolder(tmp_path / "kernels" / "0123456789abcdef")
    files.write("one", b"1")
    (files.path / "one").write_bytes(b"2")
    assert files.read("one") is None
    assert files.trouble == Trouble("damaged")


@pytest.fixture
def hears() -> object:
    """A shell that runs the tests in the background has told its children to ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("hears")
def test_ctrl_c_waits_for_the_end_of_a_part() -> None:
    reached = []

    def compiling() -> None:
        with deferred():
            with deferred():
                signal.raise_signal(signal.SIGINT)
                reached.append("the inner one")
            with deferred():
                reached.append("the next")

    with pytest.raises(KeyboardInterrupt):
        compiling()
    assert reached == ["the inner one"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    with deferred():
        reached.append("another time")
    assert reached[-1] == "another time"


@pytest.mark.nightly
@linux
def test_ctrl_c_while_a_command_compiles_ends_it_quietly(tmp_path: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": IMPORT_PATH, "XDG_CACHE_HOME": str(tmp_path)}
    words = [
        sys.executable,
        "-m",
        "polhode_app",
        "run",
        "heavy_top",
        "--until",
        "0.1",
        "--out",
        str(tmp_path / "out.csv"),
    ]
    hear = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    with subprocess.Popen(words, env=environment, stderr=subprocess.PIPE, text=True, preexec_fn=hear) as process:
        end = time.monotonic() + 60
        while not (tmp_path / "polhode").exists() and time.monotonic() < end:
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        _, error = process.communicate(timeout=60)
    assert process.returncode == 130
    assert error == "Stopped.\n"
    assert not (tmp_path / "out.csv").exists()
