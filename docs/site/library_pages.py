"""Reference of the library: signatures and docstrings of all public names of `polhode`."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

import polhode
from docs.site import field_pages
from docs.site.contents import ROOT
from docs.site.links import Links
from docs.site.words import prose, say

ARGUMENT = re.compile(r"([a-z_]\w*(?:, [a-z_]\w*)*): ")
BEGIN, END = "```python", "```"
LONG = 80  # letters of a line of code
QUOTED = re.compile(r"(: |-> )'([^']*)'")  # annotations, which are texts until they are asked for
NAMELESS = re.compile(r"<(?:function .*|factory)>$")  # defaults that no text can state


def library_sections(language: str, links: Links, page: str = "library.md") -> str:
    """A section for each public name, to stand below the text of the page."""
    things = {name: getattr(polhode, name) for name in sorted(polhode.__all__, key=str.lower)}
    homes = {model: home for model, home in field_pages.homes().items() if things.get(model.__name__) is model}
    lines = [f"## {say('All names', language)}", ""]
    for name, thing in things.items():
        if thing not in homes:
            lines += [*_section(name, thing, language, links, page), ""]
    lines += [f"## {say('Parts of a scene', language)} {{ #parts }}", "", say(PARTS, language), ""]
    lines += [f"| {say('class', language)} | {say('meaning', language)} |", "|---|---|"]
    for model, home in sorted(homes.items(), key=lambda row: row[0].__name__.lower()):
        target = f"format/{home}.md#{field_pages.anchor(model)}"
        text = prose(say(field_pages.described(model), language)).replace("|", chr(92) + "|")
        lines.append(f"| [`{model.__name__}`]({target}) | {text} |")
    return "\n".join([*lines, ""])


PARTS = (
    "The parts of a scene are made with the names of the fields in files, in SI: "
    "`polhode.Cuboid(size=(0.1, 0.1, 0.2), mass=1.0)`. In Python `help(polhode.Cuboid)` states the fields with their "
    "units."
)


def _section(name: str, thing: Any, language: str, links: Links, page: str) -> Iterator[str]:
    file = Path(inspect.getsourcefile(thing) or "").relative_to(ROOT).as_posix()
    yield f"### `{name}` {{ #{name} }}"
    yield ""
    yield f"{say('Defined in', language)} [`{file}`]({links.source(file, page)}){'.' if language == 'en' else ''}"
    yield ""
    if not (isinstance(thing, type) and issubclass(thing, BaseModel)):
        yield from _signature(name, thing)
    yield from _text(inspect.getdoc(thing), _parameters(thing))
    if not isinstance(thing, type):
        return
    if issubclass(thing, BaseModel):
        yield f"[{say('Fields of scene files', language)}](format/index.md)"
        yield ""
    elif is_dataclass(thing):
        yield from _fields(thing, language)
    for method, member in _members(thing):
        yield f"#### `{name}.{method}` {{ #{name}.{method} }}"
        yield ""
        if isinstance(member, property):
            kind = say("property", language)
            returns = inspect.get_annotations(member.fget).get("return", "") if member.fget else ""
            yield f"*{kind}*: `{returns}`"
            yield ""
        else:
            yield from _signature(method, member)
        yield from _text(inspect.getdoc(member), _parameters(member))


def _members(thing: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that a class and its bases of this program define, in the order of the source."""
    seen = set()
    for base in thing.__mro__:
        if not base.__module__.startswith("polhode."):
            continue
        for name, member in dict(vars(base)).items():
            function = getattr(member, "__func__", member)
            own = inspect.isfunction(function) and function.__module__.startswith("polhode.")  # pydantic adds others
            is_pydantic = hasattr(BaseModel, name)  # of its own, also where it is replaced
            if name.startswith("_") or name in seen or is_pydantic or not (own or isinstance(member, property)):
                continue
            seen.add(name)
            yield name, member


