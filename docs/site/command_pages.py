"""All commands with their arguments and options, from the commands themselves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from cyclopts import App

from docs.site.words import prose, say
from polhode_app.cli.commands import app


def names() -> list[str]:
    """Names of the commands, as `polhode --help` lists them."""
    return sorted(name for name in app if not name.startswith("-"))


def command_sections(language: str) -> str:
    """A section for each command, to stand below the text of the page."""
    lines = [f"## {say('All options', language)}", ""]
    for name in names():
        lines += [*_section(name, app[name], language), ""]
    return "\n".join(lines)


def _section(name: str, command: App, language: str) -> Iterator[str]:
    arguments = [each for each in command.assemble_argument_collection() if each.parameter.help]
    places = [each for each in arguments if each.field_info.is_positional]
    usage = " ".join(["polhode", name, *(each.names[0] for each in places)])
    required = [each for each in arguments if each.required and not each.field_info.is_positional]
    usage += "".join(f" {each.names[0]} ..." for each in required)
    yield f"### `{name}` {{ #{name} }}"
    yield ""
    yield prose(say(command.help, language))
    yield ""
    yield f"    {usage}"
    yield ""
    if arguments:
        yield f"| {say('option', language)} | {say('default', language)} | {say('meaning', language)} |"
        yield "|---|---|---|"
    for each in arguments:
        help_text = prose(say(each.parameter.help, language))
        if choices := each.get_choices():
            help_text += " " + ", ".join(f"`{choice}`" for choice in choices)
        yield f"| `{each.names[0]}` | {_default(each, language)} | {help_text.replace('|', chr(92) + '|')} |"


def _default(argument: Any, language: str) -> str:
    if argument.required:
        return say("must be stated", language)
    value = argument.field_info.default
    if value is None or value is False or value == ():
        return ""
    return f"`{value if isinstance(value, str | Path) else json.dumps(value)}`"
