"""Formulas as modules of WebAssembly, run by wasmtime: the bits of their machine code, and nothing imported in vain."""

from __future__ import annotations

import math
from ctypes import CFUNCTYPE, POINTER, c_double

import numpy as np
import pytest
import wasmtime
from hypothesis import given, settings
from hypothesis import strategies as st

from polhode.formulas.codegen import CompiledFormulas, compile_expressions, form_of
from polhode.formulas.expression import FUNCTIONS, Expression
from polhode.formulas.parser import parse
from polhode.formulas.sampled import SampledFunction
from polhode.formulas.web_assembly import functions_of, module_of
from polhode.jit.libm.by_name import BY_NAME, name_of_unit

NAMES = ("x", "y")
NUMBERS, RESULTS = 1024, 512  # addresses in the memory of a module; the variables are at 0


class Module:
    """The module of formulas of x and y, with a memory of its own and the functions of the C library."""

    def __init__(self, expressions: list[Expression]):
        form, numbers = form_of(expressions, NAMES)
        self.form, self.bytes, self.count = form, module_of(form), len(expressions)
        self.store = wasmtime.Store()
        module = wasmtime.Module(self.store.engine, self.bytes)
        pages = -(-(NUMBERS + numbers.nbytes) // 65536)
        self.memory = wasmtime.Memory(self.store, wasmtime.MemoryType(wasmtime.Limits(pages, None)))
        self.memory.write(self.store, numbers.tobytes(), NUMBERS)
        self.imported = [(each.module, each.name) for each in module.imports]
        given = [
            self.memory if each.name == "memory" else wasmtime.Func(self.store, each.type, self.kernel(each.name))
            for each in module.imports
        ]
        self.call = wasmtime.Instance(self.store, module, given).exports(self.store)["formulas"]

    def kernel(self, name: str):
        """An elementary function, which writes its result behind its first argument."""
        function = next(each for key, each in BY_NAME.items() if name_of_unit(key) == name)

        def call(result: int, _error: int, *values: float) -> int:
            self.memory.write(self.store, np.float64(function(*values)).tobytes(), result)
            return 0

        return call

    def __call__(self, x: float, y: float = 0.0) -> np.ndarray:
        """Results (n,) at x and y."""
        self.memory.write(self.store, np.array([x, y]).tobytes(), 0)
        self.call(self.store, 0, NUMBERS, RESULTS)
        return np.frombuffer(bytes(self.memory.read(self.store, RESULTS, RESULTS + 8 * self.count)))


def natively(code: CompiledFormulas, count: int, x: float, y: float = 0.0) -> np.ndarray:
    """Results (n,) of machine code at x and y."""
    call = CFUNCTYPE(None, *[POINTER(c_double)] * 3)(code.address)
    found = (c_double * count)()
    call((c_double * 2)(x, y), code.numbers.ctypes.data_as(POINTER(c_double)), found)
    return np.array(found)


def same_bits(found: np.ndarray, expected: np.ndarray) -> bool:
    """Whether all bits agree; of what is not a number, that it is none: processors differ in its sign."""
    both = np.isnan(found) & np.isnan(expected)
    return bool(np.all(both | (found.view(np.int64) == expected.view(np.int64))))


def of_call(name: str) -> str:
    """Text of a call of a function of formulas."""
    return f"{name}(x, y)" if FUNCTIONS[name] == 2 else f"{name}(x)"


TEXTS = [*map(of_call, FUNCTIONS), "x + y", "x - y", "x*y", "x/y", "-x", "x^y", "x^0.5", "2^x", "x*y - 3*x*y/7"]
TEXTS += [f"x^{n}" for n in (1, 2, 3, 7, 13, 64, -1, -2, -5, 65)]
SPECIAL = [0.0, -0.0, 1.0, -1.0, 0.3, -2.5, 1e-300, 1e300, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("text", TEXTS)
def test_each_operation_has_the_bits_of_machine_code(text):
    expressions = [parse(text, NAMES)]
    module, code = Module(expressions), compile_expressions(expressions, NAMES)
    for x in SPECIAL:
        for y in SPECIAL:
            assert same_bits(module(x, y), natively(code, 1, x, y)), (x, y)


atoms = st.sampled_from(["x", "y", "2", "0.7", "pi"])
texts = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.tuples(inner, st.sampled_from("+-*/^"), inner).map(lambda t: f"({t[0]} {t[1]} {t[2]})"),
        st.tuples(st.sampled_from(["sin", "cos", "exp", "log", "sqrt", "abs", "sign", "tanh"]), inner).map(
            lambda t: f"{t[0]}({t[1]})"
        ),
        st.tuples(inner, st.integers(-6, 9)).map(lambda t: f"({t[0]})^({t[1]})"),
    ),
    max_leaves=12,
)


@given(texts, texts, st.lists(st.tuples(st.floats(-3, 3), st.floats(-3, 3)), min_size=1, max_size=8))
@settings(max_examples=25, deadline=None, derandomize=True)
def test_formulas_and_their_derivatives_have_the_bits_of_machine_code(one, other, places):
    first, second = parse(one, NAMES), parse(other, NAMES)
    expressions = [first, second, first.derivative("x"), first.derivative("y"), second.derivative("x"), first * second]
    module, code = Module(expressions), compile_expressions(expressions, NAMES)
    for x, y in places:
        assert same_bits(module(x, y), natively(code, len(expressions), x, y))


@pytest.mark.parametrize("interpolation", ["linear", "cubic"])
@pytest.mark.parametrize("count", [2, 3, 40, 20000])
def test_functions_of_samples_have_the_bits_of_machine_code(interpolation, count):
    rng = np.random.default_rng(count)
    knots = np.cumsum(rng.uniform(0.1, 1.0, count)) - 3.0
    one, other = (SampledFunction.of_samples("f", knots, rng.normal(size=count), interpolation) for _ in range(2))
    x, y = parse("x", NAMES), parse("y", NAMES)
    whole = Expression(2.5) * Expression(one, (x - Expression(0.25),)) + Expression(other, (y,))
    expressions = [whole, whole.derivative("x"), whole.derivative("x").derivative("x")]
    module, code = Module(expressions), compile_expressions(expressions, NAMES)
    inside = rng.uniform(knots[0] - 1.0, knots[-1] + 1.0, 200)
    for place in [*inside.tolist(), *knots[:3].tolist(), *knots[-3:].tolist(), -1e9, 1e9, math.nan]:
        assert same_bits(module(place, -place), natively(code, 3, place, -place)), place


def test_a_module_imports_memory_and_the_functions_that_it_calls():
    module = Module([parse("sin(x) + x^y", NAMES), parse("sin(x)*sqrt(abs(y))^3", NAMES)])
    sine, power = name_of_unit("sin"), name_of_unit("^")
    assert sorted(module.imported) == [("env", "memory"), ("env", power), ("env", sine)]
    assert functions_of(module.form) == {sine: 1, power: 2}
    assert len(Module([parse("x", NAMES)]).imported) == 1


def test_a_module_of_many_steps_is_a_few_bytes_for_each():
    """Indices above 127 take several bytes."""
    x, y = parse("x", NAMES), parse("y", NAMES)
    terms = [Expression(float(k)) * x * parse(f"sin(y + {k})", NAMES) for k in range(2, 2002)]
    long = sum(terms, start=y)
    module, code = Module([long]), compile_expressions([long], NAMES)
    assert len(module.form.steps) > 8000
    assert len(module.bytes) < 16 * len(module.form.steps)
    assert same_bits(module(0.3, 1.7), natively(code, 1, 0.3, 1.7))
