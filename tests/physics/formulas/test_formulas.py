"""Formulas: what a text means, what is wrong with it, its derivatives, and the machine code that is made of it."""

from __future__ import annotations

import math
import time

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from meaning import Meaning, refuses

from polhode.formulas.codegen import compile_expressions
from polhode.formulas.expression import CONSTANTS, FUNCTIONS, PARTIAL, Expression
from polhode.formulas.parser import DEEPEST, LONGEST, FormulaError, parse
from polhode.jit.formula_calls import call_1_9, call_2_6
from polhode.jit.kernel import kernel

KNOWN = {name: getattr(math, name) for name in FUNCTIONS if hasattr(math, name)}
KNOWN |= {
    "abs": abs,
    "min": min,
    "max": max,
    "sign": lambda u: (u > 0) - (u < 0),
    "floor": lambda u: float(math.floor(u)),
}

numbers = st.floats(0.01, 50).map(lambda number: f"{number:.3g}")
leaves = st.one_of(numbers, st.sampled_from(["q", "x", "pi", "e", "tau"]))


def joined(inner):
    """Texts of one operation more."""
    infix = st.tuples(inner, st.sampled_from(["+", "-", "*", "/", "^", " + ", " -", "* "]), inner).map("".join)
    signed = st.tuples(st.sampled_from("+-"), inner).map("".join)
    bracket = inner.map(lambda text: f"( {text})")
    call = st.tuples(st.sampled_from(sorted(FUNCTIONS)), inner, inner).map(
        lambda parts: f"{parts[0]}({parts[1]}{', ' + parts[2] if FUNCTIONS[parts[0]] == 2 else ''})"
    )
    return st.one_of(infix, signed, bracket, call)


texts = st.recursive(leaves, joined, max_leaves=12).filter(lambda text: "+-" not in text)  # the sign of an uncertainty


def by_python(text: str, values: dict[str, float]) -> float:
    """The value as Python's own grammar has it, which agrees with ours but for the sign of a power."""
    return eval(text.replace("^", "**"), {"__builtins__": {}}, {**KNOWN, **CONSTANTS, **values})


@given(texts, st.floats(-3, 3), st.floats(-3, 3))
def test_a_text_means_what_it_means_elsewhere(text, q, x):
    assume(text.count("-") + text.count("+") + text.count("(") < 40)
    try:
        expected = by_python(text, {"q": q, "x": x})
    except (ArithmeticError, ValueError, TypeError):
        assume(False)  # Python stops where numpy says nan or inf, and has complex powers
    assume(not isinstance(expected, complex) and abs(expected) < 1e300)
    found = float(parse(text, ["q", "x"])({"q": q, "x": x}))
    # Both round alike but for libm's last digits, which nested powers enlarge.
    assert found == pytest.approx(expected, rel=1e-6, abs=1e-9) or not well_behaved(text, q, x)


def well_behaved(text, q, x):
    """Whether rounding at the start stays small to the end; floor, sign and tan of large numbers do not."""
    values = [float(parse(text, ["q", "x"])({"q": q * (1 + d), "x": x * (1 - d)})) for d in (-1e-13, 0, 1e-13)]
    return np.ptp(values) <= 1e-9 * (1 + abs(values[1]))


@given(texts)
def test_a_formula_written_out_is_the_same_formula(text):
    expression = parse(text, ["q", "x"])
    again = parse(str(expression), ["q", "x"])
    assert again == expression
    assert hash(again) == hash(expression)
    assert expression.names <= {"q", "x"}


@pytest.mark.parametrize("text", ["(-0)^q", "-(-0)^q", "(-2)^q", "q^(-0)", "q^-0", "2 - -0", "(-0)*q"])
def test_negative_numbers_are_written_with_their_sign(text):
    expression = parse(text, ["q"])
    again = parse(str(expression), ["q"])
    assert again.program == expression.program
    assert np.array_equal(np.signbit(again({"q": 1.0})), np.signbit(expression({"q": 1.0})))


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("-x^2", -9.0),
        ("2^3^2", 512.0),
        ("2^-x", 0.125),
        ("(-2)^2", 4.0),
        ("8/2/2", 2.0),
        ("8-2-2", 4.0),
        ("--x", 3.0),
        (".5e1 + 1.", 6.0),
        ("atan2(1, 0)", math.pi / 2),
        ("min(x, 2) + max(x, 2)", 5.0),
    ],
)
def test_signs_and_powers(text, value):
    assert parse(text, ["x"])({"x": 3.0}) == value


def test_arrays_and_constants_take_the_shape_of_the_variables():
    assert parse("2", ["q"])({"q": np.zeros((2, 3))}).tolist() == [[2.0] * 3] * 2
    assert parse("q + x", ["q", "x"])({"q": np.arange(3), "x": np.ones((2, 1))}).tolist() == [[1, 2, 3]] * 2


