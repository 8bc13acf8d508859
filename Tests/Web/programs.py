"""blemu web, and the devices that it shows."""
import os
import pathlib
import signal
import subprocess

import blemu
from blemu.command import RunCommand

from patience import PATIENCE, wait_until

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]
HERE = pathlib.Path(__file__).resolve().parent
PROGRAM = os.environ["BLEMU"]


def definition(name):
    """The path of a bundled definition, or of one next to the tests."""
    return next(each for folder in (HERE / "definitions", REPOSITORY / "Peripherals") for each in folder.rglob(f"{name}.yaml"))


class Stand:
    """Devices in memory that run next to each other, in a folder of their own."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "blemu").mkdir(mode=0o700)
        self.processes, self.devices = {}, {}

    def run(self, what, *, name=None, settings={}, faults=(), wire=None):
        """Starts a device, by the name of its definition or a path, and returns it when it is on the air."""
        file = what if isinstance(what, pathlib.Path) else definition(what)
        name = name or file.stem
        socket = self.folder / "blemu" / f"{name}.sock"
        command = RunCommand(file, "loopback", settings, faults=faults, wire=wire, seed=1)
        self.processes[name] = process = subprocess.Popen(
            command.words(PROGRAM, str(socket)), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        device = self.devices[name] = wait_until(lambda: self._device(socket, process), f"{name} does not answer")
        next(event for event in device.events() if event.kind == "on-air")
        return device

    @staticmethod
    def _device(socket, process):
        assert process.poll() is None, f"blemu has ended with {process.returncode}"
        try:
            return blemu.Device(socket)
        except blemu.Error:
            return None

    def end(self, name):
        """Ends a device as Ctrl-C does, also one whose process is stopped."""
        self.devices.pop(name).close()
        process = self.processes.pop(name)
        process.send_signal(signal.SIGCONT)
        process.send_signal(signal.SIGINT)
        process.wait(PATIENCE)

    def end_all(self):
        for name in list(self.processes):
            self.end(name)

    def sockets(self, name):
        """How many sockets the process of a device has open."""
        folder = pathlib.Path("/proc", str(self.processes[name].pid), "fd")
        return sum(os.readlink(each).startswith("socket:") for each in folder.iterdir())


class WebServer:
    """A process of blemu web for the devices of a stand."""

    def __init__(self, stand, place="127.0.0.1:0", *options):
        environment = os.environ | {"XDG_RUNTIME_DIR": str(stand.folder)}
        #: What it has said on standard error.
        self.errors = stand.folder / "web.errors"
        with open(self.errors, "w") as errors:
            self.process = subprocess.Popen(
                [PROGRAM, "web", "--listen", place, *options], env=environment, stdout=subprocess.PIPE, stderr=errors, text=True)
        #: What a person opens.
        self.address = self.process.stdout.readline().strip()
        self.origin, _, self.token = self.address.partition("/#token=")
        assert len(self.token) >= 32, f"blemu web has printed {self.address!r}"
        self.host = self.origin.removeprefix("http://")
        self.port = int(self.host.rpartition(":")[2])

    def end(self):
        """Ends it as Ctrl-C does. It must still run."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGINT)
            assert self.process.wait(PATIENCE) == 0, self.errors.read_text()
        self.process.stdout.close()
