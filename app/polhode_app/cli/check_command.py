"""`polhode check`: errors and warnings of a scene, its size and its largest stable time step."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from cyclopts import Parameter

from polhode.scene.message import Message, printable
from polhode.scene.problem import Problem
from polhode_app.cli.options.arguments import naming, opened_by
from polhode_app.cli.options.portable_target import Portable, choose_generic
from polhode_app.cli.options.scene_argument import SceneName
from polhode_app.cli.options.scene_settings import AS_STATED, SceneSettings, with_values
from polhode_app.cli.terminal.console import say, warning_about
from polhode_app.cli.terminal.exit_status import DONE
from polhode_app.i18n.import_report import report_data, report_text
from polhode_app.i18n.translation import translate

if TYPE_CHECKING:
    from polhode.analysis.steps.limits import Limit
    from polhode.engine.compiled_scene import CompiledScene
    from polhode.mesh.mesh import Meshes
    from polhode.simulation.simulation import Simulation


def check(
    scene: SceneName,
    /,
    *,
    settings: SceneSettings = AS_STATED,
    portable: Portable = False,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")] = False,
) -> int:
    """List all errors and warnings of a scene with their locations."""
    opened = opened_by(scene, robot=settings.robot)
    described = with_values(opened.scene, scene, settings.values)
    choose_generic(portable)
    from polhode.analysis.steps.limits import judged, warnings_of
    from polhode.mesh.mesh import Meshes
    from polhode.recording.compiled_arrays import check_portable
    from polhode.simulation.simulation import Simulation
    from polhode_app.cli.results.uncertain_output import uncertain_data, uncertain_text

    meshes = Meshes()
    with naming(scene):
        if portable:
            check_portable(described)
        simulation = Simulation(described, meshes)
        _check_uses(simulation, meshes)
        uncertain = uncertain_data(described)
    compiled = simulation.compiled
    method, step = described.solver.method, described.solver.time_step
    judgement = judged(compiled, method, step, 0.0, compiled.start)
    warnings = [*_overlaps(simulation, meshes), *warnings_of(compiled, judgement), *simulation.warnings]
    limit, notes = judgement.limits[method], _notes(simulation, meshes)
    notes += [_portable_note(compiled)] if portable else []
    if as_json:
        data = as_data(compiled, limit, notes, warnings)
        data |= {"uncertain": uncertain} if uncertain else {}
        if opened.report is not None:
            data["import"] = report_data(opened.report)
        print(json.dumps(data, indent=2, ensure_ascii=False))
        return DONE
    for note in notes:
        say(note)
    print(as_text(scene, compiled, limit))
    if uncertain:
        print(uncertain_text(described))
    if opened.report is not None:
        print(report_text(opened.report))
    for warning in warnings:
        warning_about(scene)(warning)
    return DONE


def _check_uses(simulation: Simulation, meshes: Meshes) -> None:
    """Raise InputError for ghosts, a sensor's recording, sweeps and lessons that the scene can't have."""
    from polhode.lessons.lesson_columns import check_lessons
    from polhode.sweep.measure import check_sweeps
    from polhode_app.runner.ghosts import Ghosts
    from polhode_app.sensor.playback import check_sensor_recording

    Ghosts.begun(simulation.scene, meshes)
    check_sensor_recording(simulation.scene)
    check_sweeps(simulation.scene, simulation.compiled)
    check_lessons(simulation.scene, simulation.compiled)


def _overlaps(simulation: Simulation, meshes: Meshes) -> list[Problem]:
    """Warnings about shapes of a body that overlap."""
    from polhode.physics.bodies.geometry.overlap import overlaps

    scene = simulation.scene
    return [
        overlap.problem(body).at(scene.place_of(b))
        for b, body in enumerate(scene.bodies)
        for overlap in overlaps(scene, body, meshes)
    ]


def _notes(simulation: Simulation, meshes: Meshes) -> list[Message]:
    """Notes on measured inputs, joints, meshes, each circuit, conductor and piece of iron, and the pace of iron."""
    from polhode.analysis.steps.pace import pace_note
    from polhode.data.input_checks import measured_input_notes
    from polhode.physics.coils.checks import coil_notes
    from polhode.physics.conductors.checks import conductor_notes
    from polhode.physics.contact.solids.hulls import mesh_notes
    from polhode.physics.iron.checks import iron_notes
    from polhode.physics.joints.redundancy import redundancy_note

    compiled = simulation.compiled
    magnetic = *coil_notes(compiled), *conductor_notes(compiled), *iron_notes(compiled)
    inputs = measured_input_notes(simulation.scene)
    notes = *inputs, redundancy_note(compiled), *mesh_notes(simulation.scene, meshes), *magnetic, pace_note(simulation)
    return [note for note in notes if note is not None]


def _portable_note(compiled: CompiledScene) -> Message:
    """Note with number and size of the members of the compiled scene in a portable recording."""
    from polhode.recording.compiled_arrays import arrays_of

    found = arrays_of(compiled)
    size = len(found.layout) + found.numbers.nbytes + found.whole.nbytes
    return Message(
        "portable: a recording has {count} members of the compiled scene, {size:.3g} kB",
        count=len(found.layout.splitlines()),
        size=size / 1000,
    )


def as_text(source: str, compiled: CompiledScene, limit: Limit) -> str:
    """The report as lines: numbers of things, modes of soft bodies, and time steps."""
    from polhode_app.cli.results.modes_report import fastest

    solver, modal = compiled.scene.solver, compiled.modal.items()
    modes = [
        f"'{name}': {len(part.modes.squares)} of {part.modes.available} modes, up to {fastest(part.modes)}"
        for name, part in modal
    ]
    stable = f"largest stable step of {solver.method} at the start: {limit_text(limit)}"
    head = f"{printable(source)}: ok; {counted(compiled)}"
    return "\n".join([head, *modes, f"time step: {solver.time_step:g} s; {stable}"])


def as_data(
    compiled: CompiledScene, limit: Limit, notes: Sequence[Message], warnings: Sequence[Problem]
) -> dict[str, object]:
    """The report by key: numbers of things, mass [kg], time steps [s], and warnings as places, rules and remedies."""
    solver = compiled.scene.solver
    return {
        "title": compiled.scene.title,
        "counts": counts(compiled),
        "mass": mass(compiled),
        "method": solver.method,
        "time_step": solver.time_step,
        "largest_stable_step": None if limit.step == math.inf else limit.step,
        "is_lower_bound": limit.is_tried,
        "notes": [translate(note) for note in notes],
        "warnings": [
            {"place": each.place, "rule": translate(each.rule), "remedy": translate(each.remedy)} for each in warnings
        ],
        "units": {"mass": "kg", "time_step": "s", "largest_stable_step": "s"},
    }


def counts(compiled: CompiledScene) -> dict[str, int]:
    """Numbers of bodies, shapes and magnets, and of points and springs for scenes that have them."""
    scene, model = compiled.scene, compiled.model
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
    return numbers


def mass(compiled: CompiledScene) -> float:
    """Mass [kg] of all bodies and points."""
    return sum(properties.mass for properties in compiled.properties) + float(compiled.model.points.mass.sum())


def counted(compiled: CompiledScene) -> str:
    """`counts` and `mass`, for example "bodies: 1, shapes: 2, magnets: 1, mass: 0.5 kg"."""
    numbers = (f"{what}: {number}" for what, number in counts(compiled).items())
    return ", ".join([*numbers, f"mass: {mass(compiled):.6g} kg"])


def limit_text(limit: Limit) -> str:
    """A largest stable step as text."""
    if limit.step == float("inf"):
        return "no limit"
    return f"at least {limit.step:.3g} s" if limit.is_tried else f"{limit.step:.3g} s"
