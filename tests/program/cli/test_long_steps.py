"""`check` and `run` with every integration method and a step that it does not stand."""

import re

import pytest
from command_line import polhode
from meaning import Meaning

from polhode.integrators import AS_PRINTED, METHODS

SCENE = """
format = 1
[world]
gravity = [0, 0, 0]
[solver]
method = "{method}"
time_step = 0.05
[[particle]]
name = "mass"
mass = 0.1
position = [0.0, 0.0, -1.1]
[[spring]]
from = [0.0, 0.0, 0.0]
to = "mass"
stiffness = 1e4
rest_length = 1.0
"""


FEW = ("rk4", "verlet", "implicit")


@pytest.mark.parametrize(
    "method",
    [pytest.param(method, marks=[pytest.mark.nightly] * (method not in FEW)) for method in (*METHODS, *AS_PRINTED)],
)
def test_a_step_that_is_too_long_is_a_warning_with_a_remedy(method, tmp_path):
    """w dt = 16 is beyond the limits of all methods but the implicit one, which has none: it damps the oscillation."""
    (tmp_path / "scene.toml").write_text(SCENE.format(method=method))
    checked = polhode("check", "scene.toml", folder=tmp_path)
    run = polhode("run", "scene.toml", "--until", "1", "--every", "0.1", "--out", "run.csv", folder=tmp_path)
    assert checked.returncode == 0
    assert run.returncode in (0, 3)  # 3: the motion became infinite
    if method == "implicit":  # a step that is not unstable, but far too long for this oscillation
        assert Meaning("solver.time_step", "drifts", step=0.05).of(checked.stderr)
        return
    for said in (checked.stderr, run.stderr):
        (warning,) = [line for line in said.splitlines() if "warning" in line]
        assert Meaning("solver.time_step").of(warning)
        assert method in warning
        better = re.search(r"; .* (\S+) s, .*energy$", warning)
        if better is not None:
            assert float(better[1]) < 0.05
        else:
            assert Meaning("solver.time_step", "shorten").of(warning) or Meaning("solver.time_step", "rk4").of(warning)
