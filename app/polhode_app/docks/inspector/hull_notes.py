"""Notes on the surfaces with which shapes of a body press on others, where these are not their own."""

from __future__ import annotations

from contextlib import suppress

from pydantic import BaseModel

from polhode.physics.bodies.shapes import ShapeBase
from polhode.scene.fields import FieldPath
from polhode.scene.message import Message
from polhode.scene.problem import InputError
from polhode.scene.scene import Body, Scene
from polhode_app.session.session import Session

Key = tuple[Body, int | None, float]  # a body with its contact, the format of the scene, the largest sphere


class HullNotes:
    """The notes of a session, kept for the body that was asked for last."""

    def __init__(self, session: Session):
        self._session = session
        self._known: tuple[Key, list[tuple[ShapeBase, Message]]] | None = None

    def of(self, path: FieldPath, part: BaseModel) -> list[Message]:
        """Notes on the shapes of a body, or on one of them, at a path."""
        if path[:1] != ("body",) or not isinstance(part, Body | ShapeBase):
            return []
        scene, meshes = self._session.scene, self._session.meshes
        if meshes is None or self._session.is_pending:  # what is computed for a scene is not computed here as well
            return []
        notes = self._notes(scene, scene.body[int(path[1])])
        return [note for shape, note in notes if isinstance(part, Body) or shape == part]

    def _notes(self, scene: Scene, body: Body) -> list[tuple[ShapeBase, Message]]:
        if body.contact is None or self._session.meshes is None:
            return []
        # these import the compiler, for which the window does not wait
        from polhode.physics.contact.compile import sphere_radii  # noqa: PLC0415
        from polhode.physics.contact.shapes_in_contact import shapes_in_contact  # noqa: PLC0415

        key = body, scene.format, sphere_radii(scene)
        if self._known is None or self._known[0] != key:
            notes: list[tuple[ShapeBase, Message]] = []
            with suppress(InputError):  # the session shows it
                found = shapes_in_contact(scene, body, self._session.meshes)
                notes = [(each.shape, each.note) for each in found]
            self._known = key, notes
        return self._known[1]
