"""Quality of the picture: what each level draws, and how the level is found by the time of frames."""

from __future__ import annotations

import numpy as np
import pytest

from polhode.mesh.mesh import Meshes
from polhode.scene.scene import Scene
from polhode_app.viewport.base.palette import rgb
from polhode_app.viewport.base.picture import offscreen, pixels
from polhode_app.viewport.environment.auto_quality import COST, COUNT, FAST, FREE, SKIPPED, SLOW, AutoQuality
from polhode_app.viewport.environment.quality import LEVELS, Level
from polhode_app.viewport.geometry.finishes import dense
from polhode_app.viewport.view import SceneView

BALL = {"kind": "sphere", "radius": 0.1, "color": "#c8962e"}
FLOOR = {"kind": "cuboid", "size": (1.0, 1.0, 0.1), "mass": 0.1, "color": "#dddddd"}


def frames(auto: AutoQuality, seconds: float) -> bool:
    """Draw as many frames as a decision takes; whether the level has changed."""
    return [auto.drawn(seconds) for _ in range(COUNT + SKIPPED)][-1]


def test_a_level_that_is_chosen_stays() -> None:
    for level in LEVELS:
        auto = AutoQuality(level, is_software=True)
        assert not frames(auto, 1.0)
        assert auto.level == level


def test_a_card_begins_with_the_best_level_and_gives_up_what_is_too_slow() -> None:
    auto = AutoQuality("auto", is_software=False)
    assert auto.level == "high"
    assert frames(auto, 1.1 * SLOW)
    assert auto.level == "medium"
    assert not frames(auto, 0.5 * FAST), "what was too slow is not tried again"
    auto.restart()
    assert frames(auto, 0.5 * FAST), "but with another scene it is"
    assert auto.level == "high"


def test_the_processor_keeps_a_level_only_if_it_costs_little() -> None:
    for cost, level in ((1.05, "medium"), (1.4, "low")):
        auto = AutoQuality("auto", is_software=True)
        assert auto.level == "low"
        begun = 0.8 * FAST
        assert frames(auto, begun)
        assert auto.level == "medium"
        frames(auto, cost * begun)
        assert auto.level == level
        assert (cost <= COST) == (level == "medium")
        for _ in range(4):
            assert not frames(auto, begun)
            assert auto.level == level, "ambient occlusion is not tried by the processor"


def test_what_is_fast_enough_may_cost_more() -> None:
    auto = AutoQuality("auto", is_software=True)
    frames(auto, 0.2 * FREE)
    frames(auto, 0.9 * FREE)
    assert auto.level == "medium"


def test_slow_frames_are_not_made_slower() -> None:
    auto = AutoQuality("auto", is_software=True)
    assert not frames(auto, 1.1 * FAST)
    assert auto.level == "low"


def seen(scene: Scene, quality: Level, then: Level | None = None) -> np.ndarray:
    """(h, w, 3) picture of a scene at a level of quality, which may be set afterwards."""
    plotter = offscreen((160, 120))
    view = SceneView(plotter, Meshes(), patient=True, quality=quality)
    try:
        view.show(scene)
        view.set_visible("ground", False)
        view.set_visible("shadows", False)
        view.look_at(np.array([(-0.3, -0.3, 0.0), (0.3, 0.3, 0.3)]), "home")
        if then is not None:
            plotter.render_window.Render()
            view.set_quality(then)
        plotter.render_window.Render()
        return pixels(plotter).astype(int)
    finally:
        view.close()
        plotter.close()


def resting(density: float) -> Scene:
    """A ball of a density [kg/m^3], fixed, on a block."""
    ball = {"name": "ball", "support": "fixed", "position": (0, 0, 0.1), "shape": [{**BALL, "density": density}]}
    block = {"name": "block", "support": "fixed", "position": (0, 0, -0.05), "shape": [FLOOR]}
    return Scene.model_validate({"body": [ball, block]})


@pytest.mark.parametrize(("density", "reflects"), [(8500.0, True), (900.0, False)])
def test_metal_alone_reflects_its_surroundings(density: float, reflects: bool) -> None:
    scene = resting(density)
    low, medium = seen(scene, "low"), seen(scene, "medium")
    changed = (np.abs(low - medium).max(axis=2) > 12).mean()
    assert changed > 0.02 if reflects else changed == 0
    again = seen(scene, "medium", then="low")
    assert np.abs(again - low).max() <= 1  # rounding of colours


@pytest.mark.nightly
def test_ambient_occlusion_darkens_the_corner_below_a_ball_more_than_an_open_surface() -> None:
    scene = resting(900.0)
    without, occluded = seen(scene, "medium").sum(axis=2), seen(scene, "high").sum(axis=2)
    kept = occluded / without.clip(min=1)
    ball, below, open_block = kept[52:60, 78:90].mean(), kept[81:83, 78:90].mean(), kept[100:110, 20:60].mean()
    assert below < 0.88
    assert min(ball, open_block) > 0.95
    back = seen(scene, "high", then="medium").sum(axis=2)
    assert np.abs(back - without).mean() < 1


def test_a_translucent_body_stays_translucent_with_ambient_occlusion() -> None:
    def colored(color: str) -> Scene:
        ball = {
            "name": "ball",
            "support": "fixed",
            "position": (0, 0, 0.1),
            "shape": [{**BALL, "mass": 1, "color": color}],
        }
        return Scene.model_validate({"body": [ball]})

    clear, solid = seen(colored("#ff00ff40"), "high"), seen(colored("#ff00ff"), "high")
    middle = (slice(50, 70), slice(70, 90))
    assert clear[middle].mean() < 0.8 * solid[middle].mean()


@pytest.mark.parametrize(
    ("color", "finish"),
    [
        ("#8d939b", "metal"),
        ("#e69f00", "metal"),
        ("#d55e00", "painted"),
        ("#56b4e9", "painted"),
        ("#f4efe2", "painted"),
    ],
)
def test_steel_and_brass_are_bare_and_other_colours_painted(color: str, finish: str) -> None:
    assert dense(rgb(color)) == finish


def test_paint_keeps_its_colour_at_every_quality() -> None:
    ball = {**BALL, "density": 8500.0, "color": "#d55e00"}
    scene = Scene.model_validate(
        {"body": [{"name": "ball", "support": "fixed", "position": (0, 0, 0.1), "shape": [ball]}]}
    )
    assert np.array_equal(seen(scene, "low"), seen(scene, "medium"))
