"""Published experiments and benchmarks: built-in scenes beside the values of their sources.

    from polhode.verification.published import EXPERIMENTS

    for experiment in EXPERIMENTS:
        for result in experiment.results():
            print(experiment.name, result.case.name, result.value, result.case.expected, result.passed)

`polhode.scene.display.published` has the sources. Expected values are printed in them, closed forms, or independent
calculations: `Row.origin`.
"""

from __future__ import annotations

from polhode.verification.published import (
    basins,
    compass,
    contacts,
    eulers_disc,
    governor,
    induction,
    levitron,
    mechanisms,
    oscillations,
    rolling,
    series_coils,
    slinky,
    spinning,
    vibrating_table,
    wilberforce,
)
from polhode.verification.published.experiment import Experiment as Experiment
from polhode.verification.published.experiment import Row as Row
from polhode.verification.published.experiment import Run as Run

EXPERIMENTS: tuple[Experiment, ...] = (
    *mechanisms.EXPERIMENTS,
    *governor.EXPERIMENTS,
    *contacts.EXPERIMENTS,
    *spinning.EXPERIMENTS,
    *eulers_disc.EXPERIMENTS,
    *vibrating_table.EXPERIMENTS,
    *oscillations.EXPERIMENTS,
    *induction.EXPERIMENTS,
    *rolling.EXPERIMENTS,
    *wilberforce.EXPERIMENTS,
    *compass.EXPERIMENTS,
    *slinky.EXPERIMENTS,
    *series_coils.EXPERIMENTS,
    *levitron.EXPERIMENTS,
    *basins.EXPERIMENTS,
)
"""In the order of the table that `polhode verify --published` prints."""
