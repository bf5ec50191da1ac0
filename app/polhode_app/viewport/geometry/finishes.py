"""Finishes of bodies: how their surfaces reflect, by density, colour, and by what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from colorsys import rgb_to_hsv
from types import MappingProxyType

from vtkmodules.vtkRenderingCore import vtkProperty

from polhode_app.viewport.base.palette import RGB

DENSE = 2000.0  # [kg/m^3] denser shapes look like metal
GREY = 0.25  # saturation of steel, at most
BRASS = 32 / 360, 58 / 360  # hues of brass, bronze and gold
WHITE = 0.86  # brightness of steel, at most: what is lighter is painted


def plastic(look: vtkProperty) -> None:
    """A matt surface with a soft highlight."""
    look.SetAmbient(0.22)
    look.SetDiffuse(0.85)
    look.SetSpecular(0.25)
    look.SetSpecularPower(36)


def polished(look: vtkProperty) -> None:
    """A varnished ball: a small bright highlight."""
    look.SetAmbient(0.20)
    look.SetDiffuse(0.85)
    look.SetSpecular(0.75)
    look.SetSpecularPower(90)


def painted(look: vtkProperty) -> None:
    """Painted metal: wide highlights, darker where no light is reflected."""
    look.SetAmbient(0.18)
    look.SetDiffuse(0.70)
    look.SetSpecular(0.65)
    look.SetSpecularPower(28)


def metal(look: vtkProperty) -> None:
    """Bare steel or brass: painted at low quality, from the medium one on it reflects (environment/quality.py)."""
    painted(look)
    look.SetMetallic(1.0)
    look.SetRoughness(0.32)


def unlit(look: vtkProperty) -> None:
    """A surface whose colour contains light and shade.

    `Quality` lights it where ambient occlusion needs its normals.
    """
    look.LightingOff()
    look.SetAmbient(1.0)
    look.SetDiffuse(0.0)
    look.SetSpecular(0.0)


def is_unlit(look: vtkProperty) -> bool:
    """Whether a surface is `unlit`."""
    return bool(look.GetAmbient() == 1.0 and look.GetDiffuse() == 0.0)


def dense(color: RGB | None) -> str:
    """Finish of a dense shape of a colour, None for more than one: bare in the colours of metals, otherwise painted."""
    if color is None:
        return "painted"
    hue, saturation, value = rgb_to_hsv(*color)
    if saturation <= GREY:
        return "metal" if value <= WHITE else "painted"
    return "metal" if BRASS[0] <= hue <= BRASS[1] else "painted"


FINISHES: Mapping[str, Callable[[vtkProperty], None]] = MappingProxyType(
    {"plastic": plastic, "polished": polished, "painted": painted, "metal": metal}
)
"""Functions that set the properties of an actor."""
