"""Display of a map in the view: layers of two axes, a slice of three, or curves over one."""

from __future__ import annotations

import numpy as np

from polhode.run.status import PENDING
from polhode_app.data.maps.cell import axis_titles, describe, value_title
from polhode_app.data.maps.map_run import MapRun
from polhode_app.data.maps.picture import Layer, axes_of, curve_of, extent_of, span_of
from polhode_app.data.maps.probabilities import (
    SORTED,
    describe_probabilities,
    has_probabilities,
    probable_layer,
    sorted_draws,
)
from polhode_app.docks.maps.map_session import History
from polhode_app.docks.maps.map_view import Extent, MapView
from polhode_app.i18n.translation import translate

MOST_LAYERS = 4  # maps that are drawn behind the one that is shown
MARGIN = 0.02  # of a curve, on either side


def titles_of(run: MapRun) -> tuple[str, str]:
    """Titles of the horizontal and the vertical direction."""
    titles = axis_titles(run.scene, run.map)
    return titles[0], titles[1] if len(run.map.shape) > 1 else value_title(run.settings.outcome)


def visible_extent(run: MapRun) -> Extent:
    """The range that shows all of a map."""
    axes = axes_of(run.map)
    if len(axes) == 2:
        return extent_of(*axes)
    margin = MARGIN * (axes[0][-1] - axes[0][0])
    return float(axes[0][0] - margin), float(axes[0][-1] + margin), 0.0, 1.0


def ranges_within(run: MapRun, extent: Extent) -> tuple[tuple[float, float], ...]:
    """Ranges of the axes whose cells fill a visible range."""
    found = []
    for axis, (low, high) in zip(axes_of(run.map), (extent[:2], extent[2:]), strict=False):
        half = 0.5 * (high - low) / len(axis) if len(axes_of(run.map)) == 2 else 0.0
        found.append((float(low + half), float(high - half)))
    return tuple(found)


def cell_of(run: MapRun, seen: int, level: int) -> int:
    """Flat index of the cell that is seen at flat index `seen`; `level` is the index along a third axis."""
    if len(run.map.shape) == 1:
        return int(np.argsort(run.map.axis_values[0], kind="stable")[seen])
    return seen * run.map.shape[2] + level if len(run.map.shape) == 3 else seen


def _flat(values: np.ndarray, level: int) -> np.ndarray:
    """A copy of the visible slice of an array of results (n, m) or (n, m, k)."""
    return np.array(values if values.ndim == 2 else values[..., level])


class MapDisplay:
    """Brings the maps of a history to a view."""

    def __init__(self, view: MapView):
        self._view = view
        self.labels = np.zeros(0, dtype=np.int32)  # of the map that is shown
        self.span = (0.0, 1.0)  # of its values
        self.wants_probabilities = True  # of maps that have them
        self._run: MapRun | None = None

    def is_probable(self, run: MapRun) -> bool:
        """Whether probabilities over the draws of a map are shown, not single draws."""
        return self.wants_probabilities and has_probabilities(run.map)

    def titles(self, run: MapRun) -> tuple[str, str]:
        """Titles of the horizontal and the vertical direction."""
        across, up = titles_of(run)
        is_sorted = self.is_probable(run) and len(run.map.shape) == 2
        return across, translate(SORTED) if is_sorted else up

    def position(self, cell: int) -> tuple[float, float]:
        """Values of both axes where a cell of a picture is seen."""
        assert self._run is not None
        made = self._run.map
        first, second = axes_of(made)
        row, column = divmod(cell // (made.shape[2] if len(made.shape) == 3 else 1), len(second))
        if self.is_probable(self._run) and len(made.shape) == 2:
            column = int(np.flatnonzero(sorted_draws(self.labels[row]) == column)[0])
        return float(first[row]), float(second[column])

    def cell(self, seen: int, level: int) -> int:
        """Flat index of the cell that is seen at flat index `seen`; `level` is the index along a third axis.

        Of probabilities over two ranges that of the first draw, over one range that of the draw that is seen.
        """
        assert self._run is not None
        made = self._run.map
        is_probable = self.is_probable(self._run)
        if is_probable and len(made.shape) == 2:
            row, column = divmod(seen, made.shape[1])
            return row * made.shape[1] + int(sorted_draws(self.labels[row])[column])
        return cell_of(self._run, seen, 0 if is_probable else level)

    def describe(self, cell: int) -> list[str]:
        """Lines about a cell, or about all draws of it."""
        assert self._run is not None
        return (describe_probabilities if self.is_probable(self._run) else describe)(self._run, cell, self.labels)

    def draw(self, history: History, level: int) -> None:
        """Draw the map that is shown, before earlier ones of its history, as far as they are computed."""
        self._run = run = history.current
        status = np.array(run.map.status)  # first, because it is written last
        self.labels = history.attractors.labels(run.map)
        has_values = run.settings.outcome.kind != "attractor"
        if has_values and (status != PENDING).any():
            self.span = span_of(np.array(run.map.value), status != PENDING)
        if len(run.map.shape) == 1:
            self._view.show_curve(curve_of(run.map, self.labels))
            return
        behind = history.runs[: history.at][-MOST_LAYERS:]
        layers = []
        for each in [*behind, run]:
            made, label = each.map, history.attractors.labels(each.map)
            if len(made.shape) != len(run.map.shape) or (made.status == PENDING).all():
                continue
            if self.is_probable(run):
                layers.append(probable_layer(made, label))
                continue
            state = _flat(made.status, level)
            value = _flat(made.value, level) if has_values else None
            layers.append(Layer(extent_of(*axes_of(each.map)), state, _flat(label, level), value, self.span))
        self._view.show_layers(layers)
