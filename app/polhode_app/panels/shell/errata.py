"""Errors of the documents from which the physics comes: where they stand, what is right, and where it can be seen.

Two rows are no errors, but places where the program differs from a document on purpose.

The table is shown by the help window; `.ci/errata.py` writes it to docs/errata.md and docs/errata.ja.md.
"""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QT_TRANSLATE_NOOP

from polhode_app.i18n.language import tr

DOCUMENTS = {
    "course": QT_TRANSLATE_NOOP("Errata", "Imura, Physical simulation (course, 2018)"),
    "modes": QT_TRANSLATE_NOOP("Errata", "Kobayashi et al., Modal truncation of mass-spring models"),
    "spheres": QT_TRANSLATE_NOOP("Errata", "Endo, Rigid spheres rolling on slopes and paths, 1 to 19"),
    "ball": QT_TRANSLATE_NOOP("Errata", "morikomorou's blog, A bouncing ball by Runge-Kutta"),
    "pem": QT_TRANSLATE_NOOP("Errata", "PEM, a simulator of magnetic pendulums"),
}
"""The documents, in their order."""


@dataclass(frozen=True)
class Erratum:
    """An error of a document, or a place where the program differs.

    All texts but `document` are rich text in English, translated by the catalogue.
    """

    document: str
    """Key of DOCUMENTS."""
    place: str
    """Section or equation."""
    printed: str
    """What stands there."""
    right: str
    """What is right, and how much it matters."""
    shown: str
    """Where the program shows the difference, or how it treats it."""


