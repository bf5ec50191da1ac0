"""The dialog of a robot that is dropped or opened: what is used and left out, and choices, by mouse and keyboard."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from gui import SOON, click
from meaning import Meaning
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QGuiApplication
from PySide6.QtWidgets import QApplication, QComboBox, QDialogButtonBox, QFileDialog
from pytestqt.qtbot import QtBot
from ros_package import ARM, INERTIAL, TETRAHEDRON

from polhode.importers.options import RobotOptions
from polhode_app.main_window import MainWindow
from polhode_app.window.files.robot_dialog import RobotDialog
from polhode_app.window.widgets.problems_dialog import ProblemsDialog

SCENE = '[[body]]\nname = "stone"\n[[body.shape]]\nkind = "point"\nmass = 1\nposition = [0, 0, -1]\n'
ZEROS = '<limit lower="0" upper="0" effort="0" velocity="0"/>'
LIMITS, PACKAGE = ("zero_limits", "j"), ("package", "parts")


def written(folder: Path, mesh: str = "link.obj") -> Path:
    """A robot of one link on a joint whose limits are all zero, with something that is left out."""
    path = folder / "arm.urdf"
    text = ARM.replace("MESH", mesh).replace("KIND", "revolute").replace("LIMIT", ZEROS)
    path.write_text(text.replace("</robot>", "<gazebo/></robot>"))
    (folder / "link.obj").write_text(TETRAHEDRON)
    return path


def dropped(window: MainWindow, qtbot: QtBot, path: Path, kind: type = RobotDialog) -> RobotDialog:
    """The dialog that opens for a file that is dropped on the window."""
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(path))])
    how = Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    QApplication.sendEvent(window, QDragEnterEvent(QPoint(300, 300), *how))
    QApplication.sendEvent(window, QDropEvent(QPointF(300, 300), *how))
    shown = lambda: [each for each in window.findChildren(kind) if each.isVisible()]  # noqa: E731
    qtbot.waitUntil(lambda: bool(shown()), timeout=SOON)
    (dialog,) = shown()
    dialog.activateWindow()
    qtbot.waitUntil(lambda: QApplication.activeWindow() is dialog, timeout=SOON)
    return dialog


def lines(dialog: RobotDialog) -> dict[str, list[str]]:
    """The lines of the lists, by their headings."""
    branches = [dialog.list.topLevelItem(row) for row in range(dialog.list.topLevelItemCount())]
    return {each.text(0): [each.child(row).text(0) for row in range(each.childCount())] for each in branches}


def opened(window: MainWindow, qtbot: QtBot) -> None:
    qtbot.waitUntil(lambda: window.session.document.scene.title == "arm", timeout=SOON)


def test_a_dropped_robot_opens_with_its_report_by_keyboard(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    dialog = dropped(window, qtbot, written(tmp_path))
    left_out, replaced, used = lines(dialog).values()
    assert Meaning("", "<gazebo>").of("\n".join(left_out))
    assert replaced[0].startswith("line 3: <joint> 'j'")
    assert any("<link>" in line for line in used)
    box = dialog.fields[LIMITS]
    assert isinstance(box, QComboBox)
    for _ in range(20):
        if box.hasFocus():
            break
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
    assert box.hasFocus()
    qtbot.keyClick(box, Qt.Key.Key_Down)
    qtbot.waitUntil(lambda: dialog.fields[LIMITS] is not box, timeout=SOON)  # read again
    assert dialog.fields[LIMITS].hasFocus()
    assert dialog.fields[LIMITS].currentData() == "locked"
    qtbot.keyClick(dialog.fields[LIMITS], Qt.Key.Key_Return)
    opened(window, qtbot)
    assert window.session.scene.joint == ()
    assert window.session.document.path == tmp_path / "arm.urdf"
    assert window.session.document.is_saved


def test_cancel_keeps_the_scene(lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path) -> None:
    window = lab()
    before, generation = window.session.document.scene, window.session.document.generation
    dialog = dropped(window, qtbot, written(tmp_path))
    qtbot.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.findChildren(RobotDialog), timeout=SOON)
    assert window.session.document.scene is before
    assert window.session.document.generation == generation
    assert not window.session.is_pending


def test_a_package_that_is_missing_is_asked_for(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = lab()
    dialog = dropped(window, qtbot, written(tmp_path, "package://parts/rod.obj"))
    assert dialog.robot is None
    assert not dialog.ok.isEnabled()
    assert dialog.fields[PACKAGE].accessibleDescription().startswith("parts: ")
    assert dialog.fields[PACKAGE].hasFocus()
    parts = tmp_path / "elsewhere"
    parts.mkdir()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(parts))  # of the system, not of Qt
    click(qtbot, dialog.fields[PACKAGE])
    assert "rod.obj" in dialog.error.text()  # that folder has no such mesh
    (parts / "rod.obj").write_text(TETRAHEDRON)
    click(qtbot, dialog.fields[PACKAGE])
    assert dialog.error.text() == ""
    click(qtbot, dialog.ok)
    opened(window, qtbot)
    assert window.session.scene.body[0].shape[0].file == "elsewhere/rod.obj"


def test_the_folder_of_all_files_of_mjcf_is_chosen(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    window = lab()
    (tmp_path / "shared").mkdir()
    (tmp_path / "models").mkdir()
    (tmp_path / "shared/rod.xml").write_text('<mujoco><body><joint/><geom size="0.1" pos="0 0 -1"/></body></mujoco>')
    path = tmp_path / "models/arm.xml"
    include = '<include file="../shared/rod.xml"/>'
    path.write_text(f'<mujoco model="arm"><worldbody>{include}</worldbody></mujoco>')
    dialog = dropped(window, qtbot, path)
    assert "rod.xml" in dialog.error.text()
    assert not dialog.ok.isEnabled()
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    click(qtbot, dialog.fields["root", ""])
    assert dialog.ok.isEnabled()
    click(qtbot, dialog.ok)
    opened(window, qtbot)


def test_choices_of_the_command_line_are_those_of_the_dialog_at_first(qtbot: QtBot, tmp_path: Path) -> None:
    parts = tmp_path / "elsewhere"
    parts.mkdir()
    (parts / "link.obj").write_text(TETRAHEDRON)
    path = written(tmp_path, "package://parts/link.obj")
    dialog = RobotDialog(path, None, RobotOptions({"parts": parts}, "locked"))
    qtbot.addWidget(dialog)
    assert dialog.fields[LIMITS].currentData() == "locked"
    assert dialog.robot is not None
    dialog.reject()


def test_of_a_zip_with_several_models_one_is_chosen(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    path = written(tmp_path)
    with zipfile.ZipFile(tmp_path / "arms.zip", "w") as archive:
        archive.write(path, "arm.urdf")
        archive.writestr("fixed.urdf", path.read_text().replace("revolute", "fixed"))
        archive.writestr("link.obj", TETRAHEDRON)
    dialog = dropped(window, qtbot, tmp_path / "arms.zip")
    assert dialog.model.isVisible()
    assert LIMITS in dialog.fields
    dialog.model.setFocus()
    qtbot.keyClick(dialog.model, Qt.Key.Key_Down)
    assert LIMITS not in dialog.fields
    qtbot.keyClick(dialog.model, Qt.Key.Key_Up)
    click(qtbot, dialog.copy)
    assert "<gazebo>" in QGuiApplication.clipboard().text()
    click(qtbot, dialog.findChild(QDialogButtonBox).button(QDialogButtonBox.StandardButton.Cancel))


def test_a_robot_that_no_choice_makes_readable_shows_its_problems(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab()
    path = written(tmp_path)
    path.write_text(path.read_text().replace(INERTIAL, INERTIAL.replace('"2"', '"-2"')))
    dialog = dropped(window, qtbot, path, ProblemsDialog)
    assert "line 1" in dialog.table.item(0, 0).text()
    dialog.close()


@pytest.mark.new_window
def test_a_robot_of_the_command_line_is_asked_about_when_the_window_is_open(
    lab: Callable[..., MainWindow], qtbot: QtBot, tmp_path: Path
) -> None:
    window = lab(written(tmp_path))
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(RobotDialog)), timeout=SOON)
    (dialog,) = window.findChildren(RobotDialog)
    dialog.accept()
    opened(window, qtbot)


HINGE = """<mujoco model="arm"><worldbody><body name="b"><joint name="j" axis="0 1 0"/><geom size="0.1" pos="1 0 0"/>
</body></worldbody><keyframe><key name="bent" qpos="0.75"/></keyframe></mujoco>"""


def test_a_keyframe_is_chosen_by_keys(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "arm.xml"
    path.write_text(HINGE)
    dialog = dropped(window, qtbot, path)
    assert [dialog.start.itemData(row) for row in range(dialog.start.count())] == [None, "bent"]
    dialog.start.setFocus()
    qtbot.keyClick(dialog.start, Qt.Key.Key_Down)
    qtbot.keyClick(dialog.start, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: dialog.robot is not None and dialog.robot.scene.joint[0].angle > 0.7, timeout=SOON)
    dialog.accept()
    opened(window, qtbot)
    assert window.session.document.scene.joint[0].angle == pytest.approx(0.75)
