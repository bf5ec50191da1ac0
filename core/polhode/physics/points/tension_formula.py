"""The tension law of a spring or string as an expression, for the compiler and for display."""

from __future__ import annotations

from polhode.formulas.expression import Expression
from polhode.formulas.parser import parse
from polhode.physics.points.description import Spring

VARIABLES = ("l", "v")


def tension_of(spring: Spring, rest: float) -> Expression:
    """Tension f(l, v) [N] of a spring with a natural length [m]: its formula, or k (l - l0) + d v."""
    linear = f"{spring.stiffness!r}*(l - {rest!r}) + {spring.damping!r}*v"
    return parse(linear if spring.force is None else spring.force, VARIABLES)
