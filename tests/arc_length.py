"""How long a path is, from its start to any q, and back: for drawing it and for counting its ends."""

from __future__ import annotations

import numpy as np

from polhode.physics.paths.path_kernels import Paths, trace

PANELS = 2048
NEWTON = 6  # steps; the table is a good first guess, and each doubles the digits


class ArcLength:
    """Lengths along one path of a table, by Gauss's rule of order 10 on each of many panels.

    A closed path is measured once round; further q and lengths count on. Where the path has a kink within a panel the
    length is as good as a panel is short.
    """

    def __init__(self, paths: Paths, i: int):
        self._paths, self._i = paths, i
        self.closed = bool(paths.closed[i])
        self.parameters = np.linspace(paths.start[i], paths.stop[i], PANELS + 1)
        if len(knots := paths.knots[paths.first_piece[i] : paths.stop_piece[i]]):
            self.parameters = np.unique(np.concatenate([self.parameters, knots]))
        self.lengths = np.concatenate([[0.0], np.cumsum(self._between(self.parameters[:-1], self.parameters[1:]))])
        self.total = float(self.lengths[-1])
        self.places = self._traced(self.parameters)[:, 0]  # (n, 3) [m] laboratory, where the path is not moved

    def length_at(self, q: np.ndarray | float) -> np.ndarray:
        """[m] from the start to the internal parameter q."""
        turns, inside = self._reduced(np.asarray(q, dtype=float), self.parameters[0], self.parameters[-1])
        panel = np.clip(np.searchsorted(self.parameters, inside, "right") - 1, 0, len(self.parameters) - 2)
        return turns * self.total + self.lengths[panel] + self._between(self.parameters[panel], inside)

    def parameter_at(self, length: np.ndarray | float) -> np.ndarray:
        """The internal parameter at a distance [m] from the start."""
        turns, inside = self._reduced(np.asarray(length, dtype=float), 0.0, self.total)
        q = np.interp(inside, self.lengths, self.parameters)
        for _ in range(NEWTON):
            panel = np.clip(np.searchsorted(self.parameters, q, "right") - 1, 0, len(self.parameters) - 2)
            off = self.lengths[panel] + self._between(self.parameters[panel], q) - inside
            q = np.clip(q - off / self._speed(q), self.parameters[0], self.parameters[-1])
        return q + turns * (self.parameters[-1] - self.parameters[0])

    def _reduced(self, value: np.ndarray, start: float, stop: float) -> tuple[np.ndarray, np.ndarray]:
        """Whole turns before a value, and the rest of it; an open path has no turns and nothing beyond its ends."""
        if not self.closed:
            return np.zeros(value.shape), np.clip(value, start, stop)
        turns = np.floor((value - start) / (stop - start))
        return turns, value - turns * (stop - start)

    def _between(self, left: np.ndarray, right: np.ndarray) -> np.ndarray:
        """Integral of |r'| from each left to each right."""
        nodes, weights = np.polynomial.legendre.leggauss(5)
        half = 0.5 * (right - left)
        places = (0.5 * (right + left))[..., None] + half[..., None] * nodes
        return half * (self._speed(places) @ weights)

    def _speed(self, q: np.ndarray) -> np.ndarray:
        return np.asarray(np.linalg.norm(self._traced(q.ravel())[:, 1], axis=1).reshape(q.shape))

    def _traced(self, q: np.ndarray) -> np.ndarray:
        found = np.empty((len(q), 3, 3))
        trace(self._paths, self._i, q, found)
        return found
