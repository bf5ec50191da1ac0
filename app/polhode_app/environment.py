"""Environment variables that the window sets for the commands it starts."""

from __future__ import annotations

LANGUAGE = "POLHODE_LANGUAGE"  # language of texts in films and pictures
PART = "POLHODE_PART"  # token in the name of an unfinished film, by which the window finds and deletes it
PROGRESS = "POLHODE_PROGRESS"  # if not empty: send the fraction done to stdout, for each thousandth
