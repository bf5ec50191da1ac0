"""Contents of a picture of a view."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode.scene.scene import Scene
from polhode_app.viewport.base.picture import pixels
from polhode_app.viewport.view import SceneView

PENDULUM = {
    "name": "bob",
    "position": (0, 0, 0.4),
    "orientation": {"axis": (1, 0, 0), "angle": 0.9},
    "shape": [{"kind": "sphere", "radius": 0.05, "mass": 0.1, "position": (0, 0, -0.2)}],
}


def pendulum(**world: object) -> Scene:
    """A scene that is cheap to draw."""
    return Scene.model_validate({"body": [PENDULUM], "world": world})


def drawn(view: SceneView) -> np.ndarray:
    """(height, width, 3) of a frame that is really drawn."""
    view.plotter.render_window.Render()
    return pixels(view.plotter).astype(int)


def magenta(picture: np.ndarray) -> np.ndarray:
    """Where the picture is purely red and blue, which only bodies of the tests are: rows and columns (n, 2)."""
    return np.argwhere((picture[..., 0] > 60) & (picture[..., 2] > 60) & (picture[..., 1] < picture[..., 0] * 0.5))


def check_switches(view: SceneView, names: Sequence[str]) -> None:
    """Fail unless each switch changes the picture, and the same switch brings the first one back to the last pixel."""
    first = drawn(view)
    for name in names:
        view.set_visible(name)
        assert np.abs(drawn(view) - first).max() > 10, name
        view.set_visible(name)
        assert np.array_equal(drawn(view), first), name
