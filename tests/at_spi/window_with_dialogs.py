"""The window of the program on a scene, which opens the dialog that a line of its input names (tests/dialogs.py)."""

from __future__ import annotations

import sys
from pathlib import Path

from PySide6.QtCore import QSocketNotifier, QTimer

sys.path.insert(0, str(Path(__file__).parents[1]))

from dialogs import BLOCKING, OPENERS

from polhode_app.application import make_application, open_window
from polhode_app.session.settings import Settings


def main() -> int:
    app = make_application()
    window = open_window(Settings(), Path(sys.argv[1]))

    def obey() -> None:
        if not (line := sys.stdin.readline()):
            window.close()
            return
        QTimer.singleShot(
            0, lambda: (OPENERS | BLOCKING)[line.strip()](window)
        )  # some return when their dialog is closed

    notifier = QSocketNotifier(sys.stdin.fileno(), QSocketNotifier.Type.Read)
    notifier.activated.connect(obey)
    return app.exec()


if __name__ == "__main__":
    sys.exit(main())