BAD = {
    "": (Meaning("", "empty"), 1),
    "sin(q)*": (Meaning("", "missing", column=8), 8),
    "q + (2": (Meaning("", "bracket", column=5), 5),
    "q)": (Meaning("", "bracket", shown=")", column=2), 2),
    "2q": (Meaning("", "follows", shown="q", column=2), 2),
    "q**2": (Meaning("", "follows", shown="*", column=3), 3),
    "sin q": (Meaning("", "function", name="sin", column=1), 1),
    "cso(q)": (Meaning("", "known", shown="cso", column=1), 1),
    "1 + ln(q)": (Meaning("", "known", shown="ln", column=5), 5),
    "atan2(q)": (Meaning("", count=1, name="atan2", column=1), 1),
    "sin(q, q)": (Meaning("", count=2, name="sin", column=1), 1),
    "sin()": (Meaning("", "expected", shown=")", column=5), 5),
    "1,5": (Meaning("", "function", shown=",", column=2), 2),
    "1e999": (Meaning("", "number", shown="1e999", column=1), 1),
    "q; q": (Meaning("", character=";", column=2), 2),
    "q.real": (Meaning("", character=".", column=2), 2),
    "__import__('os').system('true')": (Meaning("", character="'", column=12), 12),
    "__import__(q)": (Meaning("", "known", shown="__import__", column=1), 1),
    "[q for q in x]": (Meaning("", character="[", column=1), 1),
    "lambda: q": (Meaning("", character=":", column=7), 7),
    "q if q else q": (Meaning("", "follows", shown="if", column=3), 3),
    "q\x00": (Meaning("", character="\\x00", column=2), 2),
    "q\n+\u202e1": (Meaning("", character="\\u202e", column=4), 4),
    "(" * 10_000: (Meaning("", "characters", count=10000), LONGEST + 1),
    "(" * 1000 + "q" + ")" * 999: (Meaning("", "nested", most=DEEPEST, column=DEEPEST + 1), DEEPEST + 1),
    "-" * 1000 + "q": (Meaning("", "nested", most=DEEPEST, column=DEEPEST + 1), DEEPEST + 1),
    "q^" * 900 + "q": (Meaning("", "nested", most=DEEPEST, column=2 * DEEPEST + 1), 2 * DEEPEST + 1),
    "sin(" * 390 + "q" + ")" * 390: (
        Meaning("", "nested", most=DEEPEST, column=4 * DEEPEST + 1),
        4 * DEEPEST + 1,
    ),
}


@pytest.mark.parametrize("text", BAD, ids=range(len(BAD)))
def test_a_fault_is_named_with_its_column(text):
    rule, column = BAD[text]
    start = time.thread_time()
    with pytest.raises(FormulaError) as raised:
        parse(text, ["q", "x"])
    assert time.thread_time() - start < 1.0
    assert rule.of(raised.value)
    assert raised.value.column == column
    problem = raised.value.problem
    assert problem.remedy
    assert str(raised.value).split("; ", 1) == [problem.rule, problem.remedy]
    assert "\n" not in str(raised.value.problem)


@given(st.text(alphabet=st.sampled_from("qx0123456789.e+-*/^(), sincolgtaπ'_;\n\x1b"), max_size=40))
def test_any_text_is_a_formula_or_a_fault(text):
    try:
        place = 1 if np.isreal(parse(text, ["q", "x"])({"q": 1.0, "x": 2.0})) else 0
    except FormulaError as fault:
        place = fault.column
    assert 1 <= place <= len(text) + 1


def test_a_near_name_is_offered():
    with refuses("", near="cos", raised=FormulaError):
        parse("cso(q)", ["q"])
    with refuses("", near="asin", raised=FormulaError):
        parse("arcsin(q)", ["q"])
    with refuses("", near="q", raised=FormulaError):
        parse("Q", ["q"])


ANALYTIC = ["sin(q)", "cos(q)", "tan(q)", "asin(q)", "acos(q)", "atan(q)", "sinh(q)", "cosh(q)", "tanh(q)", "asinh(q)"]
ANALYTIC += ["acosh(1 + q)", "atanh(q)", "exp(q)", "log(q)", "sqrt(q)", "q^3", "q^-2.5", "2^q", "q^q", "-q", "q - 2*q"]
ANALYTIC += ["1/q", "q/(1 + q^2)", "sin(q)*exp(-q)/(2 + cos(q^2))", "log(sin(q)^2 + pi)", "((q + 1)^2)^0.5"]


