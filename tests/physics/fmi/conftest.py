"""FMUs of small scenes, built once for all processes of tests."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from fmu_host import RunningFmu
from import_path import IMPORT_PATH
from made_once import made_once

from polhode.jit.storage.shipped_code import GENERIC

TESTS = Path(__file__).parents[2]
PUSHED = """
format = 2
title = "A ball that is pushed, and a bead"
solver = { time_step = 0.001 }
body = [{ name = "ball", support = "free", shape = [{ kind = "sphere", radius = 0.05, mass = 0.5 }] }]
force = [
    { on = "ball", force = [0, "0.1*sin(3*t) + abs(x)", 0], torque = [0, 0, 0.01] },
    { on = "ball", force = ["-2*max(vx, 0)^3", 0, "0.5*atan2(y, 1.5)"] },
]

[[bead]]
name = "bead"
mass = 0.1
parameter = 1.0
path = { kind = "formula", x = "cos(q)", y = "0", z = "sin(q) + q^2/9", range = [-4, 8] }
"""
"""Constants, formulas with functions of one and two arguments, powers, and a path."""
HEAVIER = PUSHED.replace("mass = 0.5", "mass = 0.6").replace("A ball that is", "A \\u0001 ball that is")
"""A scene with the same layout, whose title is no text of XML."""
MEASURED = """
format = 2
title = "A force that was measured"
body = [{ name = "ball", support = "free", shape = [{ kind = "sphere", radius = 0.05, mass = 0.5 }] }]
force = [{ on = "ball", force = [0, 0, { data = "force.csv", column = "force", unit = "N" }] }]
"""
DATA = "time [s],force [N]\n0,0\n0.5,3\n1,1\n"


def run_scenes(folder: Path, *names: str) -> dict[str, dict]:
    """Results of tests/fmu_runs.py by scene; FMUs stay in the folder."""
    environment = {**os.environ, **GENERIC, "PYTHONPATH": os.pathsep.join((IMPORT_PATH, str(TESTS)))}
    words = [sys.executable, str(TESTS / "fmu_runs.py"), str(folder), *names]
    done = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-3000:]
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line.pop("scene"): line for line in lines}


@pytest.fixture(scope="session")
def pushed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pushed.fmu, heavier.fmu and measured.fmu, and the results of their comparison, pushed.json."""
    return made_once(tmp_path_factory, "fmus", make_fmus)


def make_fmus(folder: Path) -> None:
    """The scenes, their FMUs and the results."""
    texts = {"pushed.toml": PUSHED, "heavier.toml": HEAVIER, "measured.toml": MEASURED, "force.csv": DATA}
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8")
    found = run_scenes(folder, *(str(folder / name) for name in texts if name.endswith(".toml")))
    (folder / "pushed.json").write_text(json.dumps(found))


@pytest.fixture
def started(pushed: Path) -> Callable[..., RunningFmu]:
    """Starts an instance of the FMU; all are freed at the end."""
    running: list[RunningFmu] = []

    def start(name: str = "one", scene: str = "pushed", begin: float = 0.0) -> RunningFmu:
        running.append(RunningFmu(pushed / f"{scene}.fmu", pushed / scene, name, begin))
        return running[-1]

    yield start
    for each in running:
        each.close()
