"""Is a triangle mesh the outward surface of a solid? Edges, orientation, components; compiled."""

from __future__ import annotations

import numpy as np

from core.kernel import kernel
from core.mesh_integrals import enclosed
from core.problem import Problem

OPEN, CROWDED = -1, -2  # what stands for the twin of a half-edge that has none, or more than one
FLAT = 1e-12  # least volume of a solid in cubes of its bounding box's diagonal; rounding alone leaves less


@kernel
def pair_half_edges(faces, table, twin):  # type: ignore[no-untyped-def]
    """Find the half-edge on the other side of every half-edge; half-edge 3 f + k runs from corner k of face f.

    faces (m, 3); table filled with -1, a hash table of a power of two of places, more than 3 m; twin (3 m,) is filled
    with the partner's number, OPEN or CROWDED. Returns the number of crowded edges.
    """
    mask = np.uint64(table.shape[0] - 1)
    crowded = 0
    for edge in range(3 * faces.shape[0]):
        a = faces[edge // 3, edge % 3]
        b = faces[edge // 3, (edge + 1) % 3 if edge % 3 != 2 else 0]
        low, high = min(a, b), max(a, b)
        key = (np.uint64(low) << np.uint64(32) | np.uint64(high)) * np.uint64(0x9E3779B97F4A7C15)
        place = (key ^ (key >> np.uint64(32))) & mask
        twin[edge] = OPEN
        while True:
            known = table[place]
            if known < 0:
                table[place] = edge
                break
            c = faces[known // 3, known % 3]
            d = faces[known // 3, 0 if known % 3 == 2 else known % 3 + 1]
            if min(c, d) == low and max(c, d) == high:
                if twin[known] == OPEN:
                    twin[known], twin[edge] = edge, known
                else:
                    if twin[known] >= 0:
                        crowded += 1
                        twin[twin[known]] = CROWDED
                    twin[known] = twin[edge] = CROWDED
                break
            place = (place + np.uint64(1)) & mask
    return crowded


@kernel
def orient(faces, twin, component, turned, stack):  # type: ignore[no-untyped-def]
    """Walk over a closed mesh, numbering components (m,) from 0 and marking in turned (m,) the faces to flip.

    component is filled with -1 before; stack (m,) is scratch. Returns the number of components and of the edges
    across which no choice is consistent.
    """
    count = 0
    torn = 0
    for seed in range(faces.shape[0]):
        if component[seed] >= 0:
            continue
        component[seed] = count
        stack[0] = seed
        height = 1
        while height > 0:
            height -= 1
            face = stack[height]
            for k in range(3):
                other = twin[3 * face + k]
                neighbour = other // 3
                same_way = faces[face, k] == faces[neighbour, other % 3]
                wanted = turned[face] ^ same_way
                if component[neighbour] < 0:
                    component[neighbour] = count
                    turned[neighbour] = wanted
                    stack[height] = neighbour
                    height += 1
                elif turned[neighbour] != wanted:
                    torn += 1
        count += 1
    return count, torn


def check_topology(
    vertices: np.ndarray, faces: np.ndarray, name: str
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...], list[Problem]]:
    """Vertices and faces as a closed outward surface, notes on what was mended, and problems that could not be."""
    notes: list[str] = []
    a, b, c = faces.T
    whole = (a != b) & (b != c) & (c != a)
    if not whole.all():
        notes.append(f"'{name}': {int((~whole).sum())} triangles without area were left out")
        faces = faces[whole]
    problem = _closed(vertices, faces, name)
    if isinstance(problem, Problem):
        return vertices, faces, tuple(notes), [problem]
    faces, problems = _oriented(vertices, faces, problem, name, notes)
    return vertices, faces, tuple(notes), problems


def _closed(vertices: np.ndarray, faces: np.ndarray, name: str) -> np.ndarray | Problem:
    """The twins of all half-edges if the mesh is closed, else what is wrong."""
    hull = "or use convex_hull = true"
    if len(faces) == 0:
        return Problem("", f"'{name}' has no triangles with an area", "give a mesh with triangles")
    if np.ptp(vertices, axis=0).min() == 0:
        return Problem("", f"'{name}' is flat and encloses no volume", "give it a thickness")
    twin = np.empty(3 * len(faces), dtype=np.int32)
    table = np.full(1 << (4 * len(faces)).bit_length(), -1, dtype=np.int32)
    crowded = pair_half_edges(faces, table, twin)
    if crowded:
        rule = f"'{name}' meets itself ({crowded} edges have three triangles or more)"
        return Problem("", rule, f"remove inner walls and doubled faces, {hull}")
    holes = int((twin == OPEN).sum())
    if holes:
        return Problem("", f"'{name}' is open ({holes} edges have one triangle only)", f"close it, {hull}")
    return twin


def _oriented(
    vertices: np.ndarray, faces: np.ndarray, twin: np.ndarray, name: str, notes: list[str]
) -> tuple[np.ndarray, list[Problem]]:
    """Faces of a closed mesh, all outward. Notes are added to."""
    component = np.full(len(faces), -1, dtype=np.int32)
    turned = np.zeros(len(faces), dtype=np.bool_)
    count, torn = orient(faces, twin, component, turned, np.empty(len(faces), dtype=np.int32))
    if torn:
        rule = f"'{name}' has one side only, like a Moebius strip ({torn} edges)"
        return faces, [Problem("", rule, "give a mesh with an inside, or use convex_hull = true")]
    if turned.any():
        size = np.bincount(component, minlength=count)
        mostly = 2 * np.bincount(component, weights=turned, minlength=count) > size
        turned ^= mostly[component]  # the few follow the many
        faces = flipped(faces, turned)
        notes.append(f"'{name}': {int(turned.sum())} triangles faced the wrong way and were turned")
    volume = enclosed(vertices, faces)[0]
    if volume < 0:
        faces = flipped(faces, np.ones(len(faces), dtype=np.bool_))
        notes.append(f"'{name}' was inside out; all its triangles were turned")
    if abs(volume) < FLAT * np.linalg.norm(np.ptp(vertices, axis=0)) ** 3:
        return faces, [Problem("", f"'{name}' is flat and encloses no volume", "give it a thickness")]
    return faces, []


def flipped(faces: np.ndarray, which: np.ndarray) -> np.ndarray:
    """Faces (m, 3) with those marked in which (m,) seen from the other side."""
    return np.where(which[:, None], faces[:, ::-1], faces)
