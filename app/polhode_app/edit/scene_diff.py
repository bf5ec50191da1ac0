"""Difference of two scenes, from which views and docks decide which parts they rebuild."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from pydantic import BaseModel

from polhode.physics.contact.description import Wall
from polhode.physics.contact.surfaces import SurfaceLaw
from polhode.physics.contact.walls.wall_materials import similar_material
from polhode.scene.scene import Scene
from polhode_app.edit.parts import LISTS

INVISIBLE = frozenset(
    {"title", "description", "mass", "density", "particle_mass", "inertia", "drag", "quadratic_drag", "modal_damping"}
    | {"friction", "damping", "damper", "stiffness", "kinetic_friction", "static_friction", "restitution", "sticky"}
    | {"dry_friction", "rolling_resistance", "rough", "unstable_modes", "dipole_sum", "dipole_tolerance"}
    | {"method", "time_step", "spinning_friction"}
)
"""Fields, as files call them, that change the motion of an item but not its appearance."""


@dataclass(frozen=True)
class SceneDiff:
    """The differences between two versions of a scene. Computed on first use and kept."""

    old: Scene | None  # None: another document was opened
    new: Scene

    @property
    def is_edit(self) -> bool:
        """Whether the new scene was made from the old one, by an edit, undo or redo."""
        return self.old is not None

    @cached_property
    def fields(self) -> frozenset[str]:
        """Names of the fields of Scene whose values differ; all of them if another document was opened."""
        names = type(self.new).model_fields
        return frozenset(
            name for name in names if not self.is_edit or getattr(self.old, name) != getattr(self.new, name)
        )

    def is_only(self, *names: str) -> bool:
        """Whether no fields of Scene differ but those with these names."""
        return self.fields <= {*names}

    @property
    def adds_items(self) -> bool:
        """Whether an edit has made any of the lists of items that are drawn longer."""
        drawn = [key for key in LISTS if key != "sweep"]
        return self.old is not None and any(len(getattr(self.new, key)) > len(getattr(self.old, key)) for key in drawn)

    @cached_property
    def is_invisible(self) -> bool:
        """Whether both scenes look the same in every frame, except for how they move."""
        if not self.is_edit or "ghost" in self.fields:  # ghosts start again
            return False
        return all(_looks_same(getattr(self.old, name), getattr(self.new, name)) for name in self.fields - INVISIBLE)


def _looks_same(one: object, other: object) -> bool:
    """Whether two values differ at most in fields that are not drawn."""
    if one is other:
        return True
    if isinstance(one, BaseModel) and type(one) is type(other):
        if isinstance(one, Wall | SurfaceLaw) and similar_material(one) != similar_material(other):
            return False
        names = type(one).model_fields.keys() - INVISIBLE
        return all(_looks_same(getattr(one, name), getattr(other, name)) for name in names)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return len(one) == len(other) and all(map(_looks_same, one, other))
    return one == other