ERRATA = (
    Erratum(
        "course",
        QT_TRANSLATE_NOOP("Errata", "1.1, equation 1"),
        QT_TRANSLATE_NOOP("Errata", "m y'' = −k (y − L<sub>0</sub>) + m g for every y"),
        QT_TRANSLATE_NOOP(
            "Errata",
            "no error in one dimension. A spring of natural length L<sub>0</sub> in space is different: it pushes a "
            "mass that has passed its upper end away from that end, which Euler's method reaches after 1.76 s",
        ),
        QT_TRANSLATE_NOOP(
            "Errata",
            "scene <code>course_1_oscillator</code>: a spring with <code>rest_length = 0</code> that hangs at "
            "y = L<sub>0</sub> has the force of the equation for every y",
        ),
    ),
    Erratum(
        "course",
        QT_TRANSLATE_NOOP("Errata", "2.2, list 2, Adams-Bashforth"),
        QT_TRANSLATE_NOOP("Errata", "the program starts with a force of 0 before the first step"),
        QT_TRANSLATE_NOOP("Errata", "it equals that of the first step; otherwise the method has order 1 instead of 2"),
        QT_TRANSLATE_NOOP(
            "Errata",
            "scene <code>course_1_oscillator</code>: method “Adams-Bashforth 2 as printed” beside the right one",
        ),
    ),
    Erratum(
        "course",
        QT_TRANSLATE_NOOP("Errata", "5.2, damper of a spring"),
        QT_TRANSLATE_NOOP("Errata", "resists the whole relative velocity of its ends"),
        QT_TRANSLATE_NOOP(
            "Errata",
            "its component along the spring; the whole one brakes rotations too: 2 % of the angular momentum are left "
            "after 2 s",
        ),
        QT_TRANSLATE_NOOP("Errata", "scene <code>course_7_dampers</code>; <code>damper</code> is axial or full"),
    ),
    Erratum(
        "course",
        QT_TRANSLATE_NOOP("Errata", "6.1, pull to the pointer"),
        QT_TRANSLATE_NOOP("Errata", "50 N/m for every particle, without damping"),
        QT_TRANSLATE_NOOP(
            "Errata",
            "no error, but light particles then oscillate fast, heavy ones slowly, and neither comes to rest at the "
            "pointer",
        ),
        QT_TRANSLATE_NOOP(
            "Errata",
            "the stiffness is in proportion to the mass, and the motion is damped; <code>stiffness = 50</code> and "
            "<code>damping_ratio = 0</code> in <code>[grab]</code> give the pull of the document",
        ),
    ),
    Erratum(
        "course",
        QT_TRANSLATE_NOOP("Errata", "7.2, wall"),
        QT_TRANSLATE_NOOP("Errata", "the force of the wall is added at the end of the step, where it is cleared"),
        QT_TRANSLATE_NOOP(
            "Errata", "before the particles are moved; otherwise they fall through: 22.1 m below instead of 2.95 m"
        ),
        QT_TRANSLATE_NOOP("Errata", "forces of walls are part of every evaluation of the rates"),
    ),
    Erratum(
        "course",
        QT_TRANSLATE_NOOP("Errata", "7.4, velocity of a released point"),
        QT_TRANSLATE_NOOP("Errata", "way of the pointer from frame to frame, in m"),
        QT_TRANSLATE_NOOP("Errata", "divided by the time between the frames: 2.34 m/s where the program sets 0.039"),
        QT_TRANSLATE_NOOP("Errata", "a point that is thrown has the velocity of the pointer over the last 60 ms"),
    ),
    Erratum(
        "modes",
        QT_TRANSLATE_NOOP("Errata", "equation 3.1"),
        "[m]{x''}[c]{x'} + {f} = {f<sub>g</sub>}",
        QT_TRANSLATE_NOOP("Errata", "[m]{x''} + [c]{x'} + {f} = {f<sub>g</sub>}: a plus sign is lost"),
        QT_TRANSLATE_NOOP("Errata", "docs/modes.md has the equations that are used"),
    ),
    Erratum(
        "modes",
        QT_TRANSLATE_NOOP("Errata", "equation 3.6"),
        QT_TRANSLATE_NOOP(
            "Errata", "X'' = M<sup>−1</sup>F − M<sup>−1</sup>C X' + F<sub>g</sub>, with F from equation 3.9"
        ),
        QT_TRANSLATE_NOOP(
            "Errata",
            "X'' = M<sup>−1</sup>(F − C X' + F<sub>g</sub>): without M<sup>−1</sup> the weight is 39 to 54 times wrong "
            "unless the modes are normalised by mass. The F of equation 3.9 acts on the points; that of equation 3.1 "
            "has the other sign",
        ),
        QT_TRANSLATE_NOOP("Errata", "modes are normalised by mass"),
    ),
    Erratum(
        "modes",
        QT_TRANSLATE_NOOP("Errata", "section 4, differences of both methods"),
        QT_TRANSLATE_NOOP("Errata", "7.29683 × 10<sup>9</sup>, 5.21981 × 10<sup>7</sup>, 5.82287 × 10<sup>7</sup>"),
        QT_TRANSLATE_NOOP(
            "Errata",
            "the minus signs of the exponents are lost; and with all modes both are the same equations, so that only "
            "rounding is left, 10<sup>−15</sup> m",
        ),
        QT_TRANSLATE_NOOP(
            "Errata",
            "scene <code>two_masses</code>; <code>polhode verify</code> has the printed numbers beside its own",
        ),
    ),
    Erratum(
        "modes",
        QT_TRANSLATE_NOOP("Errata", "section 5"),
        QT_TRANSLATE_NOOP("Errata", "complex eigenvalues appear in complicated models"),
        QT_TRANSLATE_NOOP(
            "Errata",
            "[k] and [m] are symmetric, so all ω² are real; those of compressed springs may be negative, and their ω "
            "imaginary: the body buckles",
        ),
        QT_TRANSLATE_NOOP(
            "Errata", "scene <code>too_long</code>; <code>unstable_modes</code> drops such modes or clamps ω² at 0"
        ),
    ),
    Erratum(
        "spheres",
        QT_TRANSLATE_NOOP("Errata", "19, second derivative of the path parameter"),
        "d²q/dl² = + (r'·r'')/|r'|<sup>4</sup>",
        QT_TRANSLATE_NOOP(
            "Errata",
            "− (r'·r'')/|r'|<sup>4</sup>; with the plus sign a bead loses 80 % of its energy at the bottom of a "
            "parabola",
        ),
        QT_TRANSLATE_NOOP("Errata", "scene <code>bead_on_parabola</code>, where the energy is constant"),
    ),
    Erratum(
        "ball",
        QT_TRANSLATE_NOOP("Errata", "function runge_kutta_method"),
        "k4_v = func(v + k3_v/2, x + k3_x) dt",
        QT_TRANSLATE_NOOP("Errata", "func(v + k3_v, x + k3_x) dt; as printed the order is 1 where a damper acts"),
        QT_TRANSLATE_NOOP(
            "Errata",
            "scene <code>bouncing_ball</code>: ghost <code>as printed</code>; method “Runge-Kutta 4 as printed”",
        ),
    ),
    Erratum(
        "ball",
        QT_TRANSLATE_NOOP("Errata", "function update_anim"),
        QT_TRANSLATE_NOOP("Errata", "whether the ball touches the floor is decided once per step"),
        QT_TRANSLATE_NOOP(
            "Errata",
            "at every evaluation of the force; otherwise the floor pulls a ball that has left it: rebounds to 5.82, "
            "2.91 and 2.23 m instead of 8.26, 6.84 and 5.71 m",
        ),
        QT_TRANSLATE_NOOP("Errata", "the same scene and method"),
    ),
    Erratum(
        "ball",
        QT_TRANSLATE_NOOP("Errata", "penalty force"),
        QT_TRANSLATE_NOOP("Errata", "− c v − k (x − l/2), whatever its sign"),
        QT_TRANSLATE_NOOP(
            "Errata", "at least 0, since a floor cannot pull: the damper pulls with 36 N as the ball leaves"
        ),
        QT_TRANSLATE_NOOP("Errata", "<code>sticky = true</code> is the document's law, <code>false</code> cannot pull"),
    ),
    Erratum(
        "ball",
        QT_TRANSLATE_NOOP("Errata", "penetration depth"),
        "x − l/2",
        QT_TRANSLATE_NOOP("Errata", "l/2 − x, positive where the ball is in the floor"),
        QT_TRANSLATE_NOOP("Errata", "the depth of all contacts is positive"),
    ),
    Erratum(
        "pem",
        QT_TRANSLATE_NOOP("Errata", "equation 2.3"),
        QT_TRANSLATE_NOOP("Errata", "change of the energy by a rotation: − T·ψ"),
        "− T·δψ",
        QT_TRANSLATE_NOOP("Errata", "torques are −Σ u<sub>i</sub> × dU/du<sub>i</sub>"),
    ),
    Erratum(
        "pem",
        QT_TRANSLATE_NOOP("Errata", "equation 3.9"),
        QT_TRANSLATE_NOOP("Errata", "cylinder of length 2h: M h²/48 across its axis"),
        QT_TRANSLATE_NOOP("Errata", "M h²/3: h is half the length. A cylinder of 2.79 kg m² would have 0.71"),
        QT_TRANSLATE_NOOP("Errata", "<code>polhode inertia</code>, checked against surface integrals of a mesh"),
    ),
    Erratum(
        "pem",
        QT_TRANSLATE_NOOP("Errata", "equation 3.12"),
        QT_TRANSLATE_NOOP("Errata", "rod of length 2l: M l²/48"),
        "M l²/3",
        QT_TRANSLATE_NOOP("Errata", "the same"),
    ),
    Erratum(
        "pem",
        QT_TRANSLATE_NOOP("Errata", "equation 3.19, last line"),
        "u<sub>i</sub> × g",
        "u<sub>j</sub> × g",
        QT_TRANSLATE_NOOP("Errata", "the torque of the weight is R × M g"),
    ),
    Erratum(
        "pem",
        QT_TRANSLATE_NOOP("Errata", "equation 3.32"),
        QT_TRANSLATE_NOOP("Errata", "rotational derivative of p<sub>ab</sub>"),
        QT_TRANSLATE_NOOP("Errata", "of p<sub>a</sub>"),
        QT_TRANSLATE_NOOP("Errata", "torque of two dipoles, checked by the sum of both torques and forces"),
    ),
    Erratum(
        "pem",
        QT_TRANSLATE_NOOP("Errata", "equation 4.2"),
        QT_TRANSLATE_NOOP("Errata", "principal moments that are not 0 are inverted"),
        QT_TRANSLATE_NOOP(
            "Errata",
            "those above 10<sup>−10</sup> of the largest, and the angular momentum has no component along the others; "
            "otherwise the bob of a rod is 0.92 m off after 2 s",
        ),
        QT_TRANSLATE_NOOP("Errata", "bodies without inertia about an axis, such as a rod, do not turn about it"),
    ),
    Erratum(
        "pem",
        QT_TRANSLATE_NOOP("Errata", "equations 4.3 and 4.4"),
        QT_TRANSLATE_NOOP("Errata", "the basis vectors are left as Euler's method gives them"),
        QT_TRANSLATE_NOOP("Errata", "they grow longer at every step; they are to be made orthonormal again"),
        QT_TRANSLATE_NOOP("Errata", "methods “Euler” and “Euler as in PEM”"),
    ),
)
"""All errors that are known, in the order of DOCUMENTS."""


PRINTED = QT_TRANSLATE_NOOP("Errata", "Printed")
RIGHT = QT_TRANSLATE_NOOP("Errata", "Correct")
SHOWN = QT_TRANSLATE_NOOP("Errata", "In Polhode")


def errata_table() -> str:
    """All errata in the current language, as rich text."""
    parts = []
    for key, title in DOCUMENTS.items():
        parts.append(f"<h4>{tr(title)}</h4>")
        for erratum in (each for each in ERRATA if each.document == key):
            place, *lines = erratum_lines(erratum)
            parts.append(f"<p><b>{place}</b><br>{'<br>'.join(lines)}</p>")
    return "".join(parts)


def erratum_lines(erratum: Erratum) -> list[str]:
    """Place of an erratum, and what is printed, right and shown, in the current language, as rich text."""
    heads = zip((PRINTED, RIGHT, SHOWN), (erratum.printed, erratum.right, erratum.shown), strict=True)
    return [tr(erratum.place), *(f"{tr(head)}: {tr(text)}" for head, text in heads)]
