"""Actuators and tendons of MJCF, and gravity that bodies are relieved of: motion as in MuJoCo."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning, refuses
from mujoco_twin import STEP, compare, opened, ours, twin

from polhode import InputError, read_robot

ARM = """<mujoco><compiler angle="radian"/>
 <option gravity="0.3 0 -9.81" timestep="{step}" integrator="RK4">{flag}</option>
 <default><geom contype="0" conaffinity="0"/><site size=".01"/>{default}</default><worldbody>
 <site name="hook" pos=".3 .2 1.2"/><site name="wheel" pos=".1 .4 1.1"/>
 <body name="upper" pos="0 0 1">
  <joint name="shoulder" axis="0 1 0" ref=".2" damping=".02" stiffness="3" springref=".4"/>
  <geom type="capsule" fromto="0 0 0 .1 0 -.5" size=".03"/><site name="elbow" pos=".1 0 -.4"/>
  <body name="lower" pos=".1 0 -.5" gravcomp="{gravcomp}"><joint name="elbow" axis="1 1 0"/>
   <geom type="box" size=".05 .1 .2" pos="0 .05 -.2"/><site name="hand" pos="0 .1 -.4"/></body></body>
 <body name="cart" pos="1 0 1"><joint name="rail" type="slide" axis="1 0 .2"/><geom size=".1"/>
  <site name="cart"/></body>
 </worldbody>{more}</mujoco>"""
ACTUATORS = [
    '<position joint="shoulder" kp="30" kv="2" gear="1.5"/><position joint="rail" kp="200"/>',
    '<velocity joint="elbow" kv="1.5"/><damper joint="rail" kv="3" ctrlrange="1 2"/><motor joint="shoulder" gear="9"/>',
    '<general joint="elbow" gear="2" biastype="affine" gainprm="5" biasprm=".7 -4 -.3"/>',
    '<general joint="rail" gaintype="affine" gainprm="5 1 2" biastype="affine" biasprm="3 -40 -.3" dyntype="filter"/>',
    '<intvelocity joint="shoulder" kp="20"/><position joint="elbow" kp="9" timeconst=".1" ctrlrange="0 1"/>',
    '<motor joint="rail" ctrlrange=".5 1"/><motor joint="elbow" gear="30" ctrlrange=".5 1" forcerange="-1 .1"/>',
    '<motor tendon="sum" gear="3" ctrlrange=".5 1"/><position tendon="one" kp="50"/>',
    '<position joint="rail" kp="9" damping="2" armature=".5" gear="2"/>',
]
TENDONS = """<tendon><fixed name="sum"><joint joint="shoulder" coef=".5"/><joint joint="rail" coef="-2"/></fixed>
 <fixed name="one" stiffness="3" damping=".2" springlength=".4"><joint joint="elbow" coef=".5"/></fixed>
 {}</tendon>"""
WOUND = [
    '<fixed name="own" stiffness="9" damping=".3"><joint joint="shoulder" coef=".5"/>'
    '<joint joint="elbow" coef="-1"/></fixed>',
    '<fixed name="own" stiffness="9" springlength=".3"><joint joint="shoulder" coef=".5"/>'
    '<joint joint="rail" coef="-2"/><joint joint="elbow" coef=".2"/></fixed>',
    '<fixed name="own" armature=".4"><joint joint="shoulder" coef="2"/><joint joint="elbow" coef=".3"/></fixed>',
    '<fixed name="own" damping="2"><joint joint="rail" coef="1"/><joint joint="elbow" coef=".3"/></fixed>',
]
SERVOS = [
    '<position tendon="own" kp="20" kv="1" ctrlrange=".5 1"/>',
    '<velocity tendon="own" kv="3" gear="2" ctrlrange="1 2"/><motor tendon="own" gear="2" ctrlrange="1 2"/>',
    '<general tendon="own" gear="2" biastype="affine" gainprm="5" biasprm=".7 -4 -.3" ctrlrange="1 2"/>',
]
SPATIAL = [
    '<spatial stiffness="40" damping=".5"><site site="hook"/><site site="hand"/></spatial>',
    '<spatial stiffness="40" damping=".5" springlength=".3"><site site="elbow"/><site site="cart"/></spatial>',
    '<spatial stiffness="40" springlength="0 .6"><site site="hook"/><site site="wheel"/><site site="hand"/></spatial>',
    '<spatial stiffness="40" springlength=".5 .6"><site site="elbow"/><site site="cart"/></spatial>',
    '<spatial damping="5"><site site="hand"/><site site="cart"/></spatial>',
    '<spatial stiffness="30" damping=".3"><site site="hook"/><site site="elbow"/><site site="cart"/></spatial>',
    '<spatial stiffness="30" springlength=".2"><site site="hook"/><site site="hand"/><pulley divisor="3"/>'
    '<site site="elbow"/><site site="wheel"/><site site="cart"/><pulley divisor=".5"/><site site="wheel"/>'
    '<site site="cart"/></spatial>',
    '<spatial stiffness="30"><pulley divisor="2"/><site site="hook"/><site site="hand"/></spatial>',
]


def arm(more: str = "", flag: str = "", gravcomp: float = 0.0, default: str = "") -> str:
    return ARM.format(step=STEP, more=more, flag=flag, gravcomp=gravcomp, default=default)


def check(folder: Path, text: str) -> None:
    compare(opened(folder, text), text, ["upper", "lower", "cart"])


@pytest.mark.parametrize("actuators", ACTUATORS)
def test_actuators_act_as_in_mujoco(tmp_path: Path, actuators: str) -> None:
    check(tmp_path, arm(TENDONS.format("") + f"<actuator>{actuators}</actuator>"))


@pytest.mark.parametrize("tendon", WOUND)
def test_fixed_tendons_of_several_joints_pull_as_in_mujoco(tmp_path: Path, tendon: str) -> None:
    check(tmp_path, arm(f"<tendon>{tendon}</tendon>"))


@pytest.mark.parametrize("servo", SERVOS)
def test_actuators_on_tendons_of_several_joints_act_as_in_mujoco(tmp_path: Path, servo: str) -> None:
    check(tmp_path, arm(f"<tendon>{WOUND[0]}</tendon><actuator>{servo}</actuator>"))


def test_a_limit_of_a_tendon_of_two_joints_holds_as_a_stiff_one_of_mujoco(tmp_path: Path) -> None:
    """Against MuJoCo's limit at a tenth of the step, stiff, and so damped that it does not bounce."""
    fixed = '<fixed name="own" limited="true" range="-.05 .12" solreflimit=".0001 10" solimplimit=".999 .9999 1e-4">'
    terms = '<joint joint="shoulder" coef=".5"/><joint joint="elbow" coef=".5"/></fixed>'
    text = arm(f"<tendon>{fixed}{terms}</tendon>")
    scene = opened(tmp_path, text)
    (tendon,) = (joint for joint in scene.joint if joint.kind == "tendon")
    assert (tendon.limits.lower, tendon.limits.upper, tendon.coefficients) == (-0.05, 0.12, (0.5, 0.5))
    stiff = text.replace(f'timestep="{STEP}"', f'timestep="{STEP / 10}"')
    found, wanted = ours(scene), twin(stiff, ["upper", "lower"], STEP / 10)
    free = twin(arm(), ["upper", "lower"])
    for name, (position, axes) in wanted.items():
        assert np.abs(found[name][0] - position).max() < 1e-3, name
        assert np.abs(found[name][1] - axes).max() < 1e-3, name
    assert np.abs(free["lower"][1] - wanted["lower"][1]).max() > 0.05


