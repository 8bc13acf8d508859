"""The soak in the virtual machine: soak.py SECONDS SEED FOLDER. See tools/soak --help."""
import json
import os
import pathlib
import random
import socket
import subprocess
import sys
import tempfile
import threading
import time

import accounts
import bluez
import disturbances
import hci
from centrals import Side, Visitor
from patience import PATIENCE, eventually
from stand import Stand, resources
from wires import Peer, Program, Terminal

EVERY, SAMPLE, REST, VISIT = 60, 10, 5, 25  # seconds
PROGRAM = pathlib.Path(__file__).resolve().parents[2] / ".build/release/blemu"
PORT = 4000
CENTRALS = ["hci4", "hci5", "hci6"]


class Room:
    """Everything that takes part."""

    def __init__(self, seed, folder):
        self.random, self.folder = random.Random(seed), folder
        self.work = pathlib.Path(tempfile.mkdtemp())
        self.state = self.work / "state"
        self.state.mkdir()
        subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "none", self.state], check=True)
        wires = {"program": Program("program", self.work), "terminal": Terminal("terminal", self.work / "terminal-link"),
                 "peer": Peer("peer", PORT), "exact": Program("exact", self.work)}
        self.sides = [Side(name, on.partition(":")[2], wires[name]) for name, on in disturbances.DEVICES.items()]
        self.visitors = [Visitor(own, self.sides, VISIT, random.Random(self.random.random())) for own in CENTRALS]
        self.started, self.problems, self.disturbances, self.samples, self.crashes = time.monotonic(), [], [], [], []

    def stand_file(self):
        attachments = {side.name: {Program: lambda wire: {"exec": wire.words, "restart": "always"}, Peer: lambda wire: {"tcp": wire.port},
                                   Terminal: lambda wire: {"pty": str(wire.link)}}[type(side.wire)](side.wire) for side in self.sides}
        devices = {name: {"definition": str(pathlib.Path(__file__).with_name("module.yaml")), "on": on, "restart": "on-failure",
                          "state": str(self.state / name), "wire": attachments[name]} for name, on in disturbances.DEVICES.items()}
        path = self.work / "stand.yaml"
        path.write_text(json.dumps({"stand": "Soak", "devices": devices}))
        return path

    def control(self, side):
        """The socket of its device."""
        return str(self.work / "blemu" / f"{side.name}.sock")

    def any_side(self):
        return self.random.choice(self.sides)

    @property
    def now(self):
        return round(time.monotonic() - self.started, 1)

    def note(self, problem):
        """Notes what must not be. The soak goes on."""
        self.problems.append(f"after {self.now:.0f} s: {problem}")
        print(f"{self.now:8.0f} s  PROBLEM: {problem}", flush=True)

    def check_parts(self):
        """Notes the errors of threads, each once."""
        for part in [self.stand, *self.visitors, *(side.wire for side in self.sides)]:
            if part.error:
                self.note(f"{type(part.error).__name__}: {part.error}")
                part.error = None

    def sample(self, kind="sample"):
        blemu = resources(self.stand.process.pid)
        self.samples.append({"at": self.now, "kind": kind, **blemu, "bluetoothd": daemon_memory(),
                             "bytes": sum(side.answered + side.arrived.count for side in self.sides)})

    def keep_sampling(self):
        while self.stand.process.poll() is None:
            try:
                self.sample()
            except (OSError, KeyError):
                pass  # one of them has just ended
            time.sleep(SAMPLE)

    def revive_bluetoothd(self):
        """Starts bluetoothd again if it has crashed, as systemd does."""
        if daemon_memory() is None:
            self.crashes.append(self.now)
            print(f"{self.now:8.0f} s  bluetoothd has crashed", flush=True)
            bluez.run("bluetoothd-start")

    def await_all(self):
        """Waits until every device is on the air."""
        def are_on_air():
            return all(self.stand.on_air.values()) or self.stand.process.poll() is not None

        eventually(are_on_air, lambda: f"off the air: {[name for name, is_on in self.stand.on_air.items() if not is_on]}")

    def rest(self):
        """Lets all centrals leave, and looks at what blemu holds when nothing happens."""
        for visitor in self.visitors:
            visitor.may_visit.clear()
        for visitor in self.visitors:
            if not visitor.is_away.wait(PATIENCE):
                self.note(f"the central on {visitor.own} did not come to an end")
        time.sleep(REST)
        self.sample("rest")
        self.samples[-1]["timers"] = ask(self.control(self.sides[0]), "status")["timers"]
        for visitor in self.visitors:
            visitor.may_visit.set()

    def disturb(self, disturbance):
        name = disturbance.__name__.replace("_", " ")
        begun = self.now
        print(f"{begun:8.0f} s  {name}", flush=True)
        try:
            with disturbance(self):
                time.sleep(disturbances.HOLD)
            self.revive_bluetoothd()
            self.await_all()
        except Exception as error:
            self.note(f"{name}: {type(error).__name__}: {error}")
        self.disturbances.append({"at": begun, "until": self.now, "name": name})
        self.check_parts()
        self.write()

    def write(self):
        (self.folder / "soak.json").write_text(json.dumps(self.summary()))

    def summary(self):
        return {"seconds": self.now, "problems": self.problems, "disturbances": self.disturbances, "samples": self.samples,
                "warnings": self.stand.warnings, "crashes of bluetoothd": self.crashes, "lost links": sum(each.losses for each in self.visitors),
                "devices": [accounts.of(side, self.stand.ledgers[side.name], disturbances.DEVICES[side.name], self.state / side.name)
                            for side in self.sides]}


