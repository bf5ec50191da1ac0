"""Help texts with formulas: integration methods, divergence, energy drift, time step.

Texts are rich text of Qt, in English; `page_text` returns them in the current language.
"""

from __future__ import annotations

from PySide6.QtCore import QT_TRANSLATE_NOOP

from polhode_app.i18n.field_names import METHODS
from polhode_app.i18n.language import tr
from polhode_app.panels.shell.errata import errata_table

TITLES = {
    "blew_up": QT_TRANSLATE_NOOP("Explanations", "Why a run diverges"),
    "drift": QT_TRANSLATE_NOOP("Explanations", "What the energy drift means"),
    "step": QT_TRANSLATE_NOOP("Explanations", "How long a time step may be"),
    **METHODS,
    "errata": QT_TRANSLATE_NOOP("Explanations", "Errata of the documents"),
}
"""Titles of the topics, in the order of the list."""

TEXTS = {
    "blew_up": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>A spring k on a mass m swings with ω = (k/m)<sup>1/2</sup>. An "
        "explicit method follows it only while ω Δt stays below a "
        "limit, about 2: beyond that every step overshoots by more than the one before, and the amplitude grows as "
        "g<sup>n</sup> with |g| > 1. A damper d adds its own limit, about Δt &lt; 2 m/d.</p>"
        "<p><b>What helps:</b> halve the step, until the number "
        "beside it is no longer marked; take a method with a "
        "higher limit; soften the hardest spring or damper; or take the implicit method, which has no limit.</p>"
        "<p>Without springs: magnets that nearly touch attract "
        "as 1/r<sup>4</sup>, which no step can follow. Give them "
        "a size, so that they meet before that.</p>",
    ),
    "drift": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Energy comes and goes only by what the ledger lists: "
        "friction, drives, the world's field, dampers, air, "
        "hands. The drift is what is left:</p>"
        "<p align='center'>drift = (E − W − E<sub>0</sub>) / E<sub>exchanged</sub></p>"
        "<p>E is the total energy, W the ledger's sum, E<sub>0</sub> what it was at the start, and "
        "E<sub>exchanged</sub> the largest energy that went to and fro. It is the error of the method alone.</p>"
        "<p>Below 1e−6 nobody sees it. Growing steadily: the step is too long for this method. Swinging, but not "
        "growing: a symplectic method (verlet, splitting, "
        "semi-implicit Euler), which is good for long runs. With the "
        "implicit method it is negative: it lets fast swings die away.</p>",
    ),
    "step": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Beside the step are the recommended one and the largest that is "
        "stable. The latter is estimated from the fastest swing ω and the "
        "fastest decay a of the scene as it stands: Δt ≤ c / "
        "ω and Δt ≤ c' / a, where c and c' belong to the method."
        "</p><p>Stable is not yet accurate: with the recommended step the energy drifts by less than 1 % in 10 s. It "
        "is found by trial runs from the state in which the scene was loaded or edited.</p>",
    ),
    "rk4": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>The usual one. Four evaluations of the rate f per step, "
        "at its beginning, twice in its middle, and at its end:"
        "</p><p align='center'>y<sub>n+1</sub> = y<sub>n</sub> "
        "+ Δt/6 (k<sub>1</sub> + 2k<sub>2</sub> + 2k<sub>3</sub> "
        "+ k<sub>4</sub>)</p>"
        "<p>Order 4: half the step, a sixteenth of the error. "
        "Stable up to ω Δt = 2.83. It loses a little energy, as "
        "(ω Δt)<sup>6</sup>/72 of a swing's per step.</p>",
    ),
    "dormand_prince_8": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Twelve looks at the rate per step, combined so that "
        "all errors up to order 8 cancel: half the step, a 256th "
        "of the error. For smooth motions that are to be right "
        "to a billionth. Where something bumps, it is no better "
        "than the others.</p>",
    ),
    "splitting": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Turns a body about its principal axes one after the "
        "other, each turn exact, between two half kicks by the "
        "torques:</p><p align='center'>½ kick · R<sub>1</sub> "
        "R<sub>2</sub> R<sub>3</sub> R<sub>2</sub> R<sub>1</sub> · "
        "½ kick</p><p>Order 2. The length of the angular momentum "
        "is kept to the last digit, and the energy of a free "
        "top swings a little but never drifts: for tops that are to turn for hours.</p>",
    ),
    "verlet": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Half a kick, a drift, half a kick:</p><p align='center'>"
        "v += a Δt/2, &nbsp; x += v Δt, &nbsp; v += a Δt/2"
        "</p><p>Order 2, one look at the forces per step, "
        "symplectic: it follows exactly an energy that is next to the "
        "true one by (ω Δt)<sup>2</sup>, so nothing drifts. Stable up to ω Δt = 2. The choice for many points on "
        "springs.</p>",
    ),
    "implicit": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Looks for rates that agree with the state to which "
        "they lead:</p><p align='center'>K = f(t, y + c Δt K)</p>"
        "<p>Alexander's method of two stages, order 2. Stable "
        "at any step. What is slower than the step it follows, "
        "what is faster it lets die away, even without a damper: "
        "per step a swing loses 0.0037 (ω Δt)<sup>4</sup> of "
        "its amplitude. Each step takes tens to hundreds of looks at the forces.</p>",
    ),
    "semi_implicit_euler": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Momenta first, then places with the new momenta:</p>"
        "<p align='center'>v += a(x) Δt, &nbsp; x += v Δt</p>"
        "<p>Order 1, yet symplectic: the energy swings by about ω Δt/2 of itself, but does not drift. Stable up to "
        "ω Δt = 2.</p>",
    ),
    "adams_bashforth_2": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Goes along the last two rates, with one new look per step:</p>"
        "<p align='center'>y<sub>n+1</sub> = y<sub>n</sub> + Δt (3 f<sub>n</sub> − f<sub>n−1</sub>) / 2</p>"
        "<p>Order 2. An undamped swing grows slowly at any "
        "step, by (ω Δt)<sup>4</sup>/4 per step; a little damping "
        "hides that. The method of the course's programs.</p>",
    ),
    "euler": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Along the rate at the start of the step:</p><p align='center'>y<sub>n+1</sub> = y<sub>n</sub> + Δt "
        "f<sub>n</sub></p><p>Order 1. Every undamped swing grows, at any step: its amplitude by (1 + (ω Δt)"
        "<sup>2</sup>)<sup>1/2</sup> per step. For comparison: it shows what a method must not do.</p>",
    ),
    "euler_as_printed": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>Euler's method as PEM has it. All other methods make the basis vectors of bodies orthonormal again after "
        "every step. Without that, every step lengthens them:</p><p align='center'>|u|² → |u|² + |ω × u|² Δt²</p>"
        "<p>The tensor of inertia changes with them. Order 1. For comparison with Euler.</p>",
    ),
    "rk4_as_printed": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>The Runge-Kutta method with the misprint of a published program of a bouncing ball: the force of the last "
        "stage is evaluated with half of the velocity increment.</p><p align='center'>k<sub>4v</sub> = Δt f(v + "
        "k<sub>3v</sub>/2, x + k<sub>3x</sub>)</p><p>Order 1 with forces that depend on velocities, 4 without. As in "
        "the program, contacts of points with walls are decided once per step, so that a wall may pull a ball that "
        "has left it. For comparison with Runge-Kutta 4.</p>",
    ),
    "adams_bashforth_2_as_printed": QT_TRANSLATE_NOOP(
        "Explanations",
        "<p>The method of Adams and Bashforth as the course's program starts it: with a rate of 0 before the first "
        "step.</p><p align='center'>v<sub>1</sub> = v<sub>0</sub> + 3/2 Δt a<sub>0</sub></p><p>The first kick is half "
        "too strong, and the error stays: order 1. For comparison with Adams-Bashforth 2.</p>",
    ),
}


def page_text(topic: str) -> str:
    """Text of one of TITLES in the current language, as rich text."""
    return errata_table() if topic == "errata" else tr(TEXTS[topic])
