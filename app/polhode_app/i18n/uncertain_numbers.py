"""Numbers with uncertainties as they are printed: two digits of the uncertainty, and the value to the same place."""

from __future__ import annotations

from collections.abc import Mapping
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


LEAST_SHARE = 0.005  # parts of a variance that are smaller are left out


def shares_text(shares: Mapping[str, float]) -> str:
    """Parts of a variance by the name of their source, as "80 % body[0].friction, 20 % world.gravity[2]"."""
    return ", ".join(f"{100 * share:.0f} % {name}" for name, share in shares.items() if share >= LEAST_SHARE)