def daemon_memory():
    try:
        return resources(bluez.process())["memory"]
    except (OSError, KeyError):
        return None


def ask(path, method):
    with socket.socket(socket.AF_UNIX) as client, client.makefile("rwb") as file:
        client.connect(path)
        client.settimeout(PATIENCE)
        file.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method}).encode() + b"\n")
        file.flush()
        return json.loads(file.readline())["result"]


def main(seconds, seed, folder):
    room = Room(seed, pathlib.Path(folder))
    with Stand(PROGRAM, room.stand_file(), disturbances.DEVICES, room.folder / "log.jsonl", room.work) as room.stand:
        room.await_all()
        # The next bluetoothd has only those that are not taken.
        os.environ["VM_CONTROLLERS"] = str(len(hci.adapters()) - len(disturbances.adapters_of("exact")))
        for side in room.sides:
            side.wire.start()
        for visitor in room.visitors:
            visitor.start()
        threading.Thread(target=room.keep_sampling, daemon=True).start()
        time.sleep(EVERY)
        room.rest()
        every = min(EVERY, (seconds - EVERY) / len(disturbances.ALL))  # a short soak has a whole round, too
        while room.now < seconds:
            for disturbance in room.random.sample(disturbances.ALL, len(disturbances.ALL)):
                if room.now >= seconds:
                    break
                next_one = time.monotonic() + every
                room.revive_bluetoothd()
                room.disturb(disturbance)
                time.sleep(max(0, next_one - time.monotonic()))
            room.rest()
        room.revive_bluetoothd()
        for visitor in room.visitors:
            visitor.may_visit.clear()
        finish(room)
    room.write()


def finish(room):
    """Visits each device once more, so that everything on its way arrives."""
    for visitor in room.visitors:
        visitor.is_away.wait(PATIENCE)
    visitor = room.visitors[0]
    visitor.seconds = 5
    visitor.may_visit.set()
    counts = {side.name: side.visits for side in room.sides}
    eventually(lambda: visitor.error or all(side.visits > counts[side.name] for side in room.sides),
               lambda: "a device is not reached any more")
    visitor.may_visit.clear()
    visitor.is_away.wait(PATIENCE)
    time.sleep(REST)
    room.check_parts()


if __name__ == "__main__":
    main(float(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
