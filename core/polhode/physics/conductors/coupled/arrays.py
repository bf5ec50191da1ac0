"""Scratch arrays of conductors beside soft iron, and beside conductors of other bodies.

Here a triangle of a sheet is one element, a dipole at its centroid, and so is each ring.
"""

from __future__ import annotations

from itertools import pairwise
from math import isfinite
from typing import NamedTuple

import numpy as np

from polhode.engine.model import NOTHING
from polhode.jit.kernel import kernel
from polhode.jit.kernel_struct import KernelStruct
from polhode.jit.simd import WIDTH
from polhode.physics.coils.arrays import Coils
from polhode.physics.conductors.arrays import Conductors, ConductorWork, slow_modes
from polhode.physics.iron.arrays import Iron

FAR = 1e30  # [m] position of padding


class EddyWork(KernelStruct):
    """Scratch of conductors beside iron and other conductors, laboratory frame; empty in scenes with neither."""

    first: np.ndarray
    """(c + 1,) int64 index of the first element of each conductor, constant, multiples of the width of a SIMD vector
    with as many elements as `end` says."""
    end: np.ndarray
    """(c,) int64 behind the last element of each conductor, without padding."""
    source: np.ndarray
    """(e,) int64 first source of each element, constant."""
    sources: np.ndarray
    """(e,) int64 number of sources of each element, constant; 0 of padding."""
    share: np.ndarray
    """(e, 3) part of the current of each of its nodes that an element has, constant."""
    of_mode: np.ndarray
    """(d, e) [1] current of each element by 1 A in a slow mode, constant."""
    slow: np.ndarray
    """(d,) int64 index of each slow mode among all modes, constant."""
    owner: np.ndarray
    """(d,) int64 conductor of each, constant."""
    current: np.ndarray
    """(1, e) [A] of elements."""
    slow_current: np.ndarray
    """(1, e) [A] of slow modes alone."""
    position: np.ndarray
    """(3, e) [m] of elements."""
    area: np.ndarray
    """(3, e) [m^2] of elements."""
    through: np.ndarray
    """(d, e) [Wb/A] flux of 1 A in a slow mode through elements of other conductors."""
    pose: np.ndarray
    """(b, 12) position and axes of the bodies of conductors, then of iron, that the next two are for."""
    is_moved: np.ndarray
    """(1,) bool: these bodies are elsewhere, and the next two have to be written."""
    by_metal: np.ndarray
    """(d, d) [H] mutual inductances of slow modes of different conductors."""
    by_iron: np.ndarray
    """(d, d) [H] parts of the inductances of slow modes that iron adds."""
    mutual: np.ndarray
    """(d, d) [H] inductances of slow modes."""
    factor: np.ndarray
    """(d, d) Cholesky factor of `mutual`, for the same poses."""
    failed: np.ndarray
    """(3,) a slow mode with which `mutual` was not positive definite, the one that it is coupled to, and the coupling;
    NaN: it always was."""
    right: np.ndarray
    """(d,) [Wb], then [A] of slow modes."""
    by_magnets: np.ndarray
    """(d,) [Wb] flux of iron through slow modes without the currents of coils and conductors."""
    by_coils: np.ndarray
    """(l, d) [H] what iron adds to the mutual inductances of coils and slow modes."""
    is_given: np.ndarray
    """(2,) bool: currents of coils, and of slow modes, are given; this and all up to `before` where iron saturates."""
    alone: np.ndarray
    """(d,) [A] of slow modes without coils and iron."""
    coupling: np.ndarray
    """(l, d) [H] mutual inductances of coils and slow modes without iron."""
    answer: np.ndarray
    """(l, d) [1] what slow modes lose of their currents by 1 A in a coil without iron."""
    decay: np.ndarray
    """(l, d) [1] derivatives of the currents of slow modes with respect to those of coils, for outputs."""
    before: np.ndarray
    """(d,) [A] of slow modes, for outputs."""
    panel_area: np.ndarray
    """(3, n) [m^2] vector areas of the panels of iron; this and all that follows only beside iron."""
    panel_velocity: np.ndarray
    """(3, n) [m/s] of their centroids."""
    moment: np.ndarray
    """(3, n) [A m^2] u A n of panels without the currents of conductors."""
    moment_rate: np.ndarray
    """(3, n) [A m^2/s] in the frame of a conductor."""
    slip: np.ndarray
    """(3, n) [m/s] velocity of panels in the frame of a conductor."""
    potential_rate: np.ndarray
    """(1, n) [A/s] change of the potential at panels by motion and with time, in the frame of the iron."""
    charge_rate: np.ndarray
    """(1, n) [A m/s] change of the charges that follows."""
    inner: np.ndarray
    """(1, n) [A] u of the charges without the currents of conductors."""
    inner_rate: np.ndarray
    """(1, n) [A/s]."""
    threaded: np.ndarray
    """(1, n) [A m] flux of the currents of conductors through panels, relative to mu0."""
    potential: np.ndarray
    """(1, n) [A] their potential."""
    charge: np.ndarray
    """(1, n) [A m] the charges that they induce."""
    shift: np.ndarray
    """(1, n) [A m] charges of magnets and coils in iron that saturates with slow modes, less those without these."""
    potential_of_mode: np.ndarray
    """(d, n) [1] potential of 1 A in each slow mode."""
    charge_of_mode: np.ndarray
    """(d, n) [m] charges of 1 A in each slow mode."""


