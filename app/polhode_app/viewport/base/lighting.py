"""Lights: a key light fixed in the laboratory, which casts the shadows, and fill lights."""

from __future__ import annotations

import numpy as np
from vtkmodules.vtkRenderingCore import vtkLight, vtkRenderer

KEY = np.array([-0.38, -0.30, 1.0]) / np.linalg.norm([-0.38, -0.30, 1.0])
"""Direction (3,) towards the key light, laboratory frame."""


def light(renderer: vtkRenderer) -> None:
    """Replace all lights of a renderer."""
    renderer.RemoveAllLights()
    renderer.AutomaticLightCreationOff()
    key = vtkLight()
    key.SetLightTypeToSceneLight()
    key.SetPosition(*KEY)
    key.SetFocalPoint(0, 0, 0)
    key.SetColor(1.0, 0.97, 0.92)
    key.SetIntensity(0.80)
    renderer.AddLight(key)
    # Lights attached to the camera illuminate every visible side.
    for position, color, intensity in (
        ((0.0, 0.15, 1.0), (1.0, 1.0, 1.0), 0.30),
        ((1.0, 0.25, 0.35), (0.80, 0.89, 1.0), 0.26),
    ):
        fill = vtkLight()
        fill.SetLightTypeToCameraLight()
        fill.SetPosition(*position)
        fill.SetFocalPoint(0, 0, 0)
        fill.SetColor(*color)
        fill.SetIntensity(intensity)
        renderer.AddLight(fill)
