"""Web pages and glTF files on the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import polhode, refused
from meaning import Meaning


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With a recording."""
    folder = tmp_path_factory.mktemp("motion")
    assert polhode("run", "rotating_field", "--until", "0.3", "--out", "run.vtkhdf", folder=folder).returncode == 0
    return folder


@pytest.mark.nightly
def test_a_recording_becomes_a_page_and_a_model(folder: Path) -> None:
    for name, start in (("run.html", b"<!DOCTYPE html>"), ("run.glb", b"glTF")):
        done = polhode("convert", "run.vtkhdf", name, folder=folder)
        assert (done.returncode, done.stdout, done.stderr) == (0, "", "")
        assert (folder / name).read_bytes().startswith(start)


def test_a_scene_becomes_a_page_with_options(folder: Path) -> None:
    words = ["--until", "0.2", "--fps", "20", "--plot", "energy.kinetic", "--theme", "light"]
    done = polhode("render", "rotating_field", "--out", "scene.html", *words, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    text = (folder / "scene.html").read_text("utf-8")
    assert '"plotted":["energy.kinetic"]' in text
    assert '"theme":"light"' in text


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["run.html", "--max-size", "5 apples"], Meaning("--max-size", "size", value="5 apples")),
        (["run.glb", "--max-size", "5MB"], Meaning("--max-size", "pages")),
        (["run.csv", "--max-size", "5MB"], Meaning("--max-size", "pages")),
        (["nowhere/run.html"], Meaning("", "folder", folder="nowhere")),
        (
            ["folder.html"],
            Meaning("folder.html", "folder"),
        ),
    ],
)
def test_options_that_mean_nothing_are_refused(folder: Path, words: list[str], told: Meaning) -> None:
    (folder / "folder.html").mkdir(exist_ok=True)
    assert told.of(refused("convert", "run.vtkhdf", *words, folder=folder))


def test_an_unknown_column_is_refused(folder: Path) -> None:
    told = refused("render", "run.vtkhdf", "--out", "x.html", "--plot", "energy.totl", folder=folder)
    assert Meaning("--plot", near="energy.total").of(told)
