"""Probabilities of attractors over the random draws of each cell: layers of pictures, and texts. No Qt.

Over two ranges a cell has the colour of its most probable attractor, paler for a lower probability. Over one range the
draws of each value are sorted by their attractors, so that the heights of the colours are the probabilities.
"""

from __future__ import annotations

import numpy as np

from polhode.run.status import PENDING, SETTLED
from polhode.scene.message import Message
from polhode.sweep.maps.map import SweepMap
from polhode.sweep.maps.statistics import probabilities
from polhode_app.data.maps.cell import attractor_name
from polhode_app.data.maps.map_run import MapRun
from polhode_app.data.maps.picture import Layer, axes_of, extent_of
from polhode_app.i18n.field_names import unit_text
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.i18n.translation import translate

SORTED = Message("draws, sorted by attractor")
"""Title of the vertical direction of the picture of one range."""
SURE = 0.95  # probability of an attractor from which a cell counts as sure


def has_probabilities(made: SweepMap) -> bool:
    """Whether a map of attractors has draws behind one or two axes with ranges."""
    ranges = len(made.shape) - 1
    axes = made.sweep.axes
    is_first = all(axis.draws is None for axis in axes[:ranges]) and all(
        axis.draws is not None for axis in axes[ranges:]
    )
    return made.sweep.outcome.kind == "attractor" and ranges in (1, 2) and len(axes) > ranges and is_first


def probable_layer(made: SweepMap, labels: np.ndarray) -> Layer:
    """The picture of the probabilities of a map with labels (n, m) or (n, m, draws)."""
    status, extent = np.array(made.status), extent_of(*axes_of(made))
    if labels.ndim == 2:
        order = sorted_draws(labels)
        return Layer(extent, *(np.take_along_axis(each, order, axis=1) for each in (status, labels)))
    chances = probabilities(labels)
    if not len(chances):
        return Layer(extent, status[..., 0], labels[..., 0])
    is_known = (labels >= 0).any(axis=-1)
    most = np.where(is_known, np.nan_to_num(chances).argmax(axis=0), labels[..., 0])
    state = np.where((status == PENDING).all(axis=-1), PENDING, np.where(is_known, SETTLED, status.max(axis=-1)))
    return Layer(extent, state, most, share=np.where(is_known, chances.max(axis=0), 1.0))


def sorted_draws(labels: np.ndarray) -> np.ndarray:
    """(n, draws) indices of the draws of each of n cells by their labels (n, draws), those without one last."""
    return np.argsort(np.where(labels < 0, np.iinfo(np.int32).max, labels), axis=-1, kind="stable")


def describe_probabilities(run: MapRun, cell: int, labels: np.ndarray) -> list[str]:
    """Lines about the draws of a cell: the values of the axes with ranges, and the probability of each attractor.

    labels: (n, draws) or (n, m, draws) numbers of the attractors of all cells
    """
    made, values = run.map, run.variation.values(np.array([cell]))[0]
    lines = [
        f"{parameter_name(run.scene, axis.parameter)} = {value:.5g} {unit_text(unit)}".rstrip()
        for axis, value, unit in zip(run.settings.axes, values, made.units, strict=True)
        if axis.draws is None
    ]
    of_cell = labels.reshape(-1, made.shape[-1])[cell // made.shape[-1]]
    known = int((of_cell >= 0).sum())
    parts = ", ".join(
        f"{attractor_name(run.settings.outcome, number)} {100 * part:.3g} %"
        for number, part in enumerate(probabilities(of_cell))
        if part > 0.0
    )
    if not known:
        return [*lines, translate(Message("no draw has reached an attractor"))]
    return [*lines, translate(Message("{parts} of {count} draws", parts=parts, count=known))]
