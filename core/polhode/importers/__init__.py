"""Models of robots and mechanisms: MJCF of MuJoCo (.xml) and URDF of ROS (.urdf).

From the text to the scene: reading (XML with bounds), mjcf and urdf (meaning, into links), tree (links into the tables
of a scene). Unused parts of a file are listed in notes. docs/robots.md has what corresponds to what.
"""
