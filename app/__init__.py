"""The front end: the window, the commands, tables, pictures and films."""
