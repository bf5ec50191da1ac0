"""How long a step may be: every mode of the linearised rates must not grow by the method's own doing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

from core.integrators import AS_PRINTED, METHODS
from core.integrators.rates import rates
from core.model import Inputs, Model, make_work

DENSE = 720  # numbers in a state up to which all eigenvalues are computed: 40 bodies
FASTEST = 24  # eigenvalues that are looked at beyond that
ROUNDS = 40  # restarts of their search at most
ALLOWED = 1e-9  # growth per step that rounding in the eigenvalues may feign
STILL = 1e-6  # of the largest |lambda|: parts of eigenvalues below it are differences' noise


def modes(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, breathe: Callable[[], None] = lambda: None
) -> np.ndarray:
    """Eigenvalues lambda [1/s] of the rates, linearised about a state; only the fastest of a large scene.

    `breathe` is called before every product with the Jacobian, and may raise to end the work.
    """
    work, size = make_work(model), model.ledger  # nothing depends on the ledger
    forward, backward, shifted = np.empty(len(state)), np.empty(len(state)), state.copy()
    scale = np.abs(state).max() or 1.0

    def along(direction: np.ndarray) -> np.ndarray:
        """Jacobian times a direction, by a central difference."""
        breathe()
        step = 1e-6 * scale / np.linalg.norm(direction) * direction.ravel()
        for sign, rate in ((1, forward), (-1, backward)):
            shifted[:size] = state[:size] + sign * step
            rates(model, inputs, time, shifted, work, rate)
        return (forward - backward)[:size] / (2e-6 * scale) * np.linalg.norm(direction)

    if size <= DENSE:
        return np.linalg.eigvals(np.array([along(axis) for axis in np.eye(size)]).T.reshape(size, size))
    jacobian: Any = LinearOperator((size, size), matvec=along, dtype=float)
    try:
        found = eigs(jacobian, k=FASTEST, which="LM", return_eigenvectors=False, tol=1e-3, maxiter=ROUNDS)
    except ArpackNoConvergence as end:
        found = end.eigenvalues  # the fastest come first
    return np.asarray(found)


def largest_step(model: Model, inputs: Inputs, time: float, state: np.ndarray, method: str) -> float:
    """Estimated largest stable step [s] of a method about a state: 0 where it has none, inf where nothing moves.

    Modes that grow by themselves (a pendulum that stands on its head) set no limit.
    """
    return _largest(modes(model, inputs, time, state), method)


def largest_steps(
    model: Model, inputs: Inputs, time: float, state: np.ndarray, breathe: Callable[[], None] = lambda: None
) -> dict[str, float]:
    """The same [s] for every method, by its name; `breathe` as in `modes`."""
    found = modes(model, inputs, time, state, breathe)
    return {method: _largest(found, method) for method in METHODS}


def _largest(found: np.ndarray, method: str) -> float:
    fastest = np.abs(found).max(initial=0.0)
    if fastest == 0.0:
        return np.inf
    real = np.where(np.abs(found.real) < STILL * fastest, 0.0, found.real)
    imaginary = np.where(np.abs(found.imag) < STILL * fastest, 0.0, found.imag)
    lasting = [complex(a, b) for a, b in zip(real, imaginary, strict=True) if a <= 0 and (a or b)]
    growth = (METHODS | AS_PRINTED)[method].growth

    def stable(step: float) -> bool:
        return all(growth(mode * step) <= 1 + ALLOWED for mode in lasting)

    steps = np.geomspace(1e-3, 10, 200) / fastest
    passed = [step for step, unstable in zip(steps, (not stable(step) for step in steps), strict=True) if unstable]
    if not passed:
        return float(steps[-1])
    if passed[0] == steps[0]:
        return 0.0
    low, high = passed[0] * (steps[0] / steps[1]), passed[0]
    for _ in range(20):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if stable(middle) else (low, middle)
    return float(low)
