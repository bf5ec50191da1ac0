"""Search by words: ranks of commands and scenes for the typed text."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeVar

WORD = re.compile(r"\w+")
FEW = ("a", "an", "and", "at", "by", "in", "of", "on", "the", "to", "with")  # words that need not occur
DESCRIBED, SCATTERED = 3, 4  # first numbers of ranks: the description has the words; the title has the letters alone
UNSPACED = re.compile(r"[\u3005-\u30ff\u3400-\u9fff]")  # kana and kanji, which form words without spaces
ALIKE = 0.5  # least part of the pairs of letters of a Japanese query that an entry has in common with it
SHORT = 2  # letters of words that are parts of too many others
HIRAGANA = {ord(kana): ord(kana) - 0x60 for kana in map(chr, range(ord("ァ"), ord("ヶ") + 1))}  # of katakana
MOST_SCATTERED = 12  # letters of a query that may be scattered over a title


@dataclass(frozen=True)
class Searched:
    """The texts of an entry in which words are searched."""

    title: str
    words: str = ""  # other names, such as that of its file
    description: str = ""
    is_command: bool = True  # commands come before scenes that match as well
    is_featured: bool = False  # comes before other scenes that match as well


T = TypeVar("T")
Rank = tuple[int, int, int, int, int, int]


def found(typed: str, entries: Iterable[tuple[Searched, T]]) -> list[T]:
    """The entries that match, best first; all of them, in their order, if nothing is typed."""
    listed = list(entries)
    ranked = [(rank(typed, texts), entry) for texts, entry in listed]
    matching = [(grade, entry) for grade, entry in ranked if grade is not None]
    if not matching:
        return _found_by_some(typed, listed)
    return [entry for _, entry in sorted(matching, key=lambda pair: pair[0])]  # equal ranks keep their order


def _found_by_some(typed: str, entries: Iterable[tuple[Searched, T]]) -> list[T]:
    """The entries that match the most of several typed words, at least half of them, best first.

    For queries of which nothing matches all words. Descriptions, which have words of all kinds, do not count; of a
    Japanese query they do, by pairs of letters.
    """
    words = _important(_normal(typed))
    ranked = []
    if UNSPACED.search(typed):
        return _found_by_pairs(_pairs(_normal(typed)), entries)
    for texts, entry in entries if len(words) > 1 else ():
        grades = (rank(word, texts) for word in words if len(word) > SHORT)
        ranks = [grade for grade in grades if grade is not None and grade[0] < DESCRIBED]
        if 2 * len(ranks) >= len(words):
            ranked.append(((-len(ranks), min(ranks)), entry))
    most = min((grade[0] for grade, _ in ranked), default=0)
    return [entry for grade, entry in sorted(ranked, key=lambda pair: pair[0]) if grade[0] == most]


def _found_by_pairs(pairs: set[str], entries: Iterable[tuple[Searched, T]]) -> list[T]:
    """The entries that have the most pairs of letters of a query, at least a part ALIKE, best first.

    Titles and other names count before descriptions: 大きい振幅 finds a text with 大きな振幅.
    """
    ranked = []
    for texts, entry in entries if pairs else ():
        named, described = (
            pairs & _pairs(_normal(text)) for text in (f"{texts.title} {texts.words}", texts.description)
        )
        if len(named | described) >= ALIKE * len(pairs):
            ranked.append(((-len(named | described), -len(named), not texts.is_featured), entry))
    most = min((grade[0] for grade, _ in ranked), default=0)
    return [entry for grade, entry in sorted(ranked, key=lambda pair: pair[0]) if grade[0] == most]


def _pairs(text: str) -> set[str]:
    """Pairs of letters that follow each other in a normal text."""
    return {text[k : k + 2] for k in range(len(text) - 1) if " " not in text[k : k + 2]}


def rank(typed: str, texts: Searched) -> Rank | None:
    """Rank of an entry for the typed words, smaller is better; None if it does not match.

    The most important number tells what matches: 0, the title equals them; 1, the title, or a whole other name, has
    them as whole words; 2, as beginnings or parts of words; 3, the description has them; 4, the title has their
    letters, scattered. Then commands come before scenes, phrases before single words, featured scenes before others,
    early matches before late ones, and short titles before long ones. Scenes never match by scattered letters.
    """
    query, is_scene, is_other = _normal(typed), not texts.is_command, not texts.is_featured
    if not query:
        return 0, 0, 0, 0, 0, 0
    title, words, description = map(_normal, (texts.title, texts.words, texts.description))
    named = title, words, f"{title} {words}"  # the last one: some words in the title, others among the other names
    for grade, test in enumerate((_equal, _whole, _partial)):
        best = min((match for match in (test(query, text) for text in named) if match is not None), default=None)
        if best is not None:
            return grade, is_scene, best[0], is_other, best[1], len(title)
    is_long = len(query) > (1 if UNSPACED.search(query) else SHORT)
    if is_long and (match := _whole(query, description) or _partial(query, description)) is not None:
        return DESCRIBED, is_scene, match[0], is_other, match[1], len(title)
    gaps = _scattered(query.replace(" ", ""), title) if texts.is_command else None
    return None if gaps is None else (SCATTERED, 0, 0, 0, gaps, len(title))


def _normal(text: str) -> str:
    """The words of a text in small letters, separated by spaces; kana are hiragana, whichever were typed."""
    plain = unicodedata.normalize("NFKC", text).replace("_", " ").casefold()
    return " ".join(WORD.findall(plain.translate(HIRAGANA)))


def _equal(query: str, text: str) -> tuple[int, int] | None:
    """Whether the text is the query."""
    return (0, 0) if query == text else None


def _whole(query: str, text: str) -> tuple[int, int] | None:
    """0 and the index of the query as a phrase of whole words, or 1 and that of the first of its words; or None."""
    at = f" {text} ".find(f" {query} ")
    if at >= 0:
        return 0, at
    words, parts = _important(query), text.split()
    return (1, min(map(parts.index, words))) if all(word in parts for word in words) else None


def _partial(query: str, text: str) -> tuple[int, int] | None:
    """0, all words are beginnings of words of the text; 1, parts of it; and the index of the first; or None."""
    padded, words = f" {text}", [_singular(word) for word in _important(query)]
    for grade, parts in enumerate(([f" {word}" for word in words], words)):
        if all(part in padded for part in parts):
            return grade, min(map(padded.index, parts))
    return None


def _important(query: str) -> Sequence[str]:
    """The words of a query that must occur."""
    words = query.split()
    return [word for word in words if word not in FEW] or words


def _singular(word: str) -> str:
    """The singular of a regular plural, whose letters the plural begins with."""
    return word[:-1] if len(word) > 4 and word.endswith("s") and not word.endswith("ss") else word


def _scattered(letters: str, text: str) -> int | None:
    """Number of letters between those of a query in the text, in this order; None if they do not occur."""
    if len(letters) > MOST_SCATTERED:
        return None
    last, gaps = -1, 0
    for letter in letters:
        at = text.find(letter, last + 1)
        if at < 0:
            return None
        gaps, last = gaps + at - last - 1, at
    return gaps
