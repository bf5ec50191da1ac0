"""Legend of the arrows and curves that are shown: their colours, symbols and names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from PySide6.QtCore import QT_TRANSLATE_NOOP

from polhode.scene.scene import Scene
from polhode_app.i18n.language import tr
from polhode_app.viewport.base.palette import AXES, NORTH, PALETTE, THEMES
from polhode_app.viewport.vectors.bead_arrows import CONSTRAINT_COLOR, CURVATURE_COLOR
from polhode_app.viewport.vectors.joint_forces import JointForceView, JointTorqueView
from polhode_app.viewport.vectors.sum_of_forces import COLOR as SUM_COLOR

CURVE, ARROW = "―", "→"


class Entry(NamedTuple):
    """A line of the legend."""

    color: str  # hexadecimal
    sign: str  # ARROW or CURVE
    symbol: str  # of the quantity, or ""
    name: str


ROWS: Mapping[str, tuple[tuple[str, str, str, str], ...]] = {
    "polhode": (
        ("arrow", ARROW, "ω", QT_TRANSLATE_NOOP("Legend", "angular velocity")),
        ("momentum", ARROW, "L", QT_TRANSLATE_NOOP("Legend", "angular momentum")),
        ("arrow", CURVE, "", QT_TRANSLATE_NOOP("Legend", "polhode: path of ω in the body")),
    ),
    "velocities": (
        (PALETTE[2], ARROW, "v", QT_TRANSLATE_NOOP("Legend", "velocity")),
        (PALETTE[5], ARROW, "ω", QT_TRANSLATE_NOOP("Legend", "angular velocity")),
    ),
    "dipoles": (("arrow", ARROW, "m", QT_TRANSLATE_NOOP("Legend", "magnetic moment")),),
    "forces": ((PALETTE[0], ARROW, "F", QT_TRANSLATE_NOOP("Legend", "forces by law, named at the right")),),
    "torques": ((PALETTE[0], ARROW, "N", QT_TRANSLATE_NOOP("Legend", "torques by law, named at the left")),),
    "sum_of_forces": ((SUM_COLOR, ARROW, "ΣF", QT_TRANSLATE_NOOP("Legend", "sum of forces")),),
    "path_force": ((CONSTRAINT_COLOR, ARROW, "S", QT_TRANSLATE_NOOP("Legend", "force of the path")),),
    "tangents": (("arrow", ARROW, "t", QT_TRANSLATE_NOOP("Legend", "tangent")),),
    "curvature": ((CURVATURE_COLOR, ARROW, "κ", QT_TRANSLATE_NOOP("Legend", "curvature")),),
    "joint_forces": ((JointForceView.color, ARROW, "F", QT_TRANSLATE_NOOP("Legend", "force of a joint")),),
    "joint_torques": ((JointTorqueView.color, ARROW, "N", QT_TRANSLATE_NOOP("Legend", "torque of a joint")),),
    "axes": (
        (AXES[0], ARROW, "u₁", QT_TRANSLATE_NOOP("Legend", "body axes")),
        (AXES[1], ARROW, "u₂", ""),
        (AXES[2], ARROW, "u₃", ""),
    ),
    "field_lines": ((NORTH, CURVE, "B", QT_TRANSLATE_NOOP("Legend", "magnetic field")),),
}
"""Lines of each view; a colour is that of a theme, by its name, or hexadecimal."""


def legend_entries(scene: Scene, visible: Mapping[str, bool], theme: str) -> list[Entry]:
    """Lines for the views that are visible and have something to show in the scene."""
    colors = THEMES[theme]
    return [
        Entry(color if color.startswith("#") else getattr(colors, color), sign, symbol, tr(name))
        for view, rows in ROWS.items()
        if visible.get(view) and _has(scene, view)
        for color, sign, symbol, name in rows
    ]


def _has(scene: Scene, view: str) -> bool:
    """Whether a scene has items that a view draws."""
    magnetic = any(body.dipole or any(shape.magnet for shape in body.shape) for body in scene.body)
    magnetic = magnetic or any(getattr(soft, "dipole", ()) for soft in scene.soft)
    turning = any(body.support in ("free", "pivot") for body in scene.bodies)
    needs: dict[str, bool] = {"dipoles": magnetic, "field_lines": magnetic, "polhode": turning}
    needs |= dict.fromkeys(("path_force", "tangents", "curvature"), bool(scene.bead))
    needs |= dict.fromkeys(("joint_forces", "joint_torques"), bool(scene.joint))
    return needs.get(view, True)
