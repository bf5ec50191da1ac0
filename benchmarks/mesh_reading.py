"""Reading 1.3 million triangles and merging their vertices, beside trimesh and beside the bytes alone."""

from __future__ import annotations

import tempfile
from pathlib import Path

import trimesh
from large_mesh import wavy_sphere
from timing import best_times, report

from polhode.mesh.mesh import Meshes, read_mesh


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for ending in ("stl", "ply", "obj"):
            path = Path(folder) / f"large.{ending}"
            wavy_sphere().export(path)
            ours, theirs = best_times(lambda p=path: read_mesh(p), lambda p=path: trimesh.load_mesh(p), 3)
            checked, floor = best_times(lambda p=path: Meshes().mesh(p), path.read_bytes, 2)
            detail = f"{1e3 * ours:.0f} against {1e3 * theirs:.0f} ms; the bytes alone {1e3 * floor:.0f} ms"
            report(f"reading {ending}", theirs / ours, 1 / 1.3, detail)
            report("reading, and all checks of a solid", theirs / checked, None, f"{1e3 * checked:.0f} ms")


if __name__ == "__main__":
    main()
