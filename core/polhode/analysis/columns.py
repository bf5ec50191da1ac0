"""The table of a run: names and units of its columns, for CSV files and plots.

Columns are in the order time, subjects (bodies, points, beads, rotating laboratory, forces, plates, coils, iron,
conductors, tracks, springs that break, joints), energies, work of the ledger. Names are NAME.QUANTITY or
NAME.QUANTITY.x, with the name of the scene item; values are in SI, vectors in the laboratory frame.
core/polhode/engine/diagnostics.py evaluates them in the same order.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from typing import TYPE_CHECKING

from polhode.physics.bodies import columns as bodies
from polhode.physics.breaking import columns as breaking
from polhode.physics.coils import columns as coils
from polhode.physics.conductors import columns as conductors
from polhode.physics.forces import columns as forces
from polhode.physics.frame import columns as frame
from polhode.physics.induced import columns as induced
from polhode.physics.iron import columns as iron
from polhode.physics.joints import columns as joints
from polhode.physics.paths import columns as paths
from polhode.physics.plates import columns as plates
from polhode.physics.points import columns as points
from polhode.physics.tracks import columns as tracks
from polhode.scene.column_names import Columns
from polhode.simulation.snapshot import Energy, Ledger

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene  # imports the compiler, for which the window does not wait

KINDS = tuple(kind.name for kind in fields(Energy))  # of energy; the later ones have a column in some scenes only
ENERGIES = (*KINDS[:4], "total")
SUBJECTS = (bodies, points, paths, frame, forces, plates, coils, iron, conductors, induced, tracks, breaking, joints)
"""Subjects with columns, in order."""
WORKS = tuple(field.name for field in fields(Ledger))


def columns(compiled: CompiledScene) -> dict[str, str]:
    """Units of the columns by their names, in the order of the table; "" for pure numbers."""
    table: dict[str, str] = {}
    for _, _, named in _parts(compiled):
        table.update(named)
    return table


def columns_of(compiled: CompiledScene, owner: str) -> Iterator[tuple[int, str, str]]:
    """Indices of the columns of one owner in the table, with names and units.

    The owner is the name of a scene item, "energy" or "work"; none for an unknown one.
    """
    index = 0
    for name, count, named in _parts(compiled):
        if name == owner:
            yield from ((index + k, column, unit) for k, (column, unit) in enumerate(named))
        index += count


def _parts(compiled: CompiledScene) -> Columns:
    """Groups of columns: owner, number of columns, names and units."""
    yield "", 1, [("time", "s")]
    for of_subject in SUBJECTS:
        yield from of_subject.columns(compiled)
    yield "energy", len(ENERGIES), [(f"energy.{kind}", "J") for kind in ENERGIES]
    yield "work", len(WORKS), [(f"work.{line}", "J") for line in WORKS]
