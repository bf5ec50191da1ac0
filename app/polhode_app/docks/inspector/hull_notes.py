"""Notes on the surfaces with which shapes of a body press on others, where these are not their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from pydantic import BaseModel

from polhode.physics.bodies.description import PRESSING_AS_SEEN
from polhode.physics.bodies.shapes import ShapeBase
from polhode.scene.fields import FieldPath
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Body, Scene
from polhode.scene.variants.conversion import SAME
from polhode_app.jobs import Job
from polhode_app.messages import FrameData
from polhode_app.session.session import Session
from polhode_app.window.parts.window_part import WindowPart

if TYPE_CHECKING:
    from polhode.mesh.mesh import Meshes

Key = tuple[Body, int | None, float]  # a body with its contact, the format of the scene, the largest sphere
Notes = list[tuple[ShapeBase, Message]]
COMPUTING = Message("computing the surfaces that press")


class HullNotes(WindowPart):
    """The notes of a session, computed in the background and kept for the body that was asked for last."""

    def __init__(self, session: Session, changed: Callable[[], None]):
        """Prepare the thread. changed: called when notes are known that `of` did not have"""
        self._session, self._changed = session, changed
        self._job = Job("notes on contacts")
        self._asked: Key | None = None
        self._known: tuple[Key, Notes] | None = None

    def of(self, path: FieldPath, part: BaseModel) -> list[Message]:
        """Notes on the shapes of a body, or on one of them, at a path."""
        if path[:1] != ("body",) or not isinstance(part, Body | ShapeBase):
            return []
        scene, meshes = self._session.scene, self._session.meshes
        if meshes is None or self._session.is_pending:  # what is computed for a scene is not computed here as well
            return []
        body = scene.body[int(path[1])]
        kinds = set(PRESSING_AS_SEEN).difference(SAME)
        if body.contact is None or not any(shape.kind in kinds for shape in body.shape):
            return []
        notes = self._notes(scene, body, meshes)
        if notes is None:
            return [COMPUTING]
        return [note for shape, note in notes if isinstance(part, Body) or shape == part]

    def tick(self, wall: float, passed: Sequence[FrameData]) -> bool:
        """Take notes that are finished."""
        ready = self._job.poll()
        if ready is not None:
            self._asked = None
            if not isinstance(ready, InputError):
                self._known = ready
                self._changed()
        return False

    def stop(self) -> None:
        """End the thread."""
        self._job.close()

    def _notes(self, scene: Scene, body: Body, meshes: Meshes) -> Notes | None:
        """Those of a body; None while they are computed."""
        # these import the compiler, for which the window does not wait
        from polhode.physics.contact.compile import sphere_radii  # noqa: PLC0415
        from polhode.physics.contact.shapes_in_contact import shapes_in_contact  # noqa: PLC0415

        key = body, scene.format, sphere_radii(scene)
        if self._known is not None and self._known[0] == key:
            return self._known[1]

        def computed() -> tuple[Key, Notes]:
            notes: Notes = []
            with suppress(InputError):  # the session shows it
                notes = [(each.shape, each.note) for each in shapes_in_contact(scene, body, meshes)]
            return key, notes

        if self._asked != key:
            self._asked = key
            self._job.start(lambda _check: computed())
        return None
