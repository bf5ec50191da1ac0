"""Formulas that people type: a grammar of our own, and nothing that it reads is ever executed.

    sum      = product { (+ | -) product }          product = signed { (* | /) signed }
    signed   = { + | - } power                      power   = value [ ^ signed ]           so -x^2 = -(x^2), 2^3^2 = 2^9
    value    = number | variable | constant | function ( sum { , sum } ) | ( sum )

Numbers are decimal, with a point and an exponent: 2, .5, 1e-3. Constants: pi, e, tau. Functions of one value: sin cos
tan asin acos atan sinh cosh tanh asinh acosh atanh exp log sqrt abs sign floor; of two: atan2 min max. Capital
letters count, white space has no meaning between words, and a product always has its *. The signs of an uncertainty, +-
+/- and ±, are refused: "2 +- 1" is no difference.

Limits: LONGEST characters, DEEPEST levels of brackets, signs and powers in each other, numbers that float64 can hold.
The cost is linear in the length of the text. Which variables there are is the caller's choice: q of a path, t of a
motion, x and y of a surface.

Read by operator precedence (V. R. Pratt, Top down operator precedence, Proc. ACM Symp. POPL, 41, 1973).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from polhode.formulas.expression import BINDING, CONSTANTS, FUNCTIONS, Expression
from polhode.scene.message import Message, plural
from polhode.scene.problem import InvalidValue
from polhode.scene.uncertain import UNCERTAIN

__all__ = ["CONSTANTS", "FUNCTIONS", "Expression", "FormulaError", "parse"]

LONGEST = 2000  # characters
DEEPEST = 60  # brackets in brackets, signs before signs, powers of powers

TOKEN = re.compile(
    r"(?P<number>(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)|(?P<name>[A-Za-z_][A-Za-z_0-9]*)|(?P<sign>[-+*/^(),])"
)
"""A number without a sign, a name, or one character of an operator, bracket or comma."""


class FormulaError(InvalidValue):
    """An invalid formula and the place of the error; its text is rule and remedy, `column` counts characters from 1.

    Errors are unknown names and characters, a missing value, sign or bracket, a function without its bracket or with
    another number of values, ** for ^, a comma in a number, and whatever is beyond the limits.
    """

    def __init__(self, rule: Message, remedy: Message, column: int):
        super().__init__(rule, remedy)
        self.args = (rule, remedy, column)
        self.column = column  # of the text, from 1


class Token(NamedTuple):
    """A word of a formula; `column` counts characters from 1."""

    kind: str  # number, name, sign or end
    text: str
    column: int


def parse(text: str | Expression, variables: Sequence[str]) -> Expression:
    """The expression of a text in these variables, without simplification except of a sign before a number.

    An expression is returned as it is.

    Raises FormulaError with the first error, its column, and a remedy such as the most similar known name.

        parse("0.1*sin(3*t)", ["t"])({"t": [0.0, 0.5]})    # array of two values
    """
    if isinstance(text, Expression):
        return text
    if len(text) > LONGEST:
        raise FormulaError(
            Message("is {count} characters long", count=len(text)),
            Message("write it in at most {most}", most=LONGEST),
            LONGEST + 1,
        )
    return _parsed(text, tuple(variables))


@lru_cache(maxsize=512)  # setting a number of a running scene leaves the other formulas as they are
def _parsed(text: str, variables: tuple[str, ...]) -> Expression:
    """As `parse`, of a text of a permitted length."""
    if not text.strip():
        raise FormulaError(Message("is empty"), _example(variables), 1)
    if (found := UNCERTAIN.search(text)) is not None:
        rule = Message("must be a formula without an uncertainty, but is {text}", text=text)
        remedy = Message("give the number alone, or write a difference with one sign")
        raise FormulaError(rule, remedy, found.start() + 1)
    reader = _Reader(_tokens(text, variables), variables)
    expression = reader.sum(0)
    if reader.next.kind != "end":
        raise reader.unexpected()
    return expression


def _example(variables: Sequence[str]) -> Message:
    """The remedy for an empty text."""
    if not variables:
        return Message("write a number, or a formula of numbers only")
    return Message("write a number, or a formula in {variables}", variables=" and ".join(variables))


def _allowed(variables: Sequence[str]) -> Message:
    """The remedy for a character that no formula has."""
    if not variables:
        return Message("use numbers, functions, + - * / ^, brackets")
    return Message("use numbers, {variables}, functions, + - * / ^, brackets", variables=", ".join(variables))


def _tokens(text: str, variables: Sequence[str]) -> list[Token]:
    """The words of a text, with one of kind "end" behind them. Raises FormulaError for other characters."""
    tokens, position = [], 0
    while position < len(text):
        if text[position].isspace():
            position += 1
        elif found := TOKEN.match(text, position):
            tokens.append(Token(str(found.lastgroup), found.group(), position + 1))
            position = found.end()
        else:
            rule = Message(
                "'{character}' at column {column} is no part of a formula",
                character=text[position],
                column=position + 1,
            )
            raise FormulaError(rule, _allowed(variables), position + 1)
    return [*tokens, Token("end", "", len(text.rstrip()) + 1)]


class _Reader:
    """Recursive-descent reader of the tokens of a text; the depth of recursion is limited by DEEPEST."""

    def __init__(self, tokens: list[Token], variables: Sequence[str]):
        self._tokens, self._variables = tokens, variables
        self._at, self._depth = 0, 0

    @property
    def next(self) -> Token:
        """The token that is read next."""
        return self._tokens[self._at]

    def _take(self) -> Token:
        """Go past the next token, which is returned."""
        self._at += 1
        return self._tokens[self._at - 1]

    def sum(self, least: int) -> Expression:
        """Everything from here that binds more tightly than `least`, as one expression.

        Operators of the same binding are taken from left to right, powers from right to left. Raises FormulaError.
        """
        self._depth += 1
        if self._depth > DEEPEST:
            column = self.next.column
            raise FormulaError(
                Message("is nested more than {most} deep at column {column}", most=DEEPEST, column=column),
                Message("use fewer brackets and signs"),
                column,
            )
        left = self._signed()
        while self.next.kind == "sign" and self.next.text in "+-*/^":
            own, *_ = BINDING[self.next.text]
            if own <= least:
                break
            operator = self._take().text
            # Powers from right to left: the one on the right may bind as tightly, and may have a sign.
            left = Expression(operator, (left, self.sum(own - 1 if operator == "^" else own)))
        self._depth -= 1
        return left

    def _signed(self) -> Expression:
        """A value, or a sign before what binds more tightly than a sign: a power."""
        if self.next.kind != "sign" or self.next.text not in "+-":
            return self._value()
        sign = self._take().text
        inner = self.sum(BINDING["neg"][0])
        if sign == "+":
            return inner
        return Expression(-inner.head) if isinstance(inner.head, float) else Expression("neg", (inner,))

    def _value(self) -> Expression:
        """A number, a name, or an expression in brackets. Raises FormulaError for anything else."""
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
        """A number; one that is too large for float64 is refused."""
        value = float(token.text)
        if value == float("inf"):
            shown = token.text if len(token.text) <= 20 else token.text[:17] + "..."
            raise FormulaError(
                Message("{shown} at column {column} is too large a number", shown=shown, column=token.column),
                Message("make it smaller"),
                token.column,
            )
        return Expression(value)

    def _named(self, token: Token) -> Expression:
        """A variable, a constant, or a function with its arguments. Raises FormulaError."""
        name, column = token.text, token.column
        if name in self._variables or name in CONSTANTS:
            return Expression(name)
        if name not in FUNCTIONS:
            raise self._unknown(token)
        if self.next.text != "(":
            raise FormulaError(
                Message("{name} at column {column} is a function without a bracket", name=name, column=column),
                Message("write {name}(...)", name=name),
                column,
            )
        opened = self._take()
        arguments = [self.sum(0)]
        while self.next.text == ",":
            self._take()
            arguments.append(self.sum(0))
        self._close(opened)
        if len(arguments) != FUNCTIONS[name]:
            rule = plural(
                "{name} at column {column} has {count} value",
                "{name} at column {column} has {count} values",
                count=len(arguments),
                name=name,
                column=column,
            )
            two = FUNCTIONS[name] == 2
            raise FormulaError(rule, Message("give it two values") if two else Message("give it one value"), column)
        return Expression(name, tuple(arguments))

    def _close(self, opened: Token) -> None:
        """Go past the bracket that closes `opened`. Raises FormulaError where it is missing."""
        if self.next.kind == "end":
            raise FormulaError(
                Message("the bracket at column {column} is not closed", column=opened.column),
                Message("add )"),
                opened.column,
            )
        if self.next.text != ")":
            raise self.unexpected()
        self._take()

    def _unknown(self, token: Token) -> FormulaError:
        """The error for a name that is not known, with the most similar one."""
        shown = token.text if len(token.text) <= 40 else token.text[:37] + "..."
        known = [*self._variables, *CONSTANTS, *FUNCTIONS]
        near = get_close_matches(token.text[:40].lower(), known, 1)
        if not near and token.text.lower() == "ln":
            near = ["log"]
        choices = ", ".join(known)
        remedy = (
            Message("did you mean '{near}'? (known: {known})", near=near[0], known=choices)
            if near
            else Message("use one of those (known: {known})", known=choices)
        )
        return FormulaError(
            Message("'{shown}' at column {column} is not known", shown=shown, column=token.column), remedy, token.column
        )

    def unexpected(self) -> FormulaError:
        """The error for an unexpected token."""
        kind, text, column = self.next
        before = self._tokens[self._at - 1] if self._at else None
        ends_value = before is not None and (before.kind in ("number", "name") or before.text == ")")
        if kind == "end":
            return FormulaError(
                Message("ends at column {column} where a value is missing", column=column),
                Message("write it, or remove the sign"),
                column,
            )
        doubled = text == "*" and before is not None and before.text == "*"
        shown = text if len(text) <= 40 else text[:37] + "..."
        return FormulaError(
            _misplaced(text, shown, column, ends_value, doubled), _instead(text, ends_value, doubled), column
        )


def _misplaced(text: str, shown: str, column: int, ends_value: bool, doubled: bool) -> Message:
    """The reason why a sign or a value is unexpected.

    text, shown, column: the token, abbreviated, and its place
    ends_value: whether a value ends before it
    doubled: whether it is the second * of Python's power
    """
    where = {"shown": shown, "column": column}
    if ends_value and text == ")":
        return Message("'{shown}' at column {column} closes no bracket", **where)
    if ends_value and text == ",":
        return Message("'{shown}' at column {column} is outside of a function", **where)
    if ends_value:
        return Message("'{shown}' at column {column} follows a value without a sign between", **where)
    if doubled:
        return Message("'{shown}' at column {column} follows another one", **where)
    return Message("expected a value at column {column}, found '{shown}'", **where)


def _instead(text: str, ends_value: bool, doubled: bool) -> Message:
    """The remedy for an unexpected token; arguments as for `_misplaced`."""
    if ends_value and text == ")":
        return Message("remove it")
    if ends_value and text == ",":
        return Message("write a point in numbers, not a comma")
    if ends_value:
        return Message("put * or another sign there")
    return Message("write ^ for a power") if doubled else Message("write a number or a name there")
