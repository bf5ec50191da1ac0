"""`polhode check`: errors and warnings of a scene, its size and its largest stable time step."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from polhode.scene.message import printable
from polhode_app.cli.arguments import SCENE, naming, scene_called
from polhode_app.cli.console import say, warning_about
from polhode_app.cli.exit_status import DONE
from polhode_app.cli.outputs import INPUT

if TYPE_CHECKING:
    from polhode.analysis.steps.limits import Limit
    from polhode.engine.compiled_scene import CompiledScene


def check(scene: Annotated[str, Parameter(help=SCENE), INPUT], /) -> int:
    """List all errors and warnings of a scene with their locations."""
    described = scene_called(scene)
    from polhode.analysis.steps.limits import judged, warnings_of
    from polhode.mesh.mesh import Meshes
    from polhode.physics.bodies.geometry.overlap import overlaps
    from polhode.physics.joints.redundancy import redundancy_note
    from polhode.simulation.simulation import Simulation
    from polhode.sweep.measure import check_sweeps
    from polhode_app.cli.modes_report import fastest
    from polhode_app.runner.ghosts import Ghosts
    from polhode_app.sensor.playback import check_sensor_recording

    meshes = Meshes()
    with naming(scene):
        simulation = Simulation(described, meshes)
        Ghosts.begun(described, meshes)
        check_sensor_recording(described)
        check_sweeps(described, simulation.compiled)
    compiled = simulation.compiled
    print(f"{printable(scene)}: ok; {counted(compiled)}")
    method, step = described.solver.method, described.solver.time_step
    for name, part in compiled.modal.items():
        print(f"'{name}': {len(part.modes.squares)} of {part.modes.available} modes, up to {fastest(part.modes)}")
    if (note := redundancy_note(compiled)) is not None:
        say(note)
    found = judged(compiled, method, step, 0.0, compiled.start)
    print(f"time step: {step:g} s; largest stable step of {method} at the start: {limit_text(found.limits[method])}")
    for b, body in enumerate(described.bodies):
        for overlap in overlaps(described, body, meshes):
            warning_about(scene)(overlap.problem(body).at(described.place_of(b)))
    for warning in (*warnings_of(compiled, found), *simulation.warnings):
        warning_about(scene)(warning)
    return DONE


def counted(compiled: CompiledScene) -> str:
    """Numbers of bodies, shapes and magnets, and the total mass [kg].

    For example "bodies: 1, shapes: 2, magnets: 1, mass: 0.5 kg"; points and springs are added for scenes that have
    them.
    """
    scene, model = compiled.scene, compiled.model
    mass = sum(properties.mass for properties in compiled.properties) + float(model.points.mass.sum())
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
