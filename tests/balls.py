"""Balls as meshes, together and inside out, for tests of parts of a mesh."""

from __future__ import annotations

import numpy as np
import trimesh

from polhode.mesh.mesh import Mesh
from polhode.mesh.volume_integrals import enclosed


def ball(center=(0, 0, 0), radius=1.0, subdivisions=2):
    made = trimesh.creation.icosphere(subdivisions=subdivisions, radius=radius)
    return Mesh(made.vertices + center, made.faces)


def inside_out(mesh):
    return Mesh(mesh.vertices, mesh.faces[:, ::-1])


def together(*meshes):
    starts = np.cumsum([0, *(len(mesh.vertices) for mesh in meshes)])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]
    return Mesh(np.concatenate([mesh.vertices for mesh in meshes]), np.concatenate(faces))


def volume(mesh):
    return enclosed(mesh.vertices, mesh.faces)[0]
