"""Units: functions with argument types that are compiled one by one for a scene.

All scenes have structs of the same types, so a unit is identified by its name, also in the process that compiles it:
`python -m polhode.compilation.compile_units`. A program asks which units a scene needs (`units_to_build`,
`units_to_run`), has the `missing` ones compiled in other processes, and calls them without compiling.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any

import numpy as np
from numba import types

from polhode.analysis.at_rest import energies_of_states, rates_of_states
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.diagnostics import observe
from polhode.engine.model import step_type
from polhode.engine.program import PHASES
from polhode.engine.rates import accept_step, add_forces, place, rates_of_bodies
from polhode.engine.registry import SUBJECTS
from polhode.engine.work import hooks_of
from polhode.integrators import AS_PRINTED, METHODS
from polhode.jit.calls import run_hook
from polhode.jit.libm.by_name import BY_NAME, kinds_of
from polhode.mesh.distance.reached import mark_cells
from polhode.mesh.files.weld import number_rows
from polhode.mesh.kept import KeptShape
from polhode.mesh.mesh import Meshes
from polhode.mesh.topology import orient, pair_half_edges
from polhode.mesh.volume_integrals import mesh_moments
from polhode.physics.contact.fields.compile import kept_solids, move_onto_core
from polhode.physics.contact.fields.depth import deepest_overlap, overlap_of_sphere
from polhode.physics.contact.penetration import wall_displacements
from polhode.physics.contact.separate import are_separate
from polhode.physics.contact.solids.compile import kept_parts
from polhode.physics.forces.function_forces import write_motions
from polhode.physics.iron.compile import kept_iron
from polhode.physics.joints.part import LOOPS, TREES
from polhode.physics.joints.ties import has_trees_and_others
from polhode.physics.magnets.proximity import next_too_near
from polhode.physics.modal import part as modal
from polhode.physics.paths.arc_length import fill_lengths
from polhode.physics.paths.path_kernels import to_internal_parameter, to_user_parameter, trace
from polhode.physics.sensor.sensor_motion import sensor_distance
from polhode.run.table_types import COUNT, NUMBER, ROW, ROWS, step_types, table_types
from polhode.run.units import Unit, unit_of_events, unit_of_method, units_of_loop, units_of_states
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.simulation.batches.helper_thread import MANY, worker_loop
from polhode.simulation.take_snapshot import measure

FACES = types.Array(types.int32, 2, "C")
NUMBERS = types.Array(types.int32, 1, "C")


def _common_units() -> list[Unit]:
    """Units of every scene, those that others contain first."""
    model, inputs, work, _ = table_types()
    step = step_types()
    near = dict(model.members)["dipoles"], dict(work.members)["bodies"], dict(work.members)["dipoles"]
    return [
        Unit(rates_of_bodies.native, (model, inputs, NUMBER, ROW, ROW)),
        Unit(accept_step.native, (model, inputs, NUMBER, work, ROW)),
        Unit(place, step),
        *units_of_states(),
        *units_of_loop(),
        Unit(observe, (model, inputs, ROW, ROWS, work, ROWS)),
        Unit(measure, (*step, ROW)),
        Unit(next_too_near, (*near, types.Array(COUNT, 2, "C"), COUNT, COUNT, COUNT)),
        Unit(wall_displacements, (dict(model.members)["walls"], ROW, NUMBER, ROW)),
        Unit(sensor_distance, (ROW, NUMBER)),
    ]


def units_of_equilibria() -> list[Unit]:
    """Units that equilibria and landscapes need besides those of a run."""
    model, inputs, work, _ = table_types()
    kinds = model, inputs, NUMBER, ROWS, work, ROWS
    return [Unit(rates_of_states, kinds), Unit(energies_of_states, kinds)]


def _hook_units(found: Iterable[Any]) -> Iterator[Unit]:
    """Units of the hooks `found` that are kernels of their own."""
    model, inputs, work, _ = table_types()
    kinds = (step_type(model, inputs, work),)
    return (Unit(hook.native, kinds) for hook in found if hasattr(hook, "native"))


def _unit_of_hooks() -> Unit:
    """Calls of hooks from Python."""
    model, inputs, work, _ = table_types()
    return Unit(run_hook, (types.int64, step_type(model, inputs, work)))


def _mesh_units() -> list[Unit]:
    corners = types.Array(NUMBER, 2, "C", readonly=True)
    turned = types.Array(types.boolean, 1, "C")
    return [
        Unit(number_rows, (types.Array(types.uint32, 2, "C"), NUMBERS, NUMBERS, NUMBERS)),
        Unit(pair_half_edges, (FACES, NUMBERS, NUMBERS)),
        Unit(orient, (FACES, NUMBERS, NUMBERS, turned, NUMBERS)),
        Unit(mesh_moments, (corners, FACES.copy(readonly=True), NUMBER, NUMBER, NUMBER)),
    ]


def _field_units() -> list[Unit]:
    """Units that make shapes press as they look."""
    solids = dict(table_types()[0].members)["solids"]
    numbers, cells = types.Array(types.float32, 3, "C"), types.Array(types.boolean, 3, "C")
    return [
        Unit(move_onto_core, (solids, COUNT, ROWS)),
        Unit(mark_cells, (numbers, NUMBER, ROWS, cells, types.Array(NUMBER, 4, "C"))),
    ]


def _overlap_units() -> list[Unit]:
    """Units that find shapes that overlap deeply at the start."""
    model, _, work, _ = table_types()
    place_of = dict(model.members)["fields"], dict(model.members)["solids"], dict(work.members)["fields"], COUNT
    center, counts = types.UniTuple(NUMBER, 3), types.Array(COUNT, 1, "C")
    return [
        Unit(are_separate, (counts, counts, COUNT, COUNT)),
        Unit(deepest_overlap, (*place_of, COUNT)),
        Unit(overlap_of_sphere, (*place_of, center, NUMBER)),
    ]


def _path_units() -> list[Unit]:
    paths = table_types()[3]
    place_on = (paths, COUNT, NUMBER)
    return [
        Unit(fill_lengths, (paths,)),
        Unit(trace, (paths, COUNT, ROW, types.Array(NUMBER, 3, "C"))),
        Unit(to_internal_parameter, place_on),
        Unit(to_user_parameter, place_on),
    ]


def _assembly_units(scene: Scene) -> list[Unit]:
    """Units that make the start of joints agree with these."""
    parts = [part for part, is_in in zip((TREES, LOOPS), has_trees_and_others(scene), strict=True) if is_in]
    hooks = dict.fromkeys(hook for part in parts for hook in part.assemble)
    return [*_hook_units(hooks), _unit_of_hooks()]


def units_to_build(scene: Scene) -> list[Unit]:
    """Units needed to compile a scene: those of meshes, of paths and of joints, as far as it has them."""
    files = [*(shape for body in scene.body for shape in body.shape), *scene.soft, *scene.surface]
    from_files = any(part.kind == "mesh" for part in files)
    contacts = [body.contact for body in scene.body if body.contact is not None]
    as_seen = any(scene.contact_shape(contact) == "mesh" for contact in contacts)
    return [
        *(_mesh_units() if from_files else []),
        *(_field_units() if as_seen else []),
        *(_path_units() if scene.bead else []),
        *(_assembly_units(scene) if scene.joint else []),
    ]


def shapes_to_make(scene: Scene, meshes: Meshes) -> list[KeptShape[Any]]:
    """Fields, convex parts and matrices of iron of the shapes of bodies, which are computed before it is compiled.

    None of a scene with a mesh that cannot be read, which its compilation reports.
    """
    try:
        return list(dict.fromkeys([*kept_parts(scene, meshes), *kept_solids(scene, meshes), *kept_iron(scene, meshes)]))
    except InputError:
        return []


def units_of_method(scene: Scene) -> list[Unit]:
    """Units of every scene with the methods of this one and its ghosts; known before the scene is compiled."""
    methods = {scene.solver.method, *(ghost.method for ghost in scene.ghost if ghost.method)}
    return [*_common_units(), *map(unit_of_method, sorted(methods))]


def _hooks_of_ghosts(scene: Scene) -> Iterator[Any]:
    """Hooks that ghosts need by another number of modes than that of the scene's soft bodies."""
    is_damped = any(np.any(soft.modal_damping) for soft in scene.soft)
    for ghost in scene.ghost:
        if ghost.modes and scene.soft:
            yield from chain(*modal.PART.hooks)
        elif ghost.modes == 0 and is_damped:
            yield from chain(*modal.DAMPED.hooks)


