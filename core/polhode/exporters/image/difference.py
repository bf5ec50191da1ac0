"""The difference of two images of one layout: what a slider or a button writes into the memory of a running scene.

The scene is built once for each position of the slider. Arrays of another length have another layout, and so have other
formulas: then the scene has to be loaded as a whole.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from polhode.exporters.image.image import WORD, Image


@dataclass(frozen=True, eq=False)
class ImageDifference:
    """Words of an image that another one has otherwise; none of them is an address."""

    offsets: np.ndarray
    """(w,) [bytes], ascending."""
    words: np.ndarray
    """(w,) int64 by the bits of the other image."""

    def in_block(self, block: bytes) -> bytes:
        """The block with these words; it may lie at any address."""
        changed = np.frombuffer(block, WORD).copy()
        changed[self.offsets // WORD.itemsize] = self.words
        return changed.tobytes()


def difference(before: Image, after: Image) -> ImageDifference | None:
    """The words that turn the block of `before` into that of `after`; None where they differ in their layout."""
    if not have_same_layout(before, after):
        return None
    old, new = np.frombuffer(before.content, WORD), np.frombuffer(after.content, WORD)
    changed = np.flatnonzero(old != new)
    return ImageDifference(changed * WORD.itemsize, new[changed])


def have_same_layout(one: Image, other: Image) -> bool:
    """Whether all addresses in two images stand at the same places and mean the same."""
    return (
        len(one.content) == len(other.content)
        and one.places == other.places
        and np.array_equal(one.pointers, other.pointers)
        and np.array_equal(_targets(one), _targets(other))
        and one.units == other.units
        and one.formulas == other.formulas
    )


def _targets(image: Image) -> np.ndarray:
    """(p,) what the addresses within the block point at."""
    return np.frombuffer(image.content, WORD)[image.pointers // WORD.itemsize]
