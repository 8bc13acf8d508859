"""What can be asked of a device, each as a generator: it yields requests, gets their results, and returns the answer.

A device performs them, waiting or with asyncio.
"""
from __future__ import annotations

import re
import uuid
from typing import Any, Dict, Generator, List, Mapping, Optional, Sequence, TypeVar, Union

from .answers import Outcome, Status
from .errors import RefusedError
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .event import Event
from .protocol import LONGEST_WAIT, Request, milliseconds

__all__ = ["Attribute", "Content", "Scalar", "Steps"]

Bytes = Union[bytes, bytearray, memoryview]
#: A value of a setting, a variable or a field.
Scalar = Union[bool, int, float, str, Bytes]
#: A message in the words of transcripts, or bytes.
Content = Union[str, Bytes]
#: The id or the UUID of a characteristic. A descriptor's is behind it, as in "FFE1/2901".
Attribute = Union[str, uuid.UUID]

T = TypeVar("T")
Steps = Generator[Request, Any, T]

#: How long an expectation waits unless told otherwise, in seconds.
WAIT = 5.0
#: How many events one request asks for.
PAGE = 1000
#: How far a device's clock may be advanced at once, in seconds.
LONGEST_ADVANCE = 31_536_000

_BYTES = (bytes, bytearray, memoryview)

_ESCAPES = {"\r": "\\r", "\n": "\\n", "\t": "\\t", "\\": "\\\\", '"': '\\"'}


def describe() -> Steps[Dict[str, Any]]:
    result: Dict[str, Any] = yield Request("describe", {})
    return result


def status() -> Steps[Status]:
    return Status.read((yield Request("status", {})))


def get(names: Sequence[str]) -> Steps[Any]:
    asked = [name_of(name) for name in names]
    result = yield Request("get", {"names": asked} if names else {})
    values = result["values"]
    for name in result.get("bytes", []):
        values[name] = bytes.fromhex(values[name])
    if len(names) == 1:
        return values[asked[0]]
    return {name: values[each] for name, each in zip(names, asked)} if names else values


def do(method: str, parameters: Mapping[str, Any] = {}, wait: float = 0) -> Steps[Outcome]:
    """An act on the device. Parameters that are None are left out."""
    given = {name: value for name, value in parameters.items() if value is not None}
    return Outcome.read((yield Request(method, given, wait)))


def advance(seconds: float) -> Steps[Outcome]:
    return do("advance", {"by": milliseconds(seconds, 0.001, LONGEST_ADVANCE)}, wait=seconds)


def stop() -> Steps[None]:
    yield Request("stop", {})


def journal(after: int) -> Steps[List[Event]]:
    return [Event.read(each) for each in (yield from _pages(after, "json"))]


def journal_text(after: int) -> Steps[str]:
    return "".join(f"{each}\n" for each in (yield from _pages(after, "text")))


def transcript() -> Steps[str]:
    first = yield Request("journal", {"format": "transcript", "most": 1})
    lines = yield from _pages(0, "transcript")
    return "".join([first["head"], *(f"{each}\n" for each in lines if each)])


def expect(
    lines: Sequence[str], within: Optional[float], at_least: Optional[int], at_most: Optional[int],
    exactly: Optional[int], never: bool, after: Optional[int],
) -> Steps[List[Event]]:
    if [exactly is not None, never, at_least is not None or at_most is not None].count(True) > 1:
        raise TypeError("give exactly=…, never=True, or at_least=… and at_most=…: one of them")
    if exactly is not None:
        at_least, at_most = exactly or None, exactly
    if never:
        at_most = 0
    if within is None:
        within = WAIT if at_most is None else 0
    bounds = {"at-least": at_least, "at-most": at_most, "after": after}
    parameters = {
        "lines": list(lines), "within": milliseconds(within, 0, LONGEST_WAIT),
        **{name: value for name, value in bounds.items() if value is not None},
    }
    result = yield Request("expect", parameters, wait=within)
    return (yield from _events(result["events"]))


def expectations() -> Steps[List[Dict[str, Any]]]:
    result: Dict[str, List[Dict[str, Any]]] = yield Request("expectations", {})
    return result["expectations"]


def act(line: str, central: str) -> Steps[bytes]:
    """What a central in memory does, as a line of a transcript. Returns the value of a read."""
    answer = yield Request("act", {"line": line, "as": central})
    if answer["response"] == "refused":
        raise RefusedError(line, answer["error"])
    return bytes.fromhex(answer.get("value", ""))


def step(line: str, central: str) -> Steps[None]:
    """What a central in memory does without reading."""
    yield from act(line, central)


def faults() -> Steps[List[Dict[str, Any]]]:
    result: List[Dict[str, Any]] = (yield Request("faults", {}))["faults"]
    return result


