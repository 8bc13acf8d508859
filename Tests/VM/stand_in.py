"""In bluetoothd's place on a bus of its own: it answers when a test wants, and knows in which order it was asked."""
import concurrent.futures
import os
import pathlib
import subprocess
import tempfile
import threading

import dbus
import dbus.bus
import dbus.mainloop.glib
import dbus.service
from gi.repository import GLib

from blemu import DEFINITIONS, Blemu
from patience import PATIENCE

REGISTER, UNREGISTER, DONE = "RegisterAdvertisement", "UnregisterAdvertisement", "registered"
DEVICE, CENTRAL = "org.bluez.Device1", "/org/bluez/hci0/dev_02_00_00_00_00_02"
ADAPTER, ADVERTISING, GATT = "org.bluez.Adapter1", "org.bluez.LEAdvertisingManager1", "org.bluez.GattManager1"
CONFIGURATION = """
<busconfig>
  <type>session</type>
  <listen>unix:dir={folder}</listen>
  <policy context="default">
    <allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/>
  </policy>
</busconfig>"""


class StandIn:
    """A context manager. `blemu()` runs definitions/renaming.yaml, which takes it for bluetoothd.

    answers: what the next calls of RegisterAdvertisement are answered: "" is success, a word the name of BlueZ's
    error, None nothing until answer(). When none is left, success.
    story: what was asked and answered, in that order.
    is_connected: whether a central is, at first.
    """

    def __init__(self, *answers, is_connected=False):
        self.answers, self.story, self.alias, self.is_connected = list(answers), [], "", is_connected
        self._pending, self._messages, self._news = None, 0, threading.Condition()

    def __enter__(self):
        self._folder = tempfile.TemporaryDirectory()
        configuration = pathlib.Path(self._folder.name, "bus.conf")
        configuration.write_text(CONFIGURATION.format(folder=self._folder.name))
        command = ["dbus-daemon", f"--config-file={configuration}", "--nofork", "--nopidfile", "--print-address"]
        self._daemon = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        address = self._daemon.stdout.readline().strip()
        self._environment = os.environ | {"DBUS_SYSTEM_BUS_ADDRESS": address, "XDG_STATE_HOME": self._folder.name}
        self._serve(address)
        return self

    def __exit__(self, *_):
        self._blemu.stop()
        GLib.idle_add(self._loop.quit)
        self._thread.join()
        self._bus.close()
        self._daemon.terminate()
        self._daemon.communicate()
        self._folder.cleanup()

    def _serve(self, address):
        self._bus = dbus.bus.BusConnection(address, mainloop=dbus.mainloop.glib.DBusGMainLoop())
        self._bus.set_exit_on_disconnect(False)
        self._bus.add_message_filter(self._count)
        self._objects = [_Root(self._bus, "/"), _Adapter(self._bus, "/org/bluez/hci0"),
                         _Central(self._bus, CENTRAL)]
        for each in self._objects:
            each.stand_in = self
        self._bus.request_name("org.bluez")
        self._loop = GLib.MainLoop()
        self._thread = threading.Thread(target=self._loop.run, daemon=True)
        self._thread.start()

    def blemu(self):
        self._blemu = Blemu(DEFINITIONS / "renaming.yaml", "--stdio", env=self._environment)
        return self._blemu

    def await_story(self, *end):
        """Returns when the story ends so."""
        with self._news:
            assert self._news.wait_for(lambda: self.story[-len(end):] == list(end), PATIENCE), f"no {end} but {self.story}"

    def advertising_calls(self):
        return [line for line in self.story if not line.endswith("Application")]

    def settle(self):
        """Returns when blemu does nothing more of itself, and the story knows what it has asked."""
        messages = None
        while messages != (messages := self._do(lambda: self._messages)):
            self._ping()  # it knows all our answers
            self._blemu.settle()
            self._ping()  # we have all its calls, and look at them before the next deed

    def _ping(self):
        self._do(lambda: self._bus.call_blocking(self.caller, "/", "org.freedesktop.DBus.Peer", "Ping", "", ()))

    def _count(self, bus, message):
        self._messages += 1
        return NotImplemented  # let others look at it

    def answer(self, error=""):
        """Answers the call that waits, as late as can be: what came too early has come by then."""
        self.settle()
        self._do(lambda: self._answer(self._pending, error))

    def connect(self, is_connected=True):
        """Lets the central come, or go."""
        def change():
            self.is_connected = is_connected
            self._objects[2].PropertiesChanged(DEVICE, {"Connected": is_connected}, [])
        self._do(change)

    def stop(self):
        """Is bluetoothd no longer, as far as the bus knows; a call that waits may still be answered."""
        self._do(lambda: self._bus.release_name("org.bluez"))

    def start(self):
        """Is bluetoothd again."""
        self._do(lambda: self._bus.request_name("org.bluez"))

    def _do(self, deed):
        def run():
            try:
                done.set_result(deed())
            except Exception as error:
                done.set_exception(error)

        done = concurrent.futures.Future()
        GLib.idle_add(run)
        return done.result(PATIENCE)

    # On the thread of the loop.

    def add(self, *lines):
        with self._news:
            self.story += lines
            self._news.notify_all()

    def asked_to_advertise(self, call):
        answer = self.answers.pop(0) if self.answers else ""
        self._pending = call
        self.add("RegisterAdvertisement")
        if answer is not None:
            self._answer(call, answer)

    def _answer(self, call, error):
        succeed, fail = call
        self.add(error or "registered")
        if error:
            fail(dbus.DBusException("Not now", name=f"org.bluez.Error.{error}"))
        else:
            succeed()


class _Root(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.ObjectManager", out_signature="a{oa{sa{sv}}}")
    def GetManagedObjects(self):
        adapter = {"Address": "02:00:00:00:00:01", "AddressType": "public", "Name": "stand-in",
                   "Alias": self.stand_in.alias or "stand-in", "Powered": True}
        managers = {"ActiveInstances": dbus.Byte(0), "SupportedInstances": dbus.Byte(5)}
        nothing = dbus.Dictionary(signature="sv")
        return {"/org/bluez/hci0": {ADAPTER: adapter, ADVERTISING: managers, GATT: nothing},
                CENTRAL: {DEVICE: {"Address": "02:00:00:00:00:02", "Connected": self.stand_in.is_connected}}}


class _Adapter(dbus.service.Object):
    @dbus.service.method("org.freedesktop.DBus.Properties", in_signature="ssv")
    def Set(self, interface, name, value):
        assert (interface, name) == (ADAPTER, "Alias"), (interface, name)
        self.stand_in.alias = str(value)

    @dbus.service.method(GATT, in_signature="oa{sv}", sender_keyword="caller")
    def RegisterApplication(self, path, options, caller):
        self.stand_in.caller = caller
        self.stand_in.add("RegisterApplication")

    @dbus.service.method(GATT, in_signature="o")
    def UnregisterApplication(self, path):
        self.stand_in.add("UnregisterApplication")

    @dbus.service.method(ADVERTISING, in_signature="oa{sv}", async_callbacks=("succeed", "fail"))
    def RegisterAdvertisement(self, path, options, succeed, fail):
        self.stand_in.asked_to_advertise((succeed, fail))

    @dbus.service.method(ADVERTISING, in_signature="o")
    def UnregisterAdvertisement(self, path):
        self.stand_in.add("UnregisterAdvertisement")


class _Central(dbus.service.Object):
    @dbus.service.signal("org.freedesktop.DBus.Properties", signature="sa{sv}as")
    def PropertiesChanged(self, interface, changed, invalidated):
        pass
