"""Generators of inputs that are damaged or that no one means, by number, and the outcomes of reading them."""
