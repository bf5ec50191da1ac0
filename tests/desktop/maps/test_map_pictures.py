"""Pictures of maps: pending cells, colours, borders, marks, and numbers of attractors."""

from __future__ import annotations

import tomllib
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from polhode.run.status import DIVERGED, INVALID, PENDING, SETTLED, UNCERTAIN, UNSETTLED
from polhode.scene.gallery import path
from polhode.scene.scene_file import read_scene, scene_of
from polhode.scene.variants.numbers import rotation
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.simulation import Simulation
from polhode.sweep.maps.map import SweepMap
from polhode_app.data.maps.attractors import Attractors
from polhode_app.data.maps.cell import status_name
from polhode_app.data.maps.coordinates import reading_of, rotation_vector
from polhode_app.data.maps.map_picture import figure_of
from polhode_app.data.maps.map_run import MapRun
from polhode_app.data.maps.picture import COLORS, VIRIDIS, Layer, draw_layer, packed, representatives, rgb

UNIT = (0.0, 1.0, 0.0, 1.0)


def test_a_cell_that_is_done_stands_for_itself_and_others_have_the_finest_grid() -> None:
    random = np.random.default_rng(3)
    is_done = random.random((37, 50)) < 0.2
    is_done[::8, ::8] = True
    found = representatives(is_done)
    for i in range(37):
        for j in range(50):
            expected = next(a * 50 + b for s in (1, 2, 4, 8) for a, b in [(i - i % s, j - j % s)] if is_done[a, b])
            assert found[i, j] == expected


def test_nothing_stands_for_cells_of_an_empty_map() -> None:
    assert (representatives(np.zeros((5, 9), dtype=bool)) == -1).all()


def drawn(status: np.ndarray, label: np.ndarray, size: int = 120) -> np.ndarray:
    canvas = np.full((size, size), packed("#123456"), dtype=np.uint32)
    draw_layer(canvas, Layer(UNIT, status.astype(np.uint8), label.astype(np.int32)), UNIT)
    return canvas


def test_pixels_have_the_colour_of_their_cell_with_the_second_axis_upwards() -> None:
    label = np.array([[0, 1], [2, 3]])
    canvas = drawn(np.full((2, 2), SETTLED), label)
    for i in range(2):
        for j in range(2):
            assert canvas[30 + 60 * j, 30 + 60 * i] == packed(COLORS[label[i, j]])


def test_borders_between_basins_are_black() -> None:
    canvas = drawn(np.full((2, 1), SETTLED), np.array([[0], [1]]))
    assert (canvas[:, 59] == packed("#000000")).all()
    assert (canvas == packed("#000000")).sum() == 120


def test_each_status_has_a_mark_of_its_own_and_pending_cells_show_the_background() -> None:
    marks = []
    for status in (SETTLED, UNSETTLED, UNCERTAIN, DIVERGED, INVALID):
        patch = drawn(np.full((1, 1), status), np.full((1, 1), 0 if status < DIVERGED else -1), 24)
        marks.append(patch.tobytes())
    assert len(set(marks)) == 5
    assert (drawn(np.full((1, 1), PENDING), np.zeros((1, 1)), 8) == packed("#123456")).all()


