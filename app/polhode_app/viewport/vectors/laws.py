"""Laws of force: their colours and names, and their forces and torques as arrows."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from types import MappingProxyType

import numpy as np

from polhode.scene.message import Message
from polhode.simulation.snapshot import ForceStates, Snapshot
from polhode_app.i18n.language import tr
from polhode_app.viewport.base.palette import PALETTE
from polhode_app.viewport.base.stage import Stage
from polhode_app.viewport.vectors.arrows import NONE, ArrowQuantity, Finder, Vectors

FRICTION = "#999999"  # tangential contact forces, modal damping
COLORS: Mapping[str, str] = MappingProxyType(
    {
        "gravity": PALETTE[0],
        "magnetic": PALETTE[3],
        "contact": PALETTE[5],
        "solids": PALETTE[5],
        "spheres_on_solids": PALETTE[5],
        "fields": PALETTE[5],
        "spheres_on_fields": PALETTE[5],
        "springs": PALETTE[2],
        "drag": PALETTE[6],
        "walls": PALETTE[1],
        "surfaces": PALETTE[1],
        "dry_friction": FRICTION,
        "modal_damping": FRICTION,
        "rough": FRICTION,
        "applied": PALETTE[4],
        "centrifugal": PALETTE[5],
        "coriolis": PALETTE[3],
        "euler": PALETTE[1],
        "force": PALETTE[4],
        "function": PALETTE[4],
        "eddy currents": PALETTE[2],
        "coils": PALETTE[5],
        "iron": PALETTE[1],
        "coils on iron": PALETTE[4],
        "conductors": PALETTE[2],
        "coils on conductors": PALETTE[4],
        "conductors and iron": PALETTE[4],
        "conductors, iron and coils": PALETTE[4],
        "conductors on conductors": PALETTE[6],
        "joint axes": PALETTE[4],
    }
)
"""Colour of each law of `polhode.analysis.forces_by_law`."""
TORQUE_COLORS: Mapping[str, str] = MappingProxyType({"friction": FRICTION, **COLORS})
"""Friction of supports is a torque only."""
BY_MASS = ("gravity", "centrifugal", "coriolis", "euler")  # laws whose forces are in proportion to the mass
NAMES = {
    "applied": "hand",
    "solids": "contact of solids",
    "spheres_on_solids": "contact of spheres and solids",
    "fields": "contact of shapes as they look",
    "spheres_on_fields": "contact of spheres and shapes as they look",
    "dry_friction": "friction",
    "modal_damping": "modal damping",
    "coriolis": "Coriolis force",
    "euler": "Euler force",
    "force": "applied force",
    "function": "force by a function",
    "joint axes": "springs and motors of joints",
    "conductors": "eddy currents",
    "conductors and iron": "eddy currents and iron",
    "conductors, iron and coils": "eddy currents and iron",
    "conductors on conductors": "eddy currents on each other",
}  # display names of laws, where the name of the module is not suitable
SYMBOLS: Mapping[str, str] = MappingProxyType(
    {
        "gravity": "G",
        "magnetic": "F_m",
        "springs": "F_s",
        "drag": "F_d",
        "coils": "F_I",
        "iron": "F_Fe",
        "coils on iron": "F_I",
        "coils on conductors": "F_I",
        "dry_friction": "F_f",
        "centrifugal": "F_cf",
        "coriolis": "F_C",
        "euler": "F_E",
    }
)
"""Symbols of forces that have one of their own; all others are F."""
ROUNDING = 1e-9  # of the largest force of a law: smaller sums are rounding errors


def force_name(law: str) -> str:
    """Display name of a law."""
    return tr(NAMES.get(law, law))


def torque_name(law: str) -> str:
    """Display name of the torque of a law."""
    name = tr("friction of supports") if law == "friction" else force_name(law)
    return tr("torque: {law}").format(law=name)


def forces_on(stage: Stage) -> Finder:
    """Forces of each law on bodies at their centres of mass, and on points."""
    held = np.array([body.support in ("fixed", "driven") for body in stage.scene.bodies], dtype=bool)

    def on_bodies(law: str, forces: ForceStates) -> np.ndarray:
        """(n, 3) [N] without weights of fixed and driven bodies: a heavy base would set the scale."""
        if law not in BY_MASS or len(forces.on_bodies) != len(held):
            return forces.on_bodies
        return np.where(held[:, None], 0.0, forces.on_bodies)

    def vectors(now: Snapshot) -> Iterator[Vectors]:
        found = [(law, now.forces[law]) for law in COLORS if law in now.forces]
        acting = [(law, each, on_bodies(law, each)) for law, each in found]
        acting = [(law, each, drawn) for law, each, drawn in acting if drawn.any() or each.on_points.any()]
        yield from (Vectors(each.at_bodies, drawn, law) for law, each, drawn in acting)
        yield from (Vectors(now.points.position, each.on_points, law) for law, each, _ in acting)

    return vectors


def torques_on(_stage: Stage) -> Finder:
    """Torques of each law, about the support of a body, or the centre of mass of a free one."""

    def vectors(now: Snapshot) -> Iterator[Vectors]:
        found = [(law, now.forces[law]) for law in TORQUE_COLORS if law in now.forces]
        yield from (Vectors(each.about, each.torque, law) for law, each in found if each.torque.any())

    return vectors


def sums_on(_stage: Stage) -> Finder:
    """The sum of the forces of all laws on each body and point.

    Forces of supports and of paths are not among the laws: the sum is the mass times the acceleration for free bodies
    and for points that are not held.
    """
    return lambda now: iter([sums(now.forces.values(), now.points.position)])


def sums(forces: Collection[ForceStates], points: np.ndarray) -> Vectors:
    """Sums of forces [N] of n bodies and p points; empty without a force.

    points: (p, 3) [m] positions of the points
    """
    if not forces:
        return Vectors(NONE, NONE)
    each = np.array([np.vstack([law.on_bodies, law.on_points]) for law in forces])
    total, largest = each.sum(axis=0), np.abs(each).max(axis=(0, 2))
    total[np.abs(total).max(axis=1) <= ROUNDING * largest] = 0.0
    return Vectors(np.vstack([next(iter(forces)).at_bodies, points]), total)


FORCES = ArrowQuantity(
    of=forces_on,
    name=Message("forces by law, named at the right"),
    symbol="F",
    color=PALETTE[0],
    scale=Message("longest arrow {longest}"),
    unit="N",
    laws=COLORS,
    law_name=force_name,
    law_symbols=SYMBOLS,
    corner="upper right",
)
TORQUES = ArrowQuantity(
    of=torques_on,
    name=Message("torques by law, named at the left"),
    symbol="N",
    color=PALETTE[0],
    scale=Message("longest torque {longest}"),
    unit="N m",
    laws=TORQUE_COLORS,
    law_name=torque_name,
    corner="lower left",
    has_two_heads=True,
)
SUM_OF_FORCES = ArrowQuantity(
    of=sums_on,
    name=Message("sum of forces"),
    symbol="ΣF",
    color="#ff4f81",
    scale=Message("longest sum of forces {longest}"),
    unit="N",
)
