"""3-D preview of a mesh with pivot, centre of mass, principal axes and magnet."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from PySide6.QtCore import QPointF, QTimer, Signal
from PySide6.QtGui import QAccessible, QShowEvent
from vtkmodules.vtkRenderingCore import vtkActor

from polhode.mesh.mesh import Mesh
from polhode.physics.bodies.shapes import MeshShape
from polhode_app.viewport.base.camera import frame
from polhode_app.viewport.base.lighting import light
from polhode_app.viewport.base.palette import NORTH, THEMES
from polhode_app.viewport.environment.background import Background
from polhode_app.viewport.things.shape_surfaces import surface_of
from polhode_app.viewport.widget import ViewWidget
from polhode_app.window.accessibility.roles import set_role

AXES = ("#d55e00", "#009e73", "#0072b2")  # smallest, middle and largest moment
AXIS_LENGTH = 0.3  # half length of an axis, in sizes of the mesh
MARGIN = 1.1  # size of the framed range, in sizes of the mesh
MAGNET_LENGTH = 0.22  # length of the magnet's arrow, in sizes of the mesh
MARK_RADIUS = 0.022  # radius of a mark, in sizes of the mesh


class MeshPreview(ViewWidget):
    """View of a mesh in units of its file, so that the picture does not depend on the chosen unit.

    `picked` carries the point (3,) of the mesh that was clicked, None beside it, and the ray of the click.
    """

    picked = Signal(object, object)  # (3,) in units of the file, or None; Ray

    def __init__(self, mesh: Mesh, theme: str):
        super().__init__()
        set_role(self.surface, QAccessible.Role.Graphic)
        self.surface.setAccessibleName(self.tr("Preview of the mesh"))
        self._size = float(np.ptp(mesh.vertices, axis=0).max())
        renderer = self.plotter.renderer
        light(renderer)
        Background(renderer).paint(THEMES[theme])
        self._surface: vtkActor | None = None
        self.mark_colors = THEMES[theme].arrow, THEMES[theme].text, NORTH  # pivot, centre of mass, magnet
        self.show_mesh(mesh)
        ball = pv.Sphere(radius=MARK_RADIUS * self._size)
        self._pivot = self._add_marker(ball, THEMES[theme].arrow)
        self._center = self._add_marker(pv.Sphere(radius=0.8 * MARK_RADIUS * self._size), THEMES[theme].text)
        arrow = pv.Arrow(start=(-0.5, 0, 0), direction=(1, 0, 0), shaft_radius=0.09, tip_radius=0.2)
        self._magnet = self._add_marker(arrow.scale(MAGNET_LENGTH * self._size), NORTH)
        self._axes = [self._add_marker(_axis_rod(self._size, MARK_RADIUS), color) for color in AXES]
        self.clicked.connect(self._on_clicked)
        self.start()

    def fit(self) -> None:
        """Fit the camera to the mesh."""
        low, high = self._corners.min(axis=0), self._corners.max(axis=0)
        bounds = np.vstack([self._corners, (low + high) / 2 + MARGIN * ((low, high) - (low + high) / 2)])
        frame(self.plotter.renderer.GetActiveCamera(), bounds, self.width() / max(self.height(), 1))
        self.redraw()

    def showEvent(self, event: QShowEvent) -> None:
        """Fit the camera once the view has its size."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self.fit)

    def show_mesh(self, mesh: Mesh) -> None:
        """Replace the mesh; the camera fits it, the marks stay."""
        if self._surface is not None:
            self.plotter.remove_actor(self._surface, reset_camera=False, render=False)
        surface = surface_of(MeshShape(kind="mesh", file="preview", density=1.0), mesh)
        look = {"color": "#9fb8d1", "opacity": 0.62, "pickable": True}
        self._surface = self.plotter.add_mesh(surface, **look, render=False, reset_camera=False)
        self._corners = mesh.vertices
        self.fit()
        self.redraw()

    def set_markers(self, pivot: np.ndarray, center: np.ndarray, axes: np.ndarray, magnet: np.ndarray | None) -> None:
        """Show pivot, centre of mass and magnet (3,) in units of the file, and principal axes as columns (3, 3).

        The magnet points from its position to the pivot; None hides it.
        """
        self._pivot.SetPosition(*pivot)
        self._center.SetPosition(*center)
        for number, actor in enumerate(self._axes):
            actor.user_matrix = _alignment(axes[:, number], center)
        self._magnet.SetVisibility(magnet is not None)
        if magnet is not None:
            self._magnet.user_matrix = _alignment(pivot - magnet, magnet)
        self.redraw()

    def _add_marker(self, shape: pv.PolyData, color: str) -> vtkActor:
        """Add a mesh that cannot be picked."""
        return self.plotter.add_mesh(shape, color=color, ambient=0.45, pickable=False, render=False, reset_camera=False)

    def _on_clicked(self, pixel: QPointF) -> None:
        """Emit `picked`."""
        self.picked.emit(self.point_at(pixel), self.ray_at(pixel))


def _alignment(direction: np.ndarray, position: np.ndarray) -> np.ndarray:
    """Homogeneous matrix (4, 4) that rotates the x axis to `direction` (3,) and moves the origin to `position` (3,)."""
    x = direction / np.linalg.norm(direction)
    across = np.cross(x, np.eye(3)[np.abs(x).argmin()])
    across /= np.linalg.norm(across)
    matrix = np.eye(4)
    matrix[:3, :3] = np.column_stack([x, across, np.cross(x, across)])
    matrix[:3, 3] = position
    return matrix


def _axis_rod(size: float, thickness: float) -> pv.PolyData:
    """A cylinder along x, centred at the origin."""
    half = AXIS_LENGTH * size
    return pv.Cylinder(direction=(1, 0, 0), radius=0.16 * thickness * size, height=2 * half)
