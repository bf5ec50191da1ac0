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

import pytest
from PySide6.QtCore import QSettings
from pytestqt.qtbot import QtBot

from core.scene import gallery

SYSTEM = "/usr/bin/python3"  # the bindings of AT-SPI are packages of the system
WALKER = Path(__file__).parents[2] / "at_spi_walker.py"
DOCKS = ["tree", "inspector", "plots", "sensor", "tones"]
CONTROLS = {
    *("push button", "toggle button", "check box", "combo box", "spin button", "slider", "text", "entry"),
    *("page tab list", "table", "tree", "list"),
}


def bindings_are_there() -> bool:
    """Whether the system has a Python with the bindings of AT-SPI."""
    ask = "import gi; gi.require_version('Atspi', '2.0'); from gi.repository import Atspi"
    return Path(SYSTEM).exists() and subprocess.run([SYSTEM, "-c", ask], capture_output=True).returncode == 0


def test_a_screen_reader_finds_every_control_with_name_and_role_and_hears_a_pause(tmp_path: Path, qtbot: QtBot) -> None:
    """It presses the pause button by its action, hears that the run is paused, and walks the whole tree."""
    if sys.platform != "linux" or shutil.which("dbus-run-session") is None or not bindings_are_there():
        pytest.skip("no AT-SPI: `sh .ci/packages tests` installs dbus-daemon, at-spi2-core and its bindings")
    settings = QSettings(str(tmp_path / "config/polhode/polhode.conf"), QSettings.Format.IniFormat)
    for key, value in {"docks": DOCKS, "language": "en", "theme": "dark"}.items():
        settings.setValue(key, value)
    settings.sync()
    environment = os.environ | {
        "QT_LINUX_ACCESSIBILITY_ALWAYS_ON": "1",
        "XDG_CONFIG_HOME": str(tmp_path / "config"),
        "XDG_STATE_HOME": str(tmp_path / "state"),
    }
    program = [sys.executable, "-m", "app", str(gallery.path("bead_on_parabola"))]
    walk = ["dbus-run-session", "--", SYSTEM, str(WALKER), str(tmp_path / "tree.json"), "Tones", *program]
    done = subprocess.run(walk, cwd=WALKER.parents[1], env=environment, capture_output=True, text=True, timeout=280)
    assert done.returncode == 0, done.stderr[-2000:]
    found = json.loads((tmp_path / "tree.json").read_text())
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
