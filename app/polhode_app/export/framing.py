"""Cameras of the built-in scenes that frame moving things: `python -m polhode_app.export.framing [SCENE ...]` writes
them into the files.

A camera frames what moves within HORIZON: it sweeps at least HEIGHT of the height of the picture, or WIDTH of its
width. Resting things are in the picture as far as they fit.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode.mesh.mesh import Meshes
from polhode.physics.contact.surfaces import MeshSurface
from polhode.physics.paths.path_geometry import polyline
from polhode.scene import gallery
from polhode.scene.fields import with_value
from polhode.scene.scene import Camera
from polhode.scene.scene_file import read_scene
from polhode.scene.scene_writing import write_scene
from polhode.simulation.simulation import Diverged, Simulation
from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.camera import FROM, clip_matrix, frame
from polhode_app.viewport.base.camera_animation import CameraPose, pose_at, pose_of, set_camera
from polhode_app.viewport.base.mesh_preview_loader import sketched
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.things.point_appearance import anchors, cloud
from polhode_app.viewport.vectors import polhode
from polhode_app.viewport.view import SceneView

HORIZON = 10.0  # [s]
FRAMES = 240  # at which positions are taken
HEIGHT, WIDTH = 0.5, 0.8  # least sweep, in heights and widths of the picture
ASPECT = 1.25  # width over height of the view in a window with its docks
INSIDE = 0.95  # minimum fraction of the moving things in the picture
SPARE = 1.04  # the least sweep is exceeded by this factor, which leaves less than camera.MARGIN of the width
POINTS = 48  # of the surface of a body
MOST_POINTS = 400  # of soft bodies and particles
STILL = 1e-4  # displacement of what counts as still, in radii of the stage
FAR = 26.0  # extent of a sweep, in sizes of the largest thing that moves, beyond which a shorter time is framed
SHORTER = 0.72  # each time
SHARES = np.linspace(1.0, 0.0, 21)  # extents of resting things, around the moving ones, that may be in the picture
NEARLY_ALL = 0.9  # of them
GAIN = 0.22  # by which another direction has to be better
HEIGHTS = (33.0, 45.0, 56.0)  # [degrees] further heights from which to look


AXES = np.vstack([np.eye(3), -np.eye(3)])


@dataclass(frozen=True, eq=False)
class SweptPoints:
    """Where things are in the first HORIZON of a run, laboratory frame."""

    times: np.ndarray  # (t,) [s]
    moving: np.ndarray  # (t, n, 3) [m] points of moving things
    still: np.ndarray  # (m, 3) [m] points of resting things
    size: float  # [m] extent of the largest moving thing

    def until(self, time: float) -> np.ndarray:
        """(n, 3) [m] finite points of moving things, up to a time [s]."""
        points = self.moving[self.times <= time].reshape(-1, 3)
        return np.asarray(points[np.isfinite(points).all(axis=1)])


def sweep_of(stage: Stage, simulation: Simulation, seconds: float = HORIZON) -> SweptPoints:
    """Run a simulation for some time [s], or until it diverges, and record the positions of moving things."""
    bodies = {i: _spread(stage.solids[i].points) for i in stage.moving}
    looks = cloud(stage)
    points = np.flatnonzero(~looks.hidden)
    points = points[:: max(len(points) // MOST_POINTS, 1)]
    spheres = looks.radius[points, None, None] * AXES
    figures = polhode.figures(stage) if "polhode" in stage.scene.view.show else []
    times, positions = [], []
    with suppress(Diverged):
        for k in range(FRAMES + 1):
            now = simulation.snapshot()
            times.append(now.time)
            turned = [points @ now.bodies.basis[i] + now.bodies.position[i] for i, points in bodies.items()]
            balls = (now.points.position[points, None] + spheres).reshape(-1, 3)
            drawn = [_figure(figure, now) for figure in figures]
            positions.append(np.vstack([np.zeros((0, 3)), *turned, balls, *drawn]))
            if k < FRAMES:
                simulation.advance(seconds / FRAMES)
    moving = np.array(positions)
    moves = np.ptp(moving, axis=0).max(axis=1) > STILL * stage.radius
    sizes = [float(np.linalg.norm(np.ptp(points, axis=0))) for points in (*bodies.values(), *_soft(stage))]
    return SweptPoints(
        np.array(times), moving[:, moves] if moves.any() else moving, _still(stage), max(sizes, default=0.0)
    )


def _figure(figure: polhode.Poinsot, now: Snapshot) -> np.ndarray:
    """(6, 3) [m] points around Poinsot's construction for a body."""
    middle = now.bodies.position[figure.number] + figure.center @ now.bodies.basis[figure.number]
    return np.asarray(middle + polhode.MOMENTUM * figure.longest * AXES @ now.bodies.basis[figure.number])


