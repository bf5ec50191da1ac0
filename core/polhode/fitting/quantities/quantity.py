"""Quantities that can be compared with data: functions of columns of the table of a run."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from re import Match
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

Law = Callable[[np.ndarray, "CompiledScene"], np.ndarray]
"""(n,) values of a quantity, from its columns (n, k) and the scene of the run."""
Has = Callable[[Match[str], str, str], None]
"""Raises InvalidValue if the item in a group of a name has no column with this ending."""
BASIS = tuple(f"u{k}.{x}" for k in (1, 2, 3) for x in "xyz")
POSITION = tuple(f"position.{x}" for x in "xyz")


@dataclass(frozen=True)
class ObservedQuantity:
    """A function of columns of the table."""

    name: str
    unit: str  # SI
    columns: tuple[str, ...]  # (k,) arguments of the law
    law: Law
    period: float = 0.0  # values that differ by it are one, as angles after a whole turn; 0 for none


def column(name: str, unit: str) -> ObservedQuantity:
    """A column itself."""
    return ObservedQuantity(name, unit, (name,), lambda values, _built: values[:, 0])


def pose_columns(body: str) -> tuple[str, ...]:
    """The 12 columns of the origin of a body and of its basis vectors, as `pose` reads them."""
    return tuple(f"{body}.{part}" for part in (*POSITION, *BASIS))


def pose(values: np.ndarray, at: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Origin (n, 3) [m] and basis (n, 3, 3), rows u1, u2, u3, of a body from its columns, the first one at `at`."""
    return values[:, at : at + 3], values[:, at + 3 : at + 12].reshape(-1, 3, 3)