def act_beside_coils(conductors: Conductors, iron: Iron, coils: Coils) -> bool:
    """Whether a scene has conductors, coils, and iron, which acts on both."""
    return len(conductors.body) > 0 and len(coils.body) > 0 and len(iron.body) > 0


def make_eddy_work(conductors: Conductors, iron: Iron, coils: Coils) -> EddyWork:
    """Scratch arrays for conductors beside iron or each other."""
    panels = len(iron.edge) if len(conductors.body) > 0 else 0
    elements = elements_of(conductors, panels > 0 or len(conductors.body) > 1)
    modes = currents_of_modes(conductors, elements)
    count, size = modes.shape
    owner = np.repeat(np.arange(len(conductors.body)), conductors.slow)[:count]
    three = ("panel_area", "panel_velocity", "moment", "moment_rate", "slip")
    one = ("potential_rate", "charge_rate", "inner", "inner_rate", "threaded", "potential", "charge", "shift")
    return EddyWork(
        **elements._asdict(),
        of_mode=modes,
        current=np.zeros((1, size)),
        slow_current=np.zeros((1, size)),
        position=np.full((3, size), FAR),
        area=np.zeros((3, size)),
        through=np.zeros((count, size)),
        pose=np.full((len(conductors.body) + len(iron.body) if size else 0, 12), np.nan),
        is_moved=np.ones(1, np.bool_),
        by_metal=np.zeros((count, count)),
        by_iron=np.zeros((count, count)),
        mutual=np.zeros((count, count)),
        factor=np.zeros((count, count)),
        failed=np.full(3, np.nan),
        right=np.zeros(count),
        by_magnets=np.zeros(count),
        by_coils=np.zeros((len(coils.body) if count else 0, count)),
        slow=slow_modes(conductors)[:count],
        owner=owner,
        is_given=np.zeros(2, np.bool_),
        alone=np.zeros(count),
        answer=np.zeros((len(coils.body) if count else 0, count)),
        coupling=np.zeros((len(coils.body) if count else 0, count)),
        decay=np.zeros((len(coils.body) if count else 0, count)),
        before=np.zeros(count),
        potential_of_mode=np.zeros((count, panels)),
        charge_of_mode=np.zeros((count, panels)),
        **{name: np.zeros((3, panels)) for name in three},
        **{name: np.zeros((1, panels)) for name in one},
    )


class Elements(NamedTuple):
    """Members of EddyWork."""

    first: np.ndarray  # (c + 1,) int64
    end: np.ndarray  # (c,) int64
    source: np.ndarray  # (e,) int64
    sources: np.ndarray  # (e,) int64
    share: np.ndarray  # (e, 3)


