"""What is drawn, and the widget that shows it."""

from app.viewport.late_pyplot import load_pyplot_late

load_pyplot_late()
