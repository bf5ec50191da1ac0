"""Unused parts of a file are listed when the file is opened, and in the log."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON
from meaning import Meaning
from pytestqt.qtbot import QtBot

from polhode_app.main_window import MainWindow

pytestmark = pytest.mark.new_window  # what was said of the last scene would still be there

ROBOT = """<mujoco model="one rod"><worldbody>{lights}
<body name="rod"><joint name="hinge" axis="0 1 0"/><geom type="capsule" fromto="0 0 0 1 0 0" size="0.05"/></body>
</worldbody></mujoco>"""


def test_notes_are_shown_at_the_start_and_when_a_file_is_opened(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    first, second = tmp_path / "first.xml", tmp_path / "second.xml"
    first.write_text(ROBOT.format(lights="<light/>"))
    kinds = "".join(f"<a{number}/>" for number in range(20))
    second.write_text(ROBOT.format(lights=kinds))
    window = lab(first)
    qtbot.waitUntil(lambda: Meaning("", "<light>", "<worldbody>", line=1).of(window.toast.text), timeout=SOON)
    assert window.session.document.scene.title == "one rod"
    said: list[str] = []
    window.toast.message_shown.connect(said.append)
    window.files.open(second)
    qtbot.waitUntil(lambda: "<a0> in <worldbody>" in window.toast.text, timeout=SOON)
    assert window.toast.text.endswith("... and 12 more")
    assert any("<a19> in <worldbody>" in text for text in said)
    window.session.edit(window.session.scene.model_copy(update={"title": "changed"}))
    window.toast.dismiss()
    qtbot.waitUntil(lambda: window.session.document.scene.title == "changed", timeout=SOON)
    assert not window.toast.isVisible()  # an edit does not tell again


def test_files_without_notes_show_none(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "rod.xml"
    path.write_text(ROBOT.format(lights=""))
    window = lab(path)
    qtbot.waitUntil(lambda: not window.toast.isVisible(), timeout=SOON)
