"""The method of Adams and Bashforth as a course's program starts it: with no force at all before the first step.

One evaluation per step, one rate of memory. The start is wrong by half a step's impulse, which makes the whole of order
1: a lesson, to be seen beside the right one.
"""

from __future__ import annotations

from core.integrators import adams_bashforth_2

NAME = "adams_bashforth_2_as_printed"
ORDER = 1
HISTORY = 1
growth = adams_bashforth_2.growth
advance = adams_bashforth_2.advance
