"""Where the hand over the sensor is, and where that leads what follows it."""

from __future__ import annotations

from math import cos, sin

import numpy as np

from core.jit.kernel import kernel
from core.jit.vec import Triple
from core.physics.paths.rounding import ROUND
from core.physics.sensor.description import Sensor

# Numbers of a hand, in s, m, rad/s and m/s. From PLACE on, at SINCE, it goes through as many legs as there are
# velocities, each of a time LEG and with a steady acceleration from one velocity to the next, the last one to rest;
# there it stays. A simulated hand swings about its place by AMPLITUDE sin(FREQUENCY t).
START_TIME, SEGMENT_DURATION, PLACE, AMPLITUDE, FREQUENCY, VELOCITY = range(6)
LEGS = 3
HAND_SIZE = VELOCITY + LEGS


@kernel
def sensor_distance(hand: np.ndarray, time: float) -> Triple:
    """Distance [m], velocity [m/s] and acceleration [m/s^2] of the hand at `time` [s]."""
    passed, place, velocity, acceleration = time - hand[START_TIME], hand[PLACE], 0.0, 0.0
    for leg in range(LEGS if hand[SEGMENT_DURATION] > 0.0 else 0):
        spent = min(max(passed - leg * hand[SEGMENT_DURATION], 0.0), hand[SEGMENT_DURATION])
        begin = hand[VELOCITY + leg]
        gain = (hand[VELOCITY + leg + 1] if leg + 1 < LEGS else 0.0) - begin
        place += (begin + 0.5 * gain * spent / hand[SEGMENT_DURATION]) * spent
        if 0.0 <= passed - leg * hand[SEGMENT_DURATION] < hand[SEGMENT_DURATION]:
            velocity, acceleration = begin + gain * spent / hand[SEGMENT_DURATION], gain / hand[SEGMENT_DURATION]
    a, w = hand[AMPLITUDE], hand[FREQUENCY]
    swing = a * sin(w * time)
    return place + swing, velocity + a * w * cos(w * time), acceleration - w * w * swing


@kernel
def follower_motion(follows: np.ndarray, i: int, hand: np.ndarray, time: float) -> tuple[float, float]:
    """Way [m] and velocity [m/s] of what follows the hand by row i of (n, 4): scale x + offset, lowest, highest."""
    place, velocity, _ = sensor_distance(hand, time)
    way = follows[i, 0] * place + follows[i, 1]
    if way < follows[i, 2]:
        return follows[i, 2], 0.0
    if way > follows[i, 3]:
        return follows[i, 3], 0.0
    return way, follows[i, 0] * velocity


@kernel
def smoothed_follower_motion(follows: np.ndarray, i: int, hand: np.ndarray, time: float) -> Triple:
    """The same with a velocity that never jumps, and its acceleration [m/s^2]: about a limit h, within w of it,

    the way is x - (x - h + w)^2/(4 w) instead of x, and stands beyond.
    """
    place, velocity, acceleration = sensor_distance(hand, time)
    scale, lowest, highest = follows[i, 0], follows[i, 2], follows[i, 3]
    way, slope, bend = scale * place + follows[i, 1], 1.0, 0.0
    w = ROUND * (highest - lowest)
    side = 1.0 if way > 0.5 * (lowest + highest) else -1.0
    limit = highest if side > 0.0 else -lowest
    inside = side * way - limit + w
    if inside >= 2.0 * w:
        way, slope = side * limit, 0.0
    elif inside > 0.0:
        way, slope, bend = way - side * inside * inside / (4.0 * w), 1.0 - 0.5 * inside / w, -0.5 * side / w
    rate = scale * velocity
    return way, slope * rate, slope * scale * acceleration + bend * rate * rate


def track_at_start(sensor: Sensor) -> np.ndarray:
    """(HAND_SIZE,) a hand that the scene itself moves, until a measured one does."""
    hand = np.zeros(HAND_SIZE)
    hand[PLACE], hand[AMPLITUDE], hand[FREQUENCY] = sensor.centre, sensor.swing, 2 * np.pi / sensor.period
    return hand
