"""How long a test waits for what must come, and for what it does not know."""
import faulthandler

# Seconds. A limit is against hanging and nothing else: no machine, however slow or busy, is to reach it.
PATIENCE = 300

# Seconds without progress after which the whole run is given up.
SILENCE = 1200


def progress():
    """Something has come to its end: a test, or a large part of one.

    When none follows for long, the run ends with what every thread is doing, on standard error.
    """
    faulthandler.dump_traceback_later(SILENCE, exit=True)
