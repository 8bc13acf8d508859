"""Threads of a test. If one fails, the test ends at once with its error."""
import concurrent.futures
import signal
import threading


class Meanwhile:
    """`meanwhile(function, *arguments)` calls a function on a thread. `result()` of the returned object waits for it, and
    raises its error. A context manager.

    A test that waits for bytes of a failed thread would wait until a time limit, and then report that. So the thread's
    error is raised on the main thread, whatever that is waiting for.
    """

    def __init__(self):
        self._failures, self._is_over = [], False

    def __enter__(self):
        signal.signal(signal.SIGUSR1, self._raise_failure)
        return self

    def __exit__(self, *_):
        self._is_over = True  # from now on, closing files makes threads fail that are no longer needed

    def __call__(self, function, *arguments, **options):
        future = concurrent.futures.Future()
        # A daemon, because it may still wait when the test has failed. It ends when its files are closed.
        threading.Thread(target=self._run, args=(future, function, *arguments), kwargs=options, daemon=True).start()
        return future

    def _run(self, future, function, *arguments, **options):
        try:
            future.set_result(function(*arguments, **options))
        except BaseException as error:
            future.set_exception(error)
            self._failures.append(error)
            signal.pthread_kill(threading.main_thread().ident, signal.SIGUSR1)

    def _raise_failure(self, *_):
        """Raises the first failure only, because the others follow from it."""
        if not self._is_over and len(self._failures) == 1:
            raise self._failures[0]
