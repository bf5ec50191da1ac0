"""Fields of an item in the inspector and their order: matter and size first, rare ones on request."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from polhode.physics.bodies.shapes import Orientation
from polhode.scene.fields import at, forms
from polhode.scene.scene import Body
from polhode_app.edit.fields import orientation_form
from polhode_app.edit.part_defaults import unused

MATTER = ("mass", "density", "particle_mass", "stiffness", "conductivity")
SIZES = ("radius", "length", "size", "semi_axes", "tube_radius", "thickness", "counts", "count", "spacing")
POSITIONS = ("support", "from", "to", "on", "first", "second", "position", "point", "orientation", "normal")
FIRST_FIELDS = ("name", "title", "kind", *MATTER, *SIZES, *POSITIONS)
FOLDED = frozenset(
    {"friction", "dry_friction", "static_friction", "kinetic_friction", "drag", "quadratic_drag", "inertia"}
    | {"rolling_resistance", "rough", "sticky", "damper", "pull_only", "over", "look", "hidden", "initial_state"}
    | {"natural_length", "modes", "modal_damping", "unstable_modes", "bending", "fixed", "dipole", "units"}
    | {"permeability", "rotation", "dipole_sum", "dipole_tolerance", "one_sided", "path_motion", "ends"}
    | {
        "arrangement",
        "breaks_at",
        "breaks_at_strain",
        "collide",
        "repair",
        "unit",
        "up",
        "convex_hull",
        "scale",
        "axis",
        "spinning_friction",
    }
)
"""Fields of an item that are shown on request, as long as they have their defaults."""
LAST_FIELDS = (
    "motion",
    "path",
    "path_motion",
    "arrangement",
    "magnet",
    "iron",
    "contact",
    "inertia",
    "color",
    "view",
    "units",
)
WITHOUT_EFFECT = {"pivot": ("velocity",), "axle": ("velocity",), "fixed": ("velocity", "angular_velocity")}
"""Fields of a body that its support leaves no use for; they are shown on request, too."""


def order(model: type[BaseModel]) -> list[str]:
    """Keys of a model in the order of the form: FIRST_FIELDS, all others, LAST_FIELDS.

    Constants are left out, and what no item of the model can have.
    """
    keys = [key for key, form in forms(model).items() if form.kind != "constant" and key not in unused(model)]
    rank = {key: number for number, key in enumerate((*FIRST_FIELDS, None, *LAST_FIELDS))}
    return sorted(keys, key=lambda key: rank.get(key, len(FIRST_FIELDS)))


def layout_of(part: Any) -> Any:
    """Key that tells whether two items have the same rows.

    It holds the models and which optional parts are present, recursively, and the shapes and support of a body; values
    of numbers do not enter.
    """
    if isinstance(part, Orientation):
        return type(part), orientation_form(part)
    if not isinstance(part, BaseModel):
        return None
    own = (part.support, *map(type, part.shape)) if isinstance(part, Body) else ()
    return (type(part), *own), tuple(
        (key, layout_of(at(part, (key,)))) for key, form in forms(type(part)).items() if form.kind == "part"
    )


def is_folded(part: BaseModel, key: str) -> bool:
    """Whether a field of the item is shown on request: it is rarely used or has no effect, and has its default."""
    name = key if key in type(part).model_fields else f"{key}_"
    field = type(part).model_fields.get(name)
    if key not in FOLDED and key not in WITHOUT_EFFECT.get(getattr(part, "support", ""), ()):
        return False
    return field is not None and bool(getattr(part, name) == field.get_default(call_default_factory=True))
