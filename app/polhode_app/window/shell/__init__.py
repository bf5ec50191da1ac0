"""Parts that every window has: actions, menus, bars, help, log."""
