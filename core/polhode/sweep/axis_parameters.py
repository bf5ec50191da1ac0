"""The numbers of a scene that an axis of a sweep can vary."""

from __future__ import annotations

from collections.abc import Iterator

from polhode.scene.fields import Form, at, numbers, written
from polhode.scene.scene import Scene

NOT_VARIED = ("format", "units", "view", "sweep", "story")
TILT = Form("number", "rad", help="Turns the start about an axis of the laboratory through the body's origin.")


def axis_parameters(scene: Scene) -> Iterator[tuple[str, Form, float]]:
    """Path, form and stated value [SI] of every number that an axis can vary; tilts, 0 at the start, come first."""
    for number, body in enumerate(scene.body):
        if body.support not in ("fixed", "driven"):
            for k in range(3):
                yield f"body[{number}].tilt[{k}]", TILT, 0.0
    for path, form in numbers(scene):
        if form.kind in ("number", "whole") and path[0] not in NOT_VARIED:
            yield written(path), form, float(at(scene, path))
