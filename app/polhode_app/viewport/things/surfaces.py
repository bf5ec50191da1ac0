"""Curved surfaces: solid where they are seen from the side that things roll on, like glass from the other side."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from polhode.physics.contact.surfaces import FormulaSurface, Surface
from polhode.physics.contact.walls.wall_materials import similar_material
from polhode.scene.scene import Scene
from polhode_app.viewport.base.mesh_preview_loader import sketched
from polhode_app.viewport.base.palette import rgb, rgba
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.boards import BOARDS
from polhode_app.viewport.record import StillView

FINE = 121  # grid points along each side
LINES = 12  # approximate number of grid lines along the longer side
SUNK = 0.002  # offset of the surface below its lines, relative to its size
GLASS = 0.22  # opacity of the back of a surface
EDGES = 0.30  # opacity of the lines


class SurfaceView(StillView):
    """Three actors for each surface: front, back and lines."""

    def _made(self, stage: Stage) -> Iterator[vtkActor]:
        for surface in stage.scene.surface:
            if surface.name in stage.scene.view.hide:
                continue
            material = BOARDS[similar_material(surface)].color(stage.theme)
            *color, opacity = rgba(surface.color) if surface.color else (*material, 1.0)
            skin, lines = drawn(surface, stage.scene)
            front, back = _actor(skin, color, opacity), _actor(skin, color, GLASS * opacity)
            front.GetProperty().BackfaceCullingOn()
            back.GetProperty().FrontfaceCullingOn()
            edges = _actor(lines, list(rgb(stage.theme.support)), EDGES * opacity)
            edges.GetProperty().LightingOff()
            yield from (front, back, edges)


def drawn(surface: Surface, scene: Scene) -> tuple[pv.PolyData, pv.PolyData]:
    """Mesh of a surface with normals, and its lines. Raises InputError for an unreadable mesh."""
    if isinstance(surface, FormulaSurface):
        skin, lines = _sheet(surface, FINE), _lines(surface)
    else:
        mesh = sketched(surface, scene.folder)
        skin = pv.PolyData.from_regular_faces(surface.placed(mesh.vertices), mesh.faces).clean()
        lines = skin.extract_all_edges()
    skin = skin.compute_normals(feature_angle=30.0, split_vertices=True, consistent_normals=False)
    skin.points -= SUNK * skin.length * np.asarray(skin.point_data.active_normals)
    return skin, lines


def _sheet(surface: FormulaSurface, count: int) -> pv.PolyData:
    """Mesh of the graph of a formula."""
    x, y = surface.grid(count)
    points = np.stack([x, y, surface.heights(x, y)], axis=-1).reshape(-1, 3) + surface.position
    row, column = np.meshgrid(np.arange(count - 1), np.arange(count - 1), indexing="ij")
    first = (row * count + column).ravel()
    quads = np.column_stack([np.full_like(first, 4), first, first + count, first + count + 1, first + 1])
    return pv.PolyData(points, faces=quads.ravel())


def _lines(surface: FormulaSurface) -> pv.PolyData:
    """Lines of constant x and y at round distances."""
    ends = np.array([surface.x_range, surface.y_range])
    wanted = np.ptp(ends, axis=1).max() / LINES
    power = 10.0 ** np.floor(np.log10(wanted))
    spacing = min((step * power for step in (1, 2, 5, 10)), key=lambda step: abs(step - wanted))
    points, cells = [], []
    for axis in (0, 1):
        inner = spacing * np.arange(np.ceil(ends[axis, 0] / spacing), np.floor(ends[axis, 1] / spacing) + 1)
        for value in np.unique([*ends[axis], *inner]):
            along = np.linspace(*ends[1 - axis], FINE)
            x, y = (np.full(FINE, value), along) if axis == 0 else (along, np.full(FINE, value))
            cells.append(np.array([FINE, *range(len(points) * FINE, (len(points) + 1) * FINE)]))
            points.append(np.column_stack([x, y, surface.heights(x, y)]) + surface.position)
    return pv.PolyData(np.vstack(points), lines=np.concatenate(cells))


def _actor(data: pv.PolyData, color: list[float], opacity: float) -> vtkActor:
    """An actor of one colour."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(data)
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    look = actor.GetProperty()
    look.SetColor(*color)
    look.SetOpacity(opacity)
    look.SetAmbient(0.25)
    look.SetDiffuse(0.75)
    look.SetSpecular(0.15)
    look.SetLineWidth(1.2)
    return actor
