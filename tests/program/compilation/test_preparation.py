"""Kernels compiled before a scene runs, and the fallback if child processes can't compile."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning, refuses
from numba.core import event
from sampling import sampled
from scipy.spatial.transform import Rotation

from polhode.compilation.all_units import all_units
from polhode.engine.compiled_scene import CompiledScene
from polhode.mesh.convex_parts import KeptParts
from polhode.mesh.distance.kept import KeptSolid
from polhode.mesh.mesh import Meshes
from polhode.physics.contact.fields.surfaces import revolved
from polhode.run.units import Unit, missing
from polhode.scene import gallery
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of
from polhode.scene.variants.sweep import SweepSettings
from polhode.simulation.driven_parameters import build_at
from polhode.simulation.simulation import Simulation
from polhode.simulation.units import shapes_to_make, units_of_method, units_to_build, units_to_run
from polhode.sweep.sweep import Sweep
from polhode.sweep.units import units_to_sweep
from polhode_app.compilation import processes
from polhode_app.compilation.preparation import CompilerPool, Preparation, cache_problem
from polhode_app.compilation.processes import CompilerProcess
from polhode_app.edit.open_file import open_scene

ECHO = """
import sys
from polhode.process.messages import receive, send
while (message := receive(sys.stdin.buffer)) is not None:
    send(sys.stdout.buffer, *message)
"""
SLEEP = "import time; time.sleep(100)"
SCENES = ("heavy_top", "magnet_pendulum", "jelly_magnet", "catching_magnets", "bead_cradle", "cloth_by_modes", "flag")
SCENES += ("key_in_a_bowl", "kendama")


@pytest.fixture
def child(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Runs a program in place of the compiler."""

    def use(program: str) -> None:
        (tmp_path / "in_place_of_the_compiler.py").write_text(program)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.setattr(processes, "SERVER", "in_place_of_the_compiler")

    return use


@pytest.mark.parametrize("name", SCENES)
def test_the_units_of_a_scene_are_all_that_it_compiles(name: str) -> None:
    scene = open_scene(gallery.path(name))
    for unit in units_to_build(scene):
        unit.compile()
    compiled = build_at(scene, scene.sensor.centre, Meshes())
    for unit in units_to_run(compiled):
        unit.compile()
    assert missing([*units_to_build(scene), *units_to_run(compiled)]) == []
    compiled = event.RecordingListener()
    with event.install_listener("numba:compile", compiled):
        simulation = Simulation(scene, Meshes())
        simulation.advance_steps(2)
        simulation.snapshot()
        simulation.load(scene.with_values({"solver.time_step": 0.5 * scene.solver.time_step}))
        simulation.reset()
        simulation.advance_steps(2)
    assert [happened.data["dispatcher"].__name__ for _, happened in compiled.buffer] == []


@pytest.mark.parametrize("name", sampled(gallery.scene_names(), 12))
def test_another_process_knows_the_units_of_a_scene_by_their_names(name: str) -> None:
    scene = open_scene(gallery.path(name))
    compiled = build_at(scene, scene.sensor.centre, Meshes())
    for unit in [*units_to_build(scene), *units_to_run(compiled)]:
        assert all_units()[unit.name] == unit


def test_what_children_begin_with_is_what_every_scene_needs() -> None:
    assert set(processes.FIRST_UNITS) == {unit.name for unit in units_of_method(Scene())}


def test_children_that_were_begun_early_compile_until_somebody_orders(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, child: Callable[[str], None]
) -> None:
    child(ECHO)
    monkeypatch.setenv("POLHODE_CACHE", str(tmp_path))
    processes.start_early()
    early = list(processes._early)
    end = time.monotonic() + 120
    while processes._first and time.monotonic() < end:
        time.sleep(0.01)
    units = [*all_units().values()][:10]
    compilers = CompilerPool(units)
    assert early
    assert compilers.children[: len(early)] == early
    while compilers.children and time.monotonic() < end:
        compilers.poll()
        time.sleep(0.01)
    assert compilers.done == {*processes.FIRST_UNITS, *(unit.name for unit in units)}
    assert not compilers.failed


