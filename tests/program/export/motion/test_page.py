"""The page that replays a run: what it holds, how large it is, and that nothing from a file is run."""

from __future__ import annotations

import base64
import json
import re
import zlib
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from meaning import Meaning, refuses
from moving_scene import HOSTILE, TIMES, everything, motion_at

from polhode import Diverged, Simulation, read_scene
from polhode.scene import gallery
from polhode.scene.scene_file import scene_of, tables_of
from polhode_app.export.motion.parts import RunMotion
from polhode_app.export.sources import SimulationSource
from polhode_app.export.web.blob import Blob
from polhode_app.export.web.notebook import replay
from polhode_app.export.web.page import SCRIPTS, page
from polhode_app.export.web.writing import PageSettings, make_page, write_page
from polhode_app.i18n.language import LANGUAGES


class Elements(HTMLParser):
    """Elements and the texts of scripts and styles of a page, as a browser takes it apart."""

    def __init__(self, text: str):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: dict[str, list[str]] = {}
        self.inside = False
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        self.texts.setdefault(tag, []).append("")
        self.inside = True

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.texts[self.tags[-1][0]][-1] += data

    def named(self, name: str) -> str:
        """The text of the script with an id."""
        scripts = [attributes.get("id") for tag, attributes in self.tags if tag == "script"]
        return self.texts["script"][scripts.index(name)]


