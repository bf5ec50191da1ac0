"""Springs that break: those of soft bodies, and single springs and strings (core/polhode/engine/events.py).

With the tension T = k (l - l0) + d v.e [N], or f(l, v) of a tension law, and the strain s = (l - l0)/l0, a spring that
breaks at the tension T_b or at the strain s_b has the margin

    g = min(1 - T/T_b, 1 - s/s_b)

and breaks where g = 0: from then on it has no force and no energy. Its energy U at that time is lost; -U goes to the
ledger's line CONTACT, as that of a joint that breaks. Pushed springs do not break. The switching function of a soft
body is the least margin of its whole springs.

The status of each spring, 1 where it is broken, is a section of the state, whose rates are 0. PLACE writes the whole
ones into the masks of the groups of eight by which forces and energies are evaluated (springs.py), so that a body none
of whose springs is broken moves as one that can't break, to the last bit.
"""

from __future__ import annotations

from math import inf, sqrt

import numpy as np

from polhode.engine.events import FREE as UNDIVIDED
from polhode.engine.ledger import CONTACT
from polhode.engine.model import NOTHING, Model, Step, Work
from polhode.engine.rates import place
from polhode.jit.kernel import kernel
from polhode.jit.vec import Triple, dot
from polhode.physics.paths.path_ends import add_to_ledger
from polhode.physics.points.arrays import Breaking, is_broken, point_rows
from polhode.physics.points.spring_tiles import SpringWork
from polhode.physics.points.springs import stretch_energy
from polhode.physics.points.tension import energy_of, pull, stretch

KEPT = 1.0  # margin of what can't break any more
TOGETHER = 1e-9  # margin within which springs break with the one whose margin is 0: equal but for rounding


@kernel
def write_whole(breaking: Breaking, state: np.ndarray, spring_work: SpringWork) -> None:
    """Write the lanes of whole springs into the masks of the groups of soft bodies that break."""
    for g in range(len(breaking.group)):
        lanes = 0
        for lane in range(breaking.count[g]):
            if not is_broken(breaking, breaking.first_of_group[g] + lane, state):
                lanes |= 1 << lane
        spring_work.groups[breaking.group[g], 3] = lanes


@kernel
def margin_of(breaking: Breaking, item: int, tension: float, stretched: float, rest: float) -> float:
    """g of a spring of an item with a tension T [N], l - l0 = `stretched` [m] and the natural length `rest` [m]."""
    left = 1.0 - tension / breaking.force[item]
    if breaking.strain[item] < inf:
        left = min(left, 1.0 - stretched / (breaking.strain[item] * rest))
    return left


@kernel
def difference(rows: np.ndarray, first: int, i: int, j: int) -> Triple:
    """Point j minus point i, of the components from row `first` on: 0 positions [m], 3 velocities [m/s].

    rows: (6, p) `point_rows` of the state
    """
    return (
        rows[first, j] - rows[first, i],
        rows[first + 1, j] - rows[first + 1, i],
        rows[first + 2, j] - rows[first + 2, i],
    )


@kernel
def margin_in_body(model: Model, state: np.ndarray, work: Work, item: int, g: int, lane: int) -> tuple[float, float]:
    """g and U [J] of the spring in a lane of group g of a soft body."""
    breaking, runs, groups = model.breaking, model.spring_rows, work.springs.groups
    group, rows = breaking.group[g], point_rows(model.points, state)
    i, j, run = int(groups[group, 0]) + lane, int(groups[group, 1]) + lane, int(groups[group, 2])
    along, relative = difference(rows, 0, i, j), difference(rows, 3, i, j)
    length, rest, stiffness = sqrt(dot(along, along)), runs.rest[run], runs.stiffness[run]
    rate = dot(along, relative) / length if length > 0.0 else 0.0
    tension = stiffness * (length - rest) + runs.damping[run] * rate
    return margin_of(breaking, item, tension, length - rest, rest), stretch_energy(along, rest, stiffness)


