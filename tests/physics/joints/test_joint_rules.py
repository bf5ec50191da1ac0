"""Bad input of joints, angles over full turns, scenes from snapshots, edits, and the pattern of the factors."""

from __future__ import annotations

import numpy as np
import pytest
from meaning import Meaning

from polhode.engine.part import Draft
from polhode.engine.registry import SUBJECTS
from polhode.jit.kernel_struct import KernelStruct
from polhode.mesh.mesh import Meshes
from polhode.physics.joints.block_ldl import factorise, solve
from polhode.physics.joints.compile import _joints
from polhode.physics.joints.elimination import eliminate
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of
from polhode.simulation.scene_from_snapshot import scene_from_snapshot
from polhode.simulation.simulation import Simulation


def body(name, position=(0, 0, 0), support="free", **more):
    shape = {"kind": "cuboid", "size": [0.1, 0.05, 0.2], "mass": 1.0}
    return {"name": name, "support": support, "position": list(position), "shape": [shape]} | more


def hinge(**more):
    return {"name": "h", "kind": "hinge", "first": "a", "second": "b", "anchor": [0, 0, 0.1], "axis": [0, 1, 0]} | more


def problems(*joints, bodies=None):
    data = {"format": 1, "body": bodies or [body("a"), body("b", (0, 0, 0.2))], "joint": list(joints)}
    with pytest.raises(InputError) as error:
        Simulation(scene_of(data, "scene"))
    return error.value


BALL = {"name": "h", "kind": "ball", "first": "a", "second": "b"}


@pytest.mark.parametrize(
    ("joint", "said"),
    [
        (hinge(first="aa"), Meaning("joint[0].first", name="aa", near="a")),
        (hinge(second="a"), Meaning("joint[0].second", "itself", name="a")),
        (hinge(axis=[0, 0, 0]), Meaning("joint[0].axis", "zero", "direction")),
        (hinge(anchor_first=[0, 0, 0]), Meaning("joint[0].anchor", "beside")),
        (hinge(motor={"torque": "1", "speed": "2"}), Meaning("joint[0].motor", "torque", "speed")),
        (hinge(motor={"speed": "1/(t - 1)"}), Meaning("joint[0].motor.speed", "finite", place="", t=1)),
        (hinge(friction=-1), Meaning("joint[0].friction", "least", limit=0)),
        (
            hinge(anchor=None, anchor_first=[0, 0, 0.1], anchor_second=[0.03, 0, -0.1]),
            Meaning(
                "joint[0]",
                distance=0.03,
                first="[0.0, 0.0, 0.1]",
                second="[0.03, 0.0, 0.1]",
                name="a",
                way="[0.03, 0.0, 0.0]",
            ),
        ),
        (
            hinge(kind="universal", second_axis=[0, 1, 1]),
            Meaning("joint[0].second_axis", "degrees", angle=45),
        ),
        (BALL | {"kind": "distance", "length": 0.3}, Meaning("joint[0].length", length=0.3, distance=0.2)),
        (
            BALL | {"kind": "distance", "anchor_first": [0, 0, 0.2]},
            Meaning("joint[0].length", "anchors", "place"),
        ),
        (
            {"name": "g", "kind": "gear", "first": "h", "second": "k"},
            Meaning("joint[0].first", "hinge"),
        ),
        ({"name": "g", "kind": "gear", "first": "h", "second": "h"}, Meaning("joint[0].second", "itself", name="h")),
        (
            {"name": "g", "kind": "gear", "first": "h", "second": "k", "ratio": 0},
            Meaning("joint[0].ratio", "joint", "could"),
        ),
        (hinge(name="a"), Meaning("", "parts", name="a")),
        (hinge(kind="hing"), Meaning("joint[0]", near="hinge")),
    ],
)
def test_bad_input_is_refused_with_place_rule_and_remedy(joint, said):
    assert said.of(problems({key: value for key, value in joint.items() if value is not None}))


