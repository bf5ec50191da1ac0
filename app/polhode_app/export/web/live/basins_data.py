"""The data of a map of attractors in a page: starts of its cells, and how each is run there.

A page computes the map of a sweep over two numbers of a start, whose outcome is the nearest of some bodies. The
cells are run by the kernels of the program's maps (core/polhode/sweep), without SIMD lanes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from polhode.compilation.web_module.module import WebModule
from polhode.engine.compile import STOP_STEPS
from polhode.exporters.image.packing import image_of
from polhode.exporters.image.qualification import problems_of
from polhode.mesh.mesh import Meshes
from polhode.run.observers.rest import observe_rest
from polhode.run.status import DIVERGED, STATUS
from polhode.run.units import units_of_observer
from polhode.scene.scene import Scene
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.simulation import Simulation
from polhode.sweep.cells import record_of
from polhode.sweep.checks import kind_of
from polhode.sweep.chunks import ChunkRunner
from polhode.sweep.variation import resolve
from polhode_app.data.maps.cell import status_name
from polhode_app.data.maps.picture import COLORS, MARKED, NO_END
from polhode_app.export.web.blob import Blob
from polhode_app.export.web.live.engine_data import engine_data
from polhode_app.i18n.field_names import named
from polhode_app.i18n.parameter_names import parameter_name

COUNT = 64  # cells along each axis
UNITS = tuple(unit.name for unit in units_of_observer(observe_rest))
"""Units that a page with a map needs besides those of its scene."""
PLACED = ("work.bodies.position", "work.bodies.com_offset")
WRITTEN = ("record.steps", "record.stride", "record.settled", "work.step", "work.stop_time")


@dataclass(frozen=True, eq=False)
class MapOfStarts:
    """A map whose cells differ in their starts alone, and end at the nearest of some bodies."""

    sweep: SweepSettings
    chunks: ChunkRunner
    states: np.ndarray
    """(n, m, k) starts of the cells."""


def map_of_starts(scene: Scene, count: int = COUNT, meshes: Meshes | None = None) -> MapOfStarts | None:
    """The first map of a scene that pages compute, with `count` cells along each axis; None without any."""
    for number, stated in enumerate(scene.sweep):
        if not is_of_attractors(stated):
            continue
        axes = tuple(axis.model_copy(update={"count": count}) for axis in stated.axes)
        sweep = stated.model_copy(update={"axes": axes})
        chunks = ChunkRunner(resolve(scene, sweep, f"sweep[{number}]"), meshes or Meshes(), f"sweep[{number}]")
        if chunks.is_fast:
            ((_, states, _),), _ = chunks.groups(np.arange(count * count))
            return MapOfStarts(sweep, chunks, states.reshape(count, count, -1))
    return None


def is_of_attractors(sweep: SweepSettings) -> bool:
    """Whether a sweep has two ranges, and runs that end at the nearest of some bodies."""
    ranges = [axis.range for axis in sweep.axes if axis.range is not None]
    return len(ranges) == len(sweep.axes) == 2 and bool(sweep.outcome.near) and kind_of(sweep) != "perturbation"


def basins_data(made: MapOfStarts, blob: Blob, module: WebModule) -> dict[str, Any] | None:
    """Table of a map; its bytes are added to `blob`. None for a scene that needs Python.

    The page has the module once, for its own engine, which has to have UNITS.
    """
    chunks, compiled = made.chunks, made.chunks.compiled
    simulation = Simulation(compiled.scene, compiled=compiled)
    if problems_of(simulation):
        return None
    plan, wells = chunks.plan(compiled, 1), chunks.wells
    record = record_of(plan, wells, simulation.structs.work, 1, len(compiled.start))
    image = image_of(simulation, record=record)
    paths = (*PLACED, *WRITTEN)
    engine = engine_data(simulation, blob, module, paths, image, further=UNITS, contains_module=False)
    limits = wells.limit if len(wells.near) and np.isfinite(wells.limit).all() else None
    return {
        "engine": engine,
        "plan": {
            "steps": plan.steps,
            "step": plan.step,
            "stride": plan.stride,
            "stopSteps": STOP_STEPS,
            "isChecked": kind_of(made.sweep) == "half_step",
            "of": chunks.measure.of,
            "near": [*chunks.measure.near],
            "limits": None if limits is None else limits.tolist(),
            "still": wells.still,
        },
        "names": [*made.sweep.outcome.near],
        "axes": [
            {"parameter": axis.parameter, "range": axis.range, "unit": unit}
            for axis, unit in zip(made.sweep.axes, chunks.variation.units, strict=True)
        ],
        "shape": [*made.states.shape[:2]],
        "starts": starts_table(made.states, blob),
        "colors": {"labels": [*COLORS], "diverged": MARKED[DIVERGED], "none": NO_END},
    }


def map_texts(scene: Scene, table: dict[str, Any] | None) -> dict[str, list[str]] | None:
    """Titles of the axes of a map, names of its attractors and of statuses, in the current language."""
    if table is None:
        return None
    return {
        "axes": [parameter_name(scene, axis["parameter"], axis["unit"]) for axis in table["axes"]],
        "names": [named(name) for name in table["names"]],
        "statuses": [status_name(status) for status in range(len(STATUS))],
    }


def starts_table(states: np.ndarray, blob: Blob) -> list[dict[str, Any]]:
    """Numbers in which the starts (n, m, k) differ: the index of each, and its values.

    Most numbers depend on one axis alone, and have as many values as it has cells.
    """
    found = []
    for index in np.flatnonzero((states != states[0, 0]).any(axis=(0, 1))).tolist():
        values = states[:, :, index]
        if (values == values[:, :1]).all():
            axis, kept = 0, values[:, 0]
        elif (values == values[:1]).all():
            axis, kept = 1, values[0]
        else:
            axis, kept = None, values.reshape(-1)
        found.append({"index": index, "axis": axis, "values": blob.doubles(kept)})
    return found
