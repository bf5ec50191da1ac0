"""The page about lessons: its example is a scene with a lesson, and its table has all built-in lessons."""

from __future__ import annotations

import re
from pathlib import Path
from textwrap import dedent

import pytest

from polhode import Simulation, read_scene
from polhode.lessons.measures import measured
from polhode.scene import gallery
from polhode_app.i18n.language import in_language, tr

DOCS = Path(__file__).parents[3] / "docs"
EXAMPLE = re.compile(r"^    format = 2\n.*?^    \]\n", re.DOTALL | re.MULTILINE)
ROW = re.compile(r"^\| ([^|]+) \| \[(\w+)\]\(scenes/\2\.md\) \|", re.MULTILINE)


def page(language: str) -> str:
    return (DOCS / {"en": "lessons.md", "ja": "lessons.ja.md"}[language]).read_text("utf-8")


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_example_is_a_lesson_in_forty_lines(language: str, tmp_path: Path) -> None:
    file = tmp_path / "example.toml"
    file.write_text(dedent(EXAMPLE.search(page(language))[0]), "utf-8")
    assert len(file.read_text("utf-8").splitlines()) <= 40
    scene = read_scene(file)
    lesson = scene.lesson[0]
    kinds = [step.kind for step in lesson.step]
    assert kinds == ["text", "predict", "run", "measure", "check", "predict", "run", "measure", "compare", "explain"]
    periods = []
    for number, mass in ((3, 0.5), (7, 2.0)):
        run = Simulation(scene.with_values({"particle[0].mass": mass})).run(until=20, every=0.01)
        periods.append(measured(lesson.step[number], run.time, run["ball.position.x"]))
    assert periods[0] == pytest.approx(2.0 * 3.14159265 * (0.5 / 20.0) ** 0.5, rel=1e-3)
    assert lesson.step[5].bounds[0] < periods[1] / periods[0] < lesson.step[5].bounds[1]


@pytest.mark.parametrize("language", ["en", "ja"])
def test_the_table_has_all_built_in_lessons(language: str) -> None:
    rows = {name: title.strip() for title, name in ROW.findall(page(language))}
    titles = {name: scene.lesson[0].title for name in gallery.scene_names() if (scene := read_scene(name)).lesson}
    with in_language(language):
        assert rows == {name: tr(title) for name, title in titles.items()}