def _fields(thing: type, language: str) -> Iterator[str]:
    """Fields of a data class with the comment or docstring of each."""
    yield f"| {say('field', language)} | {say('type', language)} | {say('meaning', language)} |"
    yield "|---|---|---|"
    meanings = _meanings(thing)
    for each in fields(thing):
        if not each.name.startswith("_"):
            meaning = meanings.get(each.name, "").replace("|", chr(92) + "|")
            yield f"| `{each.name}` | `{each.type}` | {meaning} |"
    yield ""


def _meanings(thing: type) -> dict[str, str]:
    """Descriptions of the fields of a data class, by name: the comment on its line, else the docstring below it."""
    source = inspect.getsource(thing)
    lines, made = source.split("\n"), {}
    statements = ast.parse(source).body[0].body  # type: ignore[attr-defined]
    for each, following in zip(statements, [*statements[1:], None], strict=True):
        if isinstance(each, ast.AnnAssign):
            text = lines[each.end_lineno - 1].encode()[each.end_col_offset :].decode().strip().removeprefix("#")
            if not text and isinstance(following, ast.Expr) and isinstance(following.value, ast.Constant):
                text = str(following.value.value)
            made[ast.unparse(each.target)] = " ".join(text.split())
    return made


def _signature(name: str, thing: Any) -> Iterator[str]:
    """The signature as code; where it is long, one parameter on a line."""
    signature = _signature_of(thing)
    if signature is None:
        return
    shown = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    texts = [_stated(each) for each in shown]
    named = next((k for k, each in enumerate(shown) if each.kind is each.KEYWORD_ONLY), None)
    if named is not None:
        texts.insert(named, "*")
    returned = signature.return_annotation
    has_result = returned is not signature.empty and not isinstance(thing, type)
    end = f" -> {inspect.formatannotation(returned)}" if has_result else ""
    line = f"{name}({', '.join(texts)}){end}"
    if len(line) > LONG:
        line = "\n".join([f"{name}(", *(f"    {each}," for each in texts), f"){end}"])
    yield BEGIN
    yield QUOTED.sub(r"\1\2", line)
    yield END
    yield ""


def _signature_of(thing: Any) -> inspect.Signature | None:
    """The signature of a function or class; None of a property, and of a class that builtins make."""
    try:
        return inspect.signature(getattr(thing, "__func__", thing))
    except (TypeError, ValueError):
        return None


def _parameters(thing: Any) -> list[str]:
    signature = _signature_of(thing)
    return [] if signature is None else list(signature.parameters)


def _stated(parameter: inspect.Parameter) -> str:
    """A parameter as in the source; `...` replaces a default that is a function or is made by one."""
    nameless = NAMELESS.match(str(parameter.default))
    return str(parameter.replace(default=...) if nameless else parameter).replace("Ellipsis", "...")


def _text(text: str | None, parameters: Sequence[str]) -> Iterator[str]:
    """A docstring as Markdown: what is said of parameters becomes a list, and indented lines code."""
    made = []
    for paragraph in re.split(r"\n(?:[ ]*\n)+", text or ""):
        lines = paragraph.split("\n")
        if all(line.startswith("    ") for line in lines):
            lines = [BEGIN, *(line[4:] for line in lines), END]
        elif ARGUMENT.match(lines[0]) and all(ARGUMENT.match(line) or line.startswith("    ") for line in lines):
            lines = [ARGUMENT.sub(r"- `\1`: ", line) for line in lines]
        elif (found := ARGUMENT.match(lines[0])) and found[1] in parameters:
            names = "|".join(map(re.escape, parameters))
            told = re.split(rf"(?:^|[;.]?\s)({names}): ", " ".join(lines))[1:]
            told[-1:] = told[-1].split(". Raises ")
            lines = [f"- `{name}`: {words}" for name, words in zip(told[::2], told[1::2], strict=False)]
            lines += [f"\nRaises {words}" for words in told[len(lines) * 2 :]]
        made.append("\n".join(lines))
    yield "\n\n".join(made).replace(f"\n{END}\n\n{BEGIN}\n", "\n\n")
    yield ""