def test_what_nothing_moves_is_not_tied():
    fixed = [body("a", support="fixed"), body("b", (0, 0, 0.2), support="driven")]
    assert Meaning("joint[0].first", "ties", "things").of(problems(hinge(), bodies=fixed))


def test_dry_friction_of_a_pivot_is_refused():
    bodies = [body("a", support="pivot", dry_friction=0.1), body("b", (0, 0, 0.2))]
    assert Meaning("joint[0].first", "friction", "support").of(problems(hinge(), bodies=bodies))


def test_a_loop_that_can_not_be_closed_is_told():
    """Two rods without length in common: a ball joint and two rods whose lengths contradict it in a driven position."""
    bodies = [body("a"), body("b", (0, 0, 0.2)), body("c", (0.3, 0, 0), support="fixed")]
    weld = {"name": "w", "kind": "weld", "first": "a", "second": "c"}
    slider = {"name": "s", "kind": "slider", "first": "a", "axis": [1, 0, 0], "motor": {"speed": "1"}}
    data = {"format": 1, "body": bodies, "joint": [weld, slider]}
    simulation = Simulation(scene_of(data, "scene"))  # a motor that pushes against a weld
    simulation.advance_steps(10)
    assert np.abs(simulation.snapshot().bodies.position[0]).max() < 1e-12


def test_gaps_of_rounding_are_closed_at_the_start():
    joint = hinge(anchor=None, anchor_first=[0, 0, 0.1], anchor_second=[1e-5, 0, -0.1])
    joint = {key: value for key, value in joint.items() if value is not None}
    data = {"format": 1, "body": [body("a"), body("b", (0, 0, 0.2))], "joint": [joint]}
    now = Simulation(scene_of(data, "")).snapshot().bodies
    ends = [now.position[k] + np.array(arm) @ now.basis[k] for k, arm in enumerate(([0, 0, 0.1], [1e-5, 0, -0.1]))]
    np.testing.assert_allclose(ends[0], ends[1], rtol=0, atol=1e-16)


def test_velocities_at_the_start_agree_as_after_an_impulse():
    """A free rod that is held at its end: L about the hinge stays, w = m v l/2 / (J + m l^2/4)."""
    rod = body("a", velocity=[1.0, 0, 0])
    data = {"format": 1, "body": [rod], "joint": [hinge(second=None) | {"second": None}]}
    data["joint"][0].pop("second")
    spin = Simulation(scene_of(data, "")).snapshot().bodies.angular_velocity[0]
    inertia = (0.1**2 + 0.2**2) / 12 + 0.1**2
    assert spin == pytest.approx([0, -0.1 / inertia, 0], rel=1e-12)


def spinning(**joint):
    data = {"format": 1, "world": {"gravity": [0, 0, 0]}, "body": [body("a", angular_velocity=[0, 30.0, 0])]}
    data["joint"] = [{"name": "h", "kind": "hinge", "first": "a", "axis": [0, 1, 0]} | joint]
    return Simulation(scene_of(data, ""))


def test_angles_are_counted_over_full_turns():
    simulation = spinning(angle=0.5)
    simulation.advance_steps(1000)
    assert simulation.snapshot().joints.coordinate[0] == pytest.approx(
        0.5 - 30.0, abs=1e-6
    )  # of RK4 at 0.03 rad per step


def test_a_scene_from_a_snapshot_goes_on_alike():
    spring = {"stiffness": 2.0, "rest": -3.0}
    simulation = spinning(spring=spring, motor={"torque": "sin(t)"})
    simulation.advance_steps(700)
    scene, notes = scene_from_snapshot(simulation.compiled, simulation.snapshot())
    assert notes == []
    again = Simulation(scene)
    for each in (simulation, again):
        each.advance_steps(300)
    one, other = simulation.snapshot(), again.snapshot()
    np.testing.assert_allclose(other.bodies.basis, one.bodies.basis, rtol=0, atol=1e-10)
    np.testing.assert_allclose(other.joints.coordinate, one.joints.coordinate, rtol=0, atol=1e-10)


