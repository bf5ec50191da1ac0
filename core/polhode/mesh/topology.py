"""Is a triangle mesh the outward surface of a solid? Edges, orientation, components.

Every triangle has three half-edges; half-edge 3 f + k runs from corner k of face f to the next one. A mesh is closed
if every half-edge has exactly one partner between the same two vertices, and consistent if partners run in opposite
directions. Partners are found by a hash table of the edges, orientation by a walk over neighbours: both are linear in
the number of triangles.

The rule for several components: one inside an odd number of others is a cavity, any other one is solid, whatever their
orientation in the file (core/polhode/mesh/containment.py).

Components that overlap count their common volume more than once; `repair = ["union"]` counts it once.
"""

from __future__ import annotations

from itertools import product

import numpy as np

from polhode.jit.kernel import kernel
from polhode.mesh.containment import nesting
from polhode.mesh.files.damage import Damaged
from polhode.mesh.files.weld import equal_rows
from polhode.mesh.volume_integrals import bounding_box, enclosed
from polhode.scene.message import Message, plural

OPEN, CROWDED = -1, -2  # in place of the twin of a half-edge that has none, or more than one
FLAT = 1e-12  # least volume of a solid in cubes of its bounding box's diagonal; rounding alone leaves less
SMALLEST = 1e-30  # [file units] least diagonal of that box
SNAP = 1e-6  # in diagonals, about the precision of float32: closer vertices may be joined to close a mesh
OVERLAP = 1e-6  # part of the volume, above which parts overlap; touching parts share less by rounding
CLOSE_OR_HULL = Message('close it, or use repair = ["fill_holes"] or convex_hull = true')


