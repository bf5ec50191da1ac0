"""The columns of a scene's table, without a run."""

from __future__ import annotations

from polhode.analysis.columns import columns as columns_of_compiled
from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene.checks.arguments import checked
from polhode.scene.scene import Scene


@checked
def columns(scene: Scene, meshes: Meshes | None = None) -> dict[str, str]:
    """Units of all columns of the tables and arrays of a scene by their names, in order; "" for pure numbers.

        from polhode import columns, read_scene

        for name, unit in columns(read_scene("scenes/heavy_top.toml")).items():
            print(name, unit)

    Raises InputError where the scene can't be compiled.
    """
    return columns_of_compiled(build(scene, meshes or Meshes()))
