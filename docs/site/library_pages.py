"""Reference of the library: signatures and docstrings of all public names of `core`."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

from pydantic import BaseModel

import core
from docs.site.contents import ROOT
from docs.site.links import Links
from docs.site.words import say

ARGUMENT = re.compile(r"([a-z_]\w*(?:, [a-z_]\w*)*): ")
BEGIN, END = "```python", "```"
LONG = 80  # letters of a line of code
QUOTED = re.compile(r"(: |-> )'([^']*)'")  # annotations, which are texts until they are asked for
ADDRESS = re.compile(r" at 0x[0-9a-f]+")


def library_sections(language: str, links: Links, page: str = "library.md") -> str:
    """A section for each public name, to stand below the text of the page."""
    lines = [f"## {say('All names', language)}", ""]
    for name in sorted(core.__all__, key=str.lower):
        lines += [*_section(name, getattr(core, name), language, links, page), ""]
    return "\n".join(lines)


def _section(name: str, thing: Any, language: str, links: Links, page: str) -> Iterator[str]:
    file = Path(inspect.getsourcefile(thing) or "").relative_to(ROOT).as_posix()
    yield f"### `{name}` {{ #{name} }}"
    yield ""
    yield f"{say('Defined in', language)} [`{file}`]({links.source(file, page)}){'.' if language == 'en' else ''}"
    yield ""
    if not (isinstance(thing, type) and issubclass(thing, BaseModel)):
        yield from _signature(name, thing)
    yield from _text(inspect.getdoc(thing))
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
        yield from _text(inspect.getdoc(member))


def _members(thing: type) -> Iterator[tuple[str, Any]]:
    """Public methods and properties that a class and its bases of this program define, in the order of the source."""
    seen = set()
    for base in thing.__mro__:
        if not base.__module__.startswith("core."):
            continue
        for name, member in dict(vars(base)).items():
            function = getattr(member, "__func__", member)
            if (
                name.startswith("_")
                or name in seen
                or not (inspect.isfunction(function) or isinstance(member, property))
            ):
                continue
            seen.add(name)
            yield name, member


def _fields(thing: type, language: str) -> Iterator[str]:
    """Fields of a data class with the comment or docstring of each."""
    source = inspect.getsource(thing)
    yield f"| {say('field', language)} | {say('type', language)} | {say('meaning', language)} |"
    yield "|---|---|---|"
    for each in fields(thing):
        if each.name.startswith("_"):
            continue
        found = re.search(
            rf"^    {each.name}:[^\n#]*(?:#\s*([^\n]*))?(?:\n    \"\"\"(.*?)\"\"\")?", source, re.M | re.S
        )
        text = " ".join(((found[1] or found[2] or "") if found else "").split())
        yield f"| `{each.name}` | `{str(each.type).replace('|', chr(92) + '|')}` | {text.replace('|', chr(92) + '|')} |"
    yield ""


def _signature(name: str, thing: Any) -> Iterator[str]:
    """The signature as code; where it is long, one parameter on a line."""
    function = getattr(thing, "__func__", thing)
    try:
        signature = inspect.signature(function)
    except ValueError:  # of a class that builtins make
        return
    shown = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    texts = [ADDRESS.sub("", str(each)) for each in shown]
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


def _text(text: str | None) -> Iterator[str]:
    """A docstring as Markdown: stated arguments, one a line, become a list, and indented lines code."""
    made = []
    for paragraph in re.split(r"\n(?:[ ]*\n)+", text or ""):
        lines = paragraph.split("\n")
        if all(line.startswith("    ") for line in lines):
            lines = [BEGIN, *(line[4:] for line in lines), END]
        elif ARGUMENT.match(lines[0]) and all(ARGUMENT.match(line) or line.startswith("    ") for line in lines):
            lines = [ARGUMENT.sub(r"- `\1`: ", line) for line in lines]
        made.append("\n".join(lines))
    yield "\n\n".join(made).replace(f"\n{END}\n\n{BEGIN}\n", "\n\n")
    yield ""
