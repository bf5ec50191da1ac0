"""Functions of one argument that are interpolated between samples, as operations of formulas.

Between two knots the value is a cubic in the distance s from the first of them,

    f = c0 + s (c1 + s (c2 + s c3))

with c2 = c3 = 0 for straight lines, and those of a natural cubic spline otherwise (core/polhode/formulas/
cubic_spline.py). Outside of the knots it has the value at the nearer end.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256
from typing import Literal

import numpy as np

from polhode.formulas.cubic_spline import cubic_pieces

Interpolation = Literal["linear", "cubic"]
HEAD = 3  # numbers before the knots in a table


class SampledFunction:
    """A function that formulas call. Equal ones have the same samples; machine code does not depend on them.

    table: (HEAD + n + 4 (n - 1),) what machine code reads: n; value below and above; n knots; c0, c1, c2, c3 of each
    piece
    """

    def __init__(self, name: str, knots: np.ndarray, pieces: np.ndarray, outside: tuple[float, float]):
        """name: for texts; knots: (n,) increasing; pieces: (n - 1, 4); outside: values below and above."""
        self.name, self._knots, self._pieces = name, knots, pieces
        self.first, self.last = float(knots[0]), float(knots[-1])
        self.table = np.concatenate([[len(knots), *outside], knots, pieces.ravel()])
        self.table.flags.writeable = False

    @classmethod
    def of_samples(
        cls, name: str, knots: np.ndarray, values: np.ndarray, interpolation: Interpolation
    ) -> SampledFunction:
        """The function through values (n,) at increasing knots (n,), n >= 2."""
        if interpolation == "cubic":
            pieces = cubic_pieces(knots, values[:, None], closed=False)[:, 0, ::-1]
        else:
            slopes = np.diff(values) / np.diff(knots)
            pieces = np.stack([values[:-1], slopes, np.zeros_like(slopes), np.zeros_like(slopes)], axis=1)
        return cls(name, knots, np.ascontiguousarray(pieces), (float(values[0]), float(values[-1])))

    def __call__(self, argument: np.ndarray) -> np.ndarray:
        """Values at arguments of any shape."""
        _, below, above = self.table[:HEAD]
        k = np.clip(np.searchsorted(self._knots, argument, side="right") - 1, 0, len(self._pieces) - 1)
        c, s = self._pieces[k], argument - self._knots[k]
        inside = c[..., 0] + s * (c[..., 1] + s * (c[..., 2] + s * c[..., 3]))
        return np.where(argument < self.first, below, np.where(argument > self.last, above, inside))

    @property
    def count(self) -> int:
        """Number of knots."""
        return len(self._knots)

    @cached_property
    def derivative(self) -> SampledFunction:
        """The first derivative, 0 outside of the knots; that of straight lines is constant between knots.

        Made once: caches of formulas keep it.
        """
        c = self._pieces
        pieces = np.stack([c[:, 1], 2.0 * c[:, 2], 3.0 * c[:, 3], np.zeros(len(c))], axis=1)
        return SampledFunction(f"{self.name}'", self._knots, pieces, (0.0, 0.0))

    @cached_property
    def _digest(self) -> bytes:
        return sha256(self.table.tobytes()).digest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, SampledFunction) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __str__(self) -> str:
        return self.name
