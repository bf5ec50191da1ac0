"""Motion of the target in front of the distance sensor, and of the walls, bodies and paths that follow it."""

from __future__ import annotations

import numpy as np

from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.libm.trigonometric import sincos
from polhode.jit.vec import Triple
from polhode.physics.sensor.description import ROUND, Sensor

# A sensor track describes the distance of the target in front of the sensor as a function of time, in SI units.
# From DISTANCE at START_TIME it has SEGMENTS segments of equal duration, one for each entry from VELOCITY on; in each
# the velocity changes linearly from its entry to the next, in the last one to zero. After that the target is at rest.
# A simulated target oscillates about DISTANCE by AMPLITUDE sin(FREQUENCY t).
START_TIME, SEGMENT_DURATION, DISTANCE, AMPLITUDE, FREQUENCY, VELOCITY = range(6)
SEGMENTS = 3
TRACK_SIZE = VELOCITY + SEGMENTS


@kernel
def sensor_distance(track: np.ndarray, time: float) -> Triple:
    """Distance [m], velocity [m/s] and acceleration [m/s^2] of the target of a track (TRACK_SIZE,) at `time` [s]."""
    passed, distance, velocity, acceleration = time - track[START_TIME], track[DISTANCE], 0.0, 0.0
    for segment in range(SEGMENTS if track[SEGMENT_DURATION] > 0.0 else 0):
        spent = min(max(passed - segment * track[SEGMENT_DURATION], 0.0), track[SEGMENT_DURATION])
        begin = track[VELOCITY + segment]
        gain = (track[VELOCITY + segment + 1] if segment + 1 < SEGMENTS else 0.0) - begin
        distance += (begin + 0.5 * gain * spent / track[SEGMENT_DURATION]) * spent
        if 0.0 <= passed - segment * track[SEGMENT_DURATION] < track[SEGMENT_DURATION]:
            velocity, acceleration = begin + gain * spent / track[SEGMENT_DURATION], gain / track[SEGMENT_DURATION]
    a, w = track[AMPLITUDE], track[FREQUENCY]
    sine, cosine = sincos(w * time)
    swing = a * sine
    return distance + swing, velocity + a * w * cosine, acceleration - w * w * swing


@kernel
def follower_motion(follows: np.ndarray, i: int, track: np.ndarray, time: float) -> tuple[float, float]:
    """Displacement [m] and velocity [m/s] of follower i of `follows` (n, 4) at `time` [s], for a track (TRACK_SIZE,).

    A row of `follows` holds scale, offset [m], lowest and highest [m]: the displacement is scale x + offset within the
    limits, x the distance of the target; at a limit the velocity is zero.
    """
    distance, velocity, _ = sensor_distance(track, time)
    displacement = follows[i, 0] * distance + follows[i, 1]
    if displacement < follows[i, 2]:
        return follows[i, 2], 0.0
    if displacement > follows[i, 3]:
        return follows[i, 3], 0.0
    return displacement, follows[i, 0] * velocity


@kernel
def follower_acceleration(follows: np.ndarray, i: int, track: np.ndarray, time: float) -> float:
    """Acceleration [m/s^2] of follower i of `follows` (n, 4), as of `follower_motion`; 0 at its limits."""
    distance, _, acceleration = sensor_distance(track, time)
    displacement = follows[i, 0] * distance + follows[i, 1]
    return follows[i, 0] * acceleration if follows[i, 2] <= displacement <= follows[i, 3] else 0.0


@part_of_caller
def smoothed_follower_motion(follows: np.ndarray, i: int, track: np.ndarray, time: float) -> Triple:
    """As `follower_motion` for `follows` (n, 4), with a continuous velocity, and the acceleration [m/s^2].

    Near a limit h, where x = scale * distance + offset is within w of it, the displacement is
    x - (x - h + w)^2/(4 w); beyond that it is h.
    """
    distance, velocity, acceleration = sensor_distance(track, time)
    scale, lowest, highest = follows[i, 0], follows[i, 2], follows[i, 3]
    displacement, slope, bend = scale * distance + follows[i, 1], 1.0, 0.0
    w = ROUND * (highest - lowest)
    side = 1.0 if displacement > 0.5 * (lowest + highest) else -1.0
    limit = highest if side > 0.0 else -lowest
    inside = side * displacement - limit + w
    if inside >= 2.0 * w:
        displacement, slope = side * limit, 0.0
    elif inside > 0.0:
        displacement, slope, bend = (
            displacement - side * inside * inside / (4.0 * w),
            1.0 - 0.5 * inside / w,
            -0.5 * side / w,
        )
    rate = scale * velocity
    return displacement, slope * rate, slope * scale * acceleration + bend * rate * rate


def track_at_start(sensor: Sensor) -> np.ndarray:
    """(TRACK_SIZE,) the track of the scene's simulated target."""
    track = np.zeros(TRACK_SIZE)
    track[DISTANCE], track[AMPLITUDE], track[FREQUENCY] = sensor.centre, sensor.swing, 2 * np.pi / sensor.period
    return track


def stopped_track(track: np.ndarray, time: float) -> np.ndarray:
    """(TRACK_SIZE,) a target at rest at the distance that `track` (TRACK_SIZE,) has at `time` [s]."""
    stopped = np.zeros(TRACK_SIZE)
    stopped[DISTANCE], stopped[START_TIME] = sensor_distance(track, time)[0], time
    return stopped


def track_to(track: np.ndarray, time: float, to: tuple[float, float], within: float, fastest: float) -> np.ndarray:
    """(TRACK_SIZE,) a track to a distance [m] with a velocity [m/s], there after `within` [s], at rest soon after.

    It continues `track` (TRACK_SIZE,) at `time` [s] with the same distance and velocity, and is nowhere faster than
    `fastest` [m/s], so the motion of followers is continuous.
    """
    going = stopped_track(track, time)
    distance, velocity = to
    begin, end = np.clip([sensor_distance(track, time)[1], velocity], -fastest, fastest)
    half = (
        2 * (distance + velocity * within - going[DISTANCE]) / within - (begin + end) / 2
    )  # two segments cover the distance
    going[SEGMENT_DURATION] = within / (SEGMENTS - 1)
    going[VELOCITY:] = begin, np.clip(half, -fastest, fastest), end
    return going
