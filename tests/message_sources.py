"""The sentences that the program can say about an input, read from its sources.

A sentence has {0}, {1} ... for what only a run knows. Texts are followed through assignments, choices, sums and
functions of the sources; what is not followed is a place to be filled in.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from functools import cache
from itertools import product
from math import prod
from pathlib import Path

PLACE = "\0"  # what only a run knows
DEEP = 12  # calls and assignments that are followed
MANY = 24  # texts of one expression that are told apart
SAYS = {"Problem": (1, 2), "Damaged": (0, 1), "FormulaError": (0, 1), "ValueError": (0,), "__init__": (0,)}
"""Where sentences go: which arguments they are. Functions that hand theirs on to these are found."""
NOTES = ("notes.append", "self._end", "log.warning", "log.exception")  # what was mended, why something has ended

Texts = set[str] | None  # None: not known at all
Scope = dict[str, "Texts | Callable[[int], Texts]"]


class Sources:
    """Syntax trees of modules by their names."""

    def __init__(self, files: dict[str, str]):
        self.trees = {name: ast.parse(text) for name, text in files.items()}
        self._every = {
            name: [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
            for name, tree in self.trees.items()
        }
        self._functions = {name: {each.name: each for each in every} for name, every in self._every.items()}
        self._constants = {name: dict(_constants(tree)) for name, tree in self.trees.items()}
        self._imported = {name: dict(_imports(tree)) for name, tree in self.trees.items()}
        self._says: dict[tuple[str, str], tuple[int, ...]] = {}
        for _ in range(3):
            for module in self.trees:
                self._find_hands(module)

    def sentences(self) -> dict[str, str]:
        """Every sentence, with a module that says it; rule and remedy of one text are two."""
        found = {}
        for module in self.trees:
            for text in self._said_in(module):
                for part in text.split("; "):
                    whole = numbered(part)
                    if re.search("[a-z] |[a-z]: | [a-z]", whole):
                        found.setdefault(whole, module)
        return found

    # Where sentences go

    def _find_hands(self, module: str) -> None:
        """Functions that take a sentence as an argument."""
        for function in self._every[module]:
            names = _arguments(function)
            for call in _calls(function):
                wanted = [call.args[i] for i in self._places(call, module) if i < len(call.args)]
                taken = tuple(
                    names.index(each.id) for each in wanted if isinstance(each, ast.Name) and each.id in names
                )
                if taken and not function.name.startswith("__"):
                    self._says[module, function.name] = taken

    def _places(self, call: ast.Call, module: str) -> tuple[int, ...]:
        """Which arguments of a call are sentences."""
        name = _called(call)
        homes = (module, self._imported[module].get(name, ""))
        own = [self._says[home, name] for home in homes if (home, name) in self._says]
        others = [places for (_, other), places in self._says.items() if other == name]
        method = isinstance(call.func, ast.Attribute)
        return SAYS.get(name) or next(iter(own), ()) or (others[0] if method and len(set(others)) == 1 else ())

    def _said_in(self, module: str) -> Iterator[str]:
        for function in self._every[module]:
            scope = self._scope(function, module)
            for call in _calls(function):
                for texts in self._said_by(call, scope, module):
                    yield from texts or ()
            for node in _own(function):
                if isinstance(node, ast.List) and all(isinstance(each, ast.JoinedStr) for each in node.elts):
                    for each in node.elts:  # notes, all at once
                        yield from self.texts(each, scope, module) or ()

    def _said_by(self, call: ast.Call, scope: Scope, module: str) -> Iterator[Texts]:
        if ast.unparse(call.func) in NOTES and call.args:
            texts = self.texts(call.args[0], scope, module)
            yield {text.replace("%s", PLACE) for text in texts} if texts else None
        places = self._places(call, module)
        if not places:
            return
        given: list[Texts] = []
        for argument in call.args:
            if isinstance(argument, ast.Starred):
                given.extend(self._columns(argument.value, scope, module))
            else:
                given.append(self.texts(argument, scope, module))
        yield from (given[i] for i in places if i < len(given))

    # What an expression can be

    def texts(self, node: ast.expr, scope: Scope, module: str, depth: int = 0) -> Texts:
        """The texts that an expression can be."""
        if depth > DEEP:
            return None
        match node:
            case ast.Constant(value=str(text)):
                return {text}
            case ast.JoinedStr(values=parts):
                return _joined([self._part(part, scope, module, depth) for part in parts])
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return _joined([self.texts(side, scope, module, depth + 1) for side in (left, right)])
            case ast.BinOp(left=left, op=ast.Mult()):  # a text or nothing
                texts = self.texts(left, scope, module, depth + 1)
                return None if texts is None else texts | {""}
            case ast.IfExp(body=one, orelse=other):
                return _either([self.texts(each, scope, module, depth + 1) for each in (one, other)])
            case ast.BoolOp(values=values):
                return _either([self.texts(each, scope, module, depth + 1) for each in values])
            case ast.Name(id=name):
                return self._named(name, scope, module, depth)
            case ast.Call():
                return self._returned(node, scope, module, depth)
        return None

    def _part(self, part: ast.expr, scope: Scope, module: str, depth: int) -> Texts:
        """A piece of a formatted text; what is formatted as a number is none."""
        if isinstance(part, ast.FormattedValue):
            plain = part.format_spec is None and part.conversion == -1
            return self.texts(part.value, scope, module, depth + 1) if plain else None
        return self.texts(part, scope, module, depth)

    def _named(self, name: str, scope: Scope, module: str, depth: int) -> Texts:
        if name in scope:
            known = scope[name]
            return known(depth + 1) if callable(known) else known
        if name in self._constants[module]:
            return self.texts(self._constants[module][name], {}, module, depth + 1)
        home = self._imported[module].get(name)
        return self._named(name, {}, home, depth + 1) if home in self.trees and depth < DEEP else None

    def _function(self, call: ast.Call, module: str) -> tuple[ast.FunctionDef, str] | None:
        """The function of the sources that is called, and its module."""
        name = _called(call)
        for home in (module, self._imported[module].get(name, "")):
            if name in self._functions.get(home, {}):
                return self._functions[home][name], home
        return None

    def _entered(self, call: ast.Call, scope: Scope, module: str, depth: int) -> tuple[list[ast.expr], Scope, str]:
        """What a called function can return, and the names that it knows there."""
        found = self._function(call, module)
        if found is None or depth > DEEP:
            return [], {}, module
        function, home = found
        inner = self._scope(function, home)
        for name, argument in zip(_arguments(function), call.args, strict=False):
            inner[name] = self.texts(argument, scope, module, depth + 1)
        returned = [node.value for node in _own(function) if isinstance(node, ast.Return) and node.value is not None]
        return returned, inner, home

    def _returned(self, call: ast.Call, scope: Scope, module: str, depth: int) -> Texts:
        returned, inner, home = self._entered(call, scope, module, depth)
        return _either([self.texts(each, inner, home, depth + 1) for each in returned])

    def _columns(self, node: ast.expr, scope: Scope, module: str, depth: int = 0) -> list[Texts]:
        """The texts of each place of a tuple."""
        rows = self._rows(node, scope, module, depth)
        columns = [[row[i] for row in rows if i < len(row)] for i in range(max(map(len, rows), default=0))]
        return [_either(column) for column in columns]

    def _rows(self, node: ast.expr, scope: Scope, module: str, depth: int) -> list[list[Texts]]:
        """The tuples that an expression can be."""
        match node:
            case ast.Tuple(elts=elements):
                return [[self.texts(each, scope, module, depth + 1) for each in elements]]
            case ast.IfExp(body=one, orelse=other):
                return [row for each in (one, other) for row in self._rows(each, scope, module, depth + 1)]
            case ast.Call():
                returned, inner, home = self._entered(node, scope, module, depth)
                return [row for each in returned for row in self._rows(each, inner, home, depth + 1)]
        return []

    def _scope(self, function: ast.FunctionDef, module: str) -> Scope:
        """What each name in a function can be; it is looked for when somebody asks."""
        scope: Scope = dict.fromkeys(_arguments(function))
        given: dict[str, list[tuple[ast.expr, int | None]]] = {}
        for node in _own(function):
            for target, value in _assigned(node):
                pairs = [(target, value, None)]
                if isinstance(target, ast.Tuple):
                    whole = isinstance(value, ast.Tuple) and len(value.elts) == len(target.elts)
                    pairs = [
                        (each, value.elts[i], None) if whole else (each, value, i) for i, each in enumerate(target.elts)
                    ]
                for name, one, place in pairs:
                    if isinstance(name, ast.Name):
                        given.setdefault(name.id, []).append((one, place))
        scope.update({name: self._later(values, scope, module) for name, values in given.items()})
        return scope

    def _later(self, values: list[tuple[ast.expr, int | None]], scope: Scope, module: str) -> Callable[[int], Texts]:
        """What a name can be, which may be itself and something more."""
        busy = False

        def look(depth: int) -> Texts:
            nonlocal busy
            if busy:
                return None
            busy = True
            found = []
            for value, place in values:
                if place is None:
                    found.append(self.texts(value, scope, module, depth))
                else:
                    columns = self._columns(value, scope, module, depth)
                    found.append(columns[place] if place < len(columns) else None)
            busy = False
            return _either(found)

        return look


def numbered(text: str) -> str:
    """A text with its places numbered; what is cut short is one with its dots."""
    count = iter(range(len(text)))
    text = re.sub(PLACE + r"+(\.\.\.)?", PLACE, text)
    return re.sub(PLACE, lambda _found: f"{{{next(count)}}}", text)


def _joined(parts: list[Texts]) -> Texts:
    """Every way to put one text of each part behind the other."""
    known = [part if part is not None else {PLACE} for part in parts]
    while prod(map(len, known)) > MANY:
        known[max(range(len(known)), key=lambda i: len(known[i]))] = {PLACE}
    return None if all(part == {PLACE} for part in known) else {"".join(texts) for texts in product(*known)}


def _either(choices: list[Texts]) -> Texts:
    if all(choice is None for choice in choices):
        return None
    return set().union(*(choice if choice is not None else {PLACE} for choice in choices))


@cache
def _own(function: ast.FunctionDef) -> list[ast.AST]:
    """What is in a function, but not in functions in it."""
    waiting, found = list[ast.AST](reversed(function.body)), []
    while waiting:
        found.append(node := waiting.pop())
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            waiting.extend(ast.iter_child_nodes(node))
    return found


def _calls(function: ast.FunctionDef) -> Iterator[ast.Call]:
    return (node for node in _own(function) if isinstance(node, ast.Call))


def _called(call: ast.Call) -> str:
    return call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")


def _arguments(function: ast.FunctionDef) -> list[str]:
    return [each.arg for each in function.args.args if each.arg not in ("self", "cls")]


def _assigned(node: ast.AST) -> Iterator[tuple[ast.expr, ast.expr]]:
    """Targets with their values."""
    match node:
        case ast.Assign(targets=targets, value=value):
            yield from ((target, value) for target in targets)
        case ast.AnnAssign(target=target, value=ast.expr() as value) | ast.NamedExpr(target=target, value=value):
            yield target, value
        case ast.For(target=target, iter=ast.Tuple(elts=values) | ast.List(elts=values)):
            yield from ((target, value) for value in values)


def _constants(tree: ast.Module) -> Iterator[tuple[str, ast.expr]]:
    for node in tree.body:
        yield from ((target.id, value) for target, value in _assigned(node) if isinstance(target, ast.Name))


def _imports(tree: ast.Module) -> Iterator[tuple[str, str]]:
    """Names with the modules that they come from."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            yield from ((each.asname or each.name, node.module) for each in node.names)


def sources(root: Path, without: Iterator[str] | tuple[str, ...] = ()) -> Sources:
    """Those of core and app."""
    paths = sorted(path for folder in ("core", "app") for path in (root / folder).rglob("*.py"))
    names = {".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path for path in paths}
    return Sources({name: path.read_text("utf-8") for name, path in names.items() if name not in without})
