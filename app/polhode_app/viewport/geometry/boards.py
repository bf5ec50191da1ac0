"""Looks of the materials of walls and floors: ice, steel, wood and felt, with procedural textures."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkRenderingCore import vtkTexture

from polhode_app.viewport.base.palette import Theme, rgb

PIXELS = 256  # of a texture along one side; it is periodic
SEED = 7


@dataclass(frozen=True, eq=False)
class Board:
    """A material of walls."""

    dark: str  # colour in the dark theme
    light: str  # colour in the light theme
    pattern: Callable[[np.random.Generator], np.ndarray]  # (PIXELS, PIXELS) deviation of the brightness from 1

    def color(self, theme: Theme) -> tuple[float, float, float]:
        """Colour in a theme."""
        return rgb(self.dark if theme.is_dark else self.light)


def _smoothed(noise: np.ndarray, across: float, along: float) -> np.ndarray:
    """Periodic noise, low-pass filtered to lengths `across` and `along` [pixel] of rows and columns, of variance 1."""
    frequency = np.fft.fftfreq(PIXELS)
    gain = np.exp(-((np.pi * across * frequency[:, None]) ** 2 + (np.pi * along * frequency[None]) ** 2))
    gain[0, 0] = 0.0
    made = np.fft.ifft2(np.fft.fft2(noise) * gain).real
    return np.asarray(made / made.std())


def _wood(random: np.random.Generator) -> np.ndarray:
    """Boards with grain along their length."""
    boards, grain = 4, np.zeros((PIXELS, PIXELS))
    rows = PIXELS // boards
    fibres = _smoothed(random.normal(size=(PIXELS, PIXELS)), 1.2, 70)
    waves = _smoothed(random.normal(size=(PIXELS, PIXELS)), 9, 130)
    grain = 0.035 * fibres + 0.045 * waves
    for k in range(boards):
        board = slice(k * rows, (k + 1) * rows)
        shift = int(random.integers(PIXELS))
        grain[board] = np.roll(grain[board], shift, axis=1) + random.uniform(-0.05, 0.05)
        grain[k * rows] -= 0.22  # the gap between two boards
        grain[board, shift] -= 0.16  # and between two pieces of one
    return grain


def _felt(random: np.random.Generator) -> np.ndarray:
    """Short fibres without direction."""
    fine, coarse = (random.normal(size=(PIXELS, PIXELS)) for _ in range(2))
    return np.asarray(0.05 * _smoothed(fine, 1.0, 1.0) + 0.02 * _smoothed(coarse, 12, 12))


def _steel(random: np.random.Generator) -> np.ndarray:
    """Brushed in one direction."""
    return np.asarray(0.035 * _smoothed(random.normal(size=(PIXELS, PIXELS)), 0.7, 90))


def _ice(random: np.random.Generator) -> np.ndarray:
    """Faint clouds, and scratches in all directions."""
    made = 0.03 * _smoothed(random.normal(size=(PIXELS, PIXELS)), 40, 40)
    for _ in range(14):
        start, angle = random.uniform(0, PIXELS, 2), random.uniform(0, np.pi)
        length = np.arange(random.uniform(20, 110))
        pixel = start + length[:, None] * [np.sin(angle), np.cos(angle)]
        row, column = (pixel % PIXELS).astype(int).T
        made[row, column] += 0.09
    return np.asarray(made)


BOARDS: Mapping[str, Board] = MappingProxyType(
    {
        "ice": Board("#4d6a7c", "#d6e7f2", _ice),
        "steel": Board("#59616c", "#b4bdc8", _steel),
        "wood": Board("#6e523b", "#cfae88", _wood),
        "felt": Board("#1f5b45", "#3f8f6d", _felt),
    }
)


@lru_cache(maxsize=8)
def _image(name: str) -> vtkImageData:
    """Periodic grey picture of a material, to be multiplied by its colour. Cached: callers must not modify it."""
    shade = np.clip(0.92 + BOARDS[name].pattern(np.random.default_rng(SEED)), 0, 1)
    pixels = np.repeat(np.round(255 * shade).astype(np.uint8).reshape(-1, 1), 3, axis=1)
    image = vtkImageData()
    image.SetDimensions(PIXELS, PIXELS, 1)
    image.GetPointData().SetScalars(numpy_to_vtk(pixels, deep=True))
    return image


def texture(name: str) -> vtkTexture:
    """A repeated texture of a material; each actor needs its own, which belongs to its window."""
    made = vtkTexture()
    made.SetInputData(_image(name))
    made.RepeatOn()
    made.InterpolateOn()
    made.MipmapOn()
    made.SetMaximumAnisotropicFiltering(1.0)  # more would cost a third of a frame with software rendering
    made.SetMaximumAnisotropicFiltering(1.0)

    made.SetColorModeToDirectScalars()
    return made
