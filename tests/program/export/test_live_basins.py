"""Maps of attractors in pages: cells and pictures equal those of the program's maps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from engine_page import started, words_after
from web_runs import SCENES

from polhode import Simulation, read_scene
from polhode.compilation.web_module.module import WebModule
from polhode.run.status import DIVERGED, PENDING, UNCERTAIN, UNSETTLED
from polhode.sweep.sweep import Sweep
from polhode_app.data.maps.picture import Layer, draw_layer
from polhode_app.export.web.blob import Blob
from polhode_app.export.web.live.basins_data import COUNT, MapOfStarts, map_of_starts, starts_table
from polhode_app.export.web.live.live_page import LivePage, LiveSettings

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
WIDTH, HEIGHT = 96, 80  # [pixel] of pictures


def scene_of(name: str):
    return read_scene(SCENES / f"{name}.toml")


def map_in(name: str, count: int) -> MapOfStarts:
    made = map_of_starts(scene_of(name), count)
    assert made is not None
    return made


@pytest.fixture
def wells(tab: Browser, kernels: WebModule) -> Iterator[Browser]:
    """A page with a map of 8 x 8 cells."""
    with started(tab, Simulation(scene_of("double_well")), kernels, map_in("double_well", 8)):
        yield tab


def cells_of(tab: Browser, count: int) -> tuple[np.ndarray, np.ndarray]:
    """(n, n) labels and statuses of a map in a page, once it is computed."""
    tab.run("polhode.map.compute()")
    assert tab.run("polhode.map.failure") == ""
    assert tab.errors() == []
    label, status = (np.array(tab.run(f"[...polhode.map.{name}]")) for name in ("label", "status"))
    return label.reshape(count, count), status.reshape(count, count)


@pytest.mark.parametrize(
    ("name", "count"),
    [("double_well", 16), pytest.param("basins_of_three_magnets", 32, marks=pytest.mark.nightly)],
)
def test_cells_end_where_those_of_the_program_do(tab: Browser, kernels: WebModule, name: str, count: int) -> None:
    """The program runs three magnets in SIMD lanes, whose rounding is another one: cells at borders may differ."""
    made, scene = map_in(name, count), scene_of(name)
    native = Sweep(scene, made.sweep).run()
    with started(tab, Simulation(scene), kernels, made):
        label, status = cells_of(tab, count)
        certain = tab.run("polhode.map.certain")
        fractions = tab.run("polhode.map.fractions()")
    assert np.mean((label == native.label) & (status == native.status)) >= 0.99
    assert len(np.unique(label)) > 1
    assert certain == pytest.approx(native.certain, abs=0.02)
    assert [each["name"] for each in fractions] == list(made.sweep.outcome.near)
    expected = native.fractions()
    assert [each["part"] for each in fractions] == pytest.approx([each.value for each in expected], abs=0.02)
    assert [2 * each["half"] for each in fractions] == pytest.approx([e.high - e.low for e in expected], abs=0.02)


def test_a_map_can_be_stopped_and_continued(wells: Browser) -> None:
    wells.run("polhode.map.whenChanged = () => { if (polhode.map.done === 5) polhode.map.cancel(); }")
    wells.run("void polhode.map.compute()")
    wells.wait("polhode.map.done >= 5 && !polhode.map.isRunning")
    done = wells.run("polhode.map.done")
    assert 5 <= done < 64
    assert np.count_nonzero(wells.run("[...polhode.map.status]")) == done
    wells.run("polhode.map.whenChanged = () => {}")
    label, status = cells_of(wells, 8)
    assert wells.run("polhode.map.progress") == 1
    assert np.all(status != PENDING)
    assert np.all(label >= 0)


def test_the_run_of_the_page_starts_from_a_cell(wells: Browser) -> None:
    scene, made = scene_of("double_well"), map_in("double_well", 8)
    column, row = 2, 5
    cell, axes = 8 * column + row, Sweep(scene, made.sweep).variation.axis_values
    values = [float(axes[0][column]), float(axes[1][row])]
    assert wells.run(f"polhode.map.valuesOf({cell})") == pytest.approx(values)
    wells.run(f"polhode.remote.reset(polhode.map.startOf({cell}))")
    first, later = (words_after(wells, steps).view(float) for steps in (0, 100))
    wells.run("polhode.remote.reset()")
    assert np.array_equal(words_after(wells, 0), Simulation(scene).state.view(np.int64))
    assert first == pytest.approx(start_of(made, *values), rel=1e-12, abs=1e-12)
    begun = simulation_from(made, *values)
    begun.advance_steps(100)
    assert later == pytest.approx(begun.state, rel=1e-6, abs=1e-9)


def simulation_from(made: MapOfStarts, *values: float) -> Simulation:
    """A simulation of the scene of a map with values of its axes."""
    parameters = [axis.parameter for axis in made.sweep.axes]
    scene = made.chunks.variation.scene
    return Simulation(scene.with_values({name: float(value) for name, value in zip(parameters, values, strict=True)}))


def start_of(made: MapOfStarts, *values: float) -> np.ndarray:
    """(k,) its state at the start."""
    return simulation_from(made, *values).state


def test_a_picture_has_the_pixels_of_the_program(wells: Browser) -> None:
    """With pending cells, marks and borders."""
    random = np.random.default_rng(3)
    label = random.integers(0, 2, (8, 8)).astype(np.int32)
    label[:, 4:], status = 0, np.ones((8, 8), dtype=np.uint8)
    for number, which in enumerate((UNCERTAIN, UNSETTLED, DIVERGED, PENDING)):
        status[number, 1::3] = which
    label[status == DIVERGED] = label[status == PENDING] = -1
    expected = np.zeros((HEIGHT, WIDTH), dtype=np.uint32)
    layer = Layer((0.0, 1.0, 0.0, 1.0), status, label)
    draw_layer(expected, layer, (0.0, 1.0, 0.0, 1.0))
    wells.run(
        f"polhode.map.label.set({label.reshape(-1).tolist()}); polhode.map.status.set({status.reshape(-1).tolist()})"
    )
    pixels = wells.run(
        f"(() => {{ const canvas = document.createElement('canvas'); canvas.width = {WIDTH}; canvas.height = {HEIGHT};"
        "polhode.map.draw(canvas);"
        f"return [...canvas.getContext('2d').getImageData(0, 0, {WIDTH}, {HEIGHT}).data]; }})()"
    )
    red, green, blue, alpha = np.array(pixels, np.uint32).reshape(HEIGHT, WIDTH, 4)[::-1].transpose(2, 0, 1)
    assert np.array_equal(alpha << 24 | red << 16 | green << 8 | blue, expected)


def test_scenes_without_a_map_of_attractors_have_none() -> None:
    assert map_of_starts(scene_of("heavy_top")) is None
    assert map_of_starts(scene_of("sleeping_top")) is None  # a map of a lowest value


def test_numbers_that_depend_on_one_axis_are_kept_once() -> None:
    states, blob = np.zeros((3, 4, 5)), Blob()
    states[:, :, 1] = np.arange(3.0)[:, None]
    states[:, :, 3] = np.arange(4.0)
    states[:, :, 4] = np.arange(12.0).reshape(3, 4)
    found = starts_table(states, blob)
    assert [(each["index"], each["axis"]) for each in found] == [(1, 0), (3, 1), (4, None)]
    assert [blob.arrays[each["values"]]["shape"] for each in found] == [[3], [4], [12]]


@pytest.fixture(scope="module")
def panel_page(kernels: WebModule, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of a scene with a map."""
    path = tmp_path_factory.mktemp("pages") / "wells.html"
    path.write_text(LivePage(scene_of("double_well"), LiveSettings(), kernels, lambda share: None).text()[0], "utf-8")
    return path


