"""Pictures of hand-ins: the measured quantities of their runs, and predicted curves over them."""

from __future__ import annotations

from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties

from polhode.lessons.class_table import in_order
from polhode.lessons.collect import ClassResult, Collected
from polhode.lessons.evaluation import Evaluation
from polhode.lessons.repeat import Curve
from polhode.recording.unpacking import plain
from polhode.scene.display.lesson import Lesson
from polhode.scene.files.file_writing import not_written, replacing
from polhode.scene.message import Message
from polhode_app.i18n.translation import translate
from polhode_app.viewport.base.text_actor import FONT

WIDTH, HEIGHT = 6.4, 2.4  # [inch] of one curve
MOST = 8  # curves of a picture
RUN, PREDICTED = "#0072b2", "#d55e00"


def write_pictures(result: ClassResult, folder: Path, is_anonymous: bool) -> None:
    """Write a picture (PNG) of each hand-in that was repeated, by its number in the table.

    The folder is made if it is missing. Raises InputError where a file can't be written.
    """
    if result.lesson is None:
        return
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise not_written(folder, error) from error
    for number, each in enumerate(in_order(result, is_anonymous), 1):
        if (page := picture_of(result.lesson, each, is_anonymous)) is not None:
            name = f"{number}" if is_anonymous else plain(number, Path(each.source).stem)
            path = folder / f"{name}.png"
            try:
                with replacing(path) as file:
                    page.savefig(file, format="png")
            except OSError as error:
                raise not_written(path, error) from error


def picture_of(lesson: Lesson, each: Collected, is_anonymous: bool) -> Figure | None:
    """The picture of a hand-in; None of one without curves."""
    curves = each.repetition.curves[:MOST] if each.repetition is not None else ()
    if not curves or each.hand_in is None:
        return None
    page = Figure(figsize=(WIDTH, HEIGHT * len(curves)), layout="constrained")
    look = FontProperties(fname=str(FONT))
    evaluation = Evaluation(lesson, each.hand_in.answers, ())
    for axes, curve in zip(page.subplots(len(curves), 1, squeeze=False)[:, 0], curves, strict=True):
        _draw(axes, curve, lesson, evaluation, look)
    if not is_anonymous:
        page.suptitle(each.hand_in.name, fontproperties=look, parse_math=False)
    return page


def _draw(axes: Axes, curve: Curve, lesson: Lesson, evaluation: Evaluation, look: FontProperties) -> None:
    """Draw a curve of a run, and the prediction of it if there is one."""
    axes.plot(curve.times, curve.values, color=RUN, label=translate(Message("run")))
    number = next(lesson.before(curve.step, "predict"), None)
    of = None if number is None else lesson.step[number]
    if of is not None and of.predict == "curve" and of.of == curve.column:
        given = evaluation.latest(number)
        if given is not None:
            label = translate(Message("prediction"))
            axes.plot(given["times"], given["values"], color=PREDICTED, linestyle="--", label=label)
            axes.legend(prop=look)
    unit = f" [{curve.unit}]" if curve.unit else ""
    title = translate(Message("Step {number}: {column}", number=curve.step + 1, column=curve.column))
    axes.set_title(f"{title}{unit}", fontproperties=look, parse_math=False)
    axes.set_xlabel("t [s]", fontproperties=look)
