"""Summary of a map: the end of `polhode sweep`, and `polhode info` of a map."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from polhode.scene.message import Message, shortened
from polhode.sweep.maps.map import SweepMap
from polhode.sweep.maps.map_file import StoredMap
from polhode.sweep.maps.statistics import QUANTILES
from polhode.sweep.variation import Variation
from polhode_app.data.maps.probabilities import SURE
from polhode_app.i18n.translation import translate


def messages(made: SweepMap, variation: Variation) -> Iterator[Message]:
    """Sentences on a map: of basins, or of the values."""
    if made.sweep.outcome.kind == "attractor":
        yield from _of_basins(made, variation)
    else:
        yield from _of_values(made)


def _of_basins(made: SweepMap, variation: Variation) -> Iterator[Message]:
    """Fractions, certainty, entropies, exponent and smallest shock."""
    for part in made.fractions():
        yield Message(
            "attractor {name}: {value:.4f} of the cells, {low:.4f} to {high:.4f}",
            name=name_of(made, part.label),
            value=part.value,
            low=part.low,
            high=part.high,
        )
    chances = made.probabilities()
    if chances is not None and chances.ndim > 1 and len(chances):
        sure = float(np.nanmean(chances.max(axis=0) >= SURE))
        yield Message(
            "one attractor has a probability of at least {sure:g} in {part:.4f} of the cells", sure=SURE, part=sure
        )
    if not math.isnan(made.certain):
        yield Message("certain = {certain:.4f}", certain=made.certain)
    entropy, exponent = made.basin_entropy(), made.uncertainty_exponent()
    if entropy.boxes:
        yield Message("basin entropy {basin:.4f} in {boxes} boxes", basin=entropy.basin, boxes=entropy.boxes)
    if entropy.on_boundary:
        found = {"boundary": entropy.boundary, "boxes": entropy.on_boundary}
        if entropy.is_fractal:
            yield Message("boundary entropy {boundary:.4f} in {boxes} boxes, above ln 2: it is fractal", **found)
        else:
            yield Message("boundary entropy {boundary:.4f} in {boxes} boxes, below ln 2: it may be smooth", **found)
    if not math.isnan(exponent.exponent):
        yield Message(
            "uncertainty exponent {exponent:.3f} +- {error:.3f}: boundary of dimension {dimension:.3f}",
            exponent=exponent.exponent,
            error=exponent.error,
            dimension=exponent.boundary_dimension,
        )
    shock = made.smallest_shock(variation.stated)
    if shock is not None:
        change = ", ".join(
            f"{axis.parameter} {step:+.3g} {unit}".rstrip()
            for axis, step, unit in zip(made.sweep.axes, shock.change, made.units, strict=True)
        )
        yield Message(
            "smallest shock from the scene's own start: {change}, to attractor {name}",
            change=change,
            name=name_of(made, shock.label),
        )


def name_of(made: SweepMap, label: int) -> str:
    """Name of an attractor: of its body, or its number."""
    return made.sweep.outcome.near[label] if made.sweep.outcome.near else str(label)


def _of_values(made: SweepMap) -> Iterator[Message]:
    """Range of the values, and their spread over draws."""
    known = made.value[np.isfinite(made.value)]
    if len(known) == 0:
        yield Message("no cell has a value")
        return
    yield Message("values from {low:.6g} to {high:.6g}", low=float(known.min()), high=float(known.max()))
    found = made.spread()
    if found is not None and found.mean.ndim == 0:
        low, _, median, _, high = found.quantiles.tolist()
        yield Message(
            "mean {mean:.6g}, standard deviation {deviation:.3g}, median {median:.6g}, 95 % between {low:.6g} and "
            "{high:.6g}, of {count} values",
            mean=float(found.mean),
            deviation=float(found.deviation),
            median=median,
            count=int(found.count),
            low=low,
            high=high,
        )


def about(stored: StoredMap) -> dict[str, Any]:
    """All of a map but its cells, by key, for JSON; numbers that are nan are None."""
    made, variation = stored.map, stored.variation
    axes = [
        {
            "parameter": axis.parameter,
            "unit": shortened(unit),
            "count": len(values),
            "low": values.min(),
            "high": values.max(),
        }
        for axis, unit, values in zip(made.sweep.axes, made.units, made.axis_values, strict=True)
    ]
    entries: dict[str, Any] = {
        "file": str(stored.path),
        "title": shortened(stored.scene.title),
        "written_by": shortened(stored.program),
        "created": shortened(stored.created),
        "sweep": made.sweep.name,
        "outcome": made.sweep.outcome.kind,
        "axes": axes,
        "shape": list(made.shape),
        "counts": made.counts(),
        "done": made.done,
    }
    entries |= _basins(made, variation) if made.sweep.outcome.kind == "attractor" else _values(made)
    return entries


def _fields(part: object, *names: str) -> dict[str, Any]:
    """Some attributes by name."""
    return {name: getattr(part, name) for name in names}


def _basins(made: SweepMap, variation: Variation) -> dict[str, Any]:
    """Entries for maps with labels."""
    entropy, exponent, shock = made.basin_entropy(), made.uncertainty_exponent(), made.smallest_shock(variation.stated)
    fractions = [
        {"attractor": name_of(made, part.label)} | _fields(part, "cells", "value", "low", "high")
        for part in made.fractions()
    ]
    return {
        "fractions": fractions,
        "probabilities": made.probabilities(),
        "certain": made.certain,
        "basin_entropy": _fields(entropy, "basin", "boundary", "boxes", "on_boundary", "is_fractal"),
        "uncertainty_exponent": _fields(exponent, "exponent", "error", "distances", "fractions", "boundary_dimension"),
        "smallest_shock": shock
        and _fields(shock, "distance", "is_relative", "change") | {"attractor": name_of(made, shock.label)},
    }


def _values(made: SweepMap) -> dict[str, Any]:
    """Entries for maps with values."""
    known = made.value[np.isfinite(made.value)]
    entries: dict[str, Any] = {"low": known.min(initial=np.inf), "high": known.max(initial=-np.inf)}
    entries["values"] = len(known)
    found = made.spread()
    if found is not None:
        quantiles = {str(q): values for q, values in zip(QUANTILES, found.quantiles, strict=True)}
        entries["spread"] = {
            **_fields(found, "mean", "deviation", "count"),
            "quantiles": quantiles,
        }
    return entries


def as_json(stored: StoredMap) -> str:
    """`about` as JSON."""
    return json.dumps(_plain(about(stored)), indent=2, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """`value` with numbers of Python, and None for those that JSON has not."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    value = value.tolist() if isinstance(value, np.ndarray | np.generic) else value
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def as_text(stored: StoredMap) -> str:
    """The map as lines of text."""
    made = stored.map
    axes = ", ".join(
        f"{axis.parameter} {values.min():g} to {values.max():g} {unit}".rstrip()
        for axis, unit, values in zip(made.sweep.axes, made.units, made.axis_values, strict=True)
    )
    counts = ", ".join(f"{name} {count}" for name, count in made.counts().items())
    size = " x ".join(map(str, made.shape))
    lines = [
        f"title:      {shortened(stored.scene.title) or '-'}",
        f"computed:   {shortened(stored.created)} by {shortened(stored.program)}",
        f"sweep:      {shortened(made.sweep.name)}: {made.sweep.outcome.kind}, {made.sweep.until:g} s each",
        f"axes:       {shortened(axes)}",
        f"cells:      {size}: {counts}",
    ]
    return "\n".join([*lines, *(translate(message) for message in messages(made, stored.variation))])
