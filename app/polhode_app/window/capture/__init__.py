"""Pictures, films and recordings made from the window."""
