"""An image: the structs and arrays of a simulation as one block of bytes that can lie at any address.

Its words are those of kernel structs (core/polhode/jit/kernel_struct.py), 64 bits each, in little-endian order. Words
that are addresses within the block hold the distance from its begin; a host adds the address at which the block lies.
Words that are addresses of machine code are 0; the host writes the address, or the index in a function table, of the
unit or of the formula that each needs. So one image serves memory of 32 and of 64 bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from polhode.engine.model import Clock
from polhode.formulas.codegen import FormulaTemplate

WORD = np.dtype("<i8")
ALIGNMENT = 64
"""[bytes] of the block and of all arrays in it: aligned SIMD access stays within a cache line."""


@dataclass(frozen=True)
class MemberPlace:
    """Where the block has a member of a struct: a number, or the data of an array."""

    offset: int
    """[bytes]; 0 for an array without data."""
    shape: tuple[int, ...]
    """() of a number."""
    strides: tuple[int, ...]
    """[bytes]"""
    kind: str
    """As numpy names it, such as float64; of a number int64, float64 or bool, in a word."""


@dataclass(frozen=True, eq=False)
class Image:
    """A block of bytes, and where it has what."""

    content: bytes
    places: Mapping[str, int]
    """Offsets [bytes] of the structs `method`, `model`, `inputs`, `work`, of the array `state`, and of `results`, free
    bytes for what a kernel returns."""
    members: Mapping[str, MemberPlace]
    """Numbers and arrays of the structs by their path, such as `work.bodies.position`."""
    pointers: np.ndarray
    """(p,) offsets of the words that are addresses within the block."""
    units: Mapping[str, tuple[int, ...]]
    """Offsets of the words that are addresses of machine code, by the name of the unit."""
    formulas: Mapping[FormulaTemplate, tuple[int, ...]]
    """The same of formulas, by their form."""
    size_of_state: int
    clock: Clock
    """At which the run continues."""
    end: float
    """[s] until which measured inputs last; infinite without."""

    def at(
        self, base: int, unit: Callable[[str], int], formula: Callable[[FormulaTemplate], int] = lambda form: 0
    ) -> bytes:
        """The block for the address `base`, a multiple of ALIGNMENT.

        unit, formula: address of the machine code of a unit by its name, and of a form of formulas
        """
        assert base % ALIGNMENT == 0
        block = bytearray(self.content)
        words = np.frombuffer(block, WORD)
        words[self.pointers // WORD.itemsize] += base
        for name, offsets in self.units.items():
            words[np.array(offsets) // WORD.itemsize] = unit(name)
        for form, offsets in self.formulas.items():
            words[np.array(offsets) // WORD.itemsize] = formula(form)
        return bytes(block)
