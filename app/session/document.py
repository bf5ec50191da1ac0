"""The document: a scene, its file, and the edits that can be undone and done again. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from core.scene.scene import Scene


@dataclass(frozen=True)
class Document:
    """A scene with its file and its past and future of edits. Undo is a list of old scenes."""

    scene: Scene
    path: Path | None = None
    undo: tuple[Scene, ...] = ()
    redo: tuple[Scene, ...] = ()
    saved: Scene | None = None  # what its file holds, or what it began as
    stroke: object = None  # what the newest edit is a part of; all parts of a stroke are undone together

    @property
    def is_saved(self) -> bool:
        return self.scene is self.saved

    def is_like(self, other: Document) -> bool:
        """Whether edits, undone or not, lead from one to the other."""
        mine, theirs = ({id(each) for each in (one.scene, *one.undo, *one.redo)} for one in (self, other))
        return not mine.isdisjoint(theirs)

    def edited(self, scene: Scene, stroke: object = None) -> Document:
        undo = self.undo if stroke is not None and stroke is self.stroke else (*self.undo, self.scene)
        return replace(self, scene=scene, undo=undo, redo=(), stroke=stroke)

    def undone(self) -> Document:
        return replace(self, scene=self.undo[-1], undo=self.undo[:-1], redo=(*self.redo, self.scene), stroke=None)

    def redone(self) -> Document:
        return replace(self, scene=self.redo[-1], undo=(*self.undo, self.scene), redo=self.redo[:-1], stroke=None)
