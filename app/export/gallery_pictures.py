"""Generates the pictures of the gallery, scenes/pictures: `python -m app.export.gallery_pictures [SCENE ...]`."""

from __future__ import annotations

import sys
from contextlib import suppress

from PIL import Image

from app.viewport.base.picture import offscreen, pixels
from app.viewport.view import SceneView
from core.mesh.mesh import Meshes
from core.scene import gallery
from core.scene.scene_file import read_scene
from core.simulation.simulation import Diverged, Simulation

SIZE = (320, 200)  # [pixel]
FINER = 2  # supersampling factor
MOMENT = 0.7  # [s] simulated time of the picture: motion is visible and nothing has left the view
QUALITY = 86  # [%] JPEG quality


def make(name: str) -> None:
    """Render the picture of a scene and save it."""
    scene = read_scene(gallery.path(name))
    simulation = Simulation(scene, Meshes())
    plotter = offscreen((FINER * SIZE[0], FINER * SIZE[1]))
    view = SceneView(plotter, Meshes(), patient=True)
    try:
        view.show(scene, simulation.snapshot(), (), simulation.built)
        view.reset_camera()
        with suppress(Diverged):  # some scenes demonstrate divergence
            for _ in range(20):  # trails are drawn from intermediate states
                simulation.advance(MOMENT / 20)
                view.update(simulation.snapshot())
        plotter.render_window.Render()
        image = Image.fromarray(pixels(plotter)).resize(SIZE, Image.Resampling.LANCZOS)
    finally:
        view.close()
        plotter.close()
    path = gallery.picture(name)
    path.parent.mkdir(exist_ok=True)
    image.save(path, quality=QUALITY, optimize=True)


if __name__ == "__main__":
    for wanted in sys.argv[1:] or gallery.names():
        make(wanted)
