"""Notes on a fit name unknowns and quantities as the window does, not by their paths in the file."""

from __future__ import annotations

import tomllib

import numpy as np
import pytest
from made_data import PENDULUM, swing

from polhode.data.measured import measured
from polhode.fitting.fit import fit
from polhode.fitting.result import FitResult
from polhode.scene.scene_file import scene_of
from polhode_app.data.measured.unknown_names import notes_of, title_of
from polhode_app.i18n.field_names import quantity
from polhode_app.i18n.language import in_language

COLUMN = "bob.angular_velocity.y"


def made(time_step: float, friction: float, free: list[str]) -> FitResult:
    """A fit of a pendulum with a step and a friction to a swing with a little noise."""
    scene = scene_of(tomllib.loads(PENDULUM.format(gravity=9.81, friction=friction, angle=1.2)), "pendulum")
    scene = scene.model_copy(update={"solver": scene.solver.model_copy(update={"time_step": time_step})})
    times = np.linspace(0.0, 8.0, 200)
    noise = 1e-3 * np.random.default_rng(1).standard_normal(200)
    return fit(scene, measured("made", times, {"w": swing(times)[1] + noise}), {"w": COLUMN}, free)


@pytest.mark.parametrize("language", ["en", "ja"])
def test_notes_have_display_names(language: str) -> None:
    long_step = made(0.1, 0.002, ["world.gravity[2]", "body[0].friction"])
    no_friction = made(0.005, 0.0, ["world.gravity[2]"])
    with in_language(language):
        notes = "\n".join(notes_of(long_step))
        assert title_of(long_step.scene, "world.gravity[2]") in notes
        assert "world.gravity" not in notes
        notes = "\n".join(notes_of(no_friction))
        assert quantity(COLUMN) in notes
        assert COLUMN not in notes
