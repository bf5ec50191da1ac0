"""Numbers of a scene that an FMU takes as inputs: those of which words of its image are multiples.

Candidates are the numbers that may change in a run without a compilation of the scene
(core/polhode/engine/adjusted.py): fields of the world, forces, torques, motors, springs and friction of joints,
friction of bodies, sources and resistances of circuits. Which words depend on one is found by images of the scene with
other values of it; a number is an input if each of these words is value times factor, to the last bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import inf, nextafter
from typing import NamedTuple

import numpy as np

from polhode.engine.adjusted import adjusted
from polhode.engine.compiled_scene import CompiledScene
from polhode.engine.registry import SUBJECTS
from polhode.exporters.image.difference import have_same_layout
from polhode.exporters.image.image import WORD, Image
from polhode.exporters.image.packing import image_of, members_of
from polhode.mesh.mesh import Meshes
from polhode.scene.fields import FieldPath, Form, at, form_at, parse_path, written
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.variants.drivable_parameters import parameters
from polhode.simulation.simulation import Simulation

PROBES = (0.8181818, 1.3, -0.7071)
"""Values that are tried, in parts of the present one, or of 1 where that is 0; those beyond the limits are left out."""
UNUSUAL = 0.7390851  # begin of numbers that no constants of a scene are equal to
NEEDS_JOLT = "world.rotation"  # whose change moves the bodies, which the library does not know


@dataclass(frozen=True, eq=False)
class SettableNumber:
    """A number of the scene that is an input of its FMU."""

    name: str
    """Its path, as for `Simulation.set`."""
    unit: str
    """"": a pure number."""
    start: float
    lowest: float
    highest: float
    offsets: np.ndarray
    """(n,) [bytes] of the words that depend on it."""
    factors: np.ndarray
    """(n,) word = factor x value."""


class Changeable(NamedTuple):
    """A scene as its FMU has it: other numbers stand in for some of the inputs, until the run begins."""

    simulation: Simulation
    image: Image
    inputs: list[SettableNumber]


def changeable(simulation: Simulation, meshes: Meshes) -> Changeable:
    """The image of a simulation at its start, and the numbers of its scene that it lets change."""
    left_out = set[str]()
    while True:
        packed, replaced = _with_distinct_numbers(simulation, left_out, meshes)
        image = image_of(packed)
        inputs = _settable_numbers(packed, image, meshes, simulation.scene)
        left = replaced - {number.name for number in inputs}
        if not left:
            return Changeable(packed, image, inputs)
        left_out |= left  # they would keep the other number


def _with_distinct_numbers(simulation: Simulation, left_out: set[str], meshes: Meshes) -> tuple[Simulation, set[str]]:
    """A simulation of the scene with other numbers where formulas may be given, as in place of 0 of a motor, and the
    paths of these; those in `left_out`, and numbers that the start depends on, are as in the scene.

    Formulas with two equal constants have another form than those with different ones, so the image of the scene itself
    does not let them change.
    """
    scene, compiled, replaced = simulation.scene, simulation.compiled, set[str]()
    for place, (name, _, _) in enumerate(_adjustable(scene)):
        if name in left_out or not _may_be_formula(scene, name):
            continue
        try:
            changed = scene.with_values({name: UNUSUAL + place / 1024})
            made = adjusted(compiled, changed, [name], meshes)
        except InputError:
            continue
        if made is not None and np.array_equal(made.start, compiled.start):
            scene, compiled = changed, made
            replaced.add(name)
    return (Simulation(scene, meshes) if replaced else simulation), replaced


def _may_be_formula(scene: Scene, name: str) -> bool:
    """Whether a formula may stand in place of a number or of a component."""
    path = parse_path(name)
    field = path[:-1] if isinstance(path[-1], int) else path
    return form_at(scene, field).kind in ("formula", "formulas") or isinstance(at(scene, path), str)


def _settable_numbers(simulation: Simulation, image: Image, meshes: Meshes, scene: Scene) -> list[SettableNumber]:
    """The numbers that an image, that of a simulation, lets change; at first they have the values of `scene`."""
    known = _words_of_scene(simulation, image)
    found = []
    for name, value, form in _candidates(simulation.scene):
        if name.startswith(NEEDS_JOLT):
            continue
        if (places := _places(simulation.compiled, name, form, value, (image, known), meshes)) is not None:
            low = nextafter(form.low, inf) if form.beyond else form.low
            start = _number(at(scene, parse_path(name)))
            assert start is not None
            found.append(SettableNumber(name, form.unit, start, low, form.high, *places))
    return found


def _candidates(scene: Scene) -> Iterator[tuple[str, float, Form]]:
    """Paths, values and forms of numbers that may change in a run without a compilation."""
    for path, form in parameters(scene):
        if path[0] == "world" and isinstance(value := at(scene, path), float):
            yield written(path), value, form
    yield from _adjustable(scene)


def _adjustable(scene: Scene) -> Iterator[tuple[str, float, Form]]:
    """Those of them of parts, also where a formula may be given and is a number."""
    for pattern in (name for part in SUBJECTS for name in part.adjustable):
        for path in _expanded(scene, (), pattern.split("[]")):
            if (number := _number(at(scene, path))) is not None:
                yield written(path), number, form_at(scene, path)


def _expanded(scene: Scene, begin: FieldPath, pieces: list[str]) -> Iterator[FieldPath]:
    """Paths of a scene that begin so, then have these pieces with any index between two of them."""
    here = (*begin, *parse_path(pieces[0]))
    try:
        part = at(scene, here)
    except LookupError:  # a part of another kind, or one that is left out
        return
    if len(pieces) == 1:
        yield here
    elif isinstance(part, tuple):
        for index in range(len(part)):
            yield from _expanded(scene, (*here, index), pieces[1:])


def _number(value: object) -> float | None:
    """The number that a field has, also as a formula; None for anything else."""
    try:
        return float(value) if isinstance(value, float | str) else None
    except ValueError:
        return None


def _places(
    compiled: CompiledScene, name: str, form: Form, value: float, of: tuple[Image, np.ndarray], meshes: Meshes
) -> tuple[np.ndarray, np.ndarray] | None:
    """Offsets and factors of the words that depend on a number; None where it is no input."""
    image, known = of
    values, rows = [value], [_words(image, known)]
    for tried in _tried(value, form):
        try:
            scene = compiled.scene.with_values({name: tried})
            changed = adjusted(compiled, scene, [name], meshes)
        except InputError:
            continue
        if changed is None or not np.array_equal(changed.start, compiled.start):
            return None
        other = image_of(Simulation(scene, meshes, replace(changed, scene=scene)))
        if not have_same_layout(image, other):
            return None
        values.append(tried)
        rows.append(_words(other, known))
    table, numbers = np.array(rows), np.array(values)
    depend = np.flatnonzero((table != table[0]).any(axis=0))
    if len(values) < 3 or len(depend) == 0:
        return None
    reals = table[:, depend].view(np.float64)
    factors = reals[1] / numbers[1]
    exact = np.array_equal((factors * numbers[:, None]).view(np.int64), table[:, depend])
    return (known[depend], factors) if exact else None


def _tried(value: float, form: Form) -> Iterator[float]:
    """Other values of a number, within its limits."""
    for part in PROBES:
        tried = part * (value or 1.0)
        if form.low < tried <= form.high:
            yield tried


def _words_of_scene(simulation: Simulation, image: Image) -> np.ndarray:
    """Offsets [bytes] of the words of Model and Inputs that are no addresses: others follow from these in a step."""
    offsets = []
    for name in ("model", "inputs"):
        place = image.places[name]
        for member in members_of(getattr(simulation.structs, name), name):
            at_word = place + member.word * WORD.itemsize
            if isinstance(member.value, np.ndarray):
                begin = int(np.frombuffer(image.content, WORD, 1, at_word)[0])
                size = member.value.nbytes // WORD.itemsize if member.value.dtype.itemsize == WORD.itemsize else 0
                offsets.append(begin + WORD.itemsize * np.arange(size))
            else:
                offsets.append(np.array([at_word]))
    return np.unique(np.concatenate(offsets)).astype(np.int64)


def _words(image: Image, offsets: np.ndarray) -> np.ndarray:
    """(n,) int64 the words at these offsets."""
    return np.frombuffer(image.content, WORD)[offsets // WORD.itemsize].astype(np.int64)
