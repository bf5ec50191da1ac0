"""Write the tables of core/polhode/jit/libm, each number computed by mpmath to 60 digits and rounded.

python .ci/libm_tables.py           writes core/polhode/jit/libm/tables.py
tests/physics/jit/libm/test_tables.py compares the file with `text()`
"""

from __future__ import annotations

from pathlib import Path

from mpmath import mp, mpf

TABLES = Path(__file__).parents[1] / "core/polhode/jit/libm/tables.py"
HEADER = '''"""Tables of the elementary functions: written by .ci/libm_tables.py, which computes each number by mpmath.

The second number of a pair is what the first, rounded, lacks; further parts of a constant follow where its products
with an integer are to be exact.
"""

from __future__ import annotations

import numpy as np

# fmt: off
'''


def rounded(value: mpf, bits: int) -> float:
    """`value` cut to a number of bits, so that its products with short integers are exact."""
    with mp.workprec(bits):
        return float(+value)


def parts(value: mpf, bits: list[int]) -> list[float]:
    """Numbers of `bits` bits each whose sum is `value`, the largest first."""
    found = []
    for count in bits:
        found.append(rounded(value, count))
        value -= mpf(found[-1])
    return found


def on_grid(value: mpf, bits: int) -> list[float]:
    """`value` as a multiple of 2^-bits and the remainder."""
    first = float(mp.nint(value * 2**bits) / 2**bits)
    return [first, float(value - mpf(first))]


def inverse_of_middle(i: int) -> float:
    """The c of the interval of mantissas i: 1 beside 1, else the inverse of the middle as a multiple of 1/512."""
    low = 0.6875 + i / 256 if i < 80 else 1.0 + (i - 80) / 128
    middle = low + (1 / 512 if i < 80 else 1 / 256)
    return 1.0 if i in (79, 80) else round(512 / middle) / 512


def tables() -> dict[str, tuple[str, list[list[float]]]]:
    """Rows of each table by its name, with what they are."""
    inverses = [inverse_of_middle(i) for i in range(128)]
    return {
        "SINES": ("sin(n pi/32)", [parts(exact_sine(n), [53, 53]) for n in range(80)]),
        "POWERS": ("2^(j/64)", [parts(mpf(2) ** (mpf(j) / 64), [53, 53]) for j in range(64)]),
        "LOGARITHMS": (
            "c, and -log c as a multiple of 2^-42 and a remainder",
            [[c, *on_grid(-mp.log(c), 42)] for c in inverses],
        ),
        "ANGLES": ("atan(j/32)", [parts(mp.atan(mpf(j) / 32), [53, 53]) for j in range(33)]),
    }


def exact_sine(n: int) -> mpf:
    """sin(n pi/32), 0 for multiples of pi."""
    return mpf(0) if n % 32 == 0 else mp.sin(n * mp.pi / 32)


def text() -> str:
    """The file with all tables."""
    with mp.workdps(60):
        sector = parts(mp.pi / 32, [33, 33, 33, 53])
        lines = [HEADER]
        for name, value in zip(("SECTOR_1", "SECTOR_2", "SECTOR_3", "SECTOR_4"), sector, strict=True):
            lines.append(f"{name} = {value!r}")
        lines.append(f"SECTOR_REST = {sector[2] + sector[3]!r}  # SECTOR_3 + SECTOR_4")
        lines.append(f"SECTORS = {tuple(parts(mp.pi / 32, [53, 53]))!r}")
        fraction = parts(mp.log(2) / 64, [36, 53])
        lines += [f"FRACTION_{k + 1} = {value!r}" for k, value in enumerate(fraction)]
        lines += [f"LN2_{k + 1} = {value!r}" for k, value in enumerate(on_grid(mp.log(2), 42))]
        lines += [f"HALF_PI_{k + 1} = {value!r}" for k, value in enumerate(parts(mp.pi / 2, [53, 53]))]
        lines += ['"""Parts of pi/32, (ln 2)/64, ln 2 and pi/2."""']
        series = [abs(float(a)) for a in mp.taylor(mp.tanh, 0, 23)[3::2]]
        lines += ["TANH_SERIES = np.array(["]
        lines += [f"    {a!r}," for a in reversed(series)]
        lines += ["])", '"""Sizes of the coefficients of tanh from x^23 down to x^3; their signs alternate."""']
        for name, (what, rows) in tables().items():
            lines += [f"{name} = np.array(["]
            width = 2 if len(rows[0]) == 2 else 1
            together = [rows[k : k + width] for k in range(0, len(rows), width)]
            lines += ["    " + " ".join(f"{row!r}," for row in each) for each in together]
            lines += ["])", f'"""{what}."""']
    with mp.workprec(1400):
        bits = int(mp.floor(2 / mp.pi * 2 ** (32 * 40)))
    limbs = [0, 0] + [(bits >> 32 * (39 - k)) & 0xFFFFFFFF for k in range(40)]
    lines += ["TWO_OVER_PI = np.array(["]
    lines += ["    " + ", ".join(f"0x{limb:08X}" for limb in limbs[k : k + 6]) + "," for k in range(0, 42, 6)]
    lines += ["], dtype=np.uint64)"]
    lines += ['"""The bits of 2/pi in limbs of 32, after 64 zeros."""']
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    TABLES.write_text(text(), encoding="utf-8")
