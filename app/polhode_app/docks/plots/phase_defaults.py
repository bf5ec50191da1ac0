"""Default quantities of phase planes and Poincaré sections: a coordinate against its rate of change, or the path of the
axis of a spinning body.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from polhode.scene.scene import Body, Scene
from polhode_app.viewport.base.solid import is_ball

SPINNING = 5.0  # [rad/s] angular velocity about an axis of the body above which it is a top, not a pendulum
RATE_OF = {"position": "velocity", "parameter": "speed"}


def rate_of(name: str, scene: Scene) -> str:
    """Name of the column with the rate of change of another column, or beside which it is plotted.

    "" if there is none, or if the coordinate is fixed, such as the position of a body on a pivot.
    """
    for coordinate, rate in RATE_OF.items():
        owner, found, tail = name.rpartition(f".{coordinate}")
        if found:
            held = any(body.name == owner and body.support != "free" for body in scene.bodies)
            return "" if held else f"{owner}.{rate}{tail}"
    return next((rates[name] for body in scene.bodies if name in (rates := _angular_rates(body))), "")


def missing(plotted: Sequence[str], scene: Scene, known: Container[str], most: int, section: bool = False) -> list[str]:
    """Columns to plot in addition, so that a phase plane has a coordinate and its rate.

    `known` are all columns of the scene and `most` is the limit of columns that can be plotted at once. A pair whose
    rate is plotted already is completed first. A Poincaré section needs a second coordinate, if there is one.

    Returns an empty list if no such pair exists or too many columns would be plotted.
    """

    def pairs(*more: str) -> Iterator[tuple[str, str]]:
        found = ((name, rate_of(name, scene)) for name in (*plotted, *more))
        return (pair for pair in found if all(name in known for name in pair))

    whole = (pair for pair in pairs() if pair[1] in plotted)
    pair = next(whole, None) or next(pairs(*_coordinates(scene)), ())
    others = (name for name, _ in pairs(*_coordinates(scene)) if name not in pair) if section and pair else ()
    for wanted in ((*pair, *islice(others, 1)), pair):
        lacking = [name for name in wanted if name not in plotted]
        if len(plotted) + len(lacking) <= most:
            return lacking
    return []


def usual(names: Sequence[str], rates: Mapping[str, str]) -> tuple[str, str, str]:
    """Columns of x axis, y axis and section plane for a choice of `names`.

    A coordinate against its rate if both are there; the third one is another coordinate if possible.
    """
    pairs = ((name, rates[name]) for name in names if rates.get(name) in names)
    x, y = next(pairs, (*names, *names, "", "")[:2])
    others = [name for name in names if name not in (x, y)]
    others.sort(key=lambda name: (not rates.get(name), name.startswith("energy.")))
    return x, y, next(iter(others), y)


def _angular_rates(body: Body) -> dict[str, str]:
    """Rate columns by angle columns for a body on an axle or a pivot."""
    if axis := _spin_axis(body):
        return {f"{body.name}.{axis}.x": f"{body.name}.{axis}.y"}  # the path of its axis, seen from above
    if body.support == "axle":
        along = "xyz"[int(np.argmax(np.abs(body.axis or (0.0, 0.0, 1.0))))]
        return {f"{body.name}.angle": f"{body.name}.angular_velocity.{along}"}
    if body.support == "pivot":  # near the vertical, rotation about y moves u3 along x and vice versa
        return {f"{body.name}.u3.{x}": f"{body.name}.angular_velocity.{y}" for x, y in ("xy", "yx")}
    return {}


def _spin_axis(body: Body) -> str:
    """Column of the axis of a free or suspended body about which it spins fast at the start; "" if it does not."""
    spin = body.orientation.matrix().T @ np.array(body.angular_velocity)
    axis = int(np.argmax(np.abs(spin)))
    fast = body.support in ("free", "pivot") and not is_ball(body) and abs(spin[axis]) > SPINNING
    return f"u{axis + 1}" if fast else ""


def _coordinates(scene: Scene) -> Iterator[str]:
    """One or two coordinates of each item that can move."""
    for body in scene.bodies:
        spins = bool(_spin_axis(body))
        yield from [f"{body.name}.position.z"] if body.support == "free" and not spins else _angular_rates(body)
    yield from (f"{particle.name}.position.z" for particle in scene.particle)
    yield from (f"{bead.name}.parameter" for bead in scene.bead)
