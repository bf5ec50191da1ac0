"""Formulas as immutable expression trees: evaluation by numpy, exact derivatives, conversion to text.

Trees share common parts, so that a second derivative grows only linearly. Algorithms work on the `program` of a tree,
in which every common part occurs once, without recursion.

The derivative of f(u, v) is f_u u' + f_v v', with the rules of PARTIAL for f_u and f_v:

    u v      v, u                     exp(u)    exp(u)                 asin(u)   1/sqrt(1 - u^2)
    u/v      1/v, -u/v^2              log(u)    1/u                    acos(u)   -1/sqrt(1 - u^2)
    u^v      v u^(v - 1), u^v log(u)  sqrt(u)   1/(2 sqrt(u))          atan(u)   1/(1 + u^2)
    sin(u)   cos(u)                   sinh(u)   cosh(u)                asinh(u)  1/sqrt(u^2 + 1)
    cos(u)   -sin(u)                  cosh(u)   sinh(u)                acosh(u)  1/(sqrt(u - 1) sqrt(u + 1))
    tan(u)   1/cos(u)^2               tanh(u)   1/cosh(u)^2            atanh(u)  1/(1 - u^2)
    abs(u)   sign(u)                  sign, floor   0                  atan2(u, v)   v, -u over u^2 + v^2

`min` and `max` have the derivative of the argument that they return. At a kink `abs`, `min` and `max` have the mean of
both sides; `sign` and `floor` have the derivative 0 also where they jump. Terms with u' = 0 or v' = 0 are left out, so
that u^2 needs no logarithm.

Operators simplify sums with 0, products with 0, 1 and -1, powers of 0 and 1, double signs, and operations on numbers
with a finite result; nothing else, so a formula that is undefined somewhere mostly stays so. Angles are in radians,
`log` is the natural logarithm.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import copysign, e, pi, tau
from typing import NamedTuple

import numpy as np

from polhode.formulas.sampled import SampledFunction

CONSTANTS = {"pi": pi, "e": e, "tau": tau}
"""Names that are numbers in every formula."""


Head = float | str | SampledFunction
"""A number, a name of a variable or an operation, or a function of samples."""


class Operation(NamedTuple):
    """A number, a name (no arguments), or an operation on the results of earlier steps, which are given by index."""

    head: Head
    arguments: tuple[int, ...]


@dataclass(frozen=True, eq=False)
class Expression:
    """A number, a variable (no arguments), or an operation on other expressions. Operators simplify.

    An operation is one of EVALUATED by its name, or a function of samples (core/polhode/formulas/sampled.py).

    Expressions with the same program are equal and have the same hash. A constant of CONSTANTS is kept by name.

        parse("q^2 + sin(q)", ["q"]).derivative("q")({"q": 0.5})    # 2 q + cos q
    """

    head: Head
    arguments: tuple[Expression, ...] = ()

    @cached_property
    def program(self) -> OperationList:
        """The steps of this expression alone; cached."""
        return program([self])

    @property
    def names(self) -> frozenset[str]:
        """The variables of the expression, without constants."""
        leaves = [head for head, arguments in self.program.steps if not arguments]
        return frozenset(head for head in leaves if isinstance(head, str) and head not in CONSTANTS)

    def __call__(self, values: Mapping[str, object]) -> np.ndarray:
        """Values for given variables: numbers or arrays, real or complex, of shapes that broadcast.

        The result has the shape of the broadcast variables and is read-only. Undefined values are nan or infinite.

            parse("a*q^2", ["a", "q"])({"a": 2.0, "q": np.linspace(0, 1, 5)})    # (5,)

        Raises KeyError for a variable without a value.
        """
        (result,) = self.program.results
        arrays = {name: np.asarray(value) * 1.0 for name, value in values.items()}
        shape = np.broadcast_shapes(*(array.shape for array in arrays.values()))
        return np.broadcast_to(self.program.values(arrays)[result], shape)

    def derivative(self, name: str) -> Expression:
        """Exact derivative by a variable, at a kink the mean of both sides. Cost and size: linear in the program."""
        found: dict[int, Expression] = {}
        for node in _in_order([self]):
            found[id(node)] = _derivative(node, name, found)
        return found[id(self)]

    def __eq__(self, other: object) -> bool:
        """Whether both have the same program: the same operations in the same order, constants included."""
        if not isinstance(other, Expression):
            return NotImplemented
        return hash(self) == hash(other) and self.program == other.program

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash(self.program)

    def __str__(self) -> str:
        """A text that the parser reads as an equal formula, with brackets only where they are needed."""
        texts: list[tuple[str, int]] = []
        for head, arguments in self.program.steps:
            texts.append(_written(head, [texts[k] for k in arguments]))
        return texts[self.program.results[0]][0]

    def __add__(self, other: Expression) -> Expression:
        if _is(self, 0.0) or _is(other, 0.0):
            return other if _is(self, 0.0) else self
        return self - other.arguments[0] if other.head == "neg" else _folded("+", self, other)

    def __sub__(self, other: Expression) -> Expression:
        if _is(self, 0.0) or _is(other, 0.0):
            return -other if _is(self, 0.0) else self
        return _folded("-", self, other)

    def __mul__(self, other: Expression) -> Expression:
        if _is(self, 0.0) or _is(other, 0.0):
            return ZERO
        if _is(self, 1.0) or _is(other, 1.0):
            return other if _is(self, 1.0) else self
        for one, another in ((self, other), (other, self)):
            if one.head == "neg" or _is(one, -1.0):
                return -((-one) * another)
        return _folded("*", self, other)

    def __truediv__(self, other: Expression) -> Expression:
        return self if _is(other, 1.0) else _folded("/", self, other)

    def __pow__(self, other: Expression) -> Expression:
        if _is(other, 0.0) or _is(other, 1.0):
            return ONE if _is(other, 0.0) else self
        return _folded("^", self, other)

    def __neg__(self) -> Expression:
        return self.arguments[0] if self.head == "neg" else _folded("neg", self)


class OperationList(NamedTuple):
    """Expressions as a list of steps without duplicates, and the indices of the steps of the expressions.

    The steps of "q*q + 1" are 1; q; * (1, 1); + (2, 0), and its result is step 3.
    """

    steps: tuple[Operation, ...]
    results: tuple[int, ...]

    def values(self, given: Mapping[str, np.ndarray]) -> list[np.ndarray]:
        """The result of every step, numbers or arrays; undefined ones are nan or infinite, as in numpy."""
        found: list[np.ndarray] = []
        with np.errstate(all="ignore"):
            for head, arguments in self.steps:
                if isinstance(head, float):
                    found.append(np.asarray(head))
                elif not arguments:
                    found.append(np.asarray(CONSTANTS[str(head)] if head in CONSTANTS else given[str(head)]))
                else:
                    found.append(np.asarray(evaluation(head)(*(found[k] for k in arguments))))
        return found


def program(expressions: Sequence[Expression]) -> OperationList:
    """The steps of several expressions together, each common part once and after its own parts."""
    steps: dict[Operation, int] = {}
    numbers: dict[int, int] = {}
    for node in _in_order(expressions):
        step = Operation(node.head, tuple(numbers[id(argument)] for argument in node.arguments))
        numbers[id(node)] = steps.setdefault(step, len(steps))
    return OperationList(tuple(steps), tuple(numbers[id(expression)] for expression in expressions))


def _in_order(expressions: Sequence[Expression]) -> list[Expression]:
    """All parts of expressions, each object once and after its own parts; iterative, for formulas of any depth."""
    order: dict[int, Expression] = {}
    waiting = list(reversed(expressions))
    while waiting:
        missing = [argument for argument in waiting[-1].arguments if id(argument) not in order]
        if missing:
            waiting += missing
        else:
            node = waiting.pop()
            order[id(node)] = node
    return list(order.values())


def _is(node: Expression, number: float) -> bool:
    """Whether an expression is this number."""
    return isinstance(node.head, float) and node.head == number


def _folded(operation: str, *arguments: Expression) -> Expression:
    """The operation, or its result where all its arguments are numbers and the result is finite."""
    heads = [argument.head for argument in arguments]
    if all(isinstance(head, float) for head in heads):
        with np.errstate(all="ignore"):
            result = float(np.asarray(EVALUATED[operation](*map(np.float64, heads))))  # type: ignore[arg-type]
        if np.isfinite(result):
            return Expression(result)
    return Expression(operation, arguments)


def _derivative(node: Expression, name: str, found: Mapping[int, Expression]) -> Expression:
    """The derivative of a node by the chain rule; `found` has those of its arguments, by identity."""
    inner = [found[id(argument)] for argument in node.arguments]
    if all(_is(rate, 0.0) for rate in inner):
        return ONE if node.head == name else ZERO
    if isinstance(node.head, SampledFunction):
        return Expression(node.head.derivative, node.arguments) * inner[0]
    total = ZERO
    for partial, rate in zip(PARTIAL[str(node.head)](*node.arguments), inner, strict=True):
        total = total + partial * rate
    return total


def function(name: str) -> Callable[..., Expression]:
    """A function of expressions that makes the operation `name`, evaluated at once for numbers."""
    return lambda *arguments: _folded(name, *arguments)


ZERO, ONE, TWO = Expression(0.0), Expression(1.0), Expression(2.0)
_sin, _cos, _sinh, _cosh = map(function, ("sin", "cos", "sinh", "cosh"))
_log, _sqrt, _sign = map(function, ("log", "sqrt", "sign"))

EVALUATED: dict[str, Callable[..., object]] = {
    "+": np.add,
    "-": np.subtract,
    "*": np.multiply,
    "/": np.divide,
    "^": np.power,
    "neg": np.negative,
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "atan2": np.arctan2,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "tanh": np.tanh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "exp": np.exp,
    "log": np.log,
    "sqrt": np.sqrt,
    "abs": np.abs,
    "sign": np.sign,
    "floor": np.floor,
    "min": np.minimum,
    "max": np.maximum,
}
"""The operations and functions of formulas, by their heads, as functions of numpy; "neg" is the sign before a value."""
FUNCTIONS = {
    name: 2 if name in ("atan2", "min", "max") else 1 for name in EVALUATED if name.isalnum() and name != "neg"
}
"""Functions that a formula may call, with the number of their arguments."""

PARTIAL: dict[str, Callable[..., tuple[Expression, ...]]] = {
    "+": lambda u, v: (ONE, ONE),
    "-": lambda u, v: (ONE, -ONE),
    "*": lambda u, v: (v, u),
    "/": lambda u, v: (ONE / v, -(u / v**TWO)),
    "^": lambda u, v: (v * u ** (v - ONE), u**v * _log(u)),
    "neg": lambda u: (-ONE,),
    "sin": lambda u: (_cos(u),),
    "cos": lambda u: (-_sin(u),),
    "tan": lambda u: (ONE / _cos(u) ** TWO,),
    "asin": lambda u: (ONE / _sqrt(ONE - u**TWO),),
    "acos": lambda u: (-(ONE / _sqrt(ONE - u**TWO)),),
    "atan": lambda u: (ONE / (ONE + u**TWO),),
    "atan2": lambda u, v: (v / (u**TWO + v**TWO), -(u / (u**TWO + v**TWO))),
    "sinh": lambda u: (_cosh(u),),
    "cosh": lambda u: (_sinh(u),),
    "tanh": lambda u: (ONE / _cosh(u) ** TWO,),
    "asinh": lambda u: (ONE / _sqrt(u**TWO + ONE),),
    "acosh": lambda u: (ONE / (_sqrt(u - ONE) * _sqrt(u + ONE)),),
    "atanh": lambda u: (ONE / (ONE - u**TWO),),
    "exp": lambda u: (function("exp")(u),),
    "log": lambda u: (ONE / u,),
    "sqrt": lambda u: (ONE / (TWO * _sqrt(u)),),
    "abs": lambda u: (_sign(u),),
    "sign": lambda u: (ZERO,),
    "floor": lambda u: (ZERO,),
    "min": lambda u, v: ((ONE + _sign(v - u)) / TWO, (ONE - _sign(v - u)) / TWO),
    "max": lambda u, v: ((ONE + _sign(u - v)) / TWO, (ONE - _sign(u - v)) / TWO),
}
"""Derivatives of each operation with respect to each of its arguments, from these arguments."""

BINDING = {"+": (1, 1, 2), "-": (1, 1, 2), "*": (2, 2, 3), "/": (2, 2, 3), "neg": (3, 3), "^": (4, 5, 3)}
"""How tightly an operation binds, and how tightly its operands must at least, for the text to need no brackets.

The parser reads by the same numbers.
"""


def evaluation(head: str | SampledFunction) -> Callable[..., object]:
    """The operation of a head, as a function of numpy."""
    return head if isinstance(head, SampledFunction) else EVALUATED[head]


def _written(head: Head, arguments: list[tuple[str, int]]) -> tuple[str, int]:
    """Text of an operation and how tightly it binds, from those of its arguments; see BINDING."""
    if isinstance(head, float):
        return repr(head).removesuffix(".0"), 5 if copysign(1.0, head) > 0 else 3
    if isinstance(head, SampledFunction) or head not in BINDING:
        inside = ", ".join(text for text, _ in arguments)
        return f"{head}({inside})" if arguments else str(head), 5
    own, *needed = BINDING[head]
    texts = [
        text if binding >= least else f"({text})" for (text, binding), least in zip(arguments, needed, strict=True)
    ]
    if head == "neg":
        return f"-{texts[0]}", own
    return f"{texts[0]}^{texts[1]}" if head == "^" else f"{texts[0]} {head} {texts[1]}", own
