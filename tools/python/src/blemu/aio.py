"""The same for asyncio: `async with blemu.aio.run("hm-10") as device: await device.expect("connect")`."""
from __future__ import annotations

import asyncio
import contextlib
import functools
import inspect
import re
from types import TracebackType
from typing import (
    TYPE_CHECKING, Any, AsyncIterator, Awaitable, Callable, Collection, Coroutine, Dict, Generator, List, Optional, Sequence, Type, TypeVar,
    Union, overload)

from . import device as waiting
from . import interception, operations, protocol, running, stands
from .answers import Status
from .central import Central as WaitingCentral
from .central import Session, Value
from .clock import CLOCK
from .connection import ANSWER_TIME, no_answer, unreachable
from .errors import EndedError, Error, ExpectationError, Refusal, ended_already
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .event import Event
from .forgetting import forget as waiting_forget
from .interception import AnswerLike
from .operations import Attribute, Steps
from .places import Place, socket_of
from .protocol import Conversation, Message, Notification, Question, Request, cancel
from .virtual import Loop

if TYPE_CHECKING:
    from typing_extensions import Concatenate, ParamSpec

    P = ParamSpec("P")

__all__ = ["Central", "Device", "Fault", "Interception", "Run", "StandRun", "devices", "forget", "run", "up"]

T = TypeVar("T")
U = TypeVar("U")


def _awaited(method: Callable[Concatenate[Any, P], T]) -> Callable[Concatenate[Any, P], Coroutine[Any, Any, T]]:
    """A method of a class that waits, for its twin here. It returns what `perform` returns: here, that is a coroutine."""
    @functools.wraps(method)
    async def twin(self: Any, /, *arguments: P.args, **keywords: P.kwargs) -> T:
        performed: Any = method(self, *arguments, **keywords)
        answer: T = await performed
        return answer

    twin.__module__ = __name__
    return twin


class Device:
    """A running device, by its name in `blemu ps` or the path of its socket: `async with Device("hm-10") as device`.

    It connects when it is first asked. Several tasks may use it at once. Its methods are those of `blemu.Device`.
    """

    def __init__(self, place: Place) -> None:
        self.path = socket_of(place)
        self._connection = _Connection(self.path)

    async def __aenter__(self) -> Device:
        await self._connection.open()
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self.close()

    def __repr__(self) -> str:
        return f"Device({self.path!r})"

    close = _awaited(waiting.Device.close)
    describe = _awaited(waiting.Device.describe)
    status = _awaited(waiting.Device.status)
    set = _awaited(waiting.Device.set)
    press = _awaited(waiting.Device.press)
    send = _awaited(waiting.Device.send)
    wire = _awaited(waiting.Device.wire)
    advertise = _awaited(waiting.Device.advertise)
    disconnect = _awaited(waiting.Device.disconnect)
    forget = _awaited(waiting.Device.forget)
    reset = _awaited(waiting.Device.reset)
    faults = _awaited(waiting.Device.faults)
    clear_faults = _awaited(waiting.Device.clear_faults)
    advance = _awaited(waiting.Device.advance)
    stop = _awaited(waiting.Device.stop)
    journal = _awaited(waiting.Device.journal)
    journal_text = _awaited(waiting.Device.journal_text)
    transcript = _awaited(waiting.Device.transcript)
    expect = _awaited(waiting.Device.expect)
    expectations = _awaited(waiting.Device.expectations)

    @overload
    async def get(self) -> Dict[str, Any]: ...

    @overload
    async def get(self, name: str, /) -> Any: ...

    @overload
    async def get(self, name: str, other: str, /, *others: str) -> Dict[str, Any]: ...

    async def get(self, *names: str) -> Any:
        return await self.perform(operations.get(names))

    def fault(self, *words: str) -> Fault:
        return Fault(self, self.perform(operations.add_fault(words)))

    def intercept(
        self, line: str, answer: Callable[[Event], Union[AnswerLike, Awaitable[AnswerLike]]], *, within: float = 1.0
    ) -> Interception:
        connection = _Connection(self.path)
        return Interception(connection, connection.call(interception.intercept(line, within)), answer)

    def central(self, address: Optional[str] = None, *, mtu: Optional[int] = None) -> Central:
        return Central(self, address, mtu)

    async def events(self, *, after: int = 0) -> AsyncIterator[Event]:
        connection = _Connection(self.path)
        try:
            await connection.call(operations.watch(after))
            while (event := await connection.next_event()) is not None:
                yield event
        finally:
            await connection.close()

    async def perform(self, steps: Steps[T], connection: Optional[_Connection] = None) -> T:
        call = (connection or self._connection).call
        try:
            request = next(steps)
            while True:
                request = steps.send(await call(request))
        except StopIteration as end:
            answer: T = end.value
            return answer


