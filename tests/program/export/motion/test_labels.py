"""Texts of the page, the part of a scene that narrow windows show, and the language of the page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, Browser, browser
from moving_scene import TIMES, everything, motion_at

from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode_app.export.web.page import page

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
MOVED = np.arange(0.0, 1.001, 0.02)  # [s]
SEEN = """(() => {
  const {view} = polhode, {width, height} = view.canvas.getBoundingClientRect(), found = [];
  const Place = view.camera.position.constructor;
  for (const time of [0, 0.25, 0.5, 0.75, 1]) {
    polhode.seek(time); view.draw(); view.camera.updateMatrixWorld();
    for (let k = 0; k < view.poses.count; k++) {
      const at = new Place(...view.poses.positions.slice(3 * k, 3 * k + 3)).project(view.camera);
      found.push([(at.x + 1) / 2 * width, (1 - at.y) / 2 * height]);
    }
  }
  return found;
})()"""
"""Places [pixel] in the window of all bodies at some times."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With pages."""
    made = tmp_path_factory.mktemp("pages")
    forces = motion_at(everything(), TIMES, switches={"forces": True, "velocities": True})
    (made / "forces.html").write_text(page(forces), "utf-8")
    for name in ("magnet_pendulum", "loop_the_loop"):
        (made / f"{name}.html").write_text(page(motion_at(read_scene(gallery.path(name)), MOVED)), "utf-8")
    return made


@pytest.fixture(scope="module")
def tab() -> Iterator[Browser]:
    with browser() as made:
        yield made


def said(tab: Browser) -> list[str]:
    """The lines of the legend."""
    tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return tab.run("[...document.querySelectorAll('#legend li')].map(line => line.textContent)")


@pytest.mark.nightly
def test_arrows_are_explained_in_both_languages_as_long_as_they_are_shown(tab: Browser, folder: Path) -> None:
    tab.open(folder / "forces.html")
    lines = said(tab)
    assert {"G gravity", "F_s springs", "longest arrow 10 N"} <= {*lines}
    assert any(line.startswith("longest angular velocity") for line in lines)
    shades = tab.run("[...document.querySelectorAll('#legend i')].map(each => getComputedStyle(each).backgroundColor)")
    assert len(set(shades)) >= 3
    assert len(shades) == len(lines) - 1  # not of the length of arrows
    tab.click("#language")
    assert {"G 重力", "F_s ばね", "最大の矢印 10 N"} <= {*said(tab)}
    tab.click("#language")
    tab.run("document.querySelector('#switches input[data-view=forces]').click()")
    assert "G gravity" not in said(tab)


@pytest.mark.nightly
def test_the_legend_follows_the_time(tab: Browser, folder: Path) -> None:
    """The longest velocity grows as the sheet and the ball fall."""
    tab.open(folder / "forces.html")
    of_velocities = "polhode.content.legends.filter(each => each.view === 'velocities')"
    times = tab.run(f"{of_velocities}.map(each => each.time)")
    assert len(times) > 1
    for time in (times[0], times[-1]):
        tab.run(f"polhode.seek({time})")
        here = tab.run(f"{of_velocities}.find(each => each.time === {time}).lines.en")
        assert [line for line in said(tab) if "velocity" in line] == here


@pytest.mark.nightly
def test_axes_point_as_the_camera_sees_them(tab: Browser, folder: Path) -> None:
    tab.open(folder / "forces.html")
    ends = "[...document.querySelectorAll('#axes line')].map(l => [l.x2.baseVal.value, l.y2.baseVal.value])"
    tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    _, y, z = np.array(tab.run(ends))
    assert z[1] < -15  # upwards
    assert z[0] == pytest.approx(0, abs=0.1)
    for _ in range(9):
        tab.press("d")  # by 90 degrees about the vertical
    tab.run("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    turned = np.array(tab.run(ends))
    assert turned[0] == pytest.approx(y, abs=0.2)
    assert turned[2] == pytest.approx(z, abs=0.2)


@pytest.mark.parametrize("name", ["magnet_pendulum", "loop_the_loop"])
def test_a_phone_shows_all_that_moves_and_fills_its_width(tab: Browser, folder: Path, name: str) -> None:
    """Moving items sweep most of the width, and are neither beyond it nor behind the texts above or the bar below."""
    tab.open(folder / f"{name}.html", (390, 800), touch=True)
    places = np.array(tab.run(SEEN))
    assert (places > [0, 110]).all()
    assert (places < [390, 740]).all()
    assert np.ptp(places[:, 0]) > 0.4 * 390


@pytest.mark.parametrize("language", ["en", pytest.param("ja", marks=pytest.mark.nightly)])
def test_the_end_of_the_address_states_the_language(tab: Browser, folder: Path, language: str) -> None:
    tab.open(folder / "forces.html", language="ja" if language == "en" else "en")
    tab.call("Page.navigate", url=(folder / "magnet_pendulum.html").absolute().as_uri() + f"#{language}")
    tab.wait("window.polhode?.content.parts.length && document.title.length > 0 && document.readyState === 'complete'")
    assert tab.run("document.documentElement.lang") == language
