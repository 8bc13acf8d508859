"""Controllers that no bluetoothd has ever set up, and centrals with private addresses, as phones have them."""
import contextlib

import pytest

import bluez
import hci
from att import Central
from device import DEFINITIONS, Blemu
from pairing import KEYBOARD_ONLY, KernelPairing, forget, without_bluetoothd
from patience import PATIENCE, eventually
from test_bonds import PONG, answer, encrypt, guarded, longest_key

IDENTITY_KEY = bytes(range(16))


@pytest.fixture(autouse=True)
def new_controllers():
    """A time without bluetoothd, in which hci1 connects from resolvable private addresses."""
    with without_bluetoothd():
        renew()
        set_up("hci1", 0x002F, b"\1" + IDENTITY_KEY)  # Set Privacy
        yield
        renew()


def renew():
    """Replaces the controllers by new ones, and returns when the kernel has set them up."""
    bluez.run("radio-stop")
    bluez.run("radio-start")
    for adapter in hci.adapters():
        eventually(lambda: is_set_up(adapter), lambda: f"{adapter} is not set up")


def is_set_up(adapter):
    try:
        hci.settings(adapter)
        return True
    except hci.Refused:  # status 17, Invalid Index
        return False


def set_up(adapter, *command):
    hci.manage(adapter, 0x000D, b"\1")  # Set Low Energy
    if command:
        hci.manage(adapter, *command)
    hci.set_powered(adapter, True)


def change_address():
    """Gives hci1 another private address."""
    hci.set_powered("hci1", False)
    hci.set_powered("hci1", True)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "state.yaml"


def device(*arguments):
    return Blemu(DEFINITIONS / "bonding.yaml", *arguments, on="exact:hci0")


def bond_privately(blemu, pairing):
    """Pairs and subscribes, and returns the address of the link."""
    with Central() as central:
        connected = blemu.await_event("connected")
        assert connected["address-type"] == "random"
        pairing.pair()
        blemu.await_event("bonded", central=connected["central"])
        central.subscribe(central.characteristic("FFF2"))
        blemu.await_event("subscribed", attribute="answer")
    blemu.await_event("disconnected", central=connected["central"])
    return connected["central"]


def assert_known(blemu, address):
    """Checks that the bonded central is known by its identity, from whatever address it connects."""
    change_address()
    with Central() as central:
        assert blemu.await_event("connected")["central"] == hci.address_text("hci1") != address
        encrypt(central)
        assert answer(central) == PONG
    blemu.await_event("disconnected")


def test_a_bonded_central_is_known_from_its_next_address(path):
    with KernelPairing() as pairing:
        with device("--state", path) as blemu:
            address = bond_privately(blemu, pairing)
            assert_known(blemu, address)
        assert f'  - central: "{hci.address_text("hci1")}"\n    address-type: public\n' in path.read_text()
        with device("--state", path) as blemu:
            assert_known(blemu, address)


def test_it_pairs_as_before_when_the_adapter_returns(tmp_path, meanwhile):
    definition = tmp_path / "secret.yaml"
    definition.write_text((DEFINITIONS / "secret.yaml").read_text() + "security: { io-capability: display-only }\n")
    with Blemu(definition, on="exact:hci0") as blemu:
        renew()
        blemu.await_event("on-air")
        set_up("hci1")
        with KernelPairing(capability=KEYBOARD_ONLY) as pairing, Central():
            pairs = meanwhile(pairing.pair)
            pairing.typed.put(int(blemu.await_event("passkey")["passkey"]))
            pairs.result(PATIENCE)
            blemu.await_event("bonded")


def test_a_central_that_was_refused_pairs_in_its_next_link_from_the_same_address(tmp_path):
    """The kernel tells of the end of the first link by the identity of the central."""
    with guarded("encrypt-read", tmp_path, "key-size: 16") as blemu, KernelPairing() as pairing:
        with longest_key("hci1", 7), Central():
            address = blemu.await_event("connected")["central"]
            with contextlib.suppress(hci.Refused):  # the kernel accepts it, and blemu drops it
                pairing.pair()
            assert blemu.await_event("pairing-failed")["reason"] == "encryption key size"
            blemu.await_event("disconnected")
        forget("hci1", "hci0")
        with Central():
            assert blemu.await_event("connected")["central"] == address
            pairing.pair()
            blemu.await_event("bonded", central=address)
