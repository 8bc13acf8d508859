"""Answering in place of the rules: questions of a device, and answers of a program."""
from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Dict, Mapping, Optional, Union

from . import operations
from .errors import Refusal
from .errors import is_hidden as __tracebackhide__  # noqa: F401
from .event import Event
from .operations import Attribute, Content, Scalar
from .protocol import Question, Request, milliseconds

__all__ = ["Answer", "AnswerLike", "answer_to", "event_of", "failure_of", "intercept", "unintercept"]


#: How long a device may wait for an answer, in seconds.
LONGEST_ANSWER = 25


@dataclass(frozen=True)
class Answer:
    """An answer with more than its bytes: `Answer("turned", state=1)`, `Answer(b"OK", place="FFE2")`.

    The content is a message, whose fields may be keywords, or bytes.
    """

    content: Content
    #: The characteristic that sends it; by default the one from which the rules answer.
    place: Optional[Attribute] = None
    fields: Mapping[str, Scalar] = field(default_factory=dict)

    def __init__(self, content: Content, /, *, place: Optional[Attribute] = None, **fields: Scalar) -> None:
        object.__setattr__(self, "content", content)
        object.__setattr__(self, "place", place)
        object.__setattr__(self, "fields", fields)


#: What a function may answer: bytes; a message in the words of transcripts, as in "turned state=1"; an `Answer`; a
#: `Refusal`; None: the rules go on.
AnswerLike = Union[None, Content, Answer, Refusal]


def intercept(line: str, within: float) -> Request:
    """Begins an interception."""
    return Request("intercept", {"what": line, "within": milliseconds(within, 0.001, LONGEST_ANSWER)})


def unintercept(number: int) -> Request:
    """Ends an interception."""
    return Request("unintercept", {"intercept": number})


def event_of(question: Question) -> Event:
    """The event of a question. It is not in the journal yet, and has the number 0."""
    return Event.read({**question.parameters, "number": 0})


def answer_to(question: Question, given: AnswerLike) -> Dict[str, Any]:
    """The device's answer, from what a function has returned."""
    return {"id": question.id, "result": _result(given)}


def failure_of(question: Question, error: BaseException) -> Dict[str, Any]:
    """Tells the device that a function has failed: the rules handle the event."""
    return {"id": question.id, "error": {"code": -32000, "message": f"{type(error).__name__}: {error}"}}


def _result(given: AnswerLike) -> Dict[str, Any]:
    if given is None:
        return {}
    if isinstance(given, Refusal):
        return {"error": given.name}
    if not isinstance(given, Answer):
        given = Answer(given)
    if not isinstance(given.content, (str, bytes, bytearray, memoryview)):
        raise TypeError(f"an answer is bytes, a message, an Answer, a Refusal or None, not {given.content!r}")
    result = operations.content_of(given.content, None, given.fields)
    return result if given.place is None else {**result, "from": str(given.place)}
