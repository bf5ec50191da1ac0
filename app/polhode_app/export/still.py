"""Picture of a frame of the window in any size, by a process beside it: `python -m polhode_app.export.still`.

It draws the scene at the same state as the window, with the same camera, views, trails and scales.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.process.messages import send
from polhode.scene.problem import InputError, message_of
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode_app.edit.parts import owners
from polhode_app.environment import PART
from polhode_app.export.frame_file import Looks, ShownFrame, move_camera, read_frame
from polhode_app.export.overlay import Overlay
from polhode_app.i18n.language import set_language_from_environment
from polhode_app.i18n.translation import translate, translate_reason
from polhode_app.viewport.base.camera_animation import NO_SHIFT
from polhode_app.viewport.base.picture import offscreen, pixels, save
from polhode_app.viewport.view import SceneView

NICE = 10  # lower priority than the window
SCENE, FRAME = "scene.toml", "frame"  # names of the files in the folder


def render_still(scene: Scene, frame: ShownFrame, looks: Looks, progress: Callable[[float], None]) -> np.ndarray:
    """(height, width, 3 or 4) uint8 picture of a frame of a scene.

    A picture of another aspect ratio than that of the window shows the same height of the scene. `progress` receives
    the fraction that is done. Raises InputError where the scene has changed or OpenGL is missing.
    """
    meshes = Meshes()
    compiled = build(scene, meshes)
    progress(0.2)
    plotter = offscreen(looks.size, looks.transparent)
    try:
        view = SceneView(
            plotter, meshes, looks.theme, looks.switches, patient=True, sizes=looks.sizes, quality=looks.quality
        )
        view.show(scene, frame.snapshot, frame.ghosts, compiled)
        view.recall(frame.memory)
        view.reset_camera()
        camera = plotter.renderer.GetActiveCamera()
        move_camera(camera, frame.camera)
        NO_SHIFT.apply(camera)
        if looks.transparent:
            view.hide_background()
        if looks.plain:
            view.hide_annotations()
        view.update_clipping_range()
        progress(0.4)
        plotter.render_window.Render()
        progress(0.7)
        drawn = pixels(plotter, looks.transparent)
    finally:
        plotter.close()
    plotted = frame.plotted
    units = plotted.units if plotted is not None else {}
    span = (float(plotted.times[0]), float(plotted.times[-1])) if plotted is not None and len(plotted.times) else (0, 1)
    overlay = Overlay(looks.size, looks.clock, units, span, owners(units, scene) if looks.beside else None)
    if plotted is not None:
        overlay.add_rows(plotted.times, plotted.values)
    return overlay.draw_on(drawn, frame.snapshot.time)


def main(folder: Path, out: Path) -> int:
    """Draw the frame in a folder, where its scene is too, and save it as PNG; returns the exit status.

    Fractions done are sent to stdout as messages, and an error is written to stderr.
    """
    set_language_from_environment()
    if hasattr(os, "nice"):  # not on Windows
        os.nice(NICE)

    def progress(done: float) -> None:
        send(sys.stdout.buffer, {"done": done})

    try:
        progress(0.05)
        frame, looks, about = read_frame(folder / FRAME)
        picture = render_still(read_scene(folder / SCENE), frame, looks, progress)
        progress(0.8)
        save(picture, out, about, os.environ.get(PART, ""))
    except InputError as error:
        sys.stderr.write(translate(message_of(error)))
        return 2
    except OSError as error:
        sys.stderr.write(translate_reason(error))
        return 1
    progress(1.0)
    return 0


if __name__ == "__main__":
    sys.exit(main(*map(Path, sys.argv[1:3])))
