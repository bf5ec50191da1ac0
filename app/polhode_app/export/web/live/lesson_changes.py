"""Runs of a lesson in a page: the words that turn the image of its scene into that of a variant with values of sliders.

The scene is compiled for each variant and each position of a slider. Numbers that write different words need no scene
of both: each writes its own. Those that have words in common are compiled in all combinations, so that the page has
exactly the numbers of the compiled scene.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

import numpy as np

from polhode.exporters.image.difference import ImageDifference, difference
from polhode.exporters.image.image import WORD, Image
from polhode.lessons.variants import VARIANTS, varied_scene
from polhode.mesh.mesh import Meshes
from polhode.scene.display.lesson import Lesson, LessonStep
from polhode.scene.display.story import Story
from polhode.scene.fields import at, form_at, parse_path
from polhode.scene.problem import InputError
from polhode.scene.scene import Scene
from polhode.scene.variants.numbers import TILT, number_at
from polhode.simulation.simulation import Simulation
from polhode_app.export.web.live.card import POSITIONS
from polhode_app.export.web.live.pull import pullable_image

FEWEST = 3  # positions of a slider whose combinations with others are many
MOST = 600  # combinations of the numbers of a group, each of which is compiled
MOST_WORDS = 400_000  # of all combinations of a group
TRIED = 6  # combinations of all numbers that are compiled to confirm that groups are independent
ZERO, LAYOUT, TOGETHER = "lesson_zero", "lesson_layout", "lesson_together"
"""Reasons why a page can't change a number, as names of texts of the page."""


@dataclass(frozen=True)
class RunField:
    """A number that the student changes for a run."""

    path: str
    unit: str
    values: tuple[float, ...]
    """[SI] at the positions of its slider."""
    start: int
    """Position at which the slider begins."""
    reason: str = ""
    """Why the page can't change it: a name of a text; "" if it can."""

    def fixed(self, reason: str) -> RunField:
        """The field with its start value alone."""
        return replace(self, values=(self.values[self.start],), start=0, reason=reason)

    def thinned(self, count: int) -> RunField:
        """The field with about `count` of its positions, its start among them."""
        chosen = np.linspace(0, len(self.values) - 1, count).round().astype(int)
        chosen[int(np.abs(chosen - self.start).argmin())] = self.start
        kept = sorted({*chosen.tolist()})
        return replace(self, values=tuple(self.values[k] for k in kept), start=kept.index(self.start))


@dataclass(frozen=True, eq=False)
class Group:
    """Words that depend on some numbers together: the variant, which is axis 0, and fields, from axis 1 on."""

    axes: tuple[int, ...]
    offsets: np.ndarray
    """(w,) [bytes]"""
    words: np.ndarray
    """(w, c) int64 for the combinations of positions, that of the last axis varying fastest."""
    missing: tuple[int, ...] = ()
    """Combinations that the scene refuses."""


@dataclass(frozen=True)
class RunChanges:
    """Words that a page writes for the run of a step."""

    fields: tuple[RunField, ...]
    groups: tuple[Group, ...]


class NotInPages(ValueError):
    """A lesson whose variants a page can't write into the memory of its scene."""


