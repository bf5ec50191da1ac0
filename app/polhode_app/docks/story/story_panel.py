"""Shows the story of a scene when it is opened, and does what its buttons say."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import QObject

from polhode.analysis.followers import has_followers
from polhode.scene.checks.story_rules import is_on, moved, slider_value, tried, untried
from polhode.scene.display.story import CardSlider, Trial
from polhode.scene.fields import form_at, parse_path
from polhode.scene.problem import InputError, InvalidValue
from polhode.scene.scene import Scene
from polhode_app.docks.story.card_slider import CardSliderRow
from polhode_app.docks.story.empty_hint import EmptyHint
from polhode_app.docks.story.legend import legend_entries
from polhode_app.docks.story.story_card import StoryCard
from polhode_app.i18n.field_names import scene_description, scene_title
from polhode_app.i18n.language import tr
from polhode_app.messages import FrameData
from polhode_app.session.document import Document
from polhode_app.viewport.record import LegendEntry
from polhode_app.window.parts.window_part import WindowPart
from polhode_app.window.shell.window_context import WindowContext


class StoryPanel(QObject, WindowPart):
    """Manages the card of a window.

    Whether it is open is remembered in the settings. A scene without a story shows the first sentence of its
    description; one without both has no card. A scene with a story that follows the distance sensor opens the sensor
    dock, which is closed again for a scene that does not. What buttons show is shown in their scene alone. An empty
    scene has a hint how to begin.
    """

    def __init__(self, context: WindowContext):
        """Create the card, and follow the scenes of the session."""
        super().__init__(context.window)
        self._session, self._settings, self._scene_view = context.session, context.settings, context.scene_view
        self._action, self._sensor_action = context.actions["story"], context.actions["sensor"]
        self._view = context.view
        self.card, self.empty_hint = StoryCard(context.view), EmptyHint(context)
        self._has_opened_sensor = False  # the dock is open because of a scene
        self._shown: tuple[object, ...] = ()  # contents of the card
        self._legend: list[LegendEntry] = []
        self._valued: Scene | None = None  # scene whose values the sliders show
        self._compared: Scene | None = None  # scene for which `_set` holds
        self._set: list[bool] = []  # whether it has the values of each thing to try
        self._action.setChecked(self._settings.story)
        self.card.closed.connect(lambda: self._action.setChecked(False))
        self.card.opened.connect(lambda: self._action.setChecked(True))
        self._session.scene_changed.connect(self._on_scene_changed)
        self._session.coming_changed.connect(lambda _document: self.refresh())
        self._sensor_action.toggled.connect(self._on_sensor_toggled)
        self.card.retranslate()
        self.set_theme()

    def set_theme(self) -> None:
        """Adopt the colours of the view."""
        self.card.set_theme(self._scene_view.theme_name)

    def retranslate(self) -> None:
        """Show the card in the current language."""
        self.card.retranslate()
        self.empty_hint.retranslate()
        self._shown = ()
        self.refresh()

    def refresh(self) -> None:
        """Show the story of the shown document, if it is another one than the card shows."""
        document = self._session.shown
        scene = document.scene
        self.empty_hint.show_for(scene)
        contents = document.number, scene.title, scene.description, scene.story
        if contents != self._shown:
            self._shown = contents
            trials = [(tr(trial.label), self._trial(trial)) for trial in scene.story.try_]
            self._legend = self._current_legend()
            rows = [self._slider(scene, slider) for slider in scene.story.sliders]
            self.card.show_story(scene_title(scene), story_text(document), rows, trials, self._legend)
            self._valued = None
        has_story = bool(scene.title and story_text(document))
        if has_story:
            self.card.set_open(self._settings.story)
        else:
            self.card.withdraw()
        self._frame_beside()
        self._show_tried()

    def show_frame(self, frame: FrameData, wall: float) -> None:
        """Adapt the legend to the views that are shown, and the place to other frames."""
        if self.card.isVisible():
            legend = self._current_legend()
            if legend != self._legend:
                self._legend = legend
                self.card.show_legend(legend)
            self.card.place()
            self._frame_beside()
            self._show_tried()

    def _show_tried(self) -> None:
        """Show the values of the sliders, and check the buttons whose values are set or whose views are shown."""
        scene, visible = self._session.scene, self._scene_view.visible
        if scene is not self._valued:
            self._valued = scene
            for slider, row in zip(scene.story.sliders, self.card.sliders, strict=False):
                value = slider_value(scene, slider)
                row.setEnabled(value is not None)
                if value is not None:
                    row.show_value(value)
        if scene is not self._compared:
            self._compared = scene
            self._set = [is_on(scene, trial) for trial in scene.story.try_]
        shown = [bool(trial.show) and all(map(visible.get, trial.show)) for trial in scene.story.try_]
        states = [
            (on or not trial.set) and (seen or not trial.show) and bool(trial.set or trial.show)
            for trial, on, seen in zip(scene.story.try_, self._set, shown, strict=True)
        ]
        if len(states) == len(self.card.buttons):
            self.card.show_tried(states)

    def _frame_beside(self) -> None:
        """Move the framed scene beside the card."""
        self._scene_view.free_area = self.card.free_area
        self._view.set_free_area(self.card.free_area)

    def _current_legend(self) -> list[LegendEntry]:
        """Legend of the views that are visible."""
        return legend_entries(self._session.shown.scene, self._scene_view.visible, self._scene_view.theme_name)

    def set_open(self, on: bool) -> None:
        """Open or close the card, also in later sessions."""
        self._settings.story = on
        self.refresh()

    def _on_scene_changed(self, document: Document) -> None:
        """Show the story of the scene, and the sensor dock for one that follows the sensor."""
        self.refresh()
        if self._session.diff.is_edit or document.recording is not None:
            return
        if has_followers(document.scene):
            if self._settings.story and document.scene.story.text and not self._sensor_action.isChecked():
                self._sensor_action.setChecked(True)
                self._has_opened_sensor = True
        elif self._has_opened_sensor:
            self._sensor_action.setChecked(False)

    def _on_sensor_toggled(self) -> None:
        """The sensor dock was opened or closed; later actions of the user are not reverted."""
        self._has_opened_sensor = False

    def _slider(self, scene: Scene, slider: CardSlider) -> CardSliderRow:
        """The row of a slider."""
        form = form_at(scene, parse_path(next(iter(slider.set))))
        ends, is_live = (slider.low, slider.high), not slider.restart
        move = partial(self._move, slider)
        return CardSliderRow(tr(slider.label), ends, form.unit, is_live, move)

    def _move(self, slider: CardSlider, value: float, stroke: object) -> None:
        """Set the numbers of a slider to a value [SI]."""
        try:
            scene = moved(self._session.newest.scene, slider, value)
        except InputError as error:
            self._session.edit_refused.emit(error)
        except InvalidValue as error:
            self._session.edit_refused.emit(InputError(self._session.scene.title, [error.problem]))
        else:
            self._session.edit(scene, stroke, restart=slider.restart)

    def _trial(self, trial: Trial) -> Callable[[], None]:
        """Function of a button."""
        return lambda: self._try(trial)

    def _try(self, trial: Trial) -> None:
        """Set the values, and show the views; take back what is on, unless the run is to start again."""
        visible, was_on = self._scene_view.visible, is_on(self._session.scene, trial)
        on = not all(visible.get(name) for name in trial.show)
        for name in trial.show:
            self._scene_view.set_visible(name, on, lasting=False)
        self._view.redraw()
        if not trial.set:
            if trial.restart and (on or not trial.show):
                self._session.reset()
                self._session.play(True)
            return
        saved = self._session.document.saved
        try:
            if was_on and saved is not None and not trial.restart:
                scene = untried(self._session.scene, trial, saved)
            else:
                scene = tried(self._session.scene, trial)
        except LookupError:
            return  # the file has no such item
        except InputError as error:
            self._session.edit_refused.emit(error)
            return
        except InvalidValue as error:
            self._session.edit_refused.emit(InputError(self._session.scene.title, [error.problem]))
            return
        self._session.edit(scene, restart=trial.restart)
        self._session.play(True)


def story_text(document: Document) -> str:
    """Sentence of the story, translated; without a story the first sentence of the description."""
    scene = document.scene
    if scene.story.text:
        line = " ".join(scene.story.text.split())
        return tr(line)
    description = scene_description(scene)
    for end in (". ", "。"):
        first, found, _ = description.partition(end)
        if found:
            return first + end.strip()
    return description
