"""Formulas of lessons in live pages, in Chromium: measurements, variants, own data and used steps of the library."""

from __future__ import annotations

import json
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from lesson_files import lesson_scene
from page_student import scene

from polhode import read_scene
from polhode.lessons.evaluation import Evaluation
from polhode.lessons.measures import measured
from polhode.lessons.variants import plain_name, variant_of
from polhode.scene import gallery
from polhode.scene.display.lesson import MEASURES, LessonStep
from polhode_app.export.web.page import page_file

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
NAMES = ("Ada", "  Ada   Lovelace ", "アダ", "ｱﾀﾞ", "a\u0301", "\u00e1", "x" * 100, "Ⅷ", "\u3000全角　")
FORMULAS = ("measures.js", "student.js", "own_data.js", "evaluation.js")


@pytest.fixture
def formulas(tab: Browser, tmp_path: Path) -> Browser:
    """A page with the formulas of lessons alone, as globals."""
    script = "\n".join(page_file(f"lesson/{name}") for name in FORMULAS)
    path = tmp_path / "formulas.html"
    path.write_text(f'<!DOCTYPE html><meta charset="utf-8"><script>{script}\nvar polhode = {{}};</script>', "utf-8")
    tab.open(path)
    return tab


def test_measurements_are_those_of_the_library(formulas: Browser) -> None:
    """Of random curves, also with gaps, and of short ones."""
    random = np.random.default_rng(1)
    for count in (1, 2, 7, 200):
        times = np.cumsum(random.uniform(0.01, 0.1, count))
        values = np.sin(9 * times) + random.normal(0, 0.1, count)
        values[random.random(count) < 0.1] = np.nan
        written = json.dumps([times.tolist(), [None if np.isnan(value) else value for value in values.tolist()]])
        for measure in MEASURES:
            near = float(times[-1] + 0.004)
            for more in (
                {},
                {"at": float(times.mean())},
                {"at": 1e3},
                {"at": near},
                {"at": near, "own_data": True},
                {"level": 0.3},
                {"level": -0.2},
            ):
                step = LessonStep(measure=measure, of="x", **more)
                made = formulas.run(f"measured({json.dumps({'measure': measure, **more})}, ...{written})")
                expected = measured(step, times, values)
                assert (made is None) == (not np.isfinite(expected))
                if made is not None:
                    assert made == pytest.approx(expected, rel=1e-12, abs=1e-12)


def test_names_have_the_variants_of_the_library(formulas: Browser) -> None:
    for name in NAMES:
        assert formulas.run(f"plainName({json.dumps(name)})") == plain_name(name)
        assert formulas.run(f"variantOf(plainName({json.dumps(name)}))") == variant_of(name)
    for size in (0, 55, 56, 63, 64, 200):
        text = "é" * size
        assert (
            formulas.run(f"sha256(new TextEncoder().encode({json.dumps(text)}))") == sha256(text.encode()).hexdigest()
        )
    refused = ["", " ", "x" * 101, "a\u200bb", "a\tb", "\ud800"]
    assert formulas.run(f"{json.dumps(refused)}.map((name) => isName(plainName(name)))") == [False] * 5 + [True]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("0 1\n1 2\n", [[0, 1], [1, 2]]),
        ("0,5\t1,5\n1,5\t-2e-1\n", [[0.5, 1.5], [1.5, -0.2]]),
        ("# by hand\n\nt;x\n0;1,25\n1;.5\n", [[0, 1], [1.25, 0.5]]),
        ("0.5,1\r\n1.5,2\r\n", [[0.5, 1.5], [1, 2]]),
        ("t (ms) x / mm\n", "data_columns"),
        ("t [ms];x / mm\n0;1\n2;3", [[0, 0.002], [0.001, 0.003]]),
        ("0 1\n1 two\n", "data_number"),
        ("0 1\n0 2\n", "data_order"),
        ("0 1 2\n", "data_columns"),
        ("t (fortnight);x\n0;1\n1;2", "data_unit"),
        ("0 1\n", "data_empty"),
        ("", "data_empty"),
    ],
)
def test_files_of_own_data(formulas: Browser, text: str, expected: object) -> None:
    read = f"dataOf({json.dumps(text)}, {{ms: 1e-3, mm: 1e-3}})"
    made = formulas.run(
        f"(() => {{ try {{ const d = {read}; return [d.times, d.values]; }} catch (e) {{ return e.text; }} }})()"
    )
    assert made == (expected if isinstance(expected, str) else [pytest.approx(each) for each in expected])


def test_steps_use_the_steps_of_the_library(formulas: Browser) -> None:
    """Of all built-in lessons, and of one with own data, multiples, and checks that ask."""
    lessons = [lesson for name in gallery.scene_names() for lesson in read_scene(name).lesson]
    assert len(lessons) >= 12
    for lesson in (scene().lesson[0], lesson_scene().lesson[0], *lessons):
        evaluation = Evaluation(lesson, (), ())
        steps = [
            {"kind": step.kind, "own_data": step.own_data, "asks": bool(step.ask), "relative": step.relative}
            for step in lesson.step
        ]
        progress = f"new Progress({json.dumps({'steps': steps})}, 'Ada')"
        used = formulas.run(f"(made => made.lesson.steps.map((_, k) => made.usedBy(k)))({progress})")
        assert used == [evaluation.used_by(number) for number in range(len(steps))]
