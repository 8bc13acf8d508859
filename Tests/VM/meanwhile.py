"""Threads of a test. One that fails ends the test at once, with its own error."""
import concurrent.futures
import signal
import threading
import unittest


class MeanwhileCase(unittest.TestCase):
    """A test that does several things at once.

    Whoever waits for bytes that a failed thread should have brought would wait until a time limit, and then tell of
    that. So the thread's error is raised on the main thread, whatever that is waiting for.
    """

    def meanwhile(self, function, *arguments):
        """Calls it on a thread. `result()` waits for it, and raises what it has raised."""
        if not hasattr(self, "_failures"):
            self._failures, self._is_over = [], False
            signal.signal(signal.SIGUSR1, self._raise_failure)
        future = concurrent.futures.Future()
        # A daemon, because it may still wait when the test has failed; it ends when what it waits for is closed.
        threading.Thread(target=self._run, args=(future, function, *arguments), daemon=True).start()
        return future

    def tearDown(self):
        self._is_over = True  # what is closed from now on makes threads fail that are no longer wanted
        super().tearDown()

    def _run(self, future, function, *arguments):
        try:
            future.set_result(function(*arguments))
        except BaseException as error:
            future.set_exception(error)
            self._failures.append(error)
            signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)

    def _raise_failure(self, *_):
        """The first one: those that follow from it are not worth a word."""
        if not self._is_over and len(self._failures) == 1:
            raise self._failures[0]
