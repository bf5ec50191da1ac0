"""Paths: every kind against its own closed forms, its derivatives against differences, and what is no path."""

from __future__ import annotations

import math
import time
from itertools import pairwise
from typing import get_args

import numpy as np
import pytest
from arc_length import ArcLength
from meaning import Meaning, refuses
from pydantic import TypeAdapter, ValidationError
from scipy.integrate import quad
from scipy.special import ellipe

from polhode.jit.kernel import kernel
from polhode.physics.paths.compile_paths import build_paths
from polhode.physics.paths.description import Path
from polhode.physics.paths.path_kernels import curve, path_moves, to_internal_parameter, to_user_parameter, trace
from polhode.physics.paths.path_motions import PathMotion, StillPath
from polhode.physics.sensor.sensor_motion import TRACK_SIZE

PATH, MOTION = TypeAdapter(Path), TypeAdapter(PathMotion)
TILTED = {"position": [0.3, -0.2, 0.5], "orientation": {"axis": [1.0, 2.0, 3.0], "angle": 0.7}}
POINTS = [[0, 0, 0], [1, 0.5, 1], [2.5, 0, 0.2], [3, -1, 0.5], [1, -2, 0]]

# Kind, what it states, and the place that its definition says, in its own frame.
KINDS = {
    "line": ({"start": [1, 0, 2], "end": [4, 0, -2]}, lambda q: (1 + 0.6 * q, 0 * q, 2 - 0.8 * q)),
    "circle": ({"radius": 1.5}, lambda q: (1.5 * np.cos(q), 0 * q, 1.5 * np.sin(q))),
    "ellipse": ({"semi_axes": [2, 0.5]}, lambda q: (2 * np.cos(q), 0 * q, 0.5 * np.sin(q))),
    "parabola": ({"coefficient": -0.8, **TILTED}, lambda q: (q, 0 * q, -0.8 * q**2)),
    "catenary": ({"a": 0.5, **TILTED}, lambda q: (q, 0 * q, 0.5 * (np.cosh(q / 0.5) - 1))),
    "cycloid": (
        {"radius": 0.3, "arches": 3, **TILTED},
        lambda q: (0.3 * (q - np.sin(q)), 0 * q, 0.3 * (1 + np.cos(q))),
    ),
    "helix": (
        {"radius": 0.7, "pitch": 0.2, "turns": 2.5, **TILTED},
        lambda q: (0.7 * np.cos(q), 0.7 * np.sin(q), 0.2 * q / (2 * np.pi)),
    ),
    "lissajous": (
        {"amplitudes": [1, 0.5, 2], "frequencies": [2, 1, 3], "phases": [0.3, 0, 1], **TILTED},
        lambda q: (np.sin(2 * q + 0.3), 0.5 * np.sin(q), 2 * np.sin(3 * q + 1)),
    ),
    "formula": (
        {"x": "q - 2", "y": "sqrt(1 + q^2)", "z": "exp(-q)*sin(3*q)", "range": [-1, 1.5], **TILTED},
        lambda q: (q - 2, np.sqrt(1 + q**2), np.exp(-q) * np.sin(3 * q)),
    ),
}


def test_every_kind_of_path_is_looked_at():
    known = {get_args(path.model_fields["kind"].annotation)[0] for path in get_args(get_args(Path)[0])}
    assert known == {*KINDS, "spline"}, "a path has no line in KINDS"


def described(kind, **stated):
    return PATH.validate_python({"kind": kind, **stated})


def table(kind, **stated):
    return build_paths([(described(kind, **stated), StillPath())])


def traced(paths, q, i=0):
    found = np.empty((len(q), 3, 3))
    trace(paths, i, np.asarray(q, dtype=float), found)
    return found.transpose(1, 0, 2)


@kernel
def at(paths, i, q):
    return curve(paths, i, q)


@kernel
def parameters(paths, q):
    return to_internal_parameter(paths, 0, q), to_user_parameter(paths, 0, to_internal_parameter(paths, 0, q))


@kernel
def moves(paths, i, hand, t):
    return path_moves(paths, i, hand, t)


