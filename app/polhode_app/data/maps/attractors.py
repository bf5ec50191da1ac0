"""The attractors that the maps of one sweep have shown, so that each keeps its number and colour from map to map."""

from __future__ import annotations

import numpy as np

from polhode.run.status import PENDING, SETTLED
from polhode.sweep.maps.map import NO_LABEL, SweepMap
from polhode.sweep.maps.similarity import are_one, share_cells


class Attractors:
    """Numbers attractors in the order in which they are seen, by the features of cells that have settled.

    Sweeps that name their attractors have them numbered already, and maps that are done where none was known before.
    """

    def __init__(self) -> None:
        self._rests: list[np.ndarray] = []  # (f,) features of each
        self._labels: dict[int, tuple[SweepMap, np.ndarray]] = {}  # of maps, by the id of the results

    def labels(self, made: SweepMap) -> np.ndarray:
        """(n, m, ...) number of the attractor of each cell, NO_LABEL where there is none or it is not known yet."""
        if made.sweep.outcome.kind != "attractor" or made.sweep.outcome.near:
            return made.label
        if not self._rests and not made.is_pending:
            self._learn(made)
        known = self._labels.get(id(made))
        if known is None or known[0] is not made:
            known = made, np.full(made.status.size, NO_LABEL - 1, dtype=np.int32)  # NO_LABEL - 1: not examined
            self._labels[id(made)] = known
        label = known[1]
        new = np.flatnonzero((label == NO_LABEL - 1) & (made.status.reshape(-1) != PENDING))
        if len(new):
            label[new] = self._numbered(made, new)
        return np.maximum(label, NO_LABEL).reshape(made.shape)

    def _learn(self, made: SweepMap) -> None:
        """Take the numbers of a map that is done."""
        features = made.features.reshape(made.status.size, -1)
        for number in range(int(made.label.max(initial=NO_LABEL)) + 1):
            cells = np.flatnonzero((made.label.reshape(-1) == number) & (made.status.reshape(-1) == SETTLED))
            self._rests.append(features[cells[0]] if len(cells) else np.full(features.shape[1], np.nan))

    def _numbered(self, made: SweepMap, cells: np.ndarray) -> np.ndarray:
        """(n,) numbers of cells (n,); a settled cell that is no known rest is a new one."""
        found = np.array(made.features.reshape(made.status.size, -1)[cells])
        has_settled = made.status.reshape(-1)[cells] == SETTLED
        label = np.full(len(cells), NO_LABEL, dtype=np.int32)
        alike = share_cells if made.sweep.outcome.grid else are_one
        for number, rest in enumerate(self._rests):
            label[(label == NO_LABEL) & alike(found, rest)] = number
        while len(left := np.flatnonzero(has_settled & (label == NO_LABEL) & np.isfinite(found).any(axis=1))):
            self._rests.append(found[left[0]])
            label[left[0]] = len(self._rests) - 1
            label[(label == NO_LABEL) & alike(found, self._rests[-1])] = len(self._rests) - 1
        return label
