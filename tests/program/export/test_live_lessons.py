"""Lessons in live pages, in Chromium: measurements, runs and hand-ins are those of the library."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser
from lesson_files import run_in_process
from lesson_steps import ROUTES
from moving_scene import HOSTILE
from page_student import CHECK, CHOICE, CURVE, DATA, RUN, Student, scene
from web_runs import SCENES

from polhode import Simulation, read_scene
from polhode.compilation.web_module.module import WebModule
from polhode.lessons.collect import collect
from polhode.lessons.evaluation import Evaluation, StepRun, curve_difference
from polhode.lessons.hand_in import read_hand_in, signed
from polhode.lessons.lesson_columns import columns_of_lesson
from polhode.lessons.measures import factor_at
from polhode.lessons.progress import scene_of_run
from polhode.lessons.variants import plain_name, variant_of, varied_scene
from polhode.scene.display.lesson import Lesson, LessonStep
from polhode_app.export.web.live.live_page import LIVE_SCRIPTS, LivePage, LiveSettings
from polhode_app.export.web.page import player_script

pytestmark = pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
nightly = pytest.mark.nightly
PHONE = (390, 780)


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
    record = hand_in.runs[0]
    of_run = scene_of_run(varied_scene(scene(), lesson, hand_in.variant), record.values)
    again = run_in_process(of_run, record.until, columns_of_lesson(lesson))
    evaluation = Evaluation(lesson, hand_in.answers, [StepRun(RUN, record.values, record.until, again)])
    assert [answer["step"] for answer in made] == list(range(len(lesson.step)))
    assert [answer["value"] for answer in made][DATA] == {
        "times": [0.0, 0.01, 0.02],
        "values": [0.005, 0.015, 0.0025],
        "file": "own.csv",
        "value": evaluation.measurement(DATA, made[DATA]["value"]),
    }
    assert made[CHECK]["value"] == pytest.approx(evaluation.check(CHECK, 1300.0), rel=1e-12)
    assert made[CHECK]["value"]["difference"] == pytest.approx(
        1.3 - evaluation.measurement(CHECK - 1)
    )  # asked for in ms
    difference, size = curve_difference(lesson.step[CURVE], made[CURVE]["value"], again)
    assert made[6]["value"] == {
        "predicted": None,
        "measured": pytest.approx(size, rel=1e-12),
        "difference": pytest.approx(difference, rel=1e-12),
    }


def test_a_number_is_asked_for_in_the_unit_in_which_it_is_checked(student: Student) -> None:
    student.begin()
    table = student.tab.run("polhode.lesson.lesson.steps.map(({ factor }) => factor)")
    units = student.tab.run("polhode.lesson.words.steps.map(({ unit }) => unit)")
    assert table[CHECK - 1 : CHECK + 1] == [1e-3, 1e-3]
    assert units[CHECK - 1 : CHECK + 1] == ["ms", "ms"]
    lesson = scene().lesson[0]
    assert table == pytest.approx([factor_at(lesson, number) for number in range(len(lesson.step))])


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


def test_a_map_is_locked_during_a_lesson(tab: Browser, kernels: WebModule, tmp_path: Path) -> None:
    """Its buttons, and the starts from its cells by mouse and keys."""
    well, path = read_scene(SCENES / "double_well.toml"), tmp_path / "well.html"
    lesson = Lesson(title="Two ends", step=(LessonStep(run=(), until=1.0),))
    made = well.model_copy(update={"lesson": (lesson,)})
    path.write_text(LivePage(made, LiveSettings(), kernels, lambda share: None).text()[0], "utf-8")
    tab.open(path, (1200, 800))
    tab.wait("window.polhode?.remote")
    tab.run("localStorage.clear()")
    Student(tab, tmp_path).begin()
    tab.run("document.getElementById('basins').click()")
    tab.run("document.getElementById('compute').click()")
    assert tab.run("document.getElementById('status').textContent") == tab.run("polhode.lesson.texts.locked")
    tab.run("document.getElementById('map').focus()")
    tab.press("Enter")
    tab.run("document.getElementById('map').click()")
    assert tab.run("[polhode.mapPanel.map.isRunning, polhode.mapPanel.shown, polhode.isPlaying]") == [False, -1, False]
    assert tab.errors() == []


@nightly
@pytest.mark.parametrize("name", ROUTES)
def test_a_built_in_lesson_is_gone_through_in_its_page(
    tab: Browser, kernels: WebModule, tmp_path: Path, name: str
) -> None:
    given, path, folder = read_scene(name), tmp_path / "page.html", tmp_path / "class"
    folder.mkdir()
    path.write_text(LivePage(given, LiveSettings(), kernels, lambda share: None).text()[0], "utf-8")
    tab.open(path, (1200, 800))
    tab.wait("window.polhode?.remote", 60.0)
    tab.run("localStorage.clear()")
    student = Student(tab, folder)
    student.begin()
    for number, step in enumerate(given.lesson[0].step):
        student.do(step, number)
        student.next()
    tab.wait("polhode.lesson.hasEnded")
    student.saved()
    (folder / "own.csv").unlink(missing_ok=True)
    collected = collect(folder)
    assert [(each.source, each.problems) for each in collected.files] == [("Ada.handin", ())]
    assert tab.errors() == []


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