@kernel
def margin_of_law(model: Model, state: np.ndarray, work: Work, item: int) -> tuple[float, float]:
    """g and U [J] of a single spring or string."""
    k = model.breaking.law[item]
    laws, rest = model.tension_laws, model.springs.rest[model.tension_laws.spring[k]]
    length, rate, _, _ = stretch(model.points, model.springs, laws, k, state, work.anchors)
    tension = pull(laws, k, rest, length, rate)
    return margin_of(model.breaking, item, tension, length - rest, rest), energy_of(laws, k, rest, length)


@kernel
def least_margin(model: Model, state: np.ndarray, work: Work, item: int) -> float:
    """Least g of the whole springs of an item, at most KEPT; the state is placed."""
    breaking, least = model.breaking, KEPT
    if breaking.law[item] != NOTHING:
        if is_broken(breaking, breaking.first[item], state):
            return KEPT
        return min(margin_of_law(model, state, work, item)[0], KEPT)
    for g in range(breaking.first_group[item], breaking.first_group[item + 1]):
        for lane in range(breaking.count[g]):
            if not is_broken(breaking, breaking.first_of_group[g] + lane, state):
                least = min(least, margin_in_body(model, state, work, item, g, lane)[0])
    return least


@kernel
def break_one(model: Model, n: int, energy: float, state: np.ndarray) -> None:
    """Spring n breaks, and loses its energy [J]."""
    state[model.breaking.at + n] = 1.0
    add_to_ledger(model.ledger, state, CONTACT, -energy)


@kernel
def break_item(model: Model, state: np.ndarray, work: Work, item: int, least: float) -> None:
    """Break the springs of an item whose g is at most that of the weakest one, `least`, or 0; the state is placed."""
    breaking, limit = model.breaking, max(least, 0.0) + TOGETHER
    if breaking.law[item] != NOTHING:
        break_one(model, breaking.first[item], margin_of_law(model, state, work, item)[1], state)
        return
    for g in range(breaking.first_group[item], breaking.first_group[item + 1]):
        for lane in range(breaking.count[g]):
            n = breaking.first_of_group[g] + lane
            if not is_broken(breaking, n, state):
                margin, energy = margin_in_body(model, state, work, item, g, lane)
                if margin <= limit:
                    break_one(model, n, energy, state)


@kernel
def write_margins(s: Step) -> None:
    """SWITCH: write the least margin of each item into `out` (i,); the state is placed."""
    for item in range(len(s.model.breaking.law)):
        s.out[item] = least_margin(s.model, s.state, s.work, item)


@kernel
def break_springs(s: Step) -> None:
    """IMPACT: break springs of items with negative margins in `out` (i,), and make these positive."""
    placed = False
    for item in range(len(s.model.breaking.law)):
        if s.out[item] > 0.0:
            continue
        if not placed:
            place(s.model, s.inputs, s.time, s.state, s.work)
            placed = True
        least = least_margin(s.model, s.state, s.work, item)
        if least < KEPT:
            break_item(s.model, s.state, s.work, item, least)
        s.out[item] = least_margin(s.model, s.state, s.work, item)
    if placed:
        write_whole(s.model.breaking, s.state, s.work.springs)


@kernel
def settle_after_step(s: Step) -> None:
    """FINISH of steps that are not divided: springs beyond their margins by the end of the step break there."""
    if s.work.events.mode[0] == UNDIVIDED:
        place(s.model, s.inputs, s.time, s.state, s.work)
        values = Step(s.model, s.inputs, s.time, s.state, s.work, s.work.breaking.margin)
        write_margins(values)
        break_springs(values)


@kernel
def mask(s: Step) -> None:
    """PLACE: the springs of soft bodies that are whole."""
    write_whole(s.model.breaking, s.state, s.work.springs)


@kernel
def keep_status(s: Step) -> None:
    """PROJECT: the status changes at steps alone."""
    for n in range(len(s.model.breaking.spring)):
        s.out[s.model.breaking.at + n] = 0.0


@kernel
def count_broken(s: Step) -> None:
    """OBSERVE: the number of broken springs of each item."""
    for item in range(len(s.model.breaking.law)):
        broken = 0.0
        for n in range(s.model.breaking.first[item], s.model.breaking.first[item + 1]):
            broken += s.state[s.model.breaking.at + n]
        s.out[item] = broken
