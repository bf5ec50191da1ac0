"""No kernel calls an elementary function of the platform, whose bits differ between platforms."""

from __future__ import annotations

import ast
import math
import os
import pickle  # noqa: TID251  (files that this program has made)
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from llvmlite import binding

import polhode
from polhode.compilation.all_units import all_units
from polhode.jit.storage.code_folder import without_digest
from polhode.jit.storage.kept import FILES
from polhode.jit.storage.shipped_code import GENERIC

CORE = Path(polhode.__file__).parent
DECORATORS = {"kernel", "part_of_caller", "inlined", "view", "strict_kernel"}
# Exact operations have the same result in every library.
EXACT = {
    *("sqrt", "fabs", "floor", "ceil", "trunc", "rint", "copysign", "isnan", "isfinite", "isinf", "fmod", "frexp"),
    *("ldexp", "abs", "absolute", "maximum", "minimum", "sign", "square", "negative", "fmax", "fmin", "float64"),
}
OF_MATH = {name for name in dir(math) if callable(getattr(math, name))}
PLATFORM = OF_MATH | {name for name in dir(np) if isinstance(getattr(np, name), np.ufunc)}


BAD = """
from math import sin

@kernel
def bad(x):
    return sin(x) + np.tan(x) + x**0.5 + x**2

def good(x):
    return sin(x)
"""


def is_kernel(node: ast.AST) -> bool:
    """Whether a function is compiled."""
    return isinstance(node, ast.FunctionDef) and any(
        isinstance(each, ast.Name) and each.id in DECORATORS for each in node.decorator_list
    )


def is_folded(power: ast.BinOp) -> bool:
    """Whether a power has an integer exponent, or is a constant."""
    sides = power.left, power.right
    exponent = getattr(power.right, "value", None)
    return isinstance(exponent, int) or all(isinstance(each, ast.Constant | ast.UnaryOp) for each in sides)


def from_platform(tree: ast.Module) -> dict[str, str]:
    """The names that a file imports from math or numpy, with the functions that they are."""
    found = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module in ("math", "cmath", "numpy"):
            found |= {each.asname or each.name: each.name for each in node.names}
    return found


def calls_of_platform(text: str) -> list[str]:
    """Elementary functions of the platform that kernels in the text of a file call, "name: function"."""
    tree = ast.parse(text)
    imported, found = from_platform(tree), []
    for function in filter(is_kernel, ast.walk(tree)):
        for node in ast.walk(function):
            name = ""
            if isinstance(node, ast.Name):
                name = imported.get(node.id, "")
            elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
                name = node.attr if node.value.id in ("math", "np", "cmath") else ""
            elif isinstance(node, ast.BinOp) and isinstance(node.op, ast.Pow):
                name = "" if is_folded(node) else "pow"
            if name in PLATFORM - EXACT:
                found.append(f"{function.name}: {name}")
    return found


def test_kernels_call_no_elementary_function_of_the_platform() -> None:
    found = {path: calls_of_platform(path.read_text(encoding="utf-8")) for path in CORE.rglob("*.py")}
    assert {str(path.relative_to(CORE)): calls for path, calls in found.items() if calls} == {}
    assert set(calls_of_platform(BAD)) == {"bad: sin", "bad: tan", "bad: pow"}


def symbols(code: bytes) -> set[str]:
    """Names of the functions that object code defines or calls."""
    found: set[str] = set()
    for section in binding.ObjectFileRef.from_data(code).sections():
        if section.name() == b".strtab":
            found.update(name.decode() for name in section.data().split(b"\0"))
    return found


@pytest.mark.nightly
def test_machine_code_calls_no_elementary_function_of_the_platform() -> None:
    """Code of all units, as kept on the disk, which numba may have given calls that its source does not show."""
    for unit in all_units().values():
        unit.compile()
    files = [path for path in FILES.path.iterdir() if path.name.startswith("polhode.")]
    assert len(files) > 1000
    for path in files:
        code = pickle.loads(without_digest(path.read_bytes()) or b"")[0][2][0]
        assert symbols(code) & (PLATFORM - EXACT) == set(), path.name


PROGRAM = """
from hashlib import sha256
import numpy as np
from polhode.jit.libm.by_name import BY_NAME
x, y = np.random.default_rng(1).uniform(-1, 1, (2, 2000)) * 2.0 ** np.random.default_rng(2).integers(-20, 8, (2, 2000))
found = [
    function(a) if name not in ("atan2", "^") else function(abs(a), b)
    for name, function in BY_NAME.items() for a, b in zip(x.tolist(), y.tolist())
]
print(sha256(np.array(found).tobytes()).hexdigest())
"""


@pytest.mark.nightly
def test_bits_are_the_same_with_and_without_fused_multiply_adds() -> None:
    """Compiled for this processor, for any, and for one with fused multiply-adds but without wider vectors."""
    fused = {"NUMBA_CPU_NAME": "haswell", "NUMBA_CPU_FEATURES": "+avx2,+fma,+bmi,+bmi2,+lzcnt,+popcnt"}
    path = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", PROGRAM]
    found = {
        subprocess.run(command, env={**os.environ, **path, **target}, check=True, stdout=subprocess.PIPE).stdout
        for target in ({}, GENERIC, fused)
    }
    assert len(found) == 1