@pytest.mark.parametrize("text", ANALYTIC)
def test_derivatives_agree_with_the_complex_step(text):
    """f'(q) = Im f(q + ih)/h: no difference is taken, so that nothing is lost but rounding."""
    expression, q, h = parse(text, ["q"]), np.linspace(0.1, 0.9, 9), 1e-30
    rate = expression.derivative("q")
    for of, derived in ((expression, rate), (rate, rate.derivative("q"))):
        exact = of({"q": q + 1j * h}).imag / h
        assert derived({"q": q}) == pytest.approx(exact, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize(
    "text", ["atan2(q, x)", "atan2(x, q^2)", "abs(q - 0.4)", "min(q, x^2)", "max(sin(q), x*q)", "sign(q)"]
)
@pytest.mark.parametrize("name", ["q", "x"])
def test_derivatives_agree_with_differences(text, name):
    expression, h = parse(text, ["q", "x"]), 1e-5
    values = {"q": np.linspace(0.13, 2, 7), "x": np.full(7, 0.7)}
    ahead, behind = ({**values, name: values[name] + sign * h} for sign in (1, -1))
    differences = (expression(ahead) - expression(behind)) / (2 * h)  # error h^2 f'''/6 and rounding 1e-16/h
    assert expression.derivative(name)(values) == pytest.approx(differences, abs=1e-8)


def test_every_function_has_a_derivative():
    assert FUNCTIONS.keys() <= PARTIAL.keys()
    assert {"floor", "sign"} == {
        name for name in FUNCTIONS if FUNCTIONS[name] == 1 and PARTIAL[name](Expression("q"))[0].head == 0
    }


def test_derivatives_of_long_formulas_stay_small():
    text = "*".join(["(1 + sin(q))"] * 140)
    expression = parse(text, ["q"])
    second = expression.derivative("q").derivative("q")
    assert len(second.program.steps) < 20 * len(text)
    deep = parse("sin(" * 50 + "q" + ")" * 50, ["q"]).derivative("q").derivative("q")
    assert len(deep.program.steps) < 1000
    assert deep({"q": 0.0}) == 0.0  # sin of sin ... is odd


@kernel
def nine(address, numbers, first, q):
    return call_1_9(address, numbers, first, q)


@kernel
def six(address, numbers, first, x, y):
    return call_2_6(address, numbers, first, x, y)


def same(found, expected):
    """To the last digits of libm; the exponents that are products differ from pow a little more."""
    return np.allclose(found, expected, rtol=1e-12, atol=1e-13, equal_nan=True)


FORMULAS = [f"{name}(q/3)" for name in FUNCTIONS if FUNCTIONS[name] == 1]
FORMULAS += [
    "atan2(q, 2)",
    "min(q, 1)",
    "max(0.5, q)",
    "q^7",
    "q^-3",
    "q^64",
    "q^65",
    "q^0.5",
    "2^q",
    "(-q)^3",
    "q^0",
    "q^1",
]
FORMULAS += ["-q + 2*pi - q/e", "7", "0/0", "1/(q - q)", "sqrt(-q)", "acosh(q + 1)", "2^3^q - cos(2)*tan(0.3)"]


@pytest.mark.parametrize("q", [-2.0, -0.3, 0.0, 0.7, 1.0, 2.9, math.nan])
def test_machine_code_agrees_with_numpy(q):
    expressions = [parse(text, ["q"]) for text in FORMULAS]
    for start in range(0, len(expressions), 3):
        chosen = [expressions[k % len(expressions)] for k in range(start, start + 9)]
        code = compile_expressions(chosen, ["q"])
        with np.errstate(all="ignore"):
            expected = [float(expression({"q": q})) for expression in chosen]
        assert same(nine(code.address, code.numbers, 0, q), expected)


@given(texts, texts, st.floats(-2, 2), st.floats(-2, 2))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_machine_code_of_two_variables_agrees_with_numpy(one, other, q, x):
    first, second = parse(one, ["q", "x"]), parse(other, ["q", "x"])
    chosen = [first, second, first.derivative("q"), first.derivative("x"), second.derivative("q"), first * second]
    code = compile_expressions(chosen, ["q", "x"])
    found = six(code.address, code.numbers, 0, q, x)
    for expression, value in zip(chosen, found, strict=True):
        nearby = [float(expression({"q": q * (1 + d), "x": x * (1 - d)})) for d in (-1e-13, 0.0, 1e-13)]
        if np.isfinite(nearby).all():  # what enlarges the rounding of its variables enlarges that of libm, too
            assert value == pytest.approx(nearby[1], rel=1e-12, abs=1e-12 + 100 * np.ptp(nearby))


def test_numbers_are_no_part_of_the_machine_code():
    circles = [
        compile_expressions([parse(f"{radius} * cos(q + 2*{radius})", ["q"])] * 9, ["q"]) for radius in (0.25, 3)
    ]
    assert circles[0].address == circles[1].address
    numbers = np.concatenate([code.numbers for code in circles])
    found = [nine(circles[0].address, numbers, first, 0.5)[0] for first in (0, len(circles[0].numbers))]
    assert found == pytest.approx([0.25 * math.cos(1.0), 3 * math.cos(6.5)], rel=1e-15)
    assert (
        compile_expressions([parse("q^2", ["q"])], ["q"]).address
        != compile_expressions([parse("q^3", ["q"])], ["q"]).address
    )
