"""The other end of a device's wire side: a pseudo-terminal, or a pair of pipes."""
import os
import select
import socket

from patience import PATIENCE


class SerialLine:
    """Reads and writes bytes. A context manager."""

    def __init__(self, input, output):
        self._input, self._output = input, output
        self._closing, self._closer = socket.socketpair()  # wakes threads that wait for bytes
        for descriptor in {input, output}:
            os.set_blocking(descriptor, False)

    @classmethod
    def terminal(cls, path):
        descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
        return cls(descriptor, descriptor)

    @classmethod
    def of(cls, process):
        """Returns the line over the standard streams of a process."""
        return cls(os.dup(process.stdout.fileno()), os.dup(process.stdin.fileno()))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        descriptors, self._input, self._output = {self._input, self._output} - {None}, None, None
        self._closer.close()
        for descriptor in descriptors:
            os.close(descriptor)

    def write(self, data):
        while data:
            self._wait([], [self._output], f"{len(data)} bytes were not taken")
            data = data[os.write(self._output, data[:4096]):]

    def read(self, length):
        """Returns the next `length` bytes."""
        data = b""
        while len(data) < length:
            self._wait([self._input], [], f"only {len(data)} of {length} bytes arrived: {data[-40:].hex(' ')}")
            data += os.read(self._input, length - len(data))
        return data

    def rest(self, seconds=1):
        """Returns all bytes until none arrive for this time."""
        data = b""
        while select.select([self._input], [], [], seconds)[0] and (part := os.read(self._input, 65536)):
            data += part
        return data

    def waiting(self):
        """Returns the bytes that have arrived unread."""
        try:
            return os.read(self._input, 65536)
        except BlockingIOError:
            return b""

    def _wait(self, readable, writable, complaint):
        ready, *others = select.select([*readable, self._closing], writable, [], PATIENCE)
        if self._closing in ready:
            raise ConnectionError(f"{complaint}, and now the line is closed")
        if not any([ready, *others]):
            raise TimeoutError(complaint)
