"""The page that replays a run: one HTML file without anything outside of it.

What comes from files stands in two blocks of data, as JSON without `<` and as base64; the page puts texts into it by
`textContent` only. Its Content-Security-Policy lets it run the scripts of this program, by their hashes, and nothing
else, and load nothing.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Any

import numpy as np

from polhode.scene.scene_writing import scene_text
from polhode_app.export.motion.parts import RunMotion
from polhode_app.export.web.columns import offered
from polhode_app.export.web.content import Content
from polhode_app.export.web.texts import texts_in
from polhode_app.i18n.language import LANGUAGES
from polhode_app.version import version
from polhode_app.viewport.environment.scale_bar import length_text

SCRIPTS = (
    *("data.js", "moments.js", "lines.js", "shapes.js", "looks.js", "parts.js", "trails.js", "view.js", "plots.js"),
    *("camera.js", "legend.js", "controls.js", "player.js", "begin.js"),
)
"""Files of the player, which share one scope, in this order."""
THREE = "three.min.js"
STYLES = ("style.css",)


@dataclass(frozen=True)
class Allowed:
    """Sources that the policy of a page allows beside its own scripts and styles."""

    scripts: str = ""  # further sources of scripts, each behind a space
    others: str = ""  # further directives, each with "; " behind it
    files: tuple[str, ...] = ()  # beside the page, in place of the scripts in it, in order


def page(motion: RunMotion, plots: tuple[str, ...] = (), theme: str = "", text: str | None = None) -> str:
    """The page of a motion, with some columns plotted at first; `theme` is "dark", "light", or that of the browser.

    text: that of the scene, if it differs from what the scene at the first frame makes

    Raises InputError for unknown columns.
    """
    content = Content(motion)
    table = page_table(content, motion, plots, theme, text)
    return assembled(motion.stages["dark"].scene.title, table, content.blob.text())


def page_table(
    content: Content, motion: RunMotion, plots: tuple[str, ...] = (), theme: str = "", text: str | None = None
) -> dict[str, Any]:
    """The table of a page, without its arrays: `content` of a motion, and its texts. See `page`."""
    names, plotted = offered(motion, plots)
    table = content.table(names)
    scene = motion.stages["dark"].scene
    numbers: dict[str, object] = {
        "version": version(),
        "kept": f"{len(motion.times):,}",
        "available": f"{motion.available:,}",
        "length": length_text(motion.stages["dark"].cell),
    }
    units = {name: motion.columns[name][0] for name in names}
    return table | {
        "plotted": [*plotted],
        "theme": theme,
        "shown": sorted(motion.shown),
        "languages": {code: texts_in(code, scene, units, numbers) for code in LANGUAGES},
        "hasGrid": any(part.view == "ground" for part in motion.parts),
        "isThinned": len(motion.times) < motion.available,
        "scene": scene_text(scene) if text is None else text,
    }


def assembled(
    title: str,
    table: dict[str, object],
    blob: str,
    scripts: Sequence[str] = SCRIPTS,
    allowed: Allowed | None = None,
    styles: Sequence[str] = STYLES,
) -> str:
    """The page with its data, the files `styles`, and scripts, which are the files `scripts` in one scope."""
    allowed = allowed or Allowed()
    style, own = "".join(map(page_file, styles)), (page_file(THREE), player_script(scripts))
    sources = "file: 'self'" if allowed.files else " ".join(map(_hash, own))
    policy = (
        f"default-src 'none'; script-src {sources}{allowed.scripts}; style-src {_hash(style)}; "
        f"img-src data: blob:; {allowed.others}base-uri 'none'; form-action 'none'"
    )
    named = [f'<script src="{escape(file)}"></script>' for file in allowed.files]
    pieces = {
        "POLICY": policy,
        "TITLE": escape(title),
        "STYLE": style,
        "DATA": _json(table),
        "BLOB": blob,
        "SCRIPTS": "\n".join(named or [f"<script>{script}</script>" for script in own]),
    }
    first, *others = page_file("page.html").split("{{")
    made = [first]
    for other in others:  # each piece once, so that braces in a piece are left alone
        name, _, rest = other.partition("}}")
        made += [pieces[name], rest]
    return "".join(made)


def player_script(scripts: Sequence[str]) -> str:
    """The files `scripts` in one scope."""
    return '"use strict";\n(() => {\n' + "\n".join(map(page_file, scripts)) + "\n})();\n"


def page_file(name: str) -> str:
    """The text of a file of the page."""
    return files("polhode_app.export.web").joinpath("page", name).read_text("utf-8")


def _hash(text: str) -> str:
    """Source expression of a Content-Security-Policy for an inline script or style."""
    return f"'sha256-{base64.b64encode(sha256(text.encode()).digest()).decode()}'"


def _json(table: dict[str, object]) -> str:
    """JSON that no HTML parser takes for the end of its element; numbers that are not finite are null."""
    text = json.dumps(_plain(table), ensure_ascii=False, separators=(",", ":"), allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")


def _plain(value: object) -> object:
    """A value with plain numbers, None for those that are not finite."""
    if isinstance(value, dict):
        return {name: _plain(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(each) for each in value]
    if isinstance(value, np.generic):
        value = value.item()
    return None if isinstance(value, float) and not np.isfinite(value) else value
