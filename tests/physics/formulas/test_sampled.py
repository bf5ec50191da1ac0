"""Functions of samples: their values and derivatives beside numpy and scipy, and their machine code."""

from __future__ import annotations

from ctypes import CFUNCTYPE, POINTER, c_double

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from polhode.formulas.codegen import CompiledFormulas, compile_expressions, form_of
from polhode.formulas.expression import Expression
from polhode.formulas.parser import parse
from polhode.formulas.sampled import SampledFunction

RNG = np.random.default_rng(4)
KNOTS = np.cumsum(RNG.uniform(0.1, 1.0, 40)) - 5.0
VALUES = RNG.normal(size=40)
INSIDE = RNG.uniform(KNOTS[0], KNOTS[-1], 500)
EVERYWHERE = np.concatenate([INSIDE, KNOTS, KNOTS[0] - RNG.uniform(0, 3, 20), KNOTS[-1] + RNG.uniform(0, 3, 20)])
T = parse("t", ["t"])


def by_machine(code: CompiledFormulas, time: float, count: int) -> list[float]:
    """Results of compiled formulas of t."""
    call = CFUNCTYPE(None, *[POINTER(c_double)] * 3)(code.address)
    given, found = (c_double * 1)(time), (c_double * count)()
    call(given, code.numbers.ctypes.data_as(POINTER(c_double)), found)
    return list(found)


def test_straight_lines_are_those_of_numpy():
    f = SampledFunction.of_samples("f", KNOTS, VALUES, "linear")
    assert f(EVERYWHERE) == pytest.approx(np.interp(EVERYWHERE, KNOTS, VALUES), abs=1e-14)
    assert f(KNOTS) == pytest.approx(VALUES, abs=1e-15)
    slopes = np.diff(VALUES) / np.diff(KNOTS)
    assert f.derivative(0.5 * (KNOTS[1:] + KNOTS[:-1])) == pytest.approx(slopes)


def test_cubics_are_the_natural_spline_with_two_derivatives():
    f, twin = SampledFunction.of_samples("f", KNOTS, VALUES, "cubic"), CubicSpline(KNOTS, VALUES, bc_type="natural")
    for order in range(3):
        assert f(INSIDE) == pytest.approx(twin(INSIDE, order), rel=1e-11, abs=1e-11)
        f = f.derivative


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_outside_the_nearest_value_is_held(interpolation):
    f = SampledFunction.of_samples("f", KNOTS, VALUES, interpolation)
    assert f(np.array([-1e9, 1e9])) == pytest.approx(VALUES[[0, -1]])
    assert np.all(f.derivative(np.array([-1e9, 1e9])) == 0.0)


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
def test_machine_code_has_the_bits_of_numpy(interpolation):
    f = SampledFunction.of_samples("f", KNOTS, VALUES, interpolation)
    whole = Expression(2.5) * Expression(f, (T - Expression(0.25),)) + T
    parts = [whole, whole.derivative("t"), whole.derivative("t").derivative("t")]
    code = compile_expressions(parts, ["t"])
    for time in EVERYWHERE.tolist():
        assert by_machine(code, time, 3) == [float(part({"t": time})) for part in parts]


@pytest.mark.parametrize(
    "knots",
    [
        np.arange(1000) * 0.01,
        np.linspace(-3.0, 1.0, 2),
        np.arange(500) * 0.1 + RNG.uniform(-0.04, 0.04, 500),
        np.concatenate([np.linspace(0.0, 1.0, 100), np.linspace(50.0, 51.0, 100)]),
    ],
    ids=["equal", "two", "jitter", "gap"],
)
def test_machine_code_finds_the_piece_at_any_distances(knots):
    f = SampledFunction.of_samples("f", knots, RNG.normal(size=len(knots)), "cubic")
    code = compile_expressions([Expression(f, (T,))], ["t"])
    beside = np.concatenate([np.nextafter(knots, np.inf), np.nextafter(knots, -np.inf)])
    times = [*knots, *beside, *RNG.uniform(knots[0] - 1.0, knots[-1] + 1.0, 500), -np.inf, np.inf, -1e300, 1e300]
    with np.errstate(invalid="ignore", over="ignore"):
        assert [by_machine(code, time, 1)[0] for time in times] == [float(f(np.array(time))) for time in times]
    assert np.isnan(by_machine(code, np.nan, 1)[0])


def test_the_derivative_of_a_formula_is_that_of_differences():
    f = SampledFunction.of_samples("f", KNOTS, VALUES, "cubic")
    whole = Expression(f, (parse("sin(t)*t", ["t"]),)) * parse("t^2", ["t"])
    step = 1e-5
    for time in (0.3, 1.1, 2.7):
        by_differences = float(whole({"t": time + step}) - whole({"t": time - step})) / (2 * step)
        assert float(whole.derivative("t")({"t": time})) == pytest.approx(by_differences, rel=1e-6)


def test_samples_and_numbers_are_no_part_of_the_form():
    one = SampledFunction.of_samples("f", KNOTS, VALUES, "linear")
    other = SampledFunction.of_samples("g", KNOTS[:7], 2.0 * VALUES[:7], "cubic")
    forms = [form_of([Expression(gain) * Expression(f, (T,))], ["t"])[0] for gain, f in ((2.0, one), (3.0, other))]
    assert forms[0] == forms[1]
    assert one == SampledFunction.of_samples("h", KNOTS, VALUES, "linear")
    assert one != other


def test_an_argument_without_a_variable_is_evaluated_at_once():
    f = SampledFunction.of_samples("f", KNOTS, VALUES, "linear")
    code = compile_expressions([Expression(f, (Expression(0.5),)) + T], ["t"])
    assert len(code.numbers) == 1
    assert by_machine(code, 2.0, 1) == [float(f(np.array(0.5))) + 2.0]
