"""Remedies for names that a scene does not have."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches

from polhode.scene.message import Message
from polhode.scene.problem import MOST

LONGEST = 60  # characters of a list of names


class KnownNames:
    """The names that things of one sort have, for all checks of one scene.

    A similar name is looked for in the first MOST remedies only, which are those that are listed: the search costs as
    much as there are names, and a scene may misspell thousands among thousands.
    """

    def __init__(self, names: Iterable[str], otherwise: Message | None = None):
        """otherwise: the remedy where no name is similar; by default the list of all names"""
        self._names = list(names)
        listed = ", ".join(self._names[:LONGEST])
        shown = listed if len(listed) <= LONGEST else listed[: LONGEST - 3] + "..."
        self._otherwise = otherwise or Message("choose from {known}", known=shown)
        self._left = MOST

    def remedy(self, name: str, template: str = "{near}") -> Message:
        """Remedy for an unknown name; a similar one is shown in place of `{near}` in `template`."""
        self._left -= 1
        near = get_close_matches(name, self._names, 1) if self._left >= 0 else []
        return Message("did you mean '{near}'?", near=template.replace("{near}", near[0])) if near else self._otherwise
