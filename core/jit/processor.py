"""What machine code is made for: this processor, or the one that numba's settings name."""

from __future__ import annotations

from numba.core.registry import cpu_target

INSTRUCTION_SETS = {"avx512": "+avx512f", "avx2": "+avx2"}  # the widest first, and LLVM's name of the feature


def instruction_set() -> str:
    """Name of the widest vector instructions that are compiled for: one of INSTRUCTION_SETS, or "other"."""
    features = cpu_target.target_context.codegen().magic_tuple()[2].split(",")
    return next((name for name, feature in INSTRUCTION_SETS.items() if feature in features), "other")
