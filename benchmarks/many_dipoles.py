"""Fields and forces of very many dipoles: by their tree beside all pairs: crossover, growth and error.

From the number on at which a scene takes the tree by itself, it should be faster.
"""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np
from timing import best_times, report

from polhode.jit.kernel import kernel
from polhode.physics.magnets.compile import many
from polhode.physics.magnets.pair_blocks import add_all_pairs
from polhode.physics.magnets.tree import make_tree_work, settings
from polhode.physics.magnets.tree_sum import add_tree_sum
from polhode.scene.scene import Solver

MU0 = 1.25663706127e-6
COUNTS = (1000, 2000, 4000, 6000, 10_000, 20_000)
TIGHT = (1e-6, 1e-8)  # tolerances that are tried at that number only


class Arrays(NamedTuple):
    """Of dipoles, each (m, 3)."""

    position: np.ndarray
    moment: np.ndarray
    field: np.ndarray
    force: np.ndarray


@kernel
def all_pairs(first: np.ndarray, dipoles: Arrays) -> None:
    add_all_pairs(0, len(dipoles.moment), MU0, first, dipoles)


def lattice(count: int, dimensions: int) -> np.ndarray:
    """5 cm apart, square or cubic."""
    side = int(np.ceil(count ** (1 / dimensions) - 1e-9))
    k = np.arange(count)
    return 0.05 * np.stack([k // side**axis % side if axis < dimensions else 0 * k for axis in range(3)], axis=1)


def cloud(count: int) -> np.ndarray:
    return np.random.default_rng(1).random((count, 3))


def rms(vectors: np.ndarray) -> float:
    return float(np.sqrt((vectors**2).sum(axis=1).mean()))


def compare(name: str, position: np.ndarray, tolerance: float) -> tuple[float, float]:
    """Times [s] of the tree and of all pairs."""
    count = len(position)
    moment = np.random.default_rng(2).normal(size=(count, 3))
    chosen = settings(tolerance)
    work, first = make_tree_work(chosen, count, count), np.arange(count + 1)
    tree, pairs = np.zeros((2, 2, count, 3))

    def by_tree() -> None:
        tree[:] = 0.0
        add_tree_sum(chosen, MU0, first, Arrays(position, moment, tree[0], tree[1]), work)

    def by_pairs() -> None:
        pairs[:] = 0.0
        all_pairs(first[np.newaxis].astype(float), Arrays(position, moment, pairs[0], pairs[1]))

    ours, rival = best_times(by_tree, by_pairs, turns=9 if count < 5000 else 3)
    errors = [rms(a - b) / rms(b) for a, b in zip(tree, pairs, strict=True)]
    detail = (
        f"{ours * 1e3:.1f} ms, pairs {rival * 1e3:.1f} ms, error of fields {errors[0]:.0e}, of forces {errors[1]:.0e}"
    )
    report(f"{count} dipoles, {name}, pairs / tree", rival / ours, 1.0 if count >= many(tolerance) else None, detail)
    return ours, rival


def main() -> None:
    for name, places in (
        ("square lattice", lambda n: lattice(n, 2)),
        ("cubic lattice", lambda n: lattice(n, 3)),
        ("random", cloud),
    ):
        times = np.array([compare(name, places(count), Solver().dipole_tolerance) for count in COUNTS])
        powers = np.polyfit(np.log(COUNTS[2:]), np.log(times[2:]), 1)[0]
        print(f"{name}: from {COUNTS[2]} dipoles on, time grows as N^{powers[0]:.2f}, of all pairs N^{powers[1]:.2f}")
        for tolerance in TIGHT:
            compare(f"{name}, tolerance {tolerance:g}", places(ceil(many(tolerance))), tolerance)


if __name__ == "__main__":
    main()