@dataclass(eq=False)
class LessonScenes:
    """Compiled scenes of a lesson, as differences to the image of its scene."""

    scene: Scene
    lesson: Lesson
    image: Image
    meshes: Meshes
    compiled: Callable[[], None] = lambda: None
    """Called after each scene."""
    _known: dict[tuple[object, ...], ImageDifference | None] = field(default_factory=dict)

    @property
    def variants(self) -> int:
        """Number of variants."""
        return VARIANTS if self.lesson.vary else 1

    def change(self, variant: int, values: dict[str, float]) -> ImageDifference | None:
        """Words of a variant with values [SI] by paths; None where the scene refuses them or has another layout."""
        key = (variant, *values.items())
        if key not in self._known:
            self._known[key] = self._compiled(variant, values)
            self.compiled()
        return self._known[key]

    def _compiled(self, variant: int, values: dict[str, float]) -> ImageDifference | None:
        plain = self.scene.model_copy(update={"lesson": (), "story": Story()})  # whose rules are checked already
        try:
            scene = varied_scene(plain, self.lesson, variant)
            made = pullable_image(Simulation(scene.with_values(values) if values else scene, self.meshes))
        except InputError:
            return None
        is_of_page = (made.clock, made.end) == (self.image.clock, self.image.end)
        return difference(self.image, made) if is_of_page else None

    def words(self, change: ImageDifference, offsets: np.ndarray) -> np.ndarray:
        """(w,) words at some ascending offsets after a change."""
        found = np.frombuffer(self.image.content, WORD)[offsets // WORD.itemsize]
        at = np.searchsorted(offsets, change.offsets)
        is_known = np.isin(change.offsets, offsets)
        found[at[is_known]] = change.words[is_known]
        return found


def fields_of(scene: Scene, lesson: Lesson, step: LessonStep) -> tuple[RunField, ...]:
    """The fields of a run with the positions of their sliders."""
    return tuple(_field(scene, lesson, step, path) for path in step.run or ())


def _field(scene: Scene, lesson: Lesson, step: LessonStep, path: str) -> RunField:
    """A field: over its range, or else from 0 to twice its value, which is one of the positions."""
    where, unit = number_at(scene, path, suggests=False)
    is_tilt = TILT.fullmatch(path) is not None
    start = 0.0 if is_tilt else float(at(scene, where))
    low, high = step.range.get(path) or sorted((0.0, 2.0 * start))
    if low == high:
        return RunField(path, unit, (start,), 0, ZERO)
    values = np.linspace(low, high, POSITIONS)
    if not is_tilt and form_at(scene, parse_path(path)).kind == "whole":
        values = np.unique(values.round())
    nearest = int(np.abs(values - start).argmin())
    if path not in lesson.vary and low <= start <= high:
        values[nearest] = start
    return RunField(path, unit, tuple(values.tolist()), nearest)


def changes_of(scenes: LessonScenes, step: LessonStep) -> RunChanges:
    """The words of all variants and positions for the run of a step. Raises NotInPages."""
    stated = fields_of(scenes.scene, scenes.lesson, step)
    at_start = _values(stated, _starts(stated))
    fields = [_possible(scenes, each, at_start) for each in stated]
    if any(scenes.change(variant, _values(fields, _starts(fields))) is None for variant in range(scenes.variants)):
        raise NotInPages
    while True:
        made = _grouped(scenes, fields)
        if not isinstance(made, tuple):
            return RunChanges(tuple(fields), tuple(made))
        fields = _reduced(fields, made)


def _starts(fields: Sequence[RunField]) -> tuple[int, ...]:
    """Positions at which the sliders begin."""
    return tuple(each.start for each in fields)


def _values(fields: Sequence[RunField], positions: Sequence[int]) -> dict[str, float]:
    """Values [SI] by paths of the fields that the page can change, at positions of their sliders."""
    return {
        each.path: each.values[position] for each, position in zip(fields, positions, strict=True) if not each.reason
    }


def _possible(scenes: LessonScenes, each: RunField, others: dict[str, float]) -> RunField:
    """The field with the positions of which the page can write the words, the others being at their start."""
    if each.reason:
        return each
    kept = [k for k, value in enumerate(each.values) if scenes.change(0, others | {each.path: value}) is not None]
    if len(kept) < 2 or each.start not in kept:
        return each.fixed(LAYOUT)
    return replace(each, values=tuple(each.values[k] for k in kept), start=kept.index(each.start))


def _reduced(fields: list[RunField], axes: tuple[int, ...]) -> list[RunField]:
    """The fields with fewer positions of those on some axes; the last of these is not changed if they have few.

    Raises NotInPages where there are none.
    """
    numbers = [axis - 1 for axis in axes if axis > 0 and not fields[axis - 1].reason]
    if not numbers:
        raise NotInPages
    longest = max(len(fields[number].values) for number in numbers)
    made = list(fields)
    if longest > FEWEST:
        for number in numbers:
            made[number] = made[number].thinned(min(longest - 1, len(made[number].values)))
    else:
        made[numbers[-1]] = made[numbers[-1]].fixed(TOGETHER)
    return made


def _grouped(scenes: LessonScenes, fields: list[RunField]) -> list[Group] | tuple[int, ...]:
    """The words of all combinations, or the axes of a group that has too many."""
    counts = (scenes.variants, *(len(each.values) for each in fields))
    start = (0, *_starts(fields))
    lines = [_line(scenes, fields, start, axis, count) for axis, count in enumerate(counts)]
    together = _components([set(line.tolist()) for line in lines])
    while True:
        groups = []
        for axes in together:
            made = _group(scenes, fields, counts, start, axes)
            if made is None:
                return axes
            groups += _split(made, counts)
        groups.append(_constant(scenes, fields, start, groups))
        if len(together) < 2 or _are_independent(scenes, fields, counts, groups):
            return [each for each in groups if len(each.offsets) or each.missing]
        together = [tuple(axis for axes in together for axis in axes)]


def _line(scenes: LessonScenes, fields: list[RunField], start: tuple[int, ...], axis: int, count: int) -> np.ndarray:
    """Offsets of the words that depend on one axis, all others being at their start."""
    changes = [_at(scenes, fields, (*start[:axis], k, *start[axis + 1 :])) for k in range(count)]
    known = [change for change in changes if change is not None]
    offsets = np.unique(np.concatenate([change.offsets for change in known]))
    words = np.array([scenes.words(change, offsets) for change in known])
    return offsets[(words != words[0]).any(axis=0)]


def _at(scenes: LessonScenes, fields: list[RunField], index: tuple[int, ...]) -> ImageDifference | None:
    """Words of a variant and of positions of the sliders."""
    return scenes.change(index[0], _values(fields, index[1:]))


def _components(sets: list[set[int]]) -> list[tuple[int, ...]]:
    """Axes that have offsets in common, directly or by others, together; those without offsets are left out."""
    found: list[tuple[tuple[int, ...], set[int]]] = []
    for axis, own in enumerate(sets):
        meeting = [each for each in found if each[1] & own]
        rest = [each for each in found if not each[1] & own]
        axes = (*(one for each in meeting for one in each[0]), axis)
        found = [*rest, (tuple(sorted(axes)), own.union(*(each[1] for each in meeting)))] if own else found
    return [axes for axes, _ in found]


def _group(
    scenes: LessonScenes, fields: list[RunField], counts: tuple[int, ...], start: tuple[int, ...], axes: tuple[int, ...]
) -> Group | None:
    """The words of all combinations of some axes; None where these are too many."""
    if prod(counts[axis] for axis in axes) > MOST:
        return None
    changes = []
    for positions in product(*(range(counts[axis]) for axis in axes)):
        moved = dict(zip(axes, positions, strict=True))
        changes.append(_at(scenes, fields, tuple(moved.get(axis, first) for axis, first in enumerate(start))))
    known = [change for change in changes if change is not None]
    offsets = np.unique(np.concatenate([change.offsets for change in known]))
    if len(offsets) * len(changes) > MOST_WORDS:
        return None
    nothing = np.zeros(len(offsets), WORD)
    words = np.array([nothing if change is None else scenes.words(change, offsets) for change in changes])
    good = np.array([change is not None for change in changes])
    varying = (words[good] != words[good][0]).any(axis=0)
    missing = tuple(np.flatnonzero(~good).tolist())
    return Group(axes, offsets[varying], np.ascontiguousarray(words[:, varying].T), missing)


def _split(group: Group, counts: tuple[int, ...]) -> list[Group]:
    """The group as groups of words that depend on the same axes, which have fewer combinations."""
    shape = tuple(counts[axis] for axis in group.axes)
    if group.missing or len(shape) < 2:
        return [group]
    words = group.words.reshape(-1, *shape)
    first = [np.take(words, [0], axis=1 + axis) for axis in range(len(shape))]
    needs = np.array([(words != each).any(axis=tuple(range(1, words.ndim))) for each in first]).T
    found = []
    for needed in np.unique(needs, axis=0):
        chosen = (needs == needed).all(axis=1)
        part = words[chosen][(slice(None), *(slice(None) if each else 0 for each in needed))]
        axes = tuple(axis for axis, each in zip(group.axes, needed, strict=True) if each)
        found.append(Group(axes, group.offsets[chosen], np.ascontiguousarray(part.reshape(chosen.sum(), -1))))
    return found


def _constant(scenes: LessonScenes, fields: list[RunField], start: tuple[int, ...], groups: list[Group]) -> Group:
    """Words of the scene at the start of all axes that differ from its image, and that no group has."""
    change = _at(scenes, fields, start)
    assert change is not None
    known = np.concatenate([np.zeros(0, np.int64), *(group.offsets for group in groups)])
    is_new = ~np.isin(change.offsets, known)
    return Group((), change.offsets[is_new], change.words[is_new][:, None])


def _are_independent(
    scenes: LessonScenes, fields: list[RunField], counts: tuple[int, ...], groups: list[Group]
) -> bool:
    """Whether some combinations of all axes have the words that the groups write."""
    random = np.random.default_rng(0)
    last = tuple(count - 1 for count in counts)
    for index in [last, *(tuple(random.integers(0, counts).tolist()) for _ in range(TRIED))]:
        change = _at(scenes, fields, index)
        if change is not None and change.in_block(scenes.image.content) != written(scenes.image, counts, groups, index):
            return False
    return True


def written(image: Image, counts: Sequence[int], groups: Sequence[Group], index: Sequence[int]) -> bytes:
    """The content of an image after a page has written the words for a variant and positions of sliders."""
    words = np.frombuffer(image.content, WORD).copy()
    for group in groups:
        number = 0
        for axis in group.axes:
            number = number * counts[axis] + index[axis]
        words[group.offsets // WORD.itemsize] = group.words[:, number]
    return words.tobytes()
