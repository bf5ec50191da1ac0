"""Summaries of a compiled scene and of its step, for `polhode check`."""

from __future__ import annotations

from polhode.analysis.steps.limits import Limit
from polhode.engine.compiled_scene import CompiledScene


def counted(built: CompiledScene) -> str:
    """Numbers of bodies, shapes and magnets, and the total mass [kg].

    For example "bodies: 1, shapes: 2, magnets: 1, mass: 0.5 kg"; points and springs are added for scenes that have
    them.
    """
    scene, model = built.scene, built.model
    mass = sum(properties.mass for properties in built.properties) + float(model.points.mass.sum())
    numbers = {
        "bodies": len(scene.bodies),
        "shapes": sum(len(body.shape) for body in scene.bodies),
        "magnets": sum(len(b.dipole) + sum(s.magnet is not None for s in b.shape) for b in scene.bodies),
    }
    if scene.soft or scene.particle or scene.spring:
        numbers |= {
            "points": len(model.points.mass),
            "springs": len(model.springs.rest) + int(model.spring_rows.count.sum()),
        }
    return ", ".join([*(f"{what}: {number}" for what, number in numbers.items()), f"mass: {mass:.6g} kg"])


def limit_text(limit: Limit) -> str:
    """A largest stable step as text."""
    if limit.step == float("inf"):
        return "no limit"
    return f"at least {limit.step:.3g} s" if limit.is_tried else f"{limit.step:.3g} s"
