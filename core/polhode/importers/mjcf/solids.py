"""Mass properties of triangle meshes as MuJoCo has them, by numpy alone.

A mesh is the pyramids from a point to its triangles, with signed volumes. The kind `legacy` takes all volumes as
positive, which overcounts what is not convex; `convex` takes the convex hull; `shell` a surface instead of a solid.
"""

from __future__ import annotations

import numpy as np

from polhode.importers.kinematics import IDENTITY, MassOf
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

INERTIAS = ("legacy", "convex", "exact", "shell")
FLAT = 1e-14  # [m^3] or [m^2], up to which a mesh has no volume or area


def hull_of(points: np.ndarray) -> np.ndarray:
    """(m, 3, 3) corners of the triangles around points (n, 3), seen from outside. Raises InvalidValue for flat ones."""
    # a slow import that few models need
    from scipy.spatial import ConvexHull, QhullError  # noqa: PLC0415

    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):
        rule = Message("has no convex hull with a volume")
        raise InvalidValue(rule, Message("give it points that do not lie in one plane")) from None
    corners = points[hull.simplices]
    a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
    inward = np.einsum("ij,ij->i", np.cross(b - a, c - a), hull.equations[:, :3]) < 0
    corners[inward] = corners[inward][:, ::-1]
    return corners


def is_closed(corners: np.ndarray) -> bool:
    """Whether each edge of the triangles (m, 3, 3) belongs to two of them."""
    _, number = np.unique(corners.reshape(-1, 3), axis=0, return_inverse=True)
    faces = number.reshape(-1, 3)
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    return bool((np.unique(edges, axis=0, return_counts=True)[1] == 2).all())


def mass_of_mesh(corners: np.ndarray, kind: str, density: float | None, mass: float | None) -> MassOf:
    """Mass properties of a mesh of triangles (m, 3, 3) [m].

    kind: one of INERTIAS; density: [kg/m^3], of a shell [kg/m^2]; mass: [kg], which takes precedence

    Raises InvalidValue for one without a volume or an area.
    """
    if kind == "convex":
        corners = hull_of(corners.reshape(-1, 3))
    sizes, middles = _sizes(corners, np.zeros(3), "shell")
    if not sizes.sum() > FLAT:
        raise InvalidValue(Message("has no area"), Message("check its vertices"))
    inside = sizes @ middles / sizes.sum()
    sizes, middles = _sizes(corners, inside, kind)
    whole = float(sizes.sum())
    if not whole > FLAT:
        raise InvalidValue(Message("has no volume"), Message('check its faces, or give inertia="shell"'))
    center = sizes @ (middles if kind == "shell" else 0.75 * middles + 0.25 * inside) / whole
    sizes, _ = _sizes(corners, center, kind)
    whole = float(sizes.sum())
    arms = corners - center
    total = arms.sum(axis=1)
    second = np.einsum("m,mki,mkj->ij", sizes, arms, arms) + np.einsum("m,mi,mj->ij", sizes, total, total)
    second /= 12 if kind == "shell" else 20
    scale = mass / whole if mass is not None else float(density or 0.0)
    return MassOf(scale * whole, center, scale * (np.trace(second) * IDENTITY - second))


def _sizes(corners: np.ndarray, point: np.ndarray, kind: str) -> tuple[np.ndarray, np.ndarray]:
    """(m,) volumes [m^3] of the pyramids from a point (3,), or areas [m^2] of a shell, and (m, 3) [m] the middles of
    their triangles.
    """
    middles = corners.mean(axis=1)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) / 2
    if kind == "shell":
        return np.linalg.norm(normals, axis=1), middles
    volumes = np.einsum("mi,mi->m", middles - point, normals) / 3
    return np.abs(volumes) if kind == "legacy" else volumes, middles
