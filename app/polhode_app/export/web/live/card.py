"""The card of a live page: sliders and things to try, as words that the page writes into the running scene.

The scene is compiled once for each position. Where that changes the layout of its arrays, the page can't do it, and
says so.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from polhode.exporters.image.difference import ImageDifference, difference
from polhode.exporters.image.image import WORD, Image
from polhode.mesh.mesh import Meshes
from polhode.scene.checks.story_rules import moved, slider_value, tried
from polhode.scene.display.story import CardSlider, Trial
from polhode.scene.fields import form_at, parse_path
from polhode.scene.problem import InputError, InvalidValue
from polhode.scene.scene import Scene
from polhode.simulation.simulation import Simulation
from polhode_app.export.web.blob import Blob
from polhode_app.export.web.live.engine_data import difference_data
from polhode_app.export.web.live.pull import pullable_image
from polhode_app.i18n.language import in_language, tr
from polhode_app.viewport.base.slider_text import value_text

POSITIONS = 11  # of a slider at most
LIVE = ("model.", "inputs.")  # beginnings of the members that are written into a run that continues
MOMENTUM = ("model.bodies.mass", "model.bodies.inertia", "model.bodies.origin", "model.points.mass")
"""Members on which the momenta of the state depend: a change begins the run again."""


@dataclass(eq=False)
class Control:
    """A slider or a button, by the offsets of the words that it writes."""

    offsets: np.ndarray  # (w,) [bytes]
    restart: bool
    table: dict[str, Any]


@dataclass
class Card:
    """The card of a scene: its controls, and the labels of what the page can't do."""

    sliders: list[Control] = field(default_factory=list)
    trials: list[Control] = field(default_factory=list)
    left_out: list[str] = field(default_factory=list)
    labels: list[tuple[str, list[float], str]] = field(default_factory=list)  # of sliders, values [SI], unit
    buttons: list[str] = field(default_factory=list)

    @property
    def table(self) -> dict[str, Any]:
        """Table of the page."""
        controls = [*self.sliders, *self.trials]
        for number, one in enumerate(controls):
            one.table["clashes"] = [
                other for other, each in enumerate(controls) if other != number and _meet(one.offsets, each.offsets)
            ]
        return {"sliders": [each.table for each in self.sliders], "tries": [each.table for each in self.trials]}

    def texts(self, language: str) -> dict[str, Any]:
        """Texts of the page in a language."""
        with in_language(language):
            return {
                "sliders": [
                    {"label": tr(label), "values": [value_text(value, unit) for value in values]}
                    for label, values, unit in self.labels
                ],
                "tries": [tr(label) for label in self.buttons],
            }


class CardMaker:
    """Makes the card of a scene for a page."""

    def __init__(self, scene: Scene, image: Image, meshes: Meshes, blob: Blob, drawn: set[str]):
        """`image` is that of the scene; `drawn` are the names of the views that the page has."""
        self._scene, self._image, self._meshes, self._blob, self._drawn = scene, image, meshes, blob, drawn

    def card(self, progress: Callable[[float], None]) -> Card:
        """The card; `progress` is called with the fraction done."""
        story, made = self._scene.story, Card()
        count = len(story.sliders) + len(story.try_)
        for done, slider in enumerate(story.sliders):
            self._add_slider(slider, made)
            progress((done + 1) / count)
        for done, trial in enumerate(story.try_):
            self._add_trial(trial, made)
            progress((len(story.sliders) + done + 1) / count)
        return made

    def _change(self, scene: Scene) -> ImageDifference | None:
        """The difference of the image of another scene; None where it has another layout."""
        try:
            simulation = Simulation(scene, self._meshes)
        except InputError:
            return None
        return difference(self._image, pullable_image(simulation))

    def _add_slider(self, slider: CardSlider, made: Card) -> None:
        start = slider_value(self._scene, slider)
        values = np.linspace(slider.low, slider.high, POSITIONS).tolist()
        if start is not None:
            values[int(np.abs(np.array(values) - start).argmin())] = start
        known = [(value, self._change(moved(self._scene, slider, value))) for value in values]
        found = [(value, change) for value, change in known if change is not None]
        if len(found) < 2:
            made.left_out.append(slider.label)
            return
        offsets, restart = self._reach([change for _, change in found], slider.restart)
        positions = [difference_data(self._words(change, offsets), self._blob) for _, change in found]
        at = 0 if start is None else int(np.abs(np.array([value for value, _ in found]) - start).argmin())
        table = {"positions": positions, "start": at, "restart": restart}
        made.sliders.append(Control(offsets, restart, table))
        unit = form_at(self._scene, parse_path(next(iter(slider.set)))).unit
        made.labels.append((slider.label, [value for value, _ in found], unit))

    def _add_trial(self, trial: Trial, made: Card) -> None:
        shown = [name for name in trial.show if name in self._drawn]
        change = None
        if trial.set:
            try:
                change = self._change(tried(self._scene, trial))
            except (InputError, InvalidValue):
                change = None
        if (trial.set and change is None) or len(shown) < len(trial.show):
            made.left_out.append(trial.label)
            return
        offsets, restart = np.zeros(0, np.int64), trial.restart
        table: dict[str, Any] = {"change": None, "undo": None, "show": shown}
        if change is not None:
            offsets, restart = self._reach([change], trial.restart)
            nothing = ImageDifference(np.zeros(0, np.int64), np.zeros(0, np.int64))
            table["change"] = difference_data(self._words(change, offsets), self._blob)
            table["undo"] = difference_data(self._words(nothing, offsets), self._blob)
        made.trials.append(Control(offsets, restart, table | {"restart": restart}))
        made.buttons.append(trial.label)

    def _reach(self, changes: list[ImageDifference], restart: bool) -> tuple[np.ndarray, bool]:
        """Offsets of all words that some changes write, and whether they begin the run again."""
        offsets = np.unique(np.concatenate([change.offsets for change in changes]))
        beginning = np.concatenate([self._offsets(MOMENTUM), self._state()])
        restart = restart or bool(np.isin(offsets, beginning).any())
        return (offsets if restart else offsets[np.isin(offsets, self._offsets(LIVE))]), restart

    def _offsets(self, beginnings: tuple[str, ...]) -> np.ndarray:
        """Offsets of the words of the members whose paths begin so."""
        members = [each for path, each in self._image.members.items() if path.startswith(beginnings)]
        spans = [
            np.arange(each.offset, each.offset + max(int(np.prod(each.shape)) * np.dtype(each.kind).itemsize, 1))
            for each in members
        ]
        return np.unique(np.concatenate(spans) // WORD.itemsize) * WORD.itemsize

    def _state(self) -> np.ndarray:
        """Offsets of the words of the state: who changes a start value wants a run from there."""
        return self._image.places["state"] + WORD.itemsize * np.arange(self._image.size_of_state)

    def _words(self, change: ImageDifference, offsets: np.ndarray) -> ImageDifference:
        """The words at some offsets with a change, also where it does not change them."""
        words = np.frombuffer(change.in_block(self._image.content), WORD)
        return ImageDifference(offsets, words[offsets // WORD.itemsize])


def _meet(one: np.ndarray, other: np.ndarray) -> bool:
    """Whether two arrays of offsets have some in common."""
    return bool(np.isin(one, other).any())