@pytest.mark.parametrize("kind", KINDS)
def test_a_path_is_where_its_definition_says(kind):
    stated, place = KINDS[kind]
    path, paths = described(kind, **stated), table(kind, **stated)
    q = np.linspace(*path.ends(), 97)
    origin, axes = path.frame()
    expected = origin + np.column_stack(place(q)) @ axes.T
    found = [at(paths, 0, parameters(paths, value)[0])[0] for value in q]
    assert np.allclose(found, expected, rtol=0, atol=1e-14 * (1 + np.abs(expected).max()) * 4)


@pytest.mark.parametrize("kind", [*KINDS, "spline", "closed spline"])
def test_derivatives_agree_with_differences(kind):
    stated = KINDS[kind][0] if kind in KINDS else {"points": POINTS, "closed": kind != "spline"}
    paths, h = table(kind.split()[-1], **stated), 1e-4
    # Off the cusps of the cycloid and the knots of the spline, where r'' or r''' is not continuous.
    q = np.linspace(paths.start[0], paths.stop[0], 44)[1:-1] + 3e-4
    r, d, d2 = traced(paths, q)
    ahead, behind = traced(paths, q + h)[0], traced(paths, q - h)[0]
    size = np.abs(np.stack([d, d2])).max() + 1
    assert np.allclose(d, (ahead - behind) / (2 * h), rtol=0, atol=1e-5 * size)  # h^2 r'''/6
    assert np.allclose(d2, (ahead - 2 * r + behind) / h**2, rtol=0, atol=1e-3 * size)  # near a cusp r'''' is large


def arc_lengths():
    """Kind, what it states, and its length by a closed form."""
    x = 2 / 0.8  # the parabola's last q
    rise = 2 * 0.8 * x
    yield "line", 5.0
    yield "circle", 3 * math.pi
    yield "ellipse", 4 * 2 * ellipe(1 - 0.5**2 / 2**2)
    yield "parabola", x * math.hypot(1, rise) + math.asinh(rise) / (2 * 0.8)
    yield "catenary", 2 * 0.5 * math.sinh(2)
    yield "cycloid", 3 * 8 * 0.3
    yield "helix", 2.5 * math.hypot(2 * math.pi * 0.7, 0.2)


@pytest.mark.parametrize(("kind", "length"), list(arc_lengths()))
def test_arc_lengths_agree_with_closed_forms(kind, length):
    assert ArcLength(table(kind, **KINDS[kind][0]), 0).total == pytest.approx(length, rel=1e-13)


@pytest.mark.parametrize("kind", ["parabola", "lissajous", "spline", "closed spline"])
def test_lengths_and_parameters_are_each_others_inverse(kind):
    stated = KINDS[kind][0] if kind in KINDS else {"points": POINTS, "closed": kind != "spline"}
    paths = table(kind.split()[-1], **stated)
    arc = ArcLength(paths, 0)
    start, stop = paths.start[0], paths.stop[0]
    q = np.linspace(start, stop, 37)
    assert np.allclose(arc.parameter_at(arc.length_at(q[:-1])), q[:-1], rtol=0, atol=1e-12 * (stop - start))
    middle = start + 0.37 * (stop - start)
    speed = lambda value: float(np.linalg.norm(traced(paths, [value])[1]))  # noqa: E731
    breaks = sorted({start, middle, *(knot for knot in paths.knots if knot < middle)})
    expected = sum(quad(speed, a, b, epsabs=1e-13)[0] for a, b in pairwise(breaks))
    assert arc.length_at(middle) == pytest.approx(expected, rel=1e-12)
    if arc.closed:
        assert arc.length_at(middle + 3 * (stop - start)) == pytest.approx(expected + 3 * arc.total, rel=1e-12)
        assert arc.parameter_at(expected - 2 * arc.total) == pytest.approx(middle - 2 * (stop - start), rel=1e-12)


@pytest.mark.parametrize("closed", [False, True])
def test_a_spline_goes_through_its_points_with_continuous_curvature(closed):
    path, paths = described("spline", points=POINTS, closed=closed), table("spline", points=POINTS, closed=closed)
    knots = np.concatenate([[0], np.cumsum(path.distances())])
    assert np.allclose(traced(paths, knots)[0], [*POINTS, POINTS[0]] if closed else POINTS, rtol=0, atol=1e-14)
    inner = knots if closed else knots[1:-1]
    gap = 1e-9
    before, after = traced(paths, inner - gap), traced(paths, inner + gap)
    assert np.allclose(before, after, rtol=0, atol=50 * gap)  # nothing of r, r', r'' jumps; r''' is below 25
    assert paths.closed[0] == closed
    if closed:
        assert np.allclose(traced(paths, knots[:-1] + 7 * knots[-1] + 0.1), traced(paths, knots[:-1] + 0.1), atol=1e-12)
    else:
        assert np.allclose(traced(paths, knots[[0, -1]])[2], 0, atol=1e-14)


