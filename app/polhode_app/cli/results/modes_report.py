"""Normal modes of the soft bodies of a scene: the output of `polhode modes`."""

from __future__ import annotations

import json
from math import pi

from polhode.mesh.mesh import Meshes
from polhode.physics.modal.nets import net_of
from polhode.physics.modal.normal_modes import Modes, lowest_modes
from polhode.physics.points.compile import build_points
from polhode.physics.points.soft_bodies import all_springs
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene

USUAL = 20  # modes listed for a soft body that is not simulated by modes


def mode_reports(scene: Scene) -> dict[str, Modes]:
    """Normal modes of every soft body, by name.

    For a body simulated by modes these are the modes it uses, otherwise its lowest ones. Raises InputError if the scene
    has no soft body, or one whose modes cannot be computed.
    """
    if not scene.soft:
        raise InputError(
            "",
            [Problem("soft", Message("there is no soft body, so there are no modes"), Message("add one to the scene"))],
        )
    parts, found = build_points(scene, Meshes()), {}
    springs = all_springs(parts.spring_rows, parts.springs)
    for soft in scene.soft:
        if soft.modes:
            found[soft.name] = parts.modal[soft.name].modes
        else:
            net = net_of(parts.where[soft.name], parts.rest, parts.points, springs, parts.fixed_anchors)
            found[soft.name] = lowest_modes(net, min(USUAL, net.available), True)
    return found


def fastest(modes: Modes) -> str:
    """Text with the angular frequency [1/s] of the highest mode, and the number of unstable modes left out."""
    left_out = f"; {len(modes.dropped)} that buckle are left out" if len(modes.dropped) else ""
    return f"w = {modes.frequencies[-1]:.6g} 1/s{left_out}"


def as_text(reports: dict[str, Modes]) -> str:
    """A table for each soft body: angular frequency [1/s], frequency [Hz] and period [s] of each mode.

    Unstable modes, with w^2 < 0, have no frequency and are marked as buckling.
    """
    lines = []
    for name, modes in reports.items():
        lines += [
            f"{name}: {len(modes.squares)} of {modes.available} modes",
            "  mode      w [1/s]       f [Hz]        T [s]",
        ]
        for number, square in enumerate(modes.squares):
            w = square**0.5 if square > 0 else 0.0
            numbers = f"{w:12.6g} {w / (2 * pi):12.6g} {2 * pi / w:12.6g}" if w else f"{0:12} {0:12} {'-':>12}"
            buckles = f"  buckles, w^2 = {square:.6g} 1/s^2" if square < 0 else ""
            lines.append(f"  {number:4} {numbers}{buckles}")
        lines += [f"  left out: buckles, w^2 = {square:.6g} 1/s^2" for square in modes.dropped]
    return "\n".join(lines)


def as_json(reports: dict[str, Modes]) -> str:
    """The modes as JSON with full precision, in SI units: w^2 of the modes kept and of those left out, by body."""
    tables = {
        name: {
            "available": modes.available,
            "angular_frequency": modes.frequencies.tolist(),
            "square": modes.squares.tolist(),
            "dropped_square": modes.dropped.tolist(),
        }
        for name, modes in reports.items()
    }
    return json.dumps(tables, indent=2)