@kernel
def pair_half_edges(faces, table, twin):  # type: ignore[no-untyped-def]
    """Find the half-edge on the other side of every half-edge; half-edge 3 f + k runs from corner k of face f.

    faces: (m, 3) indices of vertices, three different ones in each row
    table: a hash table with open addressing, filled with -1; its length is a power of two and more than 3 m
    twin: (3 m,) is filled with the partner's number, OPEN or CROWDED

    Returns the number of crowded edges, those of three triangles or more. Expected cost O(m).
    """
    mask = np.uint64(table.shape[0] - 1)
    crowded = 0
    for edge in range(3 * faces.shape[0]):
        a = faces[edge // 3, edge % 3]
        b = faces[edge // 3, (edge + 1) % 3 if edge % 3 != 2 else 0]
        low, high = min(a, b), max(a, b)
        key = (np.uint64(low) << np.uint64(32) | np.uint64(high)) * np.uint64(0x9E3779B97F4A7C15)
        slot = (key ^ (key >> np.uint64(32))) & mask
        twin[edge] = OPEN
        while True:
            known = table[slot]
            if known < 0:
                table[slot] = edge
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
            slot = (slot + np.uint64(1)) & mask
    return crowded


@kernel
def orient(faces, twin, component, turned, stack):  # type: ignore[no-untyped-def]
    """Walk over a closed mesh, numbering components and marking faces to flip.

    faces: (m, 3); twin: (3 m,) of `pair_half_edges`, without OPEN and CROWDED
    component: (m,) filled with -1 before, becomes the number of the component of each face, from 0
    turned: (m,) bool, False before, becomes whether the face is to be flipped
    stack: (m,) scratch

    Faces are flipped to agree with the first one of their component. Returns the number of components, and how often no
    choice was consistent: more than 0 for a surface without an inside.
    Depth-first with a stack of its own, each half-edge once: O(m).
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


def solid(vertices: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray, list[Message]]:
    """Vertices (n, 3) and faces (m, 3) as a closed surface with outward normals, and notes on repairs.

    Repairs: triangles of which two corners coincide are left out; where edges are open, vertices closer than
    SNAP times the diagonal of the bounding box are joined, some up to twice that, if that closes the mesh; faces are
    flipped so that neighbours agree and normals point outward, those of cavities into them. The arguments are not
    changed; the vertices returned are those given.

    Raises Damaged for a mesh that is flat, open, met by three triangles at an edge, or without an inside.
    """
    low, high = bounding_box(vertices)
    diagonal = float(np.linalg.norm(high - low))
    if (low == high).any() or diagonal < SMALLEST:
        raise Damaged(Message("is flat and encloses no volume"), Message("give it a thickness"))
    faces, notes = _with_three_corners(faces)
    faces, twin, crowded = _joined(vertices, faces, diagonal, notes)
    _check_edges(twin, crowded)
    component, count = _consistent(faces, twin, notes)
    _outward(vertices, faces, component, count, notes)
    if not enclosed(vertices, faces)[0] > FLAT * diagonal**3:
        raise Damaged(Message("is flat and encloses no volume"), Message("give it a thickness"))
    return vertices, faces, notes


def _joined(
    vertices: np.ndarray, faces: np.ndarray, diagonal: float, notes: list[Message]
) -> tuple[np.ndarray, np.ndarray, int]:
    """Faces (m, 3) with vertices joined where that closes open edges, their twins, and the number of crowded edges.

    diagonal: [m] of the bounding box. A repair is added to `notes`.
    """
    twin, crowded = twins(faces)
    if (twin != OPEN).all():
        return faces, twin, crowded
    kept = _close_vertices(vertices, diagonal)
    joined = _with_three_corners(kept[faces].astype(np.int32))[0]
    snapped_twin, snapped_crowded = twins(joined)
    if snapped_crowded or (snapped_twin == OPEN).any():
        return faces, twin, crowded
    note = plural(
        "{count} vertex was joined to close neighbours",
        "{count} vertices were joined to close neighbours",
        count=int((kept != np.arange(len(kept))).sum()),
    )
    notes.append(note)
    return joined, snapped_twin, 0


def _close_vertices(vertices: np.ndarray, diagonal: float) -> np.ndarray:
    """Index (n,) of the vertex that replaces each one: vertices closer than SNAP times the `diagonal` are one.

    Vertices in a cell of a grid are joined. A close group may lie across the border of two cells, so there are eight
    grids, shifted by half a cell along each axis or not: in one of them the group is in one cell. O(n).
    """
    kept = np.arange(len(vertices))
    cells = (vertices - vertices[0]) / (2 * SNAP * diagonal)
    for shift in product((0.0, 0.5), repeat=3):
        label, first = equal_rows(np.floor(cells[kept] + shift))
        kept = kept[first[label]]
    return kept


def _check_edges(twin: np.ndarray, crowded: int) -> None:
    """Raises Damaged where edges have three triangles (their number is `crowded`) or only one."""
    if crowded:
        rule = plural(
            "meets itself ({count} edge has three triangles or more)",
            "meets itself ({count} edges have three triangles or more)",
            count=crowded,
        )
        raise Damaged(
            rule, Message('remove inner walls and doubled triangles, or use repair = ["merge"] or convex_hull = true')
        )
    holes = int((twin == OPEN).sum())
    if holes:
        rule = plural(
            "is open ({count} edge has one triangle only)",
            "is open ({count} edges have one triangle only)",
            count=holes,
        )
        raise Damaged(rule, CLOSE_OR_HULL)


def _with_three_corners(faces: np.ndarray) -> tuple[np.ndarray, list[Message]]:
    """A copy of the faces without those that have two corners in one vertex: leaving them out opens no edge."""
    a, b, c = faces.T
    whole = (a != b) & (b != c) & (c != a)
    dropped = len(faces) - int(whole.sum())
    note = plural(
        "{count} triangle was left out for having no area",
        "{count} triangles were left out for having no area",
        count=dropped,
    )
    return faces[whole], [note] if dropped else []


def twins(faces: np.ndarray) -> tuple[np.ndarray, int]:
    """Partner (3 m,) of every half-edge, OPEN or CROWDED, and the number of crowded edges."""
    twin = np.empty(3 * len(faces), dtype=np.int32)
    table = np.full(1 << (4 * len(faces)).bit_length(), -1, dtype=np.int32)
    return twin, pair_half_edges(faces, table, twin)


def _consistent(faces: np.ndarray, twin: np.ndarray, notes: list[Message]) -> tuple[np.ndarray, int]:
    """Flip faces (m, 3) in place so that neighbours agree; gives the component (m,) of each face and their number.

    In each component the minority is flipped. Adds to notes. Raises Damaged for a surface without an inside.
    """
    component = np.full(len(faces), -1, dtype=np.int32)
    turned = np.zeros(len(faces), dtype=np.bool_)
    count, torn = orient(faces, twin, component, turned, np.empty(len(faces), dtype=np.int32))
    if torn:
        raise Damaged(
            Message("has no inside, like a Klein bottle"),
            Message("make it the surface of a solid, or use convex_hull = true"),
        )
    if turned.any():
        mostly = 2 * np.bincount(component, turned, count) > np.bincount(component, minlength=count)
        turned ^= mostly[component]  # in each component the minority is flipped
        faces[turned] = faces[turned][:, ::-1]
        note = plural(
            "{count} inverted triangle turned round",
            "{count} inverted triangles turned round",
            count=int(turned.sum()),
        )
        notes.append(note)
    return component, count


def _outward(vertices: np.ndarray, faces: np.ndarray, component: np.ndarray, count: int, notes: list[Message]) -> None:
    """Flip components `component` (m,) of faces (m, 3) in place by the rule of this module; adds to `notes`."""
    a, b, c = ((vertices - vertices[0])[faces[:, k]] for k in range(3))
    is_inward = np.bincount(component, np.einsum("ij,ij->i", a, np.cross(b, c)), count) < 0
    found = nesting(vertices, faces, component, count)
    is_cavity = found.depth % 2 == 1
    wrong = is_inward != is_cavity
    which = wrong[component]
    faces[which] = faces[which][:, ::-1]
    solids, cavities = wrong & ~is_cavity, wrong & is_cavity
    if wrong.all():
        notes.append(Message("inside out, all its triangles turned round"))
    elif solids.any():
        turned = int(solids.sum())
        notes.append(Message("{count} of its {parts} parts inside out, turned round", count=turned, parts=count))
    if is_cavity.any():
        note = plural(
            "{count} of its {parts} parts is a cavity",
            "{count} of its {parts} parts are cavities",
            count=int(is_cavity.sum()),
            parts=count,
        )
        notes.append(note)
    _note_cavities(cavities, wrong, notes)
    if found.may_overlap:
        _note_overlap(vertices, faces, notes)


def _note_cavities(cavities: np.ndarray, wrong: np.ndarray, notes: list[Message]) -> None:
    """Add a note on parts that were outward in others; `cavities` and `wrong` (c,): those turned for it, and all."""
    if cavities.any() and not wrong.all():
        note = plural(
            "{count} part inside another one was outward and counts as a cavity; "
            'where it is solid, too, use repair = ["union"]',
            "{count} parts inside others were outward and count as cavities; "
            'where they are solid, too, use repair = ["union"]',
            count=int(cavities.sum()),
        )
        notes.append(note)


def _note_overlap(vertices: np.ndarray, faces: np.ndarray, notes: list[Message]) -> None:
    """Add a note with the volumes of the parts and of their union, where parts overlap."""
    # slow imports that few meshes need
    from polhode.mesh.repair import united  # noqa: PLC0415

    made = united(vertices, faces)
    if made is None:
        return
    parts, union = enclosed(vertices, faces)[0], enclosed(*made)[0]
    if union < parts * (1 - OVERLAP):
        note = Message(
            'parts overlap: volume {before:.6g}, of their union {after:.6g}; repair = ["union"] takes the union',
            before=float(parts),
            after=float(union),
        )
        notes.append(note)
