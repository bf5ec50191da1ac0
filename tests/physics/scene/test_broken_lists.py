"""Scenes in which thousands of items are broken: the first problems are listed, the others counted, in bounded time.

Every list and table of the scene format is filled with items that are broken in several ways, read in a process with a
limit of memory.
"""

from __future__ import annotations

import json
import subprocess
import sys
from itertools import product

import pytest
from meaning import Meaning, refuses
from pydantic import BaseModel
from sampling import sampled

from polhode.engine.compile import build
from polhode.mesh.mesh import Meshes
from polhode.scene.message import Message, joined
from polhode.scene.model_fields import fields_by_key, kind_of, models_in
from polhode.scene.problem import MOST, InputError, Problem, more, shortened
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of, tables_of

BROKEN = ("1", "{ zz = 1 }", "{}", '"a"', "[]", "[[1], 2]", "nan")
MEMORY = 2**30  # [bytes] of the address space of the process, of which Python and its libraries take some 400 MB
PER_BYTE = 1e-5  # [s] of reading a byte of a file, some ten times what it takes on an idle processor

CHILD = f"""
import json, resource, sys
resource.setrlimit(resource.RLIMIT_AS, ({MEMORY}, {MEMORY}))
from time import process_time
from polhode.scene.problem import InputError
from polhode.scene.scene_file import scene_of, tables_of
for line in sys.stdin:
    text, before = json.loads(line), process_time()
    try:
        scene_of(tables_of(text, "scene.toml"), "scene.toml")
        print(json.dumps([process_time() - before, 0, ""]), flush=True)
    except InputError as error:
        answer = [len(error.problems), str(error)[-200:], len(error.message)]
        print(json.dumps([process_time() - before, *answer]), flush=True)
"""


Step = tuple[str, bool, str | None]  # key of a part, whether it is one of a list, and its kind


def fields_of(model: type[BaseModel], steps: tuple[Step, ...] = ()) -> list[tuple[tuple[Step, ...], str]]:
    """All lists and free tables in a model: the steps that lead to their part, and their key; "" is the part itself."""
    found = [(steps, "")]
    for key, field in fields_by_key(model).items():
        annotation = repr(field.annotation)
        is_list = "..." in annotation or "Ellipsis" in annotation
        if is_list or "dict[" in annotation:
            found.append((steps, key))
        if len(steps) < 4:
            for inner in models_in(field.annotation):
                found += fields_of(inner, (*steps, (key, is_list, kind_of(inner))))
    return found


def scene_with(steps: tuple[Step, ...], text: str) -> str:
    """A scene whose part at the end of the steps has the entries `text`."""
    for key, is_list, kind in reversed(steps):
        table = "{ " + (f'kind = "{kind}", ' if kind else "") + text + " }"
        text = f"{key} = [{table}]" if is_list else f"{key} = {table}"
    return text


def entries(count: int, item: str) -> str:
    """Entries of a table with keys that no part knows."""
    return ", ".join(f"k{number} = {item}" for number in range(count))


def scenes(count: int) -> dict[str, str]:
    """Texts of scenes with `count` broken items in one list or table each, by name."""
    found = {}
    for (steps, key), item in product(fields_of(Scene), BROKEN):
        where = ".".join([f"{step[0]}:{step[2] or ''}" for step in steps] + [key])
        if not key:
            text = entries(count, item)
            found[f"{where} with keys = {item}"] = scene_with(steps, text) if steps else text.replace(", k", "\nk")
            continue
        found[f"{where} = [{item}]"] = scene_with(steps, f"{key} = [{', '.join([item] * count)}]")
        found[f"{where} = {{{item}}}"] = scene_with(steps, f"{key} = {{ {entries(count, item)} }}")
    root = round(count**0.5)  # a list of lists
    shapes = ", ".join(["{ zz = 1 }"] * root)
    found["body of shapes"] = "body = [" + ", ".join([f"{{ shape = [{shapes}] }}"] * root) + "]"
    return found


def read_in_child(texts: list[str]) -> list[list[float]]:
    """Time [s], number of problems, end of the text and length of the message of each, read with a limit of memory."""
    lines = "\n".join(map(json.dumps, texts))
    done = subprocess.run([sys.executable, "-c", CHILD], input=lines, capture_output=True, text=True, timeout=500)
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(texts), done.stderr[-2000:]
    return answers


def check(count: int, every: int = 1) -> None:
    """Read scenes with `count` broken items: few problems, the others counted, time in proportion to the text."""
    cases = scenes(count)
    chosen = [name for number, name in enumerate(cases) if number % every == 0]
    cases = {name: cases[name] for name in chosen}
    for (name, text), (time, problems, end, length) in zip(
        cases.items(), read_in_child(list(cases.values())), strict=True
    ):
        assert problems <= MOST + 1, name
        assert problems <= MOST or Meaning("", "more", "correct").of(end), name
        assert length < 500 * (MOST + 1), name
        assert time < 0.5 + PER_BYTE * len(text), (name, time)


