"""The page in Chromium: what it shows, and what mouse, fingers and keys do to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, Browser, browser
from moving_scene import HOSTILE, TIMES, everything, motion_at
from PIL import Image

from polhode import Simulation
from polhode.scene.scene_file import scene_of
from polhode.scene.scene_writing import scene_text
from polhode_app.export.web.page import page
from polhode_app.viewport.things.instances import quaternions

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With pages."""
    made = tmp_path_factory.mktemp("pages")
    motion = motion_at(everything(), TIMES)
    (made / "run.html").write_text(page(motion, ("bob.u1.x",)), "utf-8")
    (made / "moment.html").write_text(page(motion.thinned(np.array([3]))), "utf-8")
    nothing = motion_at(scene_of({"title": "nothing"}, "test"), [0.0, 0.1])
    (made / "nothing.html").write_text(page(nothing), "utf-8")
    return made


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as made:
        yield made


@pytest.fixture
def run(tab: Browser, folder: Path) -> Browser:
    """The page of the run, standing still."""
    tab.open(folder / "run.html", (640, 480))
    tab.run("polhode.play(false); polhode.seek(0)")
    return tab


def time_of(tab: Browser) -> float:
    return tab.run("polhode.time")


def test_nothing_is_loaded_nothing_complains_and_nothing_is_hacked(run: Browser, folder: Path) -> None:
    assert run.requests() == [(folder / "run.html").as_uri()]
    assert run.errors() == []
    assert run.run("window.hacked") is None
    assert run.run("document.getElementById('title').textContent") == HOSTILE
    assert run.run("document.title") == HOSTILE
    assert run.run("document.querySelectorAll('img').length") == 0


def test_a_script_that_got_into_the_page_would_not_run(run: Browser) -> None:
    run.run("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=\"window.hacked = 3\">')")
    run.run(
        "{const s = document.createElement('script'); s.textContent = 'window.hacked = 4'; document.body.append(s)}"
    )
    run.run("new Promise(done => setTimeout(done, 300))")
    assert run.run("window.hacked") is None


def test_bodies_are_where_the_simulation_has_them(run: Browser) -> None:
    """Positions are rounded to 2^-15 radii of the stage (about 1 m), quaternions to 2^-14."""
    for time in (0.0, 0.1, 0.3, 0.5):
        simulation = Simulation(everything())
        simulation.advance_steps(round(time / 1e-3))
        now = simulation.snapshot().bodies
        run.run(f"polhode.seek({time}); polhode.view.draw()")
        places = np.array(run.run("[...polhode.view.poses.positions]")).reshape(-1, 3)[:3]
        turns = np.array(run.run("[...polhode.view.poses.rotations]")).reshape(-1, 4)[:3]
        assert np.abs(places - now.position).max() < 4e-5
        assert (1 - np.abs((turns * quaternions(now.basis)).sum(axis=1))).max() < 1e-7


@pytest.mark.nightly
def test_between_moments_motion_is_smooth_and_fast_rotations_go_all_the_way_round(run: Browser) -> None:
    """At 400 rad/s the body makes 1.3 turns between two moments 0.02 s apart."""
    for time in (0.013, 0.127, 0.4911):
        simulation = Simulation(everything())
        simulation.advance_steps(round(time / 1e-3))
        now = simulation.snapshot()
        run.run(f"polhode.seek({now.time}); polhode.view.draw()")
        turns = np.array(run.run("[...polhode.view.poses.rotations]")).reshape(-1, 4)[:3]
        angle = 2 * np.arccos(np.abs((turns * quaternions(now.bodies.basis)).sum(axis=1)).clip(max=1))
        assert angle[1] < 0.02  # of the fast one
        assert angle[0] < 2e-3  # of the pendulum: a cubic of the fourth order in 0.02 s times its frequency


