"""Uncertainties of numbers, which the files of other programs have no place for."""

from __future__ import annotations

from polhode.scene.fields import written
from polhode.scene.message import Message, plural
from polhode.scene.scene import Scene
from polhode.scene.uncertain import uncertain_numbers


def lost_uncertainties(scene: Scene) -> list[Message]:
    """A note on the uncertain numbers of a scene, of which a file has only the mean; none without any."""
    places = [written(path) for path, _ in uncertain_numbers(scene)]
    note = plural(
        "{places}: the uncertainty is left out, the mean is written",
        "{places}: their uncertainties are left out, their means are written",
        count=len(places),
        places=", ".join(places),
    )
    return [note] if places else []
