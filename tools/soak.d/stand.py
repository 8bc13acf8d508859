"""The devices under test, in one process, and what their log says of the bytes."""
import contextlib
import json
import os
import re
import signal
import subprocess
import threading

import stream

DROPPED = re.compile(r"wire side: dropped (\d+) bytes for the last central")


class Ledger:
    """What blemu's log says of one device: its bytes, and the process of its program."""

    def __init__(self, name):
        self.from_air = stream.Arrival(f"what {name} received")
        self.to_air = stream.Arrival(f"what {name} sent")
        self.to_wire = self.from_wire = self.dropped = 0
        self.process = None


class Stand:
    """`blemu up`. A context manager. `warnings` counts the warnings by their texts, without numbers."""

    def __init__(self, program, path, names, log, runtime):
        self.ledgers = {name: Ledger(name) for name in names}
        self.warnings, self.error, self._log = {}, None, open(log, "w")
        self.process = subprocess.Popen([program, "up", path, "--log", "json"], env=os.environ | {"XDG_RUNTIME_DIR": str(runtime)},
                                        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.on_air = {name: False for name in names}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(300)
        self._reader.join(300)
        self._log.close()

    @contextlib.contextmanager
    def stopped(self):
        self.process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self.process.send_signal(signal.SIGCONT)

    def _read(self):
        for line in self.process.stdout:
            try:
                self._take(line.decode())
            except Exception as error:
                self.error = self.error or error

    def _take(self, line):
        event = json.loads(line) if line.startswith("{") else {"event": "error", "message": line.strip()}
        if "time" not in event:
            print(line, end="", flush=True)
        kind = event["event"]
        if kind not in ("write", "read", "notify", "wire-in", "wire-out"):
            self._log.write(line)
            self._log.flush()
        name = event.get("device")
        if kind in ("warning", "error"):
            text = f"{name}: {re.sub('[0-9]+', 'N', event['message'])}"
            self.warnings[text] = self.warnings.get(text, 0) + 1
        if name is None:
            return
        ledger, value = self.ledgers[name], bytes.fromhex(event.get("value", ""))
        match kind, event.get("attribute"):
            case "write", "FFE1" if "refused" not in event:
                ledger.from_air.take(value)
            case "notify", "FFE1":
                ledger.to_air.take(value)
            case "wire-out", _:
                ledger.to_wire += len(value)
            case "wire-in", _:
                ledger.from_wire += len(value)
            case "wire", _ if event["change"] == "started":
                ledger.process = event["process"]
            case "on-air" | "off-air", _:
                self.on_air[name] = kind == "on-air"
            case "warning", _ if found := DROPPED.search(event["message"]):
                ledger.dropped += int(found[1])


def resources(process):
    """Returns memory (KiB) and the numbers of descriptors, threads and context switches of a process."""
    with open(f"/proc/{process}/status") as file:
        fields = dict(line.split(":\t") for line in file.read().splitlines() if ":\t" in line)
    return {
        "memory": int(fields["RssAnon"].split()[0]), "resident": int(fields["VmRSS"].split()[0]), "threads": int(fields["Threads"]),
        "descriptors": len(os.listdir(f"/proc/{process}/fd"))}
