"""Display names of scene fields in the current language: names, help texts and choices.

.ci/translations.py extracts them for the catalogue `scene`.
"""

from __future__ import annotations

from math import inf, isfinite, isnan
from pathlib import Path

from polhode.fitting.quantities.names import FIELD, POINT
from polhode.scene.fields import FieldPath, Form
from polhode.scene.scene import Scene
from polhode_app.i18n.data_files import read_data
from polhode_app.i18n.language import tr

AS_THEY_ARE = ("a", "x", "y", "z", "r1", "r2")  # symbols, displayed unchanged
_DATA = read_data("names")
NAMES: dict[str, str] = _DATA["fields"]
"""Fields that are not called by their keys, by these or by table and key."""
METHODS: dict[str, str] = _DATA["methods"]
"""Display names of the integration methods."""
CHOICES: dict[str, str] = METHODS | _DATA["choices"]
"""Display names of values of fields with fixed choices that are not called by their keys."""
ORIENTATION_LABELS = {"none": "no rotation", "axis": "axis and angle", "basis": "basis"}
"""Display names of the forms in which a rotation is stated."""
JOINT_STATUS: list[str] = _DATA["joint_status"]
"""Words for the status of a joint, by its number (core/polhode/physics/joints/arrays.py)."""
STRING_STATUS = {0: "slack", 5: "taut"}
BREAKING_STATUS = {0: "intact"}
"""Other words for a string, and for a joint that may break and has neither limits nor dry friction."""
AXES = {"u1": "axis u1", "u2": "axis u2", "u3": "axis u3"}
SYSTEM_QUANTITIES: dict[str, str] = _DATA["system_quantities"]
"""Display names of columns in English that do not follow from their parts."""
ITEM = "item: "
"""Beginning of the text that is translated for the name of an item, whose words mean something else elsewhere."""
ITEM_NAMES = frozenset(_DATA["item_names"])
"""Names of items of built-in scenes that are translated, without numbers at their ends."""
ONE = {"soft": "Soft body", "sphere": "Rolling sphere", "sweep": "Map of many runs", "axes": "Axis"}
"""Names of single items that differ from the key of their list."""


def english(key: str, table: str = "") -> str:
    """English display name of a field, by its key in the scene format and that of the table in which it stands."""
    name = NAMES.get(f"{table}.{key}") or NAMES.get(key)
    return name or (key if key in AS_THEY_ARE else key.replace("_", " ").capitalize())


def label(key: str, table: str = "") -> str:
    """Display name of a field, by its key in the scene format and that of the table in which it stands."""
    return tr(english(key, table))


def label_at(path: FieldPath) -> str:
    """Display name of the field at a path, such as ("joint", 0, "motor", "speed")."""
    table, key = ["", *(step for step in path if isinstance(step, str))][-2:]
    return label(key, table)


def joint_status(status: int, joint: object) -> str:
    """The status of a joint in a word."""
    words = STRING_STATUS if getattr(joint, "pull_only", False) else BREAKING_STATUS
    if getattr(joint, "limits", None) is not None or getattr(joint, "dry_friction", 0.0) > 0.0:
        words = {}
    return tr(words.get(status, JOINT_STATUS[status]))


def one(key: str) -> str:
    """Display name of a single item of a list, such as "Body" for `body`."""
    name = ONE.get(key) or key.replace("_", " ").capitalize()
    return tr(name)


def item_label(name: str) -> str:
    """Name of an item with a translation before it, such as "おもり 0 (bob0)"; "" where there is none.

    A number at its end stays.
    """
    word = name.rstrip("0123456789")
    text = ITEM + word
    translated = tr(text)
    if word not in ITEM_NAMES or translated == text:
        return ""
    number = name[len(word) :]
    return f"{translated} {number} ({name})" if number else f"{translated} ({name})"


def named(name: str) -> str:
    """Name of an item with its translation, or as the scene has it."""
    return item_label(name) or name


def choice(value: str) -> str:
    """Display name of one value of a field with fixed choices."""
    name = CHOICES.get(value) or value.replace("_", " ")
    return tr(name)


def scene_title(scene: Scene) -> str:
    """Title of a scene; those of built-in scenes are translated."""
    return tr(scene.title)


