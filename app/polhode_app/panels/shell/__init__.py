"""Parts that every window has: actions, menus, bars, docks, help, log."""
