"""Compilation of a sweep in this process; apart from that of scenes, since a window starts without sweeps. No Qt."""

from __future__ import annotations

from collections.abc import Callable

from polhode.mesh.mesh import Meshes
from polhode.run.units import missing
from polhode.scene.scene import Scene
from polhode.scene.variants.alone import alone
from polhode.sweep.sweep import Sweep
from polhode.sweep.units import units_to_sweep
from polhode_app.compilation.preparation import compile_scene, compile_units


def compile_sweep(
    scene: Scene, number: int, meshes: Meshes, workers: int | None, progress: Callable[[int, int], None]
) -> Sweep:
    """A sweep of a scene, with all of its kernels compiled in this process. Raises InputError."""
    compile_scene(alone(scene), meshes, progress)
    sweep = Sweep(scene, number, meshes, workers)
    compile_units(missing(units_to_sweep(sweep.chunks)), progress)
    return sweep
