"""Scenes and edits that the rule about time steps is measured on, and what the energy of their runs does.

The measure is an own one: total energy minus ledger, relative to the largest energy that changed its kind.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import thread_time
from typing import Any

import numpy as np

from polhode.analysis.steps.limits import Verdict, judged, recommended_step
from polhode.scene import gallery
from polhode.scene.fields import FieldPath, at, with_value
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode.simulation.simulation import Diverged, Simulation
from polhode_app.edit.add_menu import ADDITIONS, with_addition
from polhode_app.edit.contacts import with_floor
from polhode_app.edit.part_defaults import Placement, spot_in

SECONDS = 10.0
LOOKS = 200
COARSE = 20  # times the recommended step
BUDGET = 40.0  # [s] processor time of a run that is measured

Edit = Callable[[Scene], Scene]


@dataclass(frozen=True)
class Drift:
    """Energy errors of a run."""

    final: float  # largest error, relative to the energy exchanged in the whole run; inf where it diverged
    seconds: float  # [s] simulated
    is_seen: bool  # the window's bar came: an error beyond 5 % of the energy exchanged till then, after half a second


@dataclass(frozen=True)
class Case:
    """Verdict of the rule about a scene, and the outcome."""

    name: str
    step: float  # [s] of the scene
    verdict: Verdict
    own: Drift  # with that step
    better: float | None  # [s] recommended
    kept: Drift | None  # with the recommended one
    coarse: Drift | None  # with COARSE times the recommended one, or the scene's where none is
    warned: bool  # of the coarse one, before

    @property
    def is_false_alarm(self) -> bool:
        """A warning though the energy drifts by less than 1 %."""
        return self.own.final < 0.01 and (self.verdict.problem is not None or self.own.is_seen)

    @property
    def is_missed(self) -> bool:
        """No warning, neither before nor in the run, though it drifts by more than 5 %."""
        of_own = self.own.final > 0.05 and self.verdict.problem is None and not self.own.is_seen
        of_coarse = self.coarse is not None and self.coarse.final > 0.05 and not self.warned
        return of_own or (of_coarse and self.coarse is not None and not self.coarse.is_seen)


def with_step(scene: Scene, step: float) -> Scene:
    return scene.model_copy(update={"solver": scene.solver.model_copy(update={"time_step": step})})


def drift_of(scene: Scene, step: float, begun: Simulation | None) -> Drift:
    """The energy of a run of SECONDS with a step [s], from the start or from where another run is."""
    scene = with_step(scene, step)
    simulation = Simulation(scene) if begun is None else begun.fork(scene)
    start, since, spent = simulation.snapshot(), simulation.time, thread_time()
    kinds = [np.array(list(vars(start.energy).values()))]
    lost, is_seen, times = [0.0], False, [since]
    count = max(round(SECONDS / step), 1)
    done = 0
    while done < count and thread_time() - spent < BUDGET:
        piece = min(max(count // LOOKS, 1), count - done)
        try:
            simulation.advance_steps(piece)
        except Diverged:
            return Drift(inf, simulation.time - since, True)
        done += piece
        now = simulation.snapshot()
        kinds.append(np.array(list(vars(now.energy).values())))
        lost.append(now.energy.total - now.ledger.total - (start.energy.total - start.ledger.total))
        times.append(simulation.time)
        exchanged = scale_of(kinds, now.ledger.friction)
        late = simulation.time - since >= 0.5
        is_seen = is_seen or (late and exchanged > 4e-21 and abs(lost[-1]) > 0.05 * exchanged)
    exchanged = scale_of(kinds, now.ledger.friction)
    final = float(np.abs(lost).max()) / exchanged if exchanged > 4e-21 else 0.0
    return Drift(final, simulation.time - since, is_seen)


def scale_of(kinds: list[np.ndarray], friction: float) -> float:
    """Energy exchanged [J]: the largest change of a kind of energy, the largest kinetic one, the work of friction."""
    rows = np.array(kinds)
    return float(max(np.abs(rows - rows[0]).max(), rows[:, 0].max(), abs(friction)))


def measured(name: str, scene: Scene, edit: Edit | None = None, after: float = 0.0) -> Case:
    """Judge a scene, or an edit of it after `after` [s], and let it run."""
    begun = None
    if edit is not None and after > 0.0:
        first = Simulation(scene)
        first.advance_steps(round(after / first.time_step))
        begun = first.fork(edit(scene))
    scene = scene if edit is None else edit(scene)
    simulation = Simulation(scene) if begun is None else begun
    compiled, method, step = simulation.compiled, scene.solver.method, scene.solver.time_step
    time, state = simulation.time, simulation.state
    found = judged(compiled, method, step, time, state)
    better = recommended_step(compiled, found, time, state)
    own = drift_of(scene, step, begun)
    kept = None if better is None else own if better == step else drift_of(scene, better, begun)
    coarse = COARSE * (better or step)
    rough = drift_of(scene, coarse, begun) if coarse <= SECONDS / 10 else None
    warned = judged(compiled, method, coarse, time, state).verdict.problem is not None if rough is not None else False
    return Case(name, step, found.verdict, own, better, kept, rough, warned)


def scaled(place: FieldPath, factor: float) -> Edit:
    """An edit that multiplies a number, or each of several."""

    def edit(scene: Scene) -> Scene:
        value = at(scene, place)
        times: Any = tuple(factor * each for each in value) if isinstance(value, tuple) else factor * value
        return with_value(scene, place, times)

    return edit


def set_to(place: FieldPath, value: Any) -> Edit:
    return lambda scene: with_value(scene, place, value)


def freed(name: str) -> Edit:
    """An edit that frees a body."""

    def edit(scene: Scene) -> Scene:
        number = next(k for k, body in enumerate(scene.body) if body.name == name)
        body = scene.body[number].model_copy(update={"support": "free", "axis": None})
        return scene.model_copy(update={"body": (*scene.body[:number], body, *scene.body[number + 1 :])})

    return edit


def added(*texts: str) -> Edit:
    """An edit that adds entries of the menu, one beside the other."""

    def edit(scene: Scene) -> Scene:
        for text in texts:
            entry = next(each for entries in ADDITIONS.values() for each in entries if each.text == text)
            scene, _ = with_addition(scene, entry, spot_in(np.zeros(3), 0.5, 0.0, scene), None)
        return scene

    return edit


def free_magnet(place: tuple[float, float, float], size: float) -> Edit:
    """An edit that adds a magnet of the menu at a place [m] and frees it."""

    def edit(scene: Scene) -> Scene:
        entry = next(each for each in ADDITIONS["Body"] if each.text == "Magnet")
        scene, (_, number, *_rest) = with_addition(scene, entry, Placement(size, place), None)
        return freed(scene.body[number].name)(scene)

    return edit


def cases() -> list[str]:
    """Names of all scenes of the gallery, and of the edits."""
    return [*gallery.scene_names(), *(name for name, *_ in EDITS)]


def case_of(name: str) -> Case:
    """Outcome for a scene of the gallery, or for an edit."""
    if name in gallery.scene_names():
        return measured(name, read_scene(gallery.path(name)))
    of, edit, after = next(rest for known, *rest in EDITS if known == name)
    return measured(name, with_floor(Scene()) if of == "" else read_scene(gallery.path(of)), edit, after)


EDITS: list[tuple[str, str, Edit, float]] = [
    ("a heavier ball", "course_2_damper", set_to(("particle", 0, "mass"), 0.7), 3.0),
    ("a light ball", "course_2_damper", scaled(("particle", 0, "mass"), 0.1), 1.0),
    ("a stiff spring", "course_3_spring_pendulum", scaled(("spring", 0, "stiffness"), 10.0), 1.0),
    ("a stiff damper", "course_2_damper", scaled(("spring", 0, "damping"), 10.0), 1.0),
    ("a very stiff damper", "course_2_damper", scaled(("spring", 0, "damping"), 100.0), 1.0),
    ("a light ball of the cradle", "newtons_cradle", scaled(("body", 0, "shape", 0, "mass"), 0.1), 0.0),
    ("a stiff jelly", "jelly_pendulum", scaled(("soft", 0, "stiffness"), 10.0), 1.0),
    ("a light jelly", "jelly_pendulum", scaled(("soft", 0, "particle_mass"), 0.1), 1.0),
    ("a heavy jelly", "jelly_pendulum", scaled(("soft", 0, "particle_mass"), 10.0), 1.0),
    ("a stiff jelly with a magnet", "jelly_magnet", scaled(("soft", 0, "stiffness"), 10.0), 0.5),
    ("a stiff cloth", "cloth_on_ball", scaled(("soft", 0, "stiffness"), 10.0), 0.5),
    ("a light cloth", "cloth_on_ball", scaled(("soft", 0, "particle_mass"), 0.1), 0.5),
    ("a hard floor", "bouncing_ball", scaled(("wall", 0, "stiffness"), 100.0), 0.0),
    ("a hard table", "rolling_1_frictionless_slope", scaled(("wall", 0, "stiffness"), 100.0), 0.5),
    ("a fast top", "heavy_top", scaled(("body", 0, "angular_velocity"), 10.0), 0.0),
    ("a heavy gyroscope", "gyroscope_in_gimbals", scaled(("world", "gravity"), 5.0), 0.0),
    ("strong gravity", "double_rod_pendulum", scaled(("world", "gravity"), 10.0), 1.0),
    ("strong gravity on a cradle", "cradle_of_spheres", scaled(("world", "gravity"), 10.0), 0.3),
    ("an explicit method", "heavy_top", set_to(("solver", "method"), "euler"), 0.0),
    ("another method", "magnet_pendulum", set_to(("solver", "method"), "semi_implicit_euler"), 1.0),
    ("a method for many points", "jelly_pendulum", set_to(("solver", "method"), "verlet"), 1.0),
    ("a magnet is freed", "magnet_pendulum", freed("magnet0"), 1.0),
    ("a free compass", "compass", freed("needle"), 1.0),
    ("a free bar magnet", "bar_magnets", freed("bar0"), 1.0),
    ("a free needle", "two_needles", freed("left"), 1.0),
    ("a strong magnet", "magnet_pendulum", scaled(("body", 1, "dipole", 0, "moment"), 10.0), 1.0),
    ("a strong field", "compass", scaled(("world", "magnetic_field", "value"), 1000.0), 1.0),
    *(
        (f"a default {text.lower()}", "", added(text), 0.0)
        for text in (
            "Sphere",
            "Cylinder",
            "Capsule",
            "Cone",
            "Ellipsoid",
            "Cuboid",
            "Rod",
            "Pendulum",
            "Top",
            "Rolling sphere",
            "Triangle of spheres",
            "Jelly block",
            "Cloth",
            "Chain",
            "Particle",
            "Bead on a path",
        )
    ),
    ("a ball on a spring", "", added("Particle", "Spring"), 0.0),
    ("two cuboids", "", added("Cuboid", "Cuboid"), 0.0),
    ("a pendulum and a magnet", "", added("Magnet", "Pendulum"), 0.0),
    (
        "a free magnet beside a fixed one",
        "",
        lambda scene: free_magnet((0.4, 0, 0.1), 0.2)(added("Magnet")(scene)),
        0.0,
    ),
    ("a free magnet beside a compass", "compass", free_magnet((0.1, 0.02, 0.0), 0.03), 1.0),
    ("a free magnet below a pendulum", "magnet_pendulum", free_magnet((0.05, 0.05, 0.0), 0.05), 1.0),
    ("a magnet beside a free cylinder", "", added("Cylinder", "Magnet"), 0.0),
    ("a cuboid beside a jelly", "jelly_pendulum", added("Cuboid"), 1.0),
    ("a ball on the seesaw", "seesaw", added("Rolling sphere"), 1.0),
]
