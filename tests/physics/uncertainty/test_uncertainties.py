"""Uncertainty in, uncertainty out: against closed forms, and tangents against draws."""

from __future__ import annotations

from math import inf, pi, sqrt

import numpy as np
import pytest
from scipy.linalg import expm

from polhode import InputError, Particle, Scene, Spring, World, uncertainties
from polhode.scene.scene_file import scene_of, tables_of
from polhode.scene.uncertain import Uncertain

LENGTH, G, ANGLE = 0.458, 9.80665, 0.01
PENDULUM = f"""
[[body]]
name = "bob"
support = "pivot"
orientation = {{ axis = [1, 0, 0], angle = {ANGLE} }}
shape = [{{ kind = "point", mass = "1.0 +- 0.2", position = [0, 0, "-{LENGTH} +- 0.001"] }}]
"""
BALL = """
[[body]]
name = "ball"
support = "free"
position = [0, 0, 0.65]
shape = [{ kind = "sphere", radius = 0.2, mass = 1.0 }]
[[wall]]
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
stiffness = 1e5
restitution = "1.0 +- 0.1"
"""
MASSES, STIFFNESS = (0.5, 1.0, 0.7), (80.0, 50.0, 60.0)


def scene(text: str) -> Scene:
    """The scene of a TOML text."""
    return scene_of(tables_of(text, "test"), "test")


def chain(**numbers: object) -> Scene:
    """Three masses on springs along x between two walls, at rest lengths of 1 m; numbers: by name, else certain."""
    given = {"x": (1.02, 2.0, 2.97), "v": (0.0, 0.1, 0.0), "gravity": 0.0, "stiffness": STIFFNESS[1]} | numbers
    ends = [(0.0, 0.0, 0.0), "m0", "m1", "m2"]
    springs = [
        Spring(from_=ends[k], to=f"m{k}", rest_length=1.0, stiffness=STIFFNESS[k] if k != 1 else given["stiffness"])
        for k in range(3)
    ]
    masses = [
        Particle(
            name=f"m{k}", mass=MASSES[k], radius=0.01, position=(given["x"][k], 0, 0), velocity=(given["v"][k], 0, 0)
        )
        for k in range(3)
    ]
    return Scene(world=World(gravity=(given["gravity"], 0, 0)), particle=tuple(masses), spring=tuple(springs))


def rates() -> np.ndarray:
    """(6, 6) matrix of the chain's linear equations for positions and velocities."""
    k, m = np.array([*STIFFNESS, 0.0]), np.array(MASSES)
    stiffness = np.diag(k[:3] + k[1:]) - np.diag(k[1:3], 1) - np.diag(k[1:3], -1)
    return np.block([[np.zeros((3, 3)), np.eye(3)], [-stiffness / m[:, None], np.zeros((3, 3))]])


def test_the_period_of_a_pendulum_has_half_the_relative_deviation_of_its_length() -> None:
    """T = 2 pi sqrt(L/g) (1 + a^2/16) and s_T = T s_L/(2 L); the mass has no part in it."""
    found = uncertainties(scene(PENDULUM), until=10.0, columns=["bob.u3.y"])
    period = found.period("bob.u3.y")
    assert period is not None
    exact = 2 * pi * sqrt(LENGTH / G) * (1 + ANGLE**2 / 16)
    assert period.value == pytest.approx(exact, rel=1e-7)
    assert period.sd == pytest.approx(exact * 0.001 / (2 * LENGTH), rel=1e-5)
    assert period.shares["body[0].shape[0].position[2]"] == pytest.approx(1.0, abs=1e-9)


def test_a_linear_chain_has_its_exact_covariance() -> None:
    """Positions and velocities at the start and a constant force: S(t) = F(t) S(0) F(t)^T."""
    given = chain(
        x=("1.02 +- 0.01", "2.0 +- 0.02 uniform", "2.97 +- 0.005 (a)"),
        v=(0.0, "0.1 +- 0.05 (a)", 0.0),
        gravity="0.0 +- 0.1",
    )
    names = [f"m{k}.position.x" for k in range(3)] + [f"m{k}.velocity.x" for k in range(3)]
    found = uncertainties(given, until=3.0, every=0.1, columns=names)
    start = np.zeros((4, 6))  # by source: gravity, m0, m1, (a)
    start[1, 0], start[2, 1], start[3, 2], start[3, 4] = 0.01, 0.02 / sqrt(3), 0.005, 0.05
    matrix = rates()
    for time, tangents in zip(found.time, np.swapaxes(found.tangents, 0, 1), strict=True):
        exact = start @ expm(matrix * time).T
        pull = np.array([0, 0, 0, 0.1, 0.1, 0.1])
        exact[0] = np.linalg.solve(matrix, (expm(matrix * time) - np.eye(6)) @ pull)
        covariance, expected = tangents.T @ tangents, exact.T @ exact
        assert np.abs(covariance - expected).max() < 1e-6 * np.abs(expected).max()


