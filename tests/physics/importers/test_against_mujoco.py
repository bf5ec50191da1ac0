"""Models of robots move as in MuJoCo, where the physics is the same: no contact, no dry friction, rigid joints."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from meaning import Meaning
from mujoco_twin import NEAR, STEP, TIME, compare, opened
from scipy.integrate import solve_ivp
from scipy.spatial.transform import Rotation

from polhode import Simulation, read_robot

pytest.importorskip("mujoco")
HEAD = f'<option gravity="0.3 0 -9.81" timestep="{STEP}" integrator="RK4"/>'
DOUBLE = f"""<mujoco model="double pendulum"><compiler angle="radian"/>{HEAD}
 <default>
  <geom density="800" contype="0" conaffinity="0"/>
  <default class="elbow"><joint damping="0.01" stiffness="0.4" springref="0.3"/></default>
 </default>
 <worldbody>
  <body name="upper" pos="0.1 0.2 1" euler="0.3 0.2 0.1">
   <joint name="shoulder" axis="0 1 0.2" pos="0 0 0.05"/>
   <geom type="capsule" fromto="0 0 0 0.1 0 -0.5" size="0.03"/>
   <body name="lower" pos="0.1 0 -0.5" axisangle="1 2 0 0.4" childclass="elbow">
    <joint name="elbow" axis="1 0.4 0" ref="0.1"/>
    <geom type="box" size="0.05 0.1 0.2" pos="0 0 -0.2" xyaxes="1 0.2 0 0 1 0"/>
    <geom type="ellipsoid" size="0.05 0.1 0.2" pos="0 0.1 -0.4" quat="1 2 0 1" density="300"/>
   </body>
  </body>
 </worldbody></mujoco>"""
ARMS = f"""<mujoco model="all joints"><compiler eulerseq="ZyX"/>{HEAD}
 <default><geom contype="0" conaffinity="0"/></default>
 <worldbody>
  <geom type="box" size="1 1 0.1" pos="0 0 -2"/>
  <body name="base" pos="0 0 0.2"><geom type="sphere" size="0.1"/>
   <frame pos="0.1 0 0" euler="10 20 30">
    <body name="cardan" pos="0 0 0.3" zaxis="0.1 0.2 1">
     <joint name="cardan" axis="1 0 0" pos="0 0 0.1" damping="0.02"/>
     <joint name="cardan2" axis="0 1 0" pos="0 0 0.1" damping="0.02"/>
     <inertial pos="0.1 0 0.2" mass="1.5" fullinertia="0.02 0.03 0.04 0.001 0.002 -0.001" />
     <body name="rail" pos="0.2 0 0">
      <joint name="rail" type="slide" axis="0.2 0 1" stiffness="80" springref="0.05" damping="0.3" ref="0.02"/>
      <geom type="cylinder" fromto="0 0 0 0 0.3 0.1" size="0.04" mass="0.7"/>
      <body name="bob" pos="0 0.3 0.1">
       <joint name="bob" type="ball" damping="0.01"/>
       <geom type="box" fromto="0 0 0 0.2 0.1 -0.3" size="0.02 0.03"/>
      </body>
     </body>
    </body>
   </frame>
  </body>
  <body name="screw" pos="1 0 0" quat="1 0.2 0 0">
   <joint name="turn" axis="0 0.5 1" pos="0 0 0.1"/><joint type="slide" axis="0 0.5 1"/>
   <inertial pos="0.1 0 0" quat="1 1 0 0" mass="2" diaginertia="0.1 0.2 0.25"/>
   <body name="tip" pos="0 0 0.5"><geom type="ellipsoid" size="0.1 0.2 0.1"/>
    <body name="flap" pos="0 0 0.2"><joint name="flap" axis="1 0 0"/><geom size="0.1" pos="0 0.4 0"/></body>
   </body>
  </body>
  <body name="loose" pos="2 0 0"><freejoint/><geom type="capsule" size="0.1 0.2" euler="30 0 0"/>
   <body name="wheel" pos="0.1 0.2 0"><joint name="wheel" axis="0 1 1"/><geom type="cylinder" size="0.2 0.02"/></body>
  </body>
 </worldbody></mujoco>"""


@pytest.mark.parametrize(
    ("text", "names"),
    [(DOUBLE, ["upper", "lower"]), (ARMS, ["cardan", "rail", "bob", "screw", "tip", "flap", "loose", "wheel"])],
)
def test_models_move_as_in_mujoco(tmp_path: Path, text: str, names: list[str]) -> None:
    compare(opened(tmp_path, text), text, names)


LINK = """<link name="{name}"><inertial><origin xyz="0.02 0 {z}" rpy="0.1 0.2 0.3"/><mass value="{mass}"/>
 <inertia ixx="0.02" ixy="0.001" ixz="-0.002" iyy="0.03" iyz="0.0005" izz="0.015"/></inertial>
 <visual><origin rpy="0.2 0 0"/><geometry><box size="0.1 0.1 0.3"/></geometry><material name="blue"/></visual>
 <collision><geometry><cylinder radius="0.1" length="0.3"/></geometry></collision></link>"""
ARM = f"""<robot name="arm"><material name="blue"><color rgba="0 0 1 0.5"/></material>
 <link name="base"/>
 {LINK.format(name="column", z=0.1, mass=2)} {LINK.format(name="upper", z=0.2, mass=1.2)}
 {LINK.format(name="lower", z=0.15, mass=0.8)} {LINK.format(name="tool", z=0.05, mass=0.3)} <link name="flange"/>
 <joint name="yaw" type="continuous"><parent link="base"/><child link="column"/><origin xyz="0 0 0.1"/>
  <axis xyz="0.1 0 1"/><dynamics damping="0.05"/></joint>
 <joint name="shoulder" type="revolute"><parent link="column"/><child link="upper"/>
  <origin xyz="0.05 0 0.3" rpy="0.1 1.2 0.3"/><axis xyz="0 2 0"/>
  <limit lower="-9" upper="9" effort="9" velocity="9"/></joint>
 <joint name="slide" type="prismatic"><parent link="upper"/><child link="lower"/><origin xyz="0 0 0.4" rpy="0 0.4 0"/>
  <axis xyz="0.2 0 1"/><limit lower="-8" upper="8" effort="9" velocity="9"/><dynamics damping="0.5"/></joint>
 <joint name="mount" type="fixed"><parent link="lower"/><child link="tool"/>
  <origin xyz="0 0.1 0.3" rpy="1 0 0"/></joint>
 <joint name="face" type="fixed"><parent link="tool"/><child link="flange"/><origin xyz="0 0 0.1"/></joint>