def test_what_an_early_child_compiles_is_ordered_from_nobody_else(
    monkeypatch: pytest.MonkeyPatch, child: Callable[[str], None]
) -> None:
    child(SLEEP)
    unit, other = [*all_units().values()][:2]
    early = CompilerProcess()
    early.order(unit.name)
    monkeypatch.setattr(processes, "_early", [early])
    compilers = CompilerPool([unit, other], 1)
    compilers.poll()
    assert [unit.name for unit in compilers._waiting] == [other.name]
    compilers.kill()


def waited(preparation: Preparation) -> CompiledScene:
    end = time.monotonic() + 120
    while (compiled := preparation.poll()) is None:
        assert time.monotonic() < end
        time.sleep(0.02)
    return compiled


@pytest.mark.parametrize("program", ["raise SystemExit(3)", "import os; os.kill(os.getpid(), 9)"])
def test_where_children_die_the_scene_comes_all_the_same(
    program: str, monkeypatch: pytest.MonkeyPatch, child: Callable[[str], None]
) -> None:
    child(program)
    monkeypatch.setattr("polhode_app.compilation.preparation.missing", list)
    preparation = Preparation(Scene(), Meshes())
    assert waited(preparation).scene == Scene()
    assert preparation.failed
    assert Meaning("", "compiles", "ended").of(cache_problem(preparation.failed))


def ring(shape: str, rounding: float) -> Scene:
    """A ring of a mesh beside a cone."""
    law = {"detail": 24, "rounding": rounding}
    surface = revolved(np.array([0.02, 0.04, 0.04, 0.02]), np.array([-0.01, -0.01, 0.01, 0.01]), is_closed=True)
    mesh = {
        "kind": "mesh",
        "file": "ring",
        "vertices": surface[0].tolist(),
        "faces": surface[1].ravel().tolist(),
        "mass": 1,
    }
    cone = {"kind": "cone", "radius": 0.02, "length": 0.05, "mass": 1}
    bodies = [
        {"name": "ring", "support": "free", "contact": law | {"shape": shape}, "shape": [mesh]},
        {"name": "cone", "support": "free", "contact": law | {"shape": "mesh"}, "shape": [cone], "position": [0, 0, 1]},
    ]
    return scene_of({"format": 2, "body": bodies}, "ring")


