"""Lessons in live pages, in Chromium: measurements, runs and hand-ins are those of the library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import numpy as np
import pytest
from browser import CHROMIUM, Browser
from moving_scene import HOSTILE
from page_student import CHOICE, CURVE, DATA, RUN, Student, scene
from web_runs import SCENES

from polhode import Simulation, read_scene
from polhode.compilation.web_module.module import WebModule
from polhode.lessons.collect import collect
from polhode.lessons.evaluation import Evaluation
from polhode.lessons.hand_in import read_hand_in, signed
from polhode.lessons.measures import measured
from polhode.lessons.variants import plain_name, variant_of, varied_scene
from polhode.scene.display.lesson import MEASURES, LessonStep
from polhode_app.export.web.live.live_page import LIVE_SCRIPTS, LivePage, LiveSettings
from polhode_app.export.web.page import page_file, player_script

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
nightly = pytest.mark.nightly
PHONE = (390, 780)
NAMES = ("Ada", "  Ada   Lovelace ", "アダ", "ｱﾀﾞ", "a\u0301", "\u00e1", "x" * 100, "Ⅷ", "\u3000全角　")
FORMULAS = ("measures.js", "student.js", "own_data.js")


@pytest.fixture(scope="module")
def page(kernels: WebModule, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The page of the lesson."""
    path = tmp_path_factory.mktemp("lesson") / "page.html"
    text, notes = LivePage(scene(), LiveSettings(), kernels, lambda share: None).text()
    path.write_text(text, "utf-8")
    lessons, left_out = notes
    assert lessons.values == {"count": 1}
    assert left_out.values == {"paths": "solver.time_step"}
    return path


@pytest.fixture
def student(tab: Browser, page: Path, tmp_path: Path) -> Iterator[Student]:
    """A student before the lesson, which the browser has not kept."""
    tab.open(page, (1200, 800))
    tab.run("localStorage.clear()")
    tab.open(page, (1200, 800))
    tab.wait("window.polhode?.remote")
    yield Student(tab, tmp_path)
    assert tab.errors() == []


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
            for more in ({}, {"at": float(times.mean())}, {"at": 1e3}, {"level": 0.3}, {"level": -0.2}):
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


def test_a_hand_in_of_a_page_repeats_with_the_same_bits_and_changes_are_found(student: Student) -> None:
    """By mouse and keys through all kinds of steps; the repetition is by another process for a generic processor."""
    student.go_through()
    path = student.saved()
    found = read_hand_in(path)
    assert (found.name, found.variant, found.made_by, found.title) == ("Ada", variant_of("Ada"), "page", "Swings")
    assert found.answers[1].value == 1234.5
    assert found.runs[0].steps == 2000
    assert None not in [found.answers[number].value for number in (5, 7)]
    assert set(found.runs[0].values) == {"body[0].tilt[1]"}  # the step of time is another layout
    _, line, _ = path.read_bytes().split(b"\n")
    for name, change in {
        "curve": lambda body: body["answers"][CURVE]["value"]["values"].__setitem__(3, 0.777),
        "measured": lambda body: body["answers"][5].__setitem__("value", 0.5),
        "tilt": lambda body: body["runs"][0]["values"].__setitem__("body[0].tilt[1]", 0.25),
        "steps": lambda body: body["runs"][0].__setitem__("steps", 999),
        "name": lambda body: body.__setitem__("name", "Eve"),  # of another variant
    }.items():
        body = json.loads(line) | {"name": ""}  # two of one name are a problem, too
        change(body)
        (path.parent / f"{name}.handin").write_bytes(signed(body))
    problems = {each.source: [str(problem) for problem in each.problems] for each in collect(path.parent).files}
    assert problems.pop("Ada.handin") == []
    assert len(problems) == 5
    assert all(problems.values()), problems


def test_values_in_the_page_are_those_of_the_library(student: Student) -> None:
    student.go_through()
    lesson, made = scene().lesson[0], student.tab.run("polhode.lesson.progress.answers")
    hand_in = read_hand_in(student.saved())
    evaluation = Evaluation(lesson, hand_in.answers, ())
    assert [answer["step"] for answer in made] == list(range(len(lesson.step)))
    assert [answer["value"] for answer in made][DATA] == {
        "times": [0.0, 0.01, 0.02],
        "values": [0.005, 0.015, 0.0025],
        "file": "own.csv",
        "value": evaluation.measurement(DATA, made[DATA]["value"]),
    }
    assert made[8]["value"] == pytest.approx(evaluation.check(8, 1300.0), rel=1e-12)
    assert made[6]["value"] == {
        "predicted": None,
        "measured": pytest.approx(made[6]["value"]["measured"]),
        "difference": pytest.approx(made[6]["value"]["difference"]),
    }


