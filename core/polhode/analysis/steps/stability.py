"""Largest stable step: no mode of the linearised rates may be amplified by the method.

For y' = J y with the eigenvalues lambda of J a method multiplies each eigenvector per step by its stability function
R(lambda dt); it is stable as long as |R| <= 1 for all modes that do not grow by themselves (Hairer and Wanner, Solving
Ordinary Differential Equations II, section IV.2). |R| is `growth` of the method (core/polhode/integrators). Some
methods amplify undamped modes at any step, but hardly at short ones: what grows by less than GROWS within HORIZON
counts as stable. J is that of the current state, so the limit is an estimate: contacts that are not closed yet have
none, which limits.py adds, and where the rates have a kink or are singular, as in the dead centre of a linkage, J has
eigenvalues that depend on the differences it is made of. Those are left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import scipy

from polhode.analysis.steps.energy_drift import BAD, HORIZON
from polhode.engine.model import NOTHING, Inputs, Model, Work
from polhode.engine.rates import rates
from polhode.engine.work import make_work
from polhode.integrators import AS_PRINTED, METHODS
from polhode.physics.bodies.arrays import ANGULAR_MOMENTUM, BODY_SIZE, MOMENTUM
from polhode.physics.joints.arrays import section_size
from polhode.physics.joints.compile import LIGHT
from polhode.scene.message import Message
from polhode.scene.problem import Problem

DENSE = 720  # components of a state up to which all eigenvalues are computed: 40 bodies
FASTEST = 24  # number of eigenvalues for larger states
ROUNDS = 40  # largest number of restarts of their computation
ALLOWED = 1e-9  # growth per step that rounding errors of eigenvalues may cause
GROWS = BAD / 2  # growth of an amplitude within HORIZON that is allowed: BAD in energy
DIFFERENCE = 1e-6  # of the largest component of the state: displacement of the central differences
WIDER = 4.0  # times that for the second estimate of the eigenvalues
SMOOTH = 1e-3  # relative difference of the Jacobians up to which both have the same eigenvalues
SAME = 0.3  # relative difference of an eigenvalue in both
FAR = 1e6  # [1/|lambda|] largest step that is tested
STILL = 1e-6  # relative to the largest |lambda|: smaller parts of eigenvalues are noise of finite differences


def modes(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, check_cancelled: Callable[[], None] = lambda: None
) -> np.ndarray:
    """(m,) eigenvalues lambda [1/s] of the rates, linearised about `state` (k,); only the fastest ones of a large
    scene.

    `check_cancelled` is called before every product with the Jacobian, and may raise to end the work. Up to DENSE
    components all eigenvalues of the dense matrix, above that FASTEST of largest size by Arnoldi iteration. Components
    that `_linear` excludes are left out, and eigenvalues that differ in an estimate with WIDER differences, if the
    Jacobian does: no mode has them. Central differences: two evaluations of the rates per product. `state` is not
    changed, and scratch arrays are its own, so it may run in another thread than the simulation on a copy of its state.
    """
    linear, along = _jacobian(model, inputs, time, state, check_cancelled)
    if linear <= DENSE:
        found, other = _dense(linear, along)
    else:
        found, other = (_fastest(linear, along, wide) for wide in (1.0, WIDER))
    if other is None or len(found) == 0:
        return found
    nearest = np.abs(found[:, None] - other[None]).min(axis=1, initial=np.inf)
    return np.asarray(found[nearest <= SAME * np.abs(found)])


Product = Callable[[np.ndarray, float], np.ndarray]
"""The Jacobian times a direction (n,), by a central difference that is wider than DIFFERENCE by a factor."""


def _jacobian(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, check_cancelled: Callable[[], None]
) -> tuple[int, Product]:
    """Number of the components of a state (k,) that are linearised, and the product with their Jacobian."""
    work = make_work(model, inputs)
    forward, backward, shifted = np.empty(len(state)), np.empty(len(state)), state.copy()
    rates(model, inputs, time, shifted, work, forward)
    linear = _linear(model, work)
    narrow, unit = DIFFERENCE * (np.abs(state).max() or 1.0), _units(model, len(state))[linear]

    def along(direction: np.ndarray, wide: float) -> np.ndarray:
        check_cancelled()
        scale = wide * narrow
        step = scale / np.linalg.norm(direction) * direction.ravel()
        for sign, rate in ((1, forward), (-1, backward)):
            shifted[linear] = state[linear] + sign * step * unit
            rates(model, inputs, time, shifted, work, rate)
        return (forward - backward)[linear] / unit / (2 * scale) * np.linalg.norm(direction)

    return len(linear), along


def _units(model: Model, size: int) -> np.ndarray:
    """(k,) units of the components of a state: 1, but for momenta of bodies that are far lighter than the heaviest one,
    of which a difference of the usual size would be no small one. Eigenvalues do not depend on them.
    """
    unit, mass = np.ones(size), model.bodies.mass
    if len(mass):
        ratio = mass / (mass.max() or 1.0)
        light = np.flatnonzero((ratio > 0.0) & (ratio < LIGHT))
        for at in (MOMENTUM, ANGULAR_MOMENTUM):
            unit[BODY_SIZE * light[:, None] + at + np.arange(3)] = ratio[light, None]
    return unit


def _dense(size: int, along: Product) -> tuple[np.ndarray, np.ndarray | None]:
    """All eigenvalues (n,) of the Jacobian, and those with WIDER differences; None where the matrices are the same."""
    narrow, wide = (
        np.array([along(axis, factor) for axis in np.eye(size)]).T.reshape(size, size) for factor in (1.0, WIDER)
    )
    found = np.linalg.eigvals(narrow)
    is_same = np.linalg.norm(wide - narrow) <= SMOOTH * np.linalg.norm(narrow)
    return found, None if is_same else np.linalg.eigvals(wide)


def _fastest(size: int, along: Product, wide: float) -> np.ndarray:
    """The FASTEST eigenvalues of largest size of the Jacobian, or fewer."""
    jacobian: Any = scipy.sparse.linalg.LinearOperator((size, size), matvec=lambda x: along(x, wide), dtype=float)
    try:
        found = scipy.sparse.linalg.eigs(
            jacobian, k=FASTEST, which="LM", return_eigenvectors=False, tol=1e-3, maxiter=ROUNDS
        )
    except scipy.sparse.linalg.ArpackNoConvergence as end:
        found = end.eigenvalues  # those that converged, the fastest first
    return np.asarray(found)


def _linear(model: Model, work: Work) -> np.ndarray:
    """Indices of the components of the state whose rates can be linearised, given the last evaluation in `work`.

    Nothing depends on the ledger, nor on the status of joints linearly. Displacements of tangential springs between
    surfaces that do not touch decay within a few steps of any length, and their rates jump where the displacement
    passes through zero.
    """
    separate = np.flatnonzero(work.tangential.depth <= 0.0)
    released = model.tangential.at + 3 * separate[:, None] + np.arange(3)
    joints = model.joints
    of_joints = joints.at + np.arange(int((joints.angle != NOTHING).sum()), section_size(joints))
    return np.delete(np.arange(model.ledger), np.concatenate([released.ravel(), of_joints]))


def largest_step(model: Model, inputs: Inputs, time: float, state: np.ndarray, method: str) -> float:
    """Estimated largest stable step [s] of a method about `state` (k,): 0 if all are unstable, inf if nothing moves.

    Modes that grow physically, as of an inverted pendulum, set no limit.
    """
    return largest_of(modes(model, inputs, time, state), method)


def unstable(found: np.ndarray, method: str, step: float, longest: float) -> Problem:
    """Warning about a step [s] at which `method` amplifies modes, with the growth of the fastest growing one.

    found: (m,) [1/s] eigenvalues; longest: [s] largest stable step, shorter than `step`
    """
    module = (METHODS | AS_PRINTED)[method]
    factor = float(module.growth(step * _lasting(found)).max())
    growth = {"percent": 100 * (factor - 1), "doubling": step * np.log(2) / np.log(factor)}
    if longest == 0.0:
        rule = Message(
            "no time step is stable with {method}: at {step:g} s the motion grows by {percent:.3g} % per step, "
            "to its double in {doubling:.2g} s",
            method=method,
            step=step,
            **growth,
        )
    else:
        rule = Message(
            "{step:g} s is longer than the largest stable step of {method}, {longest:.3g} s: the motion grows by "
            "{percent:.3g} % per step, to its double in {doubling:.2g} s",
            method=method,
            step=step,
            longest=longest,
            **growth,
        )
    remedy = Message("shorten it") if module.OSCILLATION_LIMIT > 0 else Message("use another method, such as rk4")
    return Problem("solver.time_step", rule, remedy)


def _lasting(found: np.ndarray) -> np.ndarray:
    """Those of the eigenvalues `found` (m,) [1/s] that do not grow by themselves, without noise and zeros."""
    fastest = np.abs(found).max(initial=0.0)
    real = np.where(np.abs(found.real) < STILL * fastest, 0.0, found.real)
    imaginary = np.where(np.abs(found.imag) < STILL * fastest, 0.0, found.imag)
    return np.asarray((real + 1j * imaginary)[(real <= 0) & ((real != 0) | (imaginary != 0))])


def largest_of(found: np.ndarray, method: str) -> float:
    """The first step [s] at which one of the eigenvalues `found` (m,) [1/s] is amplified, by a scan and bisection.

    200 steps from 1e-3 to 10 divided by the largest |lambda| are tried; beyond them one step of FAR.
    """
    fastest = np.abs(found).max(initial=0.0)
    if fastest == 0.0:
        return np.inf
    lasting, growth = _lasting(found), (METHODS | AS_PRINTED)[method].growth

    def stable(steps: np.ndarray) -> np.ndarray:
        allowed = 1 + np.maximum(ALLOWED, GROWS * np.minimum(np.asarray(steps) / HORIZON, 1.0))
        return np.asarray((growth(np.multiply.outer(steps, lasting)) <= allowed[..., None]).all(axis=-1))

    steps = np.geomspace(1e-3, 10, 200) / fastest
    within = stable(steps)
    if within.all():
        return np.inf if stable(FAR / fastest) else float(steps[-1])
    first = int(np.argmin(within))
    if first == 0:
        return 0.0
    low, high = steps[first - 1], steps[first]
    for _ in range(20):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if stable(middle) else (low, middle)
    return float(low)
