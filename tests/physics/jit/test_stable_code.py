"""Machine code does not depend on the order in which functions are compiled: equal bits and equal speed everywhere."""

from __future__ import annotations

import os
import pickle  # noqa: TID251  (files that this test makes)
import subprocess
import sys
from pathlib import Path

import pytest
from llvmlite import binding

from polhode.jit.kernel import kernel, part_of_caller
from polhode.jit.storage.code_folder import without_digest
from polhode.jit.storage.machine_code import number_of
from polhode.jit.vec import cross, dot

ON_DEMAND = """
import sys
from polhode.scene import gallery
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Simulation
for name in sys.argv[1:]:
    Simulation(read_scene(gallery.path(name))).advance_steps(1)
"""
IN_ADVANCE = ["-m", "polhode.compilation.compile_units", "--all"]


@kernel
def leaf(number):
    return 2.0 * number


@part_of_caller
def inner(number):
    return leaf(number) + 1.0


@kernel
def outer(number):
    return inner(number)


def instructions(folder: Path, *command: str) -> dict[str, list[bytes]]:
    """Instructions and constants of each function by the name of its file, after a new process has compiled them.

    The names in object code differ: numba numbers functions of its own library in the order in which it compiles them.
    """
    variables = {**os.environ, "POLHODE_CACHE": str(folder), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    subprocess.run([sys.executable, *command], env=variables, check=True, stdout=subprocess.DEVNULL)
    files = [path for path in folder.rglob("polhode.*") if path.is_file()]
    return {path.name: sections(pickle.loads(without_digest(path.read_bytes()) or b"")[0][2][0]) for path in files}


def sections(code: bytes) -> list[bytes]:
    """Sections of object code with instructions and constants."""
    found = binding.ObjectFileRef.from_data(code).sections()
    return sorted(each.data() for each in found if each.is_text() or b"rodata" in (each.name() or b""))


def test_functions_have_the_same_number_in_every_process() -> None:
    program = (
        "from polhode.jit.vec import cross, dot; from polhode.jit.storage.machine_code import number_of; "
        "print(number_of(cross.py_func, True), number_of(dot.py_func, True), number_of(dot.py_func, False))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    here = [number_of(cross.py_func, True), number_of(dot.py_func, True), number_of(dot.py_func, False)]
    assert [int(number) for number in done.stdout.split()] == here
    assert len(set(here)) == 3


def test_a_callee_does_not_inherit_forced_inlining_from_its_caller(tmp_path: Path) -> None:
    """numba compiles a callee at its first call, and gives it the options of that caller that it does not set itself.

    In a process without kept machine code: with it, callees are not compiled.
    """
    program = (
        "from test_stable_code import inner, leaf, outer; assert outer(1.0) == 3.0; "
        "print(*(next(iter(each.native.overloads.values())).fndesc.inline for each in (leaf, inner)))"
    )
    path = os.pathsep.join([str(Path(__file__).parent), *filter(None, sys.path)])
    variables = {**os.environ, "POLHODE_CACHE": str(tmp_path), "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", program], env=variables, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["False", "True"]


@pytest.mark.nightly
def test_code_compiled_on_demand_equals_code_compiled_in_advance(tmp_path: Path) -> None:
    demanded = instructions(
        tmp_path / "on demand", "-c", ON_DEMAND, "slider_crank", "dominoes", "magnetic_gears", "bowl_by_hand"
    )
    advance = instructions(tmp_path / "in advance", *IN_ADVANCE)
    assert len(demanded) > 300
    assert demanded.keys() <= advance.keys()
    assert [name for name, code in demanded.items() if advance[name] != code] == []
