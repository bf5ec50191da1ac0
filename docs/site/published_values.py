"""Values of published experiments beside those of a run, for the pages of their scenes.

`python -m docs.site.published_values [EXPERIMENT ...]` runs all experiments, or those, and writes
published_values.json; tests compare it with the experiments.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from docs.site.words import say
from polhode.scene.display.published import SOURCES
from polhode.scene.message import Message
from polhode_app.i18n.translation import translate

ORIGINS = {"source": "printed value", "closed form": "closed form", "calculation": "independent calculation"}
FILE = Path(__file__).with_name("published_values.json")


@cache
def values() -> dict[str, list[dict[str, Any]]]:
    """Rows by the name of the scene: name, expected value and its origin, found value, tolerance, unit."""
    return dict(json.loads(FILE.read_text("utf-8")))


def published_lines(name: str, language: str) -> Iterator[str]:
    """The part of the page of a scene with its source and values; nothing for a scene of none."""
    if name not in SOURCES:
        return
    source = SOURCES[name]
    yield from (f"## {say('Published values', language)}", "", source.text, "")
    if not source.parameters:
        yield from (say("After this source, with numbers of the program's own.", language), "")
    heads = ("quantity", "expected", "origin", "in Polhode", "difference", "allowed")
    yield "| " + " | ".join(say(head, language) for head in heads) + " |"
    yield "|---|---|---|---|---|---|"
    for row in values()[name]:
        difference = row["found"] - row["expected"]
        expected, found = (f"{row[key]:.9g} {row['unit']}".rstrip() for key in ("expected", "found"))
        origin = say(ORIGINS[row["origin"]], language)
        cells = expected, origin, found, f"{difference:.1e}", f"{row['tolerance']:.1e}"
        yield f"| {translate(Message.restored(row['name']))} | {' | '.join(cells)} |"
    yield from ("", say("`polhode verify --published` runs it, and the dock *Published experiments*.", language), "")


def main(wanted: list[str]) -> None:
    """Run the experiments of these names, or all, and write the file."""
    from polhode.verification.published import EXPERIMENTS  # noqa: PLC0415  # for this alone

    found = dict(values()) if wanted else {}
    for experiment in [each for each in EXPERIMENTS if not wanted or each.name in wanted]:
        found[experiment.name] = [
            {
                "name": row.name.serialized(),
                "expected": row.expected,
                "origin": row.origin,
                "found": result.value,
                "tolerance": row.tolerance,
                "unit": row.unit,
            }
            for row, result in zip(experiment.rows, experiment.results(), strict=True)
        ]
    found = {each.name: found[each.name] for each in EXPERIMENTS if each.name in found}
    FILE.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
