"""What a hand does to a running scene. Descriptions only; interaction_forces turns them into what the solver reads."""

from __future__ import annotations

from dataclasses import dataclass

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Grab:
    """It leads a point, which no force moves for as long as it is held."""

    point: int  # number among the points of a snapshot
    place: Vector  # [m] laboratory
    velocity: Vector  # [m/s]


@dataclass(frozen=True)
class PullPoint:
    """It pulls a point by a spring."""

    point: int
    place: Vector  # [m] of the hand, laboratory


@dataclass(frozen=True)
class PullBody:
    """It pulls a body by a spring that holds one point of it."""

    body: int  # number in scene order
    at: Vector  # [m] the point, body frame
    place: Vector  # [m] of the hand, laboratory


@dataclass(frozen=True)
class Twist:
    """It twists a body about an axis."""

    body: int
    turn: Vector  # [rad] rotation vector from the body to the hand, laboratory


@dataclass(frozen=True)
class PullAll:
    """It pulls everything that moves."""

    place: Vector  # [m] of the hand, laboratory


Grip = Grab | PullPoint | PullBody | Twist | PullAll
