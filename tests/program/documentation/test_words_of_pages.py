"""English pages use plain technical English: quaint phrases do not return. CONTRIBUTING.md has the terms."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]
TOP = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "benchmarks/README.md")
PAGES = [
    *(ROOT / name for name in TOP),
    *(page for page in sorted((ROOT / "docs").glob("*.md")) if not page.name.endswith(".ja.md")),
]
# Code, and texts of the window in italics, which are written elsewhere.
NOT_PROSE = re.compile(
    r"^(```|~~~).*?^\1|^ {4}.*?$|`[^`]*`|(?<![*\w])\*(?![*\s])[^*]+?\*(?!\*)", re.DOTALL | re.MULTILINE
)
PATTERNS = {
    name: re.compile(pattern, re.IGNORECASE)
    for name, pattern in {
        "a clause in place of a noun": r"(?:^|[#|.;:-] )what (?:is|are|was|it|they|the|a|does|has|can|to|each)\b"
        r"(?![^.|]*\?)|\bwhat (?:is|are|was) (?:left|seen|asked|varied|chosen|shown|drawn|measured|checked|there)\b",
        "continues": r"\b(?:goes|go|went|going) on\b",
        "results in": r"\bc[oa]mes? to(?! rest)\b",
        "means, is": r"\bstand(?:s|ing)? (?:for|in|at|below|beside|behind|still|there)\b|\bstood\b",
        "states, shows": r"\b(?:tells?|told|says?|said) (?:of|so|which|how|what|where)\b|\bis told\b|\bheard\b",
        "remains": r"\bis left behind\b|\bout of the numbers\b",
        "again, newest": r"\banew\b|\bof now\b|\bof late\b|\bby then\b",
        "check for cancellation": r"\bbreathes?\b",
        "own, separate": r"\bof (?:its|their|your|one's) own\b",
        "independently of": r"\bwhatever\b|\bwhoever\b|\bnobody\b|\banybody\b|\bsomebody\b",
        "except": r"\bbut for\b|\bnothing but\b|\ball but\b|\bevery \w+ but\b",
        "not determined": r"\bleaves? open\b|\bis none\b|\bare no (?:longer )?(?:rests|number)",
        "defined, evaluated": r"\bis asked\b|\bare asked\b|\basks? for it\b|\bgives way\b",
        "concurrently": r"\bside by side\b|\btakes? turns\b|\bat a stretch\b",
    }.items()
}
"""Phrases that do not return, by a plain phrase in their place."""
REVIEWED = {("errata.md", "whatever"): "a text of the program"}
"""Hits that were reviewed and may stay, by page and text, with the reason."""


def prose(text: str) -> str:
    """A page without code and quoted texts; lines of a paragraph are joined."""
    text = NOT_PROSE.sub("", text)
    return re.sub(r"(?<=\S)\n *(?=[^\s|#*-])(?!\d+\. )", " ", text)


def quaint(text: str) -> Iterator[tuple[str, str]]:
    """Phrases of a page that a pattern matches, with the plain phrase in their place."""
    for line in prose(text).split("\n"):
        for plain, pattern in PATTERNS.items():
            yield from ((hit[0].strip(), plain) for hit in pattern.finditer(line))


def test_pages_use_plain_technical_english() -> None:
    found = {(page.name, phrase): plain for page in PAGES for phrase, plain in quaint(page.read_text("utf-8"))}
    assert len(PAGES) > 40
    assert {hit: plain for hit, plain in found.items() if hit not in REVIEWED} == {}
    assert set(REVIEWED) <= set(found), "a reviewed phrase is not there any more"


@pytest.mark.parametrize(
    "text",
    [
        "The run in the window goes on meanwhile.",
        "runs a scene, and writes\nthe map; the fit goes\non by multiple shooting",
        "## What is asked",
        "| a | What a hook does |",
        "its energy stands in the ledger",
        "Another note tells of a column",
        "each has a cache of its own",
        "A formula is in SI, whatever the file states.",
        "the scene is none with these values",
    ],
)
def test_a_quaint_phrase_is_found(text: str) -> None:
    assert [*quaint(text)]


@pytest.mark.parametrize(
    "text",
    [
        "The pendulum comes to rest.",
        "Press *Go on* to continue.",
        "    goes on  # a comment in code",
        "`what is asked`",
        "Why does one method explode? What is the energy?",
    ],
)
def test_plain_text_is_not_reported(text: str) -> None:
    assert not [*quaint(text)]