def lightness(color: str) -> float:
    """Relative luminance, ITU-R BT.709, as a grey print has it."""
    linear = [(c / 255 / 12.92 if c <= 10 else ((c / 255 + 0.055) / 1.055) ** 2.4) for c in rgb(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def test_the_colours_of_the_first_attractors_differ_in_a_grey_print() -> None:
    # The lightness of two neighbours in the list differs by more than that of two greys 13 % apart, which eyes tell.
    values = [lightness(color) ** (1 / 2.2) for color in COLORS[:4]]
    assert all(abs(a - b) > 0.13 for a, b in pairwise(values))


def test_the_scale_of_values_becomes_lighter_all_the_way() -> None:
    assert np.all(np.diff([lightness(color) for color in VIRIDIS]) > 0)


def map_of(features: np.ndarray, done: np.ndarray) -> SweepMap:
    scene = read_scene(path("basins_of_three_magnets"))
    axis = scene.sweep[0].axes[0].model_copy(update={"count": len(features)})
    outcome = scene.sweep[0].outcome.model_copy(update={"near": ()})
    sweep = scene.sweep[0].model_copy(update={"axes": (axis,), "outcome": outcome})
    made = SweepMap.empty(MapRun.of(scene, sweep, Path()).variation, features.shape[1])
    made.features[...] = features
    made.status[done] = SETTLED
    return made


def test_attractors_keep_their_numbers_while_a_map_grows_and_in_its_parts() -> None:
    rests = np.array([[0.0, 1.0], [1.0, 0.0], [-1.0, 0.5]])
    kind = np.array([2, 0, 1, 1, 2, 0])
    known, done = Attractors(), np.zeros(6, dtype=bool)
    made = map_of(rests[kind], done)
    seen: dict[int, int] = {}
    for cell in (0, 3, 5, 1, 2):  # the last one stays pending
        made.status[cell] = SETTLED
        label = known.labels(made)
        assert seen.setdefault(int(kind[cell]), int(label[cell])) == label[cell]
    assert known.labels(made).tolist()[4] == -1
    part = map_of(rests[[1, 2, 0]] + 1e-4, np.ones(3, dtype=bool))
    assert known.labels(part).tolist() == [seen[1], seen[2], seen[0]]


@pytest.mark.parametrize("vector", [(0.3, -0.2, 1.1), (0.0, 0.0, 1e-12), (2.0, -2.0, 0.5)])
def test_a_rotation_vector_is_found_again(vector: tuple[float, float, float]) -> None:
    # Of a tiny turn, arccos would lose all digits; the sine keeps them.
    np.testing.assert_allclose(rotation_vector(rotation(np.array(vector))), vector, rtol=1e-9, atol=1e-15)


STARTS = """
[[body]]
name = "bob"
support = "pivot"
angular_velocity = [0.5, -0.25, 2]
orientation = { axis = [1, 2, 0.5], angle = 0.7 }
[[body.shape]]
kind = "sphere"
radius = 0.05
density = 1000
position = [0, 0, -0.3]
[[bead]]
name = "bead"
mass = 0.1
parameter = 0.4
speed = 0.2
path = { kind = "circle", center = [0, 0, 0], radius = 1 }
[[particle]]
name = "dust"
mass = 0.1
position = [1, 2, 3]
velocity = [4, 5, 6]
"""


@pytest.mark.parametrize(
    ("place", "value"),
    [
        (("body", 0, "angular_velocity", 2), 2.0),
        (("body", 0, "tilt", 1), 0.0),
        (("bead", 0, "parameter"), 0.4),
        (("bead", 0, "speed"), 0.2),
        (("particle", 0, "velocity", 1), 5.0),
        (("particle", 0, "position", 2), 3.0),
    ],
)
def test_the_start_of_a_run_stands_at_its_own_values(place: tuple[str | int, ...], value: float) -> None:
    scene = scene_of(tomllib.loads(STARTS), "starts")
    read = reading_of(scene, place)
    assert read is not None
    assert read(Simulation(scene).snapshot()) == pytest.approx(value, abs=1e-12)


def test_parameters_are_no_coordinates() -> None:
    scene = read_scene(path("basins_of_three_magnets"))
    assert reading_of(scene, ("world", "gravity", 2)) is None
    assert reading_of(scene, ("body", 0, "friction")) is None
    assert reading_of(scene, ("body", 0, "orientation", "angle")) is None
    assert reading_of(scene, ("body", 0, "shape", 0, "radius")) is None


def test_the_legend_of_a_picture_names_every_status_of_its_cells() -> None:
    """Each with its share of all cells, as the legend of the window does."""
    scene = scene_of(tomllib.loads(STARTS), "starts")
    axes = [{"parameter": f"body[0].angular_velocity[{k}]", "range": [0, 1], "count": n} for k, n in enumerate((2, 4))]
    sweep = SweepSettings.model_validate({"until": 1.0, "axes": axes})
    made = SweepMap.empty(MapRun.of(scene, sweep, Path()).variation, 0)
    status = np.array([SETTLED, UNCERTAIN, UNSETTLED, UNSETTLED, DIVERGED, INVALID, PENDING, SETTLED])
    made.status[:] = status.reshape(made.status.shape)
    texts = [text.get_text() for text in figure_of(scene, made, (400, 300)).legends[0].get_texts()]
    for which, share in ((UNCERTAIN, "12.5 %"), (UNSETTLED, "25 %"), (DIVERGED, "12.5 %"), (PENDING, "12.5 %")):
        assert any(status_name(which) in text and share in text for text in texts), texts
