"""Formulas: grown by the grammar, then damaged. An accepted one is evaluated, derived, written and read again."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from zlib import crc32

import numpy as np

from fuzz.case import Case, Target
from fuzz.damage import NUMBERS, ODD, damaged
from polhode.formulas.codegen import compile_expressions
from polhode.formulas.curve_checks import closure, derivatives, fault
from polhode.formulas.expression import CONSTANTS, FUNCTIONS
from polhode.formulas.parser import parse
from polhode.scene.problem import InvalidValue

TEXTS = ("0.1*sin(3*q)", "q^2 - 2*q + 1", "atan2(q, 2)", "max(q, min(1, -q))", "exp(-q^2)*log(q + 2)", "-2^-q/(1 + q)")
LEAVES = ("q", "q", "q", "x", *CONSTANTS, "0", "1", "-1", "2", "0.5", *NUMBERS)
WORDS = (*FUNCTIONS, *CONSTANTS, *"+-*/^(),", "**", "q", "x", "__import__", "lambda", "if", ".", "()", ";", *ODD)
Q = np.array([-1e300, -2.0, -1.0, -0.0, 0.0, 5e-324, 0.3, 1.0, np.pi, 1e9, np.inf, np.nan])
COMPILED = 400  # one formula of this number is compiled: its machine code stays in the process
CHECKED = 40  # one of this number is checked as a path


def bases() -> list[Case]:
    """Some formulas."""
    return [Case("formula.txt", text.encode()) for text in TEXTS]


def grown(chance: random.Random, depth: int) -> str:
    """A formula by the grammar."""
    if depth == 0 or chance.random() < 0.15:
        return chance.choice(LEAVES)
    one, other = grown(chance, depth - 1), grown(chance, depth - 1) if chance.random() < 0.7 else "q"
    name = chance.choice(list(FUNCTIONS))
    called = f"{name}({one}, {other})" if FUNCTIONS[name] == 2 else f"{name}({one})"
    return chance.choice((f"{one}{chance.choice('+-*/^')}{other}", f"({one})", f"-{one}", called, called))


def mutate(case: Case, known: Sequence[Case], chance: random.Random) -> Case:
    """A formula by the grammar, or a damaged one."""
    content = grown(chance, chance.randint(1, 6)).encode() if chance.random() < 0.6 else case.content
    if chance.random() < 0.6:
        content = damaged(content, [chance.choice(known).content], chance, WORDS)
    return Case("formula.txt", content)


def read(path: Path, content: bytes) -> str:
    """Parse, evaluate, derive, write and parse again; check some as paths, and compile some."""
    text, chosen = content.decode(errors="replace"), crc32(content)
    expression = parse(text, ["q", "x"])
    values = expression({"q": Q, "x": Q[:, None]})
    assert values.shape == (len(Q), len(Q))
    rate = expression.derivative("q")
    rate.derivative("q")({"q": Q, "x": 1.0})
    written = str(expression)
    if len(written) < 2000:
        again = parse(written, ["q", "x"])
        assert np.array_equal(again({"q": Q, "x": Q[:, None]}), values, equal_nan=True), (
            "it is another one when written"
        )
    if chosen % COMPILED == 0:
        compile_expressions([expression, rate], ["q", "x"])
    if chosen % CHECKED == 0 and "x" not in expression.names:
        return _checked(text)
    return "finite" if np.isfinite(values).all() else "not finite"


def _checked(text: str) -> str:
    """The label of a path with this formula for each of its coordinates."""
    texts, ends = (text, "q", "0"), (-1.0, 2.0)
    derivatives(text, "q")
    found = fault(texts, ends)
    if found is not None:
        raise InvalidValue(*found)
    return "closed" if closure(texts, ends).closed else "open"


TARGET = Target("formula", bases, mutate, read, goal=200_000, memory=2**30)
