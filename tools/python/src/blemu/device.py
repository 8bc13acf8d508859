"""A running device, for programs that wait.

`blemu.aio` takes methods from here that return what `perform` returns.
"""
from __future__ import annotations

import contextlib
import threading
from types import TracebackType
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Type, TypeVar, overload

from . import interception, operations
from .answers import Outcome, Status
from .central import Central
from .clock import CLOCK
from .connection import ANSWER_TIME, Connection
from .errors import EndedError, Error, Refusal
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .event import Event
from .interception import AnswerLike
from .operations import Attribute, Content, Scalar, Steps
from .places import Place, names, socket_of
from .protocol import Question

__all__ = ["Device", "Fault", "Interception", "devices"]

T = TypeVar("T")


class Device:
    """A running device, by its name in `blemu ps` or the path of its socket.

    Several threads may use it at once. Leaving it as a context manager closes the connection, and the device goes on.
    """

    def __init__(self, place: Place) -> None:
        self.path = socket_of(place)
        self._connection = Connection(self.path)

    def __enter__(self) -> Device:
        return self

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"Device({self.path!r})"

    def close(self) -> None:
        """Closes the connection."""
        return self._connection.close()

    # What it is

    def describe(self) -> Dict[str, Any]:
        """Describes the device: its attributes, messages, settings, controls and more, with their present values."""
        return self.perform(operations.describe())

    def status(self) -> Status:
        """Reports what the device is, whether it is on the air, and which centrals are connected."""
        return self.perform(operations.status())

    @overload
    def get(self) -> Dict[str, Any]: ...

    @overload
    def get(self, name: str, /) -> Any: ...

    @overload
    def get(self, name: str, other: str, /, *others: str) -> Dict[str, Any]: ...

    def get(self, *names: str) -> Any:
        """Returns a present value: of a setting, a variable, `state`, or any expression of the definition language.

        A value that is bytes is `bytes`. In a name, an underscore stands for a hyphen, as in `set`. Of several names it returns a dictionary; without a name, one of all settings and variables, and of the state.
        """
        return self.perform(operations.get(names))

    # What can be done to it

    def set(self, values: Mapping[str, Scalar] = {}, /, **keywords: Scalar) -> Outcome:
        """Sets settings and variables: all of them, or none if one is wrong.

        `device.set(level=3, local_name="Robot")`: an underscore of a name stands for a hyphen.
        """
        return self.perform(operations.do("set", {"values": operations.named({**values, **keywords})}))

    def press(self, control: str, value: Optional[Scalar] = None) -> Outcome:
        """Operates a control: presses a button, turns a switch, moves a slider to a value."""
        given = None if value is None else operations.value_of(value)
        return self.perform(operations.do("press", {"control": operations.name_of(control), "value": given}))

    def send(
        self, place: Attribute, content: Optional[Content] = None, /, *, text: Optional[str] = None,
        central: Optional[str] = None, **fields: Scalar,
    ) -> Outcome:
        """Sends a value from a characteristic, by its id or UUID, or out of the wire side ("wire").

        The content is a message with its fields, or bytes:
        `device.send("serial", "day-total", packets=5)`, `device.send("FFE1", b"OK")`, `device.send("FFE1", text="OK")`.
        A message may also have its fields with it, in the words of transcripts: `"day-total packets=5"`.
        All centrals that have subscribed get it, or only the one with the address `central`.
        """
        given = operations.content_of(content, text, fields)
        return self.perform(operations.do("send", {"from": str(place), **given, "central": central}))

    def wire(self, content: Optional[Content] = None, /, *, text: Optional[str] = None, **fields: Scalar) -> Outcome:
        """Puts a message, bytes or text into the wire side, as its attachment does."""
        return self.perform(operations.do("wire", operations.content_of(content, text, fields)))

    def advertise(self, on: bool = True) -> Outcome:
        """Starts or stops advertising."""
        return self.perform(operations.do("advertise", {"on": on}))

    def disconnect(self, central: Optional[str] = None, *, reason: Optional[str] = None) -> Outcome:
        """Ends the connection of the central with this address, or of all.

        The central gets the reason, an HCI error such as "remote-low-resources", where the transport can tell it.
        """
        return self.perform(operations.do("disconnect", {"central": central, "reason": reason}))

    def forget(self, central: Optional[str] = None) -> Outcome:
        """Forgets the bond with the central of this address, or all bonds: the central has to pair again."""
        return self.perform(operations.do("forget", {"central": central}))

    def reset(self) -> Outcome:
        """Resets the device, as its own reset does: settings stay."""
        return self.perform(operations.do("reset"))

    def fault(self, *words: str) -> Fault:
        """Adds a fault, in the words of `faults:`.

        It lasts as long as a `with` statement, which gives the fault's number:
        `with device.fault("drop out on serial every 3rd"):`. Without one, it lasts until `remove()` of what is returned.
        The words may be separate: `device.fault("drop", "on serial")`.
        """
        return Fault(self, self.perform(operations.add_fault(words)))

    def intercept(
        self, line: str, answer: Callable[[Event], AnswerLike], *, within: float = 1.0
    ) -> Interception:
        """Lets a function answer centrals in place of the rules, from now on.

        It lasts as long as a `with` statement: `with device.intercept("> serial challenge", lambda event:
        cipher(event.value)):`. Without one, it lasts until `end()` of what is returned, or until the program ends. The line is one of transcripts
        for a read, a write or a message. The function is called on a thread of its own, with an `Event` that has the
        number 0, and may use the device. It returns bytes or a message in the words of transcripts, an `Answer`, or
        None: the rules handle the event as usual. It raises or returns a `Refusal` to refuse the request with an ATT error.

        Args:
            within: how long the function may take, in seconds. If it takes longer, the rules handle the event, and the log says so.

        Raises:
            Exception: at the end, the first one that the function has raised. The rules have gone on then.
        """
        return Interception(self.path, line, answer, within)

    def faults(self) -> List[Dict[str, Any]]:
        """Lists the faults, each with its `number`, its text `fault`, and how often it has `struck`."""
        return self.perform(operations.faults())

    def clear_faults(self) -> None:
        """Removes all faults, including those of the definition, of `run` and of `with` statements."""
        return self.perform(operations.clear_faults())

    def advance(self, seconds: float) -> Outcome:
        """Advances the clock of a device in memory: its timers fire at once, in their order, each at its own time.

        `device.advance(600)` lets ten minutes of the device's life pass. It returns when all timers have fired; the journal
        has what they did, and centrals in memory get what the device sends. From then on the device's clock is ahead by
        that much, and runs on. A device on the air refuses.
        """
        return self.perform(operations.advance(seconds))

    def stop(self) -> None:
        """Takes the device off the air and ends it."""
        return self.perform(operations.stop())

    def central(self, address: Optional[str] = None, *, mtu: Optional[int] = None) -> Central:
        """Returns a central in memory, of a device on the loopback. It connects from the first address that no other has, unless one is given.

        `mtu` is the ATT_MTU with which it connects: by default 23, and at most the device's.
        """
        return Central(self, address, mtu)

    # What has happened to it

    def journal(self, *, after: int = 0) -> List[Event]:
        """Returns all events, or those after the one with this number, oldest first."""
        return self.perform(operations.journal(after))

    def journal_text(self, *, after: int = 0) -> str:
        """Returns the journal as the lines of the log."""
        return self.perform(operations.journal_text(after))

    def transcript(self) -> str:
        """Returns the journal as a transcript, which `blemu test` runs."""
        return self.perform(operations.transcript())

    def expect(
        self, *lines: str, within: Optional[float] = None, at_least: Optional[int] = None,
        at_most: Optional[int] = None, exactly: Optional[int] = None, never: bool = False, after: Optional[int] = None,
    ) -> List[Event]:
        """Waits until the journal has these lines, and returns their events.

        `device.expect("connect", "> FFE1 41 54", within=10)` expects lines in this order, in the words of transcripts.

        Args:
            within: how long to wait, in seconds; by default 5. With `at_most`, `exactly` and `never`, which wait until the
                time is over, by default 0: only what has come counts.
            at_least: how many times the only line is expected.
            at_most: how many times the only line may come.
            exactly: the same as `at_least` and `at_most` with this number.
            never: the same as `at_most=0`.
            after: the number of the event after which it counts, 0 for all events. By default it begins where this
                `Device` (not a central of it) has last done something to the device, or after what its last
                expectation has found, whichever is later. All threads and tasks that use this `Device` share this
                place; another `Device` has its own.

        Raises:
            ExpectationError: they did not come, or the only line came too often.
        """
        return self.perform(operations.expect(lines, within, at_least, at_most, exactly, never, after))

    def expectations(self) -> List[Dict[str, Any]]:
        """Returns the last 100 expectations of all programs, with their results."""
        return self.perform(operations.expectations())

    def events(self, *, after: int = 0) -> Iterator[Event]:
        """Iterates over all events, or those after the one with this number, and waits for each.

        It ends when the device does. The device can be used in between.
        """
        connection = Connection(self.path)
        try:
            connection.call(operations.watch(after))
            while (event := connection.next_event()) is not None:
                yield event
        finally:
            connection.close()

    def perform(self, steps: Steps[T], connection: Optional[Connection] = None) -> T:
        """Performs an operation: makes its requests, one after the other, on a connection of their own if one is given."""
        call = (connection or self._connection).call
        try:
            request = next(steps)
            while True:
                request = steps.send(call(request))
        except StopIteration as end:
            answer: T = end.value
            return answer


