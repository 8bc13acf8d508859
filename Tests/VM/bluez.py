"""BlueZ on this machine: adapter properties over D-Bus, and its command-line clients as centrals."""
import contextlib
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import textwrap
import threading

import dbus
import pytest

import hci
from patience import PATIENCE, eventually


def _version():
    daemon = next(path for path in ("/usr/libexec/bluetooth/bluetoothd", "/usr/lib/bluetooth/bluetoothd") if os.path.exists(path))
    return tuple(map(int, subprocess.run([daemon, "--version"], capture_output=True, text=True, check=True).stdout.split(".")))


#: The version of bluetoothd, for example (5, 66).
VERSION = _version()

#: For tests of clients with bleak 0.22: it closes its connection to the bus before later versions of BlueZ have answered its
#: Disconnect, and then fails with EOFError (bleak issue 1921).
with_bleak_022 = pytest.mark.skipif(VERSION >= (5, 82), reason="bleak 0.22 fails when it disconnects from this version of BlueZ")


#: For tests of clients that scan for the UUID of a service (bluez issue 2282).
that_scan_for_a_service = pytest.mark.skipif(VERSION == (5, 87), reason="bluetoothd 5.87 crashes when a program scans for the UUID of a service")


def adapter_properties(adapter="hci0"):
    """Returns the properties of org.bluez.Adapter1 as plain Python values."""
    return _properties("org.bluez.Adapter1", adapter)


def set_adapter_property(name, value, adapter="hci0"):
    """Waits while bluetoothd still changes the adapter's power."""
    properties = dbus.Interface(dbus.SystemBus().get_object("org.bluez", f"/org/bluez/{adapter}"), "org.freedesktop.DBus.Properties")

    def is_set():
        try:
            properties.Set("org.bluez.Adapter1", name, value)
        except dbus.DBusException as error:
            if error.get_dbus_name() != "org.bluez.Error.Busy":
                raise
            return False
        return True

    eventually(is_set, lambda: f"bluetoothd is too busy to set {name} of {adapter}")


def wait_for_adapter(adapter="hci0", **properties):
    """Waits until the adapter has these properties, for example Powered=True."""
    def now():
        try:
            return adapter_properties(adapter)
        except dbus.DBusException as error:
            return {"error": str(error)}

    eventually(lambda: properties.items() <= now().items(), lambda: f"{adapter} is not {properties} but {now()}")


def disconnect(own, peripheral="hci0"):
    """Ends the links of `own`, and returns when bluetoothd knows that the central has disconnected from `peripheral`.

    If the central reconnects before bluetoothd has noticed, its subscriptions continue, and values sent in between
    are lost.
    """
    if own not in hci.adapters():
        return  # its links went with it
    hci.disconnect(own)
    if peripheral not in hci.adapters():
        return  # bluetoothd does not have the device
    device = f"/org/bluez/{peripheral}/dev_{hci.address_text(own).replace(':', '_')}"

    def has_left():
        try:
            proxy = dbus.SystemBus().get_object("org.bluez", device, introspect=False)
            return not proxy.Get("org.bluez.Device1", "Connected", dbus_interface="org.freedesktop.DBus.Properties")
        except dbus.DBusException:
            return True  # no such device, or no bluetoothd

    eventually(has_left, lambda: f"bluetoothd still sees {own} connected to {peripheral}")


