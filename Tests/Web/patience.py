"""How long a test waits for something: only against hanging."""
import os
import time

PATIENCE = float(os.environ.get("PATIENCE", 120))  # seconds
PAUSE = 0.05


def wait_until(condition, what):
    """Returns what the condition returns, once that is true. `what` says what did not happen: a text, or a function that
    returns one."""
    deadline = time.monotonic() + PATIENCE
    while True:
        result = condition()
        if result:
            return result
        if time.monotonic() > deadline:
            raise AssertionError(what() if callable(what) else what)
        time.sleep(PAUSE)
