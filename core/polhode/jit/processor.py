"""Target of the machine code: this processor, or the one of numba's settings NUMBA_CPU_NAME and NUMBA_CPU_FEATURES."""

from __future__ import annotations

from numba.core.registry import cpu_target

INSTRUCTION_SETS = {"avx512": "+avx512f", "avx2": "+avx2"}  # LLVM features, widest first


def instruction_set() -> str:
    """Widest vector instruction set in use: one of INSTRUCTION_SETS, or "other"."""
    features = cpu_target.target_context.codegen().magic_tuple()[2].split(",")
    return next((name for name, feature in INSTRUCTION_SETS.items() if feature in features), "other")