def test_an_edit_keeps_the_angle():
    simulation = spinning()
    simulation.advance_steps(500)
    before = simulation.snapshot().joints.coordinate[0]
    data = simulation.scene.model_copy(
        update={"joint": (simulation.scene.joint[0].model_copy(update={"friction": 0.1}),)}
    )
    simulation.load(data)
    assert simulation.snapshot().joints.coordinate[0] == pytest.approx(before, abs=1e-12)
    assert abs(before) > 10


@pytest.mark.parametrize("seed", range(6))
def test_blocks_are_factored_as_a_dense_matrix(seed):
    """A = J W J^T of random graphs, in which some joints repeat others: A x = b where b is in its range."""
    rng = np.random.default_rng(seed)
    n, bodies = 14, 9
    member = np.array([rng.choice(bodies, 4, replace=False) for _ in range(n)])
    member[:, 2:] = -1
    member[rng.random((n, 4)) < 0.1] = -1
    member[(member == -1).all(axis=1), 0] = 0
    sizes = rng.integers(1, 7, n)
    jacobian = [rng.normal(size=(4, sizes[j], 6)) for j in range(n)]
    member[n - 1], sizes[n - 1], jacobian[n - 1] = member[0], sizes[0], jacobian[0]  # the same equations again
    factor, row = eliminate(member, sizes.tolist()), np.cumsum([0, *sizes])
    whole, matrix = np.zeros((row[-1], 6 * bodies)), np.zeros(factor.size)
    for k in range(n):
        for slot, b in enumerate(member[k].tolist()):
            if b >= 0:
                whole[row[k] : row[k + 1], 6 * b : 6 * b + 6] += jacobian[k][slot]
    for i, slot, k, other, block in factor.pairs.tolist():
        term = jacobian[i][slot] @ jacobian[k][other].T
        matrix[block : block + term.size] += term.ravel()
    dense = whole @ whole.T
    wanted = dense @ rng.normal(size=row[-1])
    x, original, inverse, column = wanted.copy(), np.zeros(row[-1]), np.zeros(row[-1]), np.zeros(36 * n)
    factorise(factor, row, matrix, original, inverse, column)
    solve(factor, row, matrix, inverse, x)
    np.testing.assert_allclose(dense @ x, wanted, rtol=0, atol=1e-8 * np.abs(wanted).max())
    assert (inverse == 0).sum() >= sizes[0]


def test_a_tree_fills_no_further_blocks():
    parents = [-1, *(k // 2 for k in range(200))]
    member = np.full((201, 4), -1)
    member[:, 0], member[:, 1] = np.arange(201), parents
    factor = eliminate(member, [5] * 201)
    pairs = {(i, k) for i in range(201) for k in range(i) if {*member[i, :2]} & {*member[k, :2]} - {-1}}
    assert len(factor.below) == len(pairs)


def test_many_joints_of_the_same_two_bodies_are_refused_at_once() -> None:
    """The time to eliminate them would grow with the third power of their number."""
    found = problems(*({"name": f"j{k}", "kind": "ball", "first": "a", "second": "b"} for k in range(1000)))
    assert [problem.place for problem in found.problems if "count" in problem.rule.values] == ["joint[100]"]


def test_bodies_do_not_change_the_member_of_scenes_without_joints():
    """So it is compiled once."""
    others = [body("a"), body("rod", support="pivot"), body("b", (0, 0, 1), support="fixed"), body("c", (1, 0, 0))]
    draft = Draft(scene_of({"format": 1, "body": others}, "scene"), Meshes())
    for part in SUBJECTS:
        part.check(draft)
    for part in SUBJECTS:
        part.compile(draft)
    assert members(_joints(draft)) == members(draft.model["joints"])


def members(struct):
    """Members of a struct and of those in it, as bytes with shapes."""
    return {
        name: members(value) if isinstance(value, KernelStruct) else (np.asarray(value).tobytes(), np.shape(value))
        for name, value in struct.members.items()
    }
