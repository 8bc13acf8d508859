"""Runs the command that clones a device."""
import bluez
from device import PROGRAM
from patience import PATIENCE


def clone(address, folder, *options):
    """Clones a device on hci1, and returns the path of the definition and what the command has said."""
    said = bluez.run(PROGRAM, "clone", address, "--on", "exact:hci1", "--name", "clone", "-o", folder / "clone", *options, timeout=3 * PATIENCE)
    return folder / "clone/clone.yaml", said
