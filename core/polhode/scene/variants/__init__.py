"""Many runs of one scene with other numbers."""
