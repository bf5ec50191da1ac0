"""What a phase plane and a section show at first: a quantity against how fast it changes."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from itertools import islice

import numpy as np

from core.scene.scene import Body, Scene

RATE_OF = {"position": "velocity", "parameter": "speed"}


def rate_of(name: str, scene: Scene) -> str:
    """The quantity that says how fast this one changes, or "" where there is none or nothing can change."""
    for what, rate in RATE_OF.items():
        owner, found, tail = name.rpartition(f".{what}")
        if found:
            held = any(body.name == owner and body.support != "free" for body in scene.bodies)
            return "" if held else f"{owner}.{rate}{tail}"
    return next((rates[name] for body in scene.bodies if name in (rates := _angular_rates(body))), "")


def missing(plotted: Sequence[str], scene: Scene, known: Container[str], most: int, section: bool = False) -> list[str]:
    """What must be chosen as well for a quantity and its rate to be there; nothing where that can't be.

    For a section another coordinate belongs to it, where there is one. At most `most` can be chosen at once.
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
    """A quantity against its rate, if both are there, and a third one for a section: best another coordinate."""
    pairs = ((name, rates[name]) for name in names if rates.get(name) in names)
    x, y = next(pairs, (*names, *names, "", "")[:2])
    others = [name for name in names if name not in (x, y)]
    others.sort(key=lambda name: (not rates.get(name), name.startswith("energy.")))
    return x, y, next(iter(others), y)


def _angular_rates(body: Body) -> dict[str, str]:
    """Rates of what says how a body that can't leave its place is turned."""
    if body.support == "axle":
        along = "xyz"[int(np.argmax(np.abs(body.axis or (0.0, 0.0, 1.0))))]
        return {f"{body.name}.angle": f"{body.name}.angular_velocity.{along}"}
    if body.support == "pivot":  # upright or hanging, turning about y tips it along x, and the other way round
        return {f"{body.name}.u3.{x}": f"{body.name}.angular_velocity.{y}" for x, y in ("xy", "yx")}
    return {}


def _coordinates(scene: Scene) -> Iterator[str]:
    """Quantities of each thing that may move."""
    for body in scene.bodies:
        yield from [f"{body.name}.position.z"] if body.support == "free" else _angular_rates(body)
    yield from (f"{particle.name}.position.z" for particle in scene.particle)
    yield from (f"{bead.name}.parameter" for bead in scene.bead)
