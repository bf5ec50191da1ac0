"""Length of a pendulum: a body that hangs at a pivot or an axle, with all its shapes along one line from there."""

from __future__ import annotations

from typing import Any

import numpy as np

from core.scene.scene import Body

HANGING = ("pivot", "axle")  # supports
ROUNDING = 1e-6  # of the length, by which shapes may stand beside the line


def length_of(body: Body) -> float | None:
    """Distance [m] from the pivot to the centre of the shape farthest from it; None for what is no pendulum.

    A pendulum has neither a mesh nor a stated inertia, and not all of its shapes are at the pivot.
    """
    places = np.array([shape.position for shape in body.shape]).reshape(-1, 3)
    distances = np.linalg.norm(places, axis=1)
    longest = float(distances.max(initial=0.0))
    is_stated = body.inertia is not None or any(shape.kind == "mesh" for shape in body.shape)
    if body.support not in HANGING or longest == 0.0 or is_stated:
        return None
    along = places[int(distances.argmax())] / longest
    beside = np.linalg.norm(places - np.outer(places @ along, along), axis=1).max()
    return longest if beside <= ROUNDING * longest and (places @ along).min() >= 0.0 else None


def with_length(body: Body, length: float) -> Body:
    """The pendulum with another length [m]: its bob keeps its size, and what reaches from the pivot to it is stretched.

    Raises ValueError if the body is no pendulum.
    """
    before = length_of(body)
    if before is None:
        raise ValueError(f"{body.name!r} is no pendulum")
    factor = length / before
    shapes = tuple(_moved(shape, factor, _reaches_pivot(shape)) for shape in body.shape)
    return body.model_copy(update={"shape": shapes, "dipole": tuple(_moved(each, factor) for each in body.dipole)})


def _reaches_pivot(shape: Any) -> bool:
    """Whether a shape along the line begins at the pivot, such as the rod of a pendulum."""
    length, distance = getattr(shape, "length", None), float(np.linalg.norm(shape.position))
    if length is None or abs(distance - length / 2) > ROUNDING * length:
        return False
    axis = shape.orientation.matrix()[:, 2]
    return abs(abs(axis @ np.array(shape.position)) - distance) <= ROUNDING * distance


def _moved(part: Any, factor: float, stretched: bool = False) -> Any:
    """A part with its distance from the pivot, and its length where it is stretched, multiplied by a factor."""
    update: dict[str, Any] = {"position": tuple(_rounded(factor * x) for x in part.position)}
    if stretched:
        update["length"] = _rounded(factor * part.length)
    return part.model_copy(update=update)


def _rounded(number: float) -> float:
    """A number without rounding errors of its last digits."""
    return float(f"{number:.10g}") + 0.0
