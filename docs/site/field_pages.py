"""Pages with every field of the scene format, from the models themselves: one page for each table of a file."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import inf
from typing import Any

from pydantic import BaseModel

from docs.site.words import prose, say
from polhode.scene.field_docs import docstring
from polhode.scene.fields import Form, forms
from polhode.scene.model_fields import fields_by_key, kind_of
from polhode.scene.scene import Scene
from polhode_app.i18n.field_names import bounds, choice, english, label, one, unit_text
from polhode_app.i18n.language import in_language, tr

STOP = {"en": ".", "ja": "。"}
WORDS = {
    "number": "number",
    "number_or_list": "number, or list of numbers",
    "whole": "whole number",
    "numbers": "{count} numbers",
    "wholes": "{count} whole numbers",
    "formula": "number or formula",
    "formulas": "{count} numbers or formulas",
    "matrix": "{count} rows of numbers",
    "list": "list",
    "rows": "list of vectors",
    "switch": "`true` or `false`",
    "text": "text",
    "color": "colour: name or `#rrggbb`",
    "colors": "colour, or list of colours",
    "end": "name, name with index, or position",
    "part": "table",
    "parts": "list of tables",
    "values": "values by paths of fields",
}
"""Kinds of fields in words."""


def homes() -> dict[type[BaseModel], str]:
    """All models of a scene with the key of the page on which each stands: the first from which it is reached."""
    found: dict[type[BaseModel], str] = {}
    for key, form in forms(Scene).items():
        reached = list(form.models)
        for model in reached:
            found.setdefault(model, key)
            inner = [each for field in forms(model).values() for each in field.models]
            reached += [each for each in inner if each not in reached]
    return found


def field_pages(language: str) -> dict[str, str]:
    """Pages by their path: all tables of a scene file, and one page for each."""
    placed = homes()
    keys = [key for key, form in forms(Scene).items() if form.models]
    with in_language(language):
        pages = {f"format/{key}.md": _page(key, placed, language) for key in keys}
        pages["format/index.md"] = _index(keys, language)
    return pages


def _index(keys: list[str], language: str) -> str:
    lines = [f"# {say('Fields of scene files', language)}", "", say(INTRODUCTION, language), ""]
    lines += _table_head(language)
    for key, form in forms(Scene).items():
        if key not in keys:
            lines.append(_row(Scene, key, form, {}, "", language))
    lines += ["", f"| {say('table', language)} | {say('meaning', language)} |", "|---|---|"]
    for key in keys:
        lines.append(f"| [`{_heading(key)}`]({key}.md) {label(key)} | {prose(tr(forms(Scene)[key].help))} |")
    return "\n".join([*lines, ""])


INTRODUCTION = (
    "A scene is a file in TOML. Numbers are in SI, unless `[units]` states others. These pages are made from the "
    "program's own description of the format, which `polhode schema` prints as a JSON Schema."
)


def _heading(key: str) -> str:
    return f"[[{key}]]" if forms(Scene)[key].kind == "parts" else f"[{key}]"


def _page(key: str, placed: dict[type[BaseModel], str], language: str) -> str:
    told = prose(tr(forms(Scene)[key].help))
    lines = [f"# {label(key)} `{_heading(key)}`", "", *([told, ""] if told != f"{label(key)}{STOP[language]}" else [])]
    for model in (each for each, home in placed.items() if home == key):
        named, kind = _title(model, key)
        if named == label(key):  # of a table that is there once: the title of the page
            named = say("Fields", language)
        lines += [f'## {named}{kind} {{ #{anchor(model)} data-toc-label="{named}" }}', ""]
        if text := described(model):
            lines += [prose(say(text, language)), ""]
        lines += [*_table_head(language)]
        lines += [_row(model, name, form, placed, key, language) for name, form in forms(model).items()]
        lines.append("")
    return "\n".join(lines)


def described(model: type[BaseModel]) -> str:
    """The first paragraph of a model's docstring, in one line."""
    text = docstring(model).split("\n\n")[0]
    return " ".join(text.split())


def anchor(model: type[BaseModel]) -> str:
    """Name of a model in links; two models of one name stand on different pages."""
    return model.__name__.lower()


def _title(model: type[BaseModel], page: str) -> tuple[str, str]:
    """Name of a model, from its field or its kind, and the notation of the kind in a file."""
    listed = model in forms(Scene)[page].models
    if (kind := kind_of(model)) is None:
        return one(page) if listed else label(_table(model)), ""
    named = choice(kind).capitalize()
    return named if listed else f"{label(_table(model))}: {named}", f' `kind = "{kind}"`'


@cache
def _table(model: type[BaseModel]) -> str:
    """The key of the first field that holds a model."""
    owners = (form_key for owner in (Scene, *homes()) for form_key in forms(owner).items())
    return next(key for key, form in owners if model in form.models)


def _table_head(language: str) -> Iterator[str]:
    titles = ("field", "value", "unit and range", "default", "meaning")
    yield "| " + " | ".join(say(title, language) for title in titles) + " |"
    yield "|---|---|---|---|---|"


def _row(
    model: type[BaseModel], key: str, form: Form, placed: dict[type[BaseModel], str], page: str, language: str
) -> str:
    meaning = prose(tr(form.help)) if form.help else ""
    table = _table(model) if model is not Scene else ""
    is_named = english(key, table).lower().replace(" ", "_") != key or language != "en"
    name = label(key, table) if is_named else ""
    title = f"**{name}{STOP[language]}**" if name and key != "format" else ""
    told = " ".join(meaning.split()).removeprefix(f"{name}{STOP[language]}").strip()  # not the same word twice
    meaning = " ".join(filter(None, [title, told]))
    cells = (f"`{key}`", _value(form, placed, page, language), _range(form), _default(model, key, language), meaning)
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def _value(form: Form, placed: dict[type[BaseModel], str], page: str, language: str) -> str:
    if form.kind in ("choice", "constant", "choices", "whole_or_word"):
        words = ", ".join(f"`{each}`" for each in form.choices)
        start = {"choices": "list of", "whole_or_word": "whole number, or"}.get(form.kind, "")
        return f"{say(start, language)} {words}".strip()
    text = say(WORDS[form.kind], language).format(count=form.count)
    if not form.models:
        return text
    named = (f"[{_link_text(each)}]({_link(each, placed, page)})" for each in form.models)
    return f"{text}: {', '.join(named)}"


def _link_text(model: type[BaseModel]) -> str:
    kind = kind_of(model)
    return f"`{kind}`" if kind is not None else label(_table(model))


def _link(model: type[BaseModel], placed: dict[type[BaseModel], str], page: str) -> str:
    home = placed[model]
    return f"#{anchor(model)}" if home == page else f"{home}.md#{anchor(model)}"


def _range(form: Form) -> str:
    limits = bounds(form) if (form.low, form.high) != (-inf, inf) else ""
    return ", ".join(filter(None, [unit_text(form.unit), limits]))


def _default(model: type[BaseModel], key: str, language: str) -> str:
    field = fields_by_key(model)[key]
    if field.is_required():
        return say("must be stated", language)
    return _written(field.get_default(call_default_factory=True))


def _written(value: Any) -> str:
    """A default as a file has it; nothing for tables and what is left out."""
    if value is None or value == "" or value == () or isinstance(value, BaseModel):
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, float):
        return f"`{value:.6g}`"
    if isinstance(value, tuple):
        plain = all(isinstance(each, int | float | str) for each in value)
        return f"`[{', '.join(_written(each).strip('`') for each in value)}]`" if plain else ""
    return f'`"{value}"`' if isinstance(value, str) else f"`{value}`"