def _soft(stage: Stage) -> list[np.ndarray]:
    """(n, 3) [m] points of each soft body and particle at the start, with its spheres."""
    radius, points = cloud(stage).radius[:, None], stage.start.points.position
    return [np.vstack([points[at] - radius[at], points[at] + radius[at]]) for at in stage.where.values()]


def covered(camera: vtkCamera, points: np.ndarray, aspect: float = ASPECT) -> tuple[float, float]:
    """Shares of the height and of the width of a picture that points (n, 3) [m] sweep, as far as they are in it."""
    x, y = _projected(camera, points, aspect)
    x, y = np.clip(x, -1, 1), np.clip(y, -1, 1)
    return float(np.ptp(y)) / 2, float(np.ptp(x)) / 2


def inside(camera: vtkCamera, points: np.ndarray, aspect: float = ASPECT) -> float:
    """Share of points (n, 3) [m] that are in the picture."""
    x, y = _projected(camera, points, aspect)
    return float(((np.abs(x) <= 1) & (np.abs(y) <= 1)).mean())


def is_framed(camera: vtkCamera, points: np.ndarray, spare: float = 1.0) -> bool:
    """Whether moving points (n, 3) [m] sweep enough of the picture."""
    high, wide = covered(camera, points)
    return high >= spare * HEIGHT or wide >= spare * WIDTH


def framed_time(sweep: SweptPoints) -> float:
    """Time [s] up to which things are small in comparison with the scene, but not too small to be seen."""
    time = HORIZON
    while time > HORIZON / 20 and np.linalg.norm(np.ptp(sweep.until(time), axis=0)) > FAR * sweep.size:
        time *= SHORTER
    return time


def place(camera: vtkCamera, sweep: SweptPoints, wanted: Camera | None = None) -> None:
    """Set a camera such that moving things are framed, as nearly as possible in the direction of `wanted`.

    Of some directions the first one is taken in which nearly all that stands still is in the picture, too.
    """
    moving = sweep.until(framed_time(sweep))
    middle = (moving.min(axis=0) + moving.max(axis=0)) / 2
    best, found = -GAIN, pose_of(camera)
    for ahead in _directions(wanted):
        for share in SHARES[best + GAIN <= SHARES]:
            set_camera(camera, CameraPose(middle, -ahead, 1.0, np.array([0.0, 0.0, 1.0]), 1.0))
            frame(camera, np.vstack([moving, middle + share * (sweep.still - middle)]), ASPECT, "")
            if is_framed(camera, moving, SPARE):
                best, found = share, pose_of(camera)
                break
        if best >= NEARLY_ALL:
            break
    set_camera(camera, found)


def _directions(wanted: Camera | None) -> list[np.ndarray]:
    """(3,) unit directions of projection: that of `wanted` or the usual one, from higher, and from the front."""
    usual = -FROM if wanted is None else -pose_at(wanted).back
    turn = np.arctan2(usual[1], usual[0])
    level = float(np.degrees(np.arcsin(-usual[2])))
    around = [(turn, level), *((turn, height) for height in HEIGHTS if height > level)]
    around += [(np.pi / 2, level), *((np.pi / 2, height) for height in HEIGHTS if height > level)]
    return [
        np.array([np.cos(azimuth) * np.cos(up), np.sin(azimuth) * np.cos(up), -np.sin(up)])
        for azimuth, up in ((azimuth, np.radians(height)) for azimuth, height in around)
    ]


