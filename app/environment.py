"""Environment variables by which a window tells the commands that it starts what they have to do."""

from __future__ import annotations

LANGUAGE = "POLHODE_LANGUAGE"  # of what a program without a window draws
PROGRESS = "POLHODE_PROGRESS"  # any text: print how far it is, a line for each part of a thousand
