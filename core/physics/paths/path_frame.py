"""The direction across a path: on which side of a sphere its track is. No compiler, for drawing as well.

A rolling bead needs it, since its axis of rotation is across the path, and a path alone does not define it.
"""

from __future__ import annotations

import numpy as np

STEEP = 0.9  # cosine between gravity and the steepest tangent of a path that counts as level
BALANCED = 1e-3  # of the length: below it, rolling to either side balances, as on a ring, and the lowest point decides
ALONG = 1e-12  # squared sine of the angle between path and side below which the direction across is undefined
UP = np.array([0.0, 0.0, 1.0])


def which_side(places: np.ndarray, rates: np.ndarray, gravity: np.ndarray) -> tuple[np.ndarray, bool]:
    """Unit vector (3,) that defines the direction across a path, and whether the path is level.

    On a level path, nowhere steep, it is up: a sphere rolls on a track below. A steep path is taken to be bent in a
    plane, or nearly, and the vector is normal to that plane, with the sign for which a track below at most places, or
    at the lowest one of a ring, is on the side that the sphere rolls on.

    places: (n, 3) [m]; rates: (n, 3) r' at even steps of q; gravity: (3,) [m/s^2]; laboratory frame.
    """
    lengths = np.linalg.norm(rates, axis=1, keepdims=True)
    tangents = rates / lengths
    up = -gravity / np.linalg.norm(gravity) if gravity.any() else UP
    if np.abs(tangents @ up).max() < STEEP:
        return up, True
    side = np.linalg.eigh(rates.T @ tangents)[1][:, 0]
    rolling = np.cross(up, rates) @ side  # component along `side` of the rolling axis on a track below, times |r'|
    whole = rolling.sum()
    if abs(whole) < BALANCED * lengths.sum():
        whole = rolling[(places @ up).argmin()]
    return (side if whole >= 0 else -side), False


def across(tangents: np.ndarray, side: np.ndarray, level: bool) -> np.ndarray:
    """(n, 3) unit vectors about which a sphere rolls forwards along each tangent (n, 3).

    `side` (3,) as of `which_side`.

    The numpy version of `rolling_axis` in placement.py.
    """
    axes = np.cross(side, tangents) if level else side - (tangents @ side)[:, None] * tangents
    lost = (axes * axes).sum(axis=1) < ALONG
    axes[lost] = np.cross(tangents[lost], np.where(np.abs(tangents[lost, :1]) < 0.6, np.eye(3)[0], np.eye(3)[1]))
    return np.asarray(axes / np.linalg.norm(axes, axis=1, keepdims=True))
