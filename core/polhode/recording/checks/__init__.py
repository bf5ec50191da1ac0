"""Checks of recordings, which may be damaged or hostile: in a process of its own, and by models of their contents."""
