"""Mutated scenes: valid ones with values that no scene means, and the outcomes of checking them in child processes.

    python -m tests.hostile.scene_mutations 10000 [SEED]

prints how often each outcome occurred, and the seeds of all cases that ended otherwise than documented. A scene is
either compiled or refused with InputError; any other exception, a killed child (out of memory, crash) and a case that
takes more than CASE_SECONDS are faults. Each case follows from its seed alone.
"""

from __future__ import annotations

import json
import resource
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene import gallery
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of, tables_of

ROOT = Path(__file__).parents[2]
MEMORY = 6 * 2**30  # [bytes] address space of a child
CASE_SECONDS = 20  # [s] processor time of a case
CHUNK = 250  # cases of a child
JOBS = 2
HUGE = 10**308
SOUND, REFUSED = "sound", "refused"
FOLDER = gallery.path(gallery.scene_names()[0]).parent

MAGNITUDES = [
    *(0.0, -0.0, 5e-324, 1e-308, 1e-200, 1e-155, 1e-100, 1e-50, 1e-30, 1e-20, 1e-15, 1e-12, 1e-9),
    *(1e9, 1e12, 1e15, 1e20, 1e30, 1e50, 1e100, 1e154, 1e155, 1e200, 1.7976931348623157e308),
    *(float("inf"), float("nan"), 2**31, 2**63, 10**400, 4096, 100_000, 4_000_000),
]
OTHER_TYPES: list[Any] = [
    True,
    "",
    "x",
    "1e308",
    "q",
    "0/0",
    "1/q^9",
    "exp(q^9)",
    "a" * 100_000,
    [],
    {},
    [[]],
    [0, 0, 0],
]
Place = tuple[Any, ...]


@cache
def bases() -> list[dict[str, Any]]:
    """Tables of the built-in scenes: as their files state them, then with all default values stated."""
    paths = [gallery.path(name) for name in gallery.scene_names()]
    stated = [tables_of(path.read_text("utf-8"), path.name) for path in paths]
    return stated + [_without_none(scene_of(tables, "").model_dump(by_alias=True, mode="json")) for tables in stated]


def _without_none(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_none(inner) for key, inner in value.items() if inner is not None}
    return [_without_none(inner) for inner in value] if isinstance(value, list) else value


def places(value: Any, place: Place = ()) -> Iterator[Place]:
    """Paths of all values in nested tables and lists, containers before their items."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, item in inner:
        yield (*place, key)
        yield from places(item, (*place, key))


def mutated(seed: int) -> str:
    """The text of a scene file with one to three mutations."""
    random = np.random.default_rng(seed)
    tables = deepcopy(bases()[random.integers(len(bases()))])
    for _ in range(random.integers(1, 4)):
        known = list(places(tables))
        place = known[random.integers(len(known))]
        container = tables
        for step in place[:-1]:
            container = container[step]
        _mutate(container, place[-1], random)
    text = "".join(f"{json.dumps(key)} = {_toml(value)}\n" for key, value in tables.items())
    return _text_mutated(text, random) if random.random() < 0.02 else text


def _mutate(container: Any, key: Any, random: np.random.Generator) -> None:
    """Change the value at `key` of a table or a list."""
    value = container[key]
    if isinstance(value, int | float) and not isinstance(value, bool) and random.random() < 0.8:
        container[key] = _number(value, random)
    elif isinstance(value, list) and value and random.random() < 0.7:
        container[key] = _list(value, random)
    elif random.random() < 0.3:
        del container[key]
    elif random.random() < 0.2 and isinstance(container, dict):
        container["n" * 10_000] = container.pop(key)
    else:
        container[key] = deepcopy(OTHER_TYPES[random.integers(len(OTHER_TYPES))])


def _number(value: float, random: np.random.Generator) -> float:
    """An extreme number, or `value` times a power of ten."""
    if random.random() < 0.3:
        size = float(max(-HUGE, min(value, HUGE)))  # an integer of a mutation before may be beyond the floats
        scaled = size * 10.0 ** int(random.integers(-40, 40))
        return round(scaled) if isinstance(value, int) and abs(scaled) < 1e18 else scaled
    number = MAGNITUDES[random.integers(len(MAGNITUDES))]
    if isinstance(value, int) and isinstance(number, float) and np.isfinite(number) and abs(number) < 1e30:
        number = int(number)
    return -number if random.random() < 0.3 else number


def _list(value: list[Any], random: np.random.Generator) -> list[Any]:
    """A list of another length, or with the same number in all its places."""
    if all(isinstance(item, int | float) for item in value) and random.random() < 0.6:
        return [_number(value[0], random)] * len(value)
    count = int(random.choice([0, 1, 2, 3, 4, 10, 300]))
    return [deepcopy(value[k % len(value)]) for k in range(count)]


def _toml(value: Any) -> str:
    """A value as TOML writes it in one line."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{json.dumps(key)} = {_toml(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_toml, value)) + "]"
    return json.dumps(value) if isinstance(value, str | bool) else repr(value)


