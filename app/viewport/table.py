"""Which views draw a scene, in the order in which see-through things must be drawn."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Protocol

from vtkmodules.vtkRenderingCore import vtkRenderer

from app.viewport.axes import AxesView
from app.viewport.bodies import BodyView
from app.viewport.dipoles import DipoleView
from app.viewport.field_lines import FieldLinesView
from app.viewport.field_slice import FieldSliceView
from app.viewport.ghosts import GhostView
from app.viewport.ground import GroundView
from app.viewport.polhode import PolhodeView
from app.viewport.shadows import ShadowView
from app.viewport.stage import Stage
from app.viewport.supports import SupportView
from app.viewport.trails import TrailView
from core.snapshot import Bodies


class View(Protocol):
    """Draws one kind of thing."""

    def show(self, stage: Stage) -> None:
        """Build what is drawn, for a new scene or theme."""

    def move(self, bodies: Bodies, time: float) -> None:
        """Write the moment in place; no actor is made here."""

    def switch(self, on: bool) -> None:
        """Draw it or not."""


class MakesView(Protocol):
    def __call__(self, renderer: vtkRenderer) -> View: ...


VIEWS: Mapping[str, MakesView] = MappingProxyType(
    {
        "bodies": BodyView,
        "supports": SupportView,
        "dipoles": DipoleView,
        "axes": AxesView,
        "shadows": ShadowView,
        "ground": GroundView,
        "trails": TrailView,
        "ghosts": GhostView,
        "field_slice": FieldSliceView,
        "field_lines": FieldLinesView,
        "polhode": PolhodeView,
    }
)
"""What makes each view; a view's name is that of its switch."""

ON_REQUEST = frozenset({"axes", "field_slice", "field_lines", "polhode"})
"""Views that are off until a person or a scene asks for them."""