@pytest.mark.nightly
def test_sheets_and_coils_follow_their_points(run: Browser) -> None:
    simulation = Simulation(everything())
    simulation.advance_steps(400)
    points = simulation.snapshot().points.position
    run.run("polhode.seek(0.4); polhode.view.draw()")
    of_kind = (
        "polhode.view.parts.find(part => part.table.move.kind === '{}').objects[0].geometry.attributes.position.array"
    )
    sheet = np.array(run.run(f"[...{of_kind.format('sheets')}]")).reshape(-1, 3)
    assert np.linalg.norm(sheet[None] - points[:12, None], axis=2).min(axis=1).max() < 1e-4
    coil = np.array(run.run(f"[...{of_kind.format('coils')}]")).reshape(-1, 8, 3).mean(axis=1)
    assert np.abs(coil[0] - [-0.3, -0.3, 0.9]).max() < 1e-4
    assert np.abs(coil[-1] - points[-1]).max() < 1e-4


@pytest.mark.nightly
def test_the_canvas_is_not_empty_and_differs_with_the_theme(tab: Browser, folder: Path, tmp_path: Path) -> None:
    light = {}
    for theme in ("dark", "light"):
        tab.open(folder / "run.html", (600, 400), theme)
        tab.run("polhode.play(false); polhode.seek(0.2)")
        tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
        tab.picture(tmp_path / f"{theme}.png")
        pixels = np.asarray(Image.open(tmp_path / f"{theme}.png").convert("RGB"), float)
        light[theme] = pixels.mean()
        assert len(np.unique(pixels[100:320].reshape(-1, 3), axis=0)) > 200  # not a plain background
    assert light["light"] > light["dark"] + 60


def test_a_bench_is_of_wood(tab: Browser, folder: Path, tmp_path: Path) -> None:
    """Its faces have the colours of their vertices, in both themes."""
    ball = {"kind": "sphere", "radius": 0.05, "mass": 1.0, "position": [0, 0, -0.3]}
    body = {"name": "bob", "support": "pivot", "position": [0, 0, 0.5], "shape": [ball]}
    scene = scene_of({"body": [body], "view": {"place": "bench"}}, "test")
    (folder / "bench.html").write_text(page(motion_at(scene, [0.0, 0.1])), "utf-8")
    shares = []
    for theme in ("light", "dark"):
        tab.open(folder / "bench.html", (640, 480), theme)
        tab.run("polhode.play(false); polhode.seek(0)")
        tab.picture(tmp_path / "bench.png")
        red, _, blue = np.asarray(Image.open(tmp_path / "bench.png").convert("RGB")).astype(int).transpose(2, 0, 1)
        shares.append((red - blue > 15).mean())  # brown, beside grey and blue
    assert min(shares) > 0.1


@pytest.mark.nightly
def test_keys_play_step_and_jump(run: Browser) -> None:
    run.press("ArrowRight")
    assert time_of(run) == pytest.approx(TIMES[1])
    run.press("ArrowRight", shift=True)
    assert time_of(run) == pytest.approx(TIMES[11])
    run.press("ArrowLeft")
    assert time_of(run) == pytest.approx(TIMES[10])
    run.press("End")
    assert time_of(run) == pytest.approx(TIMES[-1])
    run.press("Home")
    assert time_of(run) == 0.0
    run.press(" ")
    run.wait("polhode.time > 0.05")
    run.press(" ")
    stopped = time_of(run)
    run.run("new Promise(done => setTimeout(done, 200))")
    assert time_of(run) == stopped


@pytest.mark.nightly
def test_a_run_ends_at_its_end_or_is_repeated(run: Browser) -> None:
    run.press("End")
    run.click("#play")
    assert run.run("polhode.isPlaying")
    run.wait("!polhode.isPlaying")
    assert time_of(run) == pytest.approx(TIMES[-1])
    run.click("#repeat")
    run.run(
        "window.seen = 0; window.timer = setInterval(() => { window.seen = Math.max(window.seen, polhode.time) }, 1)"
    )
    run.click("#play")
    run.wait("window.seen > 0.4 && polhode.time < 0.2")
    run.run("clearInterval(window.timer)")


