"""Notices over the view about the run: errors, what needs attention, and what an undo can return to."""
