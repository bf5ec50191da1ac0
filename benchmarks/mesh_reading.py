"""Reading a large binary STL and merging its vertices: ours beside trimesh and beside reading the bytes alone."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import trimesh

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.large_mesh import wavy_sphere  # noqa: E402
from benchmarks.mesh_properties import best_of  # noqa: E402
from core.mesh import Meshes, read_mesh  # noqa: E402


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "large.stl"
        wavy_sphere().export(path)
        ours, theirs = read_mesh(path), trimesh.load_mesh(path)
        assert (ours.vertices.shape, ours.faces.shape) == (theirs.vertices.shape, theirs.faces.shape)
        print(f"{len(ours.faces)} triangles, {len(ours.vertices)} vertices")
        our_time = best_of(5, lambda: read_mesh(path))
        checked_time = best_of(3, lambda: Meshes().mesh(path))
        their_time = best_of(2, lambda: trimesh.load_mesh(path))
        floor = best_of(5, path.read_bytes)
        print(f"polhode {our_time:.3f} s   trimesh {their_time:.3f} s   ratio {their_time / our_time:.1f}")
        print(f"with every check of a solid {checked_time:.3f} s; the bytes alone {floor:.3f} s")


if __name__ == "__main__":
    main()
