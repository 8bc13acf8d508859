"""The far side of a device's serial line: a pseudo-terminal, or a pair of pipes."""
import os
import select
import threading
import time

from patience import PATIENCE


class SerialLine:
    """Reads and writes bytes with a time limit. A context manager."""

    def __init__(self, input, output, timeout=PATIENCE):
        self._input, self._output, self.timeout = input, output, timeout
        for descriptor in {input, output}:
            os.set_blocking(descriptor, False)

    @classmethod
    def terminal(cls, path, **options):
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
        return cls(descriptor, descriptor, **options)

    @classmethod
    def of(cls, process, **options):
        """The standard streams of a process."""
        return cls(os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno()), **options)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for descriptor in {self._input, self._output} - {None}:
            os.close(descriptor)
        self._input = self._output = None

    def write(self, data):
        deadline = time.monotonic() + self.timeout
        while data:
            self._wait([], [self._output], deadline, f"{len(data)} bytes were not taken")
            data = data[os.write(self._output, data[:4096]):]

    def write_meanwhile(self, data):
        """Writes on a thread, which is returned: what nobody takes makes the writer wait."""
        thread = threading.Thread(target=self.write, args=(data,), daemon=True)
        thread.start()
        return thread

    def read(self, length):
        """The next `length` bytes."""
        data, deadline = b"", time.monotonic() + self.timeout
        while len(data) < length:
            self._wait([self._input], [], deadline, f"only {len(data)} of {length} bytes came: {data[-40:].hex(' ')}")
            data += os.read(self._input, length - len(data))
        return data

    def rest(self, seconds=1):
        """All that comes until nothing has come for so long."""
        data = b""
        while select.select([self._input], [], [], seconds)[0] and (part := os.read(self._input, 65536)):
            data += part
        return data

    def waiting(self):
        """What has come and was not read."""
        try:
            return os.read(self._input, 65536)
        except BlockingIOError:
            return b""

    @staticmethod
    def _wait(readable, writable, deadline, complaint):
        if not any(select.select(readable, writable, [], max(0, deadline - time.monotonic()))):
            raise TimeoutError(complaint)
