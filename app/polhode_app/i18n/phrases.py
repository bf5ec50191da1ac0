"""Titles that break between phrases: Japanese has no spaces, so Qt breaks its lines between any two letters."""

from __future__ import annotations

import re
from itertools import pairwise

JOINER = "\u2060"  # forbids a break, and is not drawn
HIRAGANA = re.compile(r"[\u3041-\u309f]")
JAPANESE = re.compile(r"[\u3005-\u30ff\u3400-\u9fff\uff01-\uff60]")
UNBROKEN = "\u00a0"  # a space that forbids a break
COUNTED = re.compile(r"(?<![:：]) (?=\d)|(?<=[0-9A-Z]) (?=[\u3005-\u9fff])")  # spaces around a number or a letter
CLOSING, OPENING = "、。・:：;；!！?？)）」』…", "(（「『"
ENDINGS = "のをにはがでとへもるたいうくすつむなてら"
"""Hiragana at the ends of particles, verbs and adjectives. Others, as in 振り子, join two halves of a word."""
PARTICLES = "のをにはがでと"
LONGEST = 8  # letters of a phrase, from which on it may also break behind a particle
REST = 3  # letters behind such a break, at least


def breaking_at_phrases(text: str) -> str:
    """A Japanese text with joiners between the letters of each phrase; other texts stay as they are.

    A phrase ends with hiragana before a kanji, katakana, letter or number, or with punctuation; a number stays with
    what it counts. One that is longer than LONGEST letters may break behind a particle within hiragana.
    """
    if not JAPANESE.search(text):
        return text
    text = COUNTED.sub(UNBROKEN, text)
    phrases = [text[:1]]
    for before, after in pairwise(text):
        if _may_break(before, after):
            phrases.append(after)
        else:
            phrases[-1] += after
    return "".join(map(_joined, phrases))


def _may_break(before: str, after: str) -> bool:
    """Whether a line may break between two letters."""
    if UNBROKEN in (before, after) or after in CLOSING or before in OPENING or after == " ":
        return False  # a break is behind a space
    if before == " " or after in OPENING or before in CLOSING:
        return True
    return before in ENDINGS and not HIRAGANA.match(after)


def _joined(phrase: str) -> str:
    """A phrase with joiners, but for places where a long one may break."""
    made = phrase[:1]
    for number, (before, after) in enumerate(pairwise(phrase), 1):
        is_long = len(phrase) > LONGEST and 1 < number < len(phrase) - REST
        if not (is_long and before in PARTICLES) and JAPANESE.search(before + after):
            made += JOINER
        made += after
    return made
