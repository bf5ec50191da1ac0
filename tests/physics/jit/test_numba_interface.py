"""Internal interfaces of numba that Polhode uses: a new version that changes one of these fails here."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path
from typing import NamedTuple

import numba
import numpy as np
import pytest
from numba.core import cgutils, types
from numba.core.callconv import CPUCallConv
from numba.core.options import DefaultOptions
from numba.core.typing.templates import AttributeTemplate, infer_getattr

from polhode.engine.model import VECTOR
from polhode.jit.calls import call_hook
from polhode.jit.kernel import kernel

ROOT = Path(__file__).parents[3]
OPTIONS = ("_nrt", "no_cpython_wrapper", "no_cfunc_wrapper", "forceinline", "error_model", "fastmath", "nogil")
INNER = ("numba.core", "numba.extending", "numba.np")


def imports_of(source: Path) -> set[str]:
    text = source.read_text("utf-8")
    if "numba" not in text:
        return set()
    tree = ast.parse(text)
    named = {node.module for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) and node.module}
    return named | {name.name for node in ast.walk(tree) if isinstance(node, ast.Import) for name in node.names}


def test_one_room_uses_the_inner_interface_of_numba():
    users = [
        source.relative_to(ROOT).as_posix()
        for source in [*ROOT.glob("core/polhode/**/*.py"), *ROOT.glob("app/polhode_app/**/*.py")]
        if any(name.startswith(INNER) for name in imports_of(source))
    ]
    assert users
    assert [user for user in users if not user.startswith("core/polhode/jit/")] == []


@pytest.mark.parametrize(
    "option", ["_nrt", "no_cpython_wrapper", "no_cfunc_wrapper", "forceinline", "error_model", "fastmath", "nogil"]
)
def test_kernels_have_options_that_numba_knows(option: str):
    assert option in {*vars(DefaultOptions), "_nrt"}
    numba.njit(**{option: {"_nrt": False, "error_model": "numpy"}.get(option, True)})


def test_tables_and_lanes_are_built_of_these():
    assert callable(infer_getattr)
    assert hasattr(AttributeTemplate, "generic_resolve") or hasattr(AttributeTemplate, "_resolve")
    for name in ("alloca_once", "get_null_value", "pack_array", "get_or_insert_function"):
        assert hasattr(cgutils, name)
    for name in ("lower_getattr_generic", "register_model", "unbox", "NativeValue", "intrinsic", "models"):
        assert hasattr(numba.extending, name)
    assert {"call_function", "get_function_type"} <= set(dir(CPUCallConv))
    assert [*inspect.signature(CPUCallConv.call_function).parameters][1:6] == [
        "builder",
        "callee",
        "resty",
        "argtys",
        "args",
    ]


class Given(NamedTuple):
    state: np.ndarray
    time: float
    out: np.ndarray


GIVEN = (types.NamedTuple((VECTOR, types.float64, VECTOR), Given),)


@kernel
def doubled(given: Given) -> None:
    given.out[0] = 2.0 * given.state[0] + given.time


@kernel
def through(address: int, state: np.ndarray, out: np.ndarray) -> None:
    call_hook(address, Given(state, 0.5, out))


def test_a_kernel_is_called_by_its_address():
    out = np.zeros(1)
    through(doubled.native.address(GIVEN), np.array([3.0]), out)
    assert out[0] == 6.5


def test_native_code_has_no_wrapper_and_python_calls_what_has_one():
    doubled.native.compile(GIVEN)
    native = doubled.native.overloads[GIVEN]
    assert native.library.get_pointer_to_function(native.fndesc.llvm_func_name) != 0
    assert native.library.get_pointer_to_function(native.fndesc.llvm_cpython_wrapper_name) == 0
    out = np.zeros(1)
    doubled(Given(np.array([3.0]), 0.5, out))
    assert out[0] == 6.5
    assert native is not doubled.overloads[GIVEN]
