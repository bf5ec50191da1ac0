"""The fit of a command line: its options about models, the fits to be compared, and the files that it writes."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import numpy as np
from cyclopts import Parameter

from polhode.scene.files.file_writing import replacing
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene_writing import write_scene
from polhode_app.cli.options.arguments import refusal
from polhode_app.cli.results.fit_output import as_data, as_text, comparison_text, profile_text
from polhode_app.edit.open_file import REPORT_ENDINGS

if TYPE_CHECKING:
    from polhode.fitting.fit import PreparedFit
    from polhode.fitting.inference.prediction import Prediction
    from polhode.fitting.profile import ProfileCurve
    from polhode.fitting.result import FitResult
    from polhode.fitting.several import MeasuredRun
    from polhode.mesh.mesh import Meshes
    from polhode_app.data.measured.compared_model import ComparedModel


@Parameter(name="*")
@dataclass(frozen=True)
class ModelOptions:
    """Options of a fit about segments, several runs and other models."""

    segments: Annotated[
        int, Parameter(help="Parts of the data with starts of their own, for data that no single run follows.")
    ] = 1
    own: Annotated[
        tuple[str, ...],
        Parameter(help="Unknown with a value of its own in each of several runs, as starts have."),
    ] = ()
    without: Annotated[
        tuple[str, ...], Parameter(help="Unknown held at its value in a second fit, with which this one is compared.")
    ] = ()
    against: Annotated[Path | None, Parameter(help="Scene of another model of the same data, to compare with.")] = None


@dataclass(frozen=True, eq=False)
class OtherFit:
    """A fit to be compared: the unknowns that it holds, the name of its scene ("" for the same one), and itself."""

    without: tuple[str, ...]
    scene: str
    prepared: PreparedFit


@dataclass(frozen=True, eq=False)
class FitCall:
    """Runs, unknowns and options of a fit."""

    runs: Sequence[MeasuredRun]
    mapping: Mapping[str, str]
    free: tuple[str, ...]
    limits: Mapping[str, tuple[float, float]]
    stated: Mapping[str, float]
    hold_out: float
    loss: str
    models: ModelOptions
    meshes: Meshes
    against: Sequence[MeasuredRun] = ()  # the same data with the scene of another model

    def prepared(
        self, progress: Callable[[int], None], runs: Sequence[MeasuredRun] = (), free: tuple[str, ...] = ()
    ) -> PreparedFit:
        """The prepared fit, by default of all runs and unknowns. Raises InputError."""
        from polhode.fitting.fit import prepare

        names, ((scene, data), *others) = free or self.free, runs or self.runs
        limits = {name: each for name, each in self.limits.items() if name in names}
        own = [name for name in self.models.own if name in names or not free]
        return prepare(
            scene,
            data,
            self.mapping,
            names,
            limits,
            self.hold_out,
            self.meshes,
            self.stated,
            progress,
            self.models.segments,
            others,
            own,
        )

    def other_models(self, progress: Callable[[int], None]) -> list[OtherFit]:
        """The prepared fits to be compared. Raises InputError, also if the data leave unknowns open."""
        found = []
        if self.models.without:
            kept = tuple(name for name in self.free if name not in self.models.without)
            found.append(OtherFit(self.models.without, "", self.prepared(progress, free=kept)))
        if self.models.against is not None:
            found.append(OtherFit((), self.models.against.name, self.prepared(progress, self.against)))
        for each in (other.prepared for other in found):
            if each.determination.problems:
                raise InputError(each.task.unknowns.scene.title or "scene", list(each.determination.problems))
        return found

    def outcome(
        self,
        prepared: PreparedFit,
        others: Sequence[OtherFit],
        profile: Sequence[str],
        progress: Callable[[int], None],
    ) -> FitOutcome:
        """The fit, its profiles, and comparisons with other models. Raises InputError."""
        from polhode.fitting.fit import solve
        from polhode.fitting.inference.comparison import compared
        from polhode.fitting.profile import profile_curve
        from polhode_app.data.measured.compared_model import ComparedModel

        found = solve(prepared.with_progress(progress), self.loss)
        comparisons = []
        for each in others:
            other = solve(each.prepared.with_progress(progress), self.loss)
            comparisons.append(ComparedModel(each.without, each.scene, compared(other, found)))
        curves = [profile_curve(found, name, progress) for name in dict.fromkeys(profile)]
        return FitOutcome(found, curves, comparisons)


@dataclass(frozen=True, eq=False)
class FitOutcome:
    """A fit with its profiles, and comparisons with other models."""

    found: FitResult
    curves: Sequence[ProfileCurve]
    others: Sequence[ComparedModel]

    @property
    def text(self) -> str:
        """Lines for people."""
        return "\n".join([as_text(self.found), *map(comparison_text, self.others), *map(profile_text, self.curves)])

    @property
    def json(self) -> str:
        """All numbers."""
        return json.dumps(as_data(self.found, self.curves, self.others), indent=2, ensure_ascii=False)

    def write(self, scene: str, data: str, out: Path | None, report: Path | None, predict: Path | None) -> None:
        """Write the files that are wanted. Raises OSError, and InputError if the run can't be predicted."""
        if predict is not None:  # first: a run that can't be predicted leaves all files as they are
            from polhode.fitting.inference.prediction import prediction

            predicted = prediction(self.found)
            with replacing(predict) as file:
                file.write(prediction_table(predicted).encode())
        if out is not None:
            write_scene(self.found.scene, out)
        if report is not None:
            from polhode_app.data.measured.fit_report import write_report
            from polhode_app.data.measured.report_job import band_of

            write_report(self.found, scene, data, report, self.curves, self.others, band_of(self.found))


