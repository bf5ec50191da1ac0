"""The edited document: a scene, its file, and the undo stack. No Qt."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

from polhode.scene.checks.story_rules import with_sound_story
from polhode.scene.scene import Scene
from polhode_app.edit.parts import LISTS
from polhode_app.messages import new_generation

if TYPE_CHECKING:
    from polhode.recording.reader import RecordedRun


@dataclass(frozen=True)
class Document:
    """A scene with its file and its undo and redo stacks. The stacks hold whole scenes, which share unchanged parts."""

    scene: Scene
    path: Path | None = None
    undo: tuple[Scene, ...] = ()  # earlier scenes, the last one is restored first
    redo: tuple[Scene, ...] = ()  # undone scenes, the last one is restored first
    saved: Scene | None = None  # content of the file, or the initial scene
    stroke: object = None  # identifies the gesture of the newest edit; edits of one gesture are undone together
    recording: RecordedRun | None = None  # shown instead of a run
    generation: int = field(default_factory=new_generation)  # of the scene, as in app/polhode_app/messages.py
    number: int = field(default_factory=count(1).__next__)  # the same after edits, undo and redo

    @property
    def is_saved(self) -> bool:
        """Whether there are no unsaved changes."""
        return self.scene == self.saved

    @property
    def is_empty(self) -> bool:
        """Whether the scene has no items but a floor."""
        return not any(getattr(self.scene, key) for key in LISTS if key != "wall")

    def is_version_of(self, other: Document) -> bool:
        """Whether one document was made from the other by edits, undo and redo."""
        return self.number == other.number

    def edited(self, scene: Scene, stroke: object = None) -> Document:
        """The document after an edit that results in `scene`; the redo stack is cleared.

        Edits with the same `stroke`, such as the steps of one drag, are merged into one undo step.
        """
        scene = with_sound_story(scene)
        undo = self.undo if stroke is not None and stroke is self.stroke else (*self.undo, self.scene)
        return self._with(scene, undo, (), stroke)

    def undone(self) -> Document:
        """The document after one undo; the undo stack must not be empty."""
        return self._with(self.undo[-1], self.undo[:-1], (*self.redo, self.scene))

    def redone(self) -> Document:
        """The document after one redo; the redo stack must not be empty."""
        return self._with(self.redo[-1], (*self.undo, self.scene), self.redo[:-1])

    def forgetting(self, refused: Scene) -> Document:
        """The document without a scene that the physics has refused, so that undo goes past it."""
        return replace(self, undo=tuple(each for each in self.undo if each is not refused))

    def _with(self, scene: Scene, undo: tuple[Scene, ...], redo: tuple[Scene, ...], stroke: object = None) -> Document:
        """Another version of the document, which runs."""
        changes = {"scene": scene, "undo": undo, "redo": redo, "stroke": stroke}
        return replace(self, **changes, recording=None, generation=new_generation())
