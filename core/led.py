"""Where the hand over the sensor is, and where that leads what follows it."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from core.kernel import kernel

# Numbers of a hand: x(t) = PLACE + VELOCITY (t - SINCE) + AMPLITUDE sin(FREQUENCY t), in m, m/s, s, m, rad/s. When it
# has moved on for LASTING [s], and nobody has said where it is, it stays.
PLACE, VELOCITY, SINCE, LASTING, AMPLITUDE, FREQUENCY, HAND_SIZE = range(7)


@kernel
def hand_at(hand: np.ndarray, time: float) -> tuple[float, float]:
    """Distance [m] and velocity [m/s] of the hand at `time` [s]."""
    a, w = hand[AMPLITUDE], hand[FREQUENCY]
    passed, velocity = time - hand[SINCE], hand[VELOCITY]
    if passed > hand[LASTING]:
        passed, velocity = hand[LASTING], 0.0
    return hand[PLACE] + hand[VELOCITY] * passed + a * sin(w * time), velocity + a * w * cos(w * time)


@kernel
def led(follows: np.ndarray, i: int, hand: np.ndarray, time: float) -> tuple[float, float]:
    """Way [m] and velocity [m/s] of what follows the hand by row i of (n, 4): scale x + offset, lowest, highest."""
    place, velocity = hand_at(hand, time)
    way = follows[i, 0] * place + follows[i, 1]
    if way < follows[i, 2]:
        return follows[i, 2], 0.0
    if way > follows[i, 3]:
        return follows[i, 3], 0.0
    return way, follows[i, 0] * velocity
