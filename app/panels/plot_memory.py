"""What was plotted of each scene, as text of the settings."""

from __future__ import annotations

import json
from typing import Any

from app.edits import Document
from app.settings import Settings

SCENES = 40  # that are remembered


class PlotMemory:
    """Choices by scene: the file of one, or its title where it has none."""

    def __init__(self, settings: Settings):
        self._settings = settings

    def of(self, document: Document) -> dict[str, Any]:
        """What was chosen for a scene; nothing, if it was never."""
        found = self._all().get(_key(document), {})
        return found if isinstance(found, dict) else {}

    def keep(self, document: Document, chosen: dict[str, Any]) -> None:
        """Remember this for a scene, as the newest."""
        known = self._all()
        known.pop(_key(document), None)
        known[_key(document)] = chosen
        self._settings.plots = json.dumps(dict([*known.items()][-SCENES:]))

    def _all(self) -> dict[str, Any]:
        try:
            known = json.loads(self._settings.plots or "{}")
        except ValueError:  # somebody has edited the settings
            return {}
        return known if isinstance(known, dict) else {}


def _key(document: Document) -> str:
    return str(document.path) if document.path is not None else document.scene.title
