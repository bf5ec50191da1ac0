"""The image of a scene in which a page can pull bodies and points, and what it needs to know for that."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from polhode.engine.model import NOTHING
from polhode.exporters.image.image import WORD, Image
from polhode.exporters.image.packing import image_of
from polhode.physics.bodies.arrays import DRIVEN, FIXED, FREE, ON_PATH
from polhode.physics.grab.arrays import no_pull
from polhode.physics.grab.interaction_forces import point_spring
from polhode.physics.grab.interactions import Interaction, PullBody, PullPoint
from polhode.run.method import begin
from polhode.simulation.simulation import Simulation
from polhode_app.export.web.live.channels import Channels

MEMBERS = tuple(f"inputs.pull.{name}" for name in ("body", "point", "arm", "position", "stiffness", "damping"))
INDICES = MEMBERS[:2]
OF_BODIES = ("model.bodies.mass", "model.bodies.inverse_inertia", "model.bodies.origin", "inputs.gravity")
PATHS = (*MEMBERS, *OF_BODIES)
"""Members of the structs that a page writes and reads to pull."""


def pullable_image(simulation: Simulation) -> Image:
    """The image of a simulation at its start, in which the law of the pull is linked but pulls nothing.

    The simulation keeps the interaction. Raises UnknownCode; see `problems_of`.
    """
    first = _something(simulation)
    if first is None:
        return image_of(simulation)
    simulation.grab(first)
    structs = simulation.structs  # whose history has to be that without the pull
    nothing = structs.inputs.with_members(pull=no_pull())
    begin(structs.method, structs.model, nothing, simulation.time, structs.state, structs.work)
    image = image_of(simulation)
    content = bytearray(image.content)
    words = np.frombuffer(content, WORD)
    for path in MEMBERS:
        at, count = image.members[path].offset // WORD.itemsize, max(image.members[path].shape, default=1)
        words[at : at + count] = NOTHING if path in INDICES else 0
    return replace(image, content=bytes(content))


def _something(simulation: Simulation) -> Interaction | None:
    """A pull of something that the scene has; None for a scene without bodies and points."""
    bodies, points = simulation.compiled.model.bodies, simulation.compiled.model.points
    if len(bodies.mass):
        return PullBody(0, (0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    return PullPoint(0, (0.0, 0.0, 0.0)) if len(points.mass) else None


def drag_table(simulation: Simulation, channels: Channels) -> dict[str, Any]:
    """Table of the bodies and points that a page can pull: `page/live/drag.js`."""
    compiled = simulation.compiled
    bodies, points = compiled.model.bodies, compiled.model.points
    held = [support in (FIXED, DRIVEN) for support in bodies.support.tolist()]
    springs = [point_spring(compiled, point) for point in range(len(points.mass))]
    return {
        "bodies": [
            {"isHeld": is_held, "isFree": support == FREE, "moves": support in (FREE, ON_PATH)}
            for is_held, support in zip(held, bodies.support.tolist(), strict=True)
        ],
        "firstPoint": channels.of_point(0),
        "isFixed": points.fixed.tolist(),
        "springs": [[*spring] for spring in springs],
    }
