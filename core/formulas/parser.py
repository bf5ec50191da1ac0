"""Formulas that people type: a grammar of our own, and nothing that it reads is ever executed.

    sum      = product { (+ | -) product }          product = signed { (* | /) signed }
    signed   = { + | - } power                      power   = value [ ^ signed ]           so -x^2 = -(x^2), 2^3^2 = 2^9
    value    = number | variable | constant | function ( sum { , sum } ) | ( sum )

Read by operator precedence (V. R. Pratt, Top down operator precedence, Proc. ACM Symp. POPL, 41, 1973).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from typing import NamedTuple

from core.formulas.expression import BINDING, CONSTANTS, FUNCTIONS, Expression
from core.scene.problem import Problem

__all__ = ["CONSTANTS", "FUNCTIONS", "Expression", "FormulaError", "parse"]

LONGEST = 2000  # characters
DEEPEST = 60  # brackets in brackets, signs before signs, powers of powers

TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>[-+*/^(),])"
)


class FormulaError(ValueError):
    """A text that is no formula, and where: its text is rule and remedy, as the checks of scene models say them."""

    def __init__(self, rule: str, remedy: str, column: int):
        self.problem = Problem("", rule, remedy)
        self.column = column  # of the text, from 1
        super().__init__(f"{rule}; {remedy}")


class Token(NamedTuple):
    kind: str  # number, name, sign or end
    text: str
    column: int


def parse(text: str, variables: Sequence[str]) -> Expression:
    """The expression that a text says in these variables. Raises FormulaError with the first fault."""
    if len(text) > LONGEST:
        raise FormulaError(f"is {len(text)} characters long", f"write it in at most {LONGEST}", LONGEST + 1)
    if not text.strip():
        raise FormulaError("is empty", f"write a number, or a formula{_in(variables)}", 1)
    reader = _Reader(_tokens(text, variables), variables)
    expression = reader.sum(0)
    if reader.next.kind != "end":
        raise reader.unexpected()
    return expression


def _in(variables: Sequence[str]) -> str:
    return f" in {' and '.join(variables)}" if variables else " of numbers only"


def _tokens(text: str, variables: Sequence[str]) -> list[Token]:
    tokens, place = [], 0
    while place < len(text):
        if text[place].isspace():
            place += 1
        elif found := TOKEN.match(text, place):
            tokens.append(Token(str(found.lastgroup), found.group(), place + 1))
            place = found.end()
        else:
            rule = f"{text[place]!r} at column {place + 1} is no part of a formula"
            known = ", ".join([*variables, "functions", "+ - * / ^", "brackets"])
            raise FormulaError(rule, f"use numbers, {known}", place + 1)
    return [*tokens, Token("end", "", len(text.rstrip()) + 1)]


class _Reader:
    """Goes through the tokens of one text."""

    def __init__(self, tokens: list[Token], variables: Sequence[str]):
        self._tokens, self._variables = tokens, variables
        self._at, self._depth = 0, 0

    @property
    def next(self) -> Token:
        return self._tokens[self._at]

    def _take(self) -> Token:
        self._at += 1
        return self._tokens[self._at - 1]

    def sum(self, least: int) -> Expression:
        """Everything from here that binds more tightly than `least`."""
        self._depth += 1
        if self._depth > DEEPEST:
            column = self.next.column
            raise FormulaError(
                f"is nested more than {DEEPEST} deep at column {column}", "use fewer brackets and signs", column
            )
        left = self._signed()
        while self.next.kind == "sign" and self.next.text in "+-*/^":
            own, *_ = BINDING[self.next.text]
            if own <= least:
                break
            operator = self._take().text
            # Right to left for powers: the power on the right may bind as this one does, and may have a sign.
            left = Expression(operator, (left, self.sum(own - 1 if operator == "^" else own)))
        self._depth -= 1
        return left

    def _signed(self) -> Expression:
        if self.next.kind != "sign" or self.next.text not in "+-":
            return self._value()
        sign = self._take().text
        inner = self.sum(BINDING["neg"][0])
        if sign == "+":
            return inner
        return Expression(-inner.head) if not isinstance(inner.head, str) else Expression("neg", (inner,))

    def _value(self) -> Expression:
        if self.next.kind == "number":
            return self._number(self._take())
        if self.next.kind == "name":
            return self._named(self._take())
        if self.next.text != "(":
            raise self.unexpected()
        opened = self._take()
        inner = self.sum(0)
        self._close(opened)
        return inner

    def _number(self, token: Token) -> Expression:
        value = float(token.text)
        if value == float("inf"):
            shown = token.text if len(token.text) <= 20 else token.text[:17] + "..."
            raise FormulaError(
                f"{shown} at column {token.column} is too large a number", "make it smaller", token.column
            )
        return Expression(value)

    def _named(self, token: Token) -> Expression:
        name, column = token.text, token.column
        if name in self._variables or name in CONSTANTS:
            return Expression(name)
        if name not in FUNCTIONS:
            raise self._unknown(token)
        if self.next.text != "(":
            raise FormulaError(
                f"{name} at column {column} is a function without a bracket", f"write {name}(...)", column
            )
        opened = self._take()
        arguments = [self.sum(0)]
        while self.next.text == ",":
            self._take()
            arguments.append(self.sum(0))
        self._close(opened)
        if len(arguments) != FUNCTIONS[name]:
            form = "two values" if FUNCTIONS[name] == 2 else "one value"
            has = f"{name} at column {column} has {len(arguments)} value{'s' * (len(arguments) > 1)}"
            raise FormulaError(has, f"give it {form}", column)
        return Expression(name, tuple(arguments))

    def _close(self, opened: Token) -> None:
        if self.next.kind == "end":
            raise FormulaError(f"the bracket at column {opened.column} is not closed", "add )", opened.column)
        if self.next.text != ")":
            raise self.unexpected()
        self._take()

    def _unknown(self, token: Token) -> FormulaError:
        shown = token.text if len(token.text) <= 40 else token.text[:37] + "..."
        known = [*self._variables, *CONSTANTS, *FUNCTIONS]
        near = get_close_matches(token.text[:40].lower(), known, 1)
        if not near and token.text.lower() == "ln":
            near = ["log"]
        choices = f"known: {', '.join(known)}"
        remedy = f"did you mean '{near[0]}'? ({choices})" if near else f"use one of those ({choices})"
        return FormulaError(f"'{shown}' at column {token.column} is not known", remedy, token.column)

    def unexpected(self) -> FormulaError:
        """What stands here cannot stand here."""
        kind, text, column = self.next
        before = self._tokens[self._at - 1] if self._at else None
        ends_value = before is not None and (before.kind in ("number", "name") or before.text == ")")
        if kind == "end":
            return FormulaError(
                f"ends at column {column} where a value is missing", "write it, or remove the sign", column
            )
        shown = text if len(text) <= 40 else text[:37] + "..."
        rule = f"'{shown}' at column {column} "
        if ends_value and text == ")":
            return FormulaError(rule + "closes no bracket", "remove it", column)
        if ends_value and text == ",":
            return FormulaError(rule + "stands outside of a function", "write a point in numbers, not a comma", column)
        if ends_value:
            return FormulaError(rule + "follows a value without a sign between", "put * or another sign there", column)
        if text == "*" and before is not None and before.text == "*":
            return FormulaError(rule + "follows another one", "write ^ for a power", column)
        return FormulaError(rule + "stands where a value is missing", "write a number or a name there", column)
