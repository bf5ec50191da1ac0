"""Pictures and films of simulations, by the program that is installed with this library."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
from pydantic import BeforeValidator, Field

from polhode.scene.checks.arguments import Duration, FrameRate, PositiveCount, PositiveNumber, checked
from polhode.scene.checks.validation_messages import shown
from polhode.scene.display.view import Camera
from polhode.scene.message import Message
from polhode.scene.problem import InputError, InvalidValue
from polhode.simulation.batches.stepping import MOST_STEPS
from polhode.simulation.program import function_of_program
from polhode.simulation.simulation import Simulation

Size = Annotated[
    tuple[PositiveCount, PositiveCount], Field(strict=False), BeforeValidator(lambda value: _as_size(value))
]


def _as_size(value: object) -> object:
    """A list of two values as it is. Raises InvalidValue for any other value."""
    if isinstance(value, list | tuple) and len(value) == 2:
        return value
    rule = Message("must be width and height in pixels, but is {value}", value=shown(value))
    raise InvalidValue(rule, Message("give, for example, (1280, 720)"))


"""Width and height [pixel]."""


@checked
def picture(
    simulation: Simulation,
    size: Size = (1280, 720),
    camera: Camera | None = None,
    theme: Literal["dark", "light"] = "light",
    transparent: bool = False,
) -> np.ndarray:
    """(height, width, 4) uint8 picture of a simulation in its present state, red, green, blue and opacity.

        from polhode import Camera, Simulation, picture, read_scene

        pixels = picture(Simulation(read_scene("heavy_top")), (800, 600), Camera(position=(0.5, -0.5, 0.4)))

    size: width and height [pixel]; camera: by default the scene's, or one that sees everything

    No display is needed. Raises InputError where the program that draws is not installed, or OpenGL is missing.
    """
    return np.asarray(function_of_program("picture")(simulation, size, camera, theme, transparent))


@checked
def film(
    simulation: Simulation,
    path: Path | str,
    until: Duration,
    fps: FrameRate = 30.0,
    speed: PositiveNumber = 1.0,
    size: Size = (1280, 720),
    camera: Camera | None = None,
    theme: Literal["dark", "light"] = "light",
    progress: Callable[[float], None] = lambda share: None,
) -> None:
    """Advance a simulation to `until` [s], and write a film of it: .mp4, .webm, .gif, or pictures frame-%04d.png.

    fps: frames per second; speed: simulated seconds per second of film; size: width and height [pixel], even numbers
    progress: called with the part done, 0 to 1

    Frames are states at whole steps, the first one the present state. An existing file is replaced. Raises InputError
    for a time before the present one, and where the program that draws is not installed, OpenGL is missing, or the file
    can't be written; and Diverged after the frames so far are saved.
    """
    if until < simulation.time:
        rule = Message("is {until:g} s, and the simulation is at {time:g} s", until=until, time=simulation.time)
        raise InputError.of("film", rule, Message("give a later time, or reset the simulation"), "until")
    if until - simulation.time > MOST_STEPS * min(simulation.time_step, speed / fps):
        rule = Message("{until:g} s makes more than {most:g} steps or frames", until=until, most=MOST_STEPS)
        raise InputError.of("film", rule, Message("give an earlier time"), "until")
    function_of_program("film")(simulation, Path(path), until, fps, speed, size, camera, theme, progress)
