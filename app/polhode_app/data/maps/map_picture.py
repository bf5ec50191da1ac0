"""Pictures of maps, by matplotlib: basins with their borders, values as colours or curves, a legend with fractions."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import numpy as np
from matplotlib import rc_context, rcParams
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize, to_hex, to_rgb
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager
from matplotlib.patches import Patch

from polhode.run.status import DIVERGED, INVALID, PENDING, SETTLED, STATUS, UNCERTAIN, UNSETTLED
from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.sweep.maps.map import SweepMap
from polhode.sweep.maps.map_file import StoredMap
from polhode_app.data.maps.cell import attractor_name, axis_titles, status_name, value_title
from polhode_app.data.maps.picture import (
    COLORS,
    MARKED,
    NO_END,
    Layer,
    axes_of,
    curve_of,
    draw_layer,
    extent_of,
    most_common,
    span_of,
)
from polhode_app.data.maps.probabilities import SORTED, has_probabilities, probable_layer
from polhode_app.i18n.translation import translate
from polhode_app.viewport.base.text_actor import FONT

ENDINGS = (".png", ".svg", ".pdf")
LINES = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#000000")  # colours of curves on white
DOTS = 100.0  # per inch


def write_picture(stored: StoredMap, out: Path, size: tuple[int, int] = (1000, 800)) -> None:
    """Write the picture of a map of one or two dimensions, `size` pixels; the ending of `out` is one of ENDINGS.

    Maps with draws show their probabilities. Raises InputError for another ending and for other maps of three
    dimensions, and OSError.
    """
    if out.suffix.lower() not in ENDINGS:
        remedy = Message("choose an ending out of {endings}", endings=", ".join(ENDINGS))
        raise InputError(str(out), [Problem("", Message("is no picture of a map"), remedy)])
    if len(stored.map.shape) > 2 and not has_probabilities(stored.map):
        rule = Message("has {count} dimensions, and a picture shows two", count=len(stored.map.shape))
        remedy = Message("write a table of it, such as {name}", name=f"{stored.path.stem}.npz")
        raise InputError(str(stored.path), [Problem("", rule, remedy)])
    with rc_context({"font.family": _families()}):
        figure = figure_of(stored.scene, stored.map, size)
    with replacing(out) as file:
        figure.savefig(file, format=out.suffix.lower()[1:], dpi=DOTS)


@cache
def _families() -> list[str]:
    """Families of the letters: that of matplotlib, and ours for the letters that it has not got."""
    fontManager.addfont(str(FONT))
    return [*rcParams["font.family"], FontProperties(fname=str(FONT)).get_name()]


def figure_of(scene: Scene, made: SweepMap, size: tuple[int, int]) -> Figure:
    """The figure of a map of a scene, of one or two dimensions or with probabilities, `size` pixels."""
    titles = axis_titles(scene, made)
    is_probable = has_probabilities(made)
    figure = Figure(figsize=(size[0] / DOTS, size[1] / DOTS), layout="constrained")
    axes = figure.add_subplot()
    axes.set_xlabel(titles[0])
    if len(made.shape) == 1:
        _draw_curve(axes, made)
    else:
        axes.set_ylabel(translate(SORTED) if is_probable and len(made.shape) == 2 else titles[1])
        if made.sweep.outcome.kind == "attractor":
            _draw_cells(axes, made, size, None)
            _add_legend(figure, made)
        else:
            span = span_of(made.value, made.status != PENDING)
            _draw_cells(axes, made, size, span)
            scale = ScalarMappable(Normalize(*span), "viridis")
            figure.colorbar(scale, ax=axes, label=value_title(made.sweep.outcome))
    return figure


def _draw_cells(axes: Axes, made: SweepMap, size: tuple[int, int], span: tuple[float, float] | None) -> None:
    """Draw the cells of a map of two dimensions as `size` pixels, those of values with colours of a `span`."""
    x, y = axes_of(made)
    extent = extent_of(x, y)
    canvas = np.full((size[1], size[0]), 0xFFFFFFFF, dtype=np.uint32)
    if has_probabilities(made):
        layer = probable_layer(made, made.label)
    elif span is None:
        layer = Layer(extent, made.status, made.label)
    else:  # values are valid for unsettled cells too, which get no marks
        layer = Layer(extent, np.where(made.status == UNSETTLED, SETTLED, made.status), made.label, made.value, span)
    draw_layer(canvas, layer, extent)
    colors = np.stack([canvas >> shift & 0xFF for shift in (16, 8, 0)], axis=-1).astype(np.uint8)
    axes.imshow(colors, origin="lower", extent=extent, aspect="auto")


def _add_legend(figure: Figure, made: SweepMap) -> None:
    """Add the attractors with their fractions, and the statuses of other cells with their parts of all cells."""
    entries = []
    for part in made.fractions():
        text = f"{attractor_name(made.sweep.outcome, part.label)}: {100 * part.value:.1f} %"
        entries.append(Patch(facecolor=COLORS[part.label % len(COLORS)], edgecolor="black", label=text))
    counts = made.counts()
    for status in (UNCERTAIN, UNSETTLED, DIVERGED, INVALID, PENDING):
        if count := counts.get(STATUS[status]):
            face, hatch = MARKED.get(status, "#ffffff"), None
            if status == UNCERTAIN:  # as the cells are drawn: stripes on the tint of their attractor
                label = most_common(made.label[made.status == status])
                color = COLORS[label % len(COLORS)] if label >= 0 else NO_END
                face, hatch = to_hex(0.5 + 0.5 * np.array(to_rgb(color))), "//"
            elif status == UNSETTLED:  # dots on grey
                face, hatch = NO_END, ".."
            text = f"{status_name(status)}: {100 * count / made.status.size:.3g} %"
            entries.append(Patch(facecolor=face, edgecolor="black", hatch=hatch, label=text))
    figure.legend(handles=entries, loc="outside upper center", ncols=4, frameon=False, fontsize="small")


def _draw_curve(axes: Axes, made: SweepMap) -> None:
    """Draw values, points of sections or numbers of attractors over the one axis; uncertain cells are crosses."""
    curve = curve_of(made, made.label, made.status.size)
    if made.sweep.outcome.kind == "lyapunov":
        axes.axhline(0.0, color="gray", linewidth=0.5)
        order = np.argsort(made.axis_values[0])
        for number in range(1, made.features.shape[-1]):
            values, color = made.features[order, number], LINES[number % len(LINES)]
            axes.plot(made.axis_values[0][order], values, "-", color=color, linewidth=1)
    size = float(np.clip(200.0 / np.sqrt(max(len(curve.x), 1)), 0.3, 6.0))
    axes.plot(curve.x, curve.y, "." if curve.colors else ".-", color=COLORS[0], markersize=size)
    axes.plot(curve.x[curve.uncertain], curve.y[curve.uncertain], "x", color=COLORS[2])
    axes.set_ylabel(value_title(made.sweep.outcome))
