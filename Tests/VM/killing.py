"""Kills `blemu` at moments of its life, and looks at what it leaves."""
import contextlib
import functools
import os
import random
import re
import signal
import socket
import struct
import threading
from unittest import mock

import att
import bluez
import hci
from att import Central
from device import PROGRAM, Blemu, UpCommand, wait_for_guards
from moments import Calls
from pairing import encrypt
from patience import eventually

SEED = 37
PORT = 4000
STATE = re.compile(r'definition: "Killed"\nsettings:\n  number: (\d+)\n')
KILLED = re.compile("an earlier run was killed; blemu restores the settings of hci[0-9] when this run ends")


class Run(Blemu):
    """`blemu WORD...`, whose sockets and records are in the folder."""

    def __init__(self, words, folder, program=PROGRAM, environment=os.environ):
        (folder / "runtime").mkdir(exist_ok=True)
        command, *arguments = words
        self._run(UpCommand(list(map(str, arguments)), command), program,
                  env={**environment, "XDG_RUNTIME_DIR": str(folder / "runtime"), "XDG_STATE_HOME": str(folder / "records")})


class Device:
    """What a central, and whoever looks at its file, knows of a device."""

    def __init__(self, state, on="bluez", peripheral="hci0", own="hci1"):
        self.state, self.on, self.peripheral, self.own = state, on, peripheral, own
        self.confirmed = self.asked = 0  # the last number that it has confirmed, and the one that it may have taken
        self.is_bonded = False  # whether it has confirmed that

    def change(self, central):
        self.asked = self.confirmed + 1
        central.write(central.characteristic("FFF1"), struct.pack("<H", self.asked))
        self.confirmed = self.asked

    def check_file(self):
        text = self.state.read_text() if self.state.exists() else ""
        found = STATE.match(text)
        assert int(found[1]) in (self.confirmed, self.asked) if found else text == "" and self.confirmed == 0, text

    def check_on_air(self, air):
        """It has its number and its bond."""
        air.wait_for_sets(1, self.peripheral)
        # The kernel goes on with the connection of a central that has given up the killed run. When the device is back, bluetoothd
        # accepts that link ("New incoming LE ATT connection").
        with Central(self.peripheral, self.own, takes_over=True) as central:
            value = central.read(central.characteristic("FFF1"))
            number, = struct.unpack("<H", value)
            assert number in (self.confirmed, self.asked)
            self.confirmed = number
            air.wait_for(lambda it: b"\x05\xff\xff\xff" + value in it.data, self.peripheral)
            if self.is_bonded:
                encrypt(central)
                assert central.read(central.characteristic("FFF2")) == b"B"


def impatience():
    """A central does not wait long for a device that was killed: here, programs take no time. But it waits until the kernel
    gives up the connection for a pairing (HCI_LE_CONN_TIMEOUT, 20 s). A context manager."""
    return mock.patch.multiple(att, PATIENCE=30, eventually=functools.partial(eventually, timeout=30))


