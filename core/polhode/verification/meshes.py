"""Bodies from mesh files: a box, which triangles give exactly, and spheres, which they approach.

The surface integrals of core/polhode/mesh/volume_integrals.py are exact for polyhedra, so a box has only rounding
errors.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2, pi, sqrt
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from trimesh.creation import box, icosphere

from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode.verification.bodies.pendulums import ARM, LARGE, PHASE, TOLERANCE, hung, swing
from polhode.verification.case import GRAVITY, Case, pendulum_period, scene

SIZE = (0.04, 0.08, 0.12)  # [m]
DENSITY = 1000.0  # [kg/m^3]


def with_files(measure: Callable[[Scene], float], **files: Any) -> Callable[[Scene], float]:
    """The same measurement in a folder that holds the given meshes as NAME.obj, all digits kept.

    The folder is temporary, and the scene is looked up in it; meshes are those of trimesh, a library of its own.
    """

    def measured(described: Scene) -> float:
        with TemporaryDirectory() as folder:
            for name, mesh in files.items():
                lines = ["v {!r} {!r} {!r}".format(*map(float, v)) for v in mesh.vertices]
                lines += ["f {} {} {}".format(*face) for face in mesh.faces + 1]
                Path(folder, f"{name}.obj").write_text("\n".join(lines), encoding="ascii")
            return measure(described.in_folder(Path(folder)))

    return measured


def hung_box() -> Case:
    """Period of a box from a file: a compound pendulum with I = m (b^2 + c^2)/12 + m R^2 about the pivot.

    The file holds it in millimetres and far from its origin; the shape's position brings it back. So a loss of digits
    far from the origin, or a wrong scale, shows.
    """
    far = (300.0, -200.0, 500.0)  # [mm]
    part = box(extents=[1000 * side for side in SIZE])
    part.apply_translation(far)
    position = [-x / 1000 - ARM * (k == 2) for k, x in enumerate(far)]
    shape = {"kind": "mesh", "file": "part.obj", "scale": 0.001, "density": DENSITY, "position": position}
    across = (SIZE[1] ** 2 + SIZE[2] ** 2) / 12
    expected = pendulum_period(sqrt(GRAVITY * ARM / (across + ARM**2)), LARGE)
    return Case(
        f"box from a mesh file on a pivot, {LARGE:g} rad",
        hung(shape, LARGE),
        with_files(swing(1.35 * expected), part=part),
        expected,
        TOLERANCE * expected,
        "s",
        PHASE,
    )


def sphere_order() -> Case:
    """Faces of half the size leave a quarter of the error in the moment of inertia, 8/15 pi rho a^5: order 2.

    The vertices lie on the sphere, so the polyhedron is inside of it and the moment is too small.
    """
    balls = [
        {"name": f"ball{k}", "shape": [{"kind": "mesh", "file": f"ball{k}.obj", "density": DENSITY}]} for k in (3, 4)
    ]
    exact = 8 / 15 * pi * DENSITY

    def measure(described: Scene) -> float:
        coarse, fine = (p.inertia[0, 0] for p in Simulation(described).compiled.properties)
        return log2((exact - coarse) / (exact - fine)) if max(coarse, fine) < exact else np.nan

    files = {f"ball{k}": icosphere(subdivisions=k) for k in (3, 4)}
    reason = "the next term is a square of the edges smaller: 0.02"
    return Case("order of a mesh sphere's inertia", scene(*balls), with_files(measure, **files), 2.0, 0.03, "", reason)


CASES = (hung_box(), sphere_order())
