"""Attributes of joints: limits with and without `limited`, dry friction, terms of higher orders, rotors."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning, refuses

from polhode import Simulation, read_robot
from polhode.importers.opening import Robot


def jointed(folder: Path, joint: str, compiler: str = "", inside: str = '<geom size="0.1"/>') -> Robot:
    path = folder / "model.xml"
    body = f'<body name="b">{joint}{inside}</body>'
    path.write_text(f"<mujoco><compiler {compiler}/><worldbody>{body}</worldbody></mujoco>")
    return read_robot(path)


@pytest.mark.parametrize(
    ("compiler", "limited", "is_limited"),
    [
        ("", "", True),
        ("", 'limited="auto"', True),
        ("", 'limited="false"', False),
        ('autolimits="false"', 'limited="true"', True),
        ('autolimits="false"', 'limited="false"', False),
    ],
)
def test_a_joint_is_limited_as_it_states(tmp_path: Path, compiler: str, limited: str, is_limited: bool) -> None:
    (joint,) = jointed(tmp_path, f'<joint range="-10 20" {limited}/>', compiler).scene.joint
    assert (joint.limits is not None) == is_limited
    if is_limited:
        assert (joint.limits.lower, joint.limits.upper) == pytest.approx(np.radians([-10, 20]))


def test_frictionloss_stops_a_slider(tmp_path: Path) -> None:
    """A block that falls along a rail against dry friction F: z = -(g - F/m) t^2/2."""
    slider = '<joint name="s" type="slide" axis="0 0 1" frictionloss="4"/>'
    scene = jointed(tmp_path, slider, inside='<geom size="0.1" mass="2"/>').scene
    simulation = Simulation(scene)
    simulation.advance(0.5)
    assert simulation.snapshot().bodies.position[0][2] == pytest.approx(-(9.81 - 2) * 0.125, abs=1e-9)


def test_coefficients_of_joints_reach_the_scene(tmp_path: Path) -> None:
    text = '<joint axis="0 1 0" armature="0.1" damping="0.2" frictionloss="0.3" stiffness="4" springref="90" ref="30"/>'
    (joint,) = jointed(tmp_path, text).scene.joint
    assert (joint.armature, joint.friction, joint.dry_friction) == (0.1, 0.2, 0.3)
    assert (joint.spring.stiffness, joint.spring.rest, joint.angle) == pytest.approx((4, np.pi / 2, np.pi / 6))


def test_terms_of_higher_orders_and_what_a_kind_does_not_have_are_noted(tmp_path: Path) -> None:
    robot = jointed(tmp_path, '<joint name="j" stiffness="4 1" damping="0.2 0 3"/>')
    assert [note for note in robot.notes if Meaning("'j'", "linear").of(note)] == list(robot.notes)
    assert len(robot.notes) == 2
    robot = jointed(tmp_path, '<joint type="free" armature="0.2" damping="1"/>')
    for name in ("armature", "damping"):
        assert any(Meaning("", "not", "used", name=name).of(note) for note in robot.notes)


@pytest.mark.parametrize("name", ["armature", "damping", "stiffness", "frictionloss"])
def test_negative_coefficients_are_refused(tmp_path: Path, name: str) -> None:
    with refuses("line 1: <joint>", name=name, value=-1):
        jointed(tmp_path, f'<joint {name}="-1"/>')