def test_the_parameter_of_a_cycloid_is_an_arc_length():
    a = 0.3
    paths = table("cycloid", radius=a, arches=3)
    for q in np.linspace(0, 6 * math.pi, 61):
        length, back = parameters(paths, q)
        arch = min(math.floor(q / (2 * math.pi)), 2)
        assert length == pytest.approx(8 * a * arch - 4 * a * math.cos(q / 2 - math.pi * arch), abs=1e-14)
        assert back == pytest.approx(q, abs=5e-8)  # at a cusp q goes by the root of the length
    cusps = traced(paths, [-4 * a, 4 * a, 12 * a, 20 * a])
    assert np.isfinite(cusps).all()
    assert np.allclose(cusps[0][:, 2], 2 * 2 * a / 2, atol=1e-15)
    inside = traced(paths, np.linspace(-4 * a, 20 * a, 1000))
    assert np.allclose(np.linalg.norm(inside[1], axis=1), 1, rtol=1e-15)
    beyond = traced(paths, [-4.4 * a, 20.4 * a])  # a step may end there; z and its force continue as l^2/(8 a)
    assert np.allclose(beyond[0][:, 2], 4.4**2 * a / 8)
    assert np.allclose(beyond[1][:, 2], [-1.1, 1.1])


@pytest.mark.parametrize(
    ("normal", "horizontal", "upward"),
    [
        ([0, 1, 0], [1, 0, 0], [0, 0, 1]),
        ([0, -3, 0], [1, 0, 0], [0, 0, 1]),
        ([0, 0, 1], [1, 0, 0], [0, 1, 0]),
        ([0, 0, -2], [1, 0, 0], [0, 1, 0]),
        ([2, 0, 0], [0, 1, 0], [0, 0, 1]),
        ([0, 1, 1], [1, 0, 0], [0, -math.sqrt(0.5), math.sqrt(0.5)]),
        ([1e-200, 1e-200, 0], [math.sqrt(0.5), -math.sqrt(0.5), 0], [0, 0, 1]),
    ],
)
def test_a_circle_counts_from_its_horizontal_upward(normal, horizontal, upward):
    paths = table("circle", radius=2, center=[1, 2, 3], normal=normal)
    place = traced(paths, [0, math.pi / 2])[0] - [1, 2, 3]
    assert np.allclose(place, [np.multiply(2, horizontal), np.multiply(2, upward)], atol=1e-15)


@pytest.mark.parametrize(
    ("stated", "closed", "period"),
    [
        ({"x": "cos(q)", "z": "sin(q)", "range": [0, "2*pi"]}, True, 0),
        ({"x": "cos(q)", "z": "sin(q)", "range": [0, 6.2832]}, True, 0),  # runs on past the gap
        ({"x": "cos(q)", "z": "sin(q)", "range": [0, 6]}, False, 0),
        ({"x": "cos(q)", "z": "sin(q)", "y": "q/100", "range": [0, "tau"]}, False, 0),
        ({"x": "cos(2*q)", "z": "sin(q)*cos(q)", "range": [0, "pi"]}, True, 0),
        ({"x": "q*(1 - q)", "z": "q^2*(1 - q)", "range": [0, 1]}, False, 0),  # its ends meet with an angle
        ({"x": "(q*(1 - q))^2*(q - 0.5)", "z": "q*(1 - q)*(q - 0.5)", "range": [0, 1]}, True, 1),
    ],
)
def test_a_formula_is_closed_where_its_ends_meet_smoothly(stated, closed, period):
    paths = table("formula", **stated)
    assert (paths.closed[0], paths.period[0]) == (closed, period)
    if period:
        assert np.allclose(traced(paths, [0.3, 5.3, -1.7])[0], traced(paths, [0.3] * 3)[0], atol=1e-14)


