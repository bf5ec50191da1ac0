"""Files of a small package of ROS: a link on a joint, drawn by a mesh."""

PACKAGE = "<package><name>{}</name></package>"
TETRAHEDRON = "v 0 0 0\nv 0.1 0 0\nv 0 0.1 0\nv 0 0 0.1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
INERTIAL = '<inertial><mass value="2"/><inertia ixx="1" iyy="1" izz="1"/></inertial>'
ARM = f"""<robot name="arm"><link name="base"/><link name="link">{INERTIAL}
 <visual><geometry><mesh filename="MESH"/></geometry></visual></link>
 <joint name="j" type="KIND"><parent link="base"/><child link="link"/><axis xyz="0 1 0"/>LIMIT</joint></robot>"""
