"""Dialog for opening a robot: lists of what is used, replaced and left out, with a choice where there is one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt, QTimer
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHeaderView,
    QPushButton,
    QTreeWidget,
    QTreeWidgetItem,
    QWidget,
)

from polhode.importers.opening import Robot, read_with
from polhode.importers.options import ZERO_LIMITS, RobotOptions, ZeroLimits
from polhode.importers.packages import packages_of
from polhode.importers.report import ReportLine
from polhode.importers.ros_zip import ZIP, models_in
from polhode.scene.message import printable
from polhode.scene.problem import InputError
from polhode_app.i18n.import_report import report_text
from polhode_app.i18n.translation import translate, translate_error
from polhode_app.window.widgets.layouts import column_of, row_of
from polhode_app.window.widgets.plain_label import NoteLabel, PlainLabel, wrapped

MOST_CHOICES = 200  # lines with a field; of more joints without a range the first ones have one
CHOICE_WIDTH = 170  # [pixel]
STYLE = "QTreeWidget::item { padding: 5px 2px; }"
Key = tuple[str, str]  # option and name of a choice


class RobotDialog(QDialog):
    """Shows the report on a model; `robot` is what was read with the choices in the fields, None while it can't be.

    Every choice reads the file again. Raises InputError for a file that no choice makes readable.
    """

    def __init__(self, path: Path, parent: QWidget | None = None):
        super().__init__(parent)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Open {name}").format(name=path.name))
        self.path = path
        self.robot: Robot | None = None
        self._fault: InputError | None = None  # why there is none
        self._packages: dict[str, Path] = {}  # folders that are chosen
        self._joints: dict[str, ZeroLimits] = {}  # limits that are chosen
        self.fields: dict[Key, QWidget] = {}
        """Fields of choices, by option and name."""
        self.model = QComboBox()
        self.model.setAccessibleName(self.tr("Model"))
        self._models = models_in(path) if path.suffix.lower() == ZIP else [path]
        self.model.addItems([printable(model.name) for model in self._models])
        self.model.setVisible(len(self._models) > 1)
        self.start = QComboBox()
        self.start.setAccessibleName(self.tr("Start"))
        self.start.hide()
        self.summary, self.error = PlainLabel(), NoteLabel(is_error=True)
        self.list = self._make_list()
        self._lay_out()
        self._read()
        if self._fault is not None and not self.fields:
            raise self._fault
        self.model.currentIndexChanged.connect(self._on_model_chosen)
        self.start.activated.connect(lambda _row: self._read())

    def _make_list(self) -> QTreeWidget:
        """The three lists, which are branches of a tree with a column for choices."""
        tree = QTreeWidget()
        tree.setColumnCount(2)
        tree.setHeaderHidden(True)
        tree.setStyleSheet(STYLE)
        tree.setUniformRowHeights(False)
        tree.setAccessibleName(self.tr("Report"))
        tree.setSelectionMode(QTreeWidget.SelectionMode.SingleSelection)
        tree.header().setStretchLastSection(False)
        tree.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        tree.header().setSectionResizeMode(1, QHeaderView.ResizeMode.Fixed)
        tree.header().resizeSection(1, CHOICE_WIDTH)
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
        column_of(head, self.error, (self.list, 1), buttons, on=self, margins=16, spacing=12)
        self.ok.setDefault(True)  # now that it is in the dialog, which so gives it back when another button had it
        self.resize(900, 560)

    def _on_model_chosen(self) -> None:
        self._joints = {}
        self.start.clear()
        self._read()

    def _read(self) -> None:
        """Read the file with the choices, and show the report, or why it can't be read."""
        model = self._models[self.model.currentIndex()] if self._models else self.path
        packages: dict[str, Path | None] = {}
        try:
            packages = packages_of(model, self._packages)
            options = RobotOptions(self._packages, None, self._joints, start=self.start.currentData())
            self.robot = read_with(model, options)
            self._fault = None
            self.error.show_text("")
        except InputError as error:
            self.robot, self._fault = None, error
            missing = self.tr("Meshes of this model are in packages that are not above it: choose their folders.")
            self.error.show_text(missing if None in packages.values() else translate_error(error))
        focused = next((key for key, field in self.fields.items() if field.hasFocus()), None)
        self._fill(packages)
        if focused is None and self.robot is None and self.fields:
            focused = next(iter(self.fields))
        if focused in self.fields:
            self.fields[focused].setFocus()
        self.ok.setEnabled(self.robot is not None)
        self.copy.setEnabled(self.robot is not None)

    def _fill(self, packages: dict[str, Path | None]) -> None:
        """Show the packages that the model names, and the lists, which there are none of while it can't be read."""
        self.fields = {}
        self.list.clear()
        if packages:
            branch = self._branch(self.tr("Packages"), len(packages), True)
        for name, folder in packages.items():
            place = self.tr("not found") if folder is None else folder
            self._add(branch, printable(f"{name}: {place}"), "package", name)
        self.summary.setVisible(self.robot is not None)
        if self.robot is None:
            return
        scene, report = self.robot.scene, self.robot.report
        self._offer_starts(self.robot.starts)
        moving = sum(body.support != "fixed" for body in scene.body)
        text = self.tr("Bodies: {bodies}, of which {moving} can move. Joints: {joints}.")
        self.summary.setText(text.format(bodies=len(scene.body), moving=moving, joints=len(scene.joint)))
        headings = {
            "left_out": (self.tr("Left out"), True),
            "replaced": (self.tr("Means something else here"), True),
            "used": (self.tr("Used"), False),
        }
        for key, (heading, is_open) in headings.items():
            lines = [line for line in report.lists[key] if line.choice is None or line.choice.option != "package"]
            branch = self._branch(heading, len(lines), is_open)
            for line in lines:
                self._add_line(branch, line)

    def _offer_starts(self, names: tuple[str, ...]) -> None:
        """Offer the keyframes of the model as starts; none are offered where it has none."""
        if self.start.count() != len(names) + 1:
            self.start.clear()
            self.start.addItem(self.tr("Start: coordinates of the file"), None)
            for name in names:
                self.start.addItem(self.tr("Start: {name}").format(name=printable(name)), name)
        self.start.setVisible(len(names) > 0)

    def _branch(self, heading: str, count: int, is_open: bool) -> QTreeWidgetItem:
        branch = QTreeWidgetItem(self.list, [f"{heading} ({count})"])
        branch.setFirstColumnSpanned(True)
        branch.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
        font = branch.font(0)
        font.setBold(True)
        branch.setFont(0, font)
        branch.setExpanded(is_open and count > 0)
        return branch

    def _add_line(self, branch: QTreeWidgetItem, line: ReportLine) -> None:
        choice, text = line.choice, printable(translate(line.text))
        if choice is None or len(self.fields) >= MOST_CHOICES:
            self._add(branch, text)
        else:
            self._add(branch, text, choice.option, choice.name, choice.value)

    def _add(self, branch: QTreeWidgetItem, text: str, option: str = "", name: str = "", value: str = "") -> None:
        """Add a line, with a field where there is a choice."""
        item = QTreeWidgetItem(branch, [text])
        item.setToolTip(0, wrapped(text))
        item.setTextAlignment(0, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        if not option:
            item.setFirstColumnSpanned(True)
            return
        field = self._folder_button(name) if option == "package" else self._limits_box(name, value)
        field.setAccessibleDescription(text)
        item.setSizeHint(1, field.sizeHint())
        self.list.setItemWidget(item, 1, field)
        self.fields[option, name] = field

    def _folder_button(self, name: str) -> QPushButton:
        button = QPushButton(self.tr("Choose folder..."))
        button.setAutoDefault(False)
        button.setAccessibleName(self.tr("Folder of the package {name}").format(name=name))
        button.clicked.connect(lambda: self._ask_folder(name))
        return button

    def _ask_folder(self, name: str) -> None:
        """Ask for the folder of a package."""
        title = self.tr("Folder of the package {name}").format(name=name)
        folder = QFileDialog.getExistingDirectory(self, title, str(self._packages.get(name, self.path.parent)))
        if folder:
            self.set_package(name, Path(folder))

    def set_package(self, name: str, folder: Path) -> None:
        """Take a folder for a package."""
        self._packages[name] = folder
        self._read()

    def _limits_box(self, name: str, value: str) -> QComboBox:
        box = QComboBox()
        texts = {"free": self.tr("moves freely"), "locked": self.tr("is fixed")}
        for key in ZERO_LIMITS:
            box.addItem(texts[key], key)
        box.setCurrentIndex(box.findData(value))
        box.setAccessibleName(self.tr("Joint {name}").format(name=name))
        box.activated.connect(lambda _row: self._choose_limits(name, box.currentData()))
        return box

    def _choose_limits(self, name: str, value: ZeroLimits) -> None:
        """Take a meaning of the limits 0 and 0 of a joint; the list is made again after the event of its field."""
        self._joints[name] = value
        QTimer.singleShot(0, self, self._read)

    def _copy(self) -> None:
        if self.robot is not None:
            QGuiApplication.clipboard().setText(report_text(self.robot.report))


def ask_about_robot(path: Path, window: QWidget, on_accepted: Callable[[Robot], None]) -> None:
    """Show the dialog; if it is accepted, call `on_accepted` with the model that was read.

    Does not block. Raises InputError for a file that no choice makes readable.
    """
    dialog = RobotDialog(path, window)

    def accept() -> None:
        if dialog.robot is not None:
            on_accepted(dialog.robot)

    dialog.accepted.connect(accept)
    dialog.open()