def test_a_tendon_that_begins_beyond_its_range_is_noted(tmp_path: Path) -> None:
    fixed = '<fixed name="own" limited="true" range=".4 .5"><joint joint="shoulder" coef="1"/>'
    path = tmp_path / "model.xml"
    path.write_text(arm(f'<tendon>{fixed}<joint joint="elbow" coef="1"/></fixed></tendon>'))
    robot = read_robot(path)
    (tendon,) = (joint for joint in robot.scene.joint if joint.kind == "tendon")
    assert (tendon.limits.lower, tendon.limits.upper) == (0.2, 0.5)
    assert any(Meaning("", "range").of(note) for note in robot.notes)


def test_a_joint_that_does_not_move_adds_a_constant_to_a_tendon(tmp_path: Path) -> None:
    lock = '<equality><joint joint1="elbow" polycoef=".4 0 0 0 0"/></equality>'
    fixed = WOUND[1].replace('springlength=".3"', 'springlength=".3" limited="true" range="-1 2"')
    scene = opened(tmp_path, arm(f"<tendon>{fixed}</tendon>{lock}"))
    (tendon,) = (joint for joint in scene.joint if joint.kind == "tendon")
    assert tendon.joints == ("shoulder", "rail")
    assert tendon.spring.rest == pytest.approx(0.3 - 0.2 * 0.4)
    assert (tendon.limits.lower, tendon.limits.upper) == pytest.approx((-1 - 0.08, 2 - 0.08))


