"""Texts of lessons in the language of the program: those of built-in scenes are translated, by paragraphs. No Qt."""

from __future__ import annotations

import re

from polhode.scene.display.lesson import LessonStep
from polhode.scene.scene import Scene
from polhode_app.i18n.language import tr
from polhode_app.i18n.parameter_names import parameter_name

BETWEEN = re.compile(r"\n\s*\n")


def paragraphs(text: str) -> list[str]:
    """Paragraphs of a text, each in one line."""
    return [line for part in BETWEEN.split(text) if (line := " ".join(part.split()))]


def lesson_text(text: str) -> str:
    """A text of a lesson, translated; paragraphs are separated by empty lines."""
    return "\n\n".join(map(tr, paragraphs(text)))


def kind_name(step: LessonStep) -> str:
    """Name of the kind of a step, such as "Prediction"."""
    names = {
        "text": tr("Text"),
        "predict": tr("Prediction"),
        "run": tr("Run"),
        "measure": tr("Measurement"),
        "compare": tr("Comparison"),
        "explain": tr("Explanation"),
        "check": tr("Check"),
    }
    return names[step.kind]


def varied_name(scene: Scene, path: str) -> tuple[str, float]:
    """Name of a number that varies, and by what it is divided: as on the card, where one slider is for it alone."""
    for slider in scene.story.sliders:
        if slider.set.keys() == {path}:
            return tr(slider.label), slider.set[path]
    return parameter_name(scene, path), 1.0


def measure_name(step: LessonStep) -> str:
    """Name of the measurement of a step, such as "period"."""
    names = {
        "value": tr("value"),
        "maximum": tr("maximum"),
        "minimum": tr("minimum"),
        "range": tr("difference of maximum and minimum"),
        "mean": tr("mean"),
        "period": tr("period"),
        "frequency": tr("frequency"),
        "first_crossing": tr("time of the first crossing"),
    }
    return names[step.measure or "value"]
