"""Legends of views: the lines of text that explain colours and lengths of their arrows, in all languages."""

from __future__ import annotations

from vtkmodules.vtkRenderingCore import vtkRenderer, vtkTextActor

from polhode.simulation.snapshot import Snapshot
from polhode_app.export.motion.parts import Legend
from polhode_app.i18n.language import LANGUAGES, in_language
from polhode_app.viewport.base.palette import RGB
from polhode_app.viewport.record import ViewBase
from polhode_app.viewport.registry import VIEWS

NORMALIZED_VIEWPORT = 3  # VTK_NORMALIZED_VIEWPORT, of polhode_app.viewport.base.text_actor.text_actor
Line = tuple[str, RGB]


class Legends:
    """Texts of the legends of views; the frames at which they change are kept."""

    def __init__(self) -> None:
        self.found: list[Legend] = []
        self._last: dict[str, list[Line]] = {}

    def read(self, name: str, view: ViewBase, renderer: vtkRenderer, now: Snapshot) -> None:
        """Read the legend of a view that has just drawn a snapshot; where it has changed, in every language."""
        here = [] if VIEWS[name].kind == "ground" else lines(renderer)  # its text does not follow the run
        if here == self._last.get(name, []):
            return
        self._last[name] = here
        said = {}
        for language in LANGUAGES:
            with in_language(language):
                view.update(now)
            said[language] = tuple(text for text, _ in lines(renderer))
        view.update(now)
        self.found.append(Legend(name, now.time, tuple(color for _, color in here), said))


def lines(renderer: vtkRenderer) -> list[Line]:
    """Visible texts at the edges of the picture and their colours, from top to bottom."""
    props = renderer.GetViewProps()
    texts = [prop for prop in (props.GetItemAsObject(k) for k in range(props.GetNumberOfItems())) if _is_shown(prop)]
    texts.sort(key=lambda text: -text.GetPositionCoordinate().GetValue()[1])
    return [(text.GetInput(), text.GetTextProperty().GetColor()) for text in texts]


def _is_shown(prop: object) -> bool:
    """Whether a prop is a visible text that has its place in the picture, not in the scene."""
    if not isinstance(prop, vtkTextActor) or not prop.GetVisibility() or not prop.GetInput():
        return False
    return bool(prop.GetPositionCoordinate().GetCoordinateSystem() == NORMALIZED_VIEWPORT)