class Central:
    """A central of a device on the loopback: `async with device.central() as central`.

    Its methods are those of `blemu.central.Central`.
    """

    def __init__(self, device: Device, address: Optional[str] = None, mtu: Optional[int] = None) -> None:
        self._device = device
        self._session = Session(address, mtu)
        self._connection: Optional[_Connection] = None
        #: Tasks that wait for a value.
        self._waiters: List[asyncio.Future[None]] = []

    @property
    def address(self) -> str:
        return self._session.address

    @property
    def mtu(self) -> Optional[int]:
        return self._session.mtu

    async def __aenter__(self) -> Central:
        await self.connect()
        return self

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        with ended_already():
            if self.address in (await self._device.status()).centrals:
                await self.disconnect()
        if self._connection is not None:
            await self._connection.close()
            self._connection = None

    connect = _awaited(WaitingCentral.connect)
    disconnect = _awaited(WaitingCentral.disconnect)
    subscribe = _awaited(WaitingCentral.subscribe)
    unsubscribe = _awaited(WaitingCentral.unsubscribe)
    notifications = _awaited(WaitingCentral.notifications)
    write = _awaited(WaitingCentral.write)
    read = _awaited(WaitingCentral.read)
    pair = _awaited(WaitingCentral.pair)
    bond = _awaited(WaitingCentral.bond)
    unpair = _awaited(WaitingCentral.unpair)
    act = _awaited(WaitingCentral.act)

    async def next(self, characteristic: Optional[Attribute] = None, *, within: float = operations.WAIT) -> Value:
        handles = await self._perform(self._session.handles(characteristic))
        try:
            values: Optional[List[Value]] = await asyncio.wait_for(self._next(handles), within)
        except asyncio.TimeoutError:
            values = self._session.poll(handles)
        return self._session.arrived(characteristic, handles, values, within)

    async def _next(self, handles: Optional[Collection[int]]) -> List[Value]:
        while (values := self._session.poll(handles)) is None:
            waiter = asyncio.get_running_loop().create_future()
            self._waiters.append(waiter)
            await waiter
        return values

    def _hear(self, parameters: Optional[Dict[str, Any]]) -> None:
        self._session.take(parameters)
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def _perform(self, steps: Steps[T]) -> T:
        return await self._device.perform(steps, self._link())

    def _link(self) -> _Connection:
        if self._connection is None:
            self._connection = _Connection(self._device.path, self._hear)
        return self._connection


def _copy_documentation(twin: type, original: type) -> None:
    """Documents each method as the original's."""
    for name, method in vars(original).items():
        if not name.startswith("_"):
            getattr(twin, name).__doc__ = method.__doc__


class Fault:
    """A fault of a device: `async with device.fault("drop on FFE1")`, or `fault = await device.fault("drop on FFE1")`.

    The first removes it at its end, the second lets it last until `await fault.remove()`.
    """

    def __init__(self, device: Device, adding: Coroutine[Any, Any, int]) -> None:
        self._device = device
        # Python warns if neither of the two begins it.
        self._adding = adding
        self.number = 0

    def __await__(self) -> Generator[Any, None, Fault]:
        return self._begin().__await__()

    async def __aenter__(self) -> int:
        return (await self._begin()).number

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        with contextlib.suppress(EndedError):
            await self.remove()

    async def _begin(self) -> Fault:
        self.number = await self._adding
        return self

    remove = _awaited(waiting.Fault.remove)


class Interception:
    """A function that answers in place of the rules: `async with device.intercept("read level", answer)`, or
    `interception = await device.intercept("read level", answer)`.

    The first ends with its statement, the second with `await interception.end()`.
    """

    def __init__(
        self, connection: _Connection, beginning: Coroutine[Any, Any, Any],
        answer: Callable[[Event], Union[AnswerLike, Awaitable[AnswerLike]]],
    ) -> None:
        self._connection = connection
        # Python warns if neither of the two begins it.
        self._beginning = beginning
        self._answer = answer
        self._number = 0
        self._failures: List[BaseException] = []
        self._task: Optional[asyncio.Future[None]] = None

    def __await__(self) -> Generator[Any, None, Interception]:
        return self._begin().__await__()

    async def __aenter__(self) -> None:
        await self._begin()

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        await self._finish()
        if self._failures and error is None:
            raise self._failures[0]

    async def end(self) -> None:
        await self._finish()
        if self._failures:
            raise self._failures[0]

    async def _begin(self) -> Interception:
        try:
            self._number = (await self._beginning)["intercept"]
        except BaseException:
            await self._connection.close()
            raise
        self._task = asyncio.ensure_future(_answer_questions(self._connection, self._answer, self._failures))
        return self

    async def _finish(self) -> None:
        task, self._task = self._task, None
        if task is None:
            return
        task.cancel()
        await asyncio.wait([task])
        with contextlib.suppress(Error):  # the device may have ended
            await self._connection.call(interception.unintercept(self._number))
        await self._connection.close()