@pytest.mark.parametrize("shape", ["mesh", "parts"])
def test_shapes_are_computed_by_other_processes(shape: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A new radius of the rounding, or a turned mesh, has no file yet; the parts of how much is done only grow."""
    scene = ring(shape, 0.001 * (1 + random.random()))
    if shape == "parts":
        turned = np.array(scene.body[0].shape[0].vertices) @ Rotation.random().as_matrix()
        scene = scene.with_values({"body[0].shape[0].vertices": turned.tolist()})
    here = os.getpid()
    for kind in (KeptSolid, KeptParts):
        made = kind.make
        monkeypatch.setattr(kind, "make", lambda *given, made=made: made(*given) if os.getpid() != here else 1 / 0)
    assert len(missing(shapes_to_make(scene, Meshes()))) == 2
    preparation, parts = Preparation(scene, Meshes()), []
    end = time.monotonic() + 120
    while (compiled := preparation.poll()) is None and time.monotonic() < end:
        parts.append(preparation.shapes_done)
        time.sleep(0.01)
    known = [part for part in parts if part is not None]
    assert known == sorted(known)
    assert any(0.0 < part < 1.0 for part in known)
    assert compiled is not None
    solids, fields = compiled.model.solids.body.tolist(), compiled.model.fields.body.tolist()
    assert (set(solids), set(fields)) == (set() if shape == "mesh" else {0}, {0, 1})
    assert len(solids) == len(fields) - 1 if shape == "parts" else fields == [0, 1]


def test_a_library_that_crashes_is_not_called_in_this_process(
    monkeypatch: pytest.MonkeyPatch, child: Callable[[str], None]
) -> None:
    """The child ends at the parts of the mesh; the scene is refused, and the mesh is named."""
    child(ECHO.replace("    send(", "    if message[0].get('shape') == 'parts': raise SystemExit(3)\n    send("))
    scene = ring("parts", 0.001)
    turned = np.array(scene.body[0].shape[0].vertices) @ Rotation.random().as_matrix()
    monkeypatch.setattr(KeptParts, "make", lambda *given: pytest.fail("computed in this process"))
    preparation = Preparation(scene.with_values({"body[0].shape[0].vertices": turned.tolist()}), Meshes())
    with refuses("body[0].contact.shape", "crashed"):
        waited(preparation)


def test_where_no_process_can_be_begun_the_scene_comes_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/nowhere/python")
    monkeypatch.setattr("polhode_app.compilation.preparation.missing", list)
    preparation = Preparation(Scene(), Meshes())
    assert preparation.poll() is not None
    assert preparation.failed


def test_children_share_out_what_is_to_do(child: Callable[[str], None]) -> None:
    child(ECHO)
    units: list[Unit] = [*all_units().values()]
    compilers = CompilerPool(units[:10], closed=False)
    end = time.monotonic() + 120
    while not compilers.over and time.monotonic() < end:
        compilers.poll()
        time.sleep(0.01)
    assert compilers.done == {unit.name for unit in units[:10]}
    compilers.add(units[5:15])
    assert not compilers.over
    compilers.close()
    while compilers.children and time.monotonic() < end:
        compilers.poll()
        time.sleep(0.01)
    assert compilers.done == {unit.name for unit in units[:15]}
    assert not compilers.failed


def test_a_child_that_dies_at_its_unit_is_not_waited_for(child: Callable[[str], None]) -> None:
    """Though the other one lives: nothing compiles that unit."""
    units: list[Unit] = [*all_units().values()][:4]
    dies = f"    if message[0]['unit'] == {units[0].name!r}: raise SystemExit(3)"
    child(ECHO.replace("    send(", f"{dies}\n    send("))
    compilers = CompilerPool(units, 2, closed=False)
    end = time.monotonic() + 60
    while not compilers.failed and time.monotonic() < end:
        compilers.poll()
        time.sleep(0.01)
    assert compilers.failed
    assert units[0].name not in compilers.done
    compilers.kill()


def test_killed_children_end(child: Callable[[str], None]) -> None:
    child(SLEEP)
    compilers = CompilerPool([*all_units().values()][:3])
    compilers.poll()
    compilers.kill()
    end = time.monotonic() + 60
    while compilers.children and time.monotonic() < end:
        compilers.poll()
        time.sleep(0.01)
    assert compilers.failed


NEEDLE = "driven_compass"
OUTCOMES = {
    "lanes": ("basins_of_three_magnets", {"kind": "attractor", "near": ["magnet0", "magnet1", "magnet2"]}),
    "cells": ("sleeping_top", {"kind": "final", "quantity": "energy.kinetic"}),
    "features": (NEEDLE, {"features": [{"quantity": "needle.angular_velocity.z", "tolerance": 1.0}]}),
    "grid": (NEEDLE, {"grid": [{"quantity": "needle.u1.x", "range": [-1.1, 1.1], "count": 40}]}),
    "section": (NEEDLE, {"kind": "section", "quantity": "needle.u1.x"}),
    "exponents of an axle": (NEEDLE, {"kind": "lyapunov"}),
    "exponents": ("sleeping_top", {"kind": "lyapunov"}),
}


@pytest.mark.parametrize("check", ["auto", "perturbation"])
@pytest.mark.parametrize("case", OUTCOMES)
def test_the_units_of_a_sweep_are_all_that_it_compiles(case: str, check: str) -> None:
    name, outcome = OUTCOMES[case]
    if check == "perturbation" and outcome.get("kind", "attractor") != "attractor":
        pytest.skip("labels alone are checked")
    scene = open_scene(gallery.path(name))
    axis = {"parameter": "body[0].angular_velocity[2]", "range": [1.0, 2.0], "count": 2}
    until = 40 * scene.solver.time_step
    settings = SweepSettings.model_validate({"until": until, "axes": [axis], "outcome": outcome, "check": check})
    sweep = Sweep(scene, settings, Meshes(), 1)
    units = [*units_to_build(scene), *units_to_run(sweep.compiled), *units_to_sweep(sweep.chunks)]
    for unit in units:
        unit.compile()
        assert all_units()[unit.name] == unit
    compiled = event.RecordingListener()
    with event.install_listener("numba:compile", compiled):
        assert not Sweep(scene, settings, Meshes(), 1).run().is_pending
    assert [happened.data["dispatcher"].__name__ for _, happened in compiled.buffer] == []
