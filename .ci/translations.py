"""The catalogues of app/polhode_app/translations: `make translations` collects the texts of the sources and compiles
the .mo files.

New texts enter every .po file without a translation, changed ones with the former translation as a suggestion (fuzzy),
and unused ones are removed. A test reads `complaints`.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from gettext import GNUTranslations
from io import BytesIO
from pathlib import Path
from string import Formatter

from babel.messages import Catalog
from babel.messages.catalog import Message as Entry
from babel.messages.extract import extract_from_file
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from polhode.analysis.columns import KINDS, WORKS  # noqa: E402
from polhode.physics.bodies.columns import COLUMNS as BODY  # noqa: E402
from polhode.physics.breaking.columns import BROKEN  # noqa: E402
from polhode.physics.coils.columns import COLUMNS as COIL  # noqa: E402
from polhode.physics.conductors.columns import HEATING as METAL  # noqa: E402
from polhode.physics.forces.columns import COLUMNS as FORCE  # noqa: E402
from polhode.physics.iron.columns import MAGNETISATION, MOMENT  # noqa: E402
from polhode.physics.joints.columns import COLUMNS as JOINT  # noqa: E402
from polhode.physics.joints.columns import LARGEST, STATUS  # noqa: E402
from polhode.physics.paths.columns import COLUMNS as BEAD  # noqa: E402
from polhode.physics.plates.columns import COLUMNS as PLATE  # noqa: E402
from polhode.physics.plates.columns import HEATING  # noqa: E402
from polhode.physics.tracks.columns import ON_TRACK  # noqa: E402
from polhode.scene import gallery  # noqa: E402
from polhode.scene.fields import forms  # noqa: E402
from polhode.scene.scene import Scene  # noqa: E402
from polhode.scene.scene_file import QUOTED, read_scene  # noqa: E402
from polhode_app.edit.add_menu import ADDITIONS  # noqa: E402
from polhode_app.i18n.data_files import TRANSLATED, read_data, texts_in  # noqa: E402
from polhode_app.i18n.field_names import (  # noqa: E402
    BREAKING_STATUS,
    CHOICES,
    ITEM,
    ITEM_NAMES,
    JOINT_STATUS,
    ONE,
    ORIENTATION_LABELS,
    STRING_STATUS,
    english,
)
from polhode_app.i18n.field_names import NAMES as NAMES_OF_FIELDS  # noqa: E402
from polhode_app.i18n.language import DOMAINS, FOLDER, LANGUAGES  # noqa: E402
from polhode_app.viewport.registry import VIEWS  # noqa: E402
from polhode_app.viewport.vectors.laws import COLORS, NAMES  # noqa: E402
from polhode_app.window.shell.actions import MENUS, SEPARATOR, Group, Row  # noqa: E402

Id = str | tuple[str, str]  # of one form, or of one and of many

MESSAGES = {"Message": None, "plural": (1, 2)}
WINDOW = {"tr": None, "_text": None, "translated": None, "translate": (2,), "QT_TRANSLATE_NOOP": (2,)}
"""Functions whose arguments are texts: all of them the first, or those of these numbers."""
SOURCES = {"core": ("core",), "commands": ("app/polhode_app/__main__.py", "app/polhode_app/cli"), "window": ("app",)}
HEADER = """\
# {name}: texts of {domain}
msgid ""
msgstr ""
"Language: {language}\\n"
"Plural-Forms: {plurals}\\n"
"Content-Type: text/plain; charset=utf-8\\n"

