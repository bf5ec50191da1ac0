"""Volume, centre of mass and inertia of 1.3 million triangles beside trimesh, and beside reading the arrays once."""

from __future__ import annotations

from large_mesh import wavy_sphere
from timing import best_times, report
from trimesh.triangles import mass_properties

from polhode.mesh.mesh import Mesh
from polhode.physics.bodies.mass.mass_properties import mesh_properties


def main() -> None:
    rival = wavy_sphere()
    mesh = Mesh(rival.vertices, rival.faces)
    ours, theirs = best_times(lambda: mesh_properties(mesh), lambda: mass_properties(rival.vertices[rival.faces]), 3)
    _, floor = best_times(lambda: None, lambda: (mesh.vertices.sum(), mesh.faces.sum()))
    detail = f"{1e3 * ours:.1f} against {1e3 * theirs:.1f} ms; reading the arrays once {1e3 * floor:.1f} ms"
    report(f"properties, {len(mesh.faces)} triangles", theirs / ours, 10, detail)


if __name__ == "__main__":
    main()