_copy_documentation(Device, waiting.Device)
_copy_documentation(Central, WaitingCentral)
_copy_documentation(Interception, waiting.Interception)


async def devices() -> List[Status]:
    """Returns the status of all devices that run under the names of `blemu ps`."""
    return await asyncio.to_thread(waiting.devices)


async def forget(address: str) -> None:
    await asyncio.to_thread(waiting_forget, address)


forget.__doc__ = waiting_forget.__doc__


async def _answer_questions(
    connection: _Connection, answer: Callable[[Event], Union[AnswerLike, Awaitable[AnswerLike]]],
    failures: List[BaseException],
) -> None:
    """Answers a device's questions, one after the other."""
    while (question := await connection.next_question()) is not None:
        try:
            try:
                given = answer(interception.event_of(question))
                result = await given if inspect.isawaitable(given) else given
            except Refusal as refusal:
                result = refusal
            members = interception.answer_to(question, result)
        except Exception as error:
            failures.append(error)
            members = interception.failure_of(question, error)
        connection.answer(members)


class Run:
    """A process of `blemu run`. As a context manager, it returns its device, on the air, and stops it at the end."""

    def __init__(self, process: running.Run) -> None:
        self._process = process
        self._device: Optional[Device] = None

    async def __aenter__(self) -> Device:
        try:
            await asyncio.to_thread(self._process.start)
            self._device = Device(self._process.socket)
            return await self._device.__aenter__()
        except BaseException:
            self._process.abandon()
            raise

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        if self._device is not None:
            await self._device.close()
        await asyncio.to_thread(self._process.stop)


class StandRun:
    """A process of `blemu up`. As a context manager, it returns its devices, on the air, and stops them at the end."""

    def __init__(self, process: stands.StandRun) -> None:
        self._process = process
        self._stand: stands.Stand[Device] = stands.Stand()

    async def __aenter__(self) -> stands.Stand[Device]:
        try:
            await asyncio.to_thread(self._process.start)
            for name, socket in self._process.sockets.items():
                self._stand[name] = await Device(socket).__aenter__()
            return self._stand
        except BaseException:
            self._process.abandon()
            raise

    async def __aexit__(
        self, kind: Optional[Type[BaseException]], error: Optional[BaseException], trace: Optional[TracebackType]
    ) -> None:
        for device in self._stand.values():
            await device.close()
        await asyncio.to_thread(self._process.stop)


def _for_tasks(function: Callable[P, T], kind: Callable[[T], U]) -> Callable[P, U]:
    """The function that runs a device or a stand, for asyncio."""
    @functools.wraps(function)
    def twin(*arguments: P.args, **keywords: P.kwargs) -> U:
        return kind(function(*arguments, **keywords))

    twin.__module__ = __name__
    twin.__annotations__ = {**function.__annotations__, "return": kind}
    twin.__doc__ = re.sub(r"\b(device|stand\[.*\])\.", r"await \1.", (function.__doc__ or "").replace(
        "with blemu.", "async with blemu.aio.").replace("a `with` statement", "an `async with` statement"))
    return twin


run = _for_tasks(running.run, Run)
up = _for_tasks(stands.up, StandRun)


