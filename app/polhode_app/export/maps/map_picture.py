"""Pictures of maps, by matplotlib: basins with their borders, values as colours or curves, a legend with fractions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure
from matplotlib.patches import Patch

from polhode.run.status import DIVERGED, INVALID, PENDING, STATUS, UNCERTAIN
from polhode.scene.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.sweep.maps.map import SweepMap
from polhode.sweep.maps.map_file import StoredMap
from polhode_app.i18n.translation import translate

ENDINGS = (".png", ".svg", ".pdf")
# Okabe and Ito's colours in an order in which neighbours differ in brightness too, so that a print in grey tells them
# apart.
COLORS = ("#0072b2", "#f0e442", "#d55e00", "#56b4e9", "#009e73", "#cc79a7", "#e69f00", "#999999")
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000")  # colours of curves on white
STATUS_NAMES = {
    UNCERTAIN: Message("uncertain"),
    DIVERGED: Message("diverged"),
    INVALID: Message("invalid"),
    PENDING: Message("pending"),
}
STATUS_COLORS = {PENDING: "#ffffff", UNCERTAIN: "#ffffff", DIVERGED: "#000000", INVALID: "#444444"}
DOTS = 100.0  # per inch


def write_picture(stored: StoredMap, out: Path, size: tuple[int, int] = (1000, 800)) -> None:
    """Write the picture of a map of one or two dimensions, `size` pixels; the ending of `out` is one of ENDINGS.

    Raises InputError for another ending and for maps of three dimensions, and OSError.
    """
    if out.suffix.lower() not in ENDINGS:
        remedy = Message("choose an ending out of {endings}", endings=", ".join(ENDINGS))
        raise InputError(str(out), [Problem("", Message("is no picture of a map"), remedy)])
    if len(stored.map.shape) > 2:
        rule = Message("has {count} dimensions, and a picture shows two", count=len(stored.map.shape))
        remedy = Message("write a table of it, such as {name}", name=f"{stored.path.stem}.npz")
        raise InputError(str(stored.path), [Problem("", rule, remedy)])
    figure = figure_of(stored.map, size)
    with replacing(out) as file:
        figure.savefig(file, format=out.suffix.lower()[1:], dpi=DOTS)


def figure_of(made: SweepMap, size: tuple[int, int]) -> Figure:
    """The figure of a map of one or two dimensions, `size` pixels."""
    figure = Figure(figsize=(size[0] / DOTS, size[1] / DOTS), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlabel(axis_label(made, 0))
    if len(made.shape) == 1:
        _draw_curve(axes, made)
    else:
        axes.set_ylabel(axis_label(made, 1))
        if made.sweep.outcome.kind == "attractor":
            draw_basins(axes, made)
        else:
            _draw_values(figure, axes, made)
    return figure


def axis_label(made: SweepMap, number: int) -> str:
    """Parameter and unit of an axis."""
    unit = made.units[number]
    return f"{made.sweep.axes[number].parameter} [{unit}]" if unit else made.sweep.axes[number].parameter


def extent(made: SweepMap) -> tuple[float, float, float, float]:
    """Left, right, bottom and top of the picture of a map of two dimensions, so that cells are around their values."""
    found: list[float] = []
    for values in made.axis_values[:2]:
        half = 0.5 * (values[-1] - values[0]) / max(len(values) - 1, 1)
        found += [values[0] - half, values[-1] + half]
    return found[0], found[1], found[2], found[3]


def basin_image(made: SweepMap) -> np.ndarray:
    """(n, m, 3) uint8 colours of a map of two dimensions: of the attractor, or of a status without one."""
    palette = np.array([to_rgb(color) for color in COLORS])
    colors = np.ones((*made.shape, 3))
    has_label = made.label >= 0
    colors[has_label] = palette[made.label[has_label] % len(COLORS)]
    uncertain = made.status == UNCERTAIN
    colors[uncertain] = 0.45 * colors[uncertain] + 0.55
    for status in (DIVERGED, INVALID, PENDING):
        colors[made.status == status] = to_rgb(STATUS_COLORS[status])
    return (255 * colors + 0.5).astype(np.uint8)


def draw_basins(axes: Axes, made: SweepMap) -> None:
    """Draw the basins of a map of two dimensions, borders between them, and a legend with their fractions."""
    axes.imshow(
        np.swapaxes(basin_image(made), 0, 1),
        origin="lower",
        extent=extent(made),
        aspect="auto",
        interpolation="nearest",
    )
    _draw_borders(axes, made)
    entries = []
    for part in made.fractions():
        near = made.sweep.outcome.near
        name = near[part.label] if near else translate(Message("attractor {number}", number=part.label + 1))
        text = f"{name}: {100 * part.value:.1f} %"
        entries.append(Patch(facecolor=COLORS[part.label % len(COLORS)], edgecolor="black", label=text))
    counts = made.counts()
    for status, named in STATUS_NAMES.items():
        if count := counts.get(STATUS[status]):
            text = f"{translate(named)}: {count}"
            entries.append(Patch(facecolor=STATUS_COLORS[status], edgecolor="black", label=text))
    axes.figure.legend(handles=entries, loc="outside upper center", ncols=4, frameon=False, fontsize="small")


def _draw_borders(axes: Axes, made: SweepMap) -> None:
    """Lines along the borders of cells with different labels, so that basins are told apart without colours."""
    left, right, bottom, top = extent(made)
    xs, ys = np.linspace(left, right, made.shape[0] + 1), np.linspace(bottom, top, made.shape[1] + 1)
    across = np.argwhere(made.label[1:] != made.label[:-1])
    along = np.argwhere(made.label[:, 1:] != made.label[:, :-1])
    if len(across) + len(along) > 0.2 * made.label.size:
        return  # borders everywhere would cover the colours
    lines = [[(xs[i + 1], ys[j]), (xs[i + 1], ys[j + 1])] for i, j in across.tolist()]
    lines += [[(xs[i], ys[j + 1]), (xs[i + 1], ys[j + 1])] for i, j in along.tolist()]
    axes.add_collection(LineCollection(lines, colors="black", linewidths=0.5))


def _draw_values(figure: Figure, axes: Axes, made: SweepMap) -> None:
    """Draw the values of a map of two dimensions as colours with a scale."""
    image = axes.imshow(made.value.T, origin="lower", extent=extent(made), aspect="auto", interpolation="nearest")
    figure.colorbar(image, ax=axes, label=value_label(made))


def _draw_curve(axes: Axes, made: SweepMap) -> None:
    """Draw values, or labels, over the one axis; uncertain cells are crosses."""
    kind = made.sweep.outcome.kind
    if kind == "section":
        _draw_section(axes, made)
        return
    places, has_label = made.axis_values[0], kind == "attractor"
    order = np.argsort(places)
    if kind == "lyapunov":
        axes.axhline(0.0, color="gray", linewidth=0.5)
        for number in range(1, made.features.shape[-1]):
            axes.plot(places[order], made.features[order, number], "-", color=LINES[number % len(LINES)], linewidth=1)
    values = (made.label.astype(float) if has_label else made.value)[order]
    axes.plot(places[order], values, "." if has_label else ".-", color=COLORS[0])
    uncertain = (made.status == UNCERTAIN)[order]
    axes.plot(places[order][uncertain], values[uncertain], "x", color=COLORS[2])
    axes.set_ylabel(value_label(made))


def _draw_section(axes: Axes, made: SweepMap) -> None:
    """Draw the bifurcation diagram: all points of each section over the one axis."""
    count = made.features.shape[-1]
    size = float(np.clip(200.0 / np.sqrt(made.features.size), 0.3, 3.0))
    axes.plot(
        np.repeat(made.axis_values[0], count), made.features.ravel(), ",k" if size < 0.5 else ".k", markersize=size
    )
    axes.set_ylabel(made.sweep.outcome.quantity)


def value_label(made: SweepMap) -> str:
    """What the values of a map are."""
    outcome = made.sweep.outcome
    return translate(outcome.row.title(outcome, outcome.quantity))
