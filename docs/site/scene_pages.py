"""A page for every built-in scene, from its file: picture, story, what to try, and what it is made of."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from html import escape
from typing import Any

from pydantic import BaseModel

from docs.site.drawing import live_pages
from docs.site.links import Links
from docs.site.published_values import published_lines
from docs.site.words import prose, say
from polhode.scene import gallery
from polhode.scene.display.published import SOURCES
from polhode.scene.fields import forms
from polhode.scene.scene import Scene
from polhode.scene.scene_file import read_scene
from polhode_app.i18n.field_names import choice, label, scene_description, scene_title
from polhode_app.i18n.language import in_language, tr
from polhode_app.window.shell.menus import scene_group

COMMA = {"en": ", ", "ja": "、"}


@cache
def scenes() -> dict[str, Scene]:
    """All built-in scenes by name."""
    return {name: read_scene(gallery.path(name)) for name in gallery.scene_names()}


def groups(language: str) -> dict[str, list[str]]:
    """Names of scenes by the translated name of their group."""
    found: dict[str, list[str]] = {}
    with in_language(language):
        for name, scene in scenes().items():
            found.setdefault(scene_group(scene), []).append(name)
    return found


def scene_pages(language: str, links: Links) -> dict[str, str]:
    """Pages by their path: all scenes with small pictures, and one page for each."""
    with in_language(language):
        pages = {f"scenes/{name}.md": _page(name, scene, language, links) for name, scene in scenes().items()}
    pages["scenes/index.md"] = _index(language)
    return pages


def _index(language: str) -> str:
    lines = [
        f"# {say('All scenes', language)}",
        "",
        say("Every scene opens by its name: `polhode NAME`.", language),
        "",
    ]
    described = scenes()
    grouped = groups(language) | {say("Published experiments", language): [*SOURCES]}
    for group, names in grouped.items():
        lines += [f"## {group}", "", '<div class="gallery" markdown>', ""]
        with in_language(language):
            for name in names:
                lines += [f"[{_picture(name, 'still')} <span>{scene_title(described[name])}</span>]({name}.md)", ""]
        lines += ["</div>", ""]
    return "\n".join(lines)


def _picture(name: str, kind: str, alt: str = "") -> str:
    """The picture of a scene in both themes, of which a page shows one."""
    ending = ".strip.jpg" if kind == "strip" else ".jpg"
    lazy = "{ loading=lazy }"
    return "".join(f"![{alt}](pictures/{name}.{theme}{ending}#only-{theme}){lazy}" for theme in ("light", "dark"))


def _page(name: str, scene: Scene, language: str, links: Links) -> str:
    page = f"scenes/{name}.md"
    title, story = scene_title(scene), " ".join(scene.story.text.split())
    lines = [f"# {title}", "", '<div class="scene" markdown>', "", _picture(name, "still", title), ""]
    lines += [prose(tr(story)) if story else "", "", prose(scene_description(scene)), "", "</div>", ""]
    lines += [
        _picture(name, "strip"),
        say("Six moments of the run, a quarter of a second apart.", language),
        "",
    ]
    if name in live_pages.names():
        up = "../../" if language == "ja" else "../"
        source = f"{up}{live_pages.FOLDER}/{name}.html#{language}"
        lines += [say("The scene runs here: drag it, pause it, change its numbers.", language), ""]
        lines += [f'<iframe class="replay" src="{source}" loading="lazy" title="{escape(title)}"></iframe>', ""]
    if scene.story.try_:
        lines += [f"## {say('Try', language)}", "", *_trials(scene, language), ""]
    lines += published_lines(name, language)
    lines += [f"## {say('The scene', language)}", "", "| | |", "|---|---|"]
    lines += [
        f"| {say(key, language)} | {value} |"
        for key, value in _facts(name, scene, links.source(f"scenes/{name}.toml", page), COMMA[language])
    ]
    return "\n".join([*lines, ""])


def _trials(scene: Scene, language: str) -> Iterator[str]:
    yield f"| {say('button', language)} | {say('what it does', language)} |"
    yield "|---|---|"
    for trial in scene.story.try_:
        does = [f"`{path} = {_written(value)}`" for path, value in trial.set.items()]
        does += [f"`show {view}`" for view in trial.show]
        does += [say("starts again", language)] if trial.restart else []
        yield f"| {prose(tr(trial.label))} | {COMMA[language].join(does)} |"


def _written(value: Any) -> str:
    """A value as a scene file has it, with six digits."""
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_written(each)}" for key, each in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(_written, value)) + "]"
    return f"{value:.6g}" if isinstance(value, float) else json.dumps(value)


def _facts(name: str, scene: Scene, source: str, comma: str) -> Iterator[tuple[str, str]]:
    yield "command", f"`polhode {name}`"
    yield "file", f"[`scenes/{name}.toml`]({source})"
    yield "method, time step", f"{choice(scene.solver.method)}{comma}{scene.solver.time_step:g} s"
    yield "made of", comma.join(f"[{label(key)}](../format/{key}.md){count}" for key, count in _parts(scene))


def _parts(scene: Scene) -> Iterator[tuple[str, str]]:
    """Lists of a scene that are not empty, with their lengths, and the tables that it states."""
    for key, form in forms(Scene).items():
        value = getattr(scene, key)
        if form.kind == "parts" and value:
            yield key, f": {len(value)}"
        elif isinstance(value, BaseModel) and key in ("world", "sensor") and value.model_fields_set:
            yield key, ""