def elements_of(conductors: Conductors, is_used: bool) -> Elements:
    """The elements of all conductors; none unless they are used."""
    first, end, source, count = [0], list[int](), [np.zeros(0, np.int64)], [np.zeros(0, np.int64)]
    for begin, behind in pairwise(conductors.first_source.tolist() if is_used else [0]):
        in_each = 3 if conductors.radius[begin] == 0.0 else 1
        own = np.arange(begin, behind, in_each)
        padding = -len(own) % WIDTH
        end.append(first[-1] + len(own))
        first.append(end[-1] + padding)
        source.append(np.pad(own, (0, padding)))
        count.append(np.pad(np.full(len(own), in_each), (0, padding)))
    sources, counts = np.concatenate(source), np.concatenate(count)
    share = np.zeros((len(sources), 3))
    for k in range(len(sources)):
        if counts[k]:
            share[k] = conductors.share[sources[k] : sources[k] + counts[k]].mean(axis=0)
    return Elements(np.array(first, np.int64), np.array(end, np.int64), sources, counts, share)


def currents_of_modes(conductors: Conductors, elements: Elements) -> np.ndarray:
    """(d, e) current of each element by 1 A in each slow mode."""
    rows = list[np.ndarray]()
    for c in range(len(elements.end)):
        own = slice(elements.first[c], elements.end[c])
        node, start = conductors.node[elements.source[own]], conductors.first_mode[c]
        share, local = elements.share[own] * (node != NOTHING), np.maximum(node - conductors.first_node[c], 0)
        for k in range(start, start + conductors.slow[c]):
            rows.append(np.zeros(len(elements.source)))
            rows[-1][own] = (conductors.mode[k][local] * share).sum(axis=1)
    return np.array(rows).reshape(len(rows), len(elements.source))


@kernel
def saturates_beside_modes(iron: Iron, eddy: EddyWork) -> bool:
    """Whether iron saturates and is solved together with slow modes."""
    found = False
    for j in range(len(iron.saturation)):
        found = found or isfinite(iron.saturation[j])
    return found and len(eddy.potential_of_mode) > 0


@kernel
def place_elements(work: ConductorWork, eddy: EddyWork) -> None:
    """Write positions and areas of all elements; the sources are placed."""
    for k in range(len(eddy.source)):
        first, count = eddy.source[k], eddy.sources[k]
        for axis in range(3 if count > 0 else 0):
            position = area = 0.0
            for i in range(first, first + count):
                position += work.position[i, axis]
                area += work.area[i, axis]
            eddy.position[axis, k], eddy.area[axis, k] = position / count, area


@kernel
def write_element_currents(conductors: Conductors, work: ConductorWork, eddy: EddyWork) -> None:
    """Write the currents of all elements, and those of slow modes alone."""
    for k in range(len(eddy.source)):
        total = 0.0
        for part in range(3 if eddy.sources[k] > 0 else 0):
            n = conductors.node[eddy.source[k], part]
            if n != NOTHING:
                total += eddy.share[k, part] * work.node_current[n]
        eddy.current[0, k], eddy.slow_current[0, k] = total, 0.0
    d = 0
    for c in range(len(conductors.body)):
        for m in range(conductors.first_mode[c], conductors.first_mode[c] + conductors.slow[c]):
            for k in range(eddy.first[c], eddy.end[c]):
                eddy.slow_current[0, k] += eddy.of_mode[d, k] * work.current[m]
            d += 1


@kernel
def add_to_nodes(
    k: int, flux: float, change: float, conductors: Conductors, work: ConductorWork, eddy: EddyWork
) -> None:
    """Add the flux [Wb] through element k and its change [V] to those of its nodes."""
    for part in range(3):
        n, share = conductors.node[eddy.source[k], part], eddy.share[k, part]
        if n != NOTHING:
            work.flux[n] += share * flux
            work.change[n] += share * change
