"""Status of a cell: names and their numbers, in the order of the files of maps."""

from __future__ import annotations

PENDING, SETTLED, UNSETTLED, DIVERGED, UNCERTAIN, INVALID = range(6)
STATUS = ("pending", "settled", "unsettled", "diverged", "uncertain", "invalid")
