"""Which views draw a scene, in the order in which see-through things must be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from vtkmodules.vtkRenderingCore import vtkRenderer

from app.viewport.base.stage import Stage
from app.viewport.environment.ground import GroundView
from app.viewport.environment.shadows import ShadowView
from app.viewport.field.field_lines import FieldLinesView
from app.viewport.field.field_slice import FieldSliceView
from app.viewport.paths.path_strips import LiftOffView, PathSpeedView
from app.viewport.paths.paths import PathView
from app.viewport.things.bodies import BodyView
from app.viewport.things.ghosts import GhostView
from app.viewport.things.grab_marker import GrabMarkerView
from app.viewport.things.points import PointView
from app.viewport.things.skins import SkinView
from app.viewport.things.springs import SpringView
from app.viewport.things.supports import SupportView
from app.viewport.things.surfaces import SurfaceView
from app.viewport.things.tension import TensionView
from app.viewport.things.trails import TrailView
from app.viewport.things.walls import WallView
from app.viewport.vectors.axes import AxesView
from app.viewport.vectors.bead_arrows import ConstraintView, CurvatureView, TangentView
from app.viewport.vectors.dipoles import DipoleView
from app.viewport.vectors.forces import ForceView
from app.viewport.vectors.inertia import InertiaView
from app.viewport.vectors.polhode import PolhodeView
from app.viewport.vectors.torques import TorqueView
from app.viewport.vectors.velocities import VelocityView
from core.simulation.snapshot import Snapshot


class View(Protocol):
    """Draws one kind of thing."""

    def rebuild(self, stage: Stage) -> None:
        """Build what is drawn, for a new scene or theme."""

    def update(self, now: Snapshot) -> None:
        """Write the moment in place; no actor is made here."""

    def set_visible(self, on: bool) -> None:
        """Draw it or not."""


@runtime_checkable
class HidesUnderSkin(Protocol):
    """A view of what may be under a skin."""

    def exclude_covered(self, on: bool) -> None:
        """Leave out what skins are around, or not; the moment is written afterwards."""


@runtime_checkable
class FollowsMoments(Protocol):
    """A view that takes note of a moment for less than it costs to draw it."""

    def follow(self, now: Snapshot) -> None:
        """Take note of a moment that is not drawn."""


class ViewFactory(Protocol):
    def __call__(self, renderer: vtkRenderer) -> View: ...


VIEWS: Mapping[str, ViewFactory] = MappingProxyType(
    {
        "bodies": BodyView,
        "points": PointView,
        "skins": SkinView,
        "springs": SpringView,
        "tension": TensionView,
        "supports": SupportView,
        "paths": PathView,
        "path_speed": PathSpeedView,
        "lift_off": LiftOffView,
        "dipoles": DipoleView,
        "axes": AxesView,
        "shadows": ShadowView,
        "ground": GroundView,
        "walls": WallView,
        "surfaces": SurfaceView,
        "trails": TrailView,
        "hand": GrabMarkerView,
        "velocities": VelocityView,
        "forces": ForceView,
        "torques": TorqueView,
        "path_force": ConstraintView,
        "tangents": TangentView,
        "curvature": CurvatureView,
        "ghosts": GhostView,
        "field_slice": FieldSliceView,
        "field_lines": FieldLinesView,
        "inertia": InertiaView,
        "polhode": PolhodeView,
    }
)
"""What makes each view; a view's name is that of its switch."""

ON_REQUEST = frozenset(
    {"tension", "velocities", "forces", "torques", "inertia", "axes", "field_slice", "field_lines", "polhode"}
    | {"path_speed", "lift_off", "path_force", "tangents", "curvature"}
)
"""Views that are off until a person or a scene asks for them."""

SIZED = ("dipoles", "axes", "velocities", "forces", "torques", "path_force", "tangents", "curvature")
"""Views of arrows, which may be drawn longer or shorter."""
