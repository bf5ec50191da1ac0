"""Springs that break as arrays, and the warnings where they have broken."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf

import numpy as np

from polhode.engine.model import NOTHING, Model
from polhode.engine.part import Draft
from polhode.physics.breaking.items import items_of
from polhode.physics.points.arrays import Breaking, BreakingWork, SpringRows
from polhode.physics.points.description import Spring
from polhode.physics.points.spring_tiles import groups_of
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem
from polhode.scene.scene import Scene


def compile_breaking(draft: Draft) -> None:
    """Add the member `breaking` of the Model."""
    scene, runs, laws = draft.scene, draft.model["spring_rows"], draft.model["tension_laws"]
    items = [*items_of(scene).values()]
    parts = [_of_body(draft.results["points"][item.name], runs) for item in items if not isinstance(item, Spring)]
    of_law = np.full(len(laws.spring), NOTHING, dtype=np.int64)
    single = np.flatnonzero([scene.spring[number].can_break for number in laws.spring.tolist()])
    many = [len(springs) for springs, _, _ in parts] + [1] * len(single)
    first = np.cumsum([0, *many])
    of_law[single] = first[len(parts) : -1]
    springs = [part[0] for part in parts] + [int(runs.count.sum()) + laws.spring[single]]
    begins = [first[k] + np.cumsum(count) - count for k, (_, _, count) in enumerate(parts)]
    groups = np.cumsum([0, *(len(group) for _, group, _ in parts), *(0 for _ in single)])
    draft.model["breaking"] = Breaking(
        spring=_joined(springs),
        first=first.astype(np.int64),
        law=np.concatenate([np.full(len(parts), NOTHING), single]).astype(np.int64),
        force=np.array([item.breaks_at or inf for item in items], dtype=float),
        strain=np.array([item.breaks_at_strain or inf for item in items], dtype=float),
        first_group=groups.astype(np.int64),
        group=_joined([group for _, group, _ in parts]),
        first_of_group=_joined(begins),
        count=_joined([count for _, _, count in parts]),
        of_law=of_law,
    )


def _of_body(here: slice, runs: SpringRows) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Numbers of the springs of a soft body with the points `here` among all springs, its groups, and their springs."""
    groups, _ = groups_of(runs)
    is_mine = (runs.first >= here.start) & (runs.first < here.stop)
    mine = np.flatnonzero(is_mine[groups[:, 2]])
    ends = np.cumsum(runs.count)
    springs = [np.arange(end - count, end) for end, count in zip(ends[is_mine], runs.count[is_mine], strict=True)]
    lanes = np.bitwise_count(groups[mine, 3])
    return _joined(springs), mine.astype(np.int64), lanes.astype(np.int64)


def _joined(arrays: list[np.ndarray]) -> np.ndarray:
    return np.concatenate([np.zeros(0), *arrays]).astype(np.int64)


def start_breaking(draft: Draft, model: Model, state: np.ndarray) -> None:
    """Write the springs that are broken at the start. Raises InputError for numbers of no spring."""
    breaking = model.breaking
    for item, (name, part) in enumerate(items_of(draft.scene).items()):
        first, stop = breaking.first[item : item + 2].tolist()
        broken = part.initial_state.broken if not isinstance(part, Spring) and part.initial_state else ()
        if wrong := [number for number in broken if number >= stop - first]:
            rule = Message("{wrong} is none of the springs 0 to {last}", wrong=wrong[0], last=stop - first - 1)
            place = f"soft[{[soft.name for soft in draft.scene.soft].index(name)}].initial_state.broken"
            raise InputError(name, [Problem(place, rule, Message("take it out"))])
        state[breaking.at + first + np.array(broken, dtype=np.int64)] = 1.0


def make_breaking_work(model: Model) -> BreakingWork:
    """Scratch arrays of springs that break."""
    return BreakingWork(np.zeros(len(model.breaking.law)))


def broken_flags(breaking: Breaking, state: np.ndarray) -> np.ndarray:
    """(b,) bool, which of the springs that can break are broken in a state (k,)."""
    return np.asarray(state[breaking.at : breaking.at + len(breaking.spring)] > 0.5)


def broken_springs(scene: Scene, breaking: Breaking, state: np.ndarray) -> Iterator[Problem]:
    """Warnings of the items of which springs are broken in a state (k,)."""
    if not len(breaking.spring):
        return
    broken = broken_flags(breaking, state)
    softs = {soft.name: number for number, soft in enumerate(scene.soft)}
    for item, (name, part) in enumerate(items_of(scene).items()):
        if not broken[breaking.first[item] : breaking.first[item + 1]].any():
            continue
        limit = ", ".join(
            [
                *([f"{part.breaks_at:.6g} N"] if part.breaks_at is not None else []),
                *([f"{100 * part.breaks_at_strain:.6g} %"] if part.breaks_at_strain is not None else []),
            ]
        )
        field = "breaks_at" if part.breaks_at is not None else "breaks_at_strain"
        remedy = Message("reset the run, or enter a larger value")
        if isinstance(part, Spring):
            rule = Message("has broken: its tension or strain reached {limit}", limit=limit)
            yield Problem(f"{name}.{field}", rule, remedy)
        elif limit:
            rule = Message(
                "springs of '{name}' have broken: their tension or strain reached {limit}", name=name, limit=limit
            )
            yield Problem(f"soft[{softs[name]}].{field}", rule, remedy)