def test_the_mouse_turns_and_the_wheel_comes_nearer(run: Browser) -> None:
    place = "polhode.view.camera.position.toArray()"
    before = np.array(run.run(place))
    target = np.array(run.run("polhode.view.controls.target.toArray()"))
    run.drag([(250, 240), (280, 240), (320, 250), (360, 260)])
    run.run("new Promise(done => setTimeout(done, 600))")
    turned = np.array(run.run(place))
    assert np.linalg.norm(turned - before) > 0.1
    assert np.linalg.norm(turned - target) == pytest.approx(np.linalg.norm(before - target), rel=1e-3)
    run.wheel(320, 240, -240)
    run.run("new Promise(done => setTimeout(done, 600))")
    assert np.linalg.norm(np.array(run.run(place)) - target) < 0.95 * np.linalg.norm(turned - target)
    run.press("r")
    assert np.array(run.run(place)) == pytest.approx(before, abs=1e-6)


@pytest.mark.nightly
def test_the_camera_goes_by_keys(run: Browser) -> None:
    """W, A, S, D turn it by 10 degrees about its target, with Shift they move it; Page Up and Page Down zoom."""

    def pose() -> np.ndarray:
        return np.array(
            run.run("[polhode.view.camera.position.toArray(), polhode.view.controls.target.toArray()]"), float
        )

    start = pose()
    offset, up = start[0] - start[1], np.array(run.run("polhode.view.content.camera.up"))
    up = up / np.linalg.norm(up)
    run.press("d")
    turned = pose()
    assert turned[1] == pytest.approx(start[1])
    radius = np.linalg.norm(np.cross(offset, up))
    assert np.linalg.norm(turned[0] - start[0]) == pytest.approx(2 * radius * np.sin(np.radians(5)), rel=1e-6)
    assert (turned[0] - start[0]) @ up == pytest.approx(0, abs=1e-9)
    run.press("a")
    assert pose() == pytest.approx(start, abs=1e-9)
    run.press("w")
    raised = pose()[0] - start[1]
    elevation = lambda arm: np.degrees(np.arcsin(arm @ up / np.linalg.norm(arm)))  # noqa: E731
    assert elevation(raised) == pytest.approx(elevation(offset) + 10, abs=1e-6)
    for _ in range(20):
        run.press("w")  # not over the top
    assert 85 < elevation(pose()[0] - start[1]) < 90
    run.press("r")
    run.press("D", shift=True)
    moved = pose() - start
    assert moved[0] == pytest.approx(moved[1])
    assert np.linalg.norm(moved[0]) > 0
    assert moved[0] @ offset == pytest.approx(0, abs=1e-9)
    run.press("r")
    run.press("PageUp")
    assert np.linalg.norm(np.subtract(*pose())) == pytest.approx(np.linalg.norm(offset) / 1.2)
    run.press("PageDown")
    assert np.linalg.norm(np.subtract(*pose())) == pytest.approx(np.linalg.norm(offset))
    assert time_of(run) == 0.0


@pytest.mark.nightly
def test_letters_that_are_typed_into_the_search_move_nothing(run: Browser) -> None:
    run.click("#plots")
    run.click("#filter")
    before = run.run("polhode.view.camera.position.toArray()")
    for letter in "wasd":
        run.press(letter)
    assert run.run("document.getElementById('filter').value") == "wasd"
    # Every frame takes the camera through spherical coordinates, which rounds its position; a key turns it by 10°.
    assert run.run("polhode.view.camera.position.toArray()") == pytest.approx(before, rel=1e-9)


@pytest.mark.nightly
def test_panels_are_opened_by_keyboard_and_the_focus_comes_back(run: Browser) -> None:
    for key in ("Enter", " "):
        run.run("document.getElementById('show').focus()")
        run.press(key)
        assert not run.run("document.getElementById('show-panel').hidden")
        assert run.run("document.activeElement.closest('#show-panel') !== null")
        run.press("Tab")
        run.press(" ")  # the first switch
        assert run.run("document.querySelector('#switches input').checked") != (key == "Enter")
        run.press("Escape")
        assert run.run("document.getElementById('show-panel').hidden")
        assert run.run("document.activeElement.id") == "show"


@pytest.mark.nightly
def test_the_time_line_is_dragged(run: Browser) -> None:
    x, y = run.middle("#time")
    run.drag([(x, y)])
    assert time_of(run) == pytest.approx(0.25, abs=0.02)


