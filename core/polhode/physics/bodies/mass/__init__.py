"""Mass, centre of mass and inertia of bodies and meshes."""