def add_fault(words: Sequence[str]) -> Steps[int]:
    """Returns the fault's number."""
    number: int = (yield Request("faults", {"add": " ".join(words)}))["number"]
    return number


def remove_fault(number: int) -> Steps[None]:
    """Removes a fault, unless it has been removed."""
    if any(fault["number"] == number for fault in (yield from faults())):
        yield Request("faults", {"remove": number})


def clear_faults() -> Steps[None]:
    yield Request("faults", {"remove-all": True})


def watch(after: int) -> Request:
    return Request("watch", {"after": after})


def _events(numbers: Sequence[int]) -> Steps[List[Event]]:
    """The events with these numbers."""
    events: List[Event] = []
    while len(events) < len(numbers):
        first, last = numbers[len(events)], numbers[-1]
        page = yield Request("journal", {"after": first - 1, "most": min(last - first + 1, PAGE)})
        found = {each["number"]: Event.read(each) for each in page["events"]}
        taken = [found[number] for number in numbers[len(events):] if number in found]
        if not taken:
            break  # the journal has forgotten them
        events += taken
    return events


def _pages(after: int, form: str) -> Steps[List[Any]]:
    """The entries after one, however many there are."""
    entries: List[Any] = []
    while True:
        page = yield Request("journal", {"after": after, "most": PAGE, "format": form})
        entries += page["events"]
        if not page["events"] or page["after"] >= page["last"]:
            return entries
        after = page["after"]


def name_of(name: str) -> str:
    """A name of a definition, which has hyphens and no underscores. Anything that is no name is as it was."""
    return name.replace("_", "-") if name.isidentifier() else name


def named(values: Mapping[str, Scalar]) -> Dict[str, Any]:
    """Values with their names, as the control protocol has them."""
    return {name_of(name): value_of(value, name) for name, value in values.items()}


def value_of(value: Scalar, name: str = "a value") -> Any:
    """A value as the control protocol has it."""
    if isinstance(value, _BYTES):
        return {"bytes": bytes(value).hex(" ")}
    if isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"{name} is a number, text, bytes, True or False, not {value!r}")


def content_of(content: Optional[Content], text: Optional[str], fields: Mapping[str, Scalar]) -> Dict[str, Any]:
    """What is sent, as parameters of a method."""
    content = _given(content, text, fields)
    if not isinstance(content, str):
        return {"bytes": bytes(content).hex(" ")}
    if not fields:
        return {"value": content}
    return {"message": content, "fields": named(fields)}


def words_of(content: Optional[Content], text: Optional[str], fields: Mapping[str, Scalar]) -> str:
    """What is written, in the words of transcripts."""
    content = _given(content, text, fields)
    if not isinstance(content, str):
        return bytes(content).hex(" ") or '""'
    return " ".join([content, *(f"{name_of(name)}={_word(value)}" for name, value in fields.items())])


def _given(content: Optional[Content], text: Optional[str], fields: Mapping[str, Scalar]) -> Content:
    if (content is None) == (text is None):
        raise TypeError("give a message, bytes, or text=…: one of them")
    if text is not None and not isinstance(text, str):
        raise TypeError(f"text=… is a str, not {text!r}; give bytes without it")
    given: Any = content if text is None else text.encode()
    if not isinstance(given, (str, *_BYTES)):
        raise TypeError(f"a value is a message, bytes or text=…, not {given!r}{_bytes_instead(given)}")
    if fields and not isinstance(given, str):
        raise TypeError(f"only a message has fields, such as {next(iter(fields))}=…; bytes and text have none")
    return given


def _bytes_instead(value: Any) -> str:
    """What gives a number, or several, as bytes."""
    numbers = list(value) if isinstance(value, (list, tuple)) else [value]
    are_bytes = all(isinstance(each, int) and 0 <= each <= 255 for each in numbers)
    return f"; bytes({[int(each) for each in numbers]}) has one byte for each number" if are_bytes else ""


def _word(value: Scalar) -> str:
    """A field's value. Bytes, and a text with a space, are quoted."""
    value = bytes.fromhex(given["bytes"]) if isinstance(given := value_of(value), dict) else given
    if isinstance(value, bytes):
        return '"' + "".join(f"\\x{byte:02X}" for byte in value) + '"'
    if isinstance(value, str):
        return value if re.fullmatch(r"[\w.+-]+", value) else f'"{_escaped(value)}"'
    return str(value).lower() if isinstance(value, bool) else str(value)


def _escaped(text: str) -> str:
    """A text with the escapes of transcripts: what JSON writes as \\u0001 is \\x01 there."""
    return re.sub(r'["\\\x00-\x1F\x7F]', lambda found: _ESCAPES.get(found[0], f"\\x{ord(found[0]):02X}"), text)
