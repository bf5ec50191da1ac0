"""Levels of quality of the picture: metals that reflect their surroundings, and ambient occlusion.

Metals follow the metallic model of VTK's physically based shading, with a studio of soft lights as their surroundings;
at the lowest level they have the highlights of direct lights alone. Ambient occlusion darkens what is near other
surfaces, in the space of the picture (vtkSSAOPass).
"""

from __future__ import annotations

from typing import Literal, get_args

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonCore import VTK_FLOAT
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import VTK_GOURAUD, VTK_PBR, vtkRenderer, vtkTexture
from vtkmodules.vtkRenderingOpenGL2 import vtkOpenGLFXAAPass, vtkRenderStepsPass, vtkSSAOPass

from polhode_app.viewport.geometry.finishes import is_unlit

Level = Literal["low", "medium", "high"]
LEVELS: tuple[Level, ...] = get_args(Level)
"""low: direct lights and shadows; medium: metals also reflect; high: with ambient occlusion."""
ROWS = 32  # of the picture of the surroundings; it is blurred anyway
SAMPLES, TABLE = 48, 48  # of integrals over reflections, and size of their table: more make no visible difference
REACH = 0.09  # radius of the occlusion, in radii of the stage
BIAS = 0.06  # least depth that occludes, in these
KERNEL = 32  # samples of a pixel
PLAIN = """//VTK::System::Dec
//VTK::Output::Dec
in vec4 vertexColorVSOutput;
void main() { gl_FragData[0] = vertexColorVSOutput; }
"""
"""Shader of unlit faces with colours of points: that of VTK takes software OpenGL twice as long."""


def studio() -> np.ndarray:
    """(ROWS, 2 ROWS, 3) float32 radiance by elevation, lowest first, and azimuth: ground, walls, soft lights."""
    up = np.linspace(-1, 1, ROWS)[:, None]
    around = np.linspace(-np.pi, np.pi, 2 * ROWS, endpoint=False)[None]
    grey = np.where(up < 0, 0.16 + 0.16 * (1 + up), 0.32 + 0.18 * up) + 0 * around
    for azimuth, elevation, strength in ((-2.4, 0.75, 1.8), (0.9, 0.45, 1.1)):
        grey = grey + strength * np.exp(-(((up - elevation) / 0.20) ** 2) - ((around - azimuth) / 0.55) ** 2)
    return np.asarray(grey[..., None] * np.array([1.0, 0.98, 0.95]), np.float32)


def _surroundings() -> vtkTexture:
    """The studio as a texture; each renderer needs its own."""
    pixels = studio()
    image = vtkImageData()
    image.SetDimensions(pixels.shape[1], pixels.shape[0], 1)
    image.GetPointData().SetScalars(numpy_to_vtk(pixels.reshape(-1, 3), deep=True, array_type=VTK_FLOAT))
    made = vtkTexture()
    made.SetInputData(image)
    made.SetColorModeToDirectScalars()
    made.InterpolateOn()
    made.MipmapOn()
    return made


class Quality:
    """The level of a renderer. Surroundings and passes are made when they are first needed."""

    def __init__(self, renderer: vtkRenderer, level: Level = "low"):
        self._renderer = renderer
        self.level: Level = level
        self._occlusion: vtkSSAOPass | None = None
        self._samples = 0  # of a pixel, without the pass

    def apply(self, radius: float) -> None:
        """Draw everything at the current level from now on; `radius` [m] is that of the stage.

        To be called again after actors were made.
        """
        reflects = self.level != "low"
        if reflects and self._renderer.GetEnvironmentTexture() is None:
            self._surround()
        self._renderer.SetUseImageBasedLighting(reflects)
        actors = self._renderer.GetActors()
        actors.InitTraversal()
        for _ in range(actors.GetNumberOfItems()):
            actor = actors.GetNextActor()
            look, texture = actor.GetProperty(), actor.GetTexture()
            if look.GetMetallic() > 0:
                look.SetInterpolation(VTK_PBR if reflects else VTK_GOURAUD)
            if (
                texture is not None and texture.GetMipmap()
            ):  # of a material: interpolation takes software 10 % of a frame
                texture.SetInterpolate(reflects)
            if is_unlit(look):  # the pass reads positions and normals, which only lit surfaces have
                look.SetLighting(self.level == "high")
                if actor.GetMapper().GetScalarVisibility() and texture is None:
                    actor.GetShaderProperty().SetFragmentShaderCode(PLAIN if self.level == "low" else None)
        self._occlude(radius)

    def _surround(self) -> None:
        """Set what metals reflect."""
        self._renderer.SetEnvironmentTexture(_surroundings(), False)
        self._renderer.SetEnvironmentUp(0, 0, 1)
        self._renderer.SetEnvironmentRight(1, 0, 0)
        reflected, table = self._renderer.GetEnvMapPrefiltered(), self._renderer.GetEnvMapLookupTable()
        reflected.SetPrefilterMaxSamples(SAMPLES)
        reflected.SetPrefilterLevels(4)
        table.SetLUTSize(TABLE)
        table.SetLUTSamples(SAMPLES)

    def _occlude(self, radius: float) -> None:
        """Add the pass of ambient occlusion, or remove it."""
        window = self._renderer.GetRenderWindow()
        if self.level != "high":
            if self._occlusion is not None:
                self._renderer.SetPass(None)
                window.SetMultiSamples(self._samples)
                self._occlusion = None
            return
        if self._occlusion is None:
            self._samples = window.GetMultiSamples()
            window.SetMultiSamples(0)  # a pass would draw nothing into a multisampled window
            self._occlusion = vtkSSAOPass()
            self._occlusion.SetDelegatePass(vtkRenderStepsPass())
            self._occlusion.SetKernelSize(KERNEL)
            self._occlusion.BlurOn()
            smooth = vtkOpenGLFXAAPass()  # in place of multisampling
            smooth.SetDelegatePass(self._occlusion)
            self._renderer.SetPass(smooth)
        self._occlusion.SetRadius(REACH * radius)
        self._occlusion.SetBias(BIAS * REACH * radius)
