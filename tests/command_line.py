"""The commands as a user's shell runs them.

A command takes seconds to load the program and its machine code, and there are a hundred of them here. So one process
loads all that once, and each command is a fork of it: a process of its own, with its own folder, output and end.
"""

from __future__ import annotations

import atexit
import ctypes
import functools
import gc
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable
from importlib import import_module
from itertools import count
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any

from import_path import IMPORT_PATH

ROOT = Path(__file__).parents[1]
PR_SET_PTRACER = 0x59616D61  # of prctl: any process may trace this one
FORKS = sys.platform == "linux"  # elsewhere a fork of a program with windows is not safe, or not there
EVERYTHING = (
    "polhode_app.cli.results.batch",
    "polhode_app.cli.convert",
    "polhode_app.export.video",
    "polhode_app.cli.results.modes_report",
    "polhode_app.cli.recording_info",
    "polhode.verification",
    "polhode_app.cli.results.mass_report",
    "polhode_app.sensor.hub",
    "polhode_app.session.autosave",
    "polhode_app.session.settings",
)


def polhode(*words: object, folder: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Output and exit status of a command; with its own environment it starts in a new process."""
    command = [sys.executable, "-m", "polhode_app", *map(str, words)]
    if FORKS and not environment and _surroundings() == _loaded()[1]:
        return forked(command[3:], folder)
    return subprocess.run(
        command,
        cwd=folder,
        env={**os.environ, "PYTHONPATH": IMPORT_PATH, **environment},
        capture_output=True,
        text=True,
        timeout=290,  # with an empty cache the kernels are compiled first
        check=False,
    )


def refused(*words: object, folder: Path) -> str:
    """The message of a command that refuses its input: exit 2, nothing on stdout, no traceback."""
    done = polhode(*words, folder=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert "Traceback" not in done.stderr
    return done.stderr.strip()


def _surroundings() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name != "PYTEST_CURRENT_TEST"}


@functools.cache
def _loaded() -> tuple[subprocess.Popen[str], dict[str, str]]:
    """The process that forks, and the environment it was started in. It ends with the tests: nobody writes to it."""
    server = subprocess.Popen(
        [sys.executable, __file__],
        env={**os.environ, "PYTHONPATH": IMPORT_PATH},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    return server, _surroundings()


def forked(
    words: list[str], folder: Path, program: str = "", tracer: tuple[str, ...] = (), **environment: str
) -> subprocess.CompletedProcess[str]:
    """A command, or the text of a Python program, in a fork of the process that has loaded everything.

    tracer: options of strace, which follows the fork from its first instruction on; the names of unfinished files are
    then .polhode-0.part and so on
    """
    server = _loaded()[0]
    with tempfile.TemporaryDirectory() as kept:
        said = [str(Path(kept) / name) for name in ("stdout", "stderr")]
        given = {"words": words, "folder": str(folder), "said": said, "program": program, "tracer": tracer}
        _pipe(server.stdin).write(json.dumps({**given, "environment": environment}) + "\n")
        _pipe(server.stdin).flush()
        status = int(_pipe(server.stdout).readline())
        return subprocess.CompletedProcess(words, status, *(Path(path).read_text() for path in said))


def _pipe(end: IO[str] | None) -> IO[str]:
    assert end is not None
    return end


def _serve() -> None:
    """Load everything, then become a command for each line of stdin and answer with its exit status."""
    gallery, files, simulation = map(
        import_module, ("polhode.scene.gallery", "polhode.scene.scene_file", "polhode.simulation.simulation")
    )
    simulation.Simulation(files.read_scene(gallery.path("heavy_top"))).advance_steps(1)
    main = [import_module(name) for name in (*EVERYTHING, "polhode_app.__main__")][-1].main
    gc.collect()
    gc.freeze()  # else every fork, as it ends, looks through all that it has from here
    for line in sys.stdin:
        given = json.loads(line)
        child = os.fork()
        if child == 0:
            _become(given, main)
        if given["tracer"]:
            _trace(child, given["tracer"])
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)


def _become(given: dict[str, Any], main: Callable[[], int]) -> None:
    """Run a command or a program in this process, and end it."""
    _redirect(0, os.devnull, os.O_RDONLY)
    for number, path in enumerate(given["said"], start=1):
        _redirect(number, path, os.O_WRONLY | os.O_CREAT)
    os.chdir(given["folder"])
    os.environ.update(given["environment"])
    sys.argv[1:] = given["words"]
    if given["tracer"]:
        numbers = count()
        writing = import_module("polhode.scene.files.file_writing")
        writing.secrets = SimpleNamespace(token_hex=lambda _: str(next(numbers)))
        ctypes.CDLL(None).prctl(PR_SET_PTRACER, ctypes.c_ulong(-1))
        os.kill(os.getpid(), signal.SIGSTOP)
    try:
        sys.exit(exec(given["program"], {}) if given["program"] else main())
    except SystemExit as end:
        status = int(end.code or 0)
    except BaseException:  # noqa: BLE001  (reported as by Python itself)
        traceback.print_exc()
        status = 1
    _end(status)


def _end(status: int) -> None:
    """End as Python does, but do not take apart all that is loaded: that takes longer than most commands."""
    threading._shutdown()
    atexit._run_exitfuncs()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _trace(child: int, options: list[str]) -> None:
    """Attach strace to a child that has stopped itself, and let the child continue."""
    os.waitpid(child, os.WUNTRACED)
    words = ["strace", "-f", "-p", str(child), *options]
    tracer = subprocess.Popen(words, stdin=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    said = _pipe(tracer.stderr).readline()
    assert "attached" in said, said
    os.kill(child, signal.SIGCONT)
    tracer.communicate()


def _redirect(number: int, path: str, flags: int) -> None:
    opened = os.open(path, flags)
    os.dup2(opened, number)
    os.close(opened)


if __name__ == "__main__":
    _serve()
