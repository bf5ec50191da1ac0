"""The records of all views, in the order of rendering: translucent views come after opaque ones."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from polhode.scene.message import Message
from polhode.scene.scene import Scene
from polhode_app.viewport.base.palette import AXES, NORTH
from polhode_app.viewport.environment.ground import GroundView
from polhode_app.viewport.environment.plates import PlateView
from polhode_app.viewport.environment.shadows import ShadowView
from polhode_app.viewport.field.field_lines import FieldLinesView
from polhode_app.viewport.field.field_slice import FieldSliceView
from polhode_app.viewport.painted.eddies import COLORS as EDDY_COLORS
from polhode_app.viewport.painted.eddies import EddyView
from polhode_app.viewport.painted.eddy_heat import EddyHeatView
from polhode_app.viewport.painted.iron_field import IronFieldView
from polhode_app.viewport.paths.path_strips import LiftOffView, PathSpeedView
from polhode_app.viewport.paths.paths import PathView
from polhode_app.viewport.places.place_view import PlaceView
from polhode_app.viewport.record import ARROW, CURVE, LegendEntry, ViewRecord
from polhode_app.viewport.things.bodies import BodyView
from polhode_app.viewport.things.coils import CoilView
from polhode_app.viewport.things.ghosts import GhostView
from polhode_app.viewport.things.grab_marker import GrabMarkerView
from polhode_app.viewport.things.hulls import HullView, has_hulls
from polhode_app.viewport.things.joints import JointView
from polhode_app.viewport.things.points import PointView
from polhode_app.viewport.things.skins import SkinView
from polhode_app.viewport.things.springs import SpringView
from polhode_app.viewport.things.supports import SupportView
from polhode_app.viewport.things.surfaces import SurfaceView
from polhode_app.viewport.things.tension import TensionView
from polhode_app.viewport.things.trails import TrailView
from polhode_app.viewport.things.walls import WallView
from polhode_app.viewport.vectors.arrow_views import ARROWS
from polhode_app.viewport.vectors.axes import AxesView
from polhode_app.viewport.vectors.dipoles import DipoleView
from polhode_app.viewport.vectors.inertia import InertiaView
from polhode_app.viewport.vectors.polhode import PolhodeView


def has_bodies(scene: Scene) -> bool:
    """Whether a scene has rigid bodies."""
    return bool(scene.bodies)


def is_magnetic(scene: Scene) -> bool:
    """Whether a scene has magnets."""
    bodies = any(body.dipole or any(shape.magnet for shape in body.shape) for body in scene.body)
    return bodies or any(getattr(soft, "dipole", ()) for soft in scene.soft)


def is_conducting(scene: Scene) -> bool:
    """Whether a scene has metal in which currents are induced."""
    return any(shape.conductor for body in scene.body for shape in body.shape)


def is_turning(scene: Scene) -> bool:
    """Whether a scene has bodies that turn about any axis."""
    return any(body.support in ("free", "pivot") for body in scene.bodies)


MOMENT = LegendEntry("arrow", ARROW, "m", Message("magnetic moment"))
BODY_AXES = (
    LegendEntry(AXES[0], ARROW, "u₁", Message("body axes")),
    LegendEntry(AXES[1], ARROW, "u₂", ""),
    LegendEntry(AXES[2], ARROW, "u₃", ""),
)
FIELD_LINE = LegendEntry(NORTH, CURVE, "B", Message("magnetic field"))
EDDIES = (
    LegendEntry(EDDY_COLORS[1], CURVE, "I", Message("eddy currents, counterclockwise")),
    LegendEntry(EDDY_COLORS[-1], CURVE, "", Message("clockwise, seen from outside")),
)
POINSOT = (
    LegendEntry("arrow", ARROW, "ω", Message("angular velocity")),
    LegendEntry("momentum", ARROW, "L", Message("angular momentum")),
    LegendEntry("arrow", CURVE, "", Message("polhode: path of ω in the body")),
)
MAGNETIC_FIELD = "magnetic field 磁場 磁界"

RECORDS = (
    ViewRecord("bodies", BodyView, "item", of_items=True),
    ViewRecord("points", PointView, "item", of_items=True, watches="skins"),
    ViewRecord("skins", SkinView, "item", of_items=True),
    ViewRecord("springs", SpringView, "item", of_items=True, rebuilt_by="bodies", watches="skins"),
    ViewRecord(
        "tension",
        TensionView,
        "figure",
        on_request=True,
        of_items=True,
        rebuilt_by="all",
        watches="skins",
        instead_of="skins",  # they would hide the colours of the springs inside of them
        words="stress 張力",
    ),
    ViewRecord("supports", SupportView, "item"),
    ViewRecord("joints", JointView, "item", of_items=True),
    ViewRecord("paths", PathView, "item"),
    ViewRecord("path_speed", PathSpeedView, "figure", on_request=True, past=True),
    ViewRecord("lift_off", LiftOffView, "figure", on_request=True, past=True),
    ViewRecord("dipoles", DipoleView, "arrows", of_items=True, legend=(MOMENT,), is_in=is_magnetic),
    ViewRecord(
        "axes", AxesView, "arrows", on_request=True, of_items=True, legend=BODY_AXES, is_in=has_bodies, offered=True
    ),
    ViewRecord("shadows", ShadowView, "shadow", of_items=True, watches="place"),
    ViewRecord("ground", GroundView, "ground", watches="place", words="grid 地面"),
    ViewRecord("walls", WallView, "surroundings", of_items=True),
    ViewRecord("surfaces", SurfaceView, "surroundings", of_items=True),
    ViewRecord("plates", PlateView, "surroundings", of_items=True),
    ViewRecord("coils", CoilView, "item", of_items=True, words="winding wire solenoid コイル 巻線"),
    ViewRecord(
        "place", PlaceView, "surroundings", of_items=True, words="bench table wall bracket stand post 台 机 壁 支柱"
    ),
    ViewRecord(
        "eddy_currents", EddyView, "figure", rebuilt_by="all", legend=EDDIES, is_in=is_conducting, words="metal 渦電流"
    ),
    ViewRecord(
        "eddy_current_heat",
        EddyHeatView,
        "figure",
        on_request=True,
        rebuilt_by="all",
        is_in=is_conducting,
        instead_of="eddy_currents",
        words="metal heating power 発熱 渦電流",
    ),
    ViewRecord(
        "field_at_iron",
        IronFieldView,
        "figure",
        on_request=True,
        rebuilt_by="all",
        words="iron magnetic poles B 鉄 磁極 磁場",
    ),
    ViewRecord("trails", TrailView, "figure", past=True, of_items=True, words="path trace 軌道"),
    ViewRecord("hand", GrabMarkerView, "marker"),
    *ARROWS,
    ViewRecord("ghosts", GhostView, "figure", watches="trails"),
    ViewRecord("field_slice", FieldSliceView, "figure", on_request=True, rebuilt_by="all", words=MAGNETIC_FIELD),
    ViewRecord(
        "field_lines",
        FieldLinesView,
        "figure",
        on_request=True,
        rebuilt_by="all",
        legend=(FIELD_LINE,),
        is_in=is_magnetic,
        words=MAGNETIC_FIELD,
    ),
    ViewRecord(
        "inertia",
        InertiaView,
        "figure",
        on_request=True,
        rebuilt_by="all",
        words="center of mass centre of mass principal axes ellipsoid 重心",
    ),
    ViewRecord("hulls", HullView, "figure", on_request=True, is_in=has_hulls, words="contact convex 凸包 接触"),
    ViewRecord(
        "polhode",
        PolhodeView,
        "figure",
        on_request=True,
        past=True,
        rebuilt_by="all",
        legend=POINSOT,
        is_in=is_turning,
    ),
)

VIEWS: Mapping[str, ViewRecord] = MappingProxyType({record.name: record for record in RECORDS})
"""The record of each view; the name is also that of its switch."""
ON_REQUEST = frozenset(name for name, record in VIEWS.items() if record.on_request)
SIZED = tuple(name for name, record in VIEWS.items() if record.kind == "arrows")
"""Views of arrows, whose length can be set."""

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
"""Fields of Scene that views `of_items` draw."""
