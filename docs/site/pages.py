"""All pages of a language as Markdown, by their path in the site, and the table of contents."""

from __future__ import annotations

from typing import Any

from docs.site.command_pages import command_sections
from docs.site.contents import ENGLISH_ONLY, GENERATED, SECTIONS, file_of, page_names
from docs.site.field_pages import field_pages
from docs.site.library_pages import library_sections
from docs.site.links import Links, source_page
from docs.site.scene_pages import groups, scene_pages
from docs.site.words import say


def pages_of(language: str, links: Links) -> dict[str, str]:
    """All pages by their path; `links` collects what they name."""
    pages = {f"{name}.md": _written_page(name, language, links) for name in page_names()}
    pages["commands.md"] += "\n" + command_sections(language)
    pages["library.md"] += "\n" + library_sections(language, links)
    pages |= scene_pages(language, links)
    pages |= field_pages(language)
    pages |= {f"source/{path}.md": source_page(path) for path in sorted(links.sources)}
    return pages


def _written_page(name: str, language: str, links: Links) -> str:
    file = file_of(name, language)
    text = links.rewritten(file.read_text("utf-8"), file, f"{name}.md")
    if language != "en" and name in ENGLISH_ONLY:
        title, _, rest = text.partition("\n")
        text = f"---\nsearch:\n  exclude: true\n---\n\n{title}\n\n{say('This page is in English.', language)}\n{rest}"
    if name == "index":
        text = f"---\nhide:\n  - navigation\n  - toc\n---\n\n{text}"
    return text


def navigation(language: str) -> list[Any]:
    """The table of contents, as MkDocs reads it."""
    made: list[Any] = ["index.md"]
    for section, names in SECTIONS.items():
        entries: list[Any] = [f"{name}/index.md" if name in GENERATED else f"{name}.md" for name in names]
        if section == "Scenes":
            entries = ["scenes/index.md"]
            entries += [{group: [f"scenes/{name}.md" for name in scenes]} for group, scenes in groups(language).items()]
        if "format/index.md" in entries:
            fields = [path for path in field_pages(language) if path != "format/index.md"]
            entries[entries.index("format/index.md")] = {
                say("Fields of scene files", language): ["format/index.md", *fields]
            }
        made.append({say(section, language): entries})
    return made
