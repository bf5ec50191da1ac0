"""Live pages in Chromium, driven by a mouse and keys: what they draw, drag and change is what the library computes."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from moving_scene import HOSTILE
from web_runs import SCENES

from polhode import Simulation, read_scene
from polhode.compilation.web_module.module import WebModule, kept_module
from polhode.engine.ledger import HAND, LEDGER_SIZE
from polhode.mesh.mesh import Meshes
from polhode.physics.grab.interactions import Carry, PullPoint
from polhode.scene.checks.story_rules import moved, tried
from polhode.scene.display.story import CardSlider, Trial
from polhode.scene.scene import Scene
from polhode_app.export.motion.capture import Capture
from polhode_app.export.motion.parts import Arrows, Deformed, Posed, RunMotion, Spheres
from polhode_app.export.web.content import arrows, positions, tails
from polhode_app.export.web.live.live_page import LivePage, LiveSettings, views_to_try
from polhode_app.export.web.live.probes import ProbeSource

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
nightly = pytest.mark.nightly
WHOLE = pytest.mark.skipif(kept_module() is None, reason="no web module is built; make web-module")
STEPS = 300
OF_STATE = "(r => r.values[0])(await polhode.remote.frame([[polhode.content.live.engine.places.state, {size}]]))"
DISC = "[0, 1, 2].map(c => polhode.moments.row[1 + c] + 0.06 * polhode.moments.row[13 + c])"
"""A place within the disc of the heavy top: 6 cm along its axis."""
Open = Callable[[Scene], Browser]


@pytest.fixture
def open_live(tab: Browser, kernels: WebModule, tmp_path: Path) -> Iterator[Open]:
    """Opens the live page of a scene, paused at its start."""

    def opened(scene: Scene) -> Browser:
        text, _ = LivePage(scene, LiveSettings(), kernels, lambda share: None).text()
        path = tmp_path / "live.html"
        path.write_text(text, "utf-8")
        tab.open(path, (900, 600))
        tab.wait("window.polhode?.remote")
        return tab

    yield opened
    assert tab.errors() == []


def scene_called(name: str) -> Scene:
    return read_scene(SCENES / f"{name}.toml")


def advance(tab: Browser, steps: int) -> None:
    """Let the engine take steps, and show the row at their end."""
    before = tab.run("polhode.moments.last")
    tab.run(f"polhode.step({steps})")
    tab.wait(f"polhode.moments.last > {before!r} && !polhode.isAsked")
    tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")


def state_of(tab: Browser) -> np.ndarray:
    size = tab.run("polhode.content.live.engine.size")
    return np.array(tab.run(f"(async () => [...{OF_STATE.format(size=size)}])()"))


def drawn_by_the_program(scene: Scene, steps: int) -> RunMotion:
    """Poses and points as the views draw them after some steps of the run."""
    meshes = Meshes()
    simulation = Simulation(scene, meshes)
    taken = Capture(ProbeSource(simulation, meshes), dict.fromkeys(views_to_try(scene), True), {})
    taken.add()
    simulation.advance_steps(steps)
    taken.add()
    return taken.motion(2)


def check_drawn(tab: Browser, motion: RunMotion) -> int:
    """Compare all live parts of a page but arrows with those of the program; returns their number."""
    tolerance, count = 2e-4 * motion.stages["dark"].radius, 0
    tables = [table for table in tables_of(tab) if table["move"]["kind"] != "arrows"]
    drawn = [part for part in motion.parts if not isinstance(part.movement, Arrows)]
    for part, table in zip(drawn, tables, strict=True):
        movement, move = part.movement, table["move"]
        if table.get("isLive") is False or not part.shown[-1]:
            continue
        if isinstance(movement, Posed):
            place = np.array([matrix_of(tab, pose) for pose in move["poses"]])
            np.testing.assert_allclose(place[:, 3, :3], motion.poses.position[-1, movement.poses], atol=tolerance)
        elif isinstance(movement, Deformed | Spheres):
            here = positions(movement)[-1].reshape(-1, 3)
            np.testing.assert_allclose(reading(tab, move["points"]), here, atol=tolerance)
        count += isinstance(movement, Posed | Deformed | Spheres)
    return count


def tables_of(tab: Browser) -> list[dict]:
    return json.loads(tab.run("JSON.stringify(polhode.content.parts)"))


def matrix_of(tab: Browser, pose: int) -> np.ndarray:
    """(4, 4) the matrix of a pose, transposed."""
    script = f"(m => (polhode.poses.matrix({pose}, m, 0), m))(new Array(16).fill(0))"
    return np.array(tab.run(script)).reshape(4, 4)


def reading(tab: Browser, index: int) -> np.ndarray:
    """(n, 3) what a moving array of the page is now."""
    return np.array(tab.run(f"[...polhode.moments.reader(polhode.view.arrays, {index})()]")).reshape(-1, 3)


@pytest.mark.parametrize(
    "name",
    [
        "magnet_pendulum",
        *(
            pytest.param(name, marks=[nightly, WHOLE])
            for name in (
                *("course_3_spring_pendulum", "course_10_moving_floor", "rope_cane_ruler", "cloth_on_ball", "kendama"),
                *("moving_circle", "jelly_pendulum", "needle_lattice", "two_four_bars"),
            )
        ),
    ],
)
def test_parts_are_drawn_where_the_views_of_the_window_draw_them(open_live: Open, name: str) -> None:
    scene = scene_called(name)
    tab = open_live(scene)
    advance(tab, STEPS)
    assert check_drawn(tab, drawn_by_the_program(scene, STEPS)) > 0


@nightly
def test_arrows_are_those_of_the_window(open_live: Open) -> None:
    """Up to their scale, which is that of the end of the replay."""
    scene = scene_called("magnet_pendulum")
    tab, motion = open_live(scene), drawn_by_the_program(scene, STEPS)
    advance(tab, STEPS)
    tables = [table for table in tables_of(tab) if table["view"] == "velocities"]
    drawn = [part.movement for part in motion.parts if part.view == "velocities"]
    assert len(tables) == len(drawn) == 2
    for table, movement in zip(tables, drawn, strict=True):
        known = arrows(movement)[-1]
        number = int(np.linalg.norm(known, axis=1).argmax())
        same = np.linalg.norm(reading(tab, table["move"]["at"]) - tails(movement)[-1, number], axis=1).argmin()
        found = reading(tab, table["move"]["vectors"])[same]
        assert found @ known[number] == pytest.approx(np.linalg.norm(found) * np.linalg.norm(known[number]), rel=1e-6)
        assert np.linalg.norm(found) > 0


def ledger(tab: Browser) -> np.ndarray:
    return np.array(
        tab.run("[...polhode.moments.row.slice(...(l => [l[0], l[0] + l[1]])(polhode.content.live.ledger))]")
    )


def mouse(tab: Browser, kind: str, x: float, y: float) -> None:
    values = (
        {"button": "left", "buttons": 1, "clickCount": 1} if kind != "mouseMoved" else {"buttons": 1, "button": "left"}
    )
    tab.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **values)


def place_of(tab: Browser, script: str) -> tuple[float, float]:
    """Pixel at which a place of the scene, an array of three numbers, is seen."""
    return tuple(
        tab.run(
            f"(p => [(p.x + 1) / 2 * innerWidth, (1 - p.y) / 2 * innerHeight])"
            f"(new THREE.Vector3(...{script}).project(polhode.view.camera))"
        )
    )


def drag(tab: Browser, start: tuple[float, float], hold: Callable[[dict], None], leave: Callable[[], None]) -> None:
    """Drag by mouse in two moves, with steps after each; `hold` gets what the page pulls by, `leave` the release."""
    tab.run("polhode.isPlaying = true")  # the engine steps below, and not by the clock
    x, y = start
    mouse(tab, "mouseMoved", x, y)
    mouse(tab, "mousePressed", x, y)
    for distance in (40, 90):
        mouse(tab, "mouseMoved", x + distance, y - distance / 2)
        tab.wait("polhode.drag.isHolding && polhode.drag.held")
        tab.run("polhode.drag.grip.track.length = 0; polhode.drag.tick(); polhode.drag.tick = () => {}")
        hold(json.loads(tab.run("JSON.stringify(polhode.drag.held)")))
        tab.run(f"polhode.remote.step({STEPS})")
        tab.run("delete polhode.drag.tick")
    tab.run("polhode.drag.tick = () => {}")
    mouse(tab, "mouseReleased", x + 90, y - 45)
    leave()
    tab.run("delete polhode.drag.tick; polhode.ask()")
    tab.wait("!polhode.isAsked && !polhode.drag.isHolding")


def test_a_drag_of_a_body_leaves_the_same_work_in_the_ledger(open_live: Open) -> None:
    scene = scene_called("heavy_top")
    tab, simulation = open_live(scene), Simulation(scene)

    def hold(held: dict) -> None:
        simulation.grab(Carry(0, tuple(held["at"]), tuple(held["place"]), tuple(held["velocity"])))
        simulation.advance_steps(STEPS)

    drag(tab, place_of(tab, DISC), hold, simulation.release)
    found, expected = ledger(tab)[HAND], simulation.snapshot().ledger.hand
    assert abs(expected) > 1e-3
    assert found == pytest.approx(expected, rel=1e-6)


def test_a_drag_of_a_point_leaves_the_same_work_in_the_ledger(open_live: Open) -> None:
    scene = scene_called("course_3_spring_pendulum")
    tab, simulation = open_live(scene), Simulation(scene)
    first = tab.run("polhode.content.live.drag.firstPoint")
    movable = tab.run("polhode.content.live.drag.isFixed.indexOf(false)")

    def hold(held: dict) -> None:
        simulation.grab(PullPoint(movable, tuple(held["place"])))
        simulation.advance_steps(STEPS)

    at = first + 6 * movable
    drag(tab, place_of(tab, f"polhode.moments.row.slice({at}, {at + 3})"), hold, simulation.release)
    expected = simulation.snapshot().ledger.hand
    assert abs(expected) > 1e-6
    assert ledger(tab)[HAND] == pytest.approx(expected, rel=1e-6)


GRASP = """(() => {
  const held = (found) => found && polhode.drag.heldBy(found);
  for (const step of [30, 10]) {
    for (let y = 90; y < 500; y += step) {
      for (let x = 300; x < 880; x += step) if (held(polhode.drag.find(x, y))) return [x, y];
    }
  }
  return null;
})()"""
"""A pixel at which something can be dragged."""


@pytest.mark.parametrize(
    ("name", "touch"),
    [
        ("magnet_pendulum", False),
        pytest.param("magnet_pendulum", True, marks=nightly),
        ("bead_on_circle", False),
        ("two_masses", False),
        *(
            pytest.param(name, False, marks=[nightly, WHOLE])
            for name in (
                *("cloth_on_ball", "course_6_chain", "jelly_pendulum", "rope_cane_ruler", "break_shot"),
                *("double_rod_pendulum", "generator_by_hand", "rolling_4_rolling_in_a_bowl"),
            )
        ),
    ],
)
def test_things_of_all_subjects_are_dragged(open_live: Open, name: str, touch: bool) -> None:
    tab = open_live(scene_called(name))
    place = tab.run(GRASP)
    if touch:
        tab.run("polhode.isPlaying = true")
        for number in range(8):
            finger = [{"x": place[0] + 12 * number, "y": place[1] - 8 * number}]
            tab.call("Input.dispatchTouchEvent", type="touchMove" if number else "touchStart", touchPoints=finger)
        tab.wait("polhode.drag.isHolding && polhode.drag.held")
        tab.run(f"polhode.remote.step({STEPS})")
        tab.call("Input.dispatchTouchEvent", type="touchEnd", touchPoints=[])
        tab.run("polhode.ask()")
        tab.wait("!polhode.isAsked && !polhode.drag.isHolding")
    else:
        drag(tab, tuple(place), lambda held: None, lambda: None)
    assert ledger(tab)[HAND] != 0.0
    assert not tab.run("polhode.view.isMoved")  # the camera has stood still


@pytest.mark.parametrize("name", ["heavy_top", "course_3_spring_pendulum"])
def test_sliders_and_things_to_try_make_the_runs_of_the_scene_with_these_values(open_live: Open, name: str) -> None:
    """Also of a method with a history."""
    scene = scene_called(name)
    tab = open_live(scene)
    sliders = tab.run("[...document.querySelectorAll('#sliders input')].map(each => Number(each.max))")
    assert len(sliders) == len(scene.story.sliders)
    for number, slider in enumerate(scene.story.sliders):
        x, y = tab.middle(f"#sliders label:nth-child({number + 1}) input")
        width = tab.run("document.querySelector('#sliders input').getBoundingClientRect().width")
        tab.drag([(x, y), (x + width, y)])
        tab.run("polhode.reset()")
        check_runs(tab, moved(scene, slider, slider.high))
        scene = moved(scene, slider, slider.high)
    label = tab.run("document.querySelector('#tries button').textContent")
    first = next(trial for trial in scene.story.try_ if trial.label == label)
    tab = open_live(scene_called(name))
    tab.click("#tries button:first-child")
    tab.run("polhode.play(false); polhode.reset()")
    check_runs(tab, tried(scene_called(name), first))


def test_a_start_value_begins_the_run_again_also_where_the_slider_does_not_say_so(open_live: Open) -> None:
    slider = CardSlider(label="Spin", set={"body[0].angular_velocity[0]": 1.0}, low=50.0, high=100.0)
    scene = scene_called("heavy_top")
    scene = scene.model_copy(update={"story": scene.story.model_copy(update={"sliders": (slider,)})})
    tab = open_live(scene)
    advance(tab, STEPS)
    tab.run("polhode.card.move(0, polhode.card.table.sliders[0].positions.length - 1)")
    check_runs(tab, moved(scene, slider, slider.high))


def test_a_control_clears_only_those_in_use_of_the_ones_with_which_it_shares_numbers(open_live: Open) -> None:
    """The second shares a number with the first, and another with the third."""
    tries = (
        Trial(label="weak", set={"world.gravity": [0.0, 0.0, -3.0]}),
        Trial(label="both", set={"world.gravity": [0.0, 0.0, -5.0], "body[0].friction": 0.1}),
        Trial(label="friction", set={"body[0].friction": 0.5}),
    )
    scene = scene_called("heavy_top")
    scene = scene.model_copy(update={"story": scene.story.model_copy(update={"try_": tries, "sliders": ()})})
    tab = open_live(scene)
    for number in (1, 3):
        tab.click(f"#tries button:nth-child({number})")
    tab.run("polhode.play(false); polhode.reset()")
    check_runs(tab, tried(tried(scene, tries[0]), tries[2]))
    tab.click("#tries button:nth-child(2)")
    tab.run("polhode.play(false); polhode.reset()")
    check_runs(tab, tried(scene, tries[1]))


def test_keys_move_a_slider_of_the_card_that_has_the_focus(open_live: Open) -> None:
    tab = open_live(scene_called("heavy_top"))
    tab.run("window.slider = document.querySelector('#sliders input'); slider.focus(); slider.value = 5")
    values = []
    for key in ("ArrowRight", "ArrowLeft", "Home", "End"):
        tab.press(key)
        values.append(tab.run("Number(slider.value)"))
    assert values == [6, 5, 0, tab.run("Number(slider.max)")]
    tab.run("slider.blur()")
    tab.wait("!polhode.isAsked && polhode.time === 0")
    tab.press("ArrowRight")
    tab.wait("polhode.time > 0")


def test_a_row_on_its_way_does_not_undo_a_seek(open_live: Open) -> None:
    tab = open_live(scene_called("heavy_top"))
    advance(tab, STEPS)
    tab.run("polhode.remote.step(1); polhode.ask(); polhode.seek(0)")
    tab.wait("!polhode.isAsked")
    assert tab.run("[polhode.time, polhode.moments.index]") == [0, 0]
    tab.press("End")
    assert tab.run("polhode.time === polhode.moments.last")


def test_a_hidden_page_does_not_compute(open_live: Open) -> None:
    tab = open_live(scene_called("heavy_top"))
    hide = (
        "Object.defineProperty(document, 'hidden', {{ value: {}, configurable: true }});"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    running = "polhode.remote.frame([]).then(({ isRunning }) => isRunning)"
    tab.run("polhode.play(true)")
    found = [tab.run(running)]
    for is_hidden in ("true", "false"):
        tab.run(hide.format(is_hidden))
        found.append(tab.run(running))
    assert found == [True, False, True]
    tab.run("polhode.play(false)")
    tab.run(hide.format("false"))
    assert not tab.run(running)


def test_a_run_that_is_slow_has_no_percentage_before_it_is_measured(open_live: Open) -> None:
    tab = open_live(scene_called("heavy_top"))
    said = []
    for reached in (0, 0.5):  # in one script: the next frame of the page sets them again
        assign = f"Object.assign(polhode, {{ isPlaying: true, isSlow: true, reached: {reached} }})"
        tell = "polhode.controls.tellRun(), document.getElementById('status').textContent"
        said.append(tab.run(f"{assign}, {tell}"))
    tab.run("polhode.isPlaying = false")
    assert ["%" in each for each in said] == [False, True]


def test_an_engine_that_has_failed_stays_so(open_live: Open) -> None:
    tab = open_live(scene_called("heavy_top"))
    tab.run("polhode.remote.worker.postMessage({ kind: 'unknown' })")
    tab.wait("polhode.message !== null")
    tab.run("polhode.ask(); polhode.reset(); polhode.card.move(0, 1); polhode.play(true)")
    assert tab.run("[polhode.message, polhode.isPlaying, polhode.isAsked]") == ["failed", False, False]
    assert tab.run("polhode.remote.frame([]).then(() => 'answered', () => 'rejected')") == "rejected"
    tab.run("polhode.controls.tellRun()")
    assert tab.run("document.getElementById('status').textContent") == tab.run("polhode.controls.texts.failed")
    assert all("unknown" in error or "ANSWERS" in error for error in tab.errors())
    tab.messages.clear()


def test_a_page_whose_engine_does_not_start_replays_and_says_so(open_live: Open) -> None:
    tab = open_live(scene_called("heavy_top"))
    source = (
        "(({ Worker }) => window.Worker = function () {"
        "return new Worker(URL.createObjectURL(new Blob(['throw new Error()']))); })(window)"
    )
    script = tab.call("Page.addScriptToEvaluateOnNewDocument", source=source)
    tab.call("Page.reload")
    tab.wait("window.polhode && polhode.remote === undefined && polhode.moments.last > 1")
    assert tab.run("document.getElementById('status').textContent") == tab.run("polhode.controls.texts.no_engine")
    assert tab.run("document.getElementById('notice').textContent") == ""
    tab.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
    assert tab.errors()
    tab.messages.clear()


def check_runs(tab: Browser, scene: Scene) -> None:
    """Compare some steps of a page at its start with those of a scene."""
    tab.wait("!polhode.isAsked && polhode.time === 0")
    advance(tab, STEPS)
    simulation = Simulation(scene)
    simulation.advance_steps(STEPS)
    size = len(simulation.state) - LEDGER_SIZE
    np.testing.assert_allclose(state_of(tab)[:size], simulation.state[:size], rtol=1e-7, atol=1e-9)


def test_keys_run_step_and_reset(open_live: Open) -> None:
    scene = scene_called("heavy_top")
    tab = open_live(scene)
    step = scene.solver.time_step
    tab.press("ArrowRight")
    tab.wait(f"Math.abs(polhode.time - {step}) < 1e-12")
    tab.press("ArrowRight", shift=True)
    tab.wait(f"Math.abs(polhode.time - {11 * step}) < 1e-12")
    tab.press(" ")
    tab.wait("polhode.isPlaying && polhode.time > 0.2")
    tab.press(" ")
    tab.wait("!polhode.isPlaying")
    tab.press("Home")
    tab.wait("polhode.time === 0")
    np.testing.assert_array_equal(state_of(tab)[: len(Simulation(scene).state)], Simulation(scene).state)


@nightly
def test_it_runs_at_the_chosen_speed_and_keeps_what_it_has_shown(open_live: Open) -> None:
    tab = open_live(scene_called("heavy_top"))
    tab.run("polhode.speed = 0.5; polhode.play(true)")
    tab.wait("polhode.time > 1 && polhode.reached > 0")
    assert tab.run("polhode.reached") == pytest.approx(0.5, rel=0.1)
    tab.run("polhode.seek(0.5)")
    assert not tab.run("polhode.isPlaying")
    assert tab.run("polhode.time") == pytest.approx(0.5, abs=0.2)
    assert tab.run("Math.abs(polhode.drift)") < 1e-6


def test_hostile_texts_run_no_script_and_nothing_is_loaded(open_live: Open, tmp_path: Path) -> None:
    scene = scene_called("heavy_top")
    trial = Trial(label=HOSTILE, set={"body[0].friction": 0.5})
    story = scene.story.model_copy(update={"text": HOSTILE, "try_": (trial, *scene.story.try_)})
    body = scene.body[0].model_copy(update={"name": "<svg/onload=hacked=3>"})
    tab = open_live(scene.model_copy(update={"title": HOSTILE, "story": story, "body": (body,)}))
    assert tab.run("document.getElementById('title').textContent") == HOSTILE
    assert tab.run("document.querySelector('#tries button').textContent") == HOSTILE
    assert tab.run("window.hacked") is None
    assert tab.run("document.querySelectorAll('img').length") == 0
    assert tab.requests() == [(tmp_path / "live.html").as_uri()]


def test_a_browser_that_lacks_simd_replays_and_says_why(open_live: Open) -> None:
    tab = open_live(scene_called("heavy_top"))
    script = tab.call("Page.addScriptToEvaluateOnNewDocument", source="WebAssembly.validate = () => false")
    tab.call("Page.reload")
    tab.wait("window.polhode && polhode.remote === undefined && polhode.moments.last > 1")
    assert tab.run("document.getElementById('status').textContent") == tab.run("polhode.controls.texts.no_kernels")
    assert tab.run("document.getElementById('card').hidden && document.getElementById('reset').hidden")
    tab.call("Page.removeScriptToEvaluateOnNewDocument", identifier=script["identifier"])
