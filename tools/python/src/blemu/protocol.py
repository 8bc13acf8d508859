"""The control protocol on one connection, without the connection: JSON-RPC 2.0, one message a line."""
from __future__ import annotations

import json
import math
import re
from dataclasses import dataclass, replace
from typing import Any, Dict, List, Optional, Union

from .errors import Error, ExpectationError, error_from
from .errors import is_hidden as __tracebackhide__  # noqa: F401

__all__ = [
    "Conversation", "Message", "Notification", "Question", "Request", "Response", "at_once", "cancel", "in_time", "milliseconds", "patient"]

#: How long a device may wait for what is expected of it, in seconds.
LONGEST_WAIT = 86_400


@dataclass(frozen=True)
class Request:
    """A method with its parameters."""

    method: str
    parameters: Dict[str, Any]
    #: How long the device itself waits before it answers, in seconds.
    wait: float = 0


def milliseconds(seconds: float, least: float, most: float) -> int:
    """A time as the control protocol has it. The limits are in seconds."""
    if not math.isfinite(seconds):
        raise ValueError(f"a time is a number of seconds, not {seconds}")
    if not least <= seconds <= most:
        raise ValueError(f"a time of {least:g} to {most:,g} seconds is needed, not {seconds:g}")
    return round(seconds * 1000)


def cancel(number: int) -> Request:
    """Ends the wait of the request with this number, of the same connection. The device's answer says whether it waited."""
    return Request("cancel", {"id": number})


def patient(request: Request) -> Request:
    """The request of an expectation whose time the program measures: the device waits for as long as it can."""
    return replace(request, parameters={**request.parameters, "within": LONGEST_WAIT * 1000}, wait=LONGEST_WAIT)


def at_once(request: Request) -> Request:
    """The request of an expectation or an advance without its time."""
    time = "by" if request.method == "advance" else "within"
    return replace(request, parameters={**request.parameters, time: 0}, wait=0)


def in_time(error: ExpectationError, request: Request) -> ExpectationError:
    """The error of the device that was asked at once, with the time that has passed before."""
    words = r"did not come|is not true|(?<=, not )(?:once|\d+ times)"
    error.message = re.sub(words, rf"\g<0> within {request.wait:.3f} s", error.message, count=1)
    return error


@dataclass(frozen=True)
class Response:
    """The answer to the request with this number, or to a line that the device could not read (None)."""

    number: Optional[int]
    outcome: Any

    def result(self) -> Any:
        """Returns the result, or raises the device's error."""
        if isinstance(self.outcome, Error):
            raise self.outcome
        return self.outcome


@dataclass(frozen=True)
class Notification:
    """What the device sends unasked: an event of a watch."""

    method: str
    parameters: Dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A request of the device, which waits for an answer."""

    id: Union[str, int]
    method: str
    parameters: Dict[str, Any]


Message = Union[Response, Notification, Question]


class Conversation:
    """Numbers requests, and takes the bytes that come apart."""

    def __init__(self) -> None:
        self.number = 0
        self._received = bytearray()

    def encode(self, request: Request) -> bytes:
        """Returns the line of a request. Its number is `number` until the next."""
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": request.method, "params": request.parameters}
        return json.dumps(message).encode() + b"\n"

    def encode_answer(self, members: Dict[str, Any]) -> bytes:
        """Returns the line of an answer to a question."""
        return json.dumps({"jsonrpc": "2.0", **members}).encode() + b"\n"

    def take(self, data: bytes) -> List[Message]:
        """Takes bytes that have come, and returns the messages that are now complete."""
        self._received += data
        *lines, rest = self._received.split(b"\n")
        self._received = rest
        return [_message(line) for line in lines if line.strip()]


def _message(line: bytes) -> Message:
    try:
        value = json.loads(line)
        if "method" in value:
            if value.get("id") is not None:
                return Question(value["id"], value["method"], value["params"])
            return Notification(value["method"], value["params"])
        return Response(value["id"], error_from(value["error"]) if "error" in value else value["result"])
    except (ValueError, LookupError, TypeError):
        text = line[:200].decode(errors="replace")
        raise Error(f"this is no answer of a device: {text}", hint="is it the socket of another program?") from None
