"""A student who goes through a lesson in a live page, by mouse, fingers and keys."""

from __future__ import annotations

import time
from math import cos, pi
from pathlib import Path

from browser import Browser

from polhode.scene.display.lesson import LessonStep
from polhode.scene.scene import Scene
from polhode.scene.scene_file import scene_of_text

SCENE = """
title = "Pendulum"

[solver]
method = "rk4"
time_step = 2e-3

[story]
text = "A bar swings."
sliders = [{ label = "Gravity", set = { "world.gravity[2]" = -1.0 }, low = 1.0, high = 20.0 }]
try = [{ label = "Lighter", set = { "body[0].shape[0].density" = 500.0 } }]

[[body]]
name = "bob"
support = "pivot"
orientation = { axis = [0, 1, 0], angle = 2.0 }
shape = [{ kind = "cuboid", size = [0.02, 0.02, 0.4], density = 1000, position = [0, 0, 0.2] }]

[[lesson]]
title = "Swings"
vary = { "world.gravity[2]" = [-11.0, -8.0] }
step = [
    { text = "A bar swings on a pivot." },
    { predict = "number", ask = "How long does one swing take?", unit = "ms" },
    { predict = "choice", ask = "How far does it go?", choices = ["less", "as far", "farther"], bounds = [0.5, 0.95] },
    { predict = "curve", ask = "Draw its height.", of = "bob.u3.z", until = 2.0 },
    { run = ["body[0].tilt[1]", "solver.time_step"], until = 4.0, range = { "body[0].tilt[1]" = [-0.4, 0.4] } },
    { measure = "maximum", of = "bob.u3.x" },
    { compare = true },
    { measure = "period", of = "bob.u3.x", unit = "ms" },
    { check = { tolerance = 0.5 }, ask = "How long did it take?" },
    { explain = "Why does it depend on the angle?" },
    { measure = "maximum", own_data = true, unit = "mm" },
    { measure = "minimum", of = "bob.u3.z", relative = true },
]
"""
"""A scene with a lesson of all kinds of steps."""
OWN_DATA = "time [s],x [m]\n" + "".join(f"{t / 50:g},{cos(pi * t / 50):.6f}\n" for t in range(1001))
CURVE, CHOICE, RUN, CHECK, DATA = 3, 2, 4, 8, 10
"""Numbers of steps."""


def scene() -> Scene:
    """The scene."""
    return scene_of_text(SCENE.encode(), "pendulum.toml", Path())


class Student:
    """Goes through the lesson of a page that is open."""

    def __init__(self, tab: Browser, folder: Path):
        """`folder` gets what is saved, and has the file of own data."""
        self.tab, self.folder = tab, folder
        tab.call("Browser.setDownloadBehavior", behavior="allow", downloadPath=str(folder))

    def type(self, selector: str, text: str) -> None:
        """Click a field, and enter a text."""
        self.tab.click(selector)
        self.tab.call("Input.insertText", text=text)

    def begin(self, name: str = "Ada") -> None:
        """Enter a name, and begin."""
        self.type("#student", name)
        self.tab.press("Enter")
        self.tab.wait("polhode.lesson.isOn && !polhode.isAsked")

    def next(self) -> None:
        """Go to the next step."""
        before = self.tab.run("polhode.lesson.progress.current")
        self.tab.click("#lesson-next")
        self.tab.wait(f"polhode.lesson.progress.current > {before} || polhode.lesson.hasEnded")

    def press_button(self, name: str) -> None:
        """Click the button of the panel that has a text of the page, by its name."""
        self.tab.run(
            "document.querySelector('#pressed')?.removeAttribute('id');"
            f"(text => [...document.querySelectorAll('#lesson-body button')].find((each) => each.textContent === text))"
            f"(polhode.lesson.texts.{name}.replace('{{name}}', polhode.lesson.kept()?.name)).id = 'pressed'"
        )
        self.tab.click("#pressed")

    def run(self) -> None:
        """Start the run, and let it end at once."""
        before = self.tab.run("polhode.lesson.progress.runs.length")
        self.tab.click("#lesson-run")
        self.tab.wait("polhode.lesson.isRunning")
        self.press_button("at_once")
        self.tab.wait("!polhode.lesson.isRunning && polhode.lesson.progress.runs.length > " + str(before))

    def choose_file(self, text: str, name: str = "own.csv") -> None:
        """Choose a file of own data."""
        path = self.folder / name
        path.write_text(text, "utf-8")
        chosen = self.tab.call("Runtime.evaluate", expression="document.querySelector('#lesson-file')")
        self.tab.call("DOM.setFileInputFiles", files=[str(path)], objectId=chosen["result"]["objectId"])

    def saved(self, name: str = "Ada.handin", seconds: float = 10.0) -> Path:
        """Save the hand-in, and wait for its file."""
        self.press_button("save")
        path, end = self.folder / name, time.monotonic() + seconds
        while not path.exists():
            assert time.monotonic() < end, f"{name} is not saved; {[*self.folder.iterdir()]}"
            time.sleep(0.05)
        return path

    def draw(self, by_touch: bool = False) -> None:
        """Draw a curve over the whole chart."""
        self.tab.run("document.querySelector('#lesson-curve').scrollIntoView({block: 'center'})")
        left, top, width, height = self.tab.run(
            "(r => [r.x, r.y, r.width, r.height])(document.querySelector('#lesson-curve').getBoundingClientRect())"
        )
        places = [
            (left + part * width, top + (0.3 + 0.4 * (k % 2)) * height) for k, part in enumerate((0.2, 0.4, 0.7, 0.95))
        ]
        (self.tab.touch if by_touch else self.tab.drag)(places)

    def to_the_run(self, by_touch: bool = False) -> None:
        """Answer the predictions."""
        self.next()
        self.type("#lesson-number", "1234,5")
        self.next()
        self.tab.click(f"#lesson-choice-{1}")
        self.next()
        self.draw(by_touch)
        self.next()

    def do(self, step: LessonStep, number: int) -> None:
        """Do a step of any lesson as quickly as it can be done, whether the answer is true or not."""
        if step.predict == "number" or (step.kind == "check" and step.ask):
            self.type("#lesson-number", "1")
        elif step.predict == "choice":
            self.tab.click("#lesson-choice-0")
        elif step.predict == "curve":
            self.draw()
        elif step.kind == "run":
            self.run()
        elif step.kind == "explain":
            self.type("#lesson-explain", "For a reason.")
        elif step.own_data:
            self.choose_file(OWN_DATA)
            self.tab.wait(f"polhode.lesson.progress.isAnswered({number})")
        if step.kind == "check" and step.ask:
            self.press_button("check")

    def go_through(self) -> None:
        """Answer all steps."""
        tab = self.tab
        self.begin()
        self.to_the_run()
        tab.run("document.querySelector('#lesson-field-0').focus()")
        tab.press("ArrowRight")
        self.run()
        for _ in range(4):
            self.next()
        self.type("#lesson-number", "1300")
        self.press_button("check")
        self.next()
        self.type("#lesson-explain", "A larger angle takes longer.")
        self.next()
        self.choose_file("t (ms);x / cm\n0;0,5\n10;1,5\n20;0,25\n")
        tab.wait(f"polhode.lesson.progress.isAnswered({DATA})")
        self.next()
        self.next()
        tab.wait("polhode.lesson.hasEnded")
