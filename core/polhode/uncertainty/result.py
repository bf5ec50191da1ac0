"""Uncertainties of columns of a run: deviations, their parts by source, and where they are only of first order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from polhode.scene.checks.arguments import checked
from polhode.scene.message import Message
from polhode.scene.problem import InputError, did_you_mean
from polhode.uncertainty.differences import first_different
from polhode.uncertainty.periods import period_of
from polhode.uncertainty.sources import Source


@dataclass(frozen=True, eq=False)
class Drawn:
    """Mean and deviation of columns over runs with drawn values."""

    mean: np.ndarray
    """(n, m) mean."""
    sd: np.ndarray
    """(n, m) standard deviation."""
    count: int
    """Number of draws."""
    invalid: int
    """Draws that are no valid scene, such as those with a negative mass; they are left out."""
    diverged: int
    """Draws whose run diverges; they count up to there."""


@dataclass(frozen=True, eq=False)
class UncertainValue:
    """A number with its standard deviation, and the part of its variance that each source has."""

    value: float
    sd: float
    shares: Mapping[str, float] = field(default_factory=dict)
    """Parts of the variance by the name of the source, the largest first; their sum is 1, or 0 for sd = 0."""


@dataclass(frozen=True, eq=False)
class Uncertainties:
    """Columns of a run with their uncertainties; arrays have a row for each time, in SI.

    found = uncertainties(scene, until=10.0, columns=["bob.position.x"], draws=1000)
    found.time                             # (n,) [s]
    found.sd("bob.position.x")             # (n,) to first order
    found.at_end("bob.position.x").shares  # {"body[0].shape[0].position[2]": 0.8, ...}
    found.period("bob.position.x")         # with sd and shares
    """

    time: np.ndarray
    """(n,) [s]"""
    names: tuple[str, ...]
    """(m,) columns."""
    units: Mapping[str, str]
    """Units of the columns by name."""
    values: np.ndarray
    """(n, m) of the run with the means of all numbers."""
    tangents: np.ndarray
    """(g, n, m) changes of the columns by one standard deviation of each source."""
    sources: tuple[Source, ...]
    """(g,) sources."""
    drawn: Drawn | None = None
    """Of draws; None where none were asked for."""

    @checked
    def sd(self, name: str) -> np.ndarray:
        """(n,) standard deviation of a column to first order. Raises InputError for an unknown name."""
        return np.sqrt((self.tangents[:, :, self._index(name)] ** 2).sum(axis=0))

    @property
    def uncertain(self) -> tuple[str, ...]:
        """Names of the columns that depend on an uncertain number."""
        has_any = np.nan_to_num(np.abs(self.tangents)).max(axis=(0, 1), initial=0.0) > 0.0
        return tuple(name for name, is_one in zip(self.names, has_any, strict=True) if is_one)

    @checked
    def at_end(self, name: str) -> UncertainValue:
        """The last value of a column, with sd and shares. Raises InputError for an unknown name."""
        index = self._index(name)
        return self._value(float(self.values[-1, index]), self.tangents[:, -1, index])

    @checked
    def period(self, name: str) -> UncertainValue | None:
        """The mean period [s] of the oscillation of a column, between times at which it rises through its mean.

        None for fewer than two rises, and where the times between them differ by more than 20 %, as in a chaotic
        motion. Raises InputError for an unknown name.
        """
        index = self._index(name)
        values = self.values[:, index]
        found = period_of(self.time, values, self.tangents[:, :, index])
        return None if found is None else self._value(*found)

    @checked
    def differs_from(self, name: str) -> float:
        """The time [s] from which tangents and draws of a column differ by more than 20 %; inf if they never do.

        Of the largest deviation up to each time: where a column is at a turning point, its deviation vanishes to first
        order. Raises InputError for an unknown name, and without draws.
        """
        index = self._index(name)
        if self.drawn is None:
            rule, remedy = Message("has no draws"), Message("ask for them with draws = 1000")
            raise InputError.of("Uncertainties", rule, remedy, name)
        return first_different(self.time, self.sd(name)[:, None], self.drawn.sd[:, [index]])

    def _value(self, value: float, changes: np.ndarray) -> UncertainValue:
        """A value with its changes (g,) by one deviation of each source."""
        variance = float((changes**2).sum())
        order = np.argsort(-(changes**2), kind="stable") if variance > 0 else ()
        shares = {self.sources[k].name: float(changes[k] ** 2 / variance) for k in order}
        return UncertainValue(value, float(np.sqrt(variance)), shares)

    def _index(self, name: str) -> int:
        if name not in self.names:
            remedy = did_you_mean(name, self.names, Message("name one of its columns"))
            raise InputError.of("Uncertainties", Message("'{name}' is no column", name=name), remedy, "name")
        return self.names.index(name)