class _Connection:
    """A connection to a device's socket. Several tasks may wait for answers at once.

    `heard` is called with the parameters of each notification, and with None when the device has ended. Without it, notifications are
    the events of a watch.
    """

    def __init__(self, path: str, heard: Optional[Callable[[Optional[Dict[str, Any]]], None]] = None) -> None:
        self._path = path
        self._heard = heard
        self._conversation = Conversation()
        self._answers: Dict[int, asyncio.Future[Any]] = {}
        self._events: Optional[asyncio.Queue[Optional[Event]]] = None
        self._questions: Optional[asyncio.Queue[Optional[Question]]] = None
        self._writer: Optional[asyncio.StreamWriter] = None
        self._reading: Optional[asyncio.Task[None]] = None
        self._opening: Optional[asyncio.Task[asyncio.StreamWriter]] = None

    async def open(self) -> asyncio.StreamWriter:
        """Connects, unless it is connected. Tasks that ask meanwhile wait for the same connection."""
        if self._writer is not None:
            return self._writer
        if self._opening is None or self._opening.done():
            self._opening = asyncio.ensure_future(self._connect())
        return await asyncio.shield(self._opening)

    async def _connect(self) -> asyncio.StreamWriter:
        if isinstance(asyncio.get_running_loop(), Loop) and not CLOCK.has(self._path):
            raise Error("the device's time passes by itself, and that of the event loop is virtual",
                        hint="run the device with hold_clock=True, in this program")
        try:
            reader, self._writer = await asyncio.open_unix_connection(self._path)
        except OSError as error:
            raise unreachable(self._path, error) from None
        self._events, self._questions = asyncio.Queue(), asyncio.Queue()
        self._reading = asyncio.ensure_future(self._read(reader, self._events, self._questions))
        return self._writer

    async def close(self) -> None:
        if self._writer is not None and self._reading is not None:
            self._writer.close()
            self._reading.cancel()
            await asyncio.wait([self._reading])

    def shut(self) -> None:
        """Closes the connection, and does not wait."""
        self._heard = lambda parameters: None
        if self._writer is not None and self._reading is not None:
            self._writer.close()
            self._reading.cancel()

    async def call(self, request: Request) -> Any:
        """Asks for something and returns the result, or raises the device's error."""
        if not request.wait or not isinstance(asyncio.get_running_loop(), Loop):
            return await self._ask(request)
        if request.method == "advance":
            outcome = await self._ask(protocol.at_once(request))
            await asyncio.sleep(request.wait)
            return outcome
        try:
            return await asyncio.wait_for(self._ask(protocol.patient(request)), request.wait)
        except asyncio.TimeoutError:
            pass
        try:
            return await self._ask(protocol.at_once(request))
        except ExpectationError as error:
            raise protocol.in_time(error, request) from None

    async def _ask(self, request: Request) -> Any:
        """Does so in the time of a device whose clock is that of the loop, or in real time."""
        writer = await self.open()
        if self._reading is None or self._reading.done():
            raise EndedError()
        line, number = self._conversation.encode(request), self._conversation.number
        answer = self._answers[number] = asyncio.get_running_loop().create_future()
        try:
            writer.write(line)
            return (await asyncio.wait_for(answer, request.wait + ANSWER_TIME)).result()
        except asyncio.TimeoutError:
            raise no_answer(request) from None
        except asyncio.CancelledError:
            if request.wait:
                self._write(self._conversation.encode(cancel(number)))
            raise
        finally:
            del self._answers[number]

    async def next_event(self) -> Optional[Event]:
        """Waits for the next event of a watch; None: the device has ended."""
        return None if self._events is None else await self._events.get()

    async def next_question(self) -> Optional[Question]:
        """Waits for the next question of the device; None: it has ended."""
        return None if self._questions is None else await self._questions.get()

    def answer(self, members: Dict[str, Any]) -> None:
        """Answers a question."""
        self._write(self._conversation.encode_answer(members))

    def _write(self, line: bytes) -> None:
        """Writes a line, unless the connection is closed."""
        if self._writer is not None and not self._writer.is_closing():
            self._writer.write(line)

    async def _read(
        self, reader: asyncio.StreamReader, events: asyncio.Queue[Optional[Event]],
        questions: asyncio.Queue[Optional[Question]],
    ) -> None:
        failure: Error = EndedError()
        try:
            while data := await reader.read(1 << 16):
                self._take(self._conversation.take(data), events, questions)
        except Error as error:
            failure = error
        except OSError:
            pass
        finally:
            if self._writer is not None:  # the loop may end meanwhile
                self._writer.close()
            events.put_nowait(None)
            questions.put_nowait(None)
            self._fail(failure)
        if self._heard is not None:
            self._heard(None)

    def _take(
        self, messages: Sequence[Message], events: asyncio.Queue[Optional[Event]],
        questions: asyncio.Queue[Optional[Question]],
    ) -> None:
        for message in messages:
            if isinstance(message, Notification):
                if self._heard is not None:
                    self._heard(message.parameters)
                else:
                    events.put_nowait(Event.read(message.parameters))
            elif isinstance(message, Question):
                questions.put_nowait(message)
            elif message.number is None:
                self._fail(message.outcome)
            elif message.number in self._answers and not self._answers[message.number].done():
                self._answers[message.number].set_result(message)

    def _fail(self, failure: Error) -> None:
        for answer in self._answers.values():
            if not answer.done():
                answer.set_exception(failure)
