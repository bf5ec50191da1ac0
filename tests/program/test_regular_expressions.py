"""Every regular expression of the program takes a time in proportion to its input, whatever stands there.

All are collected from the sources, with the methods that they are called by. The inputs are made from the expression
itself: what one of its repetitions takes, thousands of times, after what may come before it, and before what does not
fit; each of its characters, and each pair, thousands of times.
"""

from __future__ import annotations

import ast
import importlib
import re
import re._constants as op
import re._parser as parser
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from itertools import islice, pairwise, product
from pathlib import Path
from time import thread_time
from typing import Any

import pytest
from sampling import sampled
from sources import nodes_of, tree_of

ROOT = Path(__file__).parents[2]
METHODS = ("match", "search", "fullmatch", "sub", "subn", "split", "findall", "finditer")
PASSED = ("match",)  # by functions that take an expression as argument
LENGTH = 4000  # characters, for which a quadratic expression takes some 40 ms and a linear one 0.1 ms
QUICK = 0.004  # [s] for LENGTH characters, which no quadratic expression reaches
GROWTH = 2.8  # of the time for twice the length: 2 for a linear expression, 4 for a quadratic one
FOREIGN = ("", "\x01", " ", "x", "\nx", "x\nx")  # what follows, and does not fit most expressions
MOST_SAMPLES = 6  # of one part of an expression
REPEATS = (op.MAX_REPEAT, op.MIN_REPEAT, op.POSSESSIVE_REPEAT)
OF_CATEGORY = {op.CATEGORY_DIGIT: "1", op.CATEGORY_SPACE: " ", op.CATEGORY_WORD: "a1"}


@dataclass(frozen=True)
class Use:
    """A regular expression, the method it is called by, and where it is written."""

    place: str
    pattern: re.Pattern
    method: str

    def __str__(self) -> str:
        return f"{self.place}: {self.method}: {self.pattern.pattern!r}"


class _Sample(ast.NodeTransformer):
    """Puts a letter in place of the values in an f-string."""

    def visit_FormattedValue(self, node: ast.FormattedValue) -> ast.AST:
        return ast.Constant("x")


def _is_of_re(node: ast.AST, methods: Iterable[str]) -> bool:
    function = getattr(node, "func", None)
    return isinstance(function, ast.Attribute) and function.attr in methods and ast.unparse(function.value) == "re"


def _compiled(call: ast.Call, names: dict[str, Any]) -> re.Pattern:
    """The expression of a call of `re`; `names`: those of its module."""
    assert isinstance(call.func, ast.Attribute)
    given = {each.arg: each.value for each in call.keywords}
    first = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(call.func.attr, 2)  # index of the flags
    flags = given.get("flags", call.args[first] if len(call.args) > first else ast.Constant(0))
    nodes = [
        ast.fix_missing_locations(ast.Expression(node)) for node in (_Sample().visit(deepcopy(call.args[0])), flags)
    ]
    return re.compile(*(eval(compile(node, "", "eval"), names) for node in nodes))


def uses(*folders: str) -> Iterator[Use]:
    """All uses of regular expressions in the sources below `folders`."""
    trees = {path: tree_of(path) for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))}
    called: dict[str, set[str]] = {}  # methods by the last name of what they are called of
    for node in (node for path in trees for node in nodes_of(path)):
        if isinstance(node, ast.Attribute) and node.attr in METHODS:
            called.setdefault(ast.unparse(node.value).split(".")[-1], set()).add(node.attr)
    for path, tree in trees.items():
        file = path.relative_to(ROOT)
        nodes = nodes_of(path)
        if not any(isinstance(node, ast.Import) and node.names[0].name == "re" for node in nodes):
            continue
        names = vars(importlib.import_module(".".join(file.with_suffix("").parts[1:])))
        for node in nodes:
            if _is_of_re(node, METHODS):
                yield Use(f"{file}:{node.lineno}", _compiled(node, names), node.func.attr)
            elif isinstance(node, ast.Attribute) and node.attr in METHODS and _is_of_re(node.value, ["compile"]):
                yield Use(f"{file}:{node.lineno}", _compiled(node.value, names), node.attr)
        compiled = [node for node in nodes if _is_of_re(node, ["compile"])]
        direct = [node for node in nodes if isinstance(node, ast.Attribute) and node.value in compiled]
        kept = {name for node in nodes if isinstance(node, ast.Name) and (name := node.id) and name in names}
        constants = [name for name in sorted(kept) if isinstance(names[name], re.Pattern) and _is_made_in(tree, name)]
        assert len(compiled) == len(direct) + len(constants), f"{file}: name every compiled expression at its top"
        yield from (
            Use(f"{file}:{name}", names[name], method)
            for name in constants
            for method in sorted(called.get(name, PASSED))
        )


def _is_made_in(tree: ast.Module, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Store) for node in ast.walk(tree)
    )


# Inputs


def _characters(item: tuple) -> str:
    """Some characters that one item of a class matches."""
    kind, value = item
    if kind is op.LITERAL:
        return chr(value)
    if kind is op.RANGE:
        return chr(value[0])
    return OF_CATEGORY.get(value, "-x") if kind is op.CATEGORY else ""


