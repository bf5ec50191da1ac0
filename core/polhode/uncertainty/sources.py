"""The independent random numbers behind the uncertain numbers of a scene.

Each uncertain number without a letter has one of its own; those with the same letter share one. With the deviation s_i
and the standardised random number z_g of its source, a number is x_i = mean_i + s_i z_g, with z_g normal, or uniform
between -1 and 1.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.special import ndtri

from polhode.fitting.unknowns import Unknown, Unknowns
from polhode.scene.fields import written
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene
from polhode.scene.uncertain import Distribution, Uncertain, UncertainNumber, uncertain_numbers
from polhode.scene.variants.alone import alone

UNIFORM = 1.0 / np.sqrt(3.0)  # standard deviation of a number that is uniform between -1 and 1
PART = 1e-4  # of a deviation, by which a number is displaced for its tangent
LEAST = 1e-7  # of the number itself: smaller displacements would be lost in the rounding of a run


@dataclass(frozen=True)
class Source:
    """One random number: that of an uncertain number, or of all with a letter."""

    names: tuple[str, ...]
    """Paths of the numbers that depend on it."""
    letter: str
    """Their letter; "" for a number of its own."""
    distribution: Distribution

    @property
    def name(self) -> str:
        """The path of its number, or those of all that share a letter."""
        return ", ".join(self.names)

    @property
    def deviation(self) -> float:
        """Standard deviation of its standardised random number."""
        return UNIFORM if self.distribution == "uniform" else 1.0


@dataclass(frozen=True)
class Sources:
    """The sources of a scene, in the order of its fields; `sources_of` makes them."""

    scene: Scene
    numbers: tuple[UncertainNumber, ...]
    each: tuple[Source, ...]

    @cached_property
    def _means(self) -> np.ndarray:
        return np.array([float(number) for _, number in self.numbers])

    @cached_property
    def _deviations(self) -> np.ndarray:
        """(numbers, sources) deviation of each number by the random number of each source."""
        made = np.zeros((len(self.numbers), len(self.each)))
        for index, (path, number) in enumerate(self.numbers):
            source = next(k for k, each in enumerate(self.each) if written(path) in each.names)
            made[index, source] = number.deviation
        return made

    def values(self, random: np.ndarray) -> np.ndarray:
        """(numbers,) values [SI] for standardised random numbers (sources,)."""
        return self._means + self._deviations @ random

    @cached_property
    def displacements(self) -> np.ndarray:
        """(sources,) displacements of the random numbers for tangents."""
        with np.errstate(divide="ignore", invalid="ignore"):
            least = np.where(self._deviations > 0, LEAST * np.abs(self._means)[:, None] / self._deviations, 0.0)
        return np.maximum(least.max(axis=0), PART)

    def drawn(self, count: int, seed: int) -> np.ndarray:
        """(count, sources) random numbers, stratified: each has one draw in every `count`-th part of its distribution.

        So mean and deviation of each number are those of its distribution, and only their combinations are random
        (M. D. McKay, R. J. Beckman and W. J. Conover, Technometrics 21, 239, 1979).
        """
        generator = np.random.default_rng(seed)
        made = np.empty((count, len(self.each)))
        for k, source in enumerate(self.each):
            part = (generator.permutation(count) + generator.uniform(size=count)) / count
            made[:, k] = 2.0 * part - 1.0 if source.distribution == "uniform" else ndtri(np.maximum(part, 1e-300))
        return made

    @property
    def unknowns(self) -> Unknowns:
        """The numbers as a fit varies them, so that they share its compiled scenes."""
        each = (
            Unknown(written(path), path, "", float(number), -np.inf, np.inf, number.deviation)
            for path, number in self.numbers
        )
        return Unknowns(self.scene, tuple(each))


def sources_of(scene: Scene) -> Sources:
    """The sources of a scene.

    Raises InputError where it has no uncertain number, and for a letter of numbers that are distributed otherwise.
    """
    numbers = uncertain_numbers(scene)
    if not numbers:
        rule, remedy = Message("has no uncertain number"), Message('write one as "0.458 +- 0.001"')
        raise InputError.of(scene.title or "polhode", rule, remedy, "scene")
    found: dict[str, list[tuple[str, Uncertain]]] = {}
    for path, number in numbers:
        name = written(path)
        found.setdefault(f"({number.letter})" if number.letter else name, []).append((name, number))
    problems = [
        Problem(
            name,
            Message("shares the letter {letter} with {other}, which is distributed otherwise", letter=key, other=first),
            Message("give both the same distribution, or another letter"),
        )
        for key, ((first, one), *others) in found.items()
        for name, number in others
        if number.distribution != one.distribution
    ]
    if problems:
        raise InputError(scene.title or "scene", problems)
    each = tuple(
        Source(tuple(name for name, _ in group), group[0][1].letter, group[0][1].distribution)
        for group in found.values()
    )
    return Sources(alone(scene), numbers, each)
