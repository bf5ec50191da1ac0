"""Regenerates every mesh of this folder: `python meshes/make.py` (needs manifold3d, and trimesh to write the files).

Built in millimetres, z up; `SHAPES` at the end says in which unit and where each file has its origin.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import numpy as np
import trimesh
from manifold3d import CrossSection, FillRule, Manifold, Mesh
from scipy.interpolate import PchipInterpolator

Z, X = np.array([0.0, 0, 1]), np.array([1.0, 0, 0])


def solid(vertices: np.ndarray, faces: np.ndarray) -> Manifold:
    made = Manifold(Mesh(np.asarray(vertices, np.float32), np.asarray(faces, np.uint32)))
    assert not made.is_empty(), made.status()
    return made if made.volume() > 0 else solid(vertices, faces[:, ::-1])


def tube(rings: np.ndarray, closed: bool) -> Manifold:
    """Skin over rings (n, k, 3) of points, joined end to end or closed by flat ends."""
    n, k, _ = rings.shape
    i, j = np.meshgrid(np.arange(n if closed else n - 1), np.arange(k), indexing="ij")
    a, b = i * k + j, i * k + (j + 1) % k
    c, d = (i + 1) % n * k + (j + 1) % k, (i + 1) % n * k + j
    faces = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    vertices = rings.reshape(-1, 3)
    if not closed:
        first, last, around = n * k, n * k + 1, np.arange(k)
        following = (around + 1) % k
        start = np.stack([following, around, np.full(k, first)], -1)
        end = np.stack([around, following, np.full(k, last)], -1) + [(n - 1) * k, (n - 1) * k, 0]
        faces = np.concatenate([faces, start, end])
        vertices = np.concatenate([vertices, rings[:1].mean(1), rings[-1:].mean(1)])
    return solid(vertices, faces)


def swept(
    path: np.ndarray, section: np.ndarray, normal: np.ndarray, closed: bool, grow: np.ndarray | None = None
) -> Manifold:
    """A section (k, 2) carried along a path (n, 3); its second axis is normal (n, 3), its size times grow (n,)."""
    tangent = np.roll(path, -1, 0) - np.roll(path, 1, 0) if closed else np.gradient(path, axis=0)
    tangent /= np.linalg.norm(tangent, axis=1)[:, None]
    normal = normal - np.einsum("ij,ij->i", normal, tangent)[:, None] * tangent
    normal = normal / np.linalg.norm(normal, axis=1)[:, None]
    across = np.cross(normal, tangent)
    grow = np.ones(len(path)) if grow is None else grow
    u, v = (section[None, :, k, None] * grow[:, None, None] for k in (0, 1))
    return tube(path[:, None] + u * across[:, None] + v * normal[:, None], closed)


def circle(radius: float, count: int) -> np.ndarray:
    angle = np.arange(count) / count * 2 * np.pi
    return radius * np.stack([np.cos(angle), np.sin(angle)], 1)


def rounded(width: float, height: float, radius: float, per_corner: int = 4) -> np.ndarray:
    """Points (k, 2) of a rectangle with round corners."""
    corner = np.linspace(0, np.pi / 2, per_corner)
    arc = radius * np.stack([np.cos(corner), np.sin(corner)], 1) + [width / 2 - radius, height / 2 - radius]
    turned = arc[::-1]
    return np.concatenate([arc, turned * [-1, 1], arc * [-1, -1], turned * [1, -1]])


def curve(points: list[tuple[float, float]], count: int) -> np.ndarray:
    """Smooth curve (count, 2) through points, without overshoot."""
    p = np.array(points)
    s = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(p, axis=0), axis=1))])
    return PchipInterpolator(s, p)(np.linspace(0, s[-1], count))


def turned(profile: np.ndarray, segments: int) -> Manifold:
    """A solid of revolution about z from its outline (n, 2) of (radius, z)."""
    return Manifold.revolve(CrossSection([profile], FillRule.NonZero), segments)


def ring(radius: float, thickness: float, segments: int = 40, around: int = 16) -> Manifold:
    """A ring to hang things by; its axis is y."""
    angle = np.arange(segments) / segments * 2 * np.pi
    out = np.stack([np.cos(angle), 0 * angle, np.sin(angle)], 1)
    return swept(radius * out, circle(thickness / 2, around), out, closed=True)


def implicit(
    inside: Callable[[float, float, float], float], low: list[float], high: list[float], edge: float
) -> Manifold:
    """The solid where a function of x, y, z is positive."""
    return Manifold.level_set(inside, [*low, *high], edge)


def torus_knot() -> Manifold:
    t = np.linspace(0, 2 * np.pi, 220, endpoint=False)
    r = 26 + 10 * np.cos(3 * t)
    path = np.stack([r * np.cos(2 * t), r * np.sin(2 * t), 13 * np.sin(3 * t)], 1)
    outward = path - 26 * np.stack([np.cos(2 * t), np.sin(2 * t), 0 * t], 1)
    return swept(path, circle(5.2, 18), outward, closed=True)


def t_handle() -> Manifold:
    def rod(outline: list[tuple[float, float]]) -> Manifold:
        return turned(np.array(outline), 48)

    end = [(7 - 2 + 2 * np.sin(a), 48 + 2 * np.cos(a)) for a in np.linspace(np.pi / 2, 0, 6)]
    grip = [z for k in range(5) for z in ((7, 18 + 5 * k), (6.2, 19 + 5 * k), (6.2, 21 + 5 * k), (7, 22 + 5 * k))]
    half = [*grip, *end]
    outline = [(0, -50), *((r, -z) for r, z in reversed(half)), *half, (0, 50)]
    bar = rod(outline).rotate([90, 0, 0])
    stem = rod([(0, 0), (6, 0), (6, 44), (9, 46), (9, 52), (6, 54), (5, 56), (5, 66), (4, 67), (0, 67)])
    return bar + stem.rotate([0, 90, 0]) + rod([(0, 0), (8.5, 0), (8.5, 9), (6, 12), (0, 12)]).rotate([0, 90, 0])


def hammer() -> Manifold:
    z = np.linspace(12, -246, 60)
    width = PchipInterpolator([-250, -215, -150, -90, -30, -5, 12], [17, 16, 17, 21, 24, 22, 10])(z)
    shaft = np.stack([0 * z, 0 * z, z], 1)
    handle = swept(shaft, circle(0.5, 32) * [1.0, 0.72], np.tile([0.0, 1, 0], (60, 1)), False, width)
    hole = Manifold.cylinder(60, 3.2, 3.2, 28, True).rotate([90, 0, 0])
    face = turned(np.array([(0, 0), (13, 0), (14, 1), (14, 12), (13, 13), (9.5, 17), (9.5, 30), (0, 30)]), 48)
    block = Manifold.extrude(CrossSection([rounded(24, 26, 5)]), 34)
    wedge = [(s * w, y, x) for x, w, h in ((0, 11, 12), (34, 9, 9), (44, 6, 1.5)) for s in (-1, 1) for y in (-h, h)]
    peen = Manifold.hull_points(np.array(wedge, np.float32))
    head = face.translate([0, 0, -46]) + block.translate([0, 0, -17]) + peen.translate([0, 0, 16])
    head = head.rotate([0, 90, 0]).translate([0, 0, -232])
    return (handle - hole) + head


def horseshoe_magnet() -> Manifold:
    arc = np.linspace(np.pi, 0, 50)
    legs = np.linspace(-38, 0, 16)[:-1]
    x = np.concatenate([np.full(15, -22), 22 * np.cos(arc), np.full(15, 22)])
    z = np.concatenate([legs, 22 * np.sin(arc), legs[::-1]])
    path = np.stack([x, 0 * x, z], 1)
    groove = np.where((np.abs(np.arange(80) - 39.5) > 32) & (np.abs(np.arange(80) - 39.5) < 34), 0.93, 1.0)
    body = swept(path, rounded(14, 16, 2.5), np.tile([0.0, 1, 0], (80, 1)), False, groove)
    return (body.translate([0, 0, -29]) + ring(5.5, 3).translate([0, 0, 4])).translate([0, 0, -4])


def bell() -> Manifold:
    outer = curve([(0, 96), (15, 95.5), (25, 90), (30, 77), (33, 55), (38, 30), (46, 12), (56, 0)], 50)
    for z in (18, 24, 72):
        outer[:, 0] += 1.1 * np.exp(-(((outer[:, 1] - z) / 1.4) ** 2))  # a raised line around the bell
    inner = curve([(52, 0), (41, 14), (34, 31), (29, 55), (26, 76), (21, 86), (12, 90), (0, 90.5)], 22)
    shell = turned(np.concatenate([outer, inner]), 42)
    clapper = turned(
        curve([(0, 4), (4, 5), (7.5, 10), (6, 17), (2.2, 24), (1.6, 60), (1.6, 92), (0, 92)], 24)[::-1], 24
    )
    return (shell + clapper + ring(8, 5).translate([0, 0, 104])).translate([0, 0, -104])


def gear() -> Manifold:
    teeth, module, pressure = 24, 3.0, np.radians(20)
    pitch = teeth * module / 2
    base, tip, root = pitch * np.cos(pressure), pitch + module, pitch - 1.25 * module
    roll = np.linspace(0, np.sqrt((tip / base) ** 2 - 1), 7)
    radius, angle = base * np.sqrt(1 + roll**2), roll - np.arctan(roll)
    half = np.pi / (2 * teeth) + np.tan(pressure) - pressure - angle  # of the tooth's angular width, at each radius
    radius, half = np.concatenate([[root], radius]), np.concatenate([[half[0] + 0.01], half])
    flank = np.concatenate([np.stack([radius, -half], 1), np.stack([radius, half], 1)[::-1]])
    outline = np.concatenate([flank + [0, 2 * np.pi * k / teeth] for k in range(teeth)])
    r, a = outline.T
    wheel = Manifold.extrude(CrossSection([np.stack([r * np.cos(a), r * np.sin(a)], 1)]), 10).translate([0, 0, -5])
    bevel = turned(
        np.array([(0, -5), (tip - 1.4, -5), (tip + 0.1, -3.5), (tip + 0.1, 3.5), (tip - 1.4, 5), (0, 5)]), 96
    )
    dish = turned(np.array([(13, 2.5), (29, 2.5), (30, 5.5), (12, 5.5)]), 72)
    wheel = (wheel ^ bevel) - dish - dish.mirror([0, 0, 1])
    hub = turned(np.array([(0, -8), (11, -8), (12, -7), (12, 7), (11, 8), (0, 8)]), 64)
    keyway = Manifold.cube([4, 9, 20]).translate([-2, 0, -10])
    bore = Manifold.cylinder(20, 6, 6, 48, True) + keyway
    window = Manifold.cylinder(20, 5, 5, 36, True).translate([21, 0, 0])
    windows = Manifold.compose([window.rotate([0, 0, 60 * k]) for k in range(6)])
    return wheel + hub - bore - windows


def wing(root: tuple, tip: tuple, thickness: float) -> Manifold:
    """Between two sections, each (leading edge x, y, z, chord): the upper side of both is +z."""
    s = (1 - np.cos(np.linspace(0, np.pi, 14))) / 2
    half = 5 * thickness * (0.2969 * np.sqrt(s) - 0.126 * s - 0.3516 * s**2 + 0.2843 * s**3 - 0.1036 * s**4)
    outline = np.concatenate([np.stack([-s, 0 * s, half], 1), np.stack([-s, 0 * s, -half], 1)[1:-1]])
    points = [np.array(section[:3]) + section[3] * outline for section in (root, tip)]
    return Manifold.hull_points(np.concatenate(points).astype(np.float32))


def aeroplane() -> Manifold:
    outline = curve([(0, -92), (2.5, -91), (6, -60), (12, -10), (14, 25), (12.5, 55), (9, 66), (0, 66)], 56)
    plane = turned(outline, 48).rotate([0, 90, 0]).scale([1, 1, 1.08])
    spinner = turned(curve([(0, 64), (7, 65), (5.5, 72), (0, 80)], 16), 32).rotate([0, 90, 0])
    blade = wing((71, 0, 0, 5), (71, 30, 0, 3.5), 0.2).rotate([70, 0, 0])
    for side in (1, -1):
        half = wing((38, 0, -4, 40), (28, 108, 8, 22), 0.14) + wing((-62, 0, 3, 26), (-70, 40, 5, 15), 0.12)
        plane += half if side == 1 else half.mirror([0, 1, 0])
        plane += blade if side == 1 else blade.rotate([180, 0, 0])
    fin = wing((-58, 0, 0, 32), (-78, 44, 0, 16), 0.12).rotate([90, 0, 0])
    cockpit = Manifold.sphere(1, 40).scale([24, 8.5, 11]).translate([6, 0, 11])
    return plane + spinner + fin + cockpit + ring(4, 2.2).translate([16, 0, 25])


def spinning_top() -> Manifold:
    points = [
        (0, 0),
        (1.2, 0.5),
        (2.2, 2),
        (5, 6),
        (18, 15),
        (24, 20),
        (25.5, 24),
        (24, 28),
        (15, 31.5),
        (5, 34),
        (2.6, 38),
    ]
    lower = curve(points, 44)
    stem = curve([(2.6, 38), (2.3, 52), (3.4, 56), (3.6, 59), (2.2, 62), (0, 62.6)], 22)[1:]
    return turned(np.concatenate([lower, stem]), 60)


def heart() -> Manifold:
    def inside(x: float, y: float, z: float) -> float:
        a = x * x + 2.25 * y * y + z * z - 1
        return float(np.cbrt(x * x + 0.1125 * y * y) * z - a)  # the sextic heart, its cubes taken off: nearly linear

    body = implicit(inside, [-1.3, -0.8, -1.2], [1.3, 0.8, 1.4], 0.09).scale([18, 18, 18])
    return (body + ring(4, 2.4).translate([0, 0, 20.5])).translate([0, 0, -20.5])


def duck() -> Manifold:
    # centre and semi-axes of the ellipsoids that flow into each other: body, head, neck, tail, wings
    parts = np.array([
        [(0, 0, 0), (30, 22, 19)], [(17, 0, 31), (16, 15.5, 15)], [(12, 0, 16), (13, 12, 10)],
        [(-30, 0, 11), (11, 8, 7)], [(-4, 19, 4), (17, 6, 10)], [(-4, -19, 4), (17, 6, 10)],
    ])  # fmt: skip
    center, size = parts[:, 0], parts[:, 1]

    def inside(x: float, y: float, z: float) -> float:
        reach = np.sqrt((((np.array((x, y, z)) - center) / size) ** 2).sum(1))
        return float(2.2 * np.log(np.exp((1 - reach) * size.min(1) / 2.2).sum()))

    made = implicit(inside, [-50, -32, -24], [48, 32, 52], 3.2).trim_by_plane([0, 0, 1], -15)
    bill = [((31, 0, 29.5), (11, 7.5, 2.6)), ((30, 0, 26.5), (8, 6, 2))]
    eyes = [((28, side * 8, 36), (2.4, 2.4, 2.8)) for side in (-1, 1)]
    for place, semi_axes in bill + eyes:
        made += Manifold.sphere(1, 28).scale(semi_axes).translate(place)
    return made.translate([-12, 0, -46])


def compass_needle() -> Manifold:
    tips = np.array(
        [(34, 0, 0.5), (-34, 0, 0.5), *((0, y, z) for y in (-4.5, 4.5) for z in (0, 1.2)), (34, 0, 0), (-34, 0, 0)]
    )
    needle = Manifold.hull_points(tips.astype(np.float32))
    hub = turned(np.array([(0, 0), (3.2, 0), (3.2, 3), (2.4, 4.2), (0, 4.6)]), 48)
    cup = turned(np.array([(0, -1), (2, -1), (2, 0.6), (0, 3.2)]), 36)
    mark = Manifold.cylinder(4, 1.1, 1.1, 28, True).translate([17, 0, 0])
    return (needle + hub - cup - mark).translate([0, 0, -3.2])


def wall_turned(outline: list[tuple[float, float]], width: float, segments: int) -> Manifold:
    """A wall about z, of a `width` outwards from the inner outline (n, 2) of (radius, z), from top to bottom."""
    inner = np.array(outline)
    along = np.gradient(inner, axis=0)
    outwards = np.stack([-along[:, 1], along[:, 0]], 1) / np.linalg.norm(along, axis=1)[:, None]
    outer = inner + width * outwards
    outer[inner[:, 0] < 1e-9, 0] = 0
    return turned(np.concatenate([inner, outer[::-1]]), segments)


def funnel() -> Manifold:
    cone = curve([(60, 60), (36, 33), (17, 12), (12, 0), (12, -24)], 40)
    return wall_turned([(r, z) for r, z in cone], 2.5, 128)


def bowl() -> Manifold:
    angle = np.linspace(np.pi / 2.4, 0, 22)
    return wall_turned([(80 * np.sin(a), 80 - 80 * np.cos(a)) for a in angle], 4, 72)


def kendama_cup() -> Manifold:
    angle = np.linspace(np.pi / 2, 0, 18)
    cup = wall_turned([(22 * np.sin(a), 22 - 22 * np.cos(a)) for a in angle], 4, 64)
    return cup + Manifold.cylinder(70, 6, 8, 64).translate([0, 0, -72])


LEAD, MEAN, DEPTH, FLANK = 12.0, 8.0, 3.0, np.radians(15)  # of the thread: [mm], and half the angle of its flanks


def thread(height: float, gap: float) -> Manifold:
    """A trapezoidal thread that is larger by `gap` everywhere: its section at right angles to z, turned along z."""
    flank = DEPTH * np.tan(FLANK)
    grow = gap * (1 / np.cos(FLANK) - np.tan(FLANK))
    ends = np.cumsum([0, LEAD / 2 - flank, flank, LEAD / 2 - flank, flank]) + np.array([-1, 1, 1, -1, -1]) * grow
    radii = MEAN + gap + DEPTH / 2 * np.array([1, 1, -1, -1, 1])
    along = np.concatenate([np.linspace(*pair, 10, endpoint=False) for pair in pairwise(ends)])
    angle, radius = 2 * np.pi * along / LEAD, np.interp(along, ends, radii)
    section = np.stack([radius * np.cos(angle), -radius * np.sin(angle)], 1)[::-1]
    return Manifold.extrude(
        CrossSection([section], FillRule.NonZero), height, int(height / LEAD * 24), 360 * height / LEAD
    )


def screw() -> Manifold:
    return thread(54, 0) + Manifold.cylinder(6, 18, 18, 6).translate([0, 0, -6])


def nut() -> Manifold:
    inside = thread(36, 0.25).translate([0, 0, -12])
    return Manifold.cylinder(14.4, 16, 16, 6) - inside


SHARING, SHARED, WAY = 0.015, 2.22, 3.75  # [mm] overlap of teeth, and roll along which two pairs share it; exponent
FREE, RELIEF, CROWN = 0.6, 0.045, 0.04  # [mm] roll before the tip that touches nothing; relief of the tips and ends
WIDTH = 8.0  # [mm]


def relieved(roll: np.ndarray) -> np.ndarray:
    """Depth [mm] by which flanks are relieved at rolls (n,) [mm] before the tip, increasing.

    A pair of teeth that carries the load alone overlaps by SHARING = d, and presses by a power n of its overlap. Two
    pairs press as much together if (1 - g1/d)^n + (1 - g2/d)^n = 1 for their reliefs g: these are squares of cosine and
    sine of the way through the region in which both touch.
    """
    along = np.maximum(0.0, 1 - (roll - FREE) / SHARED)
    steep = 0.9  # where the profile becomes a straight line
    share = 1 - np.cos(np.pi / 2 * np.minimum(along, steep)) ** (2 / WAY)
    edge = 1 - np.cos(np.pi / 2 * np.array([steep - 1e-4, steep])) ** (2 / WAY)
    beyond = np.maximum(0.0, along - steep)
    line = SHARING * (share + beyond * (edge[1] - edge[0]) / 1e-4)
    return line + max(0.0, RELIEF - line[-1]) * (beyond / beyond[-1]) ** 2


def toothed(teeth: int, bore: float) -> Manifold:
    """A spur gear with involute teeth of the module 2, a pressure angle of 20 degrees, and 0.08 mm of backlash.

    Tips and ends of the teeth are relieved, so that no edge touches a flank and pairs of teeth share the load smoothly.
    """
    module, slope = 2.0, np.radians(20)
    pitch, outer, root = module * teeth / 2, module * (teeth / 2 + 1), module * (teeth / 2 - 1.25)
    base = pitch * np.cos(slope)
    roll = np.linspace(np.sqrt((max(base, root) / base) ** 2 - 1), np.sqrt((outer / base) ** 2 - 1), 41)
    radius = base * np.sqrt(1 + roll**2)
    half = np.pi / (2 * teeth) - 0.02 / pitch + np.tan(slope) - slope - (roll - np.arctan(roll))
    half -= relieved(base * (roll[-1] - roll)) / base
    sections = []
    for z in WIDTH / 2 * np.sin(np.linspace(-np.pi / 2, np.pi / 2, 7)):
        narrow = half - CROWN * (2 * z / WIDTH) ** 4 / base
        flank = np.concatenate([[(root, narrow[0])], np.stack([radius, narrow], 1)])
        tooth = np.concatenate([flank * [1, -1], flank[::-1]])  # radius and angle, counterclockwise
        whole = np.concatenate([tooth + [0, 2 * np.pi * k / teeth] for k in range(teeth)])
        x, y = whole[:, 0] * np.cos(whole[:, 1]), whole[:, 0] * np.sin(whole[:, 1])
        sections.append(np.stack([x, y, np.full(len(x), z)], 1))
    wheel = tube(np.array(sections), closed=False)
    return wheel - Manifold.cylinder(WIDTH + 2, bore, bore, 48, True)


def key() -> Manifold:
    head = Manifold.cylinder(3, 12, 12, 64) - Manifold.cylinder(3, 5, 5, 48).translate([-4, 0, 0])
    blade = Manifold.cube([38, 7, 3]).translate([9, -3.5, 0])
    for place, depth in zip(range(18, 44, 5), (2.5, 1.5, 3, 1, 2, 2.5), strict=True):
        notch = CrossSection([[(-1 - depth, -1), (1 + depth, -1), (0.5, depth), (-0.5, depth)]])
        blade -= Manifold.extrude(notch, 3).translate([place, -3.5, 0])
    return (head + blade).translate([-12, 0, -1.5])


def straight_tube() -> Manifold:
    return turned(np.array([(30, -50), (40, -50), (40, 50), (30, 50)]), 256)


def speaker_cone() -> Manifold:
    """Paper cone with its roll at the edge, and the cap over the voice coil; it opens upwards."""
    outer = curve([(20, 0), (26, 8), (40, 20), (52, 27)], 8)
    roll = [(55 - 3 * np.cos(a), 27 + 3 * np.sin(a)) for a in np.linspace(0, np.pi, 7)]
    side = np.concatenate([outer, roll])
    inner = side + [0, 0.8]
    dome = curve([(0, 10), (8, 9), (16, 6), (21.5, 2.5)], 7)
    cap = turned(np.concatenate([dome, dome[::-1] + [0, 0.8]]), 48)
    return turned(np.concatenate([side, inner[::-1]]), 48) + cap


def chain_ring() -> Manifold:
    return ring(15, 6, 96, 32)


SAW, TIP, ROOT = 20, 30.0, 26.0  # teeth of the ratchet, and their radii [mm]
PAWL = 26.0, 13.5  # its pivot, from the root of the tooth that it holds, along the tooth's tangent and outwards [mm]


def ratchet_wheel() -> Manifold:
    """Its steep faces are radial, and face clockwise as seen from +z; one of them is at +y."""
    step = 2 * np.pi / SAW
    corners = np.array([(radius, np.pi / 2 + k * step) for k in range(SAW) for radius in (ROOT, TIP)])
    outline = np.stack([corners[:, 0] * np.cos(corners[:, 1]), corners[:, 0] * np.sin(corners[:, 1])], 1)
    wheel = Manifold.extrude(CrossSection([outline], FillRule.NonZero), 8)
    window = Manifold.cylinder(8, 4.5, 4.5, 48).translate([15.5, 0, 0])
    windows = Manifold.compose([window.rotate([0, 0, 60 * k]) for k in range(6)])
    return (wheel - windows - Manifold.cylinder(8, 4, 4, 48)).translate([0, 0, -4])


def pawl() -> Manifold:
    """From its pivot to its tip, at (-PAWL[0], -PAWL[1]) and a little above the root."""
    x, y = -PAWL[0], -PAWL[1]
    arm = [(x + 0.1, y + 0.6), (x + 9.5, y + 6.2), (3.0, -4.5), (-2.0, 5.0), (x + 8, y + 10.5), (x + 0.1, y + 4.5)]
    body = Manifold.extrude(CrossSection([arm], FillRule.NonZero), 7) + Manifold.cylinder(7, 5.4, 5.4, 64)
    return (body - Manifold.cylinder(7, 2.2, 2.2, 48)).translate([0, 0, -3.5])


# file: the solid, and the size of a millimetre in the units of the file
SHAPES: dict[str, tuple[Callable[[], Manifold], float]] = {
    "aeroplane.ply": (aeroplane, 0.001),
    "bell.stl": (bell, 0.001),
    "compass_needle.stl": (compass_needle, 1.0),
    "duck.stl": (duck, 1.0),
    "gear.obj": (gear, 1.0),
    "hammer.stl": (hammer, 1.0),
    "heart.stl": (heart, 1.0),
    "horseshoe_magnet.stl": (horseshoe_magnet, 1.0),
    "spinning_top.stl": (spinning_top, 1.0),
    "t_handle.stl": (t_handle, 0.001),
    "torus_knot.stl": (torus_knot, 1.0),
    "bowl.ply": (bowl, 1.0),
    "chain_ring.stl": (chain_ring, 1.0),
    "funnel.ply": (funnel, 1.0),
    "kendama_cup.ply": (kendama_cup, 1.0),
    "key.ply": (key, 1.0),
    "nut.ply": (nut, 1.0),
    "pawl.stl": (pawl, 1.0),
    "pinion.ply": (lambda: toothed(18, 3), 1.0),
    "ratchet_wheel.stl": (ratchet_wheel, 1.0),
    "screw.ply": (screw, 1.0),
    "speaker_cone.ply": (speaker_cone, 1.0),
    "spur_gear.ply": (lambda: toothed(27, 4), 1.0),
    "tube.stl": (straight_tube, 1.0),
}


FINEST = {"pinion.ply": 1e-5, "spur_gear.ply": 1e-5}  # [mm] details that are kept, where those of 0.002 are not all


def main() -> None:
    for name, (make, scale) in SHAPES.items():
        mesh = make().simplify(FINEST.get(name, 0.002)).to_mesh()
        vertices, faces = mesh.vert_properties[:, :3].astype(np.float64) * scale, mesh.tri_verts
        path = Path(__file__).with_name(name)
        options = {"header": ""} if path.suffix == ".obj" else {}
        data = trimesh.Trimesh(vertices, faces, process=False).export(file_type=path.suffix[1:], **options)
        path.write_bytes(data.encode() if isinstance(data, str) else re.sub(rb"comment .*\n", b"", data, count=1))
        print(f"{name:24} {len(faces):6} triangles {path.stat().st_size / 1000:6.0f} kB")


if __name__ == "__main__":
    main()
