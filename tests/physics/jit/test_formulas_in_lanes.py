"""Formulas of laws take eight numbers at once as they take one: each lane holds what the scalar formula gives."""

import inspect
from collections.abc import Callable
from typing import Any

import numba
import numpy as np
import pytest

from polhode.jit.simd import WIDTH, load, store
from polhode.physics.air.drag import drag_force
from polhode.physics.bodies.pivot_friction import friction_torque
from polhode.physics.contact.friction.dry_rows import across
from polhode.physics.contact.friction.tangential_friction import tangential_force
from polhode.physics.contact.sphere_contact import contact_energy, contact_force, harmonic_mean, impact_damping
from polhode.physics.frame.gravity import weight
from polhode.physics.frame.rotation import acceleration
from polhode.physics.grab.mouse_pull import pull_force, twist_torque
from polhode.physics.magnets.pair import pair
from polhode.physics.modal.modal_damping import damping_force
from polhode.physics.paths.placement import curvature
from polhode.physics.points.springs import spring_force, stretch_energy

FORMULAS = [
    *((drag_force, None), (friction_torque, None), (across, None), (tangential_force, None)),
    *((contact_energy, None), (harmonic_mean, None), (impact_damping, None), (weight, None), (acceleration, None)),
    *((pull_force, None), (twist_torque, None), (pair, None), (damping_force, None), (curvature, None)),
    *(
        (stretch_energy, None),
        (contact_force, True),
        (contact_force, False),
        (spring_force, True),
        (spring_force, False),
    ),
]
Loop = Callable[[np.ndarray, np.ndarray], None]

# The estimate of inverse roots is right to two units in the last place where the scalar has a root and a division, and
# sums of products may be fused otherwise: some units of the largest term.
TOLERANCE = 1e-13


def written(
    formula: Callable[..., Any], flag: bool | None
) -> tuple[Callable[..., None], Callable[..., None], int, int]:
    """Loops over columns of `given` (arguments, 8) into `result` (results, 8), by lanes and one by one."""
    function = formula.py_func
    kinds = list(inspect.get_annotations(function).values())[:-1]
    kinds = kinds if flag is None else kinds[:-1]
    returned = inspect.get_annotations(function)["return"]
    rows, lanes, single = 0, [], []
    for kind in kinds:
        numbers = range(rows, rows + (3 if kind == "Triple" else 1))
        rows = numbers.stop
        each = [f"load(given, {i}, 0)" for i in numbers], [f"given[{i}, k]" for i in numbers]
        lanes.append(f"({', '.join(each[0])})" if kind == "Triple" else each[0][0])
        single.append(f"({', '.join(each[1])})" if kind == "Triple" else each[1][0])
    shape = {"Triple": "a, b, c", "float": "a", "tuple[Triple, float]": "(a, b, c), d"}
    shape["tuple[Triple, Triple, Triple]"] = "(a, b, c), (d, e, f), (g, h, i)"
    names = [letter for letter in shape[returned] if letter.isalpha()]
    last = [] if flag is None else [str(flag)]
    text = f"def by_lanes(given, result):\n    {shape[returned]} = formula({', '.join(lanes + last)})\n"
    text += "".join(f"    store(result, {row}, 0, None, {name})\n" for row, name in enumerate(names))
    text += f"def one_by_one(given, result):\n    for k in range({WIDTH}):\n"
    text += f"        {shape[returned]} = formula({', '.join(single + last)})\n"
    text += "".join(f"        result[{row}, k] = {name}\n" for row, name in enumerate(names))
    space: dict[str, Any] = {"formula": formula, "load": load, "store": store}
    exec(text, space)
    compiled = numba.njit(error_model="numpy", fastmath={"contract"})
    return compiled(space["by_lanes"]), compiled(space["one_by_one"]), rows, len(names)


@pytest.mark.parametrize(("formula", "flag"), FORMULAS, ids=lambda each: getattr(each, "__name__", str(each)))
def test_lanes_hold_what_scalars_give(formula: Callable[..., Any], flag: bool | None) -> None:
    by_lanes, one_by_one, rows, results = written(formula, flag)
    random = np.random.default_rng(5)
    for trial in range(20):
        given = random.normal(size=(rows, WIDTH)) * 10.0 ** random.integers(-1, 2, size=(rows, 1))
        if trial == 0:  # lanes in which nothing moves, or is pressed
            given[:, ::2] = 0.0
        found, expected = np.full((results, WIDTH), np.nan), np.full((results, WIDTH), np.nan)
        by_lanes(given, found)
        one_by_one(given, expected)
        size = np.nanmax(np.abs(expected[np.isfinite(expected)]), initial=0.0)
        assert found == pytest.approx(expected, rel=TOLERANCE, abs=TOLERANCE * size, nan_ok=True)


def test_lanes_take_different_branches() -> None:
    """A contact presses in one lane, and would pull in the next, where it has no force."""
    by_lanes, _, rows, results = written(contact_force, False)
    given = np.zeros((rows, WIDTH))
    given[0], given[3], given[7], given[8] = 0.1, 1.0, 20.0, 1.0  # depth, normal along z, stiffness, damping
    given[6, 1] = 5.0  # departs
    found = np.full((results, WIDTH), np.nan)
    by_lanes(given, found)
    assert found[2, :2] == pytest.approx([2.0, 0.0])