def test_controls_are_locked_until_the_lesson_is_left(student: Student) -> None:
    tab = student.tab
    start = tab.run("[...polhode.moments.row.slice(0, 20)]")
    student.begin()
    assert tab.run("document.getElementById('card').inert")
    varied = tab.run("[...polhode.moments.row.slice(0, 20)]")
    tab.run("document.activeElement.blur()")
    for key in (" ", "ArrowRight", "Home"):
        tab.press(key)
    tab.click("#play")
    assert tab.run("[polhode.isPlaying, polhode.time, polhode.isAsked]") == [False, 0, False]
    assert tab.run("document.getElementById('status').textContent") == tab.run("polhode.lesson.texts.locked")
    student.to_the_run()
    tab.run("polhode.speed = 0.05")
    tab.click("#lesson-run")
    tab.wait("polhode.lesson.isRunning && polhode.time > 0.01")
    tab.press("ArrowLeft")
    tab.press("Home")
    x, y = tab.middle("#view")
    tab.drag([(x, y), (x + 30, y), (x + 60, y)])
    assert tab.run("[polhode.isPlaying, polhode.drag.isHolding]") == [True, False]
    assert tab.run("document.getElementById('status').textContent") == tab.run("polhode.lesson.texts.locked_run")
    student.press_button("leave")
    tab.wait("!polhode.lesson.isOn && !polhode.isAsked && polhode.time === 0")
    assert not tab.run("document.getElementById('card').inert")
    assert tab.run("[...polhode.moments.row.slice(0, 20)]") == start
    assert varied[1:] == start[1:]  # another gravity alone
    tab.run("document.activeElement.blur()")
    tab.press(" ")
    tab.wait("polhode.time > 0.05")
    tab.press(" ")


@nightly
def test_a_lesson_continues_after_the_page_was_closed(student: Student, page: Path) -> None:
    tab = student.tab
    student.begin()
    student.to_the_run()
    student.run()
    student.next()
    before = tab.run("JSON.stringify(polhode.lesson.progress.kept.answers)")
    period = tab.run("polhode.lesson.progress.measurement(7)")
    tab.open(page, (1200, 800))
    tab.wait("window.polhode?.remote")
    student.press_button("resume")
    assert tab.run("polhode.lesson.progress.current") == RUN + 1
    assert tab.run("JSON.stringify(polhode.lesson.progress.kept.answers)") == before
    assert tab.run("polhode.lesson.progress.measurement(7)") == period
    tab.run("localStorage.setItem(polhode.lesson.key, '{\"name\": 3}')")
    tab.open(page, (1200, 800))
    tab.wait("window.polhode?.remote")
    assert tab.run("[polhode.lesson.kept(), document.querySelectorAll('#lesson-body button').length]") == [None, 1]


@nightly
def test_predictions_hold_after_a_run_and_later_steps_are_due_again(student: Student) -> None:
    tab = student.tab
    student.begin()
    student.to_the_run()
    student.run()
    student.next()
    assert tab.run(f"[polhode.lesson.progress.isLocked({CHOICE}), polhode.lesson.progress.isAnswered(5)]") == [
        True,
        True,
    ]
    student.press_button("back")
    student.run()
    assert not tab.run("polhode.lesson.progress.isAnswered(5)")
    for _ in range(2):
        student.press_button("back")
    assert tab.run("document.getElementById('lesson-choice-1').disabled")
    for _ in range(3):
        student.next()
    assert tab.run("polhode.lesson.progress.isAnswered(5)")


def test_what_is_missing_is_said(student: Student) -> None:
    tab = student.tab
    alert = "document.querySelector('#lesson-body [role=alert]')?.textContent"
    tab.click("#student")
    tab.press("Enter")
    assert tab.run(alert) == tab.run("polhode.lesson.texts.no_name")
    student.begin()
    student.next()
    for entered, name in (("", "needs_answer"), ("abc", "needs_number")):
        if entered:
            student.type("#lesson-number", entered)
        tab.click("#lesson-next")
        assert tab.run(alert) == tab.run(f"polhode.lesson.texts.{name}")


