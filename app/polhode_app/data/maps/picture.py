"""Pictures of maps for the window and for files: pixels of attractors or values, marks of statuses, and curves.

Pending cells take the colour of the nearest finished cell on a coarser grid. Basins have colours that colour-blind
people can distinguish, different brightness, and borders between them. No Qt.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np

from polhode.run.status import DIVERGED, INVALID, PENDING, STATUS, UNCERTAIN, UNSETTLED
from polhode.sweep.maps.map import NO_LABEL, SweepMap

# Okabe and Ito's colours in an order in which neighbours differ in brightness, too.
COLORS = ("#0072b2", "#f0e442", "#d55e00", "#56b4e9", "#009e73", "#cc79a7", "#e69f00", "#999999")
MARKED = {DIVERGED: "#000000", INVALID: "#5a5a5a"}
NO_END = "#c8ccd2"  # a cell that is done and has neither attractor nor value
WIDEST_BORDER = 3.0  # [pixel] size of cells from which on borders are drawn
MOST_BORDERS = 0.25  # part of the pixels: more borders would cover the colours

# Perceptually uniform from dark blue to yellow: the anchors of matplotlib's viridis.
VIRIDIS = ("#440154", "#482878", "#3e4989", "#31688e", "#26828e", "#1f9e89", "#35b779", "#6ece58", "#b5de2b", "#fde725")
SHADES = 256
MOST_POINTS = 50_000  # of a curve, besides which points are left out
FAINTEST = 0.1  # part of a colour for a probability of 0
OPAQUE = np.uint32(0xFF000000)


def rgb(color: str) -> tuple[int, int, int]:
    """Components 0 to 255 of a hexadecimal code."""
    return int(color[1:3], 16), int(color[3:5], 16), int(color[5:7], 16)


def packed(color: str) -> np.uint32:
    """A hexadecimal code as 0xffRRGGBB, the format of Qt's images."""
    return np.uint32(OPAQUE | int(color[1:], 16))


@cache
def value_colors() -> np.ndarray:
    """(SHADES,) uint32 colours of values from the lowest to the highest."""
    anchors = np.array([rgb(color) for color in VIRIDIS], dtype=float)
    where = np.linspace(0, len(anchors) - 1, SHADES)
    red, green, blue = (np.interp(where, np.arange(len(anchors)), anchors[:, k]).astype(np.uint32) for k in range(3))
    return OPAQUE | red << 16 | green << 8 | blue


@cache
def label_colors() -> np.ndarray:
    """(n,) uint32 colours of attractors."""
    return np.array([packed(color) for color in COLORS], dtype=np.uint32)


@dataclass(frozen=True, eq=False)
class Layer:
    """A map of two dimensions that is drawn; an axis may run from high to low values."""

    extent: tuple[float, float, float, float]  # x of the left and right edge, y of the lower and upper one
    status: np.ndarray  # (n, m)
    label: np.ndarray  # (n, m) number of the attractor
    value: np.ndarray | None = None  # (n, m); None where attractors are shown
    span: tuple[float, float] = (0.0, 1.0)  # of the scale of values
    share: np.ndarray | None = None  # (n, m) probability of the attractor, by which its colour is paler; None for 1

    @cached_property
    def source(self) -> np.ndarray:
        """(n, m) flat index of the cell whose result each cell shows."""
        return representatives(self.status != PENDING)

    @cached_property
    def colors(self) -> np.ndarray:
        """(cells,) uint32 colours of the cells, without marks."""
        return cell_colors(self)

    @cached_property
    def statuses(self) -> frozenset[int]:
        """The statuses that occur."""
        return frozenset(np.flatnonzero(np.bincount(self.status.reshape(-1), minlength=len(STATUS))).tolist())


@dataclass(frozen=True, eq=False)
class Curve:
    """Values of a map of one axis that are drawn."""

    x: np.ndarray  # (n,)
    y: np.ndarray  # (n,)
    uncertain: np.ndarray  # (n,) bool
    colors: tuple[str, ...] = ()  # of each point; () draws one line through all of them


