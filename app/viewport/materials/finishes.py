"""Finishes of bodies: how their surfaces reflect, by density, and by what they are."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from vtkmodules.vtkRenderingCore import vtkProperty

DENSE = 2000.0  # [kg/m^3] denser shapes look like metal


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


def metal(look: vtkProperty) -> None:
    """Metal: highlights in its own colour, darker where no light is reflected."""
    look.SetAmbient(0.18)
    look.SetDiffuse(0.70)
    look.SetSpecular(0.65)
    look.SetSpecularPower(28)
    look.SetMetallic(1.0)  # from the medium quality on: environment/quality.py
    look.SetRoughness(0.32)


FINISHES: Mapping[str, Callable[[vtkProperty], None]] = MappingProxyType(
    {"plastic": plastic, "polished": polished, "metal": metal}
)
"""Functions that set the properties of an actor."""
