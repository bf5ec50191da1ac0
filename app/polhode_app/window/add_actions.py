"""Actions that add items to a scene: at once, or drawn in the view."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt
from PySide6.QtGui import QShortcut
from PySide6.QtWidgets import QMenu

from polhode.scene.fields import at
from polhode.scene.problem import InputError
from polhode.scene.scene import Body, Scene
from polhode_app.edit.add_menu import ADDITIONS, AddEntry
from polhode_app.edit.contacts import all_colliding, floor_at, passing, with_rigid_walls
from polhode_app.edit.part_defaults import Placement, spot_in
from polhode_app.edit.parts import NAMED, added
from polhode_app.i18n.item_names import item_title, named_all
from polhode_app.i18n.language import tr
from polhode_app.i18n.translation import translate_problem
from polhode_app.interactors.joint_tool import Edit
from polhode_app.interactors.placing_tool import PlacingTool
from polhode_app.window.files.mesh_file import ask_mesh, in_folder
from polhode_app.window.shell.window_context import EMPTY_RADIUS, WindowContext

if TYPE_CHECKING:
    from polhode.mesh.mesh import Meshes

MESSAGE_TIME = 8.0  # [s] display time of messages
LARGEST_IN_METRES = 1.0  # largest extent of a mesh in metres; larger ones are assumed to be in millimetres


class AddActions(QObject):
    """The Add menu of a window, and what its entries do."""

    def __init__(self, context: WindowContext, edit: Edit):
        """`edit` applies a change to the scene, and says so where it is refused."""
        super().__init__(context.window)
        self._window, self._session, self._scene_view = context.window, context.session, context.scene_view
        self._toast, self._action_table, self._edit = context.toast, context.actions, edit
        self.tool = PlacingTool(context, edit)
        self.tool.changed.connect(self._show_hint)
        self.tool.added.connect(self._check_contacts)
        self._step = self._session.scene.solver.time_step  # [s] before an item is added
        self._hint = ""  # shown while the placing tool waits
        self._add_key = QShortcut(Qt.Key.Key_Return, self._window)
        self._add_key.activated.connect(self._add_drawn)
        self._add_key.setEnabled(False)

    def _default_placement(self, scene: Scene) -> Placement:
        """Where a new item is placed: centre, radius and ground of what is drawn."""
        stage = self._scene_view.stage
        if stage is None or not any(getattr(scene, key) for key in NAMED):
            return spot_in(np.zeros(3), EMPTY_RADIUS, 0.0, scene)
        return spot_in(stage.center, stage.radius, stage.ground, scene)

    def additions(self) -> Iterator[tuple[str, AddEntry]]:
        """Entries of the Add menu that are possible now, each with the name of its group."""
        body = (self._session.selection or ("",))[0] == "body"
        for group, additions in ADDITIONS.items():
            yield from ((group, addition) for addition in additions if body or not addition.inside)

    def fill_menu(self, menu: QMenu, where: QPointF | None = None) -> None:
        """Fill the Add menu; entries that need a selected body are disabled without one.

        where: position in the view where items are added; None: the user draws them.
        """
        available = list(self.additions())
        for group, additions in ADDITIONS.items():
            submenu = menu.addMenu(tr(group)) if group else menu
            for addition in additions:
                action = submenu.addAction(tr(addition.text))
                action.setEnabled((group, addition) in available)
                action.triggered.connect(lambda _checked=False, addition=addition: self.begin(addition, where))

    def begin(self, addition: AddEntry, where: QPointF | None = None) -> None:
        """Let the user draw an item in the view; add it at once if it is not drawn, or at a position of the view."""
        self._step = self._session.scene.solver.time_step
        if addition.text == "Joint":  # its tool may also take a click on each body
            self._action_table["join"].setChecked(True)
        elif addition.drag and not addition.file and not addition.inside:
            self.tool.begin(addition)
            if where is not None:
                self.tool.click(where)
        else:
            self.add(addition)

    def _show_hint(self) -> None:
        """Show how an item is drawn, as long as the placing tool waits for it."""
        entry = self.tool.entry
        self._add_key.setEnabled(entry is not None)
        if entry is not None:
            self._hint = f"{tr(entry.text)}: {self.tool.hint()}"
            self._toast.show_message(self._hint, None)
        elif self._toast.text == self._hint:  # else it says why the item was refused
            self._toast.dismiss()

    def _add_drawn(self) -> None:
        """Add the item that the placing tool waits for on free ground."""
        if (entry := self.tool.entry) is not None:
            self.tool.end()
            self.add(entry)

    def _check_contacts(self) -> None:
        """Say which items have no contact, if what was added can collide, and offer a contact for all.

        Otherwise say if the contacts of what was added made the time step shorter.
        """
        step = self._session.scene.solver.time_step
        others = passing(self._session.scene)
        added = at(self._session.scene, self._session.selection or ())
        if others and getattr(added, "contact", None) is not None:
            text = self.tr("Things pass through {names}: no contact is set there.").format(names=named_all(others[:3]))
            remedy = {self.tr("Let everything collide"): lambda: self._edit(all_colliding) and self._toast.dismiss()}
            self._toast.show_message(text, MESSAGE_TIME, remedy)
        elif step < self._step:
            text = self.tr("Time step {new:.3g} ms instead of {old:.3g} ms: the contacts of {name} need it.")
            name = item_title(self._session.scene, self._session.selection or ())
            text = text.format(new=1e3 * step, old=1e3 * self._step, name=name)
            self._toast.show_message(text, MESSAGE_TIME, self._softer_walls(self._step))
        self._step = step

    def _softer_walls(self, step: float) -> dict[str, Callable[[], object]]:
        """Button that lets walls with a stiffness of their own be as soft as what touches them, for a step [s]."""
        stated = [wall.name for wall in self._session.scene.wall if wall.stiffness is not None]
        if not stated:
            return {}
        text = self.tr("Let {names} be as soft as what touches it: {step:.3g} ms")
        return {
            text.format(names=named_all(stated[:3]), step=1e3 * step): lambda: (
                self._edit(lambda scene: with_rigid_walls(scene, step)) and self._toast.dismiss()
            )
        }

    def add(self, addition: AddEntry) -> None:
        """Add an item on free ground and select it. An entry that needs a mesh asks for its file first."""
        scene = self._session.scene
        self._step = scene.solver.time_step
        spot = self._default_placement(scene)
        if addition.text == "Floor" and (floor := floor_at(scene, spot.ground)) is not None:
            self._session.select(floor)
            text = self.tr("'{name}' is a floor at this height already.")
            self._toast.show_message(text.format(name=item_title(scene, floor)), MESSAGE_TIME)
            return
        if addition.file:
            path = ask_mesh(self._window, scene.folder)
            if path is None:
                return
            spot = replace(spot, file=in_folder(path, scene.folder), scale=self._mesh_unit(path))
            if addition.key == "body" and self._session.meshes is not None:
                self._add_mesh_body(path, self._session.meshes, spot)
                return
        if self._edit(lambda scene: self.tool.add_on_free_ground(scene, addition, spot)):
            self.tool.added.emit()

    def _add_mesh_body(self, path: Path, meshes: Meshes, spot: Placement) -> None:
        """Add a body made from a mesh, after a dialog about its scale and mass."""
        # Imported here, because it loads the compiler, which would delay the first frame.
        from polhode_app.window.files.mesh_import import ask_to_add

        def take(make: Callable[[Scene, Placement], Body]) -> None:
            self._edit(lambda scene: added(scene, "body", make(scene, spot)))

        try:
            ask_to_add(self._session.scene, path, meshes, self._scene_view.theme_name, self._window, take)
        except InputError as error:
            self._toast.show_message(translate_problem(error.problems[0]), MESSAGE_TIME)

    def _mesh_unit(self, path: Path) -> float:
        """Length [m] of the unit of a mesh, guessed from its extent unless the file states it."""
        if self._session.meshes is None:
            return 1.0
        try:
            mesh = self._session.meshes.mesh(path)
        except InputError:
            return 1.0
        extent = np.ptp(mesh.vertices, axis=0).max()
        return 0.001 if extent > LARGEST_IN_METRES and not mesh.frame.unit else 1.0
