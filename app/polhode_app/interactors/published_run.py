"""Runs of published experiments in a background thread. No Qt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from polhode.scene import gallery
from polhode.scene.message import Message
from polhode.scene.scene_file import read_scene
from polhode.simulation.units import units_to_build
from polhode.verification.case import Result
from polhode_app.compilation.missing_units import compile_missing
from polhode_app.jobs import CheckCancelled, Job

if TYPE_CHECKING:
    from polhode.verification.published import Row


class PublishedRun(Job):
    """A Job whose result are the rows of an experiment with their `Result`s. Its progress is the part that is done."""

    def __init__(self) -> None:
        super().__init__("published", Message("the experiment could not be run"))

    def run(self, name: str) -> None:
        """Run the experiment of a built-in scene; a run in progress is cancelled."""

        def work(check_cancelled: CheckCancelled) -> list[tuple[Row, Result]]:
            from polhode.verification.published import EXPERIMENTS  # noqa: PLC0415  # it has several scenes to read

            compile_missing([*units_to_build(read_scene(gallery.path(name)))], check_cancelled)
            (experiment,) = [each for each in EXPERIMENTS if each.name == name]
            return [*zip(experiment.rows, experiment.results(check_cancelled.report), strict=True)]

        self.start(work)