class Scenario:
    """Runs devices, lets a central pair with the first, gives each two numbers, and ends them."""

    def __init__(self, words, devices, host, folder, air):
        self.words, self.devices, self.host, self.folder, self.air = words, devices, host, folder, air
        self.calls = Calls(folder / "trace", PROGRAM)
        self.before, self.phase, self.ghosts = self.adapters(), "", 0
        self.settings = {each.peripheral: hci.settings(each.peripheral) for each in devices}
        self.files = sorted(self.left() + [each.state.name for each in devices])

    def adapters(self):
        return {each.peripheral: self.host.adapter(each.peripheral) for each in self.devices}

    def left(self):
        return sorted(str(path.relative_to(self.folder)) for path in self.folder.rglob("*")
                      if not path.is_dir() and path.parent.name != "trace")

    def live(self, blemu, ends=lambda phase: None):
        """A whole life. `ends` is called at the end of each phase."""
        self.phase = "start"
        for _ in self.devices:
            blemu.await_event("on-air")
        with socket.create_connection(("127.0.0.1", PORT)) if "--tcp" in self.words else contextlib.nullcontext():
            for each in self.devices:
                self._enter("pairing", ends)
                with Central(each.peripheral, each.own) as central:
                    blemu.await_event("connected")
                    if each is self.devices[0]:
                        self.host.pair()
                        blemu.await_event("bonded")
                        each.is_bonded = True
                    self._enter("change", ends)
                    for _ in range(2):
                        each.change(central)
            self._enter("end", ends)
            assert blemu.stop() == 0, blemu.story()
            self._enter("", ends)

    def _enter(self, phase, ends):
        ends(self.phase)
        self.phase = phase

    def phases(self):
        """Returns the moments of each phase."""
        found, count = {}, 0

        def ends(phase):
            nonlocal count
            moments = self.calls.moments()
            found.setdefault(phase, []).extend(moments[count:])
            count = len(moments)

        self.host.forget()
        self.live(Run(self.words, self.folder, self.calls.program, self.calls.environment()), ends)
        return found

    def kill(self, moment):
        """Lives until the moment, and returns whether it has come."""
        self.host.forget()
        self.devices[0].is_bonded = False
        blemu = Run(self.words, self.folder, self.calls.program, moment.environment())
        over = threading.Event()
        watch = threading.Thread(target=self._watch, args=[blemu.process, over])
        watch.start()
        try:
            with impatience():
                self.live(blemu)
        except Exception:
            if blemu.process.wait(60) != -signal.SIGKILL:
                raise
            if not self.devices[0].is_bonded:
                self.host.give_up()
        finally:
            over.set()
            watch.join()
        blemu.stop()
        self.devices[0].is_bonded = blemu.happened("bonded") != []
        return blemu.process.returncode == -signal.SIGKILL

    def _watch(self, process, over):
        """Ends the links to a device that was killed, also those that are only being made: nobody waits for it."""
        while not over.wait(.05):
            for each in self.devices if process.poll() is not None else []:
                for handle in hci.links(each.own):
                    hci.command(each.own, 0x0406, struct.pack("<HB", handle, 0x13))  # Disconnect

    def check(self, begins_at_once=False):
        """The adapters on exact are as before. The next run has everything, and leaves everything as it was before. It may begin while
        the guards of the killed run are at work."""
        if not begins_at_once:
            self._await_guards()
        for each in self.devices:
            each.check_file()
            if each.on == "bluez":
                self._await_end_of_services(each)
        with Run(self.words, self.folder) as blemu:
            for _ in self.devices[1:]:
                blemu.await_event("on-air")
            for each in self.devices:
                each.check_on_air(self.air)
            assert blemu.stop() == 0, blemu.story()
            assert [text for text in blemu.warnings() if not KILLED.fullmatch(text)] == []
            assert self.devices[0].on == "bluez" or blemu.happened("paired") == []  # on bluez, bluetoothd has the keys
        wait_for_guards()
        eventually(lambda: self.adapters() == self.before, lambda: f"{self.adapters()}\nis not\n{self.before}")
        assert self.left() == self.files

    def _await_guards(self):
        wait_for_guards()
        for each in self.devices:
            if each.on == "exact":
                self.air.wait_for_silence(each.peripheral)
                assert hci.settings(each.peripheral) == self.settings[each.peripheral]

    def _await_end_of_services(self, device):
        """bluetoothd ends by itself what it has served and advertised for a device that was killed. If that happens while the
        advertisement begins, BlueZ 5.66 advertises it until bluetoothd ends."""
        bluez.disconnect(device.own, device.peripheral)
        eventually(lambda: self.host.services(device.peripheral) == self.before[device.peripheral]["UUIDs"],
                   lambda: f"bluetoothd serves {self.host.services(device.peripheral)}")
        try:
            eventually(lambda: bluez.advertising_manager(device.peripheral)["ActiveInstances"] == 0, str, timeout=2)
        except TimeoutError:
            self.ghosts += 1
            self.host.restart()
        self.air.wait_for_silence(device.peripheral)

    def try_moments(self, count):
        phases, tried = self.phases(), {}
        self.check()
        source = random.Random(SEED)
        for number, moments in enumerate(phases.values()):
            wanted = (count + number) // len(phases)
            for moment in source.sample(moments, min(2 * wanted, len(moments))):  # a few do not come in each run
                with self.explained(moment):
                    if self.kill(moment):
                        tried[self.phase] = tried.get(self.phase, 0) + 1
                        wanted -= 1
                    self.check(begins_at_once=wanted % 2 == 1)
                if not wanted:
                    break
        print(f"killed {sum(tried.values())} times, at {sum(map(len, phases.values()))} moments: {tried}; advertisements that bluetoothd kept: {self.ghosts}")
        assert sum(tried.values()) == count

    @contextlib.contextmanager
    def explained(self, moment):
        try:
            yield
        except BaseException:
            print(f"failed after a kill in '{self.phase}', {moment}")
            raise
