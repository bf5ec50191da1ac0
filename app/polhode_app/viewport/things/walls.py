"""Walls and floors: slabs of a material that shows their friction. They are visible from their front only.

The plane of a wall has no edge. A floor is drawn without one, too: it fades out beyond what objects may reach, except
where another wall ends it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyvista as pv
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.physics.bodies.shapes import unit
from polhode.physics.contact.description import Wall
from polhode.physics.contact.walls.wall_materials import similar_material
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.bounds import LEVEL
from polhode_app.viewport.base.polydata import box, set_normals
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.geometry.boards import BOARDS, texture
from polhode_app.viewport.geometry.finishes import unlit
from polhode_app.viewport.record import Arrays, ViewBase

MARGIN = 0.08  # margin around the extent, in radii of the stage
FLOOR_MARGIN = 0.3  # the same for horizontal walls, on which shadows fall
THICK, THIN = 0.045, 0.025  # thickness of a floor and of another wall, in radii of the stage
TILE = 1.1  # length of a texture, in radii of the stage
TOWARDS_LIGHT = np.array([-0.33, -0.26, 0.91])  # direction of the key light
AMBIENT = 0.6  # brightness of a face that the key light does not reach
GLASS = 0.4  # opacity of a wall with bodies behind it
RIM = 0.62  # brightness of the narrow sides, relative to the front
EDGE = 1.35  # brightness of the edge of the front, in the same
FADE = 0.6  # width of the strip in which an endless floor fades out, in radii of the stage
STEPS = 7  # points across this strip, between which opacity is interpolated


class WallView(ViewBase):
    """Two actors for each wall: its front, and its narrow sides or, of a floor, the strip in which it fades out."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._shown: list[tuple[Wall, list[vtkActor]]] = []
        self._stage: Stage | None = None
        self._hidden: set[str] = set()
        self._on = True

    def rebuild(self, stage: Stage) -> None:
        """Build all walls."""
        for _, actors in self._shown:
            for actor in actors:
                self._renderer.RemoveActor(actor)
        self._stage = stage
        self._shown = [(wall, _actors(wall, stage)) for wall in stage.scene.wall]
        self._hidden = set(stage.scene.view.hide)
        for _, actors in self._shown:
            for actor in actors:
                self._renderer.AddActor(actor)
        self.set_visible(self._on)

    @property
    def scenery(self) -> Sequence[vtkActor]:
        """The walls at rest, except those of glass."""
        stage = self._stage
        still = [(wall, actors) for wall, actors in self._shown if wall.motion.kind == "still"]
        return [actor for wall, actors in still if stage is not None and _opacity(wall, stage) == 1 for actor in actors]

    def update(self, now: Snapshot) -> None:
        """Move the walls to their current displacements; they grow to where things get."""
        if self._shown and self._stage is not None:
            swept = [self._stage.swept.cover(positions) for positions in (now.bodies.position, now.points.position)]
            if any(swept):
                for wall, (face, rim) in self._shown:
                    _grow(wall, self._stage, face, rim)
        for (wall, actors), displacement in zip(self._shown, now.walls, strict=False):
            if wall.motion.kind != "still":
                for actor in actors:
                    actor.SetPosition(*(displacement * unit(wall.normal)))

    def memory(self) -> Arrays:
        """Box that the walls cover."""
        return {"swept": np.array(self._stage.swept.ends)} if self._stage is not None else {}

    def recall(self, memory: Arrays) -> None:
        """Draw the walls as large as those of the memory."""
        if self._stage is not None and self._stage.swept.grow_to(*memory["swept"]):
            for wall, (face, rim) in self._shown:
                _grow(wall, self._stage, face, rim)

    def set_visible(self, on: bool) -> None:
        """Show or hide the walls."""
        self._on = on
        for wall, actors in self._shown:
            for actor in actors:
                actor.SetVisibility(on and wall.name not in self._hidden)


def corners_of(wall: Wall, stage: Stage) -> np.ndarray:
    """(4, 3) [m] corners of the front of a wall at rest, counterclockwise as seen from the front."""
    low, high = _bounds(wall, stage)
    flat = np.array([low, (high[0], low[1]), high, (low[0], high[1])])
    return np.asarray(wall.point + flat @ axes_of(wall)[:2])


