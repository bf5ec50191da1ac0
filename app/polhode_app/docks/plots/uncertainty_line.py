"""Line below the plots: what the bands are, and the uncertainty of the plotted quantities with its parts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from polhode.scene.scene import Scene
from polhode_app.docks.plots.bands import WIDTH
from polhode_app.docks.plots.time_plot import TimePlot
from polhode_app.i18n.field_names import quantity, unit_text
from polhode_app.i18n.parameter_names import parameter_name
from polhode_app.i18n.translation import translate_problem
from polhode_app.i18n.uncertain_numbers import rounded, shares_text
from polhode_app.window.parts.uncertain_runs import UncertainRuns

if TYPE_CHECKING:
    from polhode.uncertainty.result import Uncertainties, UncertainValue

MOST = 2  # quantities that are stated


class UncertaintyLine(QLabel):
    """Shows the newest uncertainties of the plotted columns, here and as bands; hidden without any."""

    def __init__(self, runs: UncertainRuns, plot: TimePlot):
        super().__init__()
        self._runs, self._plot, self._version = runs, plot, runs.version
        self.setWordWrap(True)
        self.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setContentsMargins(4, 0, 4, 2)
        self.hide()

    def follow(self, names: Sequence[str], time: float, scene: Scene) -> None:
        """Ask for the uncertainties of plotted columns up to a time [s], and show those that are new."""
        self._runs.want(names, time)
        if self._runs.version == self._version:
            return
        self._version = self._runs.version
        self._plot.show_bands(self._runs.found)
        self.setText(self._text(scene))
        self.setVisible(bool(self.text()))

    def _text(self, scene: Scene) -> str:
        if self._runs.problem is not None:
            return "\n".join(map(translate_problem, self._runs.problem.problems))
        found = self._runs.found
        if found is None or not found.uncertain:
            return ""
        stated = [text for name in found.uncertain[:MOST] for text in self._stated(found, name, scene)]
        return "\n".join([*stated, self._of_bands(found)])

    def _stated(self, found: Uncertainties, name: str, scene: Scene) -> Iterator[str]:
        """The period of a quantity, else its last value."""
        if (period := found.period(name)) is not None:
            text = self.tr("{name}: period {value} ± {deviation} s ({shares})")
            yield text.format(name=quantity(name), **_numbers(period), shares=_shares(period, scene))
            return
        last, unit = found.at_end(name), unit_text(found.units[name])
        text = self.tr("{name} at {time:g} s: {value} ± {deviation} {unit} ({shares})")
        numbers = {**_numbers(last), "time": float(found.time[-1]), "unit": unit}
        yield text.format(name=quantity(name), **numbers, shares=_shares(last, scene))

    def _of_bands(self, found: Uncertainties) -> str:
        """The meaning of the bands."""
        if found.drawn is None:
            text = self.tr("Bands: ± {width:g} standard deviations to first order; the draws are being computed")
            return text.format(width=WIDTH)
        text = self.tr(
            "Bands: ± {width:g} standard deviations to first order; dashed from where {count} draws differ by 20 %"
        )
        said = text.format(width=WIDTH, count=found.drawn.count)
        if found.drawn.invalid:
            left_out = self.tr("{invalid} of them are no valid scene and left out").format(invalid=found.drawn.invalid)
            return f"{said}; {left_out}"
        return said


def _numbers(value: UncertainValue) -> dict[str, object]:
    number, deviation = rounded(value.value, value.sd)
    return {"value": number, "deviation": deviation}


def _shares(value: UncertainValue, scene: Scene) -> str:
    """Parts of the variance by the display names of their numbers."""
    return shares_text(
        {", ".join(parameter_name(scene, each) for each in name.split(", ")): k for name, k in value.shares.items()}
    )
