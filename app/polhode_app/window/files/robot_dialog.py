"""Dialog for opening a robot: its choices, and lists of what is used, replaced and left out."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QPushButton,
    QScrollArea,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from polhode.importers.opening import Robot, read_with
from polhode.importers.options import BY_THE_FILE, ZERO_LIMITS, RobotOptions, ZeroLimits
from polhode.importers.packages import packages_of
from polhode.importers.report import ReportLine
from polhode.importers.ros_zip import ZIP, models_in
from polhode.scene.files.xml_tree import read_xml
from polhode.scene.message import printable
from polhode.scene.problem import InputError
from polhode_app.i18n.import_report import report_text
from polhode_app.i18n.translation import translate, translate_error
from polhode_app.window.accessibility.letters import scaled
from polhode_app.window.widgets.layouts import column_of, grid_of, row_of, scrolled
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel, wrapped
from polhode_app.window.widgets.wheel import ComboBox

MOST_CHOICES = 200  # fields; of more joints without a range the first ones have one
CHOICES_HEIGHT = 180  # [pixel] largest height of the choices, which scroll then
GAP = 4  # [pixel] between two lines
Key = tuple[str, str]  # option and name of a choice


class RobotDialog(QDialog):
    """Shows the report on a model; `robot` is what was read with the choices in the fields, None while it can't be.

    Every choice reads the file again. Raises InputError for a file that no choice makes readable.
    """

    def __init__(self, path: Path, parent: QWidget | None = None, choices: RobotOptions = BY_THE_FILE):
        """choices: those that the fields show at first"""
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open {name}").format(name=path.name))
        self.path = path
        self.robot: Robot | None = None
        self._fault: InputError | None = None  # why there is none
        self._choices = choices
        self.fields: dict[Key, QWidget] = {}
        """Fields of choices, by option and name."""
        self.model = ComboBox()
        self.model.setAccessibleName(self.tr("Model"))
        self._models = models_in(path) if path.suffix.lower() == ZIP else [path]
        self.model.addItems([printable(model.name) for model in self._models])
        self.model.setVisible(len(self._models) > 1)
        self.start = ComboBox()
        self.start.setAccessibleName(self.tr("Start"))
        self.start.hide()
        self.summary, self.error = PlainLabel(), NoteLabel(is_error=True)
        self.choices = self._make_choices()
        self.list = self._make_list()
        self._lay_out()
        self._read()
        if self._fault is not None and not self.fields:
            raise self._fault
        self.model.currentIndexChanged.connect(self._on_model_chosen)
        self.start.activated.connect(lambda _row: self._choose(start=self.start.currentData()))

    def _make_choices(self) -> QScrollArea:
        """Area of the form of choices. Screen readers can't reach fields in cells of the tree."""
        area = scrolled(QWidget())
        area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        return area

    def _make_list(self) -> QTreeWidget:
        """The three lists, which are branches of a tree."""
        tree = QTreeWidget()
        tree.setHeaderHidden(True)
        tree.setAccessibleName(self.tr("Report"))
        tree.setSelectionMode(QTreeWidget.SelectionMode.SingleSelection)
        return tree

    def _lay_out(self) -> None:
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.ok = buttons.addButton(self.tr("Open"), QDialogButtonBox.ButtonRole.AcceptRole)
        self.copy = buttons.addButton(self.tr("Copy as text"), QDialogButtonBox.ButtonRole.ActionRole)
        for button in buttons.buttons():
            button.setAutoDefault(button is self.ok)  # Return opens, wherever the focus is in the lists
        self.copy.clicked.connect(self._copy)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        head = row_of((self.summary, 1), self.start, self.model)
        column_of(head, self.error, self.choices, (self.list, 1), buttons, on=self, margins=16, spacing=12)
        self.ok.setDefault(True)  # now that it is in the dialog, which so gives it back when another button had it
        self.resize(900, 560)

    def _on_model_chosen(self) -> None:
        self._choices = replace(self._choices, of_joints={}, start=None)
        self.start.clear()
        self._read()

    def _read(self) -> None:
        """Read the file with the choices, and show the report, or why it can't be read."""
        model = self._models[self.model.currentIndex()] if self._models else self.path
        folders: dict[Key, Path | None] = {}
        try:
            folders = self._folders(model)
            self.robot = read_with(model, self._choices)
            self._fault = None
            self.error.show_text("")
        except InputError as error:
            self.robot, self._fault = None, error
            missing = self.tr("Meshes of this model are in packages that are not above it: choose their folders.")
            self.error.show_text(missing if None in folders.values() else translate_error(error))
        focused = next((key for key, field in self.fields.items() if field.hasFocus()), None)
        self._fill(folders)
        if focused is None and self.robot is None and self.fields:
            focused = next(iter(self.fields))
        if focused in self.fields:
            self.fields[focused].setFocus()
        self.ok.setEnabled(self.robot is not None)
        self.copy.setEnabled(self.robot is not None)

    def _folders(self, model: Path) -> dict[Key, Path | None]:
        """The folders that may be chosen: of the packages that a URDF names, and that of all files of an MJCF model.

        Raises InputError for a file that is no model.
        """
        document = read_xml(model)
        if document.tag == "mujoco":
            return {("root", ""): self._choices.root or model.parent}
        packages = packages_of(document, model.parent, self._choices.packages)
        return {("package", name): folder for name, folder in packages.items()}

    def _fill(self, folders: dict[Key, Path | None]) -> None:
        """Show the folders that may be chosen, and the lists, which there are none of while the model can't be read."""
        self.list.clear()
        self.list.setVisible(self.robot is not None)
        self.summary.setVisible(self.robot is not None)
        labels = {}
        for (option, name), folder in folders.items():
            whose = name or self.tr("all files of the model")
            place = self.tr("not found") if folder is None else folder
            labels[option, name] = f"{whose}: {place}"
        self.fields = {key: self._folder_button(key[1]) for key in folders}
        if self.robot is not None:
            self._show_robot(self.robot)
        labels |= {key: self.tr("Joint {name}").format(name=key[1]) for key in self.fields if key not in labels}
        self._show_choices(labels)

    def _show_robot(self, robot: Robot) -> None:
        """Show the lists, and make the fields of their choices."""
        self._offer_starts(robot.starts)
        moving = sum(body.support != "fixed" for body in robot.scene.body)
        text = self.tr("Bodies: {bodies}, of which {moving} can move. Joints: {joints}.")
        self.summary.setText(text.format(bodies=len(robot.scene.body), moving=moving, joints=len(robot.scene.joint)))
        headings = {
            "left_out": (self.tr("Left out"), True),
            "replaced": (self.tr("Means something else here"), True),
            "used": (self.tr("Used"), False),
        }
        branches = []
        for key, (heading, is_open) in headings.items():
            lines = [line for line in robot.report.lists[key] if line.choice is None or line.choice.option != "package"]
            branches.append(self._branch(heading, len(lines), is_open))
            for line in lines:
                self._add_line(branches[-1], line)
        self.list.setCurrentItem(branches[0])  # the row that a screen reader announces with the list

    def _show_choices(self, labels: dict[Key, str]) -> None:
        """Show the fields, each with its label, in a new form."""
        if (old := self.choices.takeWidget()) is not None:
            old.deleteLater()  # after the event of its field
        form = QWidget()
        rows = [(field, NoteLabel()) for field in self.fields.values()]
        grid_of(*rows, on=form, margins=0, spacing=(12, GAP), stretched=(1,))
        self.choices.setWidget(form)
        self.choices.setVisible(len(rows) > 0)
        for (field, label), key in zip(rows, self.fields, strict=True):
            label.show_text(printable(labels[key]))
            field.setAccessibleDescription(field.accessibleDescription() or label.text())
        self.choices.setFixedHeight(min(form.sizeHint().height(), scaled(CHOICES_HEIGHT)))
        for before, after in pairwise((self.start, self.model, *self.fields.values(), self.list)):
            QWidget.setTabOrder(before, after)

    def _offer_starts(self, names: tuple[str, ...]) -> None:
        """Offer the keyframes of the model as starts; none are offered where it has none."""
        if self.start.count() != len(names) + 1:
            self.start.clear()
            chosen = self._choices.start
            self.start.addItem(self.tr("Start: coordinates of the file"), None)
            for name in names:
                self.start.addItem(self.tr("Start: {name}").format(name=printable(name)), name)
            self.start.setCurrentIndex(max(0, self.start.findData(chosen)))
        self.start.setVisible(len(names) > 0)

    def _branch(self, heading: str, count: int, is_open: bool) -> QTreeWidgetItem:
        branch = QTreeWidgetItem(self.list, [f"{heading} ({count})"])
        branch.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        font = branch.font(0)
        font.setBold(True)
        branch.setFont(0, font)
        branch.setExpanded(is_open and count > 0)
        return branch

    def _add_line(self, branch: QTreeWidgetItem, line: ReportLine) -> None:
        """Add a line, and the field of its choice."""
        choice, text = line.choice, printable(translate(line.text))
        item = QTreeWidgetItem(branch, [text])
        item.setToolTip(0, wrapped(text))
        if choice is not None and choice.option == "zero_limits" and len(self.fields) < MOST_CHOICES:
            field = self._limits_box(choice.name, choice.value)
            field.setAccessibleDescription(text)
            self.fields[choice.option, choice.name] = field

    def _choose(self, **changes: Any) -> None:
        """Take other choices; changes: of RobotOptions."""
        self._choices = replace(self._choices, **changes)
        self._read()

    def _folder_button(self, name: str) -> QPushButton:
        """A button for the folder of a package, or without a name for that of all files."""
        button = QPushButton(self.tr("Choose folder..."))
        button.setAutoDefault(False)
        title = self.tr("Folder of the package {name}") if name else self.tr("Folder of all files of the model")
        title = title.format(name=name)
        button.setAccessibleName(title)
        button.clicked.connect(lambda: self._ask_folder(name, title))
        return button

    def _ask_folder(self, name: str, title: str) -> None:
        """Ask for the folder of a package, or of all files."""
        chosen = self._choices.packages.get(name) if name else self._choices.root
        folder = QFileDialog.getExistingDirectory(self, title, str(chosen or self.path.parent))
        if folder and name:
            self._choose(packages={**self._choices.packages, name: Path(folder)})
        elif folder:
            self._choose(root=Path(folder))

    def _limits_box(self, name: str, value: str) -> QComboBox:
        box = ComboBox()
        texts = {"free": self.tr("moves freely"), "locked": self.tr("is fixed")}
        for key in ZERO_LIMITS:
            box.addItem(texts[key], key)
        box.setCurrentIndex(box.findData(value))
        box.setAccessibleName(self.tr("Joint {name}").format(name=name))
        box.activated.connect(lambda _row: self._choose_limits(name, box.currentData()))
        return box

    def _choose_limits(self, name: str, value: ZeroLimits) -> None:
        """Take a meaning of the limits 0 and 0 of a joint; the list is made again after the event of its field."""
        limits = {**self._choices.of_joints, name: value}
        QTimer.singleShot(0, self, lambda: self._choose(of_joints=limits))

    def _copy(self) -> None:
        if self.robot is not None:
            QGuiApplication.clipboard().setText(report_text(self.robot.report))


def ask_about_robot(
    path: Path, window: QWidget, on_accepted: Callable[[Robot], None], choices: RobotOptions = BY_THE_FILE
) -> None:
    """Show the dialog, at first with `choices`; if it is accepted, call `on_accepted` with the model that was read.

    Does not block. Raises InputError for a file that no choice makes readable.
    """
    dialog = RobotDialog(path, window, choices)

    def accept() -> None:
        if dialog.robot is not None:
            on_accepted(dialog.robot)

    dialog.accepted.connect(accept)
    dialog.open()
