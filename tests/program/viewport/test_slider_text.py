"""Texts of values of sliders: prefixes of units and signs."""

from __future__ import annotations

import pytest

from polhode_app.viewport.base.slider_text import value_text


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [(0.005, "m", "5 mm"), (2.5e-7, "T", "250 nT"), (0.5, "m", "0.5 m"), (0.0, "m", "0 m"), (0.02, "kg", "0.02 kg")],
)
def test_a_negative_value_has_the_prefix_of_its_opposite(value: float, unit: str, expected: str) -> None:
    assert value_text(value, unit) == expected
    assert value == 0.0 or value_text(-value, unit) == f"-{expected}"
