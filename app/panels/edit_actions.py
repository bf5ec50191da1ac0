"""The desk: what a person does to the parts of a scene, from the menus, the tree and the keys."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication, QMenu, QPlainTextEdit

from app.edit.add_menu import ADDITIONS, AddEntry, with_addition
from app.edit.clipboard import SINGLES, apart, pasted, text_of, twins
from app.edit.part_defaults import Placement, spot_in
from app.edit.parts import (
    NAMED,
    added,
    can_hide,
    depending,
    duplicated,
    hidden_at,
    is_hidden,
    listed,
    name_of,
    renamed,
    reordered,
    title,
    without,
)
from app.i18n.field_names import label
from app.i18n.language import tr
from app.i18n.translation import translate_problem
from app.interactors.selection import SelectionTool
from app.panels.inspector.dock import Inspector
from app.panels.inspector.editors import ask_mesh, in_folder
from app.panels.inspector.scene_tree import SceneTree
from app.panels.plots.plot_panel import PlotPanel
from app.panels.shell.actions import OF_A_PART, OF_NOTHING, offer
from app.panels.shell.dock_manager import DockManager
from app.panels.shell.window_context import WindowContext
from app.panels.widgets.icons import icon
from app.panels.widgets.line_edit import CommitLineEdit
from app.viewport.picking.bounding_boxes import box_of
from core.scene.fields import Place, at
from core.scene.problem import InputError
from core.scene.scene import Body, Scene

if TYPE_CHECKING:
    from core.mesh.mesh import Meshes

EMPTY = 0.5  # [m] radius of what a scene without parts is taken for
APART = 1.2  # between a part and its copy, in the part's size
READ = 8.0  # [s] to read what was removed
MILLIMETRES = 1.0  # a mesh that is larger, in its own units, is in millimetres


class EditActions(QObject):
    """Adds, removes, duplicates, renames, hides and reorders parts, and takes them to the clipboard and back."""

    def __init__(self, context: WindowContext, handling: SelectionTool, docks: DockManager, plots: PlotPanel):
        super().__init__(context.window)
        self._window, self._session, self._scene_view = context.window, context.session, context.scene_view
        self._toast, self._handling, self._action_table = context.toast, handling, context.actions
        self._docks, self._plots = docks, plots
        left, right = Qt.DockWidgetArea.LeftDockWidgetArea, Qt.DockWidgetArea.RightDockWidgetArea
        docks.register("tree", self._action_table["tree"], self._make_tree, left)
        docks.register("inspector", self._action_table["inspector"], self._make_inspector, right)
        for name, slot in {
            "delete": self.delete,
            "duplicate": self.duplicate,
            "copy": self.copy,
            "cut": self.cut,
            "paste": self.paste,
            "rename": self._rename,
            "hide": self._hide,
            "move_up": lambda: self._move(-1),
            "move_down": lambda: self._move(1),
        }.items():
            self._action_table[name].triggered.connect(lambda _checked=False, slot=slot: slot())
        handling.asked.connect(self._offer)
        self._session.selected.connect(lambda _place: self._enable())
        self._session.scene_changed.connect(lambda _document: self._enable())
        self._enable()

    def _offer(self, where: QPoint) -> None:
        """A menu at a place of the screen: for what was picked there, or for the whole where nothing is."""
        menu = QMenu(self._window)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.fill_add(menu.addMenu(icon("add", menu.palette()), self.tr("Add")))
        menu.addSeparator()
        offer(menu, OF_A_PART if self._session.selection else OF_NOTHING, self._action_table)
        menu.popup(where)

    def _make_tree(self) -> SceneTree:
        tree = SceneTree(self._session, self._action_table, self.fill_add, self._window)
        tree.renamed.connect(lambda place, name: self._do(lambda scene: renamed(scene, place, name)))
        tree.reordered.connect(self._reorder)
        tree.hidden.connect(lambda place, on: self._do(lambda scene: hidden_at(scene, place, on)))
        return tree

    def _make_inspector(self) -> Inspector:
        inspector = Inspector(self._session, self.radius, self._window)
        inspector.edit_path.connect(lambda: self._action_table["edit_path"].setChecked(True))
        inspector.now.wanted.connect(self._plots.plot)
        return inspector

    @property
    def tree(self) -> SceneTree | None:
        tree = self._docks.docks.get("tree")
        return tree if isinstance(tree, SceneTree) else None

    @property
    def inspector(self) -> Inspector | None:
        inspector = self._docks.docks.get("inspector")
        return inspector if isinstance(inspector, Inspector) else None

    def refuse(self, error: InputError) -> bool:
        """Say at its fields why an edit was not taken; False where nobody reads them."""
        return self.inspector is not None and self.inspector.say(error)

    # What there is

    def radius(self) -> float:
        """[m] of what is seen."""
        stage, scene = self._scene_view.stage, self._session.scene
        empty = not any(getattr(scene, key) for key in NAMED)
        return EMPTY if stage is None or empty else stage.radius

    def _spot(self, scene: Scene) -> Placement:
        stage = self._scene_view.stage
        if stage is None or not any(getattr(scene, key) for key in NAMED):
            return spot_in(np.zeros(3), EMPTY, 0.0, scene)
        return spot_in(stage.center, stage.radius, stage.ground, scene)

    def _chosen(self) -> list[Place]:
        """The places of all parts that are chosen: several in the tree, or one."""
        if self.tree is not None and self.tree.isVisible() and (many := self.tree.chosen):
            return many
        place = self._session.selection
        return [place] if place else []

    def _enable(self) -> None:
        place = self._session.selection
        part = bool(place) and listed(place)  # type: ignore[arg-type]
        for name in ("delete", "duplicate", "cut", "move_up", "move_down"):
            self._action_table[name].setEnabled(part)
        self._action_table["copy"].setEnabled(part or place in SINGLES)
        named = place is not None and name_of(self._session.scene, place) is not None and len(place) == 2
        self._action_table["hide"].setEnabled(place is not None and can_hide(self._session.scene, place))
        self._action_table["rename"].setEnabled(named)

    # Actions

    def additions(self) -> Iterator[tuple[str, AddEntry]]:
        """What can be added now, with the groups that it is in."""
        body = (self._session.selection or ("",))[0] == "body"
        for group, additions in ADDITIONS.items():
            yield from ((group, addition) for addition in additions if body or not addition.inside)

    def fill_add(self, menu: QMenu) -> None:
        """What can be added."""
        there = list(self.additions())
        for group, additions in ADDITIONS.items():
            place = menu.addMenu(tr(group)) if group else menu
            for addition in additions:
                action = place.addAction(tr(addition.text))
                action.setEnabled((group, addition) in there)
                action.triggered.connect(lambda _checked=False, addition=addition: self.add(addition))

    def add(self, addition: AddEntry) -> None:
        """One more part, chosen."""
        scene = self._session.scene
        spot = self._spot(scene)
        if addition.file:
            path = ask_mesh(self._window, scene.folder)
            if path is None:
                return
            spot = replace(spot, file=in_folder(path, scene.folder), scale=self._scale(path))
            if addition.key == "body" and self._session.meshes is not None:
                self._ask_mesh(path, self._session.meshes, spot)
                return
        chosen = self._session.selection
        self._do(lambda scene: with_addition(scene, addition, spot, chosen))

    def _ask_mesh(self, path: Path, meshes: Meshes, spot: Placement) -> None:
        """A body of a mesh, by what is asked about it, as about one that is dropped."""
        # Here and not at the top: it brings the compiler, which the first frame does not wait for.
        from app.panels.files.mesh_import import ask_to_add

        def take(make: Callable[[Scene, Placement], Body]) -> None:
            self._do(lambda scene: added(scene, "body", make(scene, spot)))

        try:
            ask_to_add(path, meshes, self._scene_view.theme_name, self._window, take)
        except InputError as error:
            self._toast.show_message(translate_problem(error.problems[0]), READ)

    def _scale(self, path: Path) -> float:
        """[m] of the unit of a mesh, guessed by its size; 1 where the file states its unit."""
        if self._session.meshes is None:
            return 1.0
        try:
            mesh = self._session.meshes.mesh(path)
        except InputError:
            return 1.0
        extent = np.ptp(mesh.vertices, axis=0).max()
        return 0.001 if extent > MILLIMETRES and not mesh.frame.unit else 1.0

    def delete(self) -> None:
        """Remove the selection, and what depends on it."""
        places = [place for place in self._chosen() if listed(place)]
        if not places:
            return
        scene = self._session.scene
        names = [title(scene, place) for place in places]
        along = {other for place in places for other in depending(scene, place)} - set(places)

        def change(scene: Scene) -> Scene:
            for place in _from_behind([*places, *along]):
                scene = without(scene, place)
            return scene

        if self._do(change):
            self._session.select(None)
            self._tell_removed(names, along)

    def _tell_removed(self, names: list[str], along: Iterable[Place]) -> None:
        counts: dict[str, int] = {}
        for place in along:
            counts[str(place[0])] = counts.get(str(place[0]), 0) + 1
        with_ = ", ".join(f"{label(key)}: {count}" for key, count in counts.items())
        text = self.tr("Removed {names}").format(names=", ".join(names[:4]) + ("..." if len(names) > 4 else ""))
        if with_:
            text += " " + self.tr("and what was attached to it ({what})").format(what=with_)
        undo = self._action_table["undo"].shortcut().toString()
        self._toast.show_message(self.tr("{removed}. {key} restores it.").format(removed=text, key=undo), READ)

    def duplicate(self) -> None:
        """A copy of each that is chosen, beside it."""
        places = [place for place in self._chosen() if listed(place)]

        def change(scene: Scene) -> tuple[Scene, Place]:
            last: Place = ()
            for place in _from_behind(places):
                scene, last = duplicated(scene, place, np.array([self._beside([place]), 0.0, 0.0]))
            return scene, last

        if places:
            self._do(change)

    def _beside(self, places: Iterable[Place]) -> float:
        """[m] to the side, where copies of these do not cover them."""
        stage, moment = self._scene_view.stage, self._session.moment
        known = stage is not None and moment is not None and stage.scene is self._session.document.scene
        boxes = [box_of(stage, moment.snapshot, place) for place in places] if known else []
        sizes = [2 * float(np.abs(box.half @ box.axes)[0]) for box in boxes if box is not None]
        return _neat(APART * (max(sizes, default=0.0) or 0.1 * self.radius()))

    def copy(self) -> bool:
        """The text of the selection into the clipboard."""
        places = self._chosen()
        if _typing() or not places:
            return False
        places = [place for place in places if listed(place) or place in SINGLES]
        if places:
            QGuiApplication.clipboard().setText(text_of(self._session.scene, places))
            self._toast.show_message(self.tr("Copied as scene file text"))
        return bool(places)

    def cut(self) -> None:
        if self.copy():
            self.delete()

    def paste(self) -> None:
        """Parts from the text of the clipboard."""
        text, chosen = QGuiApplication.clipboard().text(), self._session.selection

        def change(scene: Scene) -> tuple[Scene, Place]:
            made, places = pasted(scene, text, chosen)
            if covered := twins(made, places):
                made = apart(made, places, np.array([self._beside(covered), 0.0, 0.0]))
            return made, places[-1]

        self._do(change)

    def _rename(self) -> None:
        self._action_table["tree"].setChecked(True)
        if self.tree is not None:
            self.tree.begin_rename()

    def _hide(self) -> None:
        place = (self._session.selection or ())[:2]
        if can_hide(self._session.scene, place):
            self._do(lambda scene: hidden_at(scene, place, not is_hidden(scene, place)))

    def _move(self, by: int) -> None:
        place = self._session.selection
        if place is not None and listed(place):
            count = len(at(self._session.scene, place[:-1]))
            self._reorder(place, min(max(int(place[-1]) + by, 0), count - 1))

    def _reorder(self, place: Place, index: int) -> None:
        self._do(lambda scene: (reordered(scene, place, index), (*place[:-1], index)))

    def _do(self, change: Callable[[Scene], Scene | tuple[Scene, Place]]) -> bool:
        """Make an edit, and choose its place; say why where it can't be made."""
        try:
            made = change(self._session.scene)
        except InputError as error:
            if not self.refuse(error):
                self._toast.show_message(translate_problem(error.problems[0]), READ)
            if self.tree is not None:
                self.tree.refresh(anew=True)
            return False
        scene, place = made if isinstance(made, tuple) else (made, None)
        self._session.edit(scene)
        if place:
            self._session.select(place)
        if self.tree is not None:
            self.tree.refresh()
        return True


def _from_behind(places: Iterable[Place]) -> list[Place]:
    """Places in an order in which parts can be removed one by one: no number changes before its turn comes."""
    wanted = set(places)
    alone = [place for place in wanted if len(place) == 2 or place[:2] not in wanted]
    first = {"spring": 0, "ghost": 0}
    return sorted(alone, key=lambda place: (first.get(str(place[0]), 1), -len(place), [-step for step in place[1::2]]))  # type: ignore[operator]


def _neat(number: float) -> float:
    return float(f"{number:.2g}")


def _typing() -> bool:
    """Whether the user types a text, which the clipboard serves then."""
    return isinstance(QApplication.focusWidget(), CommitLineEdit | QPlainTextEdit)