def _bounds(wall: Wall, stage: Stage, fade: float = 0.0) -> tuple[np.ndarray, np.ndarray]:
    """(2,) and (2,) [m] smallest and largest coordinates along the axes of a wall, from its point, of its front.

    `fade` [m] is added at each side that no other wall ends.
    """
    point, (across, up, normal) = np.array(wall.point), axes_of(wall)
    level = abs(normal[2]) > LEVEL
    positions = stage.extent - point
    low, high = box(np.column_stack([positions @ across, positions @ up]))
    margin = np.full(2, FLOOR_MARGIN if level else MARGIN) * stage.radius
    if not level:
        margin = np.minimum(margin, high - low)  # cushions are as low as what rolls
    low, high = low - margin, high + margin
    if stage.swept.growths:  # the wall has no edge, but what is drawn of it
        reached = stage.swept.corners() - point
        least, most = box(np.column_stack([reached @ across, reached @ up]))
        low, high = np.minimum(low, least), np.maximum(high, most)
    if not level:
        low[1] = max(low[1], (stage.ground - point[2]) / up[2])  # nothing is drawn below the ground
    low, high = low - fade, high + fade
    for other in stage.scene.wall:  # it ends at walls that stand on it
        _end_at(other, stage, point, (across, up), low, high)
    return low, high


def _end_at(
    other: Wall, stage: Stage, point: np.ndarray, axes: tuple[np.ndarray, np.ndarray], low: np.ndarray, high: np.ndarray
) -> None:
    """Move the edges `low`, `high` (2,) [m] of a wall through `point` (3,) [m] to the back of a perpendicular wall."""
    normal = unit(other.normal)
    behind = np.array(other.point) - thickness(other, stage) * normal - point
    for k, axis in enumerate(axes):
        if other.motion.kind != "still" or abs(normal @ axis) < LEVEL:
            continue
        if normal @ axis > 0:
            low[k] = min(max(low[k], behind @ axis), high[k])
        else:
            high[k] = max(min(high[k], behind @ axis), low[k])


def thickness(wall: Wall, stage: Stage) -> float:
    """Thickness [m] of the slab behind the front of a wall."""
    return (THICK if abs(unit(wall.normal)[2]) > LEVEL else THIN) * stage.radius


def is_ground(wall: Wall, stage: Stage) -> bool:
    """Whether the front of a wall is at the height of the ground."""
    upright = abs(unit(wall.normal)[2]) > LEVEL
    return bool(upright and wall.motion.kind == "still" and abs(wall.point[2] - stage.ground) < 1e-6 * stage.radius)


def is_endless(wall: Wall) -> bool:
    """Whether a wall is a floor at rest, which is drawn without an edge."""
    return bool(unit(wall.normal)[2] > LEVEL and wall.motion.kind == "still")


def axes_of(wall: Wall) -> np.ndarray:
    """(3, 3) unit vectors in rows: two along a wall, and its normal."""
    normal = unit(wall.normal)
    across = np.array([1.0, 0.0, 0.0]) if abs(normal[2]) > LEVEL else np.cross([0.0, 0.0, 1.0], normal)
    across /= np.linalg.norm(across)
    return np.array([across, np.cross(normal, across), normal])


def _actors(wall: Wall, stage: Stage) -> list[vtkActor]:
    """Front with texture, and narrow sides and edge; light and shade of the flat faces are part of their colours."""
    corners, axes, name = corners_of(wall, stage), axes_of(wall), similar_material(wall)
    color = np.array(BOARDS[name].color(stage.theme))
    face = _actor(_front(wall, stage, corners))
    face.SetTexture(texture(name))
    face.GetProperty().SetColor(*lit(color, axes[2]))
    face.GetProperty().SetOpacity(_opacity(wall, stage))
    if is_endless(wall):
        strip = _actor(_strip(wall, stage, lit(color, axes[2])))
        strip.SetTexture(texture(name))
        strip.GetMapper().SetColorModeToDirectScalars()
        strip.ForceTranslucentOn()
        return [face, strip]
    rim = _actor(_rim(corners, -thickness(wall, stage) * axes[2], color))
    rim.GetMapper().SetColorModeToDirectScalars()
    rim.GetProperty().SetLineWidth(1.5)
    return [face, rim]


def _grow(wall: Wall, stage: Stage, face: vtkActor, rim: vtkActor) -> None:
    """Give the actors of a wall the extent of what has been reached since."""
    corners, normal = corners_of(wall, stage), axes_of(wall)[2]
    face.GetMapper().SetInputData(_front(wall, stage, corners))
    color = np.array(BOARDS[similar_material(wall)].color(stage.theme))
    if is_endless(wall):
        rim.GetMapper().SetInputData(_strip(wall, stage, lit(color, normal)))
    else:
        rim.GetMapper().SetInputData(_rim(corners, -thickness(wall, stage) * normal, color))