def prediction_table(predicted: Prediction) -> str:
    """A table as `polhode run` writes it: time, and for each quantity its value, NAME.lower and NAME.upper."""
    text, heads = StringIO(), ["time"]
    for name in predicted.names:
        heads += [name, f"{name}.lower", f"{name}.upper"]
    columns = np.stack([predicted.values, predicted.lower, predicted.upper], axis=2).reshape(len(predicted.times), -1)
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow(heads)
    rows.writerows(np.column_stack([predicted.times, columns]).tolist())
    return text.getvalue()


def check_names(profile: tuple[str, ...], without: tuple[str, ...], free: tuple[str, ...]) -> None:
    """Refuse names of --profile and --without that are not unknown, and a model without unknowns. Raises InputError."""
    for option, names in (("--profile", profile), ("--without", without)):
        for name in names:
            if name not in free:
                rule = Message("'{name}' is not free", name=name)
                raise refusal(option, rule, Message("name one of {names}", names=", ".join(free)))
    if set(free) <= set(without):
        raise refusal("--without", Message("leaves no unknown"), Message("leave one out"))


def check_outputs(out: Path | None, report: Path | None, predict: Path | None, segments: int) -> None:
    """Refuse files with other endings than a scene or a report has, and predictions by segments. Raises InputError."""
    if predict is not None and segments > 1:
        rule = Message("no run continues the segments")
        raise refusal("--predict", rule, Message("leave it out, or take one segment"))
    if out is not None and out.suffix.lower() != ".toml":
        rule = Message("'{name}' has no ending of a scene", name=out.name)
        raise refusal("--out", rule, Message("choose an ending out of {endings}", endings=".toml"))
    if report is not None and report.suffix.lower() not in REPORT_ENDINGS:
        rule = Message("'{name}' has no ending of a report", name=report.name)
        raise refusal("--report", rule, Message("choose an ending out of {endings}", endings=", ".join(REPORT_ENDINGS)))
    if predict is not None and predict.suffix.lower() != ".csv":
        rule = Message("'{name}' has no ending of a table", name=predict.name)
        raise refusal("--predict", rule, Message("choose an ending out of {endings}", endings=".csv"))
