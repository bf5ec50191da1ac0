"""Settings of the mouse interaction in a scene: descriptions only."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from polhode.scene.part import ScenePart
from polhode.scene.quantity import Number, Positive, Quantity


class GrabSettings(ScenePart):
    """The spring by which the mouse pulls everything to the pointer."""

    stiffness: Annotated[Positive, Quantity("N/m")] | None = None
    """Stiffness of the spring of each body and point; left out: in proportion to its mass, so that all move alike."""
    damping_ratio: Annotated[Number, Field(ge=0, le=10)] = 0.7
    """Damping ratio of a mass on that spring: 0 without damping, 1 critical."""
