"""Which coils induce currents in each other, and the inductances of coils on one body, which do not change."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from polhode.physics.coils.arrays import DRIVEN, DYNAMIC, OPEN, RESISTIVE, Coils, make_coil_work
from polhode.physics.coils.flux import couple_pair

INDUCING = {
    RESISTIVE: (DRIVEN, OPEN),  # the inductance of a resistive coil is left out, and so is what its current induces
    DYNAMIC: (DYNAMIC, DRIVEN, OPEN),
    DRIVEN: (RESISTIVE, DYNAMIC, DRIVEN, OPEN),
    OPEN: (DYNAMIC, DRIVEN),
}


def at_rest(coils: Coils, kind: np.ndarray, permeability: float) -> Coils:
    """Coils with the pairs that induce in each other, and the mutual inductances of those on the same body.

    kind: (n,) kinds of the circuits of the coils
    """
    count, inductance, pairs = len(kind), coils.inductance.copy(), []
    work = make_coil_work(coils, 0)
    work.position[:], work.axes[:] = coils.position, coils.basis
    for k in range(count):
        for j in range(k):
            if kind[j] not in INDUCING[int(kind[k])] and kind[k] not in INDUCING[int(kind[j])]:
                continue
            if coils.body[k] != coils.body[j]:
                pairs.append((j, k))
            else:
                inductance[k, j] = inductance[j, k] = couple_pair(coils, j, k, permeability, work)[0]
    return replace(coils, inductance=inductance, pair=np.array(pairs, dtype=np.int64).reshape(-1, 2))