def _front(wall: Wall, stage: Stage, corners: np.ndarray) -> pv.PolyData:
    """Front with corners (4, 3) [m]; its texture keeps its position and direction when it grows."""
    front = pv.PolyData(corners, faces=[4, 0, 1, 2, 3])
    set_normals(front, np.tile(axes_of(wall)[2], (4, 1)))
    front.active_texture_coordinates = _on_texture(wall, stage, corners)
    return front


def _on_texture(wall: Wall, stage: Stage, points: np.ndarray) -> np.ndarray:
    """(n, 2) texture coordinates of points (n, 3) [m] of a wall; its boards lie along the longer side."""
    along = axes_of(wall)[:2]
    positions, spans = (points - wall.point) @ along.T / (TILE * stage.radius), stage.extent @ along.T
    return (positions if np.ptp(spans[:, 0]) >= np.ptp(spans[:, 1]) else positions[:, ::-1]).copy()


def _strip(wall: Wall, stage: Stage, color: np.ndarray) -> pv.PolyData:
    """Strip around the front of a floor, in which the floor fades out; it ends at walls as the front does."""
    width = FADE * stage.radius
    (low, high), (least, most) = _bounds(wall, stage), _bounds(wall, stage, width)
    share = np.linspace(0, 1, STEPS)
    lines = [
        np.concatenate([least[k] + share * (low[k] - least[k]), high[k] + share * (most[k] - high[k])]) for k in (0, 1)
    ]
    x, y = (each.ravel() for each in np.meshgrid(*lines, indexing="ij"))
    flat = np.column_stack([x, y])
    outside = np.linalg.norm(np.maximum(np.maximum(low - flat, flat - high), 0.0), axis=1) / width
    opacity = _opacity(wall, stage) * np.clip(1 - outside, 0, 1) ** 2
    number = np.arange(len(flat)).reshape(2 * STEPS, 2 * STEPS)
    cells = np.column_stack(
        [each.ravel() for each in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:])]
    )
    middle = (STEPS - 1) * (2 * STEPS - 1) + STEPS - 1  # the front
    points = wall.point + flat @ axes_of(wall)[:2]
    made = pv.PolyData(points, faces=np.insert(np.delete(cells, middle, axis=0), 0, 4, axis=1).ravel())
    made.active_texture_coordinates = _on_texture(wall, stage, points)
    set_normals(made, np.tile(axes_of(wall)[2], (len(points), 1)))
    colors = np.column_stack([np.tile(color, (len(points), 1)), opacity])
    made.point_data.set_scalars(np.round(255 * colors).astype(np.uint8), "color")
    return made


def _rim(corners: np.ndarray, back: np.ndarray, color: np.ndarray) -> pv.PolyData:
    """Narrow sides of a slab with a front (4, 3) [m] and the edge of that; `back` (3,) [m] leads to the other face.

    Each face has points of its own in its colour, since cells can't be coloured by the shader of `Quality`.
    """
    ends = [(corners[k], corners[(k + 1) % 4]) for k in range(4)]
    sides = [np.array([other, one, one + back, other + back]) for one, other in ends]
    middle = corners.mean(axis=0)
    outward = [unit((one + other) / 2 - middle) for one, other in ends]
    faces = np.insert(np.arange(16).reshape(4, 4), 0, 4, axis=1)
    made = pv.PolyData(np.vstack([*sides, corners]), faces=faces.ravel(), lines=[5, 16, 17, 18, 19, 16])
    shades = np.repeat([*(lit(RIM * color, normal) for normal in outward), lit(EDGE * color, -unit(back))], 4, axis=0)
    made.point_data.set_scalars(np.round(255 * shades).astype(np.uint8), "color")
    return made


def _opacity(wall: Wall, stage: Stage) -> float:
    """Opacity of a wall: GLASS where bodies start behind it."""
    seen = [i for i in range(len(stage.solids)) if i not in stage.unseen]
    hides = ((stage.bodies.position[seen] - wall.point) @ unit(wall.normal) < 0).any()
    return GLASS if hides else 1.0


def lit(color: np.ndarray, normal: np.ndarray) -> np.ndarray:
    """(3,) colour of a flat face under the key light."""
    return np.asarray(np.clip(color * (AMBIENT + (1 - AMBIENT) * max(float(normal @ TOWARDS_LIGHT), 0.0)), 0, 1))


def _actor(surface: pv.PolyData) -> vtkActor:
    """An actor without shading, visible from the front."""
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(surface)
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    unlit(actor.GetProperty())
    actor.GetProperty().BackfaceCullingOn()
    return actor
