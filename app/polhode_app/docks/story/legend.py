"""Legend of the arrows and curves that are shown: their colours, symbols and names."""

from __future__ import annotations

from collections.abc import Mapping

from polhode.scene.scene import Scene
from polhode_app.i18n.translation import translate
from polhode_app.viewport.base.palette import THEMES
from polhode_app.viewport.record import LegendEntry
from polhode_app.viewport.registry import VIEWS


def legend_entries(scene: Scene, visible: Mapping[str, bool], theme: str) -> list[LegendEntry]:
    """Lines for the views that are visible and have something to show in the scene, in the current language."""
    shown = [record for name, record in VIEWS.items() if visible.get(name) and record.is_in(scene)]
    return [
        each._replace(color=THEMES[theme].color(each.color), name=translate(each.name))
        for record in shown
        for each in record.legend
    ]
