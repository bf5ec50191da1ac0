"""One place where time passes: the kernels that take steps, and the set-ups of a method, by the sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from sources import nodes_of

CORE = Path(__file__).parents[3] / "core/polhode"


def callers(*names: str) -> set[str]:
    """Functions of the core that call one of these names, as file:function."""

    def found(source: Path) -> Iterator[str]:
        for function in nodes_of(source):
            if isinstance(function, ast.FunctionDef):
                called = (each.func for each in ast.walk(function) if isinstance(each, ast.Call))
                if any(getattr(each, "id", getattr(each, "attr", "")) in names for each in called):
                    yield f"{source.relative_to(CORE)}:{function.name}"

    return {caller for source in CORE.rglob("*.py") for caller in found(source)}


def test_one_loop_of_steps_and_that_of_lanes() -> None:
    """A method is called by the loop and by the parts of a divided step; lanes take theirs in two loops."""
    of_loop = {"run/loop.py:advance", "run/loop.py:advance_divided"}
    assert callers("call_advance") == {*of_loop, "run/events.py:take_part", "run/events.py:divide_step"}
    assert callers("step_lanes") == {"run/lanes/loop.py:run_lanes", "run/lanes/observing.py:observe_lanes"}


def test_a_method_is_set_up_in_one_place() -> None:
    """For runs, for simulations, and for the comparison of lanes with the loop."""
    assert callers("set_step") == {
        "run/runner.py:run",
        "run/lanes/agreement.py:stepped",
        "simulation/batches/stepping.py:_restart",
    }
