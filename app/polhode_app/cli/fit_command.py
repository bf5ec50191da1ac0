"""`polhode fit`: finds numbers of a scene from measured data."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

from cyclopts import Parameter

from polhode.data.reading import read_data
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.variants.alone import alone
from polhode_app.cli.fit_call import FitCall, ModelOptions, check_names, check_outputs
from polhode_app.cli.options.arguments import naming, refusal
from polhode_app.cli.options.outputs import INPUT, OUTPUT
from polhode_app.cli.options.scene_argument import SceneName
from polhode_app.cli.options.scene_settings import AS_STATED, SceneSettings, described_by
from polhode_app.cli.results.fit_output import further_text, plan_data, plan_text
from polhode_app.cli.terminal.console import progress, say, warning_about
from polhode_app.cli.terminal.exit_status import BAD_INPUT, DONE, kept
from polhode_app.cli.terminal.progress_options import DEFAULT, ProgressOptions

if TYPE_CHECKING:
    from polhode.data.measured import MeasuredData
    from polhode.fitting.fit import PreparedFit
    from polhode.mesh.mesh import Meshes

OPTIONS = {
    "mapping": "--map",
    "free": "--free",
    "bounds": "--bounds",
    "stated": "--state",
    "hold_out": "--hold-out",
    "loss": "--loss",
    "rate": "--rate",
    "drop_later": "--drop-later",
    "time": "--map COLUMN=time",
    "segments": "--segments",
    "own": "--own",
    "runs": "--data",
    "table": "--table",
    "against": "--against",
}
"""Options of the command line by the arguments of polhode.fit and polhode.read_data."""


ONE_MODEL = ModelOptions()


def fit(
    scene: SceneName,
    /,
    *,
    data: Annotated[
        tuple[Path, ...],
        Parameter(help="Measured data: text, zip, workbook or project of Tracker; may be repeated for several runs."),
        INPUT,
    ],
    map_: Annotated[
        tuple[str, ...], Parameter(name="--map", help="COLUMN=QUANTITY: data and column of the table, or time.")
    ],
    free: Annotated[tuple[str, ...], Parameter(help="Unknown, such as body[0].friction or data.time_offset.")],
    bounds: Annotated[tuple[str, ...], Parameter(help="UNKNOWN=LOW:HIGH in SI.")] = (),
    unit: Annotated[tuple[str, ...], Parameter(help="COLUMN=UNIT in place of that of the file.")] = (),
    state: Annotated[
        tuple[str, ...], Parameter(help="NUMBER=VALUE of the data, such as data.time_offset=0.2 or data.wx.scale=-1.")
    ] = (),
    table: Annotated[str | None, Parameter(help="Table of a zip, workbook or project.")] = None,
    rate: Annotated[float | None, Parameter(help="Frames per second of a film, for a table without times.")] = None,
    drop_later: Annotated[
        bool, Parameter(negative="", help="Leave out rows whose time is not after all before.")
    ] = False,
    loss: Annotated[
        Literal["linear", "soft_l1", "huber", "cauchy"], Parameter(help="Other than linear: outliers count less.")
    ] = "linear",
    hold_out: Annotated[
        float, Parameter(help="Fraction of the rows, at the end, that is predicted but not fitted.")
    ] = 0.0,
    profile: Annotated[tuple[str, ...], Parameter(help="Unknown whose profile is computed.")] = (),
    plan: Annotated[
        bool, Parameter(negative="", help="Don't fit: suggest the quantity or start that determines the unknowns best.")
    ] = False,
    models: ModelOptions = ONE_MODEL,
    settings: SceneSettings = AS_STATED,
    out: Annotated[Path | None, Parameter(help="Scene to write with the values found (.toml)."), OUTPUT] = None,
    report: Annotated[Path | None, Parameter(help="Report with pictures to write (.html, .pdf)."), OUTPUT] = None,
    predict: Annotated[
        Path | None, Parameter(help="Table to write: readings of a repeated run with 95 % intervals (.csv)."), OUTPUT
    ] = None,
    as_json: Annotated[bool, Parameter(name="--json", negative="", help="Print JSON.")] = False,
    shown: ProgressOptions = DEFAULT,
) -> int:
    """Estimate parameters from measured data, with confidence intervals and an identifiability check."""
    check_outputs(out, report, predict, models.segments)
    check_names(profile, models.without, free)
    mapping, units = _pairs("--map", map_), _pairs("--unit", unit)
    time = _taken_time(mapping)
    limits = {name: _range(name, text) for name, text in _pairs("--bounds", bounds).items()}
    stated = {name: _number("--state", name, text) for name, text in _pairs("--state", state).items()}
    described = described_by(scene, settings, out, report)
    read = partial(_read, units=units, table=table, time=time, rate=rate, drop_later=drop_later, shown=shown)

    from polhode.fitting.several import check_other_model, scene_of_run

    other = None if models.against is None else described_by(str(models.against), settings, out, report)
    if other is not None:
        with naming(scene, data[0], OPTIONS):
            check_other_model(described, other)
    runs = [(scene_of_run(described, data[0], path), read(path)) for path in data]
    measured = zip(data, runs, strict=True)
    against = [(scene_of_run(other, data[0], path), rows) for path, (_, rows) in measured] if other else []

    from polhode.mesh.mesh import Meshes
    from polhode_app.compilation.preparation import start_simulation

    meshes = Meshes()
    order = FitCall(runs, mapping, free, limits, stated, hold_out, loss, models, meshes, against)
    with naming(scene, data[0], OPTIONS), progress(f"{scene}: sensitivities", 0.0, shown) as listener:
        start_simulation(alone(described), meshes, listener)
        prepared = order.prepared(_progress_of(listener))
        _warn(str(data[0]), prepared)
        if plan or prepared.determination.problems:
            return _plan(prepared, meshes, plan, as_json, scene)
    name = scene if models.against is None else str(models.against)
    with naming(name, data[0], OPTIONS), progress(f"{name}: sensitivities", 0.0, shown) as listener:
        others = order.other_models(_progress_of(listener))

    def work() -> None:
        with naming(scene, data[0], OPTIONS), progress(f"{scene}: fit", 0.0, shown) as listener:
            outcome = order.outcome(prepared, others, profile, _progress_of(listener))
        print(outcome.json if as_json else outcome.text)
        outcome.write(scene, " + ".join(map(str, data)), out, report, predict)

    if out is None and report is None and predict is None:
        work()
        return DONE
    return kept(work, scene, out or report or predict or data[0])


def _read(
    path: Path,
    units: dict[str, str],
    table: str | None,
    time: str | None,
    rate: float | None,
    drop_later: bool,
    shown: ProgressOptions,
) -> MeasuredData:
    """The data of a file, whose notes are printed. Raises InputError."""
    with naming(str(path), path, OPTIONS), progress(f"{path}: reading", 1.0, shown) as listener:
        measured = read_data(path, units, table, listener, time, rate, drop_later)
    for note in measured.notes:
        say(Message("{file}: note: {note}", file=path, note=note))
    return measured


def _warn(source: str, prepared: PreparedFit) -> None:
    """Print the warnings about the data."""
    for each in prepared.warnings:
        warning_about(source)(each.with_arguments(OPTIONS))


def _progress_of(listener: Callable[[float], None]) -> Callable[[int], None]:
    """Function that is called before each run: it ends the work after Ctrl-C."""
    return lambda _rows: listener(0.0)


def _plan(prepared: PreparedFit, meshes: Meshes, is_wanted: bool, as_json: bool, scene: str) -> int:
    """Print suggested measurements, below the refusal unless they alone were requested."""
    from polhode.fitting.several import SeveralTask
    from polhode.fitting.suggested_measurements import suggested_measurements

    first = prepared.determination
    further = () if isinstance(prepared.task, SeveralTask) else suggested_measurements(prepared, meshes)
    if not is_wanted:
        say(InputError(scene, [each.with_arguments(OPTIONS) for each in first.problems]).message)
    if as_json:
        print(json.dumps(plan_data(first, further), indent=2, ensure_ascii=False))
    elif is_wanted:
        print(plan_text(first, further))
    else:
        say(Message(further_text(further)))
    return DONE if is_wanted else BAD_INPUT


def _taken_time(mapping: dict[str, str]) -> str | None:
    """The column of a mapping that is the time, or None; it is removed from the mapping. Raises InputError for two."""
    times = [column for column, quantity in mapping.items() if quantity == "time"]
    if len(times) > 1:
        rule = Message("'{first}' and '{second}' are both the time", first=times[0], second=times[1])
        raise refusal("--map", rule, Message("give one of them"))
    for column in times:
        del mapping[column]
    return next(iter(times), None)


def _pairs(option: str, texts: tuple[str, ...]) -> dict[str, str]:
    """Texts NAME=VALUE as a dict. Raises InputError."""
    found = {}
    for text in texts:
        name, sign, value = text.rpartition("=")
        if not (name and sign and value):
            rule = Message("must be NAME=VALUE, but is '{text}'", text=text)
            raise refusal(option, rule, Message("write both, with = between them"))
        found[name] = value
    return found


def _number(option: str, name: str, text: str) -> float:
    """A number. Raises InputError."""
    try:
        return float(text)
    except ValueError:
        rule = Message("'{name}' is '{text}', which is not a number", name=name, text=text)
        raise refusal(option, rule, Message("write NAME=NUMBER")) from None


def _range(name: str, text: str) -> tuple[float, float]:
    """Bounds LOW:HIGH; an empty one is none. Raises InputError."""
    low, _, high = text.partition(":")
    try:
        bounds = (float(low or -math.inf), float(high or math.inf))
    except ValueError:
        bounds = (math.nan, math.nan)
    if not bounds[0] < bounds[1]:
        rule = Message("the bounds of '{name}' are '{text}'", name=name, text=text)
        raise refusal("--bounds", rule, Message("write LOW:HIGH, such as 0:1"))
    return bounds
