"""Time limits of tests."""
import time

# Seconds. The limit is only against hanging: no machine, however slow or busy, should reach it.
PATIENCE = 300

# Seconds after which a whole test, or a long-running program in it, is stopped.
SILENCE = 1200


def eventually(look, complaint, timeout=PATIENCE):
    """Polls `look()` and returns its first true answer. At the limit, raises an error with the text of `complaint()`."""
    deadline = time.monotonic() + timeout
    while not (found := look()):
        if time.monotonic() > deadline:
            raise TimeoutError(complaint())
        time.sleep(0.02)
    return found
