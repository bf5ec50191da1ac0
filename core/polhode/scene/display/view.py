"""Display settings that are stored with a scene: views and the camera."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np
from pydantic import model_validator

from polhode.physics.bodies.shapes import cross, unit
from polhode.scene.message import Message
from polhode.scene.part import ScenePart
from polhode.scene.problem import InvalidValue
from polhode.scene.quantity import Name, NotNegative, Quantity, Vector

ViewName = Literal[
    "bodies",
    "points",
    "skins",
    "springs",
    "tension",
    "supports",
    "joints",
    "paths",
    "path_speed",
    "lift_off",
    "dipoles",
    "axes",
    "shadows",
    "ground",
    "walls",
    "surfaces",
    "plates",
    "coils",
    "place",
    "eddy_currents",
    "eddy_current_heat",
    "field_at_iron",
    "trails",
    "hand",
    "velocities",
    "angular_accelerations",
    "forces",
    "sum_of_forces",
    "torques",
    "path_force",
    "joint_forces",
    "joint_torques",
    "tangents",
    "curvature",
    "ghosts",
    "field_slice",
    "field_lines",
    "inertia",
    "hulls",
    "polhode",
]


PlaceName = Literal["auto", "none", "bench", "felt", "wall"]


class Camera(ScenePart):
    """Camera of the view, when a scene is opened."""

    has_uncertain = False
    position: Annotated[Vector, Quantity("m")] = (1.0, -2.0, 0.8)
    """Position of the camera."""
    target: Annotated[Vector, Quantity("m")] = (0.0, 0.0, 0.0)
    """Point that the camera looks at."""
    up: Vector = (0.0, 0.0, 1.0)
    """Up direction of the picture."""
    height: Annotated[NotNegative, Quantity("m")] = 0.0
    """Height of the visible region in parallel projection; 0: perspective."""

    @model_validator(mode="after")
    def _it_looks_somewhere(self) -> Camera:
        ahead = np.array(self.target) - np.array(self.position)
        if not np.any(ahead):
            raise InvalidValue(Message("the camera is at its target"), Message("move one of them"))
        if not any(self.up) or not np.any(cross(ahead, unit(self.up))):
            raise InvalidValue(
                Message("up is no direction across the camera's line of sight"), Message("choose another")
            )
        return self


class View(ScenePart):
    """Display settings that are stored with the scene; the user's own switches override them."""

    has_uncertain = False
    show: tuple[ViewName, ...] = ()
    """Views of this scene in addition to the defaults, by the names of View > Show."""
    hide: tuple[Name, ...] = ()
    """Names of items that are not drawn; they take part in the simulation all the same."""
    place: PlaceName = "auto"
    """Where the scene is: a bench, a felt table with a rim, or a panel on a wall. It is only drawn, with posts and arms
    that hold things; auto: one that suits the scene; none: a grid.
    """
    camera: Camera | None = None
    """Camera when the scene is opened; without it everything is in the picture."""
