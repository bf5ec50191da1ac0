"""Says how to begin, over the view of a scene with nothing in it but walls."""

from __future__ import annotations

from PySide6.QtWidgets import QPushButton

from polhode.scene.scene import Scene
from polhode_app.edit.parts import NAMED
from polhode_app.window.shell.window_context import WindowContext
from polhode_app.window.widgets.toast import OverlayFrame

GROUNDS = ("wall", "surface", "plate")
ACTIONS = ("scenes", "import_mesh", "palette")  # of the buttons


def is_empty(scene: Scene) -> bool:
    """Whether a scene has nothing that could move."""
    return not any(getattr(scene, key) for key in NAMED if key not in GROUNDS)


class EmptyHint(OverlayFrame):
    """How to add things, and buttons for other ways to begin. It is shown as long as the scene is empty."""

    def __init__(self, context: WindowContext):
        """Create the hidden hint of a window."""
        super().__init__(context.view, at_top=True)
        self.buttons = [QPushButton() for _ in ACTIONS]
        for name, button in zip(ACTIONS, self.buttons, strict=True):
            self.side.addWidget(button)
            button.clicked.connect(context.actions[name].trigger)
        self.retranslate()

    def retranslate(self) -> None:
        """Set all texts in the current language."""
        self.label.setText(
            self.tr(
                "Nothing is here yet. Choose an item in the bar at the left and drag it in the view, or drop a mesh, "
                "a scene or measured data here."
            )
        )
        texts = self.tr("Gallery"), self.tr("Import mesh"), self.tr("Search commands (F3)")
        for button, text in zip(self.buttons, texts, strict=True):
            button.setText(text)
        if self.isVisible():
            self.place()

    def show_for(self, scene: Scene) -> None:
        """Show the hint for an empty scene, hide it for another one."""
        if is_empty(scene) == self.isHidden():
            self.setVisible(self.isHidden())
            self.place()