def test_draws_and_tangents_agree_where_the_motion_is_linear() -> None:
    """Linear in the numbers: the deviations of stratified draws differ by their correlations."""
    given = chain(x=("1.02 +- 0.01", 2.0, "2.97 +- 0.01 uniform"))
    found = uncertainties(given, until=3.0, every=0.1, columns=["m1.position.x"], draws=300)
    assert found.drawn is not None
    first, drawn = found.sd("m1.position.x"), found.drawn.sd[:, 0]
    assert np.abs(first - drawn).max() < 0.1 * first.max()  # correlations of 300 draws
    assert found.differs_from("m1.position.x") == inf
    assert (found.drawn.count, found.drawn.invalid, found.drawn.diverged) == (300, 0, 0)
    assert np.abs(found.drawn.mean[:, 0] - found.values[:, 0]).max() < 0.05 * first.max()


def test_draws_of_phases_that_part_differ_from_tangents_from_some_time_on() -> None:
    """The deviation of a phase grows until it is that of a full oscillation, while tangents grow without bound."""
    found = uncertainties(
        chain(stiffness="50 +- 5"), until=20.0, every=0.1, columns=["m1.position.x"], draws=200, seed=3
    )
    assert found.drawn is not None
    time = found.differs_from("m1.position.x")
    assert 0.5 < time < 20.0
    assert found.sd("m1.position.x").max() > 1.2 * found.drawn.sd[:, 0].max()


def test_numbers_with_one_letter_vary_together() -> None:
    apart = uncertainties(chain(x=("1 +- 0.01", "2 +- 0.01", "3 +- 0.01")), until=0.0, columns=["m0.position.x"])
    together = uncertainties(
        chain(x=("1 +- 0.01 (a)", "2 +- 0.01 (a)", "3 +- 0.01 (b)")), until=0.0, columns=["m1.position.x"]
    )
    assert [source.names for source in together.sources] == [
        ("particle[0].position[0]", "particle[1].position[0]"),
        ("particle[2].position[0]",),
    ]
    assert len(apart.sources) == 3
    assert together.at_end("m1.position.x").sd == pytest.approx(0.01, rel=1e-8)
    assert together.at_end("m1.position.x").shares[together.sources[0].name] == 1.0


def test_contributions_are_parts_of_the_variance() -> None:
    given = chain(x=("1 +- 0.03", "2 +- 0.04", 3.0))
    found = uncertainties(given, until=1.0, columns=["m1.position.x"])
    value = found.at_end("m1.position.x")
    assert sum(value.shares.values()) == pytest.approx(1.0)
    assert list(value.shares.values()) == sorted(value.shares.values(), reverse=True)
    alone = uncertainties(chain(x=("1 +- 0.03", 2.0, 3.0)), until=1.0, columns=["m1.position.x"]).sd("m1.position.x")
    assert value.shares["particle[0].position[0]"] == pytest.approx((alone[-1] / value.sd) ** 2, rel=1e-6)


def test_a_number_at_the_end_of_its_range_is_displaced_the_other_way() -> None:
    """A coefficient of restitution is at most 1: smaller ones give the tangent, and half of the draws are none."""
    found = uncertainties(scene(BALL), until=0.6, every=0.1, columns=["ball.velocity.z"], draws=40)
    assert found.sources[0].names == ("wall[0].restitution",)
    assert found.sd("ball.velocity.z")[2] == 0.0
    assert 0.01 < found.at_end("ball.velocity.z").sd < 1.0
    assert found.drawn is not None
    assert found.drawn.invalid == 20


HUNG = """
world = {{ gravity = [0, 0, -{g}] }}
[solver]
time_step = 0.001
[[body]]
name = "bob"
support = "free"
position = [{x}, 0, {z}]
shape = [{{ kind = "sphere", radius = 0.01, mass = 0.1 }}]
[[joint]]
name = "string"
first = "bob"
{joint}
"""
HELD = {
    "length": 'kind = "distance"\nanchor_first = [0, 0, 0]\nanchor_second = [0, 0, 0]\nlength = "0.458 +- 0.01"',
    "anchor": 'kind = "hinge"\naxis = [0, 1, 0]\nanchor_first = [0, 0, "0.458 +- 0.01"]\nanchor_second = [0, 0, 0]',
}