def stated(camera: vtkCamera) -> Camera:
    """A camera as a scene states it, rounded to a thousandth of its distance."""
    pose = pose_of(camera)
    digits = int(np.ceil(3 - np.log10(pose.far)))
    position, target = (
        tuple(round(float(part), digits) for part in point)
        for point in (pose.target + pose.far * pose.back, pose.target)
    )
    return Camera(position=position, target=target, up=tuple(map(float, pose.up)) if pose.up[2] < 0.5 else (0, 0, 1))


def _projected(camera: vtkCamera, points: np.ndarray, aspect: float) -> np.ndarray:
    """(2, n) positions of points (n, 3) [m] in the picture, -1 to 1 in both directions; behind the camera: NaN."""
    clip = np.column_stack([points, np.ones(len(points))]) @ clip_matrix(camera, aspect).T
    clip = clip[clip[:, 3] > 0] if not camera.GetParallelProjection() else clip
    return np.asarray((clip[:, :2] / clip[:, 3:]).T)


def _spread(points: np.ndarray) -> np.ndarray:
    """Some of the points (n, 3) of a body, with its extreme ones along the axes."""
    extreme = [points[pick(points[:, axis])] for axis in range(3) for pick in (np.argmin, np.argmax)]
    return np.vstack([points[:: max(len(points) // POINTS, 1)], extreme])


def _still(stage: Stage) -> np.ndarray:
    """(m, 3) [m] points of resting things: fixed bodies, supports, paths, curved surfaces, ends of springs."""
    scene, found = stage.scene, [np.zeros((0, 3)), anchors(stage)]
    for i, solid in enumerate(stage.solids):
        if i in stage.unseen:
            continue
        if solid.body.support == "fixed":
            found.append(_spread(solid.points) @ stage.bodies.basis[i] + stage.bodies.position[i])
        elif solid.body.support in ("pivot", "axle"):
            found.append(stage.bodies.position[i : i + 1])
    for bead in scene.bead:
        if bead.path_motion.kind == "still":
            found.append(polyline(bead.path)[::20])
    for surface in scene.surface:
        if isinstance(surface, MeshSurface):
            found.append(surface.placed(sketched(surface, scene.folder).vertices))
        else:
            x, y = surface.grid(9)
            found.append(np.stack([x, y, surface.heights(x, y)], -1).reshape(-1, 3) + surface.position)
    return np.vstack(found)


def opened(name: str) -> tuple[SceneView, Simulation]:
    """A built-in scene, compiled, and shown off screen by its own camera."""
    scene, meshes = read_scene(gallery.path(name)), Meshes()
    simulation = Simulation(scene, meshes)
    view = SceneView(offscreen((round(100 * ASPECT), 100)), meshes, patient=True)
    view.show(scene, simulation.snapshot(), (), simulation.compiled)
    view.reset_camera()
    return view, simulation


def write_camera(name: str) -> None:
    """Write a camera into the file of a built-in scene, unless its camera frames the moving things already."""
    view, simulation = opened(name)
    try:
        assert view.stage is not None
        sweep, camera = sweep_of(view.stage, simulation), view.plotter.renderer.GetActiveCamera()
        if is_framed(camera, sweep.until(HORIZON)) and inside(camera, sweep.until(framed_time(sweep))) >= INSIDE:
            return
        place(camera, sweep, simulation.scene.view.camera)
        path = gallery.path(name)
        write_scene(with_value(simulation.scene, ("view", "camera"), stated(camera)), path, like=path)
    finally:
        view.close()
        view.plotter.close()


if __name__ == "__main__":
    for wanted_name in sys.argv[1:] or gallery.scene_names():
        write_camera(wanted_name)
