"""Options with several values: one after the other behind the option, or the option again."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from command_line import polhode, refused
from PIL import Image

from polhode_app.cli.options.scene_argument import with_options_repeated
from polhode_app.export.overlay import Overlay


@pytest.mark.parametrize(
    ("given", "parsed"),
    [
        ("render s --plot a b --until 1", "render s --plot a --plot b --until 1"),
        ("render s --plot a --plot b", "render s --plot a --plot b"),
        ("render s --until 1 --show x y z", "render s --until 1 --show x --show y --show z"),
        ("run s --set a=1 b=2 --out o.csv", "run s --set a=1 --set b=2 --out o.csv"),
        ("render --plot a s --until 1", "render --plot a s --until 1"),  # s may be the scene
        ("fit s --set a=1 data.csv", "fit s --set a=1 data.csv"),
        ("render s --until 1 2", "render s --until 1 2"),  # refused by the parser
        ("render", "render"),
    ],
)
def test_further_values_have_their_option(given: str, parsed: str) -> None:
    assert with_options_repeated(given.split()) == parsed.split()


def test_both_forms_make_the_same_picture(tmp_path: Path) -> None:
    columns = ("points.1.position.z", "modes.2.position.z")
    common = ("--until", "0.1", "--size", "320x200")
    together = polhode("render", "two_masses", "--plot", *columns, *common, "--out", "a.png", folder=tmp_path)
    repeated = [word for column in columns for word in ("--plot", column)]
    apart = polhode("render", "two_masses", *repeated, *common, "--out", "b.png", folder=tmp_path)
    assert (together.returncode, apart.returncode) == (0, 0), together.stderr + apart.stderr
    pictures = [np.asarray(Image.open(tmp_path / name)) for name in ("a.png", "b.png")]
    assert (pictures[0] == pictures[1]).all()
    wrong = ("--plot", columns[0], "nothing")
    message = refused("render", "two_masses", *wrong, *common, "--out", "c.png", folder=tmp_path)
    assert "nothing" in message


def test_names_of_many_curves_stay_inside_of_their_plot() -> None:
    """Of 12 names in a plot of 40 % of the width none is drawn on the scene at its left and its right."""
    size, names = (640, 360), {f"ball{k}.position.z": "m" for k in range(12)}
    overlay = Overlay(size, False, names, (0.0, 1.0))
    overlay.add_rows(np.array([0.0, 1.0]), np.vstack([np.zeros(12), np.arange(12.0)]))
    drawn = overlay.draw_on(np.zeros((size[1], size[0], 3), np.uint8), 1.0)
    columns = np.flatnonzero(drawn.any(axis=(0, 2)))
    assert columns.min() >= 0.58 * size[0]
    assert columns.max() <= 0.995 * size[0]


def test_plots_of_items_are_side_by_side_in_pictures(tmp_path: Path) -> None:
    """The plot of the modes is where that of all is, and that of the points at its left."""
    columns = ("points.1.position.z", "modes.1.position.z")
    common = ("two_masses", "--plot", *columns, "--until", "0.1", "--size", "320x200", "--plain")
    for name, more in (("one.png", ()), ("two.png", ("--beside",)), ("none.png", None)):
        words = ("two_masses", *common[4:]) if more is None else (*common, *more)
        made = polhode("render", *words, "--out", name, folder=tmp_path)
        assert made.returncode == 0, made.stderr
    one, two, none = (np.asarray(Image.open(tmp_path / f"{name}.png"), float) for name in ("one", "two", "none"))
    changed = [np.flatnonzero((np.abs(each - none) > 8).any(axis=(0, 2))) / 320 for each in (one, two)]
    assert changed[0].min() > 0.58
    assert 0.16 < changed[1].min() < 0.2
    left = (np.abs(two - none) > 8).any(axis=2)[:, : int(0.55 * 320)]
    assert np.flatnonzero(left.any(axis=1)).max() < 0.3 * 200  # in the first row


def test_many_items_have_further_rows() -> None:
    columns = {f"ball{k}.position.z": "m" for k in range(3)}
    overlay = Overlay((640, 360), False, columns, (0.0, 1.0), {name: name.partition(".")[0] for name in columns})
    assert list(overlay._places().values()) == [(0, 1), (0, 0), (1, 0)]
