"""Display names of the numbers of a scene: item, field and component."""

from __future__ import annotations

from polhode.scene.fields import FieldPath, at, parse_path
from polhode.scene.scene import Scene
from polhode_app.i18n.field_names import label, label_at, named, unit_text

COMPONENTS = ("x", "y", "z")


def parameter_name(scene: Scene, parameter: str, unit: str = "") -> str:
    """Display name of a number of a scene, by its path such as "world.gravity[2]": "World: gravity z [m/s²]"."""
    try:
        path = parse_path(parameter)
    except ValueError:  # of an item that was removed
        return parameter
    names = []
    for k, step in enumerate(path):
        if isinstance(step, str):
            follows_item = k + 1 < len(path) and isinstance(path[k + 1], int)
            part = _part(scene, path[: k + 2]) if follows_item else None
            name = getattr(part, "name", "") if part is not None else ""
            names.append(named(name) or (label_at(path[: k + 1]).lower() if k else label(step)))
        elif k == len(path) - 1:
            names.append(COMPONENTS[step] if 0 <= step < 3 else str(step))
        elif not getattr(_part(scene, path[: k + 1]), "name", ""):
            names.append(str(step + 1))
    first, *others = names
    text = f"{first}: {' '.join(others)}" if others else first
    return f"{text} [{unit_text(unit)}]" if unit else text


def _part(scene: Scene, path: FieldPath) -> object | None:
    """The part at a path; None if there is none."""
    try:
        return at(scene, path)
    except LookupError:
        return None