def samples(tree: Iterable[tuple]) -> list[str]:
    """Texts that a sequence of a parsed expression takes, some of the shortest."""
    found = [""]
    for kind, value in tree:
        found = list(islice((f"{before}{after}" for before, after in product(found, _of(kind, value))), MOST_SAMPLES))
    return found


def _of(kind: Any, value: Any) -> list[str]:
    if kind is op.LITERAL:
        return [chr(value)]
    if kind is op.IN:
        if value[0][0] is op.NEGATE:
            taken = "".join(map(_characters, value[1:]))
            return [each for each in 'x1 ."' if each not in taken][:3] or ["\x02"]
        return list(dict.fromkeys("".join(map(_characters, value))))[:MOST_SAMPLES]
    if kind in (op.ANY, op.NOT_LITERAL):
        return ["x", " ", "/"] if kind is op.ANY else [chr(value + 1)]
    if kind is op.BRANCH:
        return [each for branch in value[1] for each in samples(branch)][:MOST_SAMPLES]
    if kind in REPEATS:
        return [each * value[0] for each in samples(value[2])] if value[0] else ["", *samples(value[2])]
    if kind is op.SUBPATTERN:
        return samples(value[-1])
    return samples(value) if kind is op.ATOMIC_GROUP else [""]


def repetitions(tree: Iterable[tuple], before: tuple[str, ...] = ("",)) -> Iterator[tuple[str, str]]:
    """Texts before a repetition of a parsed expression, and texts that it takes; also of nested ones."""
    for kind, value in tree:
        inner = {op.SUBPATTERN: -1, op.MAX_REPEAT: 2, op.MIN_REPEAT: 2, op.POSSESSIVE_REPEAT: 2}.get(kind)
        if kind in REPEATS and value[1] > 1:
            yield from product(before, samples(value[2]))
        if kind is op.BRANCH:
            for branch in value[1]:
                yield from repetitions(branch, before)
        elif kind is op.ATOMIC_GROUP:
            yield from repetitions(value, before)
        elif inner is not None:
            yield from repetitions(value[inner], before)
        before = tuple(islice((a + b for a, b in product(before, _of(kind, value))), MOST_SAMPLES))


def inputs(pattern: re.Pattern, length: int) -> list[str]:
    """Long inputs for an expression, of some `length` characters each."""
    text = pattern.pattern if isinstance(pattern.pattern, str) else pattern.pattern.decode("latin-1")
    tree = parser.parse(text, pattern.flags & ~re.UNICODE)
    found = list(repetitions(tree))
    pieces = [piece for pair in found for piece in (*pair, "".join(pair))] + samples(tree) + [" ", "1", "x"]
    short = [piece for piece in dict.fromkeys(pieces) if piece]
    long = [before + piece * (length // len(piece)) for before, piece in found if piece]
    long += [piece * (length // len(piece)) for piece in short]
    long += [(one + other) * (length // len(one + other)) for one, other in pairwise(short)]
    halves = list(dict.fromkeys(piece for _, piece in found if piece))[:8]
    long += [a * (length // 2 // len(a)) + b * (length // 2 // len(b)) for a, b in product(halves, halves) if a != b]
    return [each + end for each in long for end in FOREIGN]


def seconds(use: Use, text: str) -> float:
    """Processor time of one call."""
    given = text if isinstance(use.pattern.pattern, str) else text.encode("latin-1", "replace")
    call = getattr(use.pattern, use.method)
    began = thread_time()
    found = call(type(given)(), given) if use.method in ("sub", "subn") else call(given)
    if use.method == "finditer":
        all(found)
    return thread_time() - began


def slow_input(use: Use) -> str:
    """An input for which the time grows faster than its length, in short, or ""."""
    texts = inputs(use.pattern, LENGTH)
    for text in dict.fromkeys(texts):
        if seconds(use, text) > QUICK and (once := min(seconds(use, text) for _ in range(3))) > QUICK:
            longer = inputs(use.pattern, 2 * LENGTH)[texts.index(text)]
            if min(seconds(use, longer) for _ in range(3)) > GROWTH * once:
                return f"{text[:40]!r}...{text[-3:]!r} takes {once:.3f} s"
    return ""


@pytest.mark.nightly
def test_expressions_take_time_in_proportion_to_their_inputs():
    all_uses = dict.fromkeys(uses("core", "app"))
    assert len(all_uses) > 50
    assert [f"{use}: {found}" for use in all_uses if (found := slow_input(use))] == []


@pytest.mark.parametrize(
    ("pattern", "method"),
    sampled(
        [
            (r"[-+]?(\d+\.?\d*|\.\d+)", "fullmatch"),
            (r"\d+$", "search"),
            (r"(.*?)\s*/\s*(\S+)", "fullmatch"),
            (r"<[^>]*>", "sub"),
            (r"endsolid[^\n]*\s*$", "search"),
            (r"\s*\([^()]*\)$", "search"),
            (r"1\s*(.*)", "fullmatch"),
        ],
        3,
    ),
)
def test_quadratic_expressions_are_found(pattern: str, method: str):
    assert slow_input(Use("", re.compile(pattern), method))
