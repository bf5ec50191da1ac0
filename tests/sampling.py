"""Long lists of cases: some in every run, all of them nightly."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def sampled(cases: Iterable[Any], every: int, first: int = 0) -> list[Any]:
    """Arguments for `parametrize`: each `every`-th case from `first` on as it is, the others with the marker `nightly`.

    A tuple holds the values of several arguments.
    """
    return [case if number % every == first else _nightly(case) for number, case in enumerate(cases)]


def _nightly(case: Any) -> Any:
    return pytest.param(*(case if isinstance(case, tuple) else (case,)), marks=pytest.mark.nightly)