def run(*command, timeout=PATIENCE):
    """Runs a client to its end, and returns its output, including standard error."""
    done = subprocess.run(list(map(str, command)), timeout=timeout, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode:
        what = shlex.join(map(str, command))
        raise AssertionError(f"{textwrap.shorten(what, 200)} ended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


class Dialogue:
    """Controls a client line by line. A context manager that ends it."""

    def __init__(self, *command, own="hci1"):
        self.own, self.output = own, ""
        self._news = threading.Condition()
        # bluetoothctl and gatttool flush each line only on a terminal, but a terminal also echoes and colours.
        command = ["stdbuf", "-oL", *map(str, command)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        stderr=subprocess.STDOUT, bufsize=0)
        threading.Thread(target=self._read, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        disconnect(self.own)

    def send(self, line):
        self.process.stdin.write(line.encode() + b"\n")

    def await_output(self, pattern):
        """Waits for output that matches, and returns the match. Consumes the output up to its end."""
        with self._news:
            match = self._news.wait_for(lambda: re.search(pattern, self.output), PATIENCE)
            assert match, f"no output {pattern!r} but\n{self.output}"
            self.output = self.output[match.end():]
            return match

    def forget_output(self):
        with self._news:
            self.output = ""

    def _read(self):
        while data := self.process.stdout.read(4096):
            with self._news:
                # Removes colours and the prompt's carriage returns.
                self.output += re.sub(r"\x1b\[[0-9;]*[A-Za-z]|[\r\x01\x02]", "", data.decode(errors="replace"))
                self._news.notify_all()


def advertising_manager(adapter="hci0"):
    """Returns the properties of org.bluez.LEAdvertisingManager1 as plain Python values."""
    return _properties("org.bluez.LEAdvertisingManager1", adapter)


def forget_devices(own="hci[0-9]+"):
    """Makes the adapters, or one of them, forget the others that they know now. Waits for an adapter that is not powered yet."""
    bus = dbus.SystemBus()
    objects = dbus.Interface(bus.get_object("org.bluez", "/"), "org.freedesktop.DBus.ObjectManager")
    left = {path: "" for path in objects.GetManagedObjects() if re.fullmatch(f"/org/bluez/{own}/dev_[0-9A-F_]+", path)}

    def are_forgotten():
        for path in list(left):
            try:
                adapter = bus.get_object("org.bluez", path.rsplit("/", 1)[0])
                dbus.Interface(adapter, "org.bluez.Adapter1").RemoveDevice(path)
            except dbus.DBusException as error:
                # BlueZ forgets by itself a device that it has not connected to, and an adapter that is taken off.
                gone = ("org.bluez.Error.DoesNotExist", "org.freedesktop.DBus.Error.UnknownObject", "org.freedesktop.DBus.Error.UnknownMethod")
                if error.get_dbus_name() not in gone:
                    left[path] = str(error)
                    continue
            del left[path]
        return not left

    eventually(are_forgotten, lambda: f"not forgotten: {left}")


@contextlib.contextmanager
def discovery(adapter="hci1"):
    """A time in which the adapter scans, and asks for scan responses."""
    proxy = dbus.Interface(dbus.SystemBus().get_object("org.bluez", f"/org/bluez/{adapter}"), "org.bluez.Adapter1")
    proxy.SetDiscoveryFilter({"Transport": "le", "DuplicateData": True})
    proxy.StartDiscovery()
    try:
        yield
    finally:
        proxy.StopDiscovery()


def process():
    """Returns the process number of bluetoothd."""
    return int(pathlib.Path("/run/bluetoothd.pid").read_text())


@contextlib.contextmanager
def frozen():
    """A time in which bluetoothd is stopped, and answers nobody."""
    number = process()
    os.kill(number, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(number, signal.SIGCONT)


def kill():
    """Kills bluetoothd, so that it cannot put anything in order."""
    number = process()
    os.kill(number, signal.SIGKILL)
    eventually(lambda: _has_ended(number), lambda: "bluetoothd did not end")


def _has_ended(number):
    try:
        return "State:\tZ" in pathlib.Path(f"/proc/{number}/status").read_text()
    except (FileNotFoundError, ProcessLookupError):  # the latter if it ends between opening and reading
        return True


def read_remote(uuid, own="hci1", peripheral="hci0"):
    """Lets bluetoothd read a characteristic of the peripheral, to which `own` is connected."""
    def find():
        objects = dbus.Interface(bus.get_object("org.bluez", "/"), "org.freedesktop.DBus.ObjectManager").GetManagedObjects()
        found = {path: each["org.bluez.GattCharacteristic1"] for path, each in objects.items() if "org.bluez.GattCharacteristic1" in each}
        return [path for path, each in found.items() if path.startswith(device) and each["UUID"] == uuid]

    bus, device = dbus.SystemBus(), f"/org/bluez/{own}/dev_{hci.address_text(peripheral).replace(':', '_')}/"
    path, = eventually(find, lambda: f"{own} has not found {uuid}")
    return bytes(dbus.Interface(bus.get_object("org.bluez", path), "org.bluez.GattCharacteristic1").ReadValue({}))


def gatttool(*arguments):
    """Runs gatttool on hci1 with hci0, and ends the link."""
    try:
        return run("gatttool", "-i", "hci1", "-b", hci.address_text("hci0"), *arguments)
    finally:
        disconnect("hci1")


def bleak(script, *arguments, **options):
    """Runs a Python script with bleak in this Python, which can import what these tests can; its sys.argv[1:] are the arguments."""
    try:
        return run("env", f"PYTHONPATH={os.pathsep.join(filter(None, sys.path))}", sys.executable, "-c", script, *arguments, **options)
    finally:
        disconnect("hci1")


def restart(*arguments):
    run("bluetoothd-restart", *arguments)


@contextlib.contextmanager
def configured(lines):
    """A context in which bluetoothd runs with these additional lines in main.conf."""
    file = pathlib.Path("/etc/bluetooth/main.conf")
    before = file.read_text()
    file.write_text(f"{before}\n{lines}\n")
    restart()
    try:
        yield
    finally:
        file.write_text(before)
        restart()


class Calls:
    """Follows calls between blemu and bluetoothd. A context manager; afterwards `times` has the seconds until each reply."""

    def __init__(self, *members):
        matches = (*(f"type=method_call,member={member}" for member in members), "type=method_return", "type=error")
        self._monitor = subprocess.Popen(["dbus-monitor", "--system", "--profile", *matches], stdout=subprocess.PIPE,
                                         stderr=subprocess.DEVNULL, text=True)
        self._monitor.stdout.readline()  # waits until dbus-monitor listens

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._monitor.terminate()
        rows = [line.rstrip("\n").split("\t") for line in self._monitor.communicate()[0].splitlines()]
        # type, time, serial, sender, destination, and for a reply the serial of its call
        calls = {(row[3], row[2]): float(row[1]) for row in rows if row[0] == "mc"}
        replies = [(row[4], row[5], float(row[1])) for row in rows if row[0] in ("mr", "err") and len(row) > 5]
        self.times = [at - calls[caller, serial] for caller, serial, at in replies if (caller, serial) in calls]

    def await_next(self):
        """Waits for the next of these calls."""
        limit = threading.Timer(PATIENCE, self._monitor.terminate)
        limit.start()
        try:
            assert any(line.startswith("mc\t") for line in self._monitor.stdout), f"no call in {PATIENCE} s"
        finally:
            limit.cancel()


def _properties(interface, adapter):
    proxy = dbus.SystemBus().get_object("org.bluez", f"/org/bluez/{adapter}")
    everything = dbus.Interface(proxy, "org.freedesktop.DBus.Properties").GetAll(interface)
    return {str(name): _plain(value) for name, value in everything.items()}


def _plain(value):
    kinds = [(dbus.Boolean, bool), (dbus.String, str), (dbus.Array, lambda items: [_plain(item) for item in items])]
    for kind, make in kinds:
        if isinstance(value, kind):
            return make(value)
    return int(value) if isinstance(value, int) else value


@contextlib.contextmanager
def advertisers(count, adapter="hci0"):
    """Has other programs advertise on an adapter meanwhile."""
    with contextlib.ExitStack() as stack:
        for _ in range(count):
            control = stack.enter_context(Dialogue("bluetoothctl"))
            control.await_output("Agent registered")
            control.send(f"select {hci.address_text(adapter)}")
            control.send("advertise on")
            control.await_output("Advertising object registered")
        yield
    eventually(lambda: advertising_manager(adapter)["ActiveInstances"] == 0, "advertisements remain")
