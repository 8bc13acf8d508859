"""A connection to a device's socket, for programs that wait."""
from __future__ import annotations

import contextlib
import errno
import select
import socket
import threading
import time
from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, TypeVar

from . import protocol
from .clock import CLOCK
from .errors import EndedError, Error, ExpectationError
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .event import Event
from .protocol import Conversation, Message, Notification, Question, Request, Response, cancel

__all__ = ["ANSWER_TIME", "Connection", "no_answer", "unreachable"]

#: How long a device may take for an answer, in seconds, on top of the time that it is told to wait.
ANSWER_TIME = 60.0

T = TypeVar("T")

#: How long an answer may take before the device is asked whether it needs time to pass, in seconds.
_QUICK = 0.05
#: How long one call of `poll` waits at most, in seconds: it does not take every number.
_LONGEST_POLL = 3600.0
#: The errors of a socket whose other end is gone, or that has been closed here.
_GONE = (errno.EPIPE, errno.ECONNRESET, errno.EBADF, errno.ENOTCONN)


class Connection:
    """A connection to a device's socket. Several threads may ask at once.

    One of those that wait reads at a time, and hands out the answers of the others.
    """

    def __init__(self, path: str, heard: Optional[Callable[[Dict[str, Any]], None]] = None) -> None:
        self._path = path
        self._conversation = Conversation()
        self._sending = threading.Lock()
        #: Guards what follows. It is notified when a thread has read.
        self._turn = threading.Condition()
        self._is_read = False
        #: The answers that threads wait for, by the numbers of their requests. None: it has not come yet.
        self._answers: Dict[int, Optional[Response]] = {}
        #: What else has come.
        self._unasked: List[Message] = []
        #: Is called with the parameters of notifications instead.
        self._heard = heard
        #: How often it has read, and whether it waits until it can read again.
        self.reads = 0
        self._is_waiting = False
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise unreachable(path, error) from None
        self._socket.settimeout(ANSWER_TIME)

    def close(self) -> None:
        """Closes the connection. Threads that wait for answers get an error."""
        with contextlib.suppress(OSError):
            self._socket.shutdown(socket.SHUT_RDWR)
        self._socket.close()

    def call(self, request: Request) -> Any:
        """Asks for something and returns the result, or raises the device's error. If its clock stands, time passes meanwhile."""
        if not CLOCK.has(self._path):
            return self.ask(request)
        if request.method == "advance":
            CLOCK.check()
            outcome = self.ask(protocol.at_once(request))
            CLOCK.advance(round(request.wait * 1000))
            return outcome
        if not request.wait:
            return self._result(request, self._exchange(request, self._wait_quickly, ANSWER_TIME))
        answer = self._exchange(protocol.patient(request), self.wait_for, request.wait)
        if answer is not None:
            return answer.result()
        try:
            return self.ask(protocol.at_once(request))
        except ExpectationError as error:
            raise protocol.in_time(error, request) from None

    def ask(self, request: Request) -> Any:
        """Does so in real time."""
        return self._result(request, self._exchange(request, self._wait, request.wait + ANSWER_TIME))

    def wait_for(self, poll: Callable[[], Optional[T]], within: float) -> Optional[T]:
        """Waits until a function returns something that may come on this connection. None: it has not in time."""
        if not CLOCK.has(self._path):
            return self._wait(poll, within)
        CLOCK.check()
        return CLOCK.wait_for(lambda: self._wait(poll, 0), within)

    def next_event(self) -> Optional[Event]:
        """Waits for the next event of a watch; None: the device has ended."""
        found = (Event.read(message.parameters) for message in self._incoming() if isinstance(message, Notification))
        return next(found, None)

    def next_question(self) -> Optional[Question]:
        """Waits for the next question; None: the device has answered a request, or has ended."""
        message = next((each for each in self._incoming() if isinstance(each, (Question, Response))), None)
        return message if isinstance(message, Question) else None

    def answer(self, members: Dict[str, Any]) -> None:
        """Answers a question, unless the device has ended."""
        with self._sending, contextlib.suppress(Error):
            self._write(self._conversation.encode_answer(members))

    def send(self, request: Request) -> None:
        """Sends a request whose answer nobody waits for, unless the device has ended."""
        with self._sending, contextlib.suppress(Error):
            self._write(self._conversation.encode(request))

    def _exchange(
        self, request: Request, wait: Callable[[Callable[[], Optional[Response]], float], Optional[Response]], within: float
    ) -> Optional[Response]:
        """Sends a request and waits for its answer. None: it has not come in time."""
        with self._sending:
            line, number = self._conversation.encode(request), self._conversation.number
            with self._turn:
                self._answers[number] = None
            self._write(line)
        answer = None
        try:
            answer = wait(lambda: self._answers[number], within)
            return answer
        finally:  # also after Ctrl-C, or the time limit of a test
            if answer is None and request.wait:
                self.send(cancel(number))
            with self._turn:
                del self._answers[number]

    def _result(self, request: Request, answer: Optional[Response]) -> Any:
        if answer is None:
            raise no_answer(request)
        return answer.result()

    def _wait_quickly(self, poll: Callable[[], Optional[T]], within: float) -> Optional[T]:
        """Lets time pass only if the device needs it. Other threads than that of a loop do not move its clock."""
        found = self._wait(poll, _QUICK if CLOCK.is_mine else within)
        return found if found is not None or not CLOCK.is_mine else self.wait_for(poll, within)

    def _wait(self, poll: Callable[[], Optional[T]], within: float) -> Optional[T]:
        """Waits until a function returns something, and reads if no other thread does. None: it has not in time."""
        deadline = time.monotonic() + within
        while True:
            with self._turn:
                while (found := poll()) is None and self._is_read and (left := deadline - time.monotonic()) > 0:
                    self._turn.wait(left)
                if found is not None or self._is_read:
                    return found
                self._is_read = True
            if not self._read(max(0, deadline - time.monotonic())) and time.monotonic() >= deadline:
                with self._turn:
                    return poll()

    def _read(self, within: float) -> bool:
        """Reads once, and lets the next thread read. Returns whether something has come."""
        messages: Optional[List[Message]] = None
        try:
            messages = self._receive(within)
            return messages is not None
        finally:
            with self._turn:
                self._is_read = False
                self._hand_out(messages or [])
                self._turn.notify_all()

    def _hand_out(self, messages: Sequence[Message]) -> None:
        for message in messages:
            if self._heard is not None and isinstance(message, Notification):
                self._heard(message.parameters)
            elif not isinstance(message, Response):
                self._unasked.append(message)
            elif message.number is None:  # the device could not read a line: nobody knows whose
                self._answers = {number: answer or message for number, answer in self._answers.items()}
            elif message.number in self._answers:
                self._answers[message.number] = message

    def _incoming(self) -> Iterator[Message]:
        """What the device sends, however long it takes, until it ends. No other thread may wait for answers."""
        with contextlib.suppress(Error):
            while True:
                while self._unasked:
                    yield self._unasked.pop(0)
                self._unasked += self._receive(_LONGEST_POLL) or []

    def _receive(self, within: float) -> Optional[List[Message]]:
        """Waits for bytes, and returns the messages that are now complete. None: no bytes have come."""
        try:
            if not self._is_readable(within):
                return None
            self.reads += 1
            data = self._socket.recv(1 << 16)
        except OSError as error:
            if error.errno in _GONE:
                raise EndedError() from None
            raise  # a signal handler's
        if not data:
            raise EndedError()
        return self._conversation.take(data)

    def _is_readable(self, within: float) -> bool:
        """Waits until there is something to read. The socket's own time limit is for writing."""
        self._is_waiting = True
        try:
            return self._poll(min(within, _LONGEST_POLL))
        finally:
            self._is_waiting = False

    def is_idle(self) -> bool:
        """Whether a thread has done all that has come, and waits for more."""
        return not self._poll(0) and self._is_waiting  # in this order: it stops waiting, and then reads

    def _poll(self, within: float) -> bool:
        if self._socket.fileno() < 0:
            raise EndedError()
        poll = select.poll()
        poll.register(self._socket, select.POLLIN)
        return bool(poll.poll(within * 1000))

    def _write(self, line: bytes) -> None:
        begun = time.monotonic()
        try:
            self._socket.sendall(line)
        except OSError as error:
            if error.errno in _GONE:
                raise EndedError() from None
            if isinstance(error, socket.timeout) and time.monotonic() - begun >= ANSWER_TIME:
                raise Error(f"the device has read nothing for {ANSWER_TIME:g} s", hint="is its process stopped?") from None
            raise  # a signal handler's


def unreachable(path: str, error: OSError) -> Error:
    """The error of a device that cannot be connected to."""
    # A device that was killed leaves a socket that refuses connections.
    if isinstance(error, (FileNotFoundError, ConnectionRefusedError)):
        return Error(f"no device is running at {path}", hint="blemu.devices() lists those that are")
    return Error(f"cannot connect to {path}: {error.strerror or error}")


def no_answer(request: Request) -> Error:
    """The error of a device that hangs."""
    return Error(f"the device has not answered '{request.method}' within {request.wait + ANSWER_TIME:g} s",
                 hint="is its process stopped?")
