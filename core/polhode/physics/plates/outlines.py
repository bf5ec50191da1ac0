"""Outlines of magnets, and how far they reach into plates."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from polhode.mesh.mesh import Mesh, Meshes
from polhode.physics.bodies import shapes
from polhode.physics.bodies.arrays import Bodies
from polhode.physics.contact.compile import corners
from polhode.physics.contact.corners import Corner
from polhode.physics.magnets.dipole_cloud import box
from polhode.physics.plates.arrays import Outlines, Plates
from polhode.scene.scene import Body, Scene


def build_outlines(scene: Scene, bodies: Bodies, meshes: Meshes) -> Outlines:
    """Outlines of all magnets of a scene with plates. Its meshes must have been checked."""
    rows = [
        (b, number, corner, shape)
        for b, body in enumerate(scene.bodies if scene.plate else ())
        for number, (shape, of_magnet) in enumerate(_magnets(scene, body, meshes))
        for corner in of_magnet
    ]
    position, square = np.zeros((len(rows), 3)), np.zeros((len(rows), 3, 3))
    for i, (b, _, corner, shape) in enumerate(rows):
        turn = np.eye(3) if shape is None else shape.orientation.matrix()
        origin = np.zeros(3) if shape is None else np.array(shape.position)
        position[i] = bodies.origin[b] + origin + turn @ corner.position
        square[i] = turn @ np.diag(np.square(corner.semi_axes)) @ turn.T
    numbered = np.array([(b, number) for b, number, _, _ in rows], dtype=np.int64).reshape(-1, 2)
    return Outlines(
        body=np.ascontiguousarray(numbered[:, 0]),
        magnet=np.unique(numbered, axis=0, return_inverse=True)[1].ravel().astype(np.int64),
        position=position,
        square=square,
        radius=np.array([corner.radius for _, _, corner, _ in rows]),
    )


def _magnets(scene: Scene, body: Body, meshes: Meshes) -> Iterator[tuple[shapes.ShapeBase | None, list[Corner]]]:
    """Single dipoles of a body as points of no shape, then shapes that are magnets or hold a dipole, with corners."""
    positions = [dipole.position for dipole in body.dipole]
    yield from ((None, [Corner(position)]) for position in positions)
    for shape in body.shape:
        mesh = meshes.of(shape, scene.folder) if isinstance(shape, shapes.MeshShape) else None
        if shape.magnet is not None or any(_holds(shape, mesh, np.array(position)) for position in positions):
            yield shape, corners(shape, scene, meshes)


def _holds(shape: shapes.ShapeBase, mesh: Mesh | None, point: np.ndarray) -> bool:
    """Whether the bounding box of a shape contains a point (3,) [m], body frame."""
    low, high = box(shape, mesh)
    local = (point - shape.position) @ shape.orientation.matrix()
    return bool((low <= local).all() and (local <= high).all())


def depths(plates: Plates, positions: np.ndarray, bases: np.ndarray) -> np.ndarray:
    """(p, k) [m] how deep each magnet reaches below the nearer face of each plate; negative above it.

    A magnet that goes through the plate reaches at least as deep as the plate is thick.

    positions: (n, 3) [m] of the reference points of bodies; bases: (n, 3, 3) rows u1, u2, u3 of them
    """
    lines = plates.outlines
    basis = bases[lines.body]
    centers = positions[lines.body] + np.einsum("ci,cij->cj", lines.position, basis)
    normals = plates.basis[:, 2]
    heights = np.einsum("pci,pi->pc", centers - plates.point[:, None], normals)
    local = np.einsum("cij,pj->pci", basis, normals)
    reaches = np.sqrt(np.einsum("pci,cij,pcj->pc", local, lines.square, local)) + lines.radius
    lowest = [np.minimum.reduceat(side * heights - reaches, _first(lines), axis=1) for side in (1.0, -1.0)]
    return np.asarray(0.5 * plates.thickness[:, None] - np.maximum(*lowest))


def owners(outlines: Outlines) -> np.ndarray:
    """(k,) body of each magnet."""
    return outlines.body[_first(outlines)]


def _first(outlines: Outlines) -> np.ndarray:
    """(k,) int64 index of the first corner of each magnet."""
    return np.unique(outlines.magnet, return_index=True)[1]
