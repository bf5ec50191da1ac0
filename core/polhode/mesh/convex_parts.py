"""A mesh as convex parts that cover it: approximate convex decomposition.

The mesh is cut by planes until no part differs from its convex hull by more than a tolerance. (Wei and others,
Approximate convex decomposition for 3D meshes with collision-aware concavity and tree search, ACM Transactions on
Graphics 41, 2022; library coacd)
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from polhode.mesh.kept import KeptShape, Progress

SEED = 1  # of the search for planes: the same mesh always has the same parts
LONGEST = 2.0  # longest side of a mesh in coacd, in whose unit the tolerance is
FINEST = 0.01  # smallest tolerance of coacd
MARK = b"POLHODE\2"
COUNTS = struct.Struct("<8sq")  # mark, number of parts

Surface = tuple[np.ndarray, np.ndarray]  # vertices (v, 3) and faces (t, 3), outwards


@dataclass(frozen=True)
class KeptParts(KeptShape[tuple[Surface, ...]]):
    """Convex parts of a mesh, each with its vertices and faces."""

    cells: int
    """Hollows that are deeper than the longest side over this number stay open."""

    KIND: ClassVar[str] = "parts"
    LIBRARIES: ClassVar[tuple[str, ...]] = ("numpy", "coacd")
    MAY_CRASH: ClassVar[bool] = True

    def make(self, progress: Progress) -> tuple[Surface, ...]:
        """Cut the mesh; the library does not tell how far it is."""
        # a library that few scenes need
        import coacd  # noqa: PLC0415

        coacd.set_log_level("off")
        tolerance = max(LONGEST / self.cells, FINEST)
        mesh = coacd.Mesh(*self.surface)
        parts = coacd.run_coacd(mesh, threshold=tolerance, preprocess_mode="off", seed=SEED)
        return tuple((np.asarray(vertices), np.asarray(faces, np.int64)) for vertices, faces in parts)

    @staticmethod
    def packed(made: tuple[Surface, ...]) -> bytes:
        """Content of the file of parts: their numbers of vertices and of faces, then these."""
        content = [COUNTS.pack(MARK, len(made))]
        content += [struct.pack("<2q", len(vertices), len(faces)) for vertices, faces in made]
        for vertices, faces in made:
            content += [vertices.astype("<f8").tobytes(), faces.astype("<i8").tobytes()]
        return b"".join(content)

    @staticmethod
    def unpacked(content: bytes) -> tuple[Surface, ...] | None:
        """The parts of a file; None for a content that has none."""
        if len(content) < COUNTS.size:
            return None
        mark, count = COUNTS.unpack_from(content)
        if mark != MARK or not 1 <= count <= len(content) // 16 or COUNTS.size + 16 * count > len(content):
            return None
        sizes = np.frombuffer(content, "<i8", 2 * count, COUNTS.size).reshape(-1, 2).tolist()
        if min(map(min, sizes)) < 1 or COUNTS.size + sum(16 + 24 * (v + f) for v, f in sizes) != len(content):
            return None
        at, parts = COUNTS.size + 16 * count, []
        for v, f in sizes:
            vertices = np.frombuffer(content, "<f8", 3 * v, at).astype(np.float64).reshape(-1, 3)
            faces = np.frombuffer(content, "<i8", 3 * f, at + 24 * v).astype(np.int64).reshape(-1, 3)
            at += 24 * (v + f)
            if not np.isfinite(vertices).all() or faces.min() < 0 or faces.max() >= v:
                return None
            parts.append((vertices, faces))
        return tuple(parts)