def devices() -> List[Status]:
    """Returns the status of all devices that run under the names of `blemu ps`."""
    found = []
    for name in names():
        try:
            with Device(name) as device:
                found.append(device.status())
        except Error:
            pass  # it was killed, or has just ended
    return found


class Fault:
    """A fault of a device that a program has added. Leaving it as a context manager removes it."""

    def __init__(self, device: Device, number: int) -> None:
        self._device = device
        #: Its number among the faults of the device.
        self.number = number

    def __enter__(self) -> int:
        return self.number

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        with contextlib.suppress(EndedError):
            self.remove()

    def remove(self) -> None:
        """Removes the fault, unless it has been removed."""
        return self._device.perform(operations.remove_fault(self.number))


class Interception:
    """A function that answers in place of the rules. Leaving it as a context manager ends it.

    It answers the device's questions on a thread, with a connection of its own.
    """

    def __init__(self, path: str, line: str, answer: Callable[[Event], AnswerLike], within: float) -> None:
        self._answer = answer
        self._failure: Optional[BaseException] = None
        self._is_over = threading.Event()
        self._connection = Connection(path)
        try:
            self._number: int = self._connection.call(interception.intercept(line, within))["intercept"]
        except BaseException:
            self._connection.close()
            raise
        self._thread = threading.Thread(target=self._run, name=f"intercept {line}", daemon=True)
        if CLOCK.has(path):
            CLOCK.answering[self._connection] = self._thread
        self._thread.start()

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        self._finish()
        if self._failure is not None and error is None:
            raise self._failure

    def end(self) -> None:
        """Lets the rules answer again. Raises the first exception that the function has raised."""
        self._finish()
        if self._failure is not None:
            raise self._failure

    def _finish(self) -> None:
        if self._is_over.is_set():
            return
        self._is_over.set()
        # The device answers this request after its last question, and the thread ends with that.
        self._connection.send(interception.unintercept(self._number))
        self._thread.join(ANSWER_TIME)
        self._connection.close()

    def _run(self) -> None:
        try:
            while (question := self._connection.next_question()) is not None:
                if not self._is_over.is_set():
                    self._connection.answer(self._members(question))
        finally:
            CLOCK.answering.pop(self._connection, None)

    def _members(self, question: Question) -> Dict[str, Any]:
        try:
            try:
                given = self._answer(interception.event_of(question))
            except Refusal as refusal:
                given = refusal
            return interception.answer_to(question, given)
        except BaseException as error:
            self._failure = self._failure or error
            return interception.failure_of(question, error)
