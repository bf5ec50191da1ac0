"""The picture of a scene, and the widget that shows it."""

from polhode_app.viewport.late_modules import import_pyvista

import_pyvista()