@pytest.mark.parametrize("tendon", SPATIAL)
def test_tendons_pull_as_in_mujoco(tmp_path: Path, tendon: str) -> None:
    check(tmp_path, arm(TENDONS.format(tendon)))


def test_actuators_share_their_defaults(tmp_path: Path) -> None:
    for default in ('<position kp="20"/><motor gear="2"/>', '<motor gear="2"/><position kp="20"/>'):
        check(tmp_path, arm('<actuator><position joint="shoulder"/></actuator>', default=default))


@pytest.mark.parametrize("part", ["gravity", "actuation", "spring", "damper", "limit"])
def test_what_a_flag_disables_does_not_act(tmp_path: Path, part: str) -> None:
    more = TENDONS.format(SPATIAL[0]) + f"<actuator>{ACTUATORS[0]}</actuator>"
    check(tmp_path, arm(more, flag=f'<flag {part}="disable"/>'))


def test_bodies_are_relieved_of_gravity(tmp_path: Path) -> None:
    check(tmp_path, arm(gravcomp=0.7))


def test_a_string_holds_its_length(tmp_path: Path) -> None:
    """A ball on a string of two sites: a pendulum of this length, once it is taut."""
    ball = '<body name="b" pos="0 0 .8"><freejoint/><geom size=".05"/><site name="top" pos="0 0 .05"/></body>'
    string = '<spatial range="0 .3" limited="true"><site site="hook"/><site site="top"/></spatial>'
    text = f'<mujoco><worldbody><site name="hook" pos="0 0 1"/>{ball}</worldbody><tendon>{string}</tendon></mujoco>'
    (joint,) = opened(tmp_path, text).joint
    assert (joint.kind, joint.pull_only, joint.length, joint.second) == ("distance", True, 0.3, None)
    over = string.replace('<site site="top"/>', '<site site="wheel"/><site site="top"/>')
    text = text.replace(string, over).replace("<worldbody>", '<worldbody><site name="wheel" pos=".1 0 1"/>')
    (spring,) = opened(tmp_path, text).spring
    assert (spring.pull_only, spring.rest_length, spring.over) == (True, 0.3, ((0.1, 0.0, 1.0),))