def test_the_panel_computes_the_map_and_starts_the_run_from_a_cell(tab: Browser, panel_page: Path) -> None:
    """By the mouse and by keys."""
    made = map_in("double_well", COUNT)
    tab.open(panel_page, (1200, 800))
    tab.click("#basins")
    tab.click("#compute")
    tab.wait("polhode.mapPanel.map.done > 20")
    tab.click("#compute")
    tab.wait("!polhode.mapPanel.map.isRunning")
    assert 20 < tab.run("polhode.mapPanel.map.done") < COUNT * COUNT
    tab.wait("document.querySelectorAll('#map-ends i').length > 0")
    assert tab.run("document.getElementById('map-progress').value") > 0
    tab.run("document.getElementById('map').focus()")
    for key in ("ArrowRight", "ArrowUp", "ArrowUp"):
        tab.press(key)
    axes = Sweep(scene_of("double_well"), made.sweep).variation.axis_values
    written = tab.run("document.getElementById('cell').textContent.replaceAll('−', '-').split(':')[0].split(',')")
    assert [float(value) for value in written] == pytest.approx([axes[0][1], axes[1][2]], rel=1e-3)
    tab.run("polhode.speed = 1e-9")  # no step within the test
    tab.press("Enter")
    tab.wait("polhode.isPlaying && !polhode.isAsked")
    assert state_in(tab) == pytest.approx(start_of(made, axes[0][1], axes[1][2]), abs=1e-12)
    x, y = tab.middle("#map")
    tab.drag([(x + 2, y - 2)])  # within a cell: four meet in the middle
    assert state_in(tab) == pytest.approx(start_of(made, axes[0][COUNT // 2], axes[1][COUNT // 2]), abs=1e-12)
    assert tab.errors() == []


def state_in(tab: Browser) -> np.ndarray:
    """(k,) state of the engine of a live page."""
    ranges = "[[engine.places.state, engine.size]]"
    script = (
        f"(({{engine}}) => polhode.remote.frame({ranges}).then(({{values}}) => [...values[0]]))(polhode.content.live)"
    )
    return np.array(tab.run(script))
