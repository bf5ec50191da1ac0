"""Exports of live pages: what drawn things are found to follow, what a page leaves out, and what is refused."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from command_line import polhode
from web_runs import SCENES

from polhode import Simulation, read_scene
from polhode.compilation.web_module.module import WebModule, kept_module
from polhode.mesh.mesh import Meshes
from polhode.physics.paths.columns import WIDTH as BEAD_WIDTH
from polhode.scene.display.story import CardSlider, Story, Trial
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode_app.export.web.live import live_page
from polhode_app.export.web.live.channels import Channels
from polhode_app.export.web.live.following import LABORATORY, References
from polhode_app.export.web.live.live_page import LivePage, LiveSettings
from polhode_app.export.web.live.probes import PROBES, ProbeSource

SCALE = 1.0  # [m]
NORMAL = np.array([0.0, 0.6, 0.8])


def scene_called(name: str) -> Scene:
    return read_scene(SCENES / f"{name}.toml")


@pytest.fixture
def displaced() -> tuple[Channels, np.ndarray]:
    """Channels of two bodies, a point and a wall, and five displaced frames."""
    columns = 1 + 2 * 24 + 6
    vectors = [*range(1, columns, 3)]
    channels = Channels(2, 1, 0, columns, 1, tuple(vectors), NORMAL[None])
    random = np.random.default_rng(1)
    frames = random.uniform(-1, 1, (PROBES, channels.count))
    for frame in frames:
        for body in range(2):
            at = channels.of_body(body) + 6
            frame[at : at + 9] = np.linalg.qr(random.normal(size=(3, 3)))[0].ravel()
    return channels, frames


def test_points_are_found_in_what_they_follow(displaced: tuple[Channels, np.ndarray]) -> None:
    channels, frames = displaced
    local = np.array([0.1, -0.2, 0.3])
    in_body = channels.positions(frames)[:, 1] + np.einsum("i,fij->fj", local, channels.bases(frames)[:, 1])
    at_point = frames[:, channels.of_point(0) : channels.of_point(0) + 3]
    at_wall = local + frames[:, channels.of_wall(0), None] * NORMAL
    moved = np.stack([np.tile(local, (PROBES, 1)), in_body, at_point, at_wall], axis=1)
    found = References(channels, frames, SCALE).points(moved)
    assert found is not None
    vector = 3 + channels.vectors.index(channels.of_point(0))
    assert found.frame.tolist() == [LABORATORY, 2, vector, 3 + len(channels.vectors)]
    np.testing.assert_allclose(found.local, [local, local, np.zeros(3), local], atol=1e-12)


def test_what_follows_several_things_is_not_found(displaced: tuple[Channels, np.ndarray]) -> None:
    channels, frames = displaced
    middle = channels.positions(frames).mean(axis=1, keepdims=True)
    assert References(channels, frames, SCALE).points(middle) is None


def test_arrows_are_multiples_of_vectors_and_of_velocities_of_points(displaced: tuple[Channels, np.ndarray]) -> None:
    channels, frames = displaced
    references, local = References(channels, frames, SCALE), np.array([0.1, -0.2, 0.3])
    arm = np.einsum("i,fij->fj", local, channels.bases(frames)[:, 0])
    tail = channels.positions(frames)[:, 0] + arm
    first = channels.of_body(0)
    velocity = frames[:, first + 3 : first + 6] + np.cross(frames[:, first + 15 : first + 18], arm)
    spin = frames[:, first + 15 : first + 18]
    tails = references.points(np.stack([tail, tail], axis=1))
    assert tails is not None
    found = references.arrows(0.3 * np.stack([velocity, spin], axis=1), tails)
    assert found is not None
    assert found.frame.tolist() == [1, 3 + channels.vectors.index(first + 15)]
    np.testing.assert_allclose(references.values(found, frames[2]), [velocity[2], spin[2]], atol=1e-12)
    assert references.arrows(np.stack([velocity, 2.0 * spin], axis=1), tails) is None


def test_channels_of_beads_are_where_the_table_has_them() -> None:
    simulation = Simulation(scene_called("moving_circle"))
    simulation.advance_steps(50)
    source, now = ProbeSource(simulation, Meshes()), simulation.snapshot()
    source.snapshot()
    channels, frame = source.channels, source.last
    assert channels.count == len(frame)
    for bead in range(channels.beads):
        at = channels.of_bead(bead)
        np.testing.assert_array_equal(frame[at + 2 : at + 5], now.beads.constraint[bead])
        np.testing.assert_allclose(frame[at + 6 : at + 9], now.beads.tangent[bead], atol=1e-12)
    np.testing.assert_array_equal(frame[channels.measured :].reshape(-1, 3), now.beads.shift)
    assert BEAD_WIDTH * channels.beads > 0


def table_of(text: str) -> dict:
    """The data of a page."""
    found = re.search(r'id="data">(.*?)</script>', text, re.DOTALL)
    assert found is not None
    return json.loads(found[1])


def test_changes_of_the_layout_and_views_without_channels_are_left_out_by_name(kernels: WebModule) -> None:
    tries = (
        Trial(label="another method", set={"solver.method": "euler"}),
        Trial(label="much friction", set={"body[0].friction": 0.5}),
        Trial(label="field", show=("field_lines",)),
    )
    sliders = (CardSlider(label="friction", set={"body[0].friction": 1.0}, low=0.0, high=0.1),)
    scene = scene_called("heavy_top").model_copy(update={"story": Story(text="top", try_=tries, sliders=sliders)})
    text, notes = LivePage(scene, LiveSettings(), kernels, lambda share: None).text()
    table = table_of(text)
    card = table["live"]["card"]
    assert [len(card["sliders"]), len(card["tries"])] == [1, 1]
    assert card["sliders"][0]["clashes"] == [1]  # the button writes the same number
    assert table["languages"]["en"]["card"]["tries"] == ["much friction"]
    said = table["languages"]["en"]["leftOut"]
    assert "another method" in said
    assert "field" in said
    assert "much friction" not in said
    assert notes == []
    assert len(text.encode()) < live_page.WANTED


def test_a_large_page_has_its_size_said_and_a_huge_one_is_refused(
    kernels: WebModule, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = LivePage(scene_called("heavy_top"), LiveSettings(), kernels, lambda share: None)
    size = len(page.text()[0].encode())
    assert page._notes(size) == []
    monkeypatch.setattr(live_page, "WANTED", size - 1)
    (note,) = page._notes(size)
    assert f"{size / 1e6:.1f}" in str(note)
    monkeypatch.setattr(live_page, "LARGEST", size - 1)
    with pytest.raises(InputError) as caught:
        page._notes(size)
    assert caught.value.problems[0].remedy


def test_a_scene_that_needs_python_is_refused_by_its_part(tmp_path: Path) -> None:
    done = polhode("web", "gravity_by_hand", "--out", "page.html", folder=tmp_path)
    assert done.returncode == 2
    assert "sensor.drive" in done.stderr
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("name", ["page.txt", "page"])
def test_other_files_than_pages_are_refused(tmp_path: Path, name: str) -> None:
    done = polhode("web", "heavy_top", "--out", name, folder=tmp_path)
    assert done.returncode == 2
    assert "--out" in done.stderr
    assert not (tmp_path / name).exists()


@pytest.mark.skipif(kept_module() is None, reason="no web module is built; make web-module")
def test_the_command_writes_the_page_of_a_scene_with_other_values(tmp_path: Path) -> None:
    words = ("web", "heavy_top", "--out", "page.html", "--set", "title=other", "--plot", "energy.kinetic")
    done = polhode(*words, "--theme", "light", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    table = table_of((tmp_path / "page.html").read_text("utf-8"))
    assert [table["languages"]["en"]["title"], table["theme"]] == ["other", "light"]
    assert table["plotted"] == ["energy.kinetic"]


def test_the_command_compiles_for_a_generic_processor() -> None:
    """As the process that repeats the hand-ins of a page; a page that can't be written needs no module."""
    program = """
from polhode_app.cli.main import main
print(main(["web", "bouncing_ball", "--out", "nowhere/page.html"]))
from polhode.jit.kernel import OPTIONS
print(OPTIONS["fastmath"])
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["2", "False"]
