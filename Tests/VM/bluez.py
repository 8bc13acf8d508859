"""The host's side of BlueZ: adapter properties over D-Bus, and its command line clients as centrals."""
import subprocess
import sys
import time

import hci


def adapter_properties(adapter="hci0"):
    """org.bluez.Adapter1 of the adapter, as plain Python values."""
    import dbus
    proxy = dbus.SystemBus().get_object("org.bluez", f"/org/bluez/{adapter}")
    everything = dbus.Interface(proxy, "org.freedesktop.DBus.Properties").GetAll("org.bluez.Adapter1")
    return {str(name): _plain(value) for name, value in everything.items()}


def set_adapter_property(name, value, adapter="hci0"):
    import dbus
    proxy = dbus.SystemBus().get_object("org.bluez", f"/org/bluez/{adapter}")
    dbus.Interface(proxy, "org.freedesktop.DBus.Properties").Set("org.bluez.Adapter1", name, value)


def wait_for_adapter(adapter="hci0", timeout=20, **properties):
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


def run(*command, timeout=60, check=True, input=None):
    """Runs a client to its end; returns its output, standard error included."""
    done = subprocess.run(list(map(str, command)), timeout=timeout, text=True, input=input,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if check and done.returncode:
        raise AssertionError(f"{command} ended with status {done.returncode}:\n{done.stdout}")
    return done.stdout


def gatttool(*arguments, peripheral="hci0", own="hci1", **options):
    """gatttool against the peripheral, and no link left behind."""
    try:
        return run("gatttool", "-i", own, "-b", hci.address_text(peripheral), *arguments, **options)
    finally:
        hci.disconnect(own)


def bluetoothctl(*lines, **options):
    return run("bluetoothctl", input="".join(line + "\n" for line in [*lines, "quit"]), **options)


def bleak(script, *arguments, own="hci1", **options):
    """Runs a Python script with bleak in this Python; its sys.argv[1:] are the arguments."""
    try:
        return run(sys.executable, "-c", script, *arguments, **options)
    finally:
        hci.disconnect(own)


def restart(*arguments):
    run("bluetoothd-restart", *(arguments or ["-d"]), timeout=90)


def _plain(value):
    import dbus
    kinds = [(dbus.Boolean, bool), (dbus.String, str), (dbus.Array, lambda items: [_plain(item) for item in items])]
    for kind, make in kinds:
        if isinstance(value, kind):
            return make(value)
    return int(value) if isinstance(value, int) else value
