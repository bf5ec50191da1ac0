"""Volume, centre of mass and inertia of a large mesh: ours beside trimesh and beside reading the arrays once."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import trimesh

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.large_mesh import wavy_sphere  # noqa: E402
from core.inertia import mesh_properties  # noqa: E402
from core.mesh import Mesh  # noqa: E402


def best_of(times: int, work: Callable[[], object]) -> float:
    """Shortest time [s] of several runs."""
    spent = []
    for _ in range(times):
        start = time.perf_counter()
        work()
        spent.append(time.perf_counter() - start)
    return min(spent)


def main() -> None:
    rival = wavy_sphere()
    mesh = Mesh(rival.vertices, rival.faces)
    ours = mesh_properties(mesh)
    theirs = trimesh.triangles.mass_properties(rival.vertices[rival.faces])
    print(f"{len(mesh.faces)} triangles; largest difference {np.abs(ours.inertia - theirs.inertia).max():.1e}")
    our_time = best_of(9, lambda: mesh_properties(mesh))
    their_time = best_of(3, lambda: trimesh.triangles.mass_properties(rival.vertices[rival.faces]))
    floor = best_of(9, lambda: (mesh.vertices.sum(), mesh.faces.sum()))
    print(f"polhode {our_time:.4f} s   trimesh {their_time:.4f} s   ratio {their_time / our_time:.1f}")
    print(f"reading all vertices and faces once {floor:.4f} s, {our_time / floor:.1f} times less")


if __name__ == "__main__":
    main()
