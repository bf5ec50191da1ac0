"""The checks of a built site find what they are for; by night the whole site is built and passes them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, Browser, browser
from PIL import Image

from docs.site.checks import LARGEST_FIRST_PAGE, faults, first_page_size
from docs.site.contents import LANGUAGES, ROOT
from docs.site.drawing import live_pages
from docs.site.drawing.figures import ORDERS, STEPS, errors
from docs.site.drawing.films import MADE
from docs.site.links import Links, source_page
from polhode.compilation.web_module.module import kept_module
from polhode.scene import gallery


def site_with(folder: Path, body: str, **files: str) -> Path:
    """A site of one page and some files, by their names without endings."""
    (folder / "index.html").write_text(f"<html><body id='top'>{body}</body></html>", "utf-8")
    for name, text in files.items():
        (folder / f"{name}.html").write_text(text, "utf-8")
    return folder


def test_a_sound_site_has_no_faults(tmp_path: Path) -> None:
    body = '<a href="other.html#place">x</a><a href="#top">y</a><a href="https://example.org">z</a><img src="a.png">'
    site = site_with(tmp_path, body, other="<p id='place'></p>")
    (site / "a.png").write_bytes(b"0" * 100)
    assert faults(site) == []
    assert first_page_size(site) == (site / "index.html").stat().st_size + 100


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<a href="missing.html">x</a>', "missing.html does not exist"),
        ('<a href="other.html#nowhere">x</a>', "the page has no such place"),
        ('<video src="missing.webm"></video>', "missing.webm does not exist"),
        ('<iframe loading="lazy" src="missing.html"></iframe>', "missing.html does not exist"),
        ('<script src="https://example.org/x.js"></script>', "from a network"),
        ('<link rel="stylesheet" href="//example.org/x.css">', "from a network"),
        (f"<p>{'x' * int(LARGEST_FIRST_PAGE)}</p>", "MB are loaded"),
    ],
)
def test_a_fault_of_a_site_is_found(tmp_path: Path, body: str, said: str) -> None:
    (found,) = faults(site_with(tmp_path, body, other="<p id='place'></p>"))
    assert said in found


def test_a_style_that_loads_a_font_from_a_network_is_found(tmp_path: Path) -> None:
    site = site_with(tmp_path, "")
    (site / "style.css").write_text("@font-face { src: url('https://example.org/f.woff') }", "utf-8")
    assert [fault for fault in faults(site) if "from a network" in fault]


def test_links_lead_to_the_page_of_the_same_language_and_to_sources() -> None:
    links = Links()
    text = (
        "[a](laws.ja.md#x) [日本語](story.ja.md) [b](../CHANGELOG.md) `core/polhode/scene/gallery.py` ![w](wiring.svg)"
    )
    made = links.rewritten(text, ROOT / "docs/story.md", "story.md")
    code = "[`core/polhode/scene/gallery.py`](source/core/polhode/scene/gallery.py.md)"
    assert made == f"[a](laws.md#x) [b](changelog.md) {code} ![w](pictures/wiring.svg)"
    assert links.sources == {"core/polhode/scene/gallery.py"}
    assert links.pictures == {ROOT / "docs/wiring.svg"}
    fenced = "```\n[a](x.ja.md) `core/polhode/scene/gallery.py`\n```\n\n    `core/polhode/scene/gallery.py`"
    assert links.rewritten(fenced, ROOT / "docs/story.md", "story.md") == fenced
    assert "def scene_names()" in source_page("core/polhode/scene/gallery.py")


@pytest.mark.parametrize(("method", "order"), ORDERS.items())
def test_the_figure_of_methods_shows_their_order(method: str, order: int) -> None:
    """By the two smallest steps; what is left of the next order changes the slope by less than a tenth there."""
    coarse, fine = errors(method)[-2:]
    assert np.log(coarse / fine) / np.log(STEPS[-2] / STEPS[-1]) == pytest.approx(order, abs=0.1)


@pytest.mark.nightly
@pytest.mark.timeout(2700)
def test_the_site_is_built_offline_without_faults(tmp_path: Path) -> None:
    """Strict: MkDocs refuses links to pages and places that do not exist. Needs the extra `docs`."""
    pytest.importorskip("material")
    done = subprocess.run([sys.executable, "-m", "docs.site", str(tmp_path / "site")], cwd=ROOT, check=False, text=True,
                          capture_output=True)  # fmt: skip
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    site = tmp_path / "site"
    for folder in (site, site / "ja"):
        assert len(list(folder.glob("scenes/*.html"))) == len(gallery.scene_names()) + 1
        assert (folder / "search/search_index.js").stat().st_size > 100_000
        assert "<math" in (folder / "theory.html").read_text("utf-8")
        assert '<span class="option">--until</span>' in (folder / "commands.html").read_text("utf-8")
        for name in MADE:
            assert_shows_something(folder / "media" / name)
    if kept_module() is not None:
        assert len(list(site.glob("live/*.html"))) == len(live_pages.names()) > 0.85 * len(gallery.scene_names())
    assert first_page_size(site) < LARGEST_FIRST_PAGE
    assert len(LANGUAGES) == 2
    if CHROMIUM is not None:
        with browser() as tab:
            assert found_first(tab, site / "index.html", "restitution") == "Joints"
            # A query without spaces, whose words the index has one by one.
            assert "摩擦" in found_first(tab, site / "ja/index.html", "クーロン摩擦")


def found_first(tab: Browser, page: Path, query: str) -> str:
    """Title of the page that the search of a site puts first."""
    tab.call("Emulation.setDeviceMetricsOverride", width=1280, height=800, deviceScaleFactor=1, mobile=False)
    tab.call("Page.navigate", url=page.as_uri())
    tab.wait("document.readyState === 'complete'")
    tab.click("input.md-search__input")
    tab.call("Input.insertText", text=query)
    tab.wait("document.querySelector('.md-search-result__item h1')")
    return tab.run("document.querySelector('.md-search-result__item h1').textContent")


def assert_shows_something(file: Path) -> None:
    """A film has a size of one, a picture has contrast, a page that replays a run fits its bound."""
    size = file.stat().st_size
    if file.suffix == ".png":
        assert np.asarray(Image.open(file).convert("L"), dtype=float).std() > 5.0
    assert 10_000 < size < 1_100_000