def curve_of(made: SweepMap, label: np.ndarray, most: int = MOST_POINTS) -> Curve:
    """Values over the one axis, the points of sections, or numbers of attractors from 1, without pending cells.

    label: (n,) numbers of the attractors
    most: number of cells above which some are left out
    """
    status, outcome = np.array(made.status), made.sweep.outcome
    order = np.argsort(made.axis_values[0], kind="stable")
    order = order[status[order] != PENDING]
    order = order[:: max(1, len(order) // most)]
    x, uncertain = np.array(made.axis_values[0])[order], status[order] == UNCERTAIN
    if outcome.kind == "section":
        points = np.array(made.features[order])
        x, y = np.repeat(x, points.shape[1]), points.reshape(-1)
        known = np.isfinite(y)
        return Curve(x[known], y[known], np.zeros(known.sum(), dtype=bool), (COLORS[0],) * int(known.sum()))
    if outcome.kind != "attractor":
        return Curve(x, np.array(made.value)[order], uncertain)
    label = label[order]
    known = label >= 0
    colors = tuple(COLORS[number % len(COLORS)] for number in label[known].tolist())
    return Curve(x[known], label[known] + 1.0, uncertain[known], colors)


def axes_of(made: SweepMap) -> tuple[np.ndarray, ...]:
    """Values of the axes that are drawn, one or two; random draws are one axis in the order of the first one's values,
    and numbered where a range is the other one.
    """
    if len(made.shape) == 1:
        return (np.sort(made.axis_values[0]),)
    is_numbered = made.sweep.axes[1].draws is not None
    return made.axis_values[0], np.arange(made.shape[1], dtype=float) if is_numbered else made.axis_values[1]


def extent_of(x: np.ndarray, y: np.ndarray) -> tuple[float, float, float, float]:
    """Edges of the picture of cells around the values x (n,) and y (m,)."""
    found: list[float] = []
    for values in (x, y):
        half = 0.5 * (values[-1] - values[0]) / max(len(values) - 1, 1)
        found += [float(values[0] - half), float(values[-1] + half)]
    return found[0], found[1], found[2], found[3]


def representatives(is_done: np.ndarray) -> np.ndarray:
    """(n, m) flat index of the cell whose result each cell shows; -1 where none is near.

    is_done: (n, m) bool. A finished cell shows its own result; others are covered by the finest grid of a power of two
    that has a finished cell.
    """
    cells = np.arange(is_done.size).reshape(is_done.shape)
    source = np.where(is_done, cells, -1)
    if is_done.all():
        return source
    stride = 2
    while stride < max(is_done.shape):
        lacking = source < 0
        if not lacking.any():
            break
        grid = np.where(is_done[::stride, ::stride], cells[::stride, ::stride], -1)
        covered = grid.repeat(stride, axis=0).repeat(stride, axis=1)[: is_done.shape[0], : is_done.shape[1]]
        source = np.where(lacking, covered, source)
        stride *= 2
    return source


def span_of(value: np.ndarray, is_done: np.ndarray) -> tuple[float, float]:
    """Lowest and highest finite value of the cells that are done; (0, 1) without any."""
    known = value[is_done & np.isfinite(value)]
    return (float(known.min()), float(known.max())) if known.size else (0.0, 1.0)


def most_common(labels: np.ndarray) -> int:
    """The label of most cells (n,) of a status, in whose tint its mark is drawn; NO_LABEL if none has one."""
    counts = np.bincount(labels[labels >= 0])
    return int(counts.argmax()) if len(counts) else NO_LABEL


def cell_colors(layer: Layer) -> np.ndarray:
    """(cells,) uint32 colours of the cells of a layer, by flat index, without marks."""
    colors = np.full(layer.status.size, packed(NO_END), dtype=np.uint32)
    if layer.value is None:
        label = layer.label.reshape(-1)
        has_label = label >= 0
        colors[has_label] = label_colors()[label[has_label] % len(COLORS)]
        if layer.share is not None:
            colors = paler(colors, layer.share.reshape(-1))
    else:
        value, (low, high) = layer.value.reshape(-1), layer.span
        known = np.isfinite(value)
        part = (value[known] - low) / (high - low if high > low else 1.0)
        colors[known] = value_colors()[np.clip(part * (SHADES - 1), 0, SHADES - 1).astype(int)]
    for which, color in MARKED.items():
        if which in layer.statuses:
            colors[layer.status.reshape(-1) == which] = packed(color)
    return colors


def paler(colors: np.ndarray, share: np.ndarray) -> np.ndarray:
    """(n,) uint32 colours (n,) mixed with white: all of a colour for a share of 1, FAINTEST of it for 0."""
    part = FAINTEST + (1.0 - FAINTEST) * np.clip(share, 0.0, 1.0)
    mixed = np.full(len(colors), OPAQUE, dtype=np.uint32)
    for shift in (16, 8, 0):
        component = (colors >> shift & 0xFF).astype(float)
        mixed |= np.round(255.0 - part * (255.0 - component)).astype(np.uint32) << np.uint32(shift)
    return mixed


def draw_layer(canvas: np.ndarray, layer: Layer, view: tuple[float, float, float, float]) -> None:
    """Draw a layer on `canvas` (h, w) uint32, row 0 at the bottom, which shows the range `view` (as an extent).

    Pixels outside of the layer, and those for which nothing is known, stay as they are.
    """
    height, width = canvas.shape
    columns = _indices(view[0], view[1], width, layer.extent[0], layer.extent[1], layer.status.shape[0])
    rows = _indices(view[2], view[3], height, layer.extent[2], layer.extent[3], layer.status.shape[1])
    xs, ys = np.flatnonzero(columns >= 0), np.flatnonzero(rows >= 0)
    if not len(xs) or not len(ys):
        return
    flat = columns[xs][None, :] * layer.status.shape[1] + rows[ys][:, None]
    cells = layer.source.reshape(-1).take(flat)  # (rows, columns)
    patch = layer.colors.take(cells, mode="wrap")
    if layer.statuses & {UNCERTAIN, UNSETTLED, DIVERGED, INVALID}:
        _mark(patch, layer.status.reshape(-1).take(cells, mode="wrap"), layer.statuses, xs, ys)
    if layer.value is None:
        per_cell = abs((layer.extent[1] - layer.extent[0]) / layer.status.shape[0] / (view[1] - view[0])) * width
        if per_cell >= WIDEST_BORDER:
            _draw_borders(patch, layer.label.reshape(-1).take(cells, mode="wrap"))
    area = canvas[ys[0] : ys[-1] + 1, xs[0] : xs[-1] + 1]
    if PENDING in layer.statuses:
        np.copyto(area, patch, where=cells >= 0)
    else:
        area[...] = patch


def _indices(low: float, high: float, count: int, first: float, last: float, cells: int) -> np.ndarray:
    """(count,) index of the cell at the middle of each pixel of a range, -1 outside of the layer."""
    positions = low + (np.arange(count) + 0.5) * (high - low) / count
    found = np.floor((positions - first) / (last - first) * cells)
    return np.where((found >= 0) & (found < cells), found, -1).astype(np.int64)


def _mark(patch: np.ndarray, status: np.ndarray, statuses: frozenset[int], xs: np.ndarray, ys: np.ndarray) -> None:
    """Mark statuses by patterns of pixels: stripes where uncertain, dots where unsettled, crosses where invalid."""
    x, y = xs[None, :], ys[:, None]
    if UNCERTAIN in statuses:
        uncertain, stripes = status == UNCERTAIN, (x + y) % 6 < 3
        patch[uncertain & stripes] = packed("#3c3c3c")
        light = uncertain & ~stripes
        patch[light] = ((patch[light] >> 1) & 0x7F7F7F) + 0x7F7F7F | 0xFF000000
    if UNSETTLED in statuses:
        patch[(status == UNSETTLED) & (x % 5 == 0) & (y % 5 == 0)] = packed("#ffffff")
    if INVALID in statuses:
        patch[(status == INVALID) & (((x + y) % 8 == 0) | ((x - y) % 8 == 0))] = packed("#dcdcdc")
    if DIVERGED in statuses:
        patch[(status == DIVERGED) & ((x - y) % 8 == 0)] = packed("#969696")


def _draw_borders(patch: np.ndarray, label: np.ndarray) -> None:
    """Black pixels where the label changes to that of the pixel at the right or above."""
    border = np.zeros(label.shape, dtype=bool)
    border[:, :-1] |= label[:, 1:] != label[:, :-1]
    border[:-1] |= label[1:] != label[:-1]
    if border.mean() < MOST_BORDERS:
        patch[border] = packed("#000000")
