"""Scenes as MJCF of MuJoCo.

document writes the file: kinematic_tree arranges the bodies, mobility states their joints, geoms their shapes, ties the
joints that close loops, tendons springs and strings, collisions planes and contacts. Each lists the fields that it
writes in WRITTEN; unwritten notes all others, so that nothing of a scene is lost without a note.
"""
