"""Ctrl-C at any time ends a command with one line and exit status 130; long steps are cancelled and reported."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from functools import partial
from pathlib import Path

import numpy as np
import pytest
from import_path import IMPORT_PATH
from meaning import Meaning
from sampling import sampled

from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.diverged import Cancelled
from polhode.simulation.simulation import Simulation
from polhode_app.cli.terminal.interrupts import GRACE

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="/proc tells when a command has begun")

ROOT = Path(__file__).parents[3]
LATEST = GRACE + 5.0  # [s] in which every command ends, on a machine that other work slows down
STIFF = "needle_lattice"  # by the implicit method at 100 times its step, a step takes seconds
LINES = {
    "table": "run heavy_top --until 1e5 --force --out out.csv",
    "recording": "run heavy_top --until 1e5 --force --out out.vtkhdf",
    "film": "render heavy_top --until 100 --size 64x64 --out out.gif",
    "long step": f"run {STIFF} --until 9 --every 0.5 --method implicit --step 0.5 --out out.csv",
    "check": "check magnet_pendulum",
    "verify": "verify",
    "schema": "schema",
    "modes": "modes cloth_by_modes",
}
COMMANDS = {name: line.split() for name, line in LINES.items()}


def started(folder: Path, *words: str, **environment: str) -> subprocess.Popen[str]:
    """A command as a shell starts it in the foreground: the shell of the tests may ignore Ctrl-C.

    Returns when its thread for Ctrl-C runs: before, while Python itself starts, Python prints a traceback.
    """
    process = subprocess.Popen(
        [sys.executable, "-m", "polhode_app", *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": IMPORT_PATH, **environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
    )
    while process.poll() is None and len(list(Path(f"/proc/{process.pid}/task").iterdir())) < 2:
        time.sleep(0.01)
    return process


def interrupted(process: subprocess.Popen[str], after: float) -> tuple[int, str, float]:
    """Exit status, stderr, and the time [s] that a process took to end after a SIGINT `after` [s]."""
    time.sleep(after)
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    said = process.communicate(timeout=60)[1]
    return process.returncode, said, time.monotonic() - begun


def ended_well(status: int, said: str) -> bool:
    """Whether a command was done before, or has ended by Ctrl-C with one line about it."""
    lines = [line for line in said.splitlines() if " warning: " not in line]
    return status == 0 or (status == 130 and len(lines) == 1 and lines[0].startswith("Stopped."))


@pytest.mark.parametrize("name", sampled(COMMANDS, 4))
def test_ctrl_c_at_any_time_ends_a_command_with_one_line(name: str, tmp_path: Path) -> None:
    random = np.random.default_rng(sum(map(ord, name)))
    for after in 4.0 * random.random(2) ** 2:
        status, said, taken = interrupted(started(tmp_path, *COMMANDS[name]), after)
        assert ended_well(status, said), (after, status, said)
        assert taken < LATEST


def with_usual_signals(program: str, *words: str) -> subprocess.CompletedProcess[str]:
    """Run the text of a Python program in which SIGINT has its usual effect."""
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=ROOT,
        capture_output=True,
        text=True,
        preexec_fn=partial(signal.signal, signal.SIGINT, signal.SIG_DFL),
        timeout=60,
        check=False,
    )


INTERRUPTED_IMPORT = """
import os, signal, sys
module = sys.argv.pop(1)
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == module:
            os.kill(os.getpid(), signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
from polhode_app.__main__ import main
sys.exit(main())
"""


@pytest.mark.parametrize(
    "module",
    [
        "polhode_app.cli",
        "polhode_app.cli.terminal.interrupts",
        "socket",
        "polhode_app.cli.main",
        "cyclopts",
        "polhode_app.cli.commands",
    ],
)
def test_ctrl_c_while_the_program_loads_ends_it_with_one_line(module: str) -> None:
    done = with_usual_signals(INTERRUPTED_IMPORT, module, "schema")
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "Stopped.\n")


INTERRUPTED_END = """
import os, signal, sys
class Interrupt:
    def __del__(self, kill=os.kill, pid=os.getpid(), number=signal.SIGINT):
        kill(pid, number)
sys.interrupt = Interrupt()
from polhode_app.__main__ import main
sys.exit(main())
"""


def test_ctrl_c_while_python_ends_leaves_the_status_of_a_command_that_is_done() -> None:
    done = with_usual_signals(INTERRUPTED_END, "schema")
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.nightly
@pytest.mark.parametrize("after", sampled([1.7, 0.8, 3.1, 5.3], 4))
def test_ctrl_c_during_compilation_ends_a_command_with_one_line(after: float, tmp_path: Path) -> None:
    process = started(tmp_path, *COMMANDS["table"], XDG_CACHE_HOME=str(tmp_path))
    status, said, taken = interrupted(process, after)
    assert (status, said) == (130, "Stopped.\n")
    assert taken < LATEST
    assert not (tmp_path / "out.csv").exists()


def stiff() -> Scene:
    scene = read_scene(gallery.path(STIFF))
    solver = scene.solver.model_copy(update={"method": "implicit", "time_step": 100 * scene.solver.time_step})
    return scene.model_copy(update={"solver": solver})


def test_a_cancelled_step_ends_at_once_and_changes_nothing() -> None:
    simulation = Simulation(stiff())
    before, asked = simulation.state, []

    def cancel() -> None:
        asked.append(time.process_time())
        simulation.cancel()

    timer = threading.Timer(0.5, cancel)
    timer.start()
    with pytest.raises(Cancelled):
        simulation.advance_steps(100)
    assert time.process_time() - asked[0] < 0.3  # this process does nothing else
    if simulation.steps == 0:
        assert np.array_equal(simulation.state, before)


@pytest.mark.parametrize("method", sampled(["rk4", "euler", "adams_bashforth_2", "verlet", "implicit"], 4))
def test_a_run_that_was_cancelled_goes_on_bit_by_bit_as_one_that_was_not(method: str) -> None:
    scene = read_scene(gallery.path("heavy_top"))
    scene = scene.model_copy(update={"solver": scene.solver.model_copy(update={"method": method})})
    whole, cut = Simulation(scene), Simulation(scene)
    for each in (whole, cut):
        each.advance_steps(20)
    cut.cancel()
    with pytest.raises(Cancelled):
        cut.advance_steps(20)
    assert cut.steps == 20
    for each in (whole, cut):
        each.advance_steps(20)
    assert np.array_equal(whole.state, cut.state)


@pytest.mark.nightly
def test_a_step_of_seconds_is_reported(tmp_path: Path) -> None:
    process = started(tmp_path, *COMMANDS["long step"])
    assert process.stderr is not None
    timer = threading.Timer(60.0, process.kill)
    timer.start()
    line = next(line for line in process.stderr if Meaning("solver.time_step", "longer", limit=2).of(line))
    timer.cancel()
    process.send_signal(signal.SIGINT)
    begun = time.monotonic()
    said = process.communicate(timeout=30)[1]
    assert Meaning("solver.time_step", step=0.5, limit=2).of(line)
    assert process.returncode == 130
    (end,) = said.splitlines()
    assert Meaning("", "Stopped", out="out.csv").of(end)
    assert time.monotonic() - begun < LATEST
