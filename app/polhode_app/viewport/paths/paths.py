"""Bead paths: a wire through sliding beads, rails with ties below rolling ones; balls at ends that stop a bead."""

from __future__ import annotations

import numpy as np
import pyvista as pv
from vtkmodules.vtkCommonMath import vtkMatrix4x4
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper, vtkRenderer

from polhode.physics.paths.path_geometry import PathPose
from polhode.physics.paths.path_motions import PathMotion
from polhode.simulation.path_pose import pose_of_path
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.polydata import joined, placed, repeated
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.paths.path_polylines import PathPolyline, tracks
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.things.shape_surfaces import unit_ball
from polhode_app.viewport.things.supports import metal

THINNEST, THICKEST = 0.0055, 0.014  # limits of the radius of a wire, in radii of the stage
STOP = 2.2  # radius of a stop, in radii of the wire
UNIT = 1.6e-5  # depth of a unit of an offset, in that from the near to the far plane (vtkOpenGLPolyDataMapper)
TIE = 0.75  # radius of a tie, in the same
FEW = 50  # beads up to which wires are round; with more they have fewer sides


class PathView(ViewBase):
    """One actor for all paths with equal motion; usually there is a single one, at rest."""

    def __init__(self, renderer: vtkRenderer):
        self._renderer = renderer
        self._stage: Stage | None = None
        self.wires: list[tuple[PathMotion, vtkActor]] = []
        self._on = True
        renderer.AddObserver("StartEvent", lambda *_: self._push_back())

    def rebuild(self, stage: Stage) -> None:
        """Build the wires of all visible beads."""
        self._stage = stage
        for _, actor in self.wires:
            self._renderer.RemoveActor(actor)
        groups: dict[PathMotion, dict[int, PathPolyline]] = {}
        for name, track in tracks(stage.scene).items():
            if name in stage.scene.view.hide:
                continue
            groups.setdefault(track.motion, {})[id(track)] = track
        sides = 14 if len(stage.scene.bead) <= FEW else 6
        self.wires = []
        for motion, alike in groups.items():
            actor = _actor(_wires(list(alike.values()), stage.radius, sides), stage)
            self._renderer.AddActor(actor)
            self.wires.append((motion, actor))
        self.update(stage.start)
        self.set_visible(self._on)

    def update(self, now: Snapshot) -> None:
        """Move the wires to the current displacement of the paths."""
        for motion, actor in self.wires:
            if motion.kind != "still" and self._stage is not None:
                move_to(actor, pose_of_path(self._stage.scene, motion, now))

    def _push_back(self) -> None:
        """Draw the wires deeper by their radius, so that the trails of beads, which are inside, are drawn over them."""
        if self._stage is None or not self.wires:
            return
        camera = self._renderer.GetActiveCamera()
        (near, far), distance = camera.GetClippingRange(), camera.GetDistance()
        is_parallel = camera.GetParallelProjection()
        rate = 1 / (far - near) if is_parallel else near * far / ((far - near) * max(distance, near) ** 2)  # [1/m]
        units = THICKEST * self._stage.radius * rate / UNIT
        for _, actor in self.wires:
            actor.GetMapper().SetRelativeCoincidentTopologyPolygonOffsetParameters(0.0, units)

    def set_visible(self, on: bool) -> None:
        """Show or hide the wires."""
        self._on = on
        for _, actor in self.wires:
            actor.SetVisibility(on)


def move_to(actor: vtkActor, pose: PathPose) -> None:
    """Show an actor of a path at rest where the path is."""
    matrix = vtkMatrix4x4()
    for row in range(3):
        for column in range(3):
            matrix.SetElement(row, column, pose.rotation[row, column])
        matrix.SetElement(row, 3, pose.offset[row])
    actor.SetUserMatrix(matrix)


def _wires(alike: list[PathPolyline], stage_radius: float, sides: int) -> pv.PolyData:
    """Tubes along polylines, split at corners, with balls at joints and at ends that stop a bead."""
    made = []
    for size in {track.radius for track in alike}:
        radius = float(np.clip(size, THINNEST * stage_radius, THICKEST * stage_radius))
        of_size = [track for track in alike if track.radius == size]
        for closed in (False, True):
            pieces = [piece for track in of_size if track.closed == closed for piece in track.pieces]
            if pieces:
                made.append(_lines(pieces).tube(radius=radius, n_sides=sides, capping=not closed))
        joints = [rail[k] for track in of_size for rail in track.rails for k in track.corners[1:-1]]
        stops = [end for track in of_size if track.stops for rail in track.rails for end in rail[[0, -1]]]
        ties = [tie for track in of_size for tie in track.ties]
        if ties:
            made.append(_lines(ties).tube(radius=TIE * radius, n_sides=max(sides // 2, 4)))
        made += [_balls(radius, sides, joints), _balls(STOP * radius, sides, stops)]
    return joined([part for part in made if part.n_points])


def _lines(pieces: list[np.ndarray]) -> pv.PolyData:
    """Polylines as one mesh."""
    first = np.cumsum([0, *map(len, pieces)])
    cells = [[len(piece), *range(start, start + len(piece))] for start, piece in zip(first, pieces, strict=False)]
    return pv.PolyData(np.vstack(pieces), lines=np.concatenate(cells))


def _balls(radius: float, sides: int, positions: list[np.ndarray]) -> pv.PolyData:
    """A ball of radius `radius` [m] at each position."""
    if not positions:
        return pv.PolyData()
    one = placed(unit_ball(2 * (sides // 2)), np.eye(3), np.zeros(3), radius)
    return repeated(one, np.array(positions))


def _actor(surface: pv.PolyData, stage: Stage) -> vtkActor:
    """A metallic actor that cannot be picked."""
    actor = vtkActor()
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(surface)
    mapper.ScalarVisibilityOff()
    mapper.StaticOn()
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    actor.SetMapper(mapper)
    actor.PickableOff()
    metal(actor.GetProperty())
    actor.GetProperty().SetColor(*rgb(stage.theme.support))
    return actor
