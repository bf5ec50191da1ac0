"""Another model of the data of a fit, by what it leaves out or by its scene, and the comparison with it. No Qt."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from polhode.fitting.inference.comparison import Comparison, compared
from polhode.fitting.result import FitResult
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem


@dataclass(frozen=True, eq=False)
class ComparedModel:
    """Another model, by the names of the unknowns that it holds or by its scene, and the comparison with it."""

    without: tuple[str, ...]
    scene: str  # name of its file; "" for the same scene
    comparison: Comparison | None  # None where the other model could not be fitted
    problems: tuple[Problem, ...] = ()  # for which it could not

    def name(self, title: Callable[[str], str] = str) -> str:
        """The unknowns that it leaves out, or its scene; `title` gives the names of unknowns."""
        if self.without:
            return Message("without {names}", names=", ".join(map(title, self.without)))
        return self.scene or Message("previous fit")


def compared_model(
    without: tuple[str, ...], scene: str, found: FitResult, fitted: Callable[[], FitResult]
) -> ComparedModel:
    """The comparison of a fit with that of another model, with the problems where `fitted` raises InputError."""
    try:
        return ComparedModel(without, scene, compared(fitted(), found))
    except InputError as error:
        return ComparedModel(without, scene, None, tuple(error.problems))
