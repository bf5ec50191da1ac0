"""Colour maps for scalars: sequential from dark blue to light yellow, of heat, and diverging.

Lightness increases uniformly, and blue and yellow can be distinguished with any colour vision. The maps are defined in
Oklab (B. Ottosson, 2020), in which equal distances look equal.
"""

from __future__ import annotations

import numpy as np

COLORS = 256
KNOTS = np.array([0.0, 0.3, 0.55, 0.8, 1.0])
PATH = np.array([[-0.020, -0.090], [-0.030, -0.085], [-0.020, -0.015], [0.015, 0.085], [0.000, 0.125]])  # (5, 2) a, b
DARK, LIGHT = 0.26, 0.95  # lightness of both ends
TO_CONES = np.array(
    [
        [1.0, 0.3963377774, 0.2158037573],
        [1.0, -0.1055613458, -0.0638541728],
        [1.0, -0.0894841775, -1.2914855480],
    ]
)
TO_LINEAR = np.array(
    [
        [4.0767416621, -3.3077115913, 0.2309699292],
        [-1.2684380046, 2.6097574011, -0.3413193965],
        [-0.0041960863, -0.7034186147, 1.7076147010],
    ]
)


def srgb(oklab: np.ndarray) -> np.ndarray:
    """(n, 3) sRGB components, 0 to 1, of colours (n, 3) in Oklab."""
    linear = ((oklab @ TO_CONES.T) ** 3 @ TO_LINEAR.T).clip(0, 1)
    return np.where(linear <= 0.0031308, 12.92 * linear, 1.055 * linear ** (1 / 2.4) - 0.055)


def color_map() -> np.ndarray:
    """(COLORS, 3) uint8, from the least to the largest value."""
    share = np.linspace(0, 1, COLORS)
    a, b = (np.interp(share, KNOTS, PATH[:, k]) for k in (0, 1))
    return np.round(255 * srgb(np.column_stack([DARK + (LIGHT - DARK) * share, a, b]))).astype(np.uint8)


def heat_map() -> np.ndarray:
    """(COLORS, 3) uint8, from dark red at zero over orange to light yellow."""
    share = np.linspace(0, 1, COLORS)
    columns = [
        np.interp(share, [0, 0.5, 1], ends) for ends in ((0.42, 0.68, 0.95), (0.15, 0.13, 0.0), (0.08, 0.13, 0.12))
    ]
    return np.round(255 * srgb(np.column_stack(columns))).astype(np.uint8)


def diverging_map() -> np.ndarray:
    """(COLORS, 3) uint8: blue for negative values, grey for zero, orange for positive values.

    Both ends differ in lightness as well, and the grey is visible on dark and on light backgrounds.
    """
    share = np.linspace(-1, 1, COLORS)
    columns = [
        np.interp(share, [-1, 0, 1], ends) for ends in ((0.52, 0.66, 0.74), (-0.04, 0.0, 0.08), (-0.17, 0.0, 0.15))
    ]
    return np.round(255 * srgb(np.column_stack(columns))).astype(np.uint8)