@pytest.mark.nightly
def test_switches_hide_what_they_name(run: Browser) -> None:
    run.click("#show")
    run.wait("!document.getElementById('show-panel').hidden")
    names = run.run("[...document.querySelectorAll('#switches input')].map(box => box.dataset.view)")
    assert {"bodies", "skins", "springs", "trails", "shadows", "walls"} <= {*names}
    assert "hand" not in names
    run.click("#switches input[data-view=bodies]")
    run.run("polhode.view.draw()")
    shown = "polhode.view.parts.filter(part => part.view === '{}').map(part => part.objects[0].visible)"
    assert not any(run.run(shown.format("bodies")))
    assert all(run.run(shown.format("walls")))


@pytest.mark.nightly
def test_plots_show_the_columns_asked_for_and_a_click_goes_to_its_time(run: Browser) -> None:
    assert run.run("polhode.plots.chosen") == ["bob.u1.x"]
    run.click("#plots")
    run.wait("document.querySelector('#curves canvas')?.width > 0")
    run.click("#columns input[data-column='energy.kinetic']")
    assert run.run("polhode.plots.chosen") == ["bob.u1.x", "energy.kinetic"]
    assert run.run("document.querySelectorAll('#curves canvas').length") == 2  # two units
    run.click("#curves canvas")
    assert 0.2 < time_of(run) < 0.3


@pytest.mark.nightly
def test_languages_follow_the_browser_and_are_switched(tab: Browser, folder: Path) -> None:
    tab.open(folder / "run.html", language="ja")
    assert tab.run("document.documentElement.lang") == "ja"
    tab.click("#language")
    assert tab.run("document.documentElement.lang") == "en"
    assert tab.run("document.getElementById('play').title") in ("Play", "Pause")
    tab.open(folder / "run.html", language="de")
    assert tab.run("document.documentElement.lang") == "en"


@pytest.mark.nightly
def test_the_scene_is_there_as_a_text_and_is_copied(run: Browser) -> None:
    run.click("#about")
    run.wait("!document.getElementById('about-panel').hidden")
    assert run.run("document.getElementById('text').textContent") == scene_text(everything())
    run.call("Browser.grantPermissions", permissions=["clipboardReadWrite", "clipboardSanitizedWrite"])
    run.run("document.getElementById('copy').scrollIntoView()")
    run.click("#copy")
    run.wait("document.getElementById('copy').textContent === 'Copied'")
    run.press("Escape")
    assert run.run("document.getElementById('about-panel').hidden")


@pytest.mark.nightly
def test_a_phone_is_wide_enough_and_fingers_work(tab: Browser, folder: Path) -> None:
    tab.open(folder / "run.html", (400, 760), touch=True)
    tab.run("polhode.play(false)")
    assert tab.run("document.documentElement.scrollWidth") <= 400
    boxes = tab.run(
        "[...document.querySelectorAll('#bar > *, #tools > :not([hidden])')]"
        ".map(e => e.getBoundingClientRect().toJSON())"
    )
    assert all(box["left"] >= 0 and box["right"] <= 400 and box["width"] > 20 for box in boxes)
    before = tab.run("polhode.view.camera.position.toArray()")
    tab.touch([(200, 300), (230, 300), (270, 310)])
    tab.run("new Promise(done => setTimeout(done, 300))")
    assert np.abs(np.array(tab.run("polhode.view.camera.position.toArray()")) - before).max() > 0.05
    distance = "polhode.view.camera.position.distanceTo(polhode.view.controls.target)"
    far = tab.run(distance)
    tab.pinch(200, 300, [40, 60, 80])
    tab.run("new Promise(done => setTimeout(done, 300))")
    assert tab.run(distance) < 0.7 * far


def test_every_control_has_a_name_and_is_reached_by_the_tab_key(run: Browser) -> None:
    unnamed = "[...document.querySelectorAll('button, select, input, canvas')]"
    unnamed += ".filter(e => e.offsetParent !== null || e.id === 'view')"
    unnamed += ".filter(e => !(e.getAttribute('aria-label') || e.textContent.trim() || e.labels?.length))"
    unnamed += ".map(e => e.outerHTML)"
    assert run.run(unnamed) == []
    reached = set()
    for _ in range(16):
        run.press("Tab")
        reached.add(run.run("document.activeElement.id"))
    assert {"view", "show", "plots", "about", "play", "time", "speed"} <= reached


