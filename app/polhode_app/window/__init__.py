"""Parts of the main window: menus, bars, notices, dialogs, and the table of docks (Qt)."""