def decoded(table: dict[str, Any], data: bytes) -> np.ndarray:
    """An array of the blob, by the other way than page/data.js: as a whole."""
    part = data[table["start"] : table["start"] + table["size"]]
    if table["kind"] != "series":
        return np.frombuffer(part, {"u8": "u1", "i8": "i1", "f64": "<f8"}[table["kind"]]).reshape(table["shape"])
    planes = np.frombuffer(part, np.uint8).reshape(table["planes"], -1).astype(np.int64)
    numbers = sum(plane << (8 * k) for k, plane in enumerate(planes))
    whole = np.where(numbers % 2 == 1, -(numbers + 1) // 2, numbers // 2).reshape(-1, table["shape"][0]).T
    for _ in range(table["order"]):
        whole = np.cumsum(whole, axis=0)
    return (whole * table["grain"] + np.array(table["offset"])).reshape(table["shape"])


def unpacked(text: str) -> bytes:
    return zlib.decompress(base64.b64decode(text), -15)


@pytest.fixture(scope="module")
def motion() -> RunMotion:
    return motion_at(everything(), TIMES)


@pytest.fixture(scope="module")
def made(motion: RunMotion) -> str:
    return page(motion)


@given(
    arrays(np.float64, st.tuples(st.integers(1, 12), st.integers(0, 4)), elements=st.floats(-1e3, 1e3)),
    st.sampled_from([1.0, 1e-3, 2.0**-15]),
    st.integers(0, 2),
)
def test_series_are_kept_to_half_a_grain(values: np.ndarray, grain: float, order: int) -> None:
    blob = Blob()
    blob.series(values, grain, order)
    found = decoded(blob.arrays[0], unpacked(blob.text()))
    assert np.abs(found - values).max(initial=0.0) <= grain / 2 * (1 + 1e-6) + 1e-12


def test_numbers_that_are_not_finite_become_those_before_them() -> None:
    blob = Blob()
    blob.series(np.array([[np.nan, 1.0], [2.0, np.inf], [np.nan, 3.0], [4.0, -np.inf]]), 0.5)
    found = decoded(blob.arrays[0], unpacked(blob.text()))
    assert found.tolist() == [[0.0, 1.0], [2.0, 1.0], [2.0, 3.0], [4.0, 3.0]]


def test_equal_arrays_are_kept_once() -> None:
    blob = Blob()
    assert blob.whole(np.arange(5)) == blob.whole(np.arange(5)) != blob.whole(np.arange(6))


def test_positions_are_those_of_the_run(motion: RunMotion, made: str) -> None:
    found = Elements(made)
    table, data = json.loads(found.named("data")), unpacked(found.named("blob"))
    positions = decoded(table["arrays"][table["poses"]["position"]], data)
    assert np.abs(positions - motion.poses.position).max() <= table["radius"] * 2.0**-16 * (1 + 1e-6)
    assert decoded(table["arrays"][table["times"]], data).tolist() == motion.times.tolist()


def test_a_hostile_title_adds_no_element(made: str) -> None:
    tags = Elements(made).tags
    assert [attributes for tag, attributes in tags if tag == "script" and "id" not in attributes] == [{}, {}]
    assert not [tag for tag, _ in tags if tag == "img"]
    assert not [name for _, attributes in tags for name in attributes if name.startswith("on")]
    table = json.loads(Elements(made).named("data"))
    assert table["languages"]["en"]["title"] == HOSTILE
    assert Elements(made).texts["title"] == [HOSTILE]


def test_the_policy_allows_our_scripts_by_their_hashes_and_nothing_else(made: str) -> None:
    found = Elements(made)
    policy = next(a["content"] for tag, a in found.tags if a.get("http-equiv") == "Content-Security-Policy")
    rules = {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}
    scripts = [
        text
        for text, (_, attributes) in zip(
            found.texts["script"], [each for each in found.tags if each[0] == "script"], strict=True
        )
        if "type" not in attributes
    ]
    hashes = [f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'" for text in scripts]
    assert rules["default-src"] == ["'none'"]
    assert rules["script-src"] == hashes
    assert "unsafe" not in policy
    assert "http" not in policy


def test_the_page_names_no_address_that_it_would_load(made: str) -> None:
    loading = [
        value
        for _, attributes in Elements(made).tags
        for name, value in attributes.items()
        if name in ("src", "href", "srcset", "data", "action")
    ]
    assert loading == []
    assert "@import" not in made


def test_the_scene_within_the_page_is_the_scene(made: str) -> None:
    text = json.loads(Elements(made).named("data"))["scene"]
    assert scene_of(tables_of(text, "page"), "page") == everything()


def test_all_texts_are_there_in_all_languages(made: str) -> None:
    table = json.loads(Elements(made).named("data"))
    assert [*table["languages"]] == [*LANGUAGES]
    english, *others = table["languages"].values()
    for other in others:
        for kind in ("texts", "views", "columns"):
            assert other[kind].keys() == english[kind].keys()
        assert all(other["texts"].values())


def test_the_scripts_use_texts_that_exist(made: str) -> None:
    table = json.loads(Elements(made).named("data"))["languages"]["en"]["texts"]
    folder = files("polhode_app.export.web").joinpath("page")
    used = {
        name for script in SCRIPTS for name in re.findall(r"texts\.(\w+)", folder.joinpath(script).read_text("utf-8"))
    }
    assert used <= table.keys()


@pytest.mark.nightly
def test_ten_seconds_of_the_default_scene_take_less_than_2_mb(tmp_path: Path) -> None:
    source = SimulationSource(read_scene(gallery.path(gallery.DEFAULT)))
    notes = write_page(source, (np.arange(601) / 60).tolist(), tmp_path / "page.html")
    assert notes == []
    assert (tmp_path / "page.html").stat().st_size < 2e6


@pytest.mark.nightly
def test_moments_are_left_out_for_a_size_and_that_is_told() -> None:
    source = SimulationSource(everything())
    times = (np.arange(400) / 1000).tolist()
    whole, notes = make_page(source, times, PageSettings())
    assert notes == []
    smaller, notes = make_page(SimulationSource(everything()), times, PageSettings(size=len(whole) - 20_000))
    assert len(smaller) <= len(whole) - 20_000
    assert Meaning("", "frames", available=400).of(notes[0])
    kept = decoded_times(smaller)
    assert (kept[0], kept[-1]) == (0.0, pytest.approx(times[-1]))
    assert 10 < len(kept) < 400


def decoded_times(text: str) -> list[float]:
    found = Elements(text)
    table = json.loads(found.named("data"))
    return decoded(table["arrays"][table["times"]], unpacked(found.named("blob"))).tolist()


def test_a_size_that_is_too_small_is_told() -> None:
    text, notes = make_page(SimulationSource(everything()), [0.0, 0.1, 0.2], PageSettings(size=1e5))
    assert len(decoded_times(text)) == 2
    assert any(Meaning("", "smaller").of(note) for note in notes)


def test_a_run_that_diverges_keeps_what_was_before(tmp_path: Path) -> None:
    ball = {"name": "ball", "mass": 1e-3, "radius": 0.1, "position": [0, 0, 1]}
    spring = {"from": [0, 0, 1.2], "to": "ball", "stiffness": 1e9, "rest_length": 0.1}
    scene = scene_of({"particle": [ball], "spring": [spring], "solver": {"time_step": 1e-2}}, "test")
    with pytest.raises(Diverged):
        write_page(SimulationSource(scene), (np.arange(200) / 100).tolist(), tmp_path / "page.html")
    assert len(decoded_times((tmp_path / "page.html").read_text("utf-8"))) >= 1


def test_a_scene_without_anything_makes_a_page() -> None:
    text, _ = make_page(SimulationSource(scene_of({"title": "nothing"}, "test")), [0.0, 0.1])
    assert "nothing" in text


def test_an_unknown_column_is_refused_with_the_nearest_one(motion: RunMotion) -> None:
    with refuses("--plot", near="energy.total"):
        page(motion, ("energy.totl",))


def test_a_simulation_shows_itself_in_a_notebook_and_is_not_changed() -> None:
    simulation = Simulation(everything())
    simulation.advance_steps(50)
    before = simulation.snapshot().bodies.position.copy()
    shown = simulation._repr_html_()
    assert shown is not None, "the entry point polhode.notebook is missing: install the project again"
    assert np.array_equal(simulation.snapshot().bodies.position, before)
    assert simulation.steps == 50
    (frame,) = Elements(shown).tags
    assert frame[1]["sandbox"] == "allow-scripts"
    assert decoded_times(frame[1]["srcdoc"] or "") == [pytest.approx(0.05)]


def test_a_scene_is_replayed_in_a_notebook() -> None:
    assert decoded_times(replay(everything(), until=0.1).page) == pytest.approx((np.arange(7) / 60).tolist(), abs=1e-3)
