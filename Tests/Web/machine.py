"""A device on real BlueZ, in the virtual machine, with the page next to it; and a central on its air."""
import contextlib
import random
import socket
import subprocess
import urllib.parse

from programs import HERE, REPOSITORY

TOOLS = REPOSITORY / "tools"


def free_ports():
    """A port that is free with the three above it and the one below it. Other tests that run meanwhile have ports below 29,000."""
    while True:
        port = random.randrange(29_005, 30_000, 5)
        with contextlib.ExitStack() as held:
            try:
                for each in range(port - 1, port + 4):
                    held.enter_context(socket.create_server(("127.0.0.1", each)))
                return port
            except OSError:
                pass


class Machine:
    """Runs a device on BlueZ in the virtual machine, and blemu web. As a context manager it has booted.

    It looks like a WebServer: it has an `origin` and an `address`."""

    def __init__(self, definition):
        self.radio_port = free_ports()
        web_port = self.radio_port + 3
        self.origin = f"http://127.0.0.1:{web_port}"
        command = f"blemu run {definition} --on bluez:hci0 --log none & exec blemu web --listen 10.0.2.15:{web_port}"
        self.command = [TOOLS / "vm", "--quiet", "--radio-port", str(self.radio_port), "--forward", str(web_port), "sh", "-c", command]

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
        printed = next((line for line in self.process.stdout if line.startswith("http://")), None)
        assert printed, "the machine has ended before it said where the page is"
        self.address = f"{self.origin}/#{urllib.parse.urlsplit(printed.strip()).fragment}"
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        self.process.stdout.close()

    @contextlib.contextmanager
    def central(self, name):
        """A central on this air that has connected to the device with this name."""
        python = subprocess.run([TOOLS / "test-python"], check=True, capture_output=True, text=True).stdout.strip()
        process = subprocess.Popen([python, HERE / "central.py", str(self.radio_port), name],
                                   stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        try:
            yield Central(process)
            process.stdin.close()
            assert process.wait() == 0
        finally:
            process.kill()
            process.wait()
            process.stdout.close()


class Central:
    def __init__(self, process):
        self.process = process
        #: What the device advertises, in hex, as it was heard.
        self.heard_data, self.heard_response = self._line(), self._line()
        assert self._line() == "connected"

    def _line(self):
        return self.process.stdout.readline().strip()

    def write(self, uuid, value):
        self.process.stdin.write(f"{uuid} {value}\n")
        self.process.stdin.flush()