@pytest.mark.nightly
@pytest.mark.parametrize("name", ["moment", "nothing"])
def test_runs_of_one_moment_and_of_nothing_are_shown(tab: Browser, folder: Path, name: str) -> None:
    tab.open(folder / f"{name}.html", (600, 400))
    assert tab.errors() == []
    assert tab.run("document.getElementById('notice').textContent") == ""
    tab.press(" ")
    tab.press("ArrowRight")
    tab.run("new Promise(done => setTimeout(done, 100))")
    assert tab.errors() == []


@pytest.mark.nightly
def test_slow_frames_take_pixels_then_shadows_which_may_be_switched_on_again(run: Browser) -> None:
    levels = "Array.from({length: 10}, () => polhode.view.judge(90 * 0.8 ** polhode.view.level))"
    widths = [run.run("polhode.view.renderer.domElement.width")]
    while run.run("polhode.view.isOn('shadows')"):
        assert run.run(f"{levels}.at(-1)"), "no level is left"
        run.run("polhode.controls.fillSwitches()")
        widths.append(run.run("polhode.view.renderer.domElement.width"))
    assert widths == sorted(widths, reverse=True)
    assert widths[-1] < 0.5 * 640
    assert not run.run(f"{levels}.at(-1)")
    run.click("#show")
    assert not run.run("document.querySelector('[data-view=shadows]').checked")
    run.click("[data-view=shadows]")
    assert run.run("polhode.view.lights.key.castShadow")
    assert not run.run(f"{levels}.at(-1) || !polhode.view.isOn('shadows')")
    run.press("Escape")


@pytest.mark.nightly
def test_frames_that_stay_slow_whatever_is_drawn_take_nothing(run: Browser) -> None:
    """A browser that saves energy hands out 30 frames per second, of the finest picture as well."""
    before = run.run("[polhode.view.level, polhode.view.renderer.domElement.width]")
    levels = run.run("Array.from({length: 100}, () => (polhode.view.judge(1000 / 30), polhode.view.level))")
    assert max(levels) > before[0]
    assert run.run("[polhode.view.level, polhode.view.renderer.domElement.width]") == before
    assert run.run("polhode.view.isOn('shadows') && polhode.view.lights.key.castShadow")


@pytest.mark.nightly
def test_lines_look_alike_with_and_without_a_graphics_card(folder: Path, tmp_path: Path) -> None:
    """In software each piece has its own vertices; the browser of the test draws by software in both cases."""
    hides = "WebGL2RenderingContext.prototype.getExtension = new Proxy(WebGL2RenderingContext.prototype.getExtension, {"
    hides += "apply: (f, at, [name]) => name === 'WEBGL_debug_renderer_info' ? null : f.call(at, name)})"
    drawn = {}
    for is_plain in (True, False):
        with browser() as tab:
            if not is_plain:
                tab.call("Page.addScriptToEvaluateOnNewDocument", source=hides)
            tab.open(folder / "run.html", (320, 240))
            assert tab.run("polhode.view.isPlain") is is_plain
            assert tab.run("polhode.view.scene.environment === null") is is_plain
            tab.run("polhode.view.level = 0; polhode.view.resize(); polhode.play(false); polhode.seek(0.3)")
            pictures = []
            for shown in ("['ground', 'trails']", "[]"):
                tab.run(f"for (const n of polhode.view.offered()) polhode.view.turn(n, {shown}.includes(n))")
                tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
                tab.picture(tmp_path / "picture.png")
                pictures.append(np.asarray(Image.open(tmp_path / "picture.png").convert("RGB"), float)[40:200])
            assert tab.errors() == []
        drawn[is_plain] = pictures[0] - pictures[1]
    lines = np.abs(drawn[True]).mean()
    assert lines > 0.1
    assert abs(np.abs(drawn[False]).mean() - lines) < 0.1 * lines
    blurred = [sum(np.roll(each, k, axis) for axis in (0, 1) for k in (-1, 0, 1)) / 6 for each in drawn.values()]
    assert np.abs(blurred[0] - blurred[1]).mean() < 0.4 * lines  # edges are smoothed with a card only