</robot>"""


def test_an_arm_of_urdf_moves_as_in_mujoco(tmp_path: Path) -> None:
    extension = f'<mujoco><compiler fusestatic="false"/><option timestep="{STEP}" integrator="RK4"/></mujoco>'
    scene = opened(tmp_path, ARM, "arm.urdf")
    scene = scene.model_copy(update={"world": scene.world.model_copy(update={"gravity": (0.0, 0.0, -9.81)})})
    scene = scene.model_copy(update={"solver": scene.solver.model_copy(update={"time_step": STEP})})
    compare(scene, ARM.replace("<link", extension + "<link", 1), ["column", "upper", "lower", "tool"])


CRANK, ROD, START = 0.2, 0.5, 0.6  # [m], [m], [rad]
SLIDER_CRANK = """<mujoco><compiler angle="radian"/><option timestep="2e-4"/><worldbody>
 <body name="crank" euler="0 {crank} 0"><joint name="crank_hinge" axis="0 -1 0"/>
  <inertial pos="0.05 0 0" mass="2" diaginertia="0.01 0.04 0.04"/>
  <body name="rod" pos="0.2 0 0" euler="0 {rod} 0"><joint axis="0 -1 0"/>
   <inertial pos="0.25 0 0" mass="0.6" diaginertia="0.001 0.012 0.012"/></body></body>
 <body name="piston" pos="{piston} 0 0"><joint type="slide" axis="1 0 0"/><geom size="0.05" mass="1.5"/></body>
 </worldbody><equality><connect body1="rod" body2="piston" anchor="0.5 0 0"/></equality></mujoco>"""


def rates(angle: complex) -> tuple[complex, complex]:
    """Inertia of the slider-crank about the crank [kg m^2], and its potential energy [J], of the angle."""
    s, c = np.sin(angle), np.cos(angle)
    across = np.sqrt(ROD**2 - (CRANK * s) ** 2)
    piston = -CRANK * s - CRANK**2 * s * c / across
    tilt = -CRANK * c / across
    middle = (piston - CRANK * s) / 2, CRANK * c / 2
    inertia = 0.04 + 2 * 0.05**2 + 0.6 * (middle[0] ** 2 + middle[1] ** 2) + 0.012 * tilt**2 + 1.5 * piston**2
    return inertia, 9.81 * (2 * 0.05 * s + 0.6 * CRANK * s / 2)


def slider_crank(_time: float, state: np.ndarray) -> list[float]:
    """Lagrange's equation of the crank's angle, with derivatives by complex steps."""
    inertia, _ = rates(state[0])
    slope = [each.imag / 1e-30 for each in rates(state[0] + 1e-30j)]
    return [state[1], float((-slope[1] - slope[0] * state[1] ** 2 / 2) / np.real(inertia))]


def test_a_slider_crank_closed_by_connect_moves_by_lagranges_equation(tmp_path: Path) -> None:
    tilt = -np.arcsin(CRANK * np.sin(START) / ROD)
    piston = CRANK * np.cos(START) + ROD * np.cos(tilt)
    scene = opened(tmp_path, SLIDER_CRANK.format(crank=-START, rod=START - tilt, piston=piston))
    simulation = Simulation(scene)
    simulation.advance(TIME)
    turn = simulation.snapshot().bodies.basis[0].T
    wanted = solve_ivp(slider_crank, (0, TIME), [START, 0.0], "DOP853", rtol=1e-12, atol=1e-12).y[0, -1]
    assert abs(wanted - START) > 0.5
    assert abs(np.arctan2(turn[2, 0], turn[0, 0]) - wanted) < NEAR


def test_limits_and_start_of_an_arm(tmp_path: Path) -> None:
    text = ARM.replace('lower="-9" upper="9"', 'lower="0.2" upper="0.5"')
    path = tmp_path / "arm.urdf"
    path.write_text(text)
    robot = read_robot(path)
    assert any(Meaning("", "starts", name="shoulder", start=0.2).of(note) for note in robot.notes)
    hinge = next(joint for joint in robot.scene.joint if joint.name == "shoulder")
    assert hinge.angle == hinge.limits.lower == 0.2
    angles = []
    simulation = Simulation(robot.scene)
    for _ in range(40):
        simulation.advance(0.05)
        turns = simulation.snapshot().bodies.basis
        relative = turns[0] @ turns[1].T  # of the upper link in the column
        stated = hinge_turn(relative)
        angles.append(stated)
    assert max(angles) < 0.5 + 1e-6
    assert max(angles) > 0.5 - 1e-6  # it falls onto the limit
    assert min(angles) > 0.2 - 1e-6


def hinge_turn(relative: np.ndarray) -> float:
    """Angle [rad] about y that follows the origin of the shoulder, rpy 0.1 1.2 0.3."""
    at_rest = Rotation.from_euler("xyz", [0.1, 1.2, 0.3]).as_matrix()
    return float(Rotation.from_matrix(at_rest.T @ relative).as_rotvec()[1])
