"""Zeros of the forces: Newton's method with line search, and a search that follows eigenvectors to a saddle.

Newton's method finds an equilibrium of any kind near a start. To find minima and saddles with few unstable directions,
every other start descends along the potential in all eigenvectors of the stiffness but the lowest few, in which it
ascends (eigenvector following: Cerjan and Miller, J. Chem. Phys. 75, 2800 (1981)); it needs no potential, forces are
enough. The pseudo-inverse excludes directions without stiffness, such as the spin of a symmetric body, from every step.
With joints, or with more than MANY coordinates, minima are searched by descent (relaxation.py), since the stiffness is
too expensive.
"""

from __future__ import annotations

import numpy as np
from scipy.linalg import eigh

from polhode.equilibria.relaxation import relaxed
from polhode.equilibria.system import System

NEWTON = -1  # in place of an index: plain Newton's method
FOLLOWED, REFINED = 60, 40  # largest numbers of steps of the two phases
LONGEST = 0.3  # dimensionless step: [rad], or in sizes of the scene
NEARBY = 0.02  # a step at which following ends and Newton's method begins
ZERO = 1e-9  # of the largest singular value: smaller ones are no stiffness, but rounding errors
SMALL = 1e-9  # force, of the median of the starts, that counts as zero
HALVINGS = 12
MANY = 24  # coordinates from which on a minimum is searched for by descent, without the stiffness
AWAY = 8.0  # sizes of the scene: free parts farther away than this have escaped


def find_zero(system: System, start: np.ndarray, index: int, force: float) -> np.ndarray | None:
    """(k,) a state without forces, searched from `start` (k,); None if the search does not converge.

    index: number of directions in which the potential is to be largest, or NEWTON
    force: typical mass-weighted force of the scene
    """
    try:
        if index == NEWTON:
            state: np.ndarray | None = start
        elif index == 0 and (system.is_joined or system.freedoms.count > MANY):
            state = relaxed(system, start, force)
        else:
            state = _follow(system, start, index)
        return None if state is None else refined(system, state, force, start)
    except np.linalg.LinAlgError:  # joints that can't be satisfied near a state
        return None


def _follow(system: System, state: np.ndarray, index: int) -> np.ndarray | None:
    """(k,) a state near a zero whose stiffness has `index` negative eigenvalues."""
    for _ in range(FOLLOWED):
        tangent = system.tangent(state)
        slope, force = system.slope(state, tangent), system.force(state, tangent)
        if not (np.isfinite(slope).all() and np.isfinite(force).all()):
            return None
        stiff = _stiff_directions(slope)
        stiffness, vectors = eigh(-0.5 * stiff.T @ (slope + slope.T) @ stiff)
        vectors = stiff @ vectors
        along = vectors.T @ force / np.abs(stiffness)
        along[:index] *= -1
        move = vectors @ along
        move, length = _limited(system, system.embedded(move, tangent))
        state = system.moved(state, move)
        if not np.isfinite(state).all():
            return None
        if length < NEARBY and (stiffness < 0).sum() == min(index, len(stiffness)):
            break
    return state


def _stiff_directions(slope: np.ndarray) -> np.ndarray:
    """(t, q) orthonormal directions without those in which no force acts: left null vectors of dr/dy (t, t).

    Away from an equilibrium these are no null vectors of its symmetric part, because the axes of a body turn with it.
    """
    left, sizes, _ = np.linalg.svd(slope)
    return np.asarray(left[:, sizes > ZERO * sizes.max(initial=0.0)])


def refined(system: System, state: np.ndarray, typical: float, start: np.ndarray) -> np.ndarray | None:
    """(k,) the zero by Newton's method from `state` (k,), to rounding, or None; no escape from `start` (k,)."""
    tangent = system.tangent(state)
    force = system.force(state, tangent)
    size = float(np.linalg.norm(force))
    for _ in range(REFINED):
        if not np.isfinite(size):
            return None
        following = _newton_step(system, state, tangent, force, size)
        if following is None:
            break
        state, tangent, force, size = following
    return state if size <= SMALL * typical and not _escaped(system, start, state) else None


def _newton_step(
    system: System, state: np.ndarray, tangent: np.ndarray | None, force: np.ndarray, size: float
) -> tuple[np.ndarray, np.ndarray | None, np.ndarray, float] | None:
    """The next state with its tangent space, force and size of the force; None if no step reduces the force."""
    slope = system.slope(state, tangent)
    if size == 0.0 or not np.isfinite(slope).all():
        return None
    move = -np.linalg.lstsq(slope, force, rcond=ZERO)[0]
    move, _ = _limited(system, system.embedded(move, tangent))
    for _ in range(HALVINGS):
        following = system.moved(state, move)
        if np.isfinite(following).all():
            across = system.tangent(following)
            there = system.force(following, across)
            length = float(np.linalg.norm(there))
            if length < size * (1 - 1e-4):
                return following, across, there, length
        move = 0.5 * move
    return None


def _limited(system: System, move: np.ndarray) -> tuple[np.ndarray, float]:
    """A move (n,) of at most LONGEST, and its dimensionless length before that."""
    length = float(np.abs(move / system.unit).max(initial=0.0))
    return (move * (LONGEST / length) if length > LONGEST else move), length


def _escaped(system: System, start: np.ndarray, state: np.ndarray) -> bool:
    """Whether an item has escaped to where forces vanish, or a bead has passed the end of its path."""
    freedoms = system.freedoms
    far = np.abs(freedoms.difference(start, state) / system.unit)
    if max(far[freedoms.shifting].max(initial=0.0), far[freedoms.points].max(initial=0.0)) > AWAY:
        return True
    beads = freedoms.compiled.model.beads
    at, paths = state[beads.at : beads.at + len(beads.body)], beads.paths
    return bool(((at < paths.start) | (at > paths.stop))[~paths.closed].any())


def neutral_directions(slope: np.ndarray) -> np.ndarray:
    """(t, m) orthonormal directions without stiffness: null vectors of dr/dy (t, t), computed with `fine`."""
    _, sizes, rows = np.linalg.svd(slope)
    return np.asarray(rows[sizes <= ZERO * sizes.max(initial=0.0)].T)
