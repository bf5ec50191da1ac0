"""Keyboard and screen reader: the focus and its ring, names of controls, panes, announcements."""
