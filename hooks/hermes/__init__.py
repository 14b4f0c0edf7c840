"""Guards frozen specs and verifies before the agent finishes."""


def register(ctx):
    """Registers nothing yet."""
