"""Devices on the machines that labgrid manages: the resource `BlemuAdapter` and the driver `BlemuDriver`.

An environment of labgrid loads them with `imports: [blemu.labgrid]`. Nothing else of this package imports labgrid.
"""
from __future__ import annotations

import re
from typing import Any, List

import attr
from labgrid import target_factory
from labgrid.driver import Driver
from labgrid.driver.exception import ExecutionError
from labgrid.resource.common import NetworkResource
from labgrid.step import step

from .command import Definition
from .errors import Error
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .remote import Host
from .running import Run, run

__all__ = ["BlemuAdapter", "BlemuDriver"]

_text, _number = attr.validators.instance_of(str), attr.validators.instance_of(int)
_texts = attr.validators.deep_iterable(_text, attr.validators.instance_of(list))


@target_factory.reg_resource
@attr.s(eq=False)
class BlemuAdapter(NetworkResource):
    """A machine that runs blemu, and one of its adapters.

    labgrid's exporter offers it as its configuration states it, and needs nothing of blemu.

    Args:
        host: the machine, as ssh knows it.
        adapter: the adapter, as in "hci0"; without one, devices are in memory.
        transports: those that blemu may use, as in ["bluez", "exact"]. Devices use the first unless their driver names another.
        advertising_sets: how many devices can advertise at once.
        features: what else the adapter can do. The words are those of the farm, as in ["le-2m", "extended-advertising"].
        program: blemu there, if it is not on the PATH.
    """

    adapter: str = attr.ib(default="", validator=_text)
    transports: List[str] = attr.ib(factory=list, validator=_texts)
    advertising_sets: int = attr.ib(default=1, validator=_number)
    features: List[str] = attr.ib(factory=list, validator=_texts)
    program: str = attr.ib(default="blemu", validator=_text)

    def on(self, transport: str = "") -> str:
        """The transport with the adapter, as `--on` takes it."""
        if not self.adapter:
            return "loopback"
        transports = self.transports or ["bluez"]
        if transport and transport not in transports:
            raise Error(f"{self.host} does not offer {transport} on {self.adapter}", hint=f"it offers {', '.join(transports)}")
        return f"{transport or transports[0]}:{self.adapter}"

    def machine(self) -> Host:
        """The machine, over the connection that labgrid has to it or to its proxy."""
        try:
            *ssh, name, _ = self.command_prefix
        except ExecutionError as error:
            raise Error(f"cannot connect to {self.host}: {_said(error)}", hint=f"'ssh {self.host} blemu ps' must work without a password") from None
        return Host(name, ssh)


def _said(error: ExecutionError) -> str:
    """What ssh said, in labgrid's message: its standard error as `bytes`, after all else."""
    said = re.search(r"""b(['"])((?!.*b['"]).+?)(\\r|\\n)*\1$""", error.msg)
    return said[2] if said else "it does not answer"


@target_factory.reg_driver
@attr.s(eq=False)
class BlemuDriver(Driver):
    """Runs devices on a `BlemuAdapter`.

    Args:
        transport: one of the adapter's transports; by default the first.
    """

    bindings = {"adapter": BlemuAdapter}
    transport: str = attr.ib(default="", validator=_text)

    @Driver.check_active
    @step(args=["definition"])
    def run(self, definition: Definition, **options: Any) -> Run:
        """Runs a device as long as a `with` statement lasts, and returns it: `with driver.run("hm-10") as device:`.

        The arguments are those of `blemu.run`, without `host` and `on`. The device is a `blemu.Device`.
        """
        program = options.pop("program", None) or self.adapter.program
        return run(definition, on=self.adapter.on(self.transport), host=self.adapter.machine(), program=program, **options)
