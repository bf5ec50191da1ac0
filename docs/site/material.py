"""Settings of MkDocs and its theme Material for one language, as a file that `mkdocs build` reads.

Everything is in the site: no font, script or picture comes from a network, and the search works from a folder.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from docs.site.words import say

THEME = Path(__file__).with_name("theme")
NAMES = {"en": "English", "ja": "日本語"}
FEATURES = [
    "content.code.copy",
    "navigation.indexes",
    "navigation.prune",
    "navigation.tabs",
    "navigation.top",
    "navigation.footer",
    "search.highlight",
    "toc.follow",
]
EXTENSIONS = [
    "abbr",
    "admonition",
    "attr_list",
    "md_in_html",
    "tables",
    "toc",
    "pymdownx.details",
    "pymdownx.superfences",
    "docs.site.maths",
    "docs.site.options",
]


def settings(language: str, sources: Path, site: Path, nav: list[Any]) -> dict[str, Any]:
    """The settings of a language; sources, site: folders of its pages in Markdown and in HTML."""
    other = "ja" if language == "en" else "en"
    return {
        "site_name": "Polhode",
        "site_description": say("A desktop physics lab in three dimensions", language),
        "docs_dir": str(sources),
        "site_dir": str(site),
        "use_directory_urls": False,
        "theme": {
            "name": "material",
            "language": language,
            "custom_dir": str(THEME),
            "font": False,
            "features": FEATURES,
            "palette": _palettes(language),
            "logo": "assets/logo.svg",
            "favicon": "assets/logo.svg",
        },
        "extra": {
            "generator": False,
            "polyfills": ["assets/iframe-worker.js"],
            "alternate": True,
            "other": {"lang": other, "name": NAMES[other], "prefix": "ja/" if language == "en" else "../"},
        },
        "extra_css": ["assets/style.css"],
        "extra_javascript": ["assets/search.ja.js"] if language == "ja" else [],
        "plugins": [{"search": {"lang": [language]}}, "offline"],
        "markdown_extensions": [
            *EXTENSIONS,
            {"pymdownx.highlight": {"anchor_linenums": True, "linenums_style": "pymdownx-inline"}},
        ],
        "validation": {"links": {"not_found": "warn", "anchors": "warn"}, "nav": {"omitted_files": "ignore"}},
        "strict": True,
        "nav": nav,
    }


def _palettes(language: str) -> list[dict[str, Any]]:
    """Colours as the system has them, with a button for the other ones."""
    light, dark = say("Light colours", language), say("Dark colours", language)
    return [
        {
            "media": "(prefers-color-scheme: light)",
            "scheme": "default",
            "primary": "custom",
            "accent": "custom",
            "toggle": {"icon": "material/weather-night", "name": dark},
        },
        {
            "media": "(prefers-color-scheme: dark)",
            "scheme": "slate",
            "primary": "custom",
            "accent": "custom",
            "toggle": {"icon": "material/weather-sunny", "name": light},
        },
    ]


def write(path: Path, made: dict[str, Any]) -> None:
    """Write settings as JSON, which is YAML."""
    path.write_text(json.dumps(made, ensure_ascii=False, indent=1), "utf-8")
