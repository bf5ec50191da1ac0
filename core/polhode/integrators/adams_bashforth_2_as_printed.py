"""The two-step method of Adams and Bashforth as the program of Imura's course starts it: with F_(-1) = 0.

One evaluation per step, one rate of memory; at the start its rates of momenta are zero. The first step adds 3/2 dt F_0
to the momenta instead of dt F_0; this error of first order stays, so the whole method is of order 1. For teaching, in
comparison with `adams_bashforth_2`.
"""

from __future__ import annotations

from polhode.integrators import adams_bashforth_2

NAME = "adams_bashforth_2_as_printed"
ORDER = 1
HISTORY = 1
OSCILLATION_LIMIT = adams_bashforth_2.OSCILLATION_LIMIT
DECAY_LIMIT = adams_bashforth_2.DECAY_LIMIT
growth = adams_bashforth_2.growth
advance = adams_bashforth_2.advance
