"""How long a test waits for what must come."""

# Seconds: many times what the slowest machine needs, because no test is to fail on a busy one.
PATIENCE = 90
