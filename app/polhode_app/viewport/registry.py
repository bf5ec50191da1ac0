"""Table of all views, in the order of rendering: translucent views come after opaque ones."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol, runtime_checkable

from vtkmodules.vtkRenderingCore import vtkRenderer

from polhode.simulation.snapshot import Snapshot
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.environment.ground import GroundView
from polhode_app.viewport.environment.plates import PlateView
from polhode_app.viewport.environment.shadows import ShadowView
from polhode_app.viewport.field.field_lines import FieldLinesView
from polhode_app.viewport.field.field_slice import FieldSliceView
from polhode_app.viewport.paths.path_strips import LiftOffView, PathSpeedView
from polhode_app.viewport.paths.paths import PathView
from polhode_app.viewport.things.bodies import BodyView
from polhode_app.viewport.things.ghosts import GhostView
from polhode_app.viewport.things.grab_marker import GrabMarkerView
from polhode_app.viewport.things.instances import Instances
from polhode_app.viewport.things.joints import JointView
from polhode_app.viewport.things.points import PointView
from polhode_app.viewport.things.skins import SkinView
from polhode_app.viewport.things.springs import SpringView
from polhode_app.viewport.things.supports import SupportView
from polhode_app.viewport.things.surfaces import SurfaceView
from polhode_app.viewport.things.tension import TensionView
from polhode_app.viewport.things.trails import TrailView
from polhode_app.viewport.things.walls import WallView
from polhode_app.viewport.vectors.axes import AxesView
from polhode_app.viewport.vectors.bead_arrows import ConstraintView, CurvatureView, TangentView
from polhode_app.viewport.vectors.dipoles import DipoleView
from polhode_app.viewport.vectors.forces import ForceView
from polhode_app.viewport.vectors.inertia import InertiaView
from polhode_app.viewport.vectors.joint_forces import JointForceView, JointTorqueView
from polhode_app.viewport.vectors.polhode import PolhodeView
from polhode_app.viewport.vectors.sum_of_forces import SumOfForcesView
from polhode_app.viewport.vectors.torques import TorqueView
from polhode_app.viewport.vectors.velocities import VelocityView


class View(Protocol):
    """Draws one kind of object. Constructed with the renderer that it adds its actors to.

    All methods are called in the GUI thread.
    """

    def rebuild(self, stage: Stage) -> None:
        """Build the geometry, for a new or edited scene or another theme."""

    def update(self, now: Snapshot) -> None:
        """Write a snapshot into the existing geometry; no actor is created here."""

    def set_visible(self, on: bool) -> None:
        """Show or hide the view."""


@runtime_checkable
class DrawsOnBodies(Protocol):
    """A view of what is fixed to bodies: themselves, their magnets, threads and joints."""

    @property
    def copies(self) -> list[Instances]:
        """The actors, each drawn at the poses of some bodies."""


@runtime_checkable
class HidesUnderSkin(Protocol):
    """A view of objects that may be covered by the skin of a soft mesh."""

    def exclude_covered(self, on: bool) -> None:
        """Leave out objects covered by a skin, or not; `update` is called afterwards."""


@runtime_checkable
class FollowsMoments(Protocol):
    """A view of the past, which needs every snapshot but not every one drawn."""

    def follow(self, now: Snapshot) -> None:
        """Record a snapshot that is not drawn; cheaper than `update`."""


class ViewFactory(Protocol):
    """Constructor of a view."""

    def __call__(self, renderer: vtkRenderer) -> View:
        """Create a view whose actors belong to `renderer`."""


VIEWS: Mapping[str, ViewFactory] = MappingProxyType(
    {
        "bodies": BodyView,
        "points": PointView,
        "skins": SkinView,
        "springs": SpringView,
        "tension": TensionView,
        "supports": SupportView,
        "joints": JointView,
        "paths": PathView,
        "path_speed": PathSpeedView,
        "lift_off": LiftOffView,
        "dipoles": DipoleView,
        "axes": AxesView,
        "shadows": ShadowView,
        "ground": GroundView,
        "walls": WallView,
        "surfaces": SurfaceView,
        "plates": PlateView,
        "trails": TrailView,
        "hand": GrabMarkerView,
        "velocities": VelocityView,
        "forces": ForceView,
        "sum_of_forces": SumOfForcesView,
        "torques": TorqueView,
        "path_force": ConstraintView,
        "joint_forces": JointForceView,
        "joint_torques": JointTorqueView,
        "tangents": TangentView,
        "curvature": CurvatureView,
        "ghosts": GhostView,
        "field_slice": FieldSliceView,
        "field_lines": FieldLinesView,
        "inertia": InertiaView,
        "polhode": PolhodeView,
    }
)
"""Constructor of each view; the name is also that of its switch."""

ON_REQUEST = frozenset(
    {"tension", "velocities", "forces", "torques", "inertia", "axes", "field_slice", "field_lines", "polhode"}
    | {"sum_of_forces", "path_speed", "lift_off", "path_force", "tangents", "curvature"}
    | {"joint_forces", "joint_torques"}
)
"""Views that are off by default."""

SIZED = (
    "dipoles",
    "axes",
    "velocities",
    "forces",
    "sum_of_forces",
    "torques",
    "path_force",
    "joint_forces",
    "joint_torques",
    "tangents",
    "curvature",
)
"""Views of arrows, whose length can be set."""

ITEM_VIEWS = frozenset(
    {
        "bodies",
        "points",
        "skins",
        "springs",
        "tension",
        "dipoles",
        "axes",
        "shadows",
        "walls",
        "surfaces",
        "plates",
        "joints",
        "trails",
    }
)
"""Views that depend on ITEM_FIELDS and on the extent of the scene alone, not on its world."""

ITEM_FIELDS = (
    "body",
    "sphere",
    "bead",
    "soft",
    "particle",
    "spring",
    "wall",
    "surface",
    "plate",
    "joint",
    "view",
    "sensor",
)
"""Fields of Scene."""

DERIVED_VIEWS = ("tension", "polhode", "inertia", "velocities", "torques", "field_slice", "field_lines")
"""Views of quantities that also depend on fields which are not drawn, such as masses."""
