"""Picture of the current view in any size, rendered off screen with the same camera, trails and settings."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from vtkmodules.vtkRenderingCore import vtkCamera

from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode.simulation.snapshot import Snapshot
from polhode_app.export.overlay import Overlay
from polhode_app.viewport.base.camera_animation import NO_SHIFT
from polhode_app.viewport.base.picture import offscreen, pixels
from polhode_app.viewport.view import SceneView

Past = Sequence[tuple[Snapshot, Sequence[Snapshot | None]]]  # snapshots with those of ghosts, oldest first


@dataclass(frozen=True, eq=False)
class PlotData:
    """Data of the plots drawn over the picture."""

    units: Mapping[str, str]  # units by column
    times: np.ndarray  # (t,) [s]
    values: np.ndarray  # (t, c) values of the columns


@dataclass(frozen=True)
class Looks:
    """How a picture is drawn, whatever it shows."""

    theme: str
    switches: Mapping[str, bool]  # of the views
    sizes: Mapping[str, float]  # of arrows
    size: tuple[int, int]  # [pixel] width, height
    transparent: bool = False
    clock: bool = False
    plain: bool = False  # without the axes of the laboratory and the scale bar


def render_still(
    scene: Scene,
    compiled: CompiledScene | None,
    meshes: Meshes,
    past: Past,
    camera: vtkCamera,
    looks: Looks,
    plotted: PlotData | None = None,
) -> Generator[float, None, np.ndarray]:
    """Render a picture in parts; yields the fraction that is done, and returns (height, width, 3 or 4) uint8.

    `past` are the snapshots that trails are drawn from; the last one is shown. A picture of another aspect ratio than
    that of the `camera` shows the same height of the scene. Must run in the GUI thread, like all rendering.
    """
    plotter = offscreen(looks.size, looks.transparent)
    try:
        yield 0.05
        view = SceneView(
            plotter, meshes, looks.theme, looks.switches, patient=True, sizes=looks.sizes, quality="medium"
        )
        view.show(scene, past[0][0], past[0][1], compiled)
        yield 0.15
        for snapshot, ghosts in past[1:-1]:
            view.follow(snapshot, ghosts)
        now, ghosts = past[-1]
        view.update(now, ghosts)
        view.reset_camera()
        plotter.renderer.GetActiveCamera().DeepCopy(camera)
        NO_SHIFT.apply(plotter.renderer.GetActiveCamera())
        if looks.transparent:
            view.hide_background()
        if looks.plain:
            view.hide_annotations()
        plotter.renderer.ResetCameraClippingRange()
        yield 0.25
        plotter.render_window.Render()
        yield 0.6
        frame = pixels(plotter, looks.transparent)
    finally:
        plotter.close()
    units = plotted.units if plotted is not None else {}
    span = (float(plotted.times[0]), float(plotted.times[-1])) if plotted is not None and len(plotted.times) else (0, 1)
    overlay = Overlay(looks.size, looks.clock, units, span)
    if plotted is not None:
        overlay.add_rows(plotted.times, plotted.values)
    return overlay.draw_on(frame, now.time)
