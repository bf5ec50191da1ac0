"""What a phase plane shows at first: a quantity against how fast it changes."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence

import numpy as np

from core.scene import Body, Scene

RATES = {"position": "velocity", "parameter": "speed"}


def rate_of(name: str, scene: Scene) -> str:
    """The quantity that says how fast this one changes, or "" where there is none or nothing can change."""
    for what, rate in RATES.items():
        owner, found, tail = name.rpartition(f".{what}")
        if found:
            held = any(body.name == owner and body.support != "free" for body in scene.bodies)
            return "" if held else f"{owner}.{rate}{tail}"
    return next((rates[name] for body in scene.bodies if name in (rates := _turning(body))), "")


def missing(chosen: Sequence[str], scene: Scene, known: Container[str], most: int) -> list[str]:
    """What must be chosen as well for a quantity and its rate to be there; nothing where that can't be.

    At most `most` can be chosen at once.
    """
    if any(rate_of(name, scene) in chosen for name in chosen):
        return []
    pairs = ((name, rate_of(name, scene)) for name in (*chosen, *_moving(scene)))
    pair = next((pair for pair in pairs if all(name in known for name in pair)), ())
    wanted = [name for name in pair if name not in chosen]
    return wanted if len(chosen) + len(wanted) <= most else []


def _turning(body: Body) -> dict[str, str]:
    """Rates of what says how a body that can't leave its place is turned."""
    if body.support == "axle":
        along = "xyz"[int(np.argmax(np.abs(body.axis or (0.0, 0.0, 1.0))))]
        return {f"{body.name}.angle": f"{body.name}.angular_velocity.{along}"}
    if body.support == "pivot":  # upright or hanging, turning about y tips it along x, and the other way round
        return {f"{body.name}.u3.{x}": f"{body.name}.angular_velocity.{y}" for x, y in ("xy", "yx")}
    return {}


def _moving(scene: Scene) -> Iterator[str]:
    """A quantity of each thing that may move."""
    for body in scene.bodies:
        yield from [f"{body.name}.position.z"] if body.support == "free" else [*_turning(body)][:1]
    yield from (f"{particle.name}.position.z" for particle in scene.particle)
    yield from (f"{bead.name}.parameter" for bead in scene.bead)
