"""`polhode collect`: the table of a class from the hand-ins of a lesson, each repeated and checked."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

from cyclopts import Parameter

from polhode.scene.files.file_writing import check_place, replace_file
from polhode.scene.message import Message, plural
from polhode.scene.problem import InputError
from polhode_app.cli.options.arguments import naming, refusal, scene_called
from polhode_app.cli.options.outputs import INPUT, OUTPUT
from polhode_app.cli.options.scene_argument import SCENE, scenes_and_files
from polhode_app.cli.terminal.console import ProgressListener, progress, say
from polhode_app.cli.terminal.exit_status import CHECK_FAILED, DONE, kept
from polhode_app.cli.terminal.progress_options import DEFAULT, ProgressOptions
from polhode_app.cli.terminal.standard_streams import is_standard
from polhode_app.i18n.translation import translate, translate_problem

if TYPE_CHECKING:
    from polhode.lessons.collect import ClassResult
    from polhode.scene.scene import Scene

ENDING = ".csv"


def collect(
    folder: Annotated[Path, Parameter(help="Folder with the hand-ins of a class (.handin).")],
    /,
    *,
    out: Annotated[
        Path, Parameter(allow_leading_hyphen=True, help="Table to write (.csv, - for standard output)."), OUTPUT
    ],
    lesson: Annotated[
        str | None,
        Parameter(help=f"Scene of the lesson; default: that of most hand-ins. {SCENE}", completer=scenes_and_files),
        INPUT,
    ] = None,
    anonymous: Annotated[bool, Parameter(negative="", help="Leave out names of students and of files.")] = False,
    pictures: Annotated[
        Path | None, Parameter(help="Folder for a picture (.png) of each hand-in; it is made if it is missing.")
    ] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON as well.")] = False,
    shown: ProgressOptions = DEFAULT,
) -> int:
    """Repeat the hand-ins of a lesson, and write the table of the class; the exit status is 1 if one has a problem."""
    scene = None if lesson is None else scene_called(lesson, out)
    _check_outputs(out, pictures, as_json)
    found: list[ClassResult] = []

    def work() -> None:
        with naming(str(folder), out), progress(str(folder), 1.0, shown) as listener:
            found.append(_collected(folder, scene, out, listener))
        _write_table(found[0], out, anonymous)

    status = kept(work, str(folder), out)
    if status != DONE or not found:
        return status
    _report(found[0], folder)
    if as_json:
        print(json.dumps(as_data(found[0], anonymous), indent=2, ensure_ascii=False))
    if pictures is not None:
        status = kept(partial(_draw, found[0], pictures, anonymous), str(folder), pictures)
    if status != DONE:
        return status
    return DONE if found[0].is_faultless else CHECK_FAILED


def _check_outputs(out: Path, pictures: Path | None, as_json: bool) -> None:
    """Refuse outputs that can't be written, before the work. Raises InputError."""
    if is_standard(out):
        if as_json:
            raise refusal("--json", Message("is for standard output"), Message("name a file as --out"))
    elif out.suffix.lower() != ENDING:
        rule = Message("the ending '{ending}' is not a known one", ending=out.suffix)
        raise InputError.of(str(out), rule, Message("use {endings}", endings=ENDING))
    else:
        check_place(out)
    if pictures is not None and not pictures.is_dir():
        if pictures.exists():
            raise refusal("--pictures", Message("'{name}' is no folder", name=pictures), Message("name a folder"))
        if not pictures.parent.is_dir():
            rule = Message("there is no folder '{folder}'", folder=pictures.parent)
            raise refusal("--pictures", rule, Message("make it, or choose another"))


def _collected(folder: Path, scene: Scene | None, out: Path, listener: ProgressListener) -> ClassResult:
    """The hand-ins of a folder. Raises InputError, and KeyboardInterrupt after Ctrl-C."""
    from polhode.lessons.collect import collect as collect_folder

    done = 0.0

    def report(count: int, total: int) -> None:
        nonlocal done
        done = count / total

    return collect_folder(folder, scene, (out,), report, lambda: listener(done))


def _write_table(result: ClassResult, out: Path, is_anonymous: bool) -> None:
    """Write the table. Raises OSError."""
    from polhode.lessons.class_table import csv_text, rows_of

    text = csv_text(rows_of(result, is_anonymous, translate_problem))
    if is_standard(out):
        print(text, end="", flush=True)
    else:
        replace_file(out, text)


def _draw(result: ClassResult, pictures: Path, is_anonymous: bool) -> None:
    """Write the pictures. Raises InputError."""
    from polhode_app.export.hand_in_pictures import write_pictures

    write_pictures(result, pictures, is_anonymous)


def _report(result: ClassResult, folder: Path) -> None:
    """Print all problems, and a summary."""
    for each in (*result.files, *result.foreign):
        for problem in each.problems:
            say(Message("{file}: {problem}", file=each.source, problem=problem.message))
    wrong = sum(bool(each.problems) for each in result.files)
    say(
        plural(
            "{folder}: {count} hand-in, {wrong} with problems",
            "{folder}: {count} hand-ins, {wrong} with problems",
            count=len(result.files),
            folder=folder,
            wrong=wrong,
        )
    )


def as_data(result: ClassResult, is_anonymous: bool) -> dict[str, Any]:
    """The table, and the problems as places, rules and remedies, by key."""
    from polhode.lessons.class_table import in_order, rows_of

    def problems(files: Any) -> list[list[dict[str, str]]]:
        return [
            [
                {"place": each.place, "rule": translate(each.rule), "remedy": translate(each.remedy)}
                for each in collected.problems
                if not (is_anonymous and each.place == "name")
            ]
            for collected in files
        ]

    rows = rows_of(result, is_anonymous, translate_problem)
    found = problems(in_order(result, is_anonymous))
    return {
        "lesson": result.lesson.title if result.lesson is not None else None,
        "hand_ins": [{**row, "messages": messages} for row, messages in zip(rows, found, strict=True)],
        "foreign": len(result.foreign) if is_anonymous else [each.source for each in result.foreign],
    }
