"""Formulas as machine code, made by LLVM from their steps: no text is ever run, and a step costs no Python.

    code = native([f, g], ["x", "y"])        kernels: f, g = ...(code.address, code.numbers, 0, x, y)

What is compiled is the form of the formulas. The numbers that stand in them are handed over at the call, so that a
thousand circles are one function, and a form that was there once is never compiled again. Exponents that are small
whole numbers belong to the form: a power of that kind is a few products. Code lives as long as the process does.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from threading import Lock
from typing import Any, NamedTuple

import numpy as np
from llvmlite import binding, ir

from core.formulas.expression import CONSTANTS, EVALUATED, Expression, Step, program
from core.jit.formula_calls import FUNCTION, REAL

LARGEST_POWER = 64  # of those that are written out as products

# Operations that are instructions of the processor, or that LLVM knows best how to come by; the others are libm's.
INSTRUCTIONS = {"+": "fadd", "-": "fsub", "*": "fmul", "/": "fdiv", "neg": "fneg"}
INTRINSICS = {"abs": "fabs", "min": "minimum", "max": "maximum"} | {
    name: name for name in ("sin", "cos", "exp", "log", "sqrt", "floor")
}

_making = Lock()  # several threads may build scenes


class CompiledFormulas(NamedTuple):
    address: int  # of void f(const double *variables, const double *numbers, double *results)
    numbers: np.ndarray  # (k,) that stand in the formulas


class Form(NamedTuple):
    """Formulas without their numbers: what one machine code is for."""

    steps: tuple[Step, ...]  # heads: a variable, an operation, "number" (k,) or "power" (of which step, exponent)
    results: tuple[int, ...]
    variables: tuple[str, ...]


def compile_expressions(expressions: Sequence[Expression], variables: Sequence[str]) -> CompiledFormulas:
    """Machine code that writes the values of the expressions, and the numbers that it is to be handed."""
    form, numbers = form_of(expressions, variables)
    with _making:
        return CompiledFormulas(_engine(form).get_function_address("formulas"), np.array(numbers, dtype=float))


def form_of(expressions: Sequence[Expression], variables: Sequence[str]) -> tuple[Form, list[float]]:
    """Their form, and the numbers in it; parts without a variable count as numbers."""
    whole = program(expressions)
    known: list[float | None] = []
    for head, arguments in whole.steps:
        given = [known[k] for k in arguments]
        if not isinstance(head, str):
            known.append(head)
        elif not arguments:
            known.append(CONSTANTS.get(head))
        elif None in given:
            known.append(None)
        else:
            with np.errstate(all="ignore"):
                known.append(float(np.asarray(EVALUATED[head](*map(np.float64, given)))))
    return _numbered(whole.steps, whole.results, known, tuple(variables))


def _numbered(
    steps: tuple[Step, ...], results: tuple[int, ...], known: list[float | None], variables: tuple[str, ...]
) -> tuple[Form, list[float]]:
    """The form of the steps that the results need, `known` ones as numbers."""
    powers = {k: _whole_power(step, known) for k, step in enumerate(steps)}
    needed = set(results)
    for k in reversed(range(len(steps))):
        if k in needed and known[k] is None:
            needed.update(steps[k].arguments[:1] if powers[k] else steps[k].arguments)
    places: dict[int, int] = {}
    made: list[Step] = []
    numbers: list[float] = []
    for k in sorted(needed):
        value, (head, arguments) = known[k], steps[k]
        if value is not None:
            step = Step("number", (len(numbers),))
            numbers.append(value)
        elif powers[k]:
            step = Step("power", (places[arguments[0]], powers[k]))
        else:
            step = Step(head, tuple(places[argument] for argument in arguments))
        places[k] = len(made)
        made.append(step)
    return Form(tuple(made), tuple(places[k] for k in results), variables), numbers


def _whole_power(step: Step, known: list[float | None]) -> int:
    """The exponent of a power that is to be written out as products, or 0."""
    exponent = known[step.arguments[1]] if step.head == "^" else None
    small = exponent is not None and exponent == round(exponent, 0) and abs(exponent) <= LARGEST_POWER
    return int(exponent) if exponent is not None and small else 0


@cache
def _machine() -> Any:
    """Of this processor."""
    binding.initialize_native_target()
    binding.initialize_native_asmprinter()
    features = binding.get_host_cpu_features().flatten()
    target = binding.Target.from_default_triple()
    return target.create_target_machine(binding.get_host_cpu_name(), features, opt=3, jit=True)


@cache
def _engine(form: Form) -> Any:
    """What holds the machine code of a form."""
    machine = _machine()
    module = ir.Module("formulas")
    module.triple = binding.get_process_triple()
    _write(module, form)
    made = binding.parse_assembly(str(module))
    made.verify()
    passes = binding.create_pass_builder(machine, binding.create_pipeline_tuning_options(speed_level=2))
    passes.getModulePassManager().run(made, passes)
    engine = binding.create_mcjit_compiler(made, machine)
    engine.finalize_object()
    return engine


def _write(module: ir.Module, form: Form) -> None:
    """The function of a form, step by step, as an addition to the module."""
    made = ir.Function(module, FUNCTION, "formulas")
    variables, numbers, results = made.args
    results.add_attribute("noalias")
    builder = ir.IRBuilder(made.append_basic_block())

    def loaded(array: Any, k: int) -> Any:
        return builder.load(builder.gep(array, [ir.IntType(64)(k)], inbounds=True))

    values: list[Any] = []
    for head, arguments in form.steps:
        if head == "number":
            values.append(loaded(numbers, arguments[0]))
        elif not arguments:
            values.append(loaded(variables, form.variables.index(str(head))))
        elif head == "power":
            values.append(_power(builder, values[arguments[0]], arguments[1]))
        else:
            values.append(_operation(builder, str(head), [values[k] for k in arguments]))
    for k, step in enumerate(form.results):
        builder.store(values[step], builder.gep(results, [ir.IntType(64)(k)], inbounds=True))
    builder.ret_void()


def _power(builder: Any, base: Any, exponent: int) -> Any:
    """base^exponent by repeated squaring."""
    result, square, left = None, base, abs(exponent)
    while left:
        if left & 1:
            result = square if result is None else builder.fmul(result, square)
        left >>= 1
        square = builder.fmul(square, square) if left else square
    return builder.fdiv(REAL(1.0), result) if exponent < 0 else result


def _operation(builder: Any, name: str, values: list[Any]) -> Any:
    if name in INSTRUCTIONS:
        return getattr(builder, INSTRUCTIONS[name])(*values)
    if name == "sign":
        above, below = (builder.fcmp_ordered(side, values[0], REAL(0.0)) for side in "><")
        signed = builder.fsub(builder.uitofp(above, REAL), builder.uitofp(below, REAL))
        return builder.select(builder.fcmp_unordered("uno", values[0], values[0]), values[0], signed)
    symbol = f"llvm.{INTRINSICS[name]}.f64" if name in INTRINSICS else LIBRARY.get(name, name)
    kind = ir.FunctionType(REAL, [REAL] * len(values))
    known = builder.module.globals.get(symbol)
    return builder.call(known or ir.Function(builder.module, kind, symbol), values)


LIBRARY = {"^": "pow"}