def _text_mutated(text: str, random: np.random.Generator) -> str:
    """The text with nesting and names of extreme sizes, or cut off."""
    depth = int(random.choice([50, 500, 20_000]))
    dotted = ".".join("a" * depth)
    return [
        text + f"[{dotted}]\n",
        text + f"{dotted} = 1\n",
        text + f"deep = {'[' * depth}{']' * depth}\n",
        text + f"[world.{dotted}]\nx = 1\n",
        text + f"[[body]]\nname = '{'n' * depth * 100}'\n",
        text + f"wide = [{'0, ' * depth * 20}]\n",
        text[: random.integers(len(text))],
    ][random.integers(7)]


def outcome(seed: int) -> str:
    """Outcome of checking a case: SOUND, REFUSED, or type and location of an exception that is a fault."""
    try:
        scene = scene_of(tables_of(mutated(seed), "mutated.toml"), "mutated.toml").in_folder(FOLDER)
        build(scene, Meshes())
    except InputError as error:
        str(error)
        return REFUSED
    except Exception as error:  # noqa: BLE001  (the faults that are looked for)
        return _described(error)
    return SOUND


def _described(error: Exception) -> str:
    """Type of an exception and the last line of the program in its traceback."""
    at, frame = "", error.__traceback__
    while frame is not None:
        if Path(frame.tb_frame.f_code.co_filename).is_relative_to(ROOT):
            at = f"{Path(frame.tb_frame.f_code.co_filename).relative_to(ROOT)}:{frame.tb_lineno}"
        frame = frame.tb_next
    return f"{type(error).__name__} at {at}: {str(error)[:80]!r}"


def _work(first: int, last: int) -> None:
    """Body of a child: print each seed, then its outcome. SIGPROF ends the process where a case takes too long."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    np.seterr(all="ignore")
    for seed in range(first, last):
        print(seed, end=" ", flush=True)
        signal.setitimer(signal.ITIMER_PROF, CASE_SECONDS)
        print(outcome(seed), flush=True)
        signal.setitimer(signal.ITIMER_PROF, 0)


def outcomes(first: int, count: int) -> dict[int, str]:
    """Outcomes of `count` cases by their seeds, from `first` on, checked in child processes."""
    starts = range(first, first + count, CHUNK)
    with ThreadPoolExecutor(JOBS) as pool:
        chunks = pool.map(lambda start: _chunk(start, min(start + CHUNK, first + count)), starts)
    return {seed: said for chunk in chunks for seed, said in chunk.items()}


def _chunk(first: int, last: int) -> dict[int, str]:
    """Outcomes of some cases; if a child dies, another one continues with the next seed."""
    found: dict[int, str] = {}
    while first < last:
        command = [sys.executable, "-m", "tests.hostile.scene_mutations", "--child", str(first), str(last)]
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
        for line in done.stdout.splitlines():
            seed, said = line.split(" ", 1)
            found[int(seed)] = said or f"killed ({done.returncode}) {done.stderr[-200:]}"
            first = int(seed) + 1
        if not done.stdout:
            raise RuntimeError(done.stderr)
    return found


def main() -> None:
    """Check the requested number of cases and print what was found."""
    if sys.argv[1] == "--child":
        _work(int(sys.argv[2]), int(sys.argv[3]))
        return
    found = outcomes(int(sys.argv[2]) if len(sys.argv) > 2 else 0, int(sys.argv[1]))
    for said, times in Counter(found.values()).most_common():
        print(
            times, said, *([seed for seed in found if found[seed] == said][:4] if said not in (SOUND, REFUSED) else [])
        )


if __name__ == "__main__":
    main()
