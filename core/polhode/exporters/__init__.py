"""Scenes as files of other programs: MJCF of MuJoCo."""
