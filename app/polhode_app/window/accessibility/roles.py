"""Roles of widgets that Qt knows nothing of: the 3-D view and plots."""

from __future__ import annotations

from PySide6.QtGui import QAccessible
from PySide6.QtWidgets import QAccessibleWidget, QWidget

HAS_ROLE = "has_role"  # dynamic property of a widget with a role from here
_interfaces: list[QAccessibleWidget] = []  # Qt keeps pointers to them, of which Python does not know


def set_role(widget: QWidget, role: QAccessible.Role) -> None:
    """Give a widget without a role of its own one for screen readers; once, for as long as it lives."""
    if not widget.property(HAS_ROLE):
        widget.setProperty(HAS_ROLE, True)
        interface = QAccessibleWidget(widget, role)
        _interfaces.append(interface)
        QAccessible.registerAccessibleInterface(interface)
