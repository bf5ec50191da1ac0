"""Generates the pictures of the gallery, scenes/pictures: `python -m polhode_app.export.gallery_pictures [SCENE ...]`.

For each scene and theme there is a still picture, and a strip of small ones side by side that are shown in turn.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from contextlib import suppress

import numpy as np
from PIL import Image
from vtkmodules.vtkRenderingCore import vtkActor2D, vtkRenderer

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Diverged
from polhode.simulation.snapshot import Snapshot
from polhode.verification.published import EXPERIMENTS
from polhode_app.export.sources import SimulationSource
from polhode_app.viewport.base.camera import in_picture
from polhode_app.viewport.base.palette import THEMES
from polhode_app.viewport.base.picture import offscreen, pixels
from polhode_app.viewport.view import SceneView

SIZE = (320, 200)  # [pixel]
FINER = 2  # supersampling factor
TILES = 6  # pictures of a strip
TILE = (192, 120)  # [pixel]
INTERVAL = 0.25  # [s] simulated time between them; less for an experiment that is over sooner
STILL = 4  # picture of the strip that the still picture is of, at most: motion is visible and nothing has left the view
BETWEEN = 10  # states between two pictures, which trails are drawn from
QUALITY, STRIP_QUALITY = 82, 58  # [%] JPEG quality


def interval(name: str) -> float:
    """Simulated time [s] between two pictures of the strip of a scene."""
    spans = {each.name: each.seconds for each in EXPERIMENTS}
    return min(INTERVAL, spans.get(name, INTERVAL * TILES) / TILES)


def states(source: SimulationSource, step: float) -> list[tuple[Snapshot, Sequence[Snapshot | None]]]:
    """States of a run and of its ghosts up to the last picture, or to its divergence.

    step: [s] between two states
    """
    made = [(source.simulation.snapshot(), source.ghosts())]
    with suppress(Diverged):  # some scenes demonstrate divergence
        for number in range(1, (TILES - 1) * BETWEEN + 1):
            source.go_to(number * step)
            made.append((source.simulation.snapshot(), source.ghosts()))
    return made


def make(name: str) -> None:
    """Render the pictures of a scene in all themes and save them."""
    scene = read_scene(gallery.path(name))
    source = SimulationSource(scene)
    passed = states(source, interval(name) / BETWEEN)
    for theme in THEMES:
        plotter = offscreen((FINER * SIZE[0], FINER * SIZE[1]))
        plotter.render_window.SetMultiSamples(0)  # the pictures are made smaller
        view = SceneView(plotter, source.meshes, theme, patient=True, quality="high")
        tiles, still, last = [], None, STILL * BETWEEN
        try:
            view.show(scene, *passed[0], source.simulation.compiled)
            view.hide_annotations()
            view.reset_camera()
            for number, state in enumerate(passed):
                view.update(*state)
                is_tile = number % BETWEEN == 0
                is_still = is_tile and number <= last and all_in_picture(view)
                if is_tile:
                    _hide_texts(plotter.renderer)
                    plotter.render_window.Render()
                    image = Image.fromarray(pixels(plotter))
                    still = image if still is None or is_still else still
                    tiles.append(np.asarray(image.resize(TILE, Image.Resampling.LANCZOS)))
        finally:
            view.close()
            plotter.close()
        _save(name, theme, still, tiles[:TILES])


def all_in_picture(view: SceneView) -> bool:
    """Whether the centres of all moving bodies are in the picture."""
    assert view.stage is not None
    assert view.now is not None
    centers = view.now.bodies.position[view.stage.moving]
    return all((abs(in_picture(view.plotter.renderer, center)) < 1).all() for center in centers)


def _hide_texts(renderer: vtkRenderer) -> None:
    """Hide legends and symbols, which are too small to be read."""
    for drawn in renderer.GetViewProps():
        if isinstance(drawn, vtkActor2D):
            drawn.VisibilityOff()


def _save(name: str, theme: str, still: Image.Image | None, tiles: list[np.ndarray]) -> None:
    """Save the still picture and the strip of a scene in one theme."""
    path, strip = gallery.picture(name, theme), gallery.strip(name, theme)
    path.parent.mkdir(exist_ok=True)
    if still is not None:
        still.resize(SIZE, Image.Resampling.LANCZOS).save(path, quality=QUALITY, optimize=True)
    Image.fromarray(np.hstack(tiles)).save(strip, quality=STRIP_QUALITY, optimize=True)


if __name__ == "__main__":
    os.environ.setdefault("LP_NUM_THREADS", "0")  # or ambient occlusion reads what Mesa's threads have not drawn yet
    for wanted in sys.argv[1:] or gallery.scene_names():
        make(wanted)