def test_a_string_over_a_moving_site_and_a_pulley_holds_as_a_stiff_one_of_mujoco(tmp_path: Path) -> None:
    """Both are stiff springs where they are taut; MuJoCo's at a tenth of the step and damped."""
    string = '<spatial limited="true" range="0 1.815" solreflimit=".0002 10" solimplimit=".999 .9999 1e-4">'
    course = '<site site="hook"/><site site="elbow"/><site site="hand"/><pulley divisor="2"/><site site="hand"/>'
    text = arm(f'<tendon>{string}{course}<site site="cart"/></spatial></tendon>')
    scene = opened(tmp_path, text)
    (spring,) = scene.spring
    assert (spring.pull_only, spring.over_bodies, spring.strands) == (True, ("upper", "lower", "lower"), (1, 1, 0, 0.5))
    stiff = text.replace(f'timestep="{STEP}"', f'timestep="{STEP / 10}"')
    found, wanted = ours(scene), twin(stiff, ["upper", "lower", "cart"], STEP / 10)
    free = twin(arm(), ["upper", "lower", "cart"])
    for name, (position, _) in wanted.items():
        assert np.abs(found[name][0] - position).max() < 2e-3, name
    assert max(np.abs(free[name][0] - wanted[name][0]).max() for name in free) > 0.02


def test_a_pulley_needs_a_divisor_above_0(tmp_path: Path) -> None:
    course = '<site site="hook"/><site site="hand"/><pulley divisor="0"/><site site="hook"/><site site="hand"/>'
    with refuses("line 12: <pulley>", value=0.0):
        opened(tmp_path, arm(f"<tendon><spatial>{course}</spatial></tendon>"))


def test_fixed_tendons_limit_a_single_joint(tmp_path: Path) -> None:
    fixed = '<fixed range="-.2 .6" limited="true" frictionloss=".3"><joint joint="rail" coef="-2"/></fixed>'
    scene = opened(tmp_path, arm(f"<tendon>{fixed}</tendon>"))
    rail = next(joint for joint in scene.joint if joint.name == "rail")
    assert (rail.limits.lower, rail.limits.upper, rail.dry_friction) == (-0.3, 0.1, 0.6)


@pytest.mark.parametrize(
    "actuator",
    [
        '<muscle joint="elbow"/>',
        '<motor site="hand" gear="1 0 0 0 0 0"/>',
        '<general joint="elbow" biastype="affine" biasprm="0 5"/>',
        '<adhesion body="lower" ctrlrange="0 1"/>',
        '<motor tendon="line"/>',
    ],
)
def test_actuators_that_are_not_read_are_listed(tmp_path: Path, actuator: str) -> None:
    path = tmp_path / "model.xml"
    line = '<spatial name="line"><site site="hook"/><site site="hand"/></spatial>'
    path.write_text(arm(TENDONS.format(line) + f"\n<actuator>{actuator}</actuator>"))
    tag = actuator[1:].split()[0]
    number = path.read_text().count("\n") + 1
    notes = read_robot(path).notes
    assert any(f"line {number}" in str(note) and f"<{tag}>" in str(note) for note in notes), notes


def test_names_that_are_not_there_are_refused(tmp_path: Path) -> None:
    for more in (
        '<actuator><motor joint="wrist"/></actuator>',
        '<tendon><spatial><site site="hook"/><site site="wrist"/></spatial></tendon>',
        '<tendon><fixed><joint joint="wrist" coef="1"/></fixed></tendon>',
    ):
        with pytest.raises(InputError, match="'wrist'"):
            opened(tmp_path, arm(more))


def test_a_tendon_over_a_joint_twice_is_refused_as_by_mujoco(tmp_path: Path) -> None:
    twice = '<joint joint="elbow" coef="1"/>' * 2
    with refuses("line 12: <joint>", "twice"):
        opened(tmp_path, arm(f"<tendon><fixed>{twice}</fixed></tendon>"))


def test_a_filtered_control_rises_as_in_mujoco(tmp_path: Path) -> None:
    general = '<general joint="rail" gainprm="7" dyntype="filter" dynprm=".3" ctrlrange=".5 1"/>'
    scene = opened(tmp_path, arm(f"<actuator>{general}</actuator>"))
    rail = next(joint for joint in scene.joint if joint.name == "rail")
    assert rail.motor.torque == "7.0*(0.5*(1 - exp(-t/0.3)))"
    check(tmp_path, arm(f"<actuator>{general}</actuator>"))
