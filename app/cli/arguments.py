"""What the words of a command line mean, and what is wrong with them."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from difflib import get_close_matches
from pathlib import Path

from cyclopts import CycloptsError, UnusedCliTokensError

from app.edit.open_file import SCENE_ENDINGS, open_scene
from core.scene import gallery
from core.scene.message import Message
from core.scene.problem import InputError, Problem
from core.scene.scene import Scene
from core.scene.scene_file import read_scene, scene_of

LARGEST_PICTURE = 8192  # pixels across, what graphics cards and encoders take


def refusal(place: str, rule: Message, remedy: Message) -> InputError:
    return InputError("polhode", [Problem(place, rule, remedy)])


def scene_called(name: str) -> Scene:
    """The scene of a file, of a mesh that is hung up, or of the gallery. Raises InputError."""
    path = gallery.find(name)
    if path.suffix.lower() in SCENE_ENDINGS:
        return open_scene(path)
    if not gallery.seen_as(Path.is_file, path):
        return read_scene(path)  # or the reason why there is none
    from app.edit.hang_mesh import open_document  # with it comes the compiler
    from core.mesh.mesh import Meshes

    return open_document(path, Meshes())


@contextmanager
def naming(source: str, out: Path | None = None) -> Iterator[None]:
    """Problems that show when a scene is built name its file, too; those of the output have theirs."""
    try:
        yield
    except InputError as error:
        if error.source == str(out):
            raise
        raise InputError(source, list(error.problems)) from error


def with_solver(scene: Scene, method: str | None, step: float | None, inertia: str | None = None) -> Scene:
    """The scene with the command line's own method, time step [s] and source of inertia. Raises InputError."""
    given = (("method", method), ("time_step", step), ("inertia", inertia))
    stated = {key: value for key, value in given if value is not None}
    options = {"solver.method": "--method", "solver.time_step": "--step", "solver.inertia": "--inertia"}
    if inertia == "file" and not any(body.inertia for body in scene.bodies):
        raise refusal("--inertia", Message("no body of the scene states its inertia"), Message("use --inertia shapes"))
    try:
        solver = scene_of({"solver": stated}, "polhode").solver
    except InputError as error:
        problems = [Problem(options[problem.place], problem.rule, problem.remedy) for problem in error.problems]
        raise InputError(error.source, problems) from error
    changed = scene.solver.model_copy(update={key: getattr(solver, key) for key in stated})
    return scene.model_copy(update={"solver": changed})


def check_numbers(*numbers: tuple[str, float, bool]) -> None:
    """Raises InputError for options that are not positive; each is its name, its value and whether it may be zero."""
    problems = []
    for option, value, zero_too in numbers:
        if not math.isfinite(value):
            problems.append(
                Problem(option, Message("must be finite, but is {value:g}", value=value), Message("give a number"))
            )
        elif value < 0 or (value == 0 and not zero_too):
            rule = (
                Message("must be at least {limit:g}, but is {value}", limit=0, value=f"{value:g}")
                if zero_too
                else Message("must be greater than {limit:g}, but is {value}", limit=0, value=f"{value:g}")
            )
            problems.append(Problem(option, rule, Message("give a positive number")))
    if problems:
        raise InputError("polhode", problems)


def pixels(size: str) -> tuple[int, int]:
    """Width and height of '1280x720'. Raises InputError."""
    found = re.fullmatch(r"(\d{1,5})x(\d{1,5})", size)
    if found is None:
        raise refusal(
            "--size", Message("must be WIDTHxHEIGHT, but is '{size}'", size=size), Message("write it like 1280x720")
        )
    width, height = int(found[1]), int(found[2])
    if min(width, height) < 2 or max(width, height) > LARGEST_PICTURE:
        rule = Message("must be from 2x2 to {most}x{most}, but is {size}", most=LARGEST_PICTURE, size=size)
        raise refusal("--size", rule, Message("use another size"))
    return width, height


def arrow_sizes(pairs: Collection[str], kinds: Collection[str]) -> tuple[tuple[str, float], ...]:
    """Some of these kinds of arrows and how long they are, in the usual ones, of "forces=2". Raises InputError."""
    sizes = []
    for pair in pairs:
        name, _, number = pair.partition("=")
        if name not in kinds:
            rule = Message("'{name}' is not a kind of arrow", name=name)
            raise refusal("--arrows", rule, Message("use one of {known}", known=", ".join(kinds)))
        try:
            size = float(number)
        except ValueError:
            rule = Message("must be NAME=NUMBER, but is '{pair}'", pair=pair)
            raise refusal("--arrows", rule, Message("write it like {name}=2", name=name)) from None
        check_numbers(("--arrows", size, False))
        sizes.append((name, size))
    return tuple(sizes)


def usage(error: CycloptsError, given: list[str], commands: list[str]) -> Message:
    """One line on a command line that can't be understood."""
    first = given[0] if given else ""
    if isinstance(error, UnusedCliTokensError) and first not in commands:
        near = get_close_matches(first, commands, 1)
        known = (
            Message("did you mean '{near}'?", near=near[0])
            if near
            else Message("use one of {known}", known=", ".join(commands))
        )
        return Message("'{name}' is not a command; {known}", name=first, known=known)
    said = " ".join(str(error).split()).rstrip(".")
    command = f"polhode {first} --help" if first in commands else "polhode --help"
    return Message("{fault}; '{command}' shows how", fault=said, command=command)
