"""A farm on one machine: network namespaces, each with sshd and an exporter of labgrid, and the coordinator between them."""
import contextlib
import os
import pathlib
import socket
import subprocess
import time

import yaml

PATIENCE = 60  # seconds; only against hanging
NETWORK = "10.77.0"

SSHD = """
HostKey {folder}/key
AuthorizedKeysFile {folder}/key.pub
StrictModes no
UsePAM no
PidFile none
MaxStartups 100
"""

SSH = """
Host *
  IdentityFile {folder}/key
  UserKnownHostsFile {folder}/known
  ServerAliveInterval 3
"""


def call(*words, **options):
    return subprocess.run(list(map(str, words)), check=True, capture_output=True, text=True, timeout=PATIENCE, **options).stdout


class Farm:
    """Machines, a bridge between them, and the coordinator. It needs namespaces of its own, and ends with them."""

    def __init__(self, folder, machines, places):
        """Makes machines with so many places each."""
        self.folder = pathlib.Path(folder)
        self._lay_the_network()
        self._let_ssh_in()
        self.machines = [Machine(self, f"pi{number}", f"{NETWORK}.{1 + number}") for number in range(1, machines + 1)]
        self._write_ssh_files()
        self._write_places(places)
        self._coordinator = self.start("labgrid-coordinator", "-l", f"{NETWORK}.1:20408")
        until(lambda: is_open(f"{NETWORK}.1", 20408))
        os.environ["LG_COORDINATOR"] = f"{NETWORK}.1:20408"
        for machine in self.machines:
            machine.start(places)
        until(lambda: call("labgrid-client", "resources").count("/BlemuAdapter") == machines * places)

    def _lay_the_network(self):
        call("mount", "-t", "tmpfs", "none", "/run")
        for words in ("link set lo up", "link add farm type bridge", f"addr add {NETWORK}.1/24 dev farm", "link set farm up"):
            call("ip", *words.split())

    def _let_ssh_in(self):
        os.mkdir("/run/sshd")  # sshd wants it
        for name in (".bashrc", ".ssh/config"):  # what this user has there is not to matter
            with contextlib.suppress(subprocess.CalledProcessError):
                call("mount", "--bind", "/dev/null", pathlib.Path.home() / name)
        call("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", self.folder / "key")
        (self.folder / "sshd_config").write_text(SSHD.format(folder=self.folder))

    def _write_ssh_files(self):
        key = (self.folder / "key.pub").read_text()
        (self.folder / "known").write_text("".join(f"{each.name} {key}" for each in self.machines))
        hosts = "".join(f"Host {each.name}\n  HostName {each.address}\n  HostKeyAlias {each.name}\n" for each in self.machines)
        (self.folder / "ssh_config").write_text(hosts + SSH.format(folder=self.folder))
        call("mount", "--bind", self.folder / "ssh_config", "/etc/ssh/ssh_config")

    def _write_places(self, places):
        """As the coordinator keeps what `labgrid-client create`, `add-match` and `set-tags` have told it."""
        now = time.time()
        (self.folder / "places.yaml").write_text(yaml.safe_dump({
            f"{machine.name}-{number}": {
                "matches": [{"exporter": machine.name, "group": f"memory-{number}", "cls": "BlemuAdapter"}],
                "tags": {"machine": machine.name, "place": str(number)}, "created": now, "changed": now}
            for machine in self.machines for number in range(places)}))

    def start(self, *words):
        """Starts a program that ends with the namespaces. What it says is in the folder."""
        log = self.folder / f"{pathlib.Path(words[-1]).stem}.log"
        with open(log, "ab") as output:
            return subprocess.Popen(list(map(str, words)), cwd=self.folder, stdin=subprocess.DEVNULL, stdout=output, stderr=output)

    def environment(self, folder, place):
        """Writes an environment of labgrid with this place, and returns its path."""
        path = folder / "env.yaml"
        path.write_text(yaml.safe_dump({"imports": ["blemu.labgrid"], "targets": {"main": {
            "resources": {"RemotePlace": {"name": place}}, "drivers": {"BlemuDriver": {}}}}}))
        return path


class Machine:
    """A network namespace with sshd and an exporter."""

    def __init__(self, farm, name, address):
        self.farm, self.name, self.address = farm, name, address
        for words in (f"netns add {name}", f"link add {name} type veth peer name eth0 netns {name}", f"link set {name} master farm up",
                      f"-n {name} addr add {address}/24 dev eth0", f"-n {name} link set eth0 up", f"-n {name} link set lo up"):
            call("ip", *words.split())

    def start(self, places):
        resources = {f"memory-{number}": {"BlemuAdapter": {"host": self.name, "program": os.environ["BLEMU"]}} for number in range(places)}
        path = self.farm.folder / f"{self.name}.yaml"
        path.write_text(yaml.safe_dump(resources))
        inside = "ip", "netns", "exec", self.name
        self.farm.start(*inside, "/usr/sbin/sshd", "-D", "-e", "-f", self.farm.folder / "sshd_config")
        until(lambda: is_open(self.address, 22))
        self.farm.start(*inside, "labgrid-exporter", "--name", self.name, "--hostname", self.name, path)

    def connect(self, is_connected):
        call("ip", "-n", self.name, "link", "set", "eth0", "up" if is_connected else "down")

    def end(self):
        """Ends all that runs there, as when it loses power."""
        self.connect(False)
        for process in call("ip", "netns", "pids", self.name).split():
            with contextlib.suppress(ProcessLookupError):
                os.kill(int(process), 9)


def until(condition):
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it takes too long"
        time.sleep(0.05)


def is_open(address, port):
    with contextlib.suppress(OSError), socket.create_connection((address, port), timeout=1):
        return True
    return False