def test_paths_of_one_form_share_their_machine_code():
    rows = [described("circle", radius=r, center=[r, 0, 0]) for r in (0.5, 2, 3)]
    paths = build_paths([(row, StillPath()) for row in rows])
    assert len(set(paths.code)) == 1
    assert np.allclose([at(paths, i, 0.0)[0][0] for i in range(3)], [1, 4, 6])


def test_a_table_may_be_empty():
    assert build_paths([])._numba_type_ == table("circle", radius=1)._numba_type_


@pytest.mark.parametrize(
    ("stated", "place"),
    [
        (
            {"kind": "sine", "direction": [0, 3, 4], "amplitude": 0.1, "period": 0.5},
            lambda t: [0, 3, 4] * np.sin(4 * np.pi * t) / 50,
        ),
        (
            {"kind": "formula", "x": "t^2/2", "z": "0.1*cos(3*t)"},
            lambda t: [1, 0, 0] * t**2 / 2 + [0, 0, 0.1] * np.cos(3 * t),
        ),
        ({}, lambda t: [0, 0, 0] * t),
    ],
)
def test_a_path_is_moved_as_it_says(stated, place):
    paths = build_paths([(described("circle", radius=1), MOTION.validate_python(stated))] * 2)
    t, h = np.array([[0.0], [0.31], [2.0]]), 1e-4
    x, v, a = np.transpose([moves(paths, 1, np.zeros(TRACK_SIZE), float(value)) for value in t[:, 0]], (1, 0, 2))
    with np.errstate(all="ignore"):
        ahead, here, behind = place(t + h), place(t), place(t - h)
    assert np.allclose(x, here, atol=1e-15)
    assert np.allclose(v, (ahead - behind) / (2 * h), atol=1e-6)
    assert np.allclose(a, (ahead - 2 * here + behind) / h**2, atol=1e-6)


FORMULA = {"kind": "formula", "x": "q", "range": [0, 1]}
SWINGING = {"kind": "lissajous", "amplitudes": [1, 0, 1]}
BAD = [
    ({**FORMULA, "z": "cso(q)"}, Meaning("", "known", shown="cso", column=1)),
    ({**FORMULA, "z": "__import__('os')"}, Meaning("", character="'", column=12)),
    ({**FORMULA, "z": "(" * 10_000}, Meaning("", "characters", count=10000)),
    ({**FORMULA, "z": "t"}, Meaning("", "known", shown="t", column=1)),
    ({**FORMULA, "z": "1/(q - 0.3)"}, Meaning("", name="z", q=0.3)),
    ({**FORMULA, "z": "1/(q - 1/3)^2"}, Meaning("", name="z", q=0.333333)),
    ({**FORMULA, "y": "tan(5*q)"}, Meaning("", name="y", q=0.314159)),
    ({**FORMULA, "y": "log(q)"}, Meaning("", name="y", q=0)),
    ({**FORMULA, "y": "sqrt(q - 0.5)"}, Meaning("", name="y", q=0)),
    ({**FORMULA, "y": "abs(q - 0.7)^1.5"}, Meaning("", name="y", q=0.7)),
    ({**FORMULA, "y": "sign(q - 0.123)"}, Meaning("", "torn", q=0.123)),
    ({**FORMULA, "y": "floor(3*q + 0.5)"}, Meaning("", "torn", q=0.166667)),
    ({**FORMULA, "x": "(q - 0.4)^2", "z": "(q - 0.4)^3"}, Meaning("", "still", q=0.4)),
    ({**FORMULA, "x": "q - sin(q)", "z": "cos(q)", "range": [-1, 3]}, Meaning("", "still", q=0)),
    ({**FORMULA, "x": "3"}, Meaning("", "still", q=0)),
    ({**FORMULA, "range": [1, 1]}, Meaning("", "range", low=1, high=1)),
    ({**FORMULA, "range": [0, "-pi"]}, Meaning("", "range", low=0, high=-3.14159)),
    ({**FORMULA, "range": [0, "q"]}, Meaning("", "known", shown="q", column=1)),
    ({**FORMULA, "range": [0, "1/0"]}, Meaning("", "finite", "number")),
    ({**SWINGING, "frequencies": [1, 1, 1]}, Meaning("", "still", q=1.5708)),
    ({**SWINGING, "frequencies": [0, 0, 0]}, Meaning("", "still", q=0)),
    ({"kind": "spline", "points": [[0, 0, 0], [1, 0, 0], [1, 0, 0]]}, Meaning("", "coincide", one=1, other=2)),
    ({"kind": "spline", "points": [*POINTS, POINTS[0]], "closed": True}, Meaning("", "coincide", one=5, other=0)),
    ({"kind": "spline", "points": POINTS[:2], "closed": True}, Meaning("", "closes", "points")),
    ({"kind": "spline", "points": POINTS[:1]}, Meaning("", "least", "items")),
    ({"kind": "line", "start": [1, 0, 0], "end": [1, 0, 0]}, Meaning("", "ends", "starts")),
    ({"kind": "circle", "radius": 1, "normal": [0, 0, 0]}, Meaning("", "zero", "direction")),
    ({"kind": "parabola", "coefficient": 0}, Meaning("", "coefficient")),
    ({"kind": "catenary", "a": 1, "range": [2, 1]}, Meaning("", "range", low=2, high=1)),
]