@pytest.mark.nightly
def test_thousands_of_broken_items_of_each_list_are_counted() -> None:
    """Each list and table of the format; the first scene of the issue class had 800 problems at 200 springs."""
    check(700, every=len(BROKEN) * 2 - 1)  # coprime with the number of ways to break an item


@pytest.mark.nightly
def test_ten_thousand_broken_items_of_each_list_are_counted() -> None:
    check(10_000)


@pytest.mark.parametrize("count", [1, 49, 50, 51, 64, 65, 128, 129, 1000])
def test_all_problems_are_counted_once(count: int) -> None:
    with pytest.raises(InputError) as refusal:
        scene_of({"wall": [{"name": f"w{number}", "normal": "x"} for number in range(count)]}, "scene.toml")
    problems = refusal.value.problems
    assert [problem.place for problem in problems[:MOST]] == [f"wall[{k}].normal" for k in range(min(count, MOST))]
    assert (problems[MOST].others if count > MOST else 0) == max(0, count - MOST)


def test_a_long_list_is_the_same_in_pieces() -> None:
    points = [[float(k), 0.0, 0.0] for k in range(1000)]
    bead = {"name": "b", "mass": 1.0, "path": {"kind": "spline", "points": points}}
    path = scene_of({"bead": [bead]}, "scene.toml").bead[0].path
    assert [list(point) for point in path.points] == points  # type: ignore[union-attr]
    points[700] = ["x", 0.0, 0.0]  # type: ignore[list-item]
    with refuses("bead[0].path.points[700][0]", "number", value="'x'"):
        scene_of({"bead": [bead]}, "scene.toml")


def test_a_shortened_list_is_shortened_again_without_loss() -> None:
    problems = [Problem(f"a[{k}]", Message("is broken"), Message("repair it")) for k in range(120)]
    once = shortened(problems)
    assert once == [*problems[:MOST], more(70)]
    assert shortened([problem.at("b") for problem in once])[-1] == more(70)
    assert shortened([*once, *problems])[-1] == more(190)
    error = InputError("file", once)
    assert InputError("other", error.problems).problems == error.problems
    assert more(70) == error.problems[-1]
    assert Meaning("file", "correct", count=70).of(error)
    assert error.message == str(error)


def test_messages_are_joined_without_nesting() -> None:
    whole = joined([Message("{a} {{}}", a=k) for k in range(100_000)], "\n")
    assert whole == "\n".join(f"{k} {{}}" for k in range(100_000))


@pytest.mark.parametrize(
    "key", ["a." * 100_000 + "a", '"".' * 100_000 + "a", "[" + "a." * 100_000 + "a]", "x = {" + "a . " * 100_000 + "a"]
)
def test_a_key_of_many_parts_is_refused_before_it_is_read(key: str) -> None:
    """tomllib keeps all beginnings of such a key: 10 000 parts took 400 MB."""
    with refuses("", "deeply"):
        tables_of(key + " = 1", "scene.toml")


@pytest.mark.parametrize("quote", ['"', "'", '"""', "'''", "#"])
def test_dots_in_texts_are_no_keys(quote: str) -> None:
    dots = "a." * 100 + "a"
    text = f"{quote}{dots}" if quote == "#" else f"t = {quote}{dots}{quote}"
    assert tables_of(text, "scene.toml") == ({} if quote == "#" else {"t": dots})


UNKNOWN = {
    "spring": '[[spring]]\nfrom = "a{k}"\nto = "b{k}"\nstiffness = 1\n',
    "joint": '[[joint]]\nname = "j{k}"\nkind = "ball"\nfirst = "q{k}"\nanchor = [0, 0, 0]\n',
    "gear": '[[joint]]\nname = "j{k}"\nkind = "gear"\nfirst = "q{k}"\nsecond = "r{k}"\nratio = 1\n',
    "force": '[[force]]\non = "q{k}"\nforce = ["1", "0", "0"]\n',
}


@pytest.mark.parametrize("kind", sampled(UNKNOWN, 4))
def test_thousands_of_unknown_names_are_counted(kind: str) -> None:
    """A similar name is not looked for among thousands for each of thousands, which took minutes."""
    count = 3000
    row = '[[sphere]]\nname = "s{k}"\nradius = 0.1\nmass = 1\nposition = [{k}, 0, 0]\n'
    scene = "".join(row.format(k=k) + UNKNOWN[kind].format(k=k) for k in range(count))
    with pytest.raises(InputError) as refusal:
        build(scene_of(tables_of(scene, "scene.toml"), "scene.toml"), Meshes())
    assert len(refusal.value.problems) == MOST + 1
    assert refusal.value.problems[-1].others >= count - MOST
