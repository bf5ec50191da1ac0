"""Interactions of the user with a running scene; interaction_forces.py turns them into the inputs of the solver.

A recording stores an interaction by its `kind` and its fields.
"""

from __future__ import annotations

from dataclasses import astuple, dataclass
from typing import ClassVar

import numpy as np

from polhode.scene.message import Message

Vector = tuple[float, float, float]


@dataclass(frozen=True)
class Grab:
    """Moves a point along with the pointer; no force moves the point meanwhile."""

    kind: ClassVar[str] = "Grab"
    point: int  # index among the points of a snapshot
    place: Vector  # [m] position of the point, laboratory frame
    velocity: Vector  # [m/s] of the point, laboratory frame


@dataclass(frozen=True)
class PullPoint:
    """Pulls a point by a spring to the pointer."""

    kind: ClassVar[str] = "PullPoint"
    point: int  # index among the points of a snapshot
    place: Vector  # [m] position of the pointer, laboratory frame


@dataclass(frozen=True)
class PullBody:
    """Pulls a body by a spring between the pointer and a point of the body."""

    kind: ClassVar[str] = "PullBody"
    body: int  # index in scene order
    at: Vector  # [m] the point, body frame, from the body's origin
    place: Vector  # [m] position of the pointer, laboratory frame


@dataclass(frozen=True)
class Carry:
    """Carries a body by a point of it: the pointer bears its weight, and the point follows the pointer's motion."""

    kind: ClassVar[str] = "Carry"
    body: int  # index in scene order
    at: Vector  # [m] the point, body frame, from the body's origin
    place: Vector  # [m] position of the pointer, laboratory frame
    velocity: Vector  # [m/s] of the pointer, laboratory frame


@dataclass(frozen=True)
class Twist:
    """Turns a body by a torsional spring."""

    kind: ClassVar[str] = "Twist"
    body: int  # index in scene order
    turn: Vector  # [rad] rotation vector from the body's orientation to the pointer's, laboratory frame


@dataclass(frozen=True)
class PullAll:
    """Pulls everything that moves to the pointer."""

    kind: ClassVar[str] = "PullAll"
    place: Vector  # [m] position of the pointer, laboratory frame


Interaction = Grab | PullPoint | PullBody | Carry | Twist | PullAll


def interaction_fault(interaction: Interaction, bodies: int, points: int) -> Message | None:
    """Why an interaction does not fit a scene with these numbers of bodies and points, or None."""
    if not all(np.isfinite(value).all() for value in astuple(interaction)):
        return Message("a hand is at a position that is not finite")
    match interaction:
        case PullAll():
            return None
        case PullBody(body) | Carry(body) | Twist(body):
            fits = 0 <= body < bodies
            rule = Message("a hand holds body {body}, and the scene has {count}", body=body, count=bodies)
        case _:
            fits = 0 <= interaction.point < points
            rule = Message(
                "a hand holds point {point}, and the scene has {count}", point=interaction.point, count=points
            )
    return None if fits else rule