def units_to_run(compiled: CompiledScene) -> list[Unit]:
    """Units that a compiled scene with its ghosts needs for runs and snapshots, each once, the slowest first."""
    model, inputs, work, _ = table_types()
    needed = hooks_of(compiled.model, compiled.inputs)
    hooks = [hook for phase in range(PHASES) for _, hook in needed[phase]]
    units = _longest_first(_hook_units([*hooks, *_hooks_of_ghosts(compiled.scene)]))
    if any(part.switches(compiled.model) for part in SUBJECTS):
        units.append(unit_of_events())
    if compiled.model.spring_rows.count.sum() >= MANY:
        units.append(Unit(worker_loop, (model, inputs, work)))
    if len(compiled.model.fields.body):
        units += _overlap_units()
    return list(dict.fromkeys([*units, *units_of_method(compiled.scene)]))


def units_of_hooks() -> list[Unit]:
    """The hooks of all subjects."""
    return list(_hook_units(hook for part in SUBJECTS for hook in (*chain(*part.hooks), *(part.shown or {}).values())))


def units_of_scenes() -> list[Unit]:
    """Every unit that a scene may need, those that others contain first."""
    model, inputs, work, _ = table_types()
    return [
        *(Unit(function.native, kinds_of(name)) for name, function in BY_NAME.items()),
        *_common_units(),
        *units_of_hooks(),
        *_mesh_units(),
        *_field_units(),
        *_overlap_units(),
        *_path_units(),
        *map(unit_of_method, METHODS | AS_PRINTED),
        *units_of_equilibria(),
        unit_of_events(),
        Unit(worker_loop, (model, inputs, work)),
        Unit(write_motions, (*step_types(), ROWS)),
        _unit_of_hooks(),
        Unit(add_forces, (model, inputs, NUMBER, ROW, work)),
    ]


# Units that take longest to compile start first, so that parallel processes end at about the same time.
LONG = (
    "tree",
    "spring_forces",
    "press_surfaces",
    "press_spheres",
    "reduce",
    "finish",
    "press_walls",
    "all_pairs",
    "brake",
    "dry_friction",
)


def _longest_first(units: Iterable[Unit]) -> list[Unit]:
    """The units in the order of LONG, then all others in their own order."""

    def rank(unit: Unit) -> int:
        return LONG.index(unit.kernel.__name__) if unit.kernel.__name__ in LONG else len(LONG)

    return sorted(units, key=rank)
