"""Files of version 0.1.0 in this version: scene, recording, map, and the settings of the window.

Version 0.1.0 is the wheel of the commit OLD, which is built here and runs beside this version, each with its own caches
and folders. docs/formats.md says which files of which version open where.
"""

from __future__ import annotations

import csv
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from import_path import IMPORT_PATH

from installers.libraries import build_wheel, install_wheel
from polhode import Simulation, Sweep, read_map, read_recording, read_scene, write_scene

pytestmark = pytest.mark.nightly
ROOT = Path(__file__).parents[2]
OLD = "37d08f22"
SCENE = """\
title = "Pendulum over a magnet"
solver = { time_step = 1e-3 }
[[body]]
name = "bob"
position = [0, 0, 0.3]
angular_velocity = [0.4, 1.1, 5.0]
friction = 1e-3
shape = [{ kind = "sphere", radius = 0.02, mass = 0.2, position = [0, 0, -0.25] }]
dipole = [{ position = [0, 0, -0.25], moment = [0, 0, 1] }]
[[body]]
name = "magnet"
support = "fixed"
shape = [{ kind = "cylinder", radius = 0.01, length = 0.01, density = 7500 }]
dipole = [{ moment = [0, 0, 1] }]
[[sweep]]
until = 1.0
axes = [{ parameter = "body[0].angular_velocity[0]", range = [-2, 2], count = 16 }]
outcome = { kind = "final", quantity = "bob.angular_velocity.y" }
"""
ROUNDING = 1e-12  # relative: the compiler may order sums otherwise, and the motion is regular
SETTINGS = """
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication
from {package}.main_window import MainWindow
from {package}.session.settings import Settings
application = QApplication([])
settings = Settings(QSettings("window.ini", QSettings.Format.IniFormat))
window = MainWindow(settings, Path("scene.toml"))
window.show()
def step():
    {step}
    window.close()
    application.quit()
QTimer.singleShot(15000, step)
application.exec()
"""
FIRST = """window.action_table["plots"].setChecked(True); window.action_table["inspector"].setChecked(False)
    window.set_language("ja"); window.dialogs.set_letters(150)"""
SECOND = """print(*(window.action_table[name].isChecked() for name in ("plots", "inspector")))
    print(settings.language, settings.letters)"""


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the files of the wheel of version 0.1.0."""
    made = tmp_path_factory.mktemp("old")
    archive = subprocess.run(["git", "-C", ROOT, "archive", "--format=tar", OLD], capture_output=True)
    if archive.returncode != 0:
        pytest.skip("this copy of the sources has no history")
    (made / "sources").mkdir()
    subprocess.run(["tar", "-x", "-C", made / "sources"], input=archive.stdout, check=True)
    wheel = build_wheel(made / "sources", made)
    assert wheel.name.startswith("polhode-0.1.0-")
    install_wheel(wheel, made / "site")
    return made / "site"


@pytest.fixture(scope="module")
def written(old: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what version 0.1.0 has written."""
    folder = tmp_path_factory.mktemp("written")
    (folder / "scene.toml").write_text(SCENE, "utf-8")
    rows = ("--until", "1", "--every", "0.01", "--out")
    for words in (
        ("run", "scene.toml", *rows, "run.csv"),
        ("run", "scene.toml", *rows, "run.vtkhdf"),
        ("sweep", "scene.toml", "--out", "map.h5"),
    ):
        started(old, folder, "-m", "app", *words)
    return folder


def started(site: Path | str, folder: Path, *words: str) -> str:
    """Output of Python with packages from `site`, and caches and settings in `folder`."""
    environment = {**os.environ, "PYTHONPATH": str(site), "XDG_CACHE_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    done = subprocess.run(
        [sys.executable, "-P", *words], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def table(path: Path) -> tuple[list[str], np.ndarray]:
    """Names of the columns, and rows (r, c)."""
    with path.open(encoding="utf-8") as file:
        heading, *rows = csv.reader(file)
    return heading, np.array(rows, dtype=float)


def test_a_scene_runs_to_the_same_numbers(written: Path) -> None:
    heading, rows = table(written / "run.csv")
    run = Simulation(read_scene(written / "scene.toml")).run(until=1.0, every=0.01)
    assert [name for name in heading if name not in run.names] == []
    assert run.numbers[:, [run.names.index(name) for name in heading]] == pytest.approx(rows, rel=ROUNDING, abs=1e-15)


def test_a_recording_opens_and_repeats_its_run(written: Path) -> None:
    heading, rows = table(written / "run.csv")
    with read_recording(written / "run.vtkhdf") as recorded:
        assert recorded.about.program.endswith("0.1.0")
        assert recorded.table(*heading) == pytest.approx(rows, rel=ROUNDING, abs=1e-15)
        *_, last = recorded.playback.rerun()
        assert last.state == pytest.approx(recorded.state(-1), rel=ROUNDING, abs=1e-15)


def test_a_map_opens_with_the_values_of_a_new_one(written: Path) -> None:
    found = read_map(written / "map.h5")
    again = Sweep(read_scene(written / "scene.toml")).run()
    assert found.map.value == pytest.approx(again.value, rel=1e-9)


def test_files_of_this_version_open_in_the_old_one(old: Path, written: Path, tmp_path: Path) -> None:
    """A scene, a recording and a map without what is new."""
    scene = read_scene(written / "scene.toml").with_values({"title": "New"})
    write_scene(scene, tmp_path / "new.toml")
    for words in (
        ("run", "new.toml", "--until", "0.1", "--out", "new.vtkhdf"),
        ("sweep", "new.toml", "--out", "new.h5"),
    ):
        started(IMPORT_PATH, tmp_path, "-m", "polhode_app", *words)
    assert "ok; bodies: 2" in started(old, tmp_path, "-m", "app", "check", "new.toml")
    assert "New" in started(old, tmp_path, "-m", "app", "info", "new.vtkhdf")
    started(old, tmp_path, "-m", "app", "run", "new.vtkhdf", "--out", "again.csv")
    assert table(tmp_path / "again.csv")[1].shape[0] == 11
    assert "16" in started(old, tmp_path, "-m", "app", "info", "new.h5")


def test_the_window_keeps_docks_language_and_letters(old: Path, written: Path) -> None:
    started(old, written, "-c", SETTINGS.format(package="app", step=FIRST))
    told = started(IMPORT_PATH, written, "-c", SETTINGS.format(package="polhode_app", step=SECOND)).split()
    assert told == ["True", "False", "ja", "150"]
