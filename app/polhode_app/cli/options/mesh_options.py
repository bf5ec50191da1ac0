"""Options of `polhode inertia`, which are for meshes only. No compiler."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Annotated

from cyclopts import Parameter

from polhode.mesh.frame import LengthUnit, UpAxis
from polhode.physics.bodies.shapes import Repair
from polhode.scene.message import Message
from polhode_app.cli.options.arguments import check_numbers, refusal


@Parameter(name="*")
@dataclass(frozen=True)
class MeshOptions:
    """Properties of the mesh that a scene would state, and options of the output."""

    density: Annotated[
        float | None, Parameter(help="Density of a mesh [kg/m^3]; water, 1000, if there is no mass either.")
    ] = None
    mass: Annotated[float | None, Parameter(help="Mass of a mesh [kg], instead of a density.")] = None
    scale: Annotated[float, Parameter(help="Length of one unit of a mesh [m]; a factor where the unit is known.")] = 1.0
    unit: Annotated[LengthUnit | None, Parameter(help="Unit of the mesh file, instead of what it states.")] = None
    up: Annotated[UpAxis | None, Parameter(help="Axis of the mesh file that becomes z.")] = None
    repair: Annotated[
        tuple[Repair, ...], Parameter(help="Steps that repair the mesh, in this order.", negative="")
    ] = ()
    compare: Annotated[
        bool | None,
        Parameter(help="Print the results of trimesh beside those of Polhode; the default.", negative="--no-compare"),
    ] = None

    def check(self) -> None:
        """Check the values of a mesh. Raises InputError."""
        if self.density is not None and self.mass is not None:
            raise refusal("--mass", Message("can't be combined with --density"), Message("give one of them"))
        given = [(f"--{name}", getattr(self, name), False) for name in ("density", "mass")]
        check_numbers(("--scale", self.scale, False), *(entry for entry in given if entry[1] is not None))
        twice = next((step for step in self.repair if self.repair.count(step) > 1), None)
        if twice is not None:
            raise refusal("--repair", Message("names '{step}' twice", step=twice), Message("name each step once"))

    def refuse(self) -> None:
        """Check that no option is given, for a scene. Raises InputError."""
        for field in fields(self):
            if getattr(self, field.name) != field.default:
                rule = Message("is for meshes; a scene states its own")
                raise refusal(f"--{field.name}", rule, Message("leave it out, or name a mesh"))


NO_OPTIONS = MeshOptions()
