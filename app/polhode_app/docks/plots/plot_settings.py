"""Settings of the plots by scene, and the columns that are plotted by default."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pydantic import FiniteFloat, TypeAdapter

from polhode.scene.scene import Scene
from polhode_app.session.document import Document
from polhode_app.session.settings import Settings
from polhode_app.stored_values import json_object, read_as

if TYPE_CHECKING:
    from polhode.engine.compiled_scene import CompiledScene

MAX_SCENES = 40  # number of scenes whose settings are kept
DEFAULT_COLUMNS = ("energy.kinetic", "energy.total")


def usual(compiled: CompiledScene | None, names: Iterable[str]) -> list[str]:
    """Default columns of a scene: energies, and the height of the first item that can move.

    A body with a joint to the laboratory comes last, because the joint may be at the point whose height it is.
    """
    free = [body.name for body in compiled.scene.bodies if body.support == "free"] if compiled else []
    held = {joint.first for joint in compiled.scene.joint if joint.second is None} if compiled else set()
    free.sort(key=lambda name: name in held)
    at_rest = {f"{name}.position.z" for name in _fixed_points(compiled.scene)} if compiled else set()
    heights = [name for name in names if name.endswith(".position.z") and name not in at_rest]
    first = [f"{name}.position.z" for name in free] or [
        name for name in heights if name not in {f"{body.name}.position.z" for body in compiled.scene.bodies}
    ]
    return [*DEFAULT_COLUMNS, *first[:1]]


def _fixed_points(scene: Scene) -> set[str]:
    """Names of the fixed particles and of the fixed points of soft bodies, as in columns."""
    return {each.name for each in scene.particle if each.fixed} | {f"{s.name}.{k}" for s in scene.soft for k in s.fixed}


@dataclass(frozen=True)
class Choices:
    """Stored settings of a scene: columns and kind of the plots, and `XYPanel.settings`."""

    columns: tuple[str, ...] = ()
    kind: str = ""
    beside: bool = False  # whether the plots of items are side by side
    x: str = ""
    y: str = ""
    watched: str = ""
    window: str = ""
    log: bool = False
    level: FiniteFloat | None = None  # None: found from the samples


CHOICES = TypeAdapter(Choices | None)


class PlotSettings:
    """Plot settings of the last MAX_SCENES scenes, as JSON in the settings of the program.

    The key of a scene is its path, or its title if it has no file.
    """

    def __init__(self, settings: Settings):
        self._settings = settings

    def of(self, document: Document) -> Choices | None:
        """Settings stored for a document; None if there are none."""
        return read_as(CHOICES, self._load().get(_key(document)), None)

    def save(self, document: Document, chosen: dict[str, Any]) -> None:
        """Store settings as the newest. Documents without file and title are not stored."""
        if not _key(document):
            return
        with self._settings.exclusive():
            known = self._load()
            known.pop(_key(document), None)
            known[_key(document)] = chosen
            self._settings.plots = json.dumps(dict([*known.items()][-MAX_SCENES:]))

    def _load(self) -> dict[str, Any]:
        """All stored settings; empty if the text is not valid."""
        return json_object(self._settings.plots)


def _key(document: Document) -> str:
    """Path or title of a document."""
    return str(document.path) if document.path is not None else document.scene.title
