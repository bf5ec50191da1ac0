"""Values and their uncertainties as they are printed: to the same place."""

from __future__ import annotations

from math import inf, nan

import pytest

from polhode_app.i18n.uncertain_numbers import rounded


@pytest.mark.parametrize(
    ("value", "uncertainty", "expected"),
    [
        (0.967114, 0.0734, ("0.967", "0.073")),
        (1.25000004, 1.1e-7, ("1.25000004", "0.00000011")),
        (-0.3100229, 5.04e-5, ("-0.310023", "0.000050")),
        (8.18506e-4, 1.96e-5, ("0.000819", "0.000020")),
        (4.0e-12, 3.14e-14, ("4.000e-12", "3.1e-14")),
        (123456.0, 789.0, ("123460", "790")),
        (6.02214e23, 3.0e19, ("6.02214e+23", "3.0e+19")),
        (0.0, 0.25, ("0.00", "0.25")),
        (0.99, 0.0996, ("0.99", "0.10")),
        (2.5, 30.0, ("2", "30")),
        (2.0, 0.0, ("2", "0")),
        (2.0, inf, ("2", "inf")),
        (2.0, nan, ("2", "nan")),
    ],
)
def test_a_value_ends_at_the_second_digit_of_its_uncertainty(
    value: float, uncertainty: float, expected: tuple[str, str]
) -> None:
    assert rounded(value, uncertainty) == expected
