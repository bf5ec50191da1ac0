"""Errors of the elementary functions against mpmath, in units in the last place, and their special values by C99."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import product
from math import copysign, inf, isfinite, isnan, nan

import numpy as np
import pytest
from mpmath import mp, mpf

from polhode.jit.libm.by_name import BY_NAME
from polhode.jit.libm.logarithm import log1p
from polhode.jit.libm.trigonometric import cos, sin, sincos

FUNCTIONS = BY_NAME | {"log1p": log1p}
DIGITS = 140  # [bits] of the reference
SAMPLE, NIGHTLY = 1500, 1_000_000
MOST = {"^": 0.8}  # [units in the last place]; for all others 0.6
LARGEST = mpf(2) ** 1024 * (1 - mpf(2) ** -54)  # rounds to inf
EXACT: dict[str, Callable[..., mpf]] = {name: getattr(mp, name) for name in FUNCTIONS if name != "^"}
EXACT["^"] = lambda x, y: x**y

Draw = Callable[[np.random.Generator, int], np.ndarray]


def sizes(low: float, high: float) -> Draw:
    """Numbers of both signs whose logarithms are uniform."""
    return lambda random, n: np.exp(random.uniform(np.log(low), np.log(high), n)) * random.choice([-1.0, 1.0], n)


def between(low: float, high: float) -> Draw:
    return lambda random, n: random.uniform(low, high, n)


def any_bits(random: np.random.Generator, n: int) -> np.ndarray:
    """Finite numbers of all exponents."""
    found = random.integers(-(2**63), 2**63, n).view(np.float64)
    return np.where(np.isfinite(found), found, 1.0)


def near_multiples(random: np.random.Generator, n: int) -> np.ndarray:
    """Numbers next to multiples of pi/32, small and large."""
    large = random.choice([64.0, 2.0**20, 2.0**40, 2.0**60], n)
    return np.round(random.uniform(-1, 1, n) * large) * (np.pi / 32) * (1 + random.integers(-3, 4, n) * 2.0**-53)


def near_one(random: np.random.Generator, n: int) -> np.ndarray:
    return 1.0 + sizes(1e-16, 0.3)(random, n)


def positive(draw: Draw) -> Draw:
    return lambda random, n: np.abs(draw(random, n))


def unit_ends(random: np.random.Generator, n: int) -> np.ndarray:
    return (1.0 - np.abs(sizes(1e-16, 0.5)(random, n))) * random.choice([-1.0, 1.0], n)


ANGLES = [between(-10, 10), between(-1e5, 1e5), sizes(1e-12, 1e22), any_bits, near_multiples]
UNIT = [between(-1, 1), sizes(1e-300, 1), unit_ends]
SIZES = [between(-3, 3), sizes(1e-15, 30), between(-711, 711)]
DRAWS: dict[str, list[Draw]] = {
    **dict.fromkeys(("sin", "cos", "tan"), ANGLES),
    **dict.fromkeys(("asin", "acos", "atanh"), UNIT),
    **dict.fromkeys(("sinh", "cosh", "tanh"), SIZES),
    "atan": [between(-3, 3), sizes(1e-300, 1e300)],
    "exp": [between(-2, 2), between(-746, 710), between(-746, -707), sizes(1e-300, 1)],
    "log": [positive(any_bits), near_one, between(0.5, 2)],
    "log1p": [sizes(1e-300, 0.9), positive(sizes(1e-3, 1e300)), between(-1, 3)],
    "asinh": [between(-3, 3), sizes(1e-300, 1e300)],
    "acosh": [between(1, 3), lambda random, n: 1.0 + np.abs(sizes(1e-16, 1e300)(random, n))],
}
PAIRS: dict[str, list[Draw]] = {
    "atan2": [
        lambda random, n: random.uniform(-1, 1, (2, n)),
        lambda random, n: np.stack([sizes(1e-30, 1e30)(random, n), sizes(1e-30, 1e30)(random, n)]),
        lambda random, n: np.stack([any_bits(random, n), any_bits(random, n)]),
    ],
    "^": [
        lambda random, n: np.stack([random.uniform(0, 5, n), random.uniform(-30, 30, n)]),
        lambda random, n: reaching(positive(any_bits)(random, n), random),
        lambda random, n: reaching(near_one(random, n), random),
        lambda random, n: np.stack([-random.uniform(0, 5, n), np.round(random.uniform(-30, 30, n))]),
    ],
}


def reaching(bases: np.ndarray, random: np.random.Generator) -> np.ndarray:
    """Bases with exponents whose powers are of all sizes up to the bounds of doubles."""
    return np.stack([bases, random.uniform(-746, 710, len(bases)) / np.where(bases == 1, 1, np.log(bases))])


def error(found: float, exact: mpf) -> float:
    """Error [units in the last place of the exact value]; inf where found is infinite or nan and the exact is not."""
    if abs(exact) >= LARGEST:
        return 0.0 if found == copysign(inf, exact) else inf
    if not isfinite(found):
        return inf
    unit = max(mp.frexp(abs(exact))[1] - 53, -1074) if exact else -1074
    return float(abs(mpf(found) - exact) * mpf(2) ** -unit)


def arguments(name: str, count: int) -> Iterator[tuple[float, ...]]:
    """`count` random arguments of a function."""
    random, draws = np.random.default_rng(7), DRAWS.get(name) or PAIRS[name]
    for draw in draws:
        found = draw(random, -(-count // len(draws)))
        yield from zip(*np.atleast_2d(found).tolist(), strict=True)


def largest_error(name: str, count: int) -> tuple[float, tuple[float, ...]]:
    """Largest error of a function, and where."""
    function, exact = FUNCTIONS[name], EXACT[name]
    with mp.workprec(DIGITS):
        return max((error(function(*x), exact(*map(mpf, x))), x) for x in arguments(name, count))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_of_a_sample(name: str) -> None:
    found, where = largest_error(name, SAMPLE)
    assert found <= MOST.get(name, 0.6), where


@pytest.mark.nightly
@pytest.mark.timeout(3000)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_errors_of_a_million_arguments(name: str) -> None:
    found, where = largest_error(name, NIGHTLY)
    print(f"{name}: {found:.4f} at {where}")
    assert found <= MOST.get(name, 0.6), where


# The double that is nearest to a multiple of pi/2 of all; others that are near; the bounds of both reductions.
HARD = [
    *(5.319372648326541e255, 6381956970095103 * 2.0**797, 1e22, 1.7e308, 1.7976931348623157e308, 2.0**16),
    *(np.nextafter(2.0**16, 0), 2.0**-30, np.nextafter(2.0**-30, 0), 2.2250738585072014e-308, 5e-324, np.pi / 64),
    *(float(np.pi * k / 2) for k in (1, 2, 3, 4, 1e5, 1e9)),
]


@pytest.mark.parametrize("name", ["sin", "cos", "tan"])
def test_hard_angles(name: str) -> None:
    with mp.workprec(2500):  # the reference reduces huge arguments itself
        assert max(error(FUNCTIONS[name](x), EXACT[name](mpf(x))) for x in HARD) <= 0.6
        assert max(error(FUNCTIONS[name](-x), EXACT[name](mpf(-x))) for x in HARD) <= 0.6


def test_both_of_one_reduction_have_the_same_bits() -> None:
    for (x,) in [*arguments("sin", SAMPLE), *((x,) for x in HARD), (-0.0,), (0.0,)]:
        assert sincos(x) == (sin(x), cos(x))
        assert copysign(1.0, sincos(x)[0]) == copysign(1.0, sin(x))


EDGES = [0.0, 5e-324, 1e-310, 2.0**-1022, 1e-300, 2.0**-54, 0.5, 1.0, 1.5, 2.0, 3.0, 709.7, 745.0, 1e10, 2.0**53]
EDGES += [np.nextafter(1.0, 0), np.nextafter(1.0, 2), 2.0**53 - 1, 1.7976931348623157e308, inf, nan, 1e22, 1 / 3]
BOTH = [*EDGES, *(-x for x in EDGES)]
OF_NUMPY = {"^": "float_power"} | {name: name.replace("a", "arc", 1) for name in FUNCTIONS if name[0] == "a"}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_special_values_are_those_of_c99(name: str) -> None:
    """Zeros with their signs, infinities and nan as numpy has them, which follows C99, annex F; all others nearly."""
    reference = getattr(np, OF_NUMPY.get(name, name))
    for x in product(BOTH, repeat=2 if name in PAIRS else 1):
        with np.errstate(all="ignore"):
            found, expected = FUNCTIONS[name](*x), float(reference(*x))
        if isnan(expected):
            assert isnan(found), x
        else:
            assert copysign(1.0, found) == copysign(1.0, expected), x
            assert found == expected or abs(found - expected) <= max(4 * np.spacing(abs(expected)), 5e-324), x
