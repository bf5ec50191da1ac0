"""Arrays as compact bytes for the page: rounded to a grid, as differences, by planes of bytes, then compressed.

`page/data.js` reads them. Values x (n, ...) become integers round((x - offset) / grain); of these their differences
of an order along the first axis are kept, as unsigned numbers 2 d or -2 d - 1, the lowest bytes of all first.
"""

from __future__ import annotations

import base64
import zlib
from math import prod
from typing import Any

import numpy as np

FARTHEST = 2**27  # largest integer: with second differences of twice a sign it still fits 32 bits
LEVEL = 9  # of the compression


class Blob:
    """Concatenated arrays, with the metadata that a reader needs of each."""

    def __init__(self) -> None:
        self.arrays: list[dict[str, Any]] = []
        self._bytes = bytearray()
        self._known: dict[tuple[object, ...], int] = {}

    def series(self, values: np.ndarray, grain: float, order: int = 2, **more: object) -> int:
        """Add numbers (n, ...), rounded to multiples of `grain`, as differences of an order along the first axis.

        `more` are further entries of its table. Returns the index of the array. Values that are not finite become those
        before them.
        """
        flat = _finite(np.asarray(values, float).reshape(len(values), prod(values.shape[1:])))
        offset = flat[:1].copy() if len(flat) else flat
        whole = np.clip(np.rint((flat - offset) / grain), -FARTHEST, FARTHEST).astype(np.int64)
        for _ in range(order):
            whole = np.diff(whole, axis=0, prepend=0)
        planes = _planes(np.where(whole < 0, -2 * whole - 1, 2 * whole).T)
        about = {"kind": "series", "order": order, "grain": grain, "planes": len(planes), **more}
        return self._add(b"".join(planes), {**about, "offset": offset.ravel().tolist(), "shape": [*values.shape]})

    def whole(self, values: np.ndarray, order: int = 1) -> int:
        """Add integers (n, ...), which are kept exactly. Returns the index of the array."""
        return self.series(values, 1.0, order)

    def bytes(self, values: np.ndarray) -> int:
        """Add an array (n, ...) of uint8 or int8. Returns the index of the array."""
        kind = {"uint8": "u8", "int8": "i8"}[values.dtype.name]
        return self._add(np.ascontiguousarray(values).tobytes(), {"kind": kind, "shape": [*values.shape]})

    def doubles(self, values: np.ndarray) -> int:
        """Add an array (n, ...) of float64, which is kept exactly. Returns the index of the array."""
        return self._add(np.ascontiguousarray(values, "<f8").tobytes(), {"kind": "f64", "shape": [*values.shape]})

    def _add(self, data: bytes, about: dict[str, Any]) -> int:
        """Add bytes, unless the same array is there already."""
        key = (data, repr(about))
        if key not in self._known:
            self._known[key] = len(self.arrays)
            self.arrays.append({**about, "start": len(self._bytes), "size": len(data)})
            self._bytes += data
        return self._known[key]

    def text(self) -> str:
        """All bytes, compressed (raw deflate) and in base64."""
        packer = zlib.compressobj(LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
        return base64.b64encode(packer.compress(bytes(self._bytes)) + packer.flush()).decode()


def _planes(numbers: np.ndarray) -> list[bytes]:
    """The lowest bytes of unsigned numbers, then the next ones, up to the highest that is not 0."""
    largest = int(numbers.max(initial=0))
    count = max(1, (largest.bit_length() + 7) // 8)
    return [((numbers >> (8 * k)) & 255).astype(np.uint8).tobytes() for k in range(count)]


def _finite(values: np.ndarray) -> np.ndarray:
    """Values (n, c) with those that are not finite replaced by the last finite ones before them, or 0."""
    good = np.isfinite(values)
    if good.all():
        return values
    last = np.maximum.accumulate(np.where(good, np.arange(len(values))[:, None], -1), axis=0)
    return np.where(last >= 0, np.take_along_axis(np.where(good, values, 0.0), last.clip(0), axis=0), 0.0)
