"""Iron that saturates beside coils: 1/chi of the iron and the currents of circuits together.

As in one_shape.py, with the amplitudes of modes a = a_m + sum I_k a_k in the potential of magnets and of coils. For a
given x = 1/chi the iron is linear,

    Phi_k = Phi_0k + mu0 sum a_k a_m/(s + x)        L_kj = L_0kj + mu0 sum a_k a_j/(s + x)

and the circuits give the currents. U is convex in the charges, so that their magnetisation falls with x, and 1 - M/M_s
= 1/(chi_0 x) has one root.
"""

from __future__ import annotations

from math import sqrt

from polhode.engine.model import Step
from polhode.jit.kernel import kernel
from polhode.jit.simd import WIDTH, broadcast, load, reduce_sum, store
from polhode.physics.coils.circuit import add_up, pass_on, write_currents
from polhode.physics.iron.arrays import Iron, IronWork
from polhode.physics.iron.potentials import multiply
from polhode.physics.iron.resistive_coils import set_inductance
from polhode.physics.iron.saturation.one_shape import multiply_transposed

MOST_STEPS = 100
ACCURACY = 1e-14  # of 1/chi


@kernel
def weighted(end: int, j: int, k: int, x: float, iron: Iron, work: IronWork) -> float:
    """Sum of a_j a_k/(s + x) over all modes; rows j and k of `amplitude`."""
    total = broadcast(0.0)
    for i in range(0, end, WIDTH):
        total = total + load(work.amplitude, j, i) * load(work.amplitude, k, i) / (load(iron.own_value, 0, i) + x)
    return reduce_sum(total)


@kernel
def excess_of(s: Step, x: float) -> tuple[float, float]:
    """1 - M/M_s - 1/(chi_0 x) and M [A/m] at x = 1/chi; writes fluxes, inductances and currents of coils."""
    iron, work, coil_work, circuits = s.model.iron, s.work.iron, s.work.coils, s.work.circuits
    end, permeability = len(iron.edge), s.model.permeability
    for k in range(len(coil_work.current)):
        coil_work.flux[k] = work.flux[k] + permeability * weighted(end, 0, 1 + k, x, iron, work)
        for j in range(k + 1):
            added = permeability * weighted(end, 1 + k, 1 + j, x, iron, work)
            set_inductance(s.model.coils, s.model.circuits, k, j, added, coil_work, work)
    if not circuits.is_given[0]:
        add_up(s.model.coils, s.model.circuits, s.state, coil_work, circuits)
        write_currents(s.model.circuits, s.state[s.model.circuits.at :], circuits)
        pass_on(s.model.coils, coil_work, circuits)
    total = broadcast(0.0)
    for i in range(0, end, WIDTH):
        a = load(work.amplitude, 0, i)
        for k in range(len(coil_work.current)):
            a = a + coil_work.current[k] * load(work.amplitude, 1 + k, i)
        part = a / (load(iron.own_value, 0, i) + x)
        total = total + part * part
    magnetisation = sqrt(reduce_sum(total) / iron.shape_volume[0])
    return 1.0 - magnetisation / iron.saturation[0] - 1.0 / (iron.susceptibility[0] * x), magnetisation


@kernel
def root(s: Step) -> float:
    """1/chi of the iron, between 1/chi_0 and where the excess is positive, by the method of Illinois."""
    low = 1.0 / s.model.iron.susceptibility[0]
    at_low = excess_of(s, low)[0]
    if not at_low < 0.0:
        return low
    high = 2.0 * low
    at_high = excess_of(s, high)[0]
    for _ in range(MOST_STEPS):
        if at_high > 0.0:
            break
        low, at_low = high, at_high
        high = 4.0 * high
        at_high = excess_of(s, high)[0]
    last = 0
    for _ in range(MOST_STEPS):
        if not high - low > ACCURACY * high:
            break
        x = (low * at_high - high * at_low) / (at_high - at_low)
        if not low < x < high:
            break
        found = excess_of(s, x)[0]
        if found > 0.0:
            high, at_high = x, found
            at_low = 0.5 * at_low if last == 1 else at_low
            last = 1
        else:
            low, at_low = x, found
            at_high = 0.5 * at_high if last == -1 else at_high
            last = -1
        if found == 0.0:
            break
    return low if -at_low < at_high else high


@kernel
def respond_saturated(s: Step) -> None:
    """As `respond` of coils.py for iron that saturates, with 1/chi and the magnetisation."""
    iron, work = s.model.iron, s.work.iron
    first, end, rows = iron.first[0], iron.first[1], len(work.of_coil)
    multiply_transposed(iron.inverse, first, end, work.potential, work.amplitude[0:1])
    for k in range(rows):
        multiply_transposed(iron.inverse, first, end, work.of_coil[k : k + 1], work.amplitude[1 + k : 2 + k])
    x = root(s)
    work.reluctivity[0], work.magnetisation[0] = x, excess_of(s, x)[1]
    for k in range(1 + rows):
        for i in range(0, end, WIDTH):
            share = -load(work.amplitude, k, i) / (load(iron.own_value, 0, i) + x)
            store(work.direction, 0, i, None, share)
        if k == 0:
            multiply(iron.inverse, first, end, work.direction, work.of_magnets)
        else:
            multiply(iron.inverse, first, end, work.direction, work.charge_of_coil[k - 1 : k])
