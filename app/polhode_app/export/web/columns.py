"""Columns that the plots of the page offer."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from polhode_app.export.known_columns import check_columns
from polhode_app.export.motion.parts import RunMotion

MOST = 60
USUAL = ("energy.total", "energy.kinetic", "energy.gravity", "energy.magnetic", "energy.elastic")
"""Columns that are plotted unless others are asked for, as far as they change."""
FIRST = ("energy.", "work.")  # beginnings of the names of columns that come before all others


def offered(motion: RunMotion, asked: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the columns that the page has, and of those that are plotted at first.

    These are the columns asked for, then energies, then others in the order of the table, as far as they change, up to
    MOST. Raises InputError for an unknown name among those asked for.
    """
    check_columns("--plot", asked, motion.columns)
    changing = [name for name, (_, values) in motion.columns.items() if name != "time" and _changes(values)]
    energies = [name for name in changing if name.startswith(FIRST)]
    found = [*dict.fromkeys([*asked, *energies, *changing])][: max(MOST, len(asked))]
    return tuple(found), tuple(asked or [name for name in USUAL if name in found])


def _changes(values: np.ndarray) -> bool:
    """Whether values (f,) differ by more than rounding errors."""
    good = values[np.isfinite(values)]
    return bool(len(good)) and float(np.ptp(good)) > 1e-9 * float(np.abs(good).max())
