"""The real program through AT-SPI, the road of screen readers on Linux, in a session bus of its own."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections import Counter
from pathlib import Path
from typing import Any

import PIL.Image
import pytest
from dialogs import BLOCKING, OPENERS
from import_path import IMPORT_PATH
from PySide6.QtCore import QSettings

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene

SYSTEM = "/usr/bin/python3"  # the bindings of AT-SPI are packages of the system
SCRIPTS = Path(__file__).parents[2] / "at_spi"
ROOT = SCRIPTS.parents[1]
PROGRAMS = ("dbus-run-session", "xdotool", "openbox")
DOCKS = ["tree", "inspector", "plots", "sensor", "tones"]
CONTROLS = {
    *("push button", "toggle button", "check box", "radio button", "combo box", "spin button", "slider", "text"),
    *("entry", "page tab list", "table", "tree", "tree table", "list"),
}

BY_ARROWS = {("palette", "Commands")}  # arrow keys in the line of text above move its selection


def bindings_are_there() -> bool:
    """Whether the system has a Python with the bindings of AT-SPI."""
    ask = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
    return Path(SYSTEM).exists() and subprocess.run([SYSTEM, "-c", ask], capture_output=True).returncode == 0


def run(folder: Path, script: str, *words: object, docks: list[str] | None = None, seconds: float = 280) -> Any:
    """Results of a script of tests/at_spi in a window with separate settings; `words` are its further arguments."""
    if sys.platform != "linux" or not all(map(shutil.which, PROGRAMS)) or not bindings_are_there():
        pytest.skip("no AT-SPI: `sh .ci/packages tests` installs what is missing")
    settings = QSettings(str(folder / "config/polhode/polhode.conf"), QSettings.Format.IniFormat)
    known = {"language": "en", "theme": "dark"} | ({} if docks is None else {"docks": docks})
    for key, value in known.items():
        settings.setValue(key, value)
    settings.sync()
    environment = os.environ | {
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "XDG_CONFIG_HOME": str(folder / "config"),
        "XDG_STATE_HOME": str(folder / "state"),
        "PYTHONPATH": IMPORT_PATH,
    }
    found = folder / "found.json"
    command = ["dbus-run-session", "--", SYSTEM, SCRIPTS / script, found, *map(str, words)]
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=seconds)
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(found.read_text())


@pytest.mark.usefixtures("qapp")
def test_a_screen_reader_finds_every_control_with_name_and_role_and_hears_a_pause(tmp_path: Path) -> None:
    """It presses the pause button by its action, hears that the run is paused, and walks the whole tree."""
    program = [sys.executable, "-m", "polhode_app", gallery.path("bead_on_parabola")]
    found = run(tmp_path, "walk_window.py", "Tones", *program, docks=DOCKS)
    assert any(text.startswith("Paused at t = ") for text in found["said"])
    shown: list[dict[str, Any]] = [node for node in found["nodes"] if "SHOWING" in node["states"]]
    roles = Counter(node["role"] for node in shown)
    assert sum(roles[role] for role in CONTROLS) > 60
    assert roles["chart"] == 2
    assert ("image", "3-D view") in {(node["role"], node["name"]) for node in shown}
    assert "Play" in {node["name"] for node in shown if node["role"] == "push button"}  # the pause button has changed
    nameless = [node for node in shown if "FOCUSABLE" in node["states"] and not node["name"]]
    assert [node for node in nameless if node["role"] != "label"] == []
    controls = [node for node in shown if node["role"] in CONTROLS and "ENABLED" in node["states"]]
    assert [node for node in controls if not node["name"] or "FOCUSABLE" not in node["states"]] == []
    header, title, *cells = found["cells"]
    assert (header["name"], title["name"]) == ("Scene", "A bead on a parabola")
    assert {"EXPANDABLE", "EXPANDED"} <= set(title["states"])
    halves = [cell for cell in cells if ("EXPANDABLE" in cell["states"]) != ("EXPANDED" in cell["states"])]
    assert halves + [cell for cell in cells if not cell["name"]] == []  # a reader would say "collapsed" of a leaf


@pytest.mark.nightly
@pytest.mark.timeout(1300)
@pytest.mark.usefixtures("qapp")
def test_a_screen_reader_finds_every_dialog_with_names_and_roles_and_tab_reaches_all_its_controls(
    tmp_path: Path,
) -> None:
    """It opens each dialog, walks its tree, presses Tab until the first control has the focus again, and Escape."""
    names = [*OPENERS, *BLOCKING]
    program = [sys.executable, SCRIPTS / "window_with_dialogs.py", gallery.path("bead_on_parabola")]
    found = run(tmp_path, "walk_dialogs.py", ",".join(names), *program, seconds=1200)
    titles = {name: found[name]["nodes"][0]["name"] for name in names}
    assert (titles["save of a map"], titles["web_page/file"]) == ("Save map", "Web page")
    wrong = []
    for name in names:
        tree, order = found[name]["nodes"], found[name]["order"]
        assert tree[0]["role"] in ("dialog", "alert")
        assert tree[0]["name"]
        for index, node in enumerate(tree):
            if "SHOWING" not in node["states"] or "ENABLED" not in node["states"]:
                continue
            is_control = node["role"] in CONTROLS and (name, node["name"]) not in BY_ARROWS
            if (is_control or "FOCUSABLE" in node["states"]) and not node["name"]:
                wrong.append(f"{name}: {node['role']} without a name")
            if is_control and index not in order:
                wrong.append(f"{name}: Tab does not reach {node['role']} '{node['name']}'")
        said = Counter((tree[index]["role"], tree[index]["name"]) for index in order)
        wrong += [f"{name}: {count} times {role} '{text}'" for (role, text), count in said.items() if count > 1]
    assert wrong == []


@pytest.mark.usefixtures("qapp")
@pytest.mark.nightly
def test_a_whole_task_is_done_by_real_keys_alone(tmp_path: Path) -> None:
    """Gallery, scene tree, a number of the inspector, pause, an exported picture, a new file, a film, quit."""
    found = run(tmp_path, "keyboard_task.py", tmp_path, sys.executable, "-m", "polhode_app")
    assert found["status"] == 0
    assert any(text.startswith("Picture saved") for text in found["said"])
    assert read_scene(tmp_path / "slow top.toml").world.gravity[1] == -4.5
    assert PIL.Image.open(tmp_path / "picture.png").size == (1920, 1080)
    (film,) = tmp_path.glob("*.mp4")
    assert film.stat().st_size > 1000
    assert any(text.endswith(str(film)) for text in found["said"])
