"""A film of the default scene, beside bare VTK frames of its size into the same encoder: at most 1.2 times the time.

Both draw the same things; ours runs the physics, moves them and reads the picture, too. The memory must not grow.
"""

from __future__ import annotations

import resource
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from timing import best_times, report

from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
from polhode_app.export.video import render
from polhode_app.export.video_file import _command
from polhode_app.viewport.base.picture import offscreen
from polhode_app.viewport.view import SceneView

SIZE, FPS, SECONDS = (1280, 720), 30.0, 2.0


def main() -> None:
    scene = read_scene(gallery.path(gallery.DEFAULT))
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        meshes = Meshes()
        simulation = Simulation(scene, meshes)
        plotter = offscreen(SIZE)
        view = SceneView(plotter, meshes, patient=True)
        view.show(scene, simulation.snapshot(), (), simulation.compiled)
        view.reset_camera()

        def ours() -> None:
            render(scene, SECONDS, folder / "ours.mp4", SIZE, FPS)

        def bare() -> None:
            """The least that a film takes: draw, read, hand over."""
            command = _command(folder / "bare.mp4", SIZE, FPS)
            encoder = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=subprocess.DEVNULL)
            camera = plotter.renderer.GetActiveCamera()
            for _ in range(int(SECONDS * FPS) + 1):
                camera.Azimuth(0.5)  # the encoder has as much to do as with a film
                plotter.render_window.Render()
                encoder.stdin.write(plotter_bytes(plotter))
            encoder.stdin.close()
            encoder.wait()

        mine, rival = best_times(ours, bare, turns=5)
        report("film of the default scene", rival / mine, 1 / 1.2, f"{mine:.2f} s beside {rival:.2f} s")
        plotter.close()
        used = []
        for seconds in (1.0, 4.0, 8.0):
            render(scene, seconds, folder / "long.mp4", SIZE, FPS)
            used.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        grown = used[-1] - used[1]
        report("memory, 4 s and 8 s of film", 1.0, None, f"{used[1]:.0f} MB and {grown:.1f} MB more")


def plotter_bytes(plotter: object) -> np.ndarray:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkCommonCore import vtkUnsignedCharArray

    buffer = vtkUnsignedCharArray()
    plotter.render_window.GetPixelData(0, 0, SIZE[0] - 1, SIZE[1] - 1, 0, buffer, 0)
    return vtk_to_numpy(buffer)


if __name__ == "__main__":
    sys.exit(main())
