"""What happens to the devices, one thing a minute. Each is a context: it lasts while the context is open."""
import contextlib
import json
import os
import pathlib
import signal
import socket
import subprocess
import sys
import time

import bluez
import hci

HOLD = 15  # seconds
DEVICES = {"program": "bluez:hci0", "terminal": "bluez:hci1", "peer": "exact:hci2", "exact": "exact:hci3"}


def adapters_of(stack):
    return [place.partition(":")[2] for place in DEVICES.values() if place.startswith(stack)]


@contextlib.contextmanager
def bluetoothd_killed(room):
    bluez.kill()
    yield
    pathlib.Path("/run/bluetoothd.pid").unlink()
    bluez.run("bluetoothd-start")


@contextlib.contextmanager
def bluetoothd_restarted(room):
    bluez.restart()
    yield


@contextlib.contextmanager
def adapter_off(room):
    """Nobody but blemu can switch off one that it has taken."""
    adapter = room.random.choice(adapters_of("bluez"))
    hci.set_powered(adapter, False)
    yield
    hci.set_powered(adapter, True)


@contextlib.contextmanager
def adapter_removed(room):
    adapter = room.any_side().adapter
    plugged(adapter, False)
    yield
    plugged(adapter, True)


def plugged(adapter, is_in):
    """Plugs the virtual adapter in, or pulls it out (radio.c)."""
    pathlib.Path("/run/radio.unplugged").write_text("" if is_in else str(hci.index(adapter)))
    os.kill(int(pathlib.Path("/run/radio.pid").read_text()), signal.SIGUSR1)
    while (adapter in hci.adapters()) != is_in:
        time.sleep(0.1)


@contextlib.contextmanager
def centrals_gone(room):
    """Each central switches its Bluetooth off in the middle of the transfer."""
    for visitor in room.visitors:
        visitor.is_rude.set()
    yield


@contextlib.contextmanager
def wire_ends_killed(room):
    for side in room.sides:
        side.wire.kill(room.stand)
    yield


@contextlib.contextmanager
def control_clients_hang(room):
    """Programs that watch and do not read, and others that send half a request."""
    with contextlib.ExitStack() as stack:
        for side in room.sides:
            for text in 5 * (json.dumps({"jsonrpc": "2.0", "id": 1, "method": "watch"}) + "\n", '{"jsonrpc": "2.0", '):
                client = stack.enter_context(socket.socket(socket.AF_UNIX))
                client.connect(room.control(side))
                client.sendall(text.encode())
        yield


@contextlib.contextmanager
def disk_full(room):
    """The file system of the state files has no room."""
    filler = room.state / "filler"
    with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
        while file.write(bytes(4096)):
            pass
    yield
    filler.unlink()


@contextlib.contextmanager
def clock_set_back(room):
    turn_clock(-3600)
    yield
    turn_clock(3600)


def turn_clock(seconds):
    time.clock_settime(time.CLOCK_REALTIME, time.time() + seconds)


@contextlib.contextmanager
def stopped(room):
    with room.stand.stopped():
        time.sleep(20 - HOLD)
        yield


@contextlib.contextmanager
def little_memory(room):
    """Another program takes all memory but for 64 MiB."""
    hog = subprocess.Popen([sys.executable, "-c", HOG], stdout=subprocess.PIPE, stdin=subprocess.PIPE)
    hog.stdout.readline()
    yield
    hog.kill()
    hog.wait()


HOG = """
import sys
with open("/proc/self/oom_score_adj", "w") as file: file.write("1000")
def available(): return next(int(line.split()[1]) for line in open("/proc/meminfo") if line.startswith("MemAvailable"))
taken = []
while available() > 65536: taken.append(b"\\1" * (4 << 20))
print("taken", flush=True)
sys.stdin.read()
"""

ALL = [bluetoothd_killed, bluetoothd_restarted, adapter_off, adapter_removed, centrals_gone, wire_ends_killed, control_clients_hang,
       disk_full, clock_set_back, stopped, little_memory]
