"""The uniform ellipsoid with given mass and principal moments, for drawing and as the size of a body. No compiler."""

from __future__ import annotations

import numpy as np


def equivalent_ellipsoid(mass: float, moments: np.ndarray) -> np.ndarray:
    """Semi-axes (3,) [m] of the uniform ellipsoid of the same mass [kg] and principal moments (3,) [kg m^2].

    I_1 = M/5 (b^2 + c^2) and so on give a^2 = 5/(2 M) (I_2 + I_3 - I_1); negative values from rounding become 0. Zeros
    if there is no mass.
    """
    if mass == 0:
        return np.zeros(3)  # a fixed body may have no mass
    squares = 2.5 / mass * (moments.sum() - 2 * moments)
    return np.asarray(np.sqrt(np.maximum(squares, 0.0)))
