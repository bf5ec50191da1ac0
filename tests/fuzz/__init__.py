"""Fuzzing of all readers of files and lines from strangers: `python -m tests.fuzz --help`.

- case.py: a reader as a target, a case, and what reading a case ends in
- damage.py: mutations of texts and bytes, by a random generator
- campaign.py: cases in child processes with limits, counts, and the corpus
- readers/: one file for each reader

corpus/READER/ holds one small input for each different outcome that was seen, and each input that was once a defect.
"""

import sys
from pathlib import Path

TESTS = Path(__file__).parents[1]
if str(TESTS) not in sys.path:
    sys.path.append(str(TESTS))  # as under pytest