@nightly
def test_a_curve_is_drawn_by_keys(student: Student) -> None:
    tab = student.tab
    student.begin()
    student.next()
    student.type("#lesson-number", "1")
    student.next()
    tab.click("#lesson-choice-0")
    student.next()
    tab.run("document.getElementById('lesson-curve').focus()")
    for key in ("ArrowUp", "ArrowRight", "ArrowRight", "ArrowDown", "ArrowRight"):
        tab.press(key)
    times, values = tab.run("(({times, values}) => [times, values])(polhode.lesson.entry.answer(1))")
    assert times == pytest.approx([0, 0.02, 0.04, 0.06])
    assert values[0] == values[1] > values[2] == pytest.approx(values[3])
    tab.press("Backspace")
    assert tab.run("polhode.lesson.entry.answer(1)") is None


@nightly
def test_a_lesson_on_a_phone_by_fingers(student: Student, page: Path) -> None:
    """The panel is below, and within the screen."""
    tab = student.tab
    tab.open(page, PHONE, touch=True)
    tab.wait("window.polhode?.remote")
    tab.touch([tab.middle("#lesson")])
    tab.wait("!document.getElementById('lesson-panel').hidden")
    tab.run("document.getElementById('student').focus()")
    tab.call("Input.insertText", text="Ada")
    tab.press("Enter")
    tab.wait("polhode.lesson.isOn")
    student.to_the_run(by_touch=True)
    answer = tab.run(f"polhode.lesson.progress.latest({CURVE})")
    assert len(answer["times"]) > 50
    left, right, width = tab.run(
        "(r => [r.left, r.right, document.documentElement.scrollWidth])"
        "(document.getElementById('lesson-panel').getBoundingClientRect())"
    )
    assert 0 <= left < right <= PHONE[0] >= width


@nightly
def test_hostile_texts_of_lessons_are_texts(tab: Browser, kernels: WebModule, tmp_path: Path) -> None:
    base = scene()
    lesson = base.lesson[0]
    steps = (
        LessonStep(text=HOSTILE),
        LessonStep(predict="choice", ask=HOSTILE, choices=(HOSTILE, "other")),
        LessonStep(run=(), text=HOSTILE),
        LessonStep(explain=HOSTILE),
    )
    hostile = lesson.model_copy(update={"title": HOSTILE, "step": steps, "vary": {}})
    path = tmp_path / "hostile.html"
    text, _ = LivePage(
        base.model_copy(update={"lesson": (hostile,)}), LiveSettings(), kernels, lambda share: None
    ).text()
    path.write_text(text, "utf-8")
    tab.open(path, (1200, 800))
    tab.wait("window.polhode?.remote")
    student = Student(tab, tmp_path)
    student.begin(HOSTILE[:60])
    assert HOSTILE in tab.run("document.getElementById('lesson-body').textContent")
    student.next()
    assert tab.run("document.querySelector('#lesson-body .choice span').textContent") == HOSTILE
    tab.click("#lesson-choice-0")
    student.next()
    student.run()
    student.next()
    student.type("#lesson-explain", HOSTILE)
    student.next()
    assert read_hand_in(student.saved(f"{file_name(HOSTILE[:60])}.handin")).answers[-1].value == HOSTILE
    assert tab.run("[window.hacked, document.querySelectorAll('#lesson-body img').length]") == [None, 0]
    assert tab.errors() == []


def file_name(name: str) -> str:
    """A name without what file systems refuse."""
    return "".join("_" if sign in '\\/:*?"<>|' else sign for sign in plain_name(name)).rstrip(". ")


def test_pages_without_lessons_have_nothing_of_them(kernels: WebModule) -> None:
    """Neither texts nor scripts, and no further style."""
    plain = read_scene(SCENES / "heavy_top.toml")
    text, notes = LivePage(plain, LiveSettings(), kernels, lambda share: None).text()
    assert notes == []
    assert "class LessonPanel" not in text
    assert player_script(LIVE_SCRIPTS) in text
    assert "#lesson-panel" not in text.split("</style>")[0]
    assert json.loads(text.split('id="data">')[1].split("</script>")[0])["live"].get("lesson") is None


@nightly
def test_the_view_shows_the_scene_of_the_student(student: Student) -> None:
    """The start of a run with the tilt of the slider."""
    tab = student.tab
    student.begin()
    student.to_the_run()
    tab.run("document.querySelector('#lesson-field-0').focus()")
    tab.press("End")
    tab.wait("!polhode.isAsked && polhode.time === 0")
    tilt = tab.run(f"polhode.lesson.lesson.steps[{RUN}].run.fields[0].values.at(-1)")
    varied = varied_scene(scene(), scene().lesson[0], variant_of("Ada"))
    expected = Simulation(varied.with_values({"body[0].tilt[1]": tilt})).snapshot().numbers
    assert tab.run(f"[...polhode.moments.row.slice(0, {len(expected)})]") == pytest.approx(expected.tolist(), abs=1e-9)
