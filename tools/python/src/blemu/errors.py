"""Errors of devices and of blemu."""
from __future__ import annotations

import contextlib
import re
from typing import Any, Callable, Iterator, List, Mapping, Optional, Tuple, Union

__all__ = ["EndedError", "Error", "ExpectationError", "Refusal", "RefusedError", "ended_already", "error_from", "is_hidden"]

_NOT_MET = -32001
_NOT_POSSIBLE = -32002


class Error(Exception):
    """A device refuses something, cannot be reached, or does not start or end well."""

    def __init__(self, message: str, *, code: Optional[int] = None, hint: Optional[str] = None) -> None:
        super().__init__(message)
        #: The code of the control protocol, as in -32602 for a bad parameter. None: the device did not answer.
        self.code = code
        #: What happened.
        self.message = message
        #: What to do next, if there is something to say.
        self.hint = hint

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}\n  {self.hint}"


class EndedError(Error):
    """The device has ended, or ends in place of an answer."""

    def __init__(self, message: str = "the device has ended", *, hint: str = "its log says why") -> None:
        super().__init__(message, hint=hint)


class ExpectationError(Error, AssertionError):
    """An event that a test expects did not happen, or happened too often."""

    def __init__(self, message: str, comparison: str, hint: Optional[str] = None) -> None:
        super().__init__(message, code=_NOT_MET, hint=hint)
        #: What was expected next to what came, as 'blemu test' shows it.
        self.comparison = comparison

    def __str__(self) -> str:
        hint = "" if self.hint is None else f"\n  {self.hint}\n"
        return f"{self.message}\n\n{self.comparison.rstrip()}\n{hint}"


class RefusedError(Error):
    """The device refuses a request of a central in memory."""

    def __init__(self, line: str, name: str) -> None:
        super().__init__(f"the device refuses '{line}': {name}")
        #: The name of the ATT error, or why pairing failed, as in "write-not-permitted".
        self.name = name


class Refusal(Exception):
    """An ATT error with which a program refuses a request of a central: `raise Refusal("insufficient-authorization")`."""

    def __init__(self, error: Union[str, int]) -> None:
        #: Its name, or its code as in "0x80".
        self.name = error if isinstance(error, str) else f"0x{error:02X}"
        super().__init__(self.name)


# Reports name them as programs do.
Error.__module__ = EndedError.__module__ = ExpectationError.__module__ = Refusal.__module__ = RefusedError.__module__ = "blemu"


def error_from(value: Mapping[str, Any]) -> Error:
    """Returns the error that the member `error` of a response stands for."""
    code, message, data = value["code"], _in_python(value["message"]), value.get("data", {})
    hint = _in_python(data["hint"]) if "hint" in data else None
    if code == _NOT_MET:
        return ExpectationError(message, data.get("comparison", ""), hint)
    return Error(message, code=code, hint=hint)


#: The words of a device, which are those of the shell and of transcripts, and those of Python.
_WORDS: List[Tuple[str, Union[str, Callable[["re.Match[str]"], str]]]] = [
    (r"^connect first$", "call connect() first"),
    (r"--on loopback", 'on="loopback"'),
    (r"'after (\d+)' counts", r"after=\1 counts"),
    (r"as in press ([\w-]+)=VALUE$", r'as in press("\1", VALUE)'),
    (r"as in press ([\w-]+)$", r'as in press("\1")'),
    (r"it can be set: set ([\w-]+)=VALUE$", r'it can be set: set({"\1": VALUE})'),
    (r"leave 'central' out", "leave central=… out"),
    (r"name another characteristic as 'from'", "name another characteristic as place=…"),
    (r"^'at-(least|most)' must", r"at_\1 must"),
    (r"^'within' is at most (\d+) ", lambda found: f"within is at most {int(found[1]) / 1000:g} s "),
]


def _in_python(text: str) -> str:
    for words, replacement in _WORDS:
        text = re.sub(words, replacement, text)
    return text


def is_hidden(failure: Any) -> bool:
    """As `__tracebackhide__` of a module: pytest shows the test's own line for these errors, and none of the module.

    A wrong argument is a mistake of the test, too.
    """
    return failure is not None and bool(failure.errisinstance((Error, TypeError, ValueError)))


@contextlib.contextmanager
def ended_already() -> Iterator[None]:
    """Lets a central disconnect that the device, which may end meanwhile, has disconnected."""
    try:
        yield
    except EndedError:
        pass
    except Error as error:
        if error.code != _NOT_POSSIBLE:
            raise
