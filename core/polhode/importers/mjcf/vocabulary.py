"""MJCF: the elements and attributes that are read, or that have no effect on the motion. All others are listed."""

from __future__ import annotations

from polhode.importers.mjcf.actuators import READ
from polhode.importers.mjcf.styles import ACTUATORS
from polhode.importers.notes import anything, known

TURNS = "quat axisangle euler xyaxes zaxis"
FLAGS = ("gravity", "contact", "filterparent", "actuation", "limit", "equality", "frictionloss", "spring", "damper")
"""Parts of the physics that <flag> may disable."""
ACTUATOR = (
    "name class group joint jointinparent tendon site body gear ctrlrange ctrllimited forcerange forcelimited kp kv "
    "timeconst gainprm biasprm dynprm gaintype biastype dyntype damping armature"
)
TENDON = "name class group limited range stiffness damping springlength frictionloss armature rgba width material"
OPTION = "gravity timestep integrator iterations ls_iterations solver tolerance cone jacobian impratio"
UNSEEN = "visual statistic size custom light camera"
GEOM = (
    "name class type size pos fromto mass density rgba material mesh fitscale group contype conaffinity friction "
    "solref " + TURNS
)
JOINT = "name class type pos axis range limited damping stiffness springref ref frictionloss armature group"
MESH = (
    "name class file scale refpos refquat vertex face normal texcoord builtin params inertia smoothnormal maxhullvert "
    "content_type material"
)
COMPILER = (
    "angle eulerseq coordinate autolimits meshdir assetdir texturedir inertiafromgeom inertiagrouprange discardvisual "
    "fusestatic fitaabb strippath settotalmass boundmass boundinertia balanceinertia usethread"
)
INSIDE = "body geom joint freejoint inertial frame replicate attach site light camera"
VOCABULARY = {
    "mujoco": known(
        "model", f"compiler option default asset worldbody equality actuator tendon keyframe contact {UNSEEN}"
    ),
    "contact": known("", "exclude"),
    "exclude": known("name body1 body2"),
    "keyframe": known("", "key"),
    "key": known("name time qpos qvel ctrl mpos mquat"),
    **dict.fromkeys(UNSEEN.split(), anything()),
    "compiler": known(COMPILER),
    "option": known(OPTION, "flag"),
    "flag": known("energy eulerdamp warmstart fwdinv sensor multiccd nativeccd " + " ".join(FLAGS)),
    "default": known("class", "default geom joint mesh material site equality tendon " + " ".join(ACTUATORS)),
    "asset": known("", "mesh material texture model"),
    "model": known("name file content_type"),
    "texture": anything(),
    "mesh": known(MESH),
    "material": anything(),
    "worldbody": known("", "body geom frame replicate attach site light camera"),
    "site": anything(),
    "body": known(f"name pos childclass gravcomp {TURNS}", INSIDE),
    "frame": known(f"name pos childclass {TURNS}", INSIDE),
    "attach": known("model body frame prefix"),
    "replicate": known("count offset euler sep childclass", "body geom frame replicate attach site light camera"),
    "geom": known(GEOM),
    "joint": known(JOINT + " joint1 joint2 polycoef active joint coef"),
    "freejoint": known("name group"),
    "inertial": known(f"pos mass diaginertia fullinertia {TURNS}"),
    "equality": known("", "connect weld joint tendon"),
    "connect": known("name class body1 body2 site1 site2 anchor active"),
    "weld": known("name class body1 body2 relpose anchor active"),
    "actuator": known("", " ".join(READ)),
    **dict.fromkeys(READ, known(ACTUATOR)),
    "tendon": known(f"{TENDON} tendon1 tendon2 polycoef active", "spatial fixed"),  # also in <default>, and <equality>
    "spatial": known(TENDON, "site geom pulley"),
    "fixed": known(TENDON, "joint"),
    "pulley": known("divisor"),
}
