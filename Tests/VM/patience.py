"""How long a test waits for what must come."""
import time

# Seconds. A limit is against hanging and nothing else: no machine, however slow or busy, is to reach it.
PATIENCE = 300

# Seconds after which a test, or a program in it that does much, is given up.
SILENCE = 1200


def eventually(look, complaint, timeout=PATIENCE):
    """The first true answer of `look()`, where nobody tells when it changes. `complaint()` says what is wrong at the limit."""
    deadline = time.monotonic() + timeout
    while not (found := look()):
        if time.monotonic() > deadline:
            raise TimeoutError(complaint())
        time.sleep(0.02)
    return found
