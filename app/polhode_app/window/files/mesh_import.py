"""Import of a mesh into a new scene or into the current one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QWidget

from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Body, Scene
from polhode_app.edit.hang_mesh import HangingOptions, added_body, hang
from polhode_app.edit.part_defaults import Placement
from polhode_app.window.files.mesh_dialog import MeshDialog


def ask_to_hang(path: Path, meshes: Meshes, theme: str, window: QWidget, on_accepted: Callable[[Scene], None]) -> None:
    """Show the import dialog; if it is accepted, call `on_accepted` with a scene that contains the mesh.

    Does not block. Raises InputError if the mesh cannot be a body.
    """
    dialog = MeshDialog(path, meshes, theme, window)
    dialog.accepted.connect(lambda: on_accepted(hang(path, dialog.options, meshes)))
    dialog.open()


def ask_to_add(
    scene: Scene,
    path: Path,
    meshes: Meshes,
    theme: str,
    window: QWidget,
    on_accepted: Callable[[Callable[[Scene, Placement], Body]], None],
) -> None:
    """Show the import dialog for a scene; if it is accepted, call `on_accepted` with a function that creates the body.

    That function takes the scene and the placement at the time of the edit. Does not block. Raises InputError if the
    mesh cannot be a body.
    """

    def body_maker(options: HangingOptions) -> Callable[[Scene, Placement], Body]:
        return lambda scene, spot: added_body(scene, path, options, meshes, spot)

    dialog = MeshDialog(path, meshes, theme, window, to=scene)
    dialog.accepted.connect(lambda: on_accepted(body_maker(dialog.options)))
    dialog.open()
