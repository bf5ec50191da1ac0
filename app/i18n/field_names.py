"""What the fields of a scene are called in the window, in the current language: names, helps, choices.

.ci/translations.py collects them for the catalogue `scene`.
"""

from __future__ import annotations

from math import inf, isfinite

from app.i18n.language import tr
from core.scene.fields import Form
from core.scene.scene import Scene

AS_THEY_ARE = ("a", "x", "y", "z", "r1", "r2")  # letters of formulas
NAMES = {
    "body": "Bodies",
    "sphere": "Spheres",
    "bead": "Beads",
    "soft": "Soft bodies",
    "particle": "Particles",
    "spring": "Springs",
    "wall": "Walls",
    "surface": "Surfaces",
    "ghost": "Ghosts",
    "shape": "Shapes",
    "dipole": "Dipoles",
    "show": "Shown besides",
    "hidden": "Not drawn",
    "hide": "Hidden",
    "center": "Centre",
    "color": "Colour",
    "from": "First end",
    "to": "Second end",
    "inertia": "Stated inertia",
    "modes": "Modes kept",
    "points": "Points of the curve",
    "speed": "Speed at the start",
}
"""Fields that are not called by their keys: lists, and words that mean something else elsewhere."""
METHODS = {
    "rk4": "Runge-Kutta 4",
    "dormand_prince_8": "Dormand-Prince 8",
    "splitting": "Splitting",
    "verlet": "Verlet",
    "implicit": "Implicit",
    "semi_implicit_euler": "Semi-implicit Euler",
    "adams_bashforth_2": "Adams-Bashforth 2",
    "euler": "Euler",
}
"""Integration methods by their names."""
WAYS_TO_TURN = {"none": "not turned", "axis": "axis and angle", "basis": "basis"}
"""Ways to state a rotation."""
ONE = {"soft": "Soft body", "sphere": "Rolling sphere"}
"""Parts that are not called by the keys of their lists."""


def english(key: str) -> str:
    """What a field is called, by what a file calls it."""
    return NAMES.get(key) or (key if key in AS_THEY_ARE else key.replace("_", " ").capitalize())


def label(key: str) -> str:
    return tr(english(key))


def one(key: str) -> str:
    """What one part of a list is called."""
    name = ONE.get(key) or key.replace("_", " ").capitalize()
    return tr(name)


def choice(value: str) -> str:
    """One of the values that a field may have."""
    name = METHODS.get(value) or value.replace("_", " ")
    return tr(name)


def scene_title(scene: Scene) -> str:
    """What a scene is called; a built-in one has a title in every language."""
    return tr(scene.title)


def scene_description(scene: Scene) -> str:
    """What a scene says of itself, in one line."""
    line = " ".join(scene.description.split())
    return tr(line)


def quantity(column: str) -> str:
    """What a column of the table is called in plots: "knot.velocity.x" in English, in other languages by its words."""
    whole, parts = tr(column), column.split(".")
    if whole != column:
        return whole
    known = [place for place, part in enumerate(parts) if tr(part) != part]
    if not known:
        return column
    of, what, along = parts[: known[-1]], tr(parts[known[-1]]), parts[known[-1] + 1 :]
    if of[:1] == ["ghost"] and len(of) > 1:
        of = [tr("Ghost"), ".".join(of[1:])]
    elif of:
        of = [".".join(of)]
    return " ".join([*of, what, *along])


def unit_text(unit: str) -> str:
    """A unit as it is printed."""
    return unit.replace("^2", "²").replace("^3", "³").replace(" ", " ")


def bounds(form: Form) -> str:
    """What a number has to be, or nothing."""
    low, high = form.low, form.high
    if isfinite(low) and isfinite(high):
        return f"{low:g} ... {high:g}"
    if low > -inf:
        return f"> {low:g}" if form.beyond else f"≥ {low:g}"
    return f"≤ {high:g}" if high < inf else ""


def tip(form: Form, place: str) -> str:
    """Help, bounds, and what messages and files call the field."""
    lines = [tr(form.help) if form.help else "", bounds(form), place]
    return "\n".join(line for line in lines if line)