def scene_name(scene: Scene, path: Path | None) -> str:
    """Name of a scene for messages and the window title: its title, the name of its file, or "Unnamed"."""
    return scene_title(scene) or (path.stem if path is not None else tr("Unnamed"))


def scene_description(scene: Scene) -> str:
    """Description of a scene in one line; those of built-in scenes are translated."""
    line = " ".join(scene.description.split())
    return tr(line)


def quantity(column: str) -> str:
    """Display name of a column of the table: "knot: angular velocity z" for "knot.angular_velocity.z"."""
    if "[" in column:
        return _of_point(column)
    whole, parts = tr(column), column.split(".")
    if whole != column:
        return whole
    known = [index for index, part in enumerate(parts) if tr(part) != part]
    if not known:
        return _in_english(column)
    of, what, along = parts[: known[-1]], tr(parts[known[-1]]), parts[known[-1] + 1 :]
    if of[:1] == ["ghost"] and len(of) > 1:
        of = [tr("Ghost"), named(".".join(of[1:]))]
    elif len(of) > 1 and of[-1].isdigit():  # a point of a soft body
        of = [named(".".join(of[:-1])), of[-1]]
    elif of:
        of = [named(".".join(of))]
    return " ".join([*of, what, *along])


def _of_point(name: str) -> str:
    """Display name of the position of a point, or of the field at a point: "bob: point (0, 0, -0.5) x"."""
    if (found := FIELD.fullmatch(name)) is not None:
        text = tr("{body}: magnetic field at ({place})") if found["body"] else tr("magnetic field at ({place})")
        of, frame = text.format(place=found["point"], body=named(found["body"] or "")), None
    elif (found := POINT.fullmatch(name)) is not None:
        text = tr("{body}: position") if found["point"] is None else tr("{body}: point ({place})")
        of, frame = text.format(place=found["point"], body=named(found["body"])), found["frame"]
    else:
        return name
    if frame is not None:
        of = tr("{of} in the frame of {frame}").format(of=of, frame=named(frame))
    if found["axis"] is None:
        return tr("{of} along ({way})").format(of=of, way=found["direction"])
    return f"{of} {found['axis']}"


def _in_english(column: str) -> str:
    """Display name of a column in English."""
    if column in SYSTEM_QUANTITIES:
        return SYSTEM_QUANTITIES[column]
    owner, *parts = column.split(".")
    along = parts.pop() if parts and parts[-1] in "xyz" else ""
    if parts:  # the part before the quantity is a name, which may contain dots
        owner, parts = ".".join([owner, *parts[:-1]]), parts[-1:]
    if owner in ("energy", "work"):
        text = f"{parts[0]} energy" if owner == "energy" else f"work of {parts[0]}"
    else:
        text = AXES.get(parts[0], parts[0]) if parts else AXES.get(owner, owner)
    text = " ".join(filter(None, [text.replace("_", " "), along]))
    return text if owner in ("energy", "work") or not parts else f"{owner.replace('ghost.', 'ghost ')}: {text}"


def quantity_with_unit(column: str, unit: str) -> str:
    """Display name of a column with its unit in brackets."""
    return f"{quantity(column)} [{unit_text(unit)}]" if unit else quantity(column)


def unit_text(unit: str) -> str:
    """A unit with superscripts, for display."""
    return unit.replace("^2", "²").replace("^3", "³")


def value_text(value: float, unit: str) -> str:
    """A number [SI] with its unit; of nan that the scene leaves it out."""
    return tr("not stated") if isnan(value) else f"{value:.6g} {unit_text(unit)}".rstrip()


def bounds(form: Form) -> str:
    """Range of a numeric field as text, or "" if it is unbounded."""
    low, high = form.low, form.high
    if isfinite(low) and isfinite(high):
        return f"{low:g} ... {high:g}"
    if low > -inf:
        return f"> {low:g}" if form.beyond else f"≥ {low:g}"
    return f"≤ {high:g}" if high < inf else ""


def tip(form: Form, path: str) -> str:
    """Tooltip of a field: its help text, its range, and its path in the scene file."""
    lines = [tr(form.help) if form.help else "", bounds(form), path]
    return "\n".join(line for line in lines if line)
