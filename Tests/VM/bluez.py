"""The host's side of BlueZ: adapter properties over D-Bus, and its command line clients as centrals."""
import pathlib
import re
import shlex
import subprocess
import sys
import textwrap
import threading
import time

import hci
from patience import PATIENCE


def adapter_properties(adapter="hci0"):
    """org.bluez.Adapter1 of the adapter, as plain Python values."""
    return _properties("org.bluez.Adapter1", adapter)


def set_adapter_property(name, value, adapter="hci0"):
    import dbus
    proxy = dbus.SystemBus().get_object("org.bluez", f"/org/bluez/{adapter}")
    dbus.Interface(proxy, "org.freedesktop.DBus.Properties").Set("org.bluez.Adapter1", name, value)


def wait_for_adapter(adapter="hci0", timeout=PATIENCE, **properties):
    """Waits until the adapter has these properties, for example Powered=True."""
    import dbus
    deadline = time.monotonic() + timeout
    while True:
        try:
            now = adapter_properties(adapter)
        except dbus.DBusException as error:
            now = {"error": str(error)}
        if properties.items() <= now.items():
            return now
        if time.monotonic() > deadline:
            raise TimeoutError(f"{adapter} is not {properties} but {now}")
        time.sleep(0.1)


def connect(device, timeout=PATIENCE):
    """Lets bluetoothd connect a device, by its path on the bus."""
    import dbus
    proxy = dbus.SystemBus().get_object("org.bluez", device, introspect=False)
    dbus.Interface(proxy, "org.bluez.Device1").Connect(timeout=timeout)


def disconnect(own, peripheral="hci0", timeout=PATIENCE):
    """Ends the links of `own`, and returns when bluetoothd knows that the central has left `peripheral`.

    One that comes back before bluetoothd has noticed is taken for never having left: its subscriptions go on,
    and what is sent meanwhile is lost.
    """
    import dbus
    hci.disconnect(own)
    device = f"/org/bluez/{peripheral}/dev_{hci.address_text(own).replace(':', '_')}"
    deadline = time.monotonic() + timeout
    while time.monotonic() < deadline:
        try:
            proxy = dbus.SystemBus().get_object("org.bluez", device, introspect=False)
            if not proxy.Get("org.bluez.Device1", "Connected", dbus_interface="org.freedesktop.DBus.Properties"):
                return
        except dbus.DBusException:
            return  # no such device, or no bluetoothd
        time.sleep(0.02)
    raise TimeoutError(f"bluetoothd still sees {own} connected to {peripheral}")


def run(*command, timeout=PATIENCE, check=True, input=None):
    """Runs a client to its end; returns its output, standard error included."""
    done = subprocess.run(list(map(str, command)), timeout=timeout, text=True, input=input,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if check and done.returncode:
        what = shlex.join(map(str, command))
        raise AssertionError(f"{textwrap.shorten(what, 200)} ended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


class Dialogue:
    """A client that is talked to by lines. A context manager that ends it."""

    def __init__(self, *command, own="hci1", timeout=PATIENCE):
        self.own, self.timeout, self.output = own, timeout, ""
        self._news = threading.Condition()
        # bluetoothctl and gatttool flush each line only on a terminal, which would also echo and colour.
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

    def await_output(self, pattern, timeout=None):
        """Waits for output that matches; what comes before and the match are consumed. Returns the match."""
        deadline = time.monotonic() + (timeout or self.timeout)
        with self._news:
            while True:
                match = re.search(pattern, self.output)
                if match:
                    self.output = self.output[match.end():]
                    return match
                if not self._news.wait(deadline - time.monotonic()):
                    raise TimeoutError(f"no output {pattern!r} but\n{self.output}")

    def _read(self):
        while data := self.process.stdout.read(4096):
            with self._news:
                # Without colours and the prompt's carriage returns.
                self.output += re.sub(r"\x1b\[[0-9;]*[A-Za-z]|[\r\x01\x02]", "", data.decode(errors="replace"))
                self._news.notify_all()


def advertising_manager(adapter="hci0"):
    """org.bluez.LEAdvertisingManager1 of the adapter, as plain Python values."""
    return _properties("org.bluez.LEAdvertisingManager1", adapter)


def wait_for_advertisements(count, adapter="hci0", timeout=PATIENCE):
    """Waits until so many advertisements are registered."""
    deadline = time.monotonic() + timeout
    while advertising_manager(adapter)["ActiveInstances"] != count:
        if time.monotonic() > deadline:
            raise TimeoutError(f"{adapter}: {advertising_manager(adapter)}")
        time.sleep(0.1)


def forget_devices():
    """Removes the devices that the adapters know of each other, so that they meet for the first time."""
    import dbus
    bus = dbus.SystemBus()
    objects = dbus.Interface(bus.get_object("org.bluez", "/"), "org.freedesktop.DBus.ObjectManager")
    for path in objects.GetManagedObjects():
        if re.fullmatch("/org/bluez/hci[0-9]+/dev_[0-9A-F_]+", path):
            adapter = bus.get_object("org.bluez", path.rsplit("/", 1)[0])
            dbus.Interface(adapter, "org.bluez.Adapter1").RemoveDevice(path)


def gatttool(*arguments, peripheral="hci0", own="hci1", **options):
    """gatttool against the peripheral, and no link left behind."""
    try:
        return run("gatttool", "-i", own, "-b", hci.address_text(peripheral), *arguments, **options)
    finally:
        disconnect(own, peripheral)


def bluetoothctl(*lines, **options):
    return run("bluetoothctl", input="".join(line + "\n" for line in [*lines, "quit"]), **options)


def bleak(script, *arguments, own="hci1", **options):
    """Runs a Python script with bleak in this Python, which can import what is in this folder; its sys.argv[1:] are the arguments."""
    try:
        return run("env", f"PYTHONPATH={pathlib.Path(__file__).parent}", sys.executable, "-c", script, *arguments, **options)
    finally:
        disconnect(own)


def restart(*arguments):
    run("bluetoothd-restart", *arguments, timeout=PATIENCE)


def _properties(interface, adapter):
    import dbus
    proxy = dbus.SystemBus().get_object("org.bluez", f"/org/bluez/{adapter}")
    everything = dbus.Interface(proxy, "org.freedesktop.DBus.Properties").GetAll(interface)
    return {str(name): _plain(value) for name, value in everything.items()}


def _plain(value):
    import dbus
    kinds = [(dbus.Boolean, bool), (dbus.String, str), (dbus.Array, lambda items: [_plain(item) for item in items])]
    for kind, make in kinds:
        if isinstance(value, kind):
            return make(value)
    return int(value) if isinstance(value, int) else value
