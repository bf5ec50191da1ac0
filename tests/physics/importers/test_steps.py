"""Time steps that resolve joints, cords and contacts of a model: no longer than what `check` accepts."""

from __future__ import annotations

from math import floor, log10
from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning
from mujoco_twin import opened

from polhode import Simulation, read_robot
from polhode.analysis.steps.limits import judged, step_limits
from polhode.engine.compile import build
from polhode.importers.touching import longest_stable
from polhode.mesh.mesh import Meshes

STATED = 0.05  # [s]
MODEL = """<mujoco><compiler angle="radian"/><option timestep="{stated}" {gravity}/>
 <default><geom contype="0" conaffinity="0"/></default><asset>{asset}</asset>
 <worldbody><site name="hook" pos="0 0 2"/>{world}</worldbody>{more}</mujoco>"""
DISC = '<body name="{0}" pos="{1} 0 1"><joint name="{0}" {2}/><geom type="cylinder" size=".2 .01" mass="1"/></body>'
LOOSE = 'contype="1" conaffinity="1"'
BALL = '<body name="ball" pos="0 0 1"><freejoint/><geom size=".1" mass="1"/><site name="top" pos=".05 0 .1"/></body>'
CORD = '<tendon><spatial {}><site site="hook"/><site site="top"/></spatial></tendon>'
MODELS = {
    "damper of a joint": (DISC.format("a", 0, 'damping="3"'), ""),
    "spring of a joint": (DISC.format("a", 0, 'stiffness="900" armature=".002"'), ""),
    "damper of a ball": (DISC.format("a", 0, 'type="ball" damping="2"'), ""),
    "two joints": (
        DISC.format("a", 0, 'damping="1"').replace("</body>", DISC.format("b", 0.3, 'damping="2"') + "</body>"),
        "",
    ),
    "gear": (
        DISC.format("a", 0, 'damping="2"') + DISC.format("b", 1, 'damping="4"'),
        '<equality><joint joint1="a" joint2="b" polycoef="0 3 0 0 0"/></equality>',
    ),
    "actuator": (DISC.format("a", 0, ""), '<actuator><position joint="a" kp="500" kv="7"/></actuator>'),
    "cord": (BALL, CORD.format('stiffness="4e3" damping="30"')),
    "string over a pulley": (
        BALL + '<site name="wheel" pos=".5 0 2"/>',
        CORD.format('limited="true" range="0 2.2"').replace(
            '<site site="top"/>', '<site site="wheel"/><site site="top"/>'
        ),
    ),
    "box on a plane": (
        f'<geom type="plane" size="1 1 1" {LOOSE}/><body name="box" pos="0 0 1"><freejoint/>'
        f'<geom type="box" size=".3 .02 .1" {LOOSE}/></body>',
        "",
    ),
    "light foot": (
        f'<geom type="plane" size="1 1 1" {LOOSE}/><body name="leg" pos="0 0 2"><freejoint/><geom size=".3" {LOOSE}/>'
        f'<body name="shin" pos="0 0 -.6"><joint/><geom type="capsule" size=".05 .2"/><body name="foot" pos="0 0 -.3">'
        f'<joint/><geom type="capsule" size=".02 .1" {LOOSE}/></body></body></body>',
        "",
    ),
    "mesh": (
        f'<body name="tetra" pos="0 0 1"><freejoint/><geom type="mesh" mesh="tetra" {LOOSE}/></body>'
        f'<geom size=".2" {LOOSE}/>',
        "",
    ),
}  # fmt: skip
TETRA = '<mesh name="tetra" vertex="0 0 0 .3 0 0 0 .2 0 0 0 .4"/>'


@pytest.mark.parametrize("name", MODELS)
def test_the_step_of_a_model_is_accepted_by_check(tmp_path: Path, name: str) -> None:
    """The limits of `check` are those of the compiled scene, by differences of its rates and its contact points."""
    world, more = MODELS[name]
    scene = opened(tmp_path, MODEL.format(stated=STATED, gravity="", asset=TETRA, world=world, more=more))
    compiled, step = build(scene, Meshes()), scene.solver.time_step
    limit = step_limits(compiled, 0.0, compiled.start)["rk4"].step
    assert step <= limit
    assert step > limit / 20 or limit > STATED  # FINE and one digit: not needlessly short
    assert step < STATED
    assert judged(compiled, "rk4", step, 0.0, compiled.start, horizon=1.0).verdict.problem is None


def test_a_damper_on_a_small_inertia_shortens_the_step_with_a_note(tmp_path: Path) -> None:
    """A disc of 1 kg and 0.2 m has m a^2/2 = 0.02 kg m^2: its damper of 3 N m s has the rate 150/s, and 2/150 s is
    rounded down to one digit.
    """
    path = tmp_path / "model.xml"
    path.write_text(MODEL.format(stated=STATED, gravity="", asset="", world=MODELS["damper of a joint"][0], more=""))
    robot = read_robot(path)
    assert robot.scene.solver.time_step == 0.01
    assert any(Meaning("", "dampers", step=0.01, stated=STATED).of(note) for note in robot.notes)
    simulation = Simulation(robot.scene)
    simulation.advance(1.0)
    assert np.isfinite(simulation.snapshot().bodies.position).all()


def test_steps_that_resolve_everything_stay(tmp_path: Path) -> None:
    world = DISC.format("a", 0, 'damping=".01" stiffness=".1"')
    path = tmp_path / "model.xml"
    path.write_text(MODEL.format(stated=0.002, gravity="", asset="", world=world, more=""))
    robot = read_robot(path)
    assert robot.scene.solver.time_step == 0.002
    assert not any(Meaning("", stated=0.002).of(note) for note in robot.notes)


def test_a_urdf_with_dampers_gets_a_step_that_resolves_them(tmp_path: Path) -> None:
    """A rod of 0.1 kg with 1e-5 kg m^2 and a damper of 0.1 N m s: the rate is 1e4/s."""
    inertial = (
        '<inertial><mass value=".1"/><inertia ixx="1e-5" iyy="1e-5" izz="1e-5" ixy="0" ixz="0" iyz="0"/></inertial>'
    )
    ends = '<parent link="a"/><child link="b"/><axis xyz="0 0 1"/><dynamics damping=".1"/>'
    joint = f'<joint name="j" type="continuous">{ends}</joint>'
    path = tmp_path / "arm.urdf"
    path.write_text(f'<robot name="r"><link name="a"/><link name="b">{inertial}</link>{joint}</robot>')
    assert read_robot(path).scene.solver.time_step == pytest.approx(2e-4)


@pytest.mark.parametrize(
    ("square", "rate", "limit"), [(1e4, 0.0, 2.8284e-2), (0.0, 100.0, 2.785e-2), (0.0, 0.0, np.inf)]
)
def test_limits_of_rk4(square: float, rate: float, limit: float) -> None:
    """Its stability region reaches to 2 sqrt(2) on the imaginary axis and to -2.785 on the real one."""
    found = longest_stable(np.array([square]), np.array([rate]))
    assert found == limit or 0.97 * limit < found <= limit


def test_steps_have_one_digit(tmp_path: Path) -> None:
    for damping in (0.7, 1.3, 5.0, 40.0):
        world = DISC.format("a", 0, f'damping="{damping}"')
        step = opened(tmp_path, MODEL.format(stated=1, gravity="", asset="", world=world, more="")).solver.time_step
        longest = 2 * 0.02 / damping
        digit = 10.0 ** floor(log10(longest))
        assert step == pytest.approx(digit * floor(longest / digit))
