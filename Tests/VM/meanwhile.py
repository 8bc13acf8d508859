"""Threads of a test. One that fails ends the test at once, with its own error."""
import concurrent.futures
import signal
import threading


class Meanwhile:
    """`meanwhile(function, *arguments)` calls it on a thread; its `result()` waits for it, and raises what it has raised. A
    context manager.

    A test that waits for bytes that a failed thread should have brought would wait until a time limit, and then tell of
    that. So the thread's error is raised on the main thread, whatever that is waiting for.
    """

    def __init__(self):
        self._failures, self._is_over = [], False

    def __enter__(self):
        signal.signal(signal.SIGUSR1, self._raise_failure)
        return self

    def __exit__(self, *_):
        self._is_over = True  # what is closed from now on makes threads fail that are no longer wanted

    def __call__(self, function, *arguments):
        future = concurrent.futures.Future()
        # A daemon, because it may still wait when the test has failed; it ends when what it waits for is closed.
        threading.Thread(target=self._run, args=(future, function, *arguments), daemon=True).start()
        return future

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
