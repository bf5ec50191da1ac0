"""Numbers with uncertainties as they are printed: two digits of the uncertainty, and the value to the same place."""

from __future__ import annotations

from math import floor, isfinite, log10

MOST_DECIMALS = 9  # of a number without an exponent
MOST_DIGITS = 7  # before its decimal point


def rounded(value: float, uncertainty: float) -> tuple[str, str]:
    """Texts of a value and its uncertainty; one that is zero or not finite leaves six digits of the value."""
    if not isfinite(value) or not isfinite(uncertainty) or uncertainty <= 0.0:
        return f"{value:.6g}", f"{uncertainty:.2g}"
    short = float(f"{uncertainty:.1e}")  # its second digit may be a tenth of the next power of ten
    last = floor(log10(short)) - 1  # power of ten of the last digit
    highest = floor(log10(max(abs(value), short)))
    if -last > MOST_DECIMALS or highest >= MOST_DIGITS:
        digits = floor(log10(abs(value))) - last if value else 0
        return f"{value:.{max(0, digits)}e}", f"{short:.1e}"
    return f"{round(value, -last) + 0.0:.{max(0, -last)}f}", f"{short:.{max(0, -last)}f}"