@pytest.mark.parametrize(("stated", "said"), BAD)
def test_what_is_no_path_is_refused_with_its_place(stated, said):
    with pytest.raises(ValidationError) as raised:
        PATH.validate_python(stated)
    (error,) = raised.value.errors()
    assert said.of(error["msg"])


GOOD = [
    {**FORMULA, "x": "sin(2*q)", "z": "sin(3*q)", "range": [0, "tau"]},  # crosses itself
    {**FORMULA, "z": "abs(q - 0.5)"},  # a kink
    {**FORMULA, "z": "1/(0.001 + (q - 0.5)^2)"},  # a spike
    {**FORMULA, "z": "1/exp(q)", "range": [0, 40]},
    {**FORMULA, "z": "atan(1e5*(q - 0.5))"},  # steep, and not torn
    {**FORMULA, "x": "q - 0.999*sin(q)", "z": "cos(q)", "range": [-1, 3]},  # almost a cusp
    {**FORMULA, "z": "q^1.5", "range": [0.1, 1]},
    {**SWINGING, "phases": [0, 0, 1], "frequencies": [1, 0, 2]},
]


@pytest.mark.parametrize("stated", GOOD)
def test_what_only_looks_dangerous_is_a_path(stated):
    PATH.validate_python(stated)


@pytest.mark.parametrize("part", ["1/(q + {})", "sin({}*q)/(1.01 + cos(50*q))", "atan2(q, {})"])
def test_long_formulas_are_checked_at_once(part):
    text = " + ".join(part.format(k) for k in range(1, 1 + 1900 // (len(part) + 4)))
    start = time.thread_time()
    PATH.validate_python({**FORMULA, "z": text})
    assert time.thread_time() - start < 5  # a tenth of that, on any machine


def test_numbers_are_formulas_too():
    path = PATH.validate_python({**FORMULA, "y": 3, "z": -0.5})
    assert (path.y, path.z) == ("3", "-0.5")
    assert np.allclose(at(build_paths([(path, StillPath())]), 0, 0.25)[0], [0.25, 3, -0.5])
    with pytest.raises(ValidationError, match="valid string"):
        PATH.validate_python({**FORMULA, "y": True})


def test_a_spline_that_turns_back_is_refused():
    with refuses("bead[0].path", q=1, point=1):
        table("spline", points=[[0, 0, 0], [1, 0, 0], [0, 0, 0]])
    table("spline", points=[[0, 0, 0], [1, 0, 0], [0, 0, 0.1]])


@pytest.mark.parametrize(
    ("stated", "said"),
    [
        ({"kind": "formula", "x": "q"}, Meaning("", "known", shown="q", column=1)),
        ({"kind": "formula", "y": "1/t"}, Meaning("", "derivatives", name="y")),
        ({"kind": "formula", "y": "abs(t)^1.5"}, Meaning("", "derivatives", name="y")),
        ({"kind": "sine", "direction": [0, 0, 0], "amplitude": 1, "period": 1}, Meaning("", "zero", "direction")),
    ],
)
def test_what_is_no_motion_is_refused(stated, said):
    with pytest.raises(ValidationError) as raised:
        MOTION.validate_python(stated)
    (error,) = raised.value.errors()
    assert said.of(error["msg"])