"""
WIDTH = 120
NO_DATE = datetime(2000, 1, 1, tzinfo=UTC)


def template(domain: str) -> Catalog:
    """The texts of a part of the program, without translations."""
    found = _catalogue()
    for text, place in _of_scenes() if domain == "scene" else _of_sources(domain):
        found.add(text, locations=[(place, None)])
    return found


def _catalogue(language: str | None = None) -> Catalog:
    return Catalog(language, domain="", project="Polhode", charset="utf-8")


def _of_sources(domain: str) -> Iterator[tuple[Id, str]]:
    mine = [ROOT / place for place in SOURCES[domain]]
    others = [ROOT / place for other, places in SOURCES.items() if other != domain for place in places]
    others = [other for other in others if any(place in other.parents for place in mine)]
    for path in sorted(path for place in mine for path in ([place] if place.suffix else place.rglob("*.py"))):
        if not any(other == path or other in path.parents for other in others):
            for _, text, _, _ in extract_from_file("python", path, MESSAGES | WINDOW):
                yield text, path.relative_to(ROOT).as_posix()
    for path in sorted(path for place in mine for path in place.rglob(QUOTED.name)):
        for text in texts_in(tomllib.loads(path.read_text("utf-8"))):
            yield text, path.relative_to(ROOT).as_posix()
    if domain == "window":
        for name in TRANSLATED:
            yield from ((text, f"app/polhode_app/texts/{name}.toml") for text in texts_in(read_data(name)))
        yield from ((text, "app/polhode_app/window/shell/actions.py") for text in _of_menus(MENUS))


def _of_menus(rows: tuple[Row, ...]) -> Iterator[str]:
    for row in rows:
        if row is not SEPARATOR:
            yield row.text
        if isinstance(row, Group):
            yield from _of_menus(row.rows)


def _of_scenes() -> Iterator[tuple[str, str]]:
    """Texts made from names in scenes: built-in scenes, fields, views and plotted quantities."""
    for name in gallery.scene_names():
        scene = read_scene(gallery.path(name))
        labels = [part.label for part in (*scene.story.try_, *scene.story.sliders)]
        texts = (scene.title, *(" ".join(text.split()) for text in (scene.description, scene.story.text)), *labels)
        yield from ((text, f"scenes/{name}.toml") for text in (*texts, *_of_lessons(scene)) if text)
    for text in _of_fields():
        yield text, "core/polhode/scene/fields.py"
    for group, additions in ADDITIONS.items():
        yield from (
            (text, "app/polhode_app/edit/add_menu.py") for text in (group, *(each.text for each in additions)) if text
        )
    yield from ((record.title, "app/polhode_app/viewport/registry.py") for record in VIEWS.values())
    yield from ((NAMES.get(law, law), "app/polhode_app/viewport/vectors/laws.py") for law in COLORS)
    yield from ((f"energy.{kind}", "core/polhode/analysis/columns.py") for kind in (*KINDS, "total", "drift"))
    yield from ((f"work.{line}", "core/polhode/analysis/columns.py") for line in WORKS)
    yield from ((column, "core/polhode/physics/bodies/columns.py") for column in BODY)
    yield from ((column, "core/polhode/physics/forces/columns.py") for column in FORCE)
    yield from ((column, "core/polhode/physics/joints/columns.py") for column in (*JOINT, *LARGEST, STATUS, "slide"))
    yield BROKEN, "core/polhode/physics/breaking/columns.py"
    yield from ((column, "core/polhode/physics/plates/columns.py") for column in (*PLATE, *HEATING))
    yield from ((column, "core/polhode/physics/coils/columns.py") for column in (*COIL, "charge"))
    yield from ((column, "core/polhode/physics/iron/columns.py") for column in (*MOMENT, *MAGNETISATION))
    yield from ((column, "core/polhode/physics/conductors/columns.py") for column in METAL)
    yield from ((column, "core/polhode/physics/paths/columns.py") for column in (*BEAD, "angle", "deflection"))
    yield from ((column, "core/polhode/physics/tracks/columns.py") for column in ON_TRACK)
    yield from ((column, "core/polhode/analysis/columns.py") for column in ("sensor.distance", "momentum", "distance"))


def _of_lessons(scene: Scene) -> Iterator[str]:
    """Texts of the lessons of a scene, on one line, as the dock, the worksheet and the page look them up."""
    for lesson in scene.lesson:
        yield lesson.title
        for step in lesson.step:
            yield from (" ".join(text.split()) for text in (step.text, step.ask, *step.choices, step.explain or ""))


def _of_fields() -> Iterator[str]:
    lists = [key for key, form in forms(Scene).items() if form.kind == "parts"]
    yield from (ONE.get(key) or _named(key) for key in (*lists, "shape", "dipole"))
    for model in _models():
        for key, form in forms(model).items():
            yield from (text for text in (form.help, english(key) if key != "format" else "") if text)
            yield from (CHOICES.get(choice) or choice.replace("_", " ") for choice in form.choices if key != "format")
    yield from (*ORIENTATION_LABELS.values(), *JOINT_STATUS, *STRING_STATUS.values(), *BREAKING_STATUS.values())
    yield from (f"{ITEM}{name}" for name in sorted(ITEM_NAMES))
    yield from (name for key, name in NAMES_OF_FIELDS.items() if "." in key)


def _models() -> list[type]:
    found: list[type] = [Scene]
    for model in found:
        found += [inner for form in forms(model).values() for inner in form.models if inner not in found]
    return found


def _named(key: str) -> str:
    return key.replace("_", " ").capitalize()


# Files


def file_of(language: str, domain: str, ending: str) -> Path:
    return FOLDER / language / "LC_MESSAGES" / f"{domain}{ending}"


def read(language: str, domain: str) -> Catalog:
    """The catalogue as its .po file has it; an empty one where there is none."""
    path = file_of(language, domain, ".po")
    if not path.exists():
        return _catalogue(language)
    with path.open("rb") as file:
        return read_po(file, language, charset="utf-8")


def updated(language: str, domain: str, known: dict[Id, str] | None = None) -> Catalog:
    """The catalogue with the texts of the sources as they are now; `known` translations are taken over."""
    catalogue = read(language, domain)
    catalogue.update(template(domain))
    catalogue.obsolete.clear()
    for entry in _entries(catalogue):
        if _is_open(entry) and entry.id in (known or {}):
            entry.string = known[entry.id]
            entry.flags.discard("fuzzy")
    return catalogue


def write(language: str, domain: str, catalogue: Catalog) -> None:
    """The .po and the .mo file. Neither has its date: they change where the texts do, and nowhere else."""
    catalogue.creation_date = catalogue.revision_date = NO_DATE
    text, compiled = BytesIO(), BytesIO()
    write_po(text, catalogue, width=WIDTH, sort_by_file=True, include_lineno=False, omit_header=True)
    write_mo(compiled, catalogue)
    header = HEADER.format(name=LANGUAGES[language], domain=domain, language=language, plurals=catalogue.plural_forms)
    path = file_of(language, domain, ".po")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(header.encode() + text.getvalue())
    file_of(language, domain, ".mo").write_bytes(compiled.getvalue())


# Errors in them


def complaints(language: str, domain: str) -> Iterator[str]:
    """Texts without a translation or with a doubtful one, translations of nothing, and what has not been compiled."""
    catalogue, texts = read(language, domain), template(domain)
    for entry in _entries(texts):
        if catalogue.get(entry.id) is None:
            yield f"{entry.id!r} is missing: run `make translations`"
    for entry in _entries(catalogue):
        if texts.get(entry.id) is None:
            yield f"{entry.id!r} is used nowhere: run `make translations`"
        elif _is_open(entry):
            yield f"{entry.id!r} has no translation, or one of an older text: write it, and remove the mark 'fuzzy'"
        else:
            yield from _filled_otherwise(entry)
    yield from _not_compiled(language, domain, catalogue)


def _not_compiled(language: str, domain: str, catalogue: Catalog) -> Iterator[str]:
    with file_of(language, domain, ".mo").open("rb") as file:
        compiled = GNUTranslations(file)
    for entry in _entries(catalogue):
        found = compiled.ngettext(*entry.id, 2) if entry.pluralizable else compiled.gettext(entry.id)
        if found != _strings(entry)[-1] and not _is_open(entry):
            yield f"{entry.id!r} is translated otherwise in the .mo file: run `make translations`"


def _filled_otherwise(entry: Entry) -> Iterator[str]:
    """Values that a translation does not have, or has in another form."""
    ids = entry.id if isinstance(entry.id, tuple) else (entry.id,)
    wanted = {value for text in ids for value in values(text)}
    for text in _strings(entry):
        if set(values(text)) != wanted:
            yield f"{entry.id!r} is filled with {wanted}, its translation with {set(values(text))}"


def values(text: str) -> Iterator[tuple[str, str | None, str | None]]:
    """The values that a template is filled with: name, format and conversion."""
    try:
        parts = [part[1:] for part in Formatter().parse(text)]
        return iter([part for part in parts if part[0] is not None and (part[0] == "" or part[0].isidentifier())])
    except ValueError:  # a text without values, which has braces
        return iter(())


def _entries(catalogue: Catalog) -> Iterable[Entry]:
    return (entry for entry in catalogue if entry.id)


def _is_open(entry: Entry) -> bool:
    """Whether it has no translation yet, or a doubtful one."""
    return entry.fuzzy or not all(_strings(entry))


def _strings(entry: Entry) -> tuple[str, ...]:
    return entry.string if isinstance(entry.string, tuple) else (entry.string,)


def main() -> None:
    for language in LANGUAGES.keys() - {"en"}:
        old = [entry for domain in DOMAINS for entry in _entries(read(language, domain)) if not _is_open(entry)]
        known = {entry.id: entry.string for entry in old}  # a text may move to another part of the program
        for domain in DOMAINS:
            catalogue = updated(language, domain, known)
            write(language, domain, catalogue)
            missing = sum(map(_is_open, _entries(catalogue)))
            sys.stdout.write(f"{language} {domain}: {len(catalogue)} texts, {missing} to be translated\n")


if __name__ == "__main__":
    main()
