"""Parsing and validation of command line arguments. All errors are raised as InputError with a remedy."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from inspect import Parameter, signature
from pathlib import Path
from typing import Any

from cyclopts import App, CycloptsError, UnusedCliTokensError

from polhode.importers.options import BY_THE_FILE, RobotOptions
from polhode.scene import gallery
from polhode.scene.checks.arguments import FASTEST, SLOWEST
from polhode.scene.message import Message
from polhode.scene.problem import InputError, Problem, did_you_mean
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene, scene_of, scene_of_text
from polhode.udf.meshes import container
from polhode_app.cli.options.outputs import INPUT, refuse_files_of, roles
from polhode_app.cli.terminal.console import say
from polhode_app.cli.terminal.standard_streams import STANDARD_INPUT, standard_input
from polhode_app.edit.open_file import OpenedScene, is_robot, is_scene, open_file

MOST_STEPS = 1e15  # steps, rows or frames of an output: more than any computer makes, and whole as a float64
ROW_INTERVAL = 0.01  # [s] between the rows of a run
ROUNDING = 1e-9  # of an interval: smaller differences are rounding errors
LARGEST_PICTURE = 8192  # pixels across, what graphics cards and encoders take


def refusal(option: str, rule: Message, remedy: Message) -> InputError:
    """An InputError about one option of the command line; `option` is the option, such as "--size"."""
    return InputError("polhode", [Problem(option, rule, remedy)])


def refuse_outputs(outputs: tuple[str, ...]) -> None:
    """Refuse columns that are outputs, for what is no FMU. Raises InputError."""
    if outputs:
        raise refusal("--outputs", Message("is for FMUs"), Message("leave it out"))


def scene_called(name: str, *outputs: Path | None, robot: RobotOptions = BY_THE_FILE) -> Scene:
    """The scene of `opened_by`; notes on what it lacks of its file are printed. Raises InputError as that."""
    opened = opened_by(name, *outputs, robot=robot)
    for note in opened.notes:
        say(Message("{file}: note: {note}", file=name, note=note))
    return opened.scene


def opened_by(name: str, *outputs: Path | None, robot: RobotOptions = BY_THE_FILE) -> OpenedScene:
    """Load the scene that a name on the command line refers to.

    `name` is a scene file, a robot, for which `robot` has choices, a mesh, which is hung up as a pendulum, or the name
    of a built-in scene. "-" is a scene on standard input. Raises InputError, also where one of the outputs is a file
    that the scene names, and for choices without a robot.
    """
    path = Path(name) if name == STANDARD_INPUT else gallery.find(name)
    check_choices(path, robot)
    if name == STANDARD_INPUT:
        opened = OpenedScene(scene_of_text(standard_input(), name, Path.cwd()))
    elif is_scene(path):
        opened = open_file(path, robot)
    elif not gallery.seen_as(Path.is_file, path):
        return OpenedScene(read_scene(path))  # or the reason why there is none
    else:
        from polhode.mesh.mesh import Meshes
        from polhode_app.edit.hang_mesh import open_document  # with it comes the compiler

        return OpenedScene(open_document(path, Meshes()))
    refuse_files_of(opened.scene, *outputs)
    return opened


def check_choices(path: Path, robot: RobotOptions) -> None:
    """Raise InputError for choices for a robot where a file is none."""
    if robot.are_stated and not is_robot(path):
        raise InputError.of(
            str(path),
            Message("is no robot, and --package, --zero-limits, --root and --keyframe are for these"),
            Message("leave them out"),
        )


def find_file(name: str) -> Path:
    """The file that a name on the command line means, or "-". Raises InputError where there is none."""
    if name == STANDARD_INPUT:
        return Path(name)
    path = gallery.find(name)
    if not gallery.seen_as(Path.exists, container(path)):
        read_scene(path)  # raises the reason
    return path


def check_sources(command: Callable[..., Any], arguments: Mapping[str, Any]) -> None:
    """Raise InputError where the scene of a command does not exist, before its options are checked.

    arguments: those that are given, by name
    """
    kinds = signature(command).parameters
    for name, role in roles(command).items():
        if role is INPUT and kinds[name].kind is Parameter.POSITIONAL_ONLY and arguments.get(name) is not None:
            find_file(str(arguments[name]))


def source_among(command: App, words: Iterable[str]) -> str | None:
    """The scene among the words of an incomplete command line, or None."""
    counts = {name: each.token_count()[0] for each in command.assemble_argument_collection() for name in each.names}
    left = iter(words)
    for word in left:
        if not word.startswith("-"):
            return word
        for _ in range(counts.get(word, 0)):
            next(left, None)
    return None


@contextmanager
def naming(source: str, out: Path | None = None, options: Mapping[str, str] | None = None) -> Iterator[None]:
    """Context manager that adds the file name to problems found while a scene is compiled.

    An InputError raised inside is raised again with `source` as its source; errors about the output file `out`, and
    about what the program itself lacks, already name what they are about and keep their source. Arguments of the
    library become those of the command line by `options`.
    """
    try:
        yield
    except InputError as error:
        kept = error.source in (str(out), "polhode")
        raise InputError(
            error.source if kept else source, [each.with_arguments(options or {}) for each in error.problems]
        ) from error


def with_solver(scene: Scene, method: str | None, step: float | None, inertia: str | None = None) -> Scene:
    """Return the scene with the solver options of the command line.

    `method`, `step` [s] and `inertia`, the source of the inertia tensors, replace the values of the scene; None keeps
    them. Raises InputError for values that a scene file could not have either, with the option in place of the field.
    """
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
    """Validate numeric options; all problems are reported together.

    Each entry is the option's name, its value, and whether zero is allowed. Raises InputError for values that are
    infinite, NaN or negative.
    """
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


def check_range(option: str, value: float, low: float, high: float) -> None:
    """Raise the refusal of an option that is not from `low` to `high`."""
    if not low <= value <= high:
        rule = Message("must be from {low} to {high}, but is {value}", low=low, high=high, value=value)
        raise refusal(option, rule, Message("use another number"))


def check_count(option: str, count: float, rule: Message) -> None:
    """Raise the refusal of an option that makes more than MOST_STEPS steps, rows or frames; `rule` states them."""
    if not count <= MOST_STEPS:
        raise refusal(option, rule, Message("give a number that makes at most {most:g}", most=MOST_STEPS))


def check_steps(until: float, scene: Scene) -> None:
    """Refuse a run up to `until` [s] of too many steps. Raises InputError."""
    steps = until / scene.solver.time_step
    check_count("--until", steps, Message("{until:g} makes {steps:.3g} steps", until=until, steps=steps))


def check_film(until: float, begin: float, fps: float, speed: float, turn: float) -> None:
    """Check the times and rates of a film. Raises InputError.

    until, begin: [s] simulated; fps: [1/s]; speed: simulated seconds per second; turn: [s] period of the camera
    """
    numbers = [("--until", until, True), ("--fps", fps, False), ("--speed", speed, False)]
    check_numbers(*numbers, ("--from", begin, True), ("--turn", turn, True))
    check_range("--fps", fps, SLOWEST, FASTEST)
    if turn != 0.0:
        check_range("--turn", turn, 1 / FASTEST, MOST_STEPS)
    if begin > until:
        rule = Message("{begin:g} s is after the end, {until:g} s", begin=begin, until=until)
        raise refusal("--from", rule, Message("give a smaller time, or a later end"))
    frames = until / speed * fps
    check_count("--fps", frames, Message("{fps:g} makes {frames:.3g} frames", fps=fps, frames=frames))


def row_interval(every: float | None, until: float, step: float) -> float:
    """Time [s] between the rows of a run up to `until` with the time step `step`: `every`, or the default for None.

    The default is raised to the step with a message, and a shorter `every` is refused: a row would shorten every step.
    Raises InputError also for too many rows.
    """
    interval = ROW_INTERVAL if every is None else every
    rows, steps = until / interval, interval / step
    check_count("--every", rows, Message("{every:g} makes {rows:.3g} rows", every=interval, rows=rows))
    check_count("--every", steps, Message("{every:g} s is {steps:.3g} time steps", every=interval, steps=steps))
    if step <= interval * (1 + ROUNDING):
        return interval
    if every is not None:
        rule = Message("{every:g} s is shorter than the time step, {step:g} s", every=every, step=step)
        raise refusal("--every", rule, Message("give --every {step:g}, or a shorter --step", step=step))
    say(Message("A row is written after each time step, every {step:g} s.", step=step))
    return step


def tell_of_short_steps(interval: float, step: float) -> None:
    """Print that rows at multiples of `interval` [s] need shorter steps, where it is not a multiple of `step` [s]."""
    count = interval / step
    if abs(count - round(count)) > ROUNDING * count:
        rule = Message(
            "The last step before each row is shorter than {step:g} s, which does not divide {every:g} s.",
            step=step,
            every=interval,
        )
        say(rule)


def pixels(size: str) -> tuple[int, int]:
    """Width and height in pixels of a text such as '1280x720'. Raises InputError."""
    found = re.fullmatch(r"(\d{1,30})x(\d{1,30})", size)
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
    """Parse entries such as "forces=2": kind of arrow and its length relative to the default.

    `kinds` are the names of the views that draw arrows. Raises InputError for unknown kinds and for factors that are
    not positive.
    """
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
    """One line that explains a command line which could not be parsed.

    It names the most similar command, all commands, or the help to consult.
    """
    first = given[0] if given else ""
    if isinstance(error, UnusedCliTokensError) and first not in commands:
        known = did_you_mean(first, commands, Message("use one of {known}", known=", ".join(commands)))
        return Message("'{name}' is not a command; {known}", name=first, known=known)
    said = " ".join(str(error).split()).rstrip(".")
    command = f"polhode {first} --help" if first in commands else "polhode --help"
    return Message("{fault}; '{command}' shows how", fault=said, command=command)
