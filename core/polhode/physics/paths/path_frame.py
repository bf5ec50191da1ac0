"""The direction across a path: on which side of a sphere its track is. No compiler, for drawing as well.

A rolling bead needs it, since its axis of rotation is across the path, and a path alone does not define it.
"""

from __future__ import annotations

import numpy as np

from polhode.physics.bodies.shapes import unit
from polhode.scene.message import Message
from polhode.scene.problem import InvalidValue

STEEP = 0.9  # cosine between gravity and the steepest tangent of a path that counts as level
BALANCED = 1e-3  # of the length: below it, rolling to either side balances, as on a ring, and the lowest point decides
ALONG = 1e-12  # squared sine of the angle between path and side below which the direction across is undefined
UPRIGHT = 0.9998  # cosine between a tangent and a direction above which neither side of the path is towards it
STRAIGHT = 1e-2  # total turning [rad] of a path below which it has no inside
UP = np.array([0.0, 0.0, 1.0])


def which_side(points: np.ndarray, rates: np.ndarray, gravity: np.ndarray) -> tuple[np.ndarray, bool]:
    """Unit vector (3,) that defines the direction across a path, and whether the path is level.

    On a level path, nowhere steep, it is up: a sphere rolls on a track below. A steep path is taken to be bent in a
    plane, or nearly, and the vector is normal to that plane, with the sign for which a track below at most points, or
    at the lowest one of a ring, is on the side that the sphere rolls on.

    points: (n, 3) [m]; rates: (n, 3) r' at even steps of q; gravity: (3,) [m/s^2]; laboratory frame.
    """
    lengths = np.linalg.norm(rates, axis=1, keepdims=True)
    tangents = rates / lengths
    up = -unit(gravity) if gravity.any() else UP
    if np.abs(tangents @ up).max() < STEEP:
        return up, True
    side = np.linalg.eigh(rates.T @ tangents)[1][:, 0]
    rolling = np.cross(up, rates) @ side  # component along `side` of the rolling axis on a track below, times |r'|
    whole = rolling.sum()
    if abs(whole) < BALANCED * lengths.sum():
        whole = rolling[(points @ up).argmin()]
    return (side if whole >= 0 else -side), False


def stated_side(one_sided: str, rates: np.ndarray, closed: bool, gravity: np.ndarray) -> tuple[np.ndarray, bool]:
    """As `which_side`, of a track that is on a stated side: "below" or "above" the bead, or the bead "inside" or
    "outside" of the bend of the path.

    Up is against gravity, or z without any. A path is bent about the vector sum of its turning, so that a loop keeps
    its inside where it is straight. Raises InvalidValue if at some point neither side is the stated one.

    rates: (n, 3) r' at even steps of q; closed: whether the last is followed by the first; gravity: (3,) [m/s^2].
    """
    tangents = rates / np.linalg.norm(rates, axis=1, keepdims=True)
    if one_sided in ("below", "above"):
        up = -unit(gravity) if gravity.any() else UP
        if is_upright_somewhere(tangents, up):
            rule = Message("the path is upright at a point, where no side of it is {side}", side=one_sided)
            raise InvalidValue(rule, Message('take "inside" or "outside", or a path that is upright nowhere'))
        return (up if one_sided == "below" else -up), True
    turning = np.cross(tangents[:-1], tangents[1:]).sum(axis=0) + closed * np.cross(tangents[-1], tangents[0])
    total = float(np.linalg.norm(turning))
    if total < STRAIGHT or np.abs(tangents @ turning).max() > UPRIGHT * total:
        rule = Message(
            "the path is straight, or bent as much to one side as to the other: nothing is {side}", side=one_sided
        )
        raise InvalidValue(rule, Message('take "below" or "above", or bend the path'))
    return (turning if one_sided == "outside" else -turning) / total, False


def is_upright_somewhere(tangents: np.ndarray, up: np.ndarray) -> bool:
    """Whether a path is along `up` (3,) at one of its tangents (n, 3), or between two where it turns back over it."""
    rise = tangents @ up
    level = tangents - rise[:, None] * up
    steep = np.maximum(np.abs(rise[:-1]), np.abs(rise[1:])) > STEEP
    turns_back = steep & ((level[:-1] * level[1:]).sum(axis=1) <= 0.0)
    return bool(np.abs(rise).max() > UPRIGHT or turns_back.any())


def across(tangents: np.ndarray, side: np.ndarray, level: bool) -> np.ndarray:
    """(n, 3) unit vectors about which a sphere rolls forwards along each tangent (n, 3).

    `side` (3,) as of `which_side`.

    The numpy version of `rolling_axis` in placement.py.
    """
    axes = np.cross(side, tangents) if level else side - (tangents @ side)[:, None] * tangents
    lost = (axes * axes).sum(axis=1) < ALONG
    axes[lost] = np.cross(tangents[lost], np.where(np.abs(tangents[lost, :1]) < 0.6, np.eye(3)[0], np.eye(3)[1]))
    return np.asarray(axes / np.linalg.norm(axes, axis=1, keepdims=True))
