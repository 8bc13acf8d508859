"""The other ends of the wire sides. Each can be killed in the middle of the traffic."""
import contextlib
import os
import select
import signal
import socket
import termios
import threading
import time
import tty

import stream

PIECE, EVERY = 96, 0.2  # bytes, seconds

# Moves bytes in the kernel, from pipe to pipe, so that it holds none when it is killed.
RELAY = """
import os, select, sys
to_air, from_air = (os.open(path, os.O_RDWR) for path in sys.argv[1:])
ways = {0: from_air, to_air: 1}
for end in (0, 1): os.set_blocking(end, False)
poll = select.poll()
for end in ways: poll.register(end, select.POLLIN)
while True:
    for end, events in poll.poll():
        try:
            if not os.splice(end, ways[end], 4096, flags=2): sys.exit()
        except BlockingIOError: select.select([], [ways[end]], [], 1)
"""


class WireEnd:
    """Writes its stream while it is open, and takes what comes. `held` counts the bytes that it was given and had not read when
    it was killed."""

    def __init__(self, name):
        self.name, self.is_open, self.written, self.held = name, threading.Event(), 0, 0
        self.arrived = stream.Arrival(f"the wire of {name}")
        self.error = None
        self._lock = threading.RLock()

    def start(self):
        self.connect()
        for work in (self._write, self._read):
            threading.Thread(target=self._guard, args=(work,), daemon=True).start()

    def _guard(self, work):
        try:
            work()
        except Exception as error:  # the main thread reports it
            self.error = error

    def _write(self):
        while True:
            self.is_open.wait()
            with self._lock, contextlib.suppress(BlockingIOError, ConnectionError):
                if self.is_open.is_set():
                    self.written += os.write(self.output, stream.content(self.written, PIECE))
            time.sleep(EVERY)

    def close(self):
        """Writes no more; returns when that is so."""
        with self._lock:
            self.is_open.clear()

    def _read(self):
        while True:
            with contextlib.suppress(OSError):  # it was closed meanwhile
                select.select([self.input], [], [], 1)
            with self._lock:
                self._take()

    def _take(self):
        with contextlib.suppress(OSError):
            while data := os.read(self.input, 65536):
                self.arrived.take(data)
            raise EOFError(f"blemu has closed the wire side of {self.name}")


class Program(WireEnd):
    """A program (exec) that passes bytes on to two pipes."""

    def __init__(self, name, folder):
        super().__init__(name)
        self.pipes = [folder / f"{name}-{way}" for way in ("to-air", "from-air")]
        for pipe in self.pipes:
            os.mkfifo(pipe)
        self.words = ["python3", "-c", RELAY, *map(str, self.pipes)]

    def connect(self):
        self.output, self.input = (os.open(pipe, os.O_RDWR | os.O_NONBLOCK) for pipe in self.pipes)

    def kill(self, stand):
        os.kill(stand.ledgers[self.name].process, signal.SIGKILL)


class Peer(WireEnd):
    """A TCP peer."""

    def __init__(self, name, port):
        super().__init__(name)
        self.port = port

    def connect(self):
        self._socket = socket.create_connection(("127.0.0.1", self.port))
        self._socket.setblocking(False)
        self.input = self.output = self._socket.fileno()

    def kill(self, stand):
        """Reads what the connection holds, and closes it. blemu is stopped meanwhile, so that nothing is in between."""
        with self._lock, stand.stopped():
            while select.select([self.input], [], [], 0.2)[0]:
                self.held += len(os.read(self.input, 65536))
            self._socket.shutdown(socket.SHUT_RDWR)  # at once: the other thread waits for this socket, which would keep it open
            self._socket.close()
        with self._lock:
            self.connect()


class Terminal(WireEnd):
    """A pseudo-terminal, which is closed and opened again."""

    def __init__(self, name, link):
        super().__init__(name)
        self.link = link

    def connect(self):
        self.input = self.output = os.open(self.link, os.O_RDWR | os.O_NOCTTY | os.O_NONBLOCK)
        tty.setraw(self.input, termios.TCSANOW)  # without discarding what waits

    def kill(self, _):
        with self._lock:
            os.close(self.input)
            time.sleep(1)
            self.connect()
