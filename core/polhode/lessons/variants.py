"""Numbers of a lesson that depend on the student's name.

A name has one of VARIANTS variants: SHA-256 of its UTF-8, after NFKC and with single spaces, first 32 bits, modulo
VARIANTS. A live page computes the variant alike, and has the scenes of all of them.
"""

from __future__ import annotations

import unicodedata
from hashlib import sha256

from polhode.scene.display.lesson import Lesson
from polhode.scene.scene import Scene

VARIANTS = 16
LONGEST_NAME = 100  # characters


def plain_name(name: str) -> str:
    """A name in NFKC, without spaces at its ends, and with single ones within: equal for all ways to type it."""
    return " ".join(part for part in unicodedata.normalize("NFKC", name).split(" ") if part)


def variant_of(name: str) -> int:
    """Variant of a student's name, 0 ... VARIANTS - 1."""
    return _hash(plain_name(name)) % VARIANTS


def varied_values(lesson: Lesson, variant: int) -> dict[str, float]:
    """Values [SI] of the numbers that vary, by their paths, for a variant: three digits, within their ranges."""
    found = {}
    for path, (low, high) in lesson.vary.items():
        share = _hash(f"{variant} {path}") / 2**32
        found[path] = min(max(float(f"{low + (high - low) * share:.3g}"), low), high)
    return found


def varied_scene(scene: Scene, lesson: Lesson, variant: int) -> Scene:
    """The scene with the numbers of a variant. Raises InputError where it refuses a value."""
    values = varied_values(lesson, variant)
    return scene.with_values(values) if values else scene


def _hash(text: str) -> int:
    """The first 32 bits of SHA-256 of the UTF-8 of a text."""
    return int.from_bytes(sha256(text.encode()).digest()[:4], "big")