def hung(joint: str, angle: float) -> Scene:
    """A ball that hangs on a string from the origin at an angle [rad], or, upright, on a hinge beside it."""
    turned = f"orientation = {{ axis = [0, 1, 0], angle = {-angle} }}\nangular_velocity = [0, 0, 0]"
    text = HUNG.format(g=G, x=LENGTH * np.sin(angle), z=-LENGTH * np.cos(angle), joint=HELD[joint])
    return scene(text.replace('support = "free"', f'support = "free"\n{turned}'))


@pytest.mark.parametrize("joint", HELD)
def test_bodies_begin_where_a_joint_of_another_length_holds_them(joint: str) -> None:
    """All draws are scenes, though their joints have 2 % other lengths: s_T = T s_L/(2 L), but for the ball's inertia.

    And a draw begins as far from the origin as its joint is long.
    """
    found = uncertainties(hung(joint, 0.1), until=5.0, columns=["bob.position"], draws=200)
    assert found.drawn is not None
    assert found.drawn.invalid == 0
    for axis, part in ((0, np.sin(0.1)), (2, np.cos(0.1))):
        assert found.tangents[0, 0, axis] == pytest.approx((-1) ** (axis == 2) * 0.01 * part, rel=1e-3)
        assert found.drawn.sd[0, axis] == pytest.approx(0.01 * part, rel=0.02)
    period = found.period("bob.position.x")
    assert period is not None
    assert period.sd == pytest.approx(period.value * 0.01 / (2 * LENGTH), rel=5e-3)
    assert found.differs_from("bob.position.x") > 1.0


def test_a_bounce_has_the_deviation_of_its_closed_form() -> None:
    """Of the height at which it begins, which is the change by whole steps: within one step it is another one."""
    text = BALL.replace("0.65", '"0.70 +- 0.005"').replace('restitution = "1.0 +- 0.1"', "restitution = 0.8")
    text = "solver = { time_step = 1e-4 }\n" + text
    found = uncertainties(scene(text), until=0.6, every=0.05, columns=["ball.position.z"], draws=20)

    def height(start: float) -> float:
        fallen = sqrt(2 * (start - 0.2) / G)
        return 0.2 + 0.8 * G * fallen * (0.6 - fallen) - 0.5 * G * (0.6 - fallen) ** 2

    expected = abs(height(0.705) - height(0.695)) / 2
    assert found.at_end("ball.position.z").sd == pytest.approx(expected, rel=0.1)  # the contact takes 10 ms
    assert found.drawn is not None
    assert found.drawn.sd[-1, 0] == pytest.approx(expected, rel=0.2)


def test_a_motion_without_a_period_has_none() -> None:
    """Bounces that become shorter."""
    text = BALL.replace('"1.0 +- 0.1"', '"0.6 +- 0.01"')
    assert uncertainties(scene(text), until=2.0, columns=["ball.position.z"]).period("ball.position.z") is None


def test_tangents_take_one_run_for_each_number_besides_the_run_itself() -> None:
    parts: list[float] = []
    given = chain(x=("1 +- 0.01", "2 +- 0.01", "3 +- 0.01"), v=("0 +- 0.1", "0 +- 0.1", 0.0), stiffness="50 +- 1")
    uncertainties(given, until=0.1, progress=parts.append)
    assert len(parts) == 6


def test_invalid_draws_are_left_out_and_counted() -> None:
    given = chain().with_values({"particle[0].mass": "0.5 +- 0.3"})
    found = uncertainties(given, until=0.1, columns=["m0.position.x"], draws=100)
    assert found.drawn is not None
    assert 1 <= found.drawn.invalid <= 10  # 5 % of a normal distribution are below 0.5 - 0.5
    assert np.isfinite(found.drawn.sd).all()


def test_questions_without_an_answer_are_refused() -> None:
    with pytest.raises(InputError):
        uncertainties(chain(), until=1.0)
    with pytest.raises(InputError):
        uncertainties(chain(x=("1 +- 0.1 (a)", "2 +- 0.1 uniform (a)", 3.0)), until=1.0)
    found = uncertainties(chain(gravity=Uncertain(0.0, 0.1)), until=0.1, columns=["m0.position"])
    assert found.names == ("m0.position.x", "m0.position.y", "m0.position.z")
    assert found.uncertain == ("m0.position.x",)
    with pytest.raises(InputError):
        found.differs_from("m0.position.x")
    with pytest.raises(InputError):
        found.sd("m0.height")


def test_a_run_may_be_ended_between_two_runs() -> None:
    class Ended(Exception):
        pass

    def end(part: float) -> None:
        if part > 0.5:
            raise Ended

    with pytest.raises(Ended):
        uncertainties(chain(gravity="0 +- 0.1"), until=0.1, draws=20, progress=end)
