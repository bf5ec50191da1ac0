"""Eight numbers at once: the inverse root against the exact one, with and without the processor's estimate."""

import os
import subprocess
import sys
from pathlib import Path

import numba
import numpy as np
import pytest
from import_path import IMPORT_PATH

from polhode.jit.simd import WIDTH, chosen_lanes, first_lanes, inverse_length, inverse_root, load, store

# Units in the last place: half a one by the last rounding, as much by that of the estimate's square, and a little more
# by what the series leaves out.
UNITS = 2.0


@numba.njit(error_model="numpy", fastmath={"contract"})
def inverse_roots(numbers, roots):
    for i in range(0, numbers.shape[1], 8):
        here = first_lanes(numbers.shape[1] - i)
        store(roots, 0, i, here, inverse_root(load(numbers, 0, i, here)))


@numba.njit(error_model="numpy", fastmath={"contract"})
def inverse_lengths(squares, lengths, single):
    for i in range(0, squares.shape[1], WIDTH):
        store(lengths, 0, i, None, inverse_length(load(squares, 0, i)))
    for i in range(squares.shape[1]):
        single[i] = inverse_length(squares[0, i])


def found(numbers):
    roots = np.full((1, len(numbers)), -1.0)
    inverse_roots(np.ascontiguousarray(numbers)[None], roots)
    return roots[0]


def furthest(numbers):
    """Largest error [units in the last place] against long doubles."""
    exact = 1 / np.sqrt(numbers.astype(np.longdouble))
    return float((np.abs(found(numbers) - exact) / np.spacing(exact.astype(float))).max())


def everywhere():
    """Numbers of all sizes, those below the normal ones too, and mantissas next to powers of two."""
    powers = 2.0 ** np.arange(-1074, 1024)
    mantissas = np.concatenate([np.random.default_rng(3).uniform(1, 2, 200_000), 1 + 2.0 ** -np.arange(1, 53)])
    sizes = 2.0 ** np.random.default_rng(4).integers(-1060, 1023, len(mantissas))
    return np.concatenate([powers, mantissas, 4 - mantissas, mantissas * sizes, np.nextafter(powers[1:], 0)[60:]])


def test_an_inverse_root_is_right_to_two_units_in_the_last_place_for_numbers_of_any_size():
    assert furthest(everywhere()) <= UNITS


def test_an_inverse_root_of_what_has_none_is_what_division_and_root_say():
    numbers = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, -1.0, 4.0, 0.25, 5e-324, 1.7976931348623157e308])
    with np.errstate(all="ignore"):
        expected = 1 / np.sqrt(numbers)
    assert found(numbers) == pytest.approx(expected, rel=4e-16, abs=0, nan_ok=True)
    assert (np.signbit(found(numbers)) == np.signbit(expected))[:3].all()


def test_an_inverse_length_is_an_inverse_root_but_zero_where_there_is_no_length():
    squares = np.array([0.0, -0.0, np.inf, np.nan, 4.0, 0.3, 5e-324, 1.7976931348623157e308])
    lengths, single = np.full((1, WIDTH), -1.0), np.full(WIDTH, -1.0)
    inverse_lengths(squares[None], lengths, single)
    assert (lengths[0, 4:] == found(squares)[4:]).all()
    assert single[4:] == pytest.approx(lengths[0, 4:], rel=4e-16, abs=0)
    assert (lengths[0, :4] == 0.0).all()
    assert (single[:4] == 0.0).all()


def test_an_inverse_root_is_the_same_on_a_processor_without_an_estimate():
    """Machine code for an older one runs on this one, too; on other kinds of processors it is what has run above."""
    if "avx512f" not in numba.core.codegen.get_host_cpu_features():
        return
    code = (
        "from test_simd import *\n"
        "assert 'vrsqrt14pd' not in ''.join(map(str, (found(np.ones(8)), inverse_roots.inspect_asm())))\n"
        "assert furthest(everywhere()) <= UNITS\n"
        "test_an_inverse_root_of_what_has_none_is_what_division_and_root_say()\n"
        "test_an_inverse_length_is_an_inverse_root_but_zero_where_there_is_no_length()"
    )
    here = Path(__file__).parent
    older = {
        "NUMBA_CPU_NAME": "x86-64",
        "NUMBA_CPU_FEATURES": "+sse2",
        "PYTHONPATH": os.pathsep.join((IMPORT_PATH, str(here), str(here.parents[1]))),
    }
    done = subprocess.run([sys.executable, "-c", code], env=os.environ | older, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@numba.njit
def choose(bits, numbers, chosen):
    store(chosen, 0, 0, chosen_lanes(bits), load(numbers, 0, 0, chosen_lanes(bits)))


def test_lanes_are_chosen_bit_by_bit():
    numbers = np.arange(1.0, 9.0)[None]
    for bits in (0, 1, 0b101, 0x7F, 0x80, 0xFF):
        chosen = np.zeros((1, 8))
        choose(np.uint32(bits), numbers, chosen)
        assert (chosen[0] == [number if bits >> k & 1 else 0.0 for k, number in enumerate(numbers[0])]).all()
