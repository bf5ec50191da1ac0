"""Scenes run in their pages of the site, by kernels and scripts that lie beside them once."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from browser import CHROMIUM, browser
from engine_output import kernels_of_tests

from docs.site.drawing import live_pages
from docs.site.drawing.keys import drawing_sources
from docs.site.links import Links
from docs.site.scene_pages import scene_pages
from polhode import Simulation, read_scene
from polhode.compilation.web_module.module import WebModule
from polhode.scene import gallery
from polhode_app.export.web.live.live_page import shared_names, shared_scripts

NAME = "double_well"
STEPS = 40


@pytest.fixture(scope="module")
def kernels(tmp_path_factory: pytest.TempPathFactory) -> WebModule:
    return kernels_of_tests(tmp_path_factory)


@pytest.fixture
def built(kernels: WebModule, monkeypatch: pytest.MonkeyPatch) -> None:
    """The module is there."""
    live_pages.names.cache_clear()
    monkeypatch.setattr(live_pages, "kept_module", lambda: kernels)
    monkeypatch.setattr(live_pages, "web_module", lambda: kernels)
    yield
    live_pages.names.cache_clear()


@pytest.fixture
def site(built: None, tmp_path: Path) -> Path:
    """A folder with the page of one scene and what it shares."""
    (tmp_path / "kept").mkdir()
    path = tmp_path / "kept" / "page.html"
    live_pages.make(NAME, path)
    live_pages.copy({NAME: path}, tmp_path / live_pages.FOLDER)
    return tmp_path / live_pages.FOLDER


def test_a_page_has_neither_kernels_nor_scripts_of_its_own(site: Path, kernels: WebModule) -> None:
    assert {path.name for path in site.iterdir()} == {f"{NAME}.html", *shared_names(kernels)}
    assert (site / f"{NAME}.html").stat().st_size < 3e5


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
def test_a_page_runs_from_its_folder(site: Path, kernels: WebModule) -> None:
    native = Simulation(read_scene(gallery.path(NAME)))
    native.advance_steps(STEPS)
    with browser() as tab:
        tab.open(site / f"{NAME}.html")
        tab.wait("window.polhode?.remote")
        tab.run(f"polhode.step({STEPS})")
        tab.wait(f"polhode.moments.last > {(STEPS - 0.5) * native.time_step}")
        found = tab.run("[...polhode.moments.row]")
        tab.run("void polhode.mapPanel.map.compute()")
        tab.wait("polhode.mapPanel.map.done > 2")
        tab.run("polhode.mapPanel.map.cancel()")
        assert tab.errors() == []
        assert {Path(address).name for address in tab.requests()} == {f"{NAME}.html", *shared_names(kernels)}
    numbers = native.snapshot().measured.array
    assert found[: len(numbers)] == pytest.approx(numbers, rel=1e-6, abs=1e-9)


def test_pages_of_scenes_have_them_unless_they_need_python_or_are_too_large(built: None) -> None:
    pages = {language: scene_pages(language, Links()) for language in ("en", "ja")}
    assert 'src="../live/heavy_top.html#en"' in pages["en"]["scenes/heavy_top.md"]
    assert 'src="../../live/heavy_top.html#ja"' in pages["ja"]["scenes/heavy_top.md"]
    without = [name for name in gallery.scene_names() if "<iframe" not in pages["en"][f"scenes/{name}.md"]]
    assert without == sorted(["gravity_by_hand", *live_pages.TOO_LARGE])  # the sensor drives the first one


def test_without_a_module_no_scene_runs_in_its_page(
    built: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(live_pages, "kept_module", lambda: None)
    assert live_pages.jobs(live_pages.files(tmp_path)) == []
    live_pages.copy({}, tmp_path / "live")
    assert not (tmp_path / "live").exists()


def test_pages_that_are_kept_are_not_made_again(built: None, tmp_path: Path) -> None:
    found = live_pages.files(tmp_path)
    assert len(live_pages.jobs(found)) == len(found) > 100
    found[NAME].write_text("kept", "utf-8")
    assert len(live_pages.jobs(found)) == len(found) - 1


def test_kernels_of_another_module_have_another_name_and_make_other_pages(
    built: None, kernels: WebModule, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    other = replace(kernels, content=kernels.content + b"\0")
    three, file, player = shared_names(kernels)
    assert file.startswith("kernels")
    assert set(shared_names(other)) & {three, file, player} == {three, player}
    assert list(shared_scripts(kernels)) == [three, file, player]
    found = live_pages.files(tmp_path)
    monkeypatch.setattr(live_pages, "web_module", lambda: other)
    assert not {*live_pages.files(tmp_path).values()} & {*found.values()}


def test_they_depend_on_the_scripts_of_live_pages() -> None:
    assert [path for path in drawing_sources() if path.name == "live_page.py"]
