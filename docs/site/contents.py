"""Sections of the site and their pages, in order. A test holds that every page of docs/ stands here once."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
LANGUAGES = ("en", "ja")

SECTIONS: dict[str, tuple[str, ...]] = {
    "Start": ("install", "installers", "tour", "window", "keys", "accessibility"),
    "Tutorials": ("tutorial_class", "tutorial_lab", "tutorial_research", "tutorial_sensor"),
    "Scenes": (),  # generated: scene_pages.py
    "How to": (
        "scene_file",
        "formulas",
        "meshes",
        "story",
        "lessons",
        "films",
        "replay",
        "recordings",
        "measurements",
        "camera",
        "fit",
        "torque_pendulum",
        "uncertainty",
        "sweeps",
        "maps",
        "equilibria",
        "serial",
        "robots",
        "fmi",
        "pem",
    ),
    "Theory": (
        "theory",
        "methods",
        "magnets",
        "plates",
        "coils",
        "iron",
        "conductors",
        "spheres",
        "solids",
        "joints",
        "tracks",
        "paths_on_bodies",
        "modes",
        "frame",
        "laws",
        "errata",
    ),
    "Reference": ("commands", "format", "formats", "library"),
    "Development": ("architecture", "adding", "web_module", "contributing", "security", "changelog"),
}
"""Names of pages by section; the title of a page is its first heading."""

ELSEWHERE = {
    "contributing": ROOT / "CONTRIBUTING.md",
    "security": ROOT / "SECURITY.md",
    "changelog": ROOT / "CHANGELOG.md",
}
"""Pages that are files of the repository's top folder."""
ENGLISH_ONLY = ("architecture", "adding", *ELSEWHERE)
"""Pages for developers."""
GENERATED = ("format",)
"""Pages without a file in docs/."""


def file_of(name: str, language: str) -> Path:
    """The source of a page in a language; of pages for developers the English one."""
    if name in ELSEWHERE:
        return ELSEWHERE[name]
    return DOCS / (f"{name}.md" if language == "en" or name in ENGLISH_ONLY else f"{name}.{language}.md")


def page_names() -> list[str]:
    """Names of all pages with a file, the first page included."""
    return ["index", *(name for names in SECTIONS.values() for name in names if name not in GENERATED)]
