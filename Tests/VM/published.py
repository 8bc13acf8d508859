"""Runs the published clients of Tests/Clients on hci1, with BlueZ."""
import sys

import bluez
import debian13
import hci
from device import REPOSITORY, Blemu
from patience import PATIENCE

sys.path.append(str(REPOSITORY / "Tests/Clients"))
import asking  # noqa: E402


class Published:
    """The clients. Those with the same code share a process, because some take seconds to start; the others have one of their own."""

    def __init__(self):
        self._code, self._clients = None, None

    def ask(self, code, own_python=False, address=None, **known):
        """Returns what a client says of the device on hci0."""
        if code is not self._code:
            self.end()
            arguments = "-c", asking.PROGRAM.read_text()
            self._code, self._clients = code, asking.Clients([sys.executable, *arguments] if own_python else debian13.python(*arguments))
        known = {"name": "", "address": address or hci.address_text("hci0"), "patience": PATIENCE} | known
        try:
            return self._clients.ask(code, known, 3 * PATIENCE)[0]
        finally:
            bluez.disconnect("hci1")

    def reads(self, transport, device, code, settings={}, own_python=False, **known):
        """Puts a device on the air that no adapter knows yet, and returns what a client says of it, with the device's log."""
        bluez.forget_devices()
        with Blemu(device, *set_to(settings), on=f"{transport}:hci0") as blemu:
            saw = self.ask(code, own_python, blemu.happened("on-air")[0]["address"], **known)
            assert {event["central"] for event in blemu.happened("connected")} <= {hci.address_text("hci1")}
            return saw, [event["message"] for event in blemu.happened("log")]

    def end(self):
        if self._clients is not None:
            self._clients.end()


def set_to(settings):
    """Returns the options that set a device's settings."""
    texts = {name: str(value).lower() if isinstance(value, bool) else value for name, value in settings.items()}
    return [word for name, value in texts.items() for word in ("--set", f"{name}={value}")]
