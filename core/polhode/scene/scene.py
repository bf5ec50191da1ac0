"""The Scene: the editable description, as in a file. Frozen, checked, SI units throughout.

Its fields, and the checks of them, are in core/polhode/scene/scene_fields.py.
"""

from __future__ import annotations

from collections.abc import Mapping

from polhode.physics.bodies.description import Body as Body
from polhode.physics.bodies.description import Dipole as Dipole
from polhode.physics.bodies.description import EllipseMotion as EllipseMotion
from polhode.physics.bodies.description import FormulaMotion as FormulaMotion
from polhode.physics.bodies.description import Inertia as Inertia
from polhode.physics.bodies.description import StillMotion as StillMotion
from polhode.physics.bodies.description import UniformMotion as UniformMotion
from polhode.physics.contact.description import Wall as Wall
from polhode.physics.forces.description import Force as Force
from polhode.scene.checks.arguments import checked
from polhode.scene.display.view import Camera as Camera
from polhode.scene.display.view import View as View
from polhode.scene.display.view import ViewName as ViewName
from polhode.scene.scene_fields import MOST as MOST
from polhode.scene.scene_fields import SEEN_FROM as SEEN_FROM
from polhode.scene.scene_fields import VACUUM as VACUUM
from polhode.scene.scene_fields import FormulaField as FormulaField
from polhode.scene.scene_fields import Ghost as Ghost
from polhode.scene.scene_fields import RotatingField as RotatingField
from polhode.scene.scene_fields import SceneFields
from polhode.scene.scene_fields import Solver as Solver
from polhode.scene.scene_fields import UniformField as UniformField
from polhode.scene.scene_fields import World as World
from polhode.scene.units import Units as Units
from polhode.scene.units import in_si, sizes
from polhode.scene.variants.numbers import scene_of_values


class Scene(SceneFields):
    """A whole experiment. It does not change: `with_values` makes another one."""

    @checked
    def with_values(self, values: Mapping[str, object]) -> Scene:
        """The scene with other values, which are checked together as those of a file.

        values: by the path of each field, as sweeps, fits and messages name it: numbers in SI, vectors, texts, parts

        A tilt turns the start of a body: `body[0].tilt[1]` [rad] about the y axis of the laboratory. Raises InputError
        for unknown paths, with the most similar one, and for values that a file could not have.

            slower = scene.with_values({"body[0].friction": 0.1, "solver.time_step": 1e-4})
        """
        return scene_of_values(self, values)

    def __repr__(self) -> str:
        names = {"body": "bodies", "soft": "soft bodies", "particle": "particles", "sphere": "rows of spheres"}
        names |= {"bead": "beads", "joint": "joints", "spring": "springs", "wall": "walls"}
        counts = [f"{name}: {len(getattr(self, field))}" for field, name in names.items() if getattr(self, field)]
        return f"Scene {self.title!r} ({', '.join(counts) or 'empty'})"

    __str__ = __repr__


def scene_in_si(scene: Scene) -> Scene:
    """The scene in SI, from one in the units that it states; validated again if it states any.

    Raises ValidationError where that leaves the range of numbers, or breaks a bound.
    """
    if not scene.units.model_fields_set:
        return scene
    units = sizes(scene.units)
    return type(scene).model_validate(in_si(scene, units).model_dump(exclude_unset=True, by_alias=True, warnings=False))
