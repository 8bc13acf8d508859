"""Asks clients in other Pythons what they see of a device."""
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import tempfile
import threading

PROGRAM = pathlib.Path(__file__).with_name("client.py")


class Clients:
    """A process that runs clients. It starts with the first question, and again after a client that does not answer."""

    def __init__(self, command, **environment):
        self._command, self._options, self._process = command, environment, None

    def ask(self, code, known, within, in_memory=None):
        """Returns what a client says, and what its device in memory logs. `known` are values that the client knows by name.

        The device is its definition, its settings and, if there are any, arguments of 'blemu run'.
        """
        if self._process is None:
            self._errors = tempfile.TemporaryFile("w+")
            self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors,
                                             text=True, start_new_session=True, **self._options)
        limit = threading.Timer(within, self._kill)
        limit.start()
        try:
            print(json.dumps([code, known, in_memory]), file=self._process.stdin, flush=True)
            line = self._process.stdout.readline()
        except BrokenPipeError:
            line = ""
        finally:
            limit.cancel()
        said = json.loads(line) if line else {"failure": f"no answer; the client said:\n{self._said()}"}
        if "failure" in said:
            self.end()
            raise AssertionError(said["failure"])
        return said["saw"], said["log"]

    def end(self):
        if self._process is not None:
            self._kill()
            self._process = None

    def _kill(self):
        """Ends the process, in which threads of clients may go on, and those that clients have started and left."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _said(self):
        self._process.wait()
        self._errors.seek(0)
        return self._errors.read()
