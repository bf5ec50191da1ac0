"""Arguments of commands: scenes, files, units, and what several commands share."""
