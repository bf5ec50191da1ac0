"""Settings, unsaved scenes and machine code that several programs write at once: nothing is lost or broken."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from import_path import IMPORT_PATH
from PySide6.QtCore import QSettings

from polhode.scene.scene_file import read_scene
from polhode_app.session.settings import Settings
from scenes import SWING

ROOT = Path(__file__).parents[3]
CHANGES = 4  # of each program; together as many as the settings hold of recent files
SETTINGS = """
import sys
from pathlib import Path
from types import SimpleNamespace
from PySide6.QtCore import QSettings
from polhode_app.docks.plots.plot_settings import PlotSettings
from polhode_app.session.settings import Settings
store, me = sys.argv[1:3]
settings = Settings(QSettings(store, QSettings.Format.IniFormat))
plots, known = PlotSettings(settings), settings.recent
print("ready", flush=True)
sys.stdin.readline()
for k in range(int(sys.argv[3])):
    path = Path(store).with_name(f"{me}{k}.toml")
    settings.opened(path)
    plots.save(SimpleNamespace(path=path), {"columns": [me]})
"""
WINDOW = """
import sys
from pathlib import Path
from PySide6.QtCore import QSettings, QTimer
from PySide6.QtWidgets import QApplication
from polhode_app.main_window import MainWindow
from polhode_app.session.settings import Settings
app = QApplication([])
settings = Settings(QSettings(sys.argv[2], QSettings.Format.IniFormat))
window = MainWindow(settings, Path(sys.argv[1]))
window.show()
def edit():
    if window.session.frame is not None and window.session.frame.snapshot.time > 0.02:
        if not window.session.scene.title.startswith("edited"):
            settings.opened(Path(sys.argv[1]))
            window.session.edit(window.session.scene.model_copy(update={"title": "edited " + Path(sys.argv[1]).stem}))
            print("edited", flush=True)
timer = QTimer(interval=100)
timer.timeout.connect(edit)
timer.start()
app.exec()
"""
SCENE = SWING.replace("Swing", "tiny")


def started(program: str, *words: object, **environment: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, words)],
        env={**os.environ, "PYTHONPATH": IMPORT_PATH, **environment},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.nightly
def test_two_windows_lose_no_recent_file_and_no_settings_of_plots(tmp_path: Path) -> None:
    store = tmp_path / "settings.ini"
    for me in "ab":
        for k in range(CHANGES):
            (tmp_path / f"{me}{k}.toml").touch()
    both = [started(SETTINGS, store, me, CHANGES) for me in "ab"]
    for each in both:
        assert each.stdout is not None
        assert each.stdout.readline() == "ready\n"
    for each in both:
        assert each.stdin is not None
        each.stdin.write("go\n")
        each.stdin.flush()
    for each in both:
        said = each.communicate(timeout=60)
        assert (each.returncode, said) == (0, ("", ""))
    settings = Settings(QSettings(str(store), QSettings.Format.IniFormat))
    names = {f"{me}{k}.toml" for me in "ab" for k in range(CHANGES)}
    assert {path.name for path in settings.recent} == names
    assert {Path(key).name for key in json.loads(settings.plots)} == names


@pytest.mark.nightly
@pytest.mark.timeout(900)
@pytest.mark.skipif(sys.platform != "linux", reason="kills a window")
def test_two_windows_and_eight_commands_with_an_empty_cache(tmp_path: Path, qapp: object) -> None:
    home = {name: str(tmp_path / name) for name in ("XDG_CACHE_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME")}
    for name in "ab":
        (tmp_path / f"{name}.toml").write_text(SCENE.replace("tiny", name))
    windows = [started(WINDOW, tmp_path / f"{name}.toml", tmp_path / "settings.ini", **home) for name in "ab"]
    main = "import sys; from polhode_app.__main__ import main; sys.exit(main())"
    command = "run", tmp_path / "a.toml", "--until", "0.1", "--quiet"
    words = [(*command, "--out", tmp_path / f"{k}.csv") for k in range(8)]
    commands = [started(main, *each, **home) for each in words]
    try:
        for each in commands:
            said = each.communicate(timeout=600)
            assert (each.returncode, said) == (0, ("", ""))
        for window in windows:
            assert window.stdout is not None
            assert window.stdout.readline() == "edited\n"
        unsaved, end = tmp_path / "XDG_STATE_HOME" / "polhode" / "unsaved", time.monotonic() + 60
        while len([*unsaved.glob("*.toml")]) < 2:
            assert time.monotonic() < end, "the edits were not backed up"
            time.sleep(0.1)
    finally:
        for window in windows:
            window.send_signal(signal.SIGKILL)
            window.communicate()
    assert len({path.read_bytes() for path in tmp_path.glob("*.csv")}) == 1
    assert {read_scene(path).title for path in unsaved.glob("*.toml")} == {"edited a", "edited b"}
    recent = Settings(QSettings(str(tmp_path / "settings.ini"), QSettings.Format.IniFormat)).recent
    assert {path.name for path in recent} == {"a.toml", "b.toml"}
    kernels = [*(tmp_path / "XDG_CACHE_HOME" / "polhode" / "kernels").rglob("*")]
    assert not [path for path in kernels if re.search(r"-[0-9a-f]{24}\.[0-9a-f]{16}$", path.name)], "unfinished files"
    again = started(main, *words[0], **home)
    begin = time.monotonic()
    assert again.communicate(timeout=60) == ("", "")
    assert time.monotonic() - begin < 20.0, "it compiles again"
