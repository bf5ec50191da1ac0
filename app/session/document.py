"""The edited document: a scene, its file, and the undo stack. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path

from core.scene.scene import Scene


@dataclass(frozen=True)
class Document:
    """A scene with its file and its undo and redo stacks. The stacks hold whole scenes, which share unchanged parts."""

    scene: Scene
    path: Path | None = None
    undo: tuple[Scene, ...] = ()  # earlier scenes, the last one is restored first
    redo: tuple[Scene, ...] = ()  # undone scenes, the last one is restored first
    saved: Scene | None = None  # content of the file, or the initial scene
    stroke: object = None  # identifies the gesture of the newest edit; edits of one gesture are undone together

    @property
    def is_saved(self) -> bool:
        """Whether there are no unsaved changes."""
        return self.scene is self.saved

    def is_like(self, other: Document) -> bool:
        """Whether one document can be reached from the other by undo and redo."""
        mine, theirs = ({id(each) for each in (one.scene, *one.undo, *one.redo)} for one in (self, other))
        return not mine.isdisjoint(theirs)

    def edited(self, scene: Scene, stroke: object = None) -> Document:
        """The document after an edit that results in `scene`; the redo stack is cleared.

        Edits with the same `stroke`, such as the steps of one drag, are merged into one undo step.
        """
        undo = self.undo if stroke is not None and stroke is self.stroke else (*self.undo, self.scene)
        return replace(self, scene=scene, undo=undo, redo=(), stroke=stroke)

    def undone(self) -> Document:
        """The document after one undo; the undo stack must not be empty."""
        return replace(self, scene=self.undo[-1], undo=self.undo[:-1], redo=(*self.redo, self.scene), stroke=None)

    def redone(self) -> Document:
        """The document after one redo; the redo stack must not be empty."""
        return replace(self, scene=self.redo[-1], undo=(*self.undo, self.scene), redo=self.redo[:-1], stroke=None)
