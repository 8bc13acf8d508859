"""The centrals. Each visits one device after another, and exchanges bytes both ways."""
import contextlib
import struct
import threading
import time

import hci
import stream
from att import ATTError, Central
from patience import PATIENCE

PIECE, EVERY = 96, 0.2  # bytes, seconds
REFUSED_LATE = 0x0E  # bluetoothd's answer to a request that the device has not answered for 5 s
FAILURES = (ConnectionError, OSError, TimeoutError, ATTError, StopIteration)


class Side:
    """What the centrals know of one device: at most one visits it at a time."""

    def __init__(self, name, adapter, wire):
        self.name, self.adapter, self.wire = name, adapter, wire
        self.lock = threading.Lock()
        self.written, self.answered = 0, 0  # bytes to the device
        self.doubtful = []  # those that may not have arrived
        self.arrived = stream.Arrival(f"what the centrals of {name} received")
        self.ends = []  # the places at which links were lost
        self.visits, self.kept = 0, None


class Visitor(threading.Thread):
    """A central on its own adapter."""

    def __init__(self, own, sides, seconds, random):
        super().__init__(daemon=True)
        self.own, self.seconds, self._sides, self._random = own, seconds, sides, random
        self.may_visit, self.is_away, self.is_rude = threading.Event(), threading.Event(), threading.Event()
        self.may_visit.set()
        self.error, self.losses = None, 0

    def run(self):
        while True:
            if not self.may_visit.is_set():
                self.is_away.set()
                self.may_visit.wait()
                self.is_away.clear()
            side = self._random.choice(self._sides)
            if side.lock.acquire(blocking=False):
                try:
                    self._visit(side)
                except Exception as error:  # the main thread reports it
                    side.wire.close()
                    self.error = error
                finally:
                    side.lock.release()
            time.sleep(1)

    def _visit(self, side):
        self.is_rude.clear()
        try:
            central = Central(side.adapter, self.own)
        except FAILURES:
            return time.sleep(5)
        try:
            self._talk(central, side)
            central.close()
        except FAILURES:
            self.losses += 1
            self._leave_lost(central, side)

    def _talk(self, central, side):
        values = {each.uuid: each.value_handle for each in central.characteristics()}
        if "FFE1" not in values:
            raise ConnectionError("bluetoothd has started, and does not have the services yet")
        central.exchange_mtu(247)
        central.subscribe(values["FFE1"])
        side.visits += 1
        central.write(values["FFE2"], struct.pack("<I", side.visits))
        side.kept = side.visits
        assert central.read(values["FFE2"]) == struct.pack("<I", side.visits), f"{side.name} does not have the number that was written"
        side.wire.is_open.set()
        end = time.monotonic() + self.seconds * self._random.uniform(0.5, 1.5)
        while time.monotonic() < end and self.may_visit.is_set():
            self._write(central, side, values["FFE1"])
            side.arrived.take(central.waiting())
            time.sleep(EVERY)
            if self.is_rude.is_set():
                hci.set_powered(self.own, False)
                hci.set_powered(self.own, True)
                raise ConnectionError
        side.wire.close()
        while side.arrived.position < side.wire.written or not side.arrived.is_certain:
            side.arrived.take(central.notification(60))

    def _write(self, central, side, handle):
        start = side.written
        side.written += PIECE
        try:
            central.write(handle, stream.content(start, PIECE))
            side.answered += PIECE
        except FAILURES as error:
            side.doubtful.append(stream.Gap(start, side.written))
            if not isinstance(error, ATTError) or error.code != REFUSED_LATE:
                raise

    def _leave_lost(self, central, side):
        """Takes what had arrived before the link was lost."""
        side.wire.close()
        with contextlib.suppress(*FAILURES):  # the adapter may be gone
            central.close()
        central.disconnected.wait(PATIENCE)
        side.arrived.take(central.waiting())
        side.ends.append(side.arrived.position)
