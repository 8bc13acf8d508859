"""The protocol without a connection: bytes and messages."""
import json
import subprocess

import pytest
from blemu import Central, Device, Error, ExpectationError, interception, operations
from blemu.command import find_program
from blemu.event import Event
from blemu.protocol import Conversation, Notification, Request, Response, cancel


class Plan(Device):
    """A device whose methods return what others perform."""

    def __init__(self):
        pass

    def perform(self, steps, connection=None):
        return steps


PLAN = Plan()


class PlanOfCentral(Central):
    """A central whose methods do so."""

    def _link(self):
        return None


CENTRAL = PlanOfCentral(PLAN, "00:00:00:00:00:02")


def requests(steps, *results):
    """The requests that an operation makes when it gets these results, and its answer."""
    made = [next(steps)]
    try:
        for result in results:
            made.append(steps.send(result))
    except StopIteration as end:
        return [(each.method, each.parameters) for each in made], end.value
    return [(each.method, each.parameters) for each in made], None


def test_numbers_its_requests():
    conversation = Conversation()
    lines = [conversation.encode(Request("get", {"names": ["level"]})), conversation.encode(Request("reset", {}))]
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in lines)
    assert json.loads(lines[0]) == {"jsonrpc": "2.0", "id": 1, "method": "get", "params": {"names": ["level"]}}
    assert json.loads(lines[1])["id"] == 2


def test_takes_messages_apart_wherever_the_bytes_are_cut():
    data = b'{"jsonrpc": "2.0", "id": 1, "result": {"a": 1}}\n{"jsonrpc": "2.0", "method": "event", "params": {"b": 2}}\n'
    for cut in range(len(data)):
        conversation = Conversation()
        messages = conversation.take(data[:cut]) + conversation.take(data[cut:])
        assert messages == [Response(1, {"a": 1}), Notification("event", {"b": 2})]


def test_raises_the_error_of_a_device():
    line = b'{"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no x", "data": {"hint": "known: level"}}}\n'
    [response] = Conversation().take(line)
    with pytest.raises(Error) as caught:
        response.result()
    assert (caught.value.code, caught.value.message, caught.value.hint) == (-32602, "no x", "known: level")
    assert str(caught.value) == "no x\n  known: level"


def test_an_expectation_that_is_not_met_is_an_assertion():
    line = b'{"jsonrpc":"2.0","id":1,"error":{"code":-32001,"message":"it did not come","data":{"comparison":"-> a\\n"}}}\n'
    [response] = Conversation().take(line)
    with pytest.raises(AssertionError) as caught:
        response.result()
    assert isinstance(caught.value, ExpectationError)
    assert str(caught.value) == "it did not come\n\n-> a\n"


@pytest.mark.parametrize("line", [b"hello", b"[]", b'{"id": 1}', b"3", b'{"error": {}, "id": 1}'])
def test_says_that_another_program_answers(line):
    with pytest.raises(Error, match="this is no answer of a device: "):
        Conversation().take(line + b"\n")


def test_reads_an_event():
    event = Event.read({
        "number": 3, "time": "2026-11-25T12:01:04.002Z", "event": "write", "central": "00:AA:01:00:00:42",
        "attribute": "FFE1", "value": "4F 4B", "text": "OK", "message": "turn", "fields": {"state": 1}})
    assert (event.number, event.kind, event.attribute, event.value) == (3, "write", "FFE1", b"OK")
    assert (event.message, event.fields, event.central) == ("turn", {"state": 1}, "00:AA:01:00:00:42")
    assert event.time.isoformat() == "2026-11-25T12:01:04.002000+00:00"
    assert event.raw["text"] == "OK"


@pytest.mark.parametrize("content, text, fields, parameters", [
    (b"OK", None, {}, {"bytes": "4f 4b"}),
    (bytearray(b"OK"), None, {}, {"bytes": "4f 4b"}),
    (b"", None, {}, {"bytes": ""}),
    (None, "OK", {}, {"bytes": "4f 4b"}),
    ("turn state=1", None, {}, {"value": "turn state=1"}),
    ("turn", None, {"new_state": 1}, {"message": "turn", "fields": {"new-state": 1}}),
])
def test_sends_messages_bytes_and_text(content, text, fields, parameters):
    made, _ = requests(PLAN.send("switch", content, text=text, **fields), {"after": 1, "warnings": []})
    assert made == [("send", {"from": "switch", **parameters})]


@pytest.mark.parametrize("content, text", [(None, None), ("turn", "OK")])
def test_sends_one_thing_only(content, text):
    with pytest.raises(TypeError, match="one of them"):
        PLAN.wire(content, text=text)


def test_an_underscore_is_a_hyphen():
    made, _ = requests(PLAN.set({"a_b": 1}, local_name="Robot"), {"after": 0, "warnings": []})
    assert made == [("set", {"values": {"a-b": 1, "local-name": "Robot"}})]


@pytest.mark.parametrize("options, parameters", [
    ({}, {"within": 5000}),
    ({"within": 0.25, "at_least": 2}, {"within": 250, "at-least": 2}),
    ({"never": True}, {"within": 0, "at-most": 0}),
    ({"at_most": 3, "after": 7}, {"within": 0, "at-most": 3, "after": 7}),
    ({"exactly": 2, "within": 1}, {"within": 1000, "at-least": 2, "at-most": 2}),
    ({"exactly": 0}, {"within": 0, "at-most": 0}),
])
def test_waits_by_default_unless_there_is_a_limit(options, parameters):
    made, events = requests(PLAN.expect("connect", **options), {"events": [], "after": 0})
    assert made == [("expect", {"lines": ["connect"], **parameters})]
    assert events == []


def test_reads_a_long_journal_page_by_page():
    def page(first, last):
        return {"events": [f"{number}" for number in range(first, last + 1)], "after": last, "last": 2500}

    made, text = requests(PLAN.journal_text(), page(1, 1000), page(1001, 2000), page(2001, 2500))
    assert [parameters["after"] for _, parameters in made] == [0, 1000, 2000]
    assert text == "".join(f"{number}\n" for number in range(1, 2501))


def test_fetches_the_events_of_an_expectation_however_far_apart():
    def page(*numbers):
        events = [{"number": number, "time": "2026-11-25T12:01:04.002Z", "event": "log"} for number in numbers]
        return {"events": events, "after": 0, "last": 0}

    found = {"events": [5, 6, 3000], "after": 3000}
    made, events = requests(PLAN.expect("* \"a\"", at_least=3), found, page(5, 6, 7), page(3000))
    assert [parameters for _, parameters in made[1:]] == [{"after": 4, "most": 1000}, {"after": 2999, "most": 1}]
    assert [event.number for event in events] == [5, 6, 3000]


@pytest.mark.parametrize("content, text, response, fields, line", [
    (b"OK", None, None, {}, "> switch 4f 4b"),
    (None, "OK", True, {}, ">? switch 4f 4b"),
    (b"", None, False, {}, ">! switch \"\""),
    ("turn state=1", None, None, {}, "> switch turn state=1"),
    ("name", None, None, {"new_name": "My lamp", "keep": True, "level": 1.5}, "> switch name new-name=\"My lamp\" keep=true level=1.5"),
])
def test_writes_the_lines_of_a_central(content, text, response, fields, line):
    made, _ = requests(CENTRAL.write("switch", content, text=text, response=response, **fields), {"response": "accepted"})
    assert made == [("act", {"line": line, "as": "00:00:00:00:00:02"})]


@pytest.mark.parametrize("text, word", [
    ("Lamp-1.5", "Lamp-1.5"), ("", '""'), ("Lämpchen 2", '"Lämpchen 2"'), ("\r\n\t", r'"\r\n\t"'), ('a"b\\c', r'"a\"b\\c"'),
    ("\x00\x01\b\x1B\x7F", r'"\x00\x01\x08\x1B\x7F"'),
])
def test_quotes_texts_as_transcripts_do(text, word):
    assert operations.words_of("name", None, {"text": text}) == f"name text={word}"


def test_adds_and_removes_faults():
    assert requests(operations.add_fault(["drop", "on serial"]), {"number": 3}) == (
        [("faults", {"add": "drop on serial"})], 3)
    assert requests(operations.remove_fault(3), {"faults": [{"number": 3}]}, {}) == (
        [("faults", {}), ("faults", {"remove": 3})], None)
    assert requests(operations.remove_fault(3), {"faults": []}) == ([("faults", {})], None)
    assert requests(PLAN.clear_faults(), {}) == ([("faults", {"remove-all": True})], None)


#: Methods that the package does not offer: for the command line, and for a connection with several watches.
OTHERS = {"share", "unwatch"}
#: Parameters that it does not offer. A text is sent as bytes. What a central does to attributes is in the words of transcripts, not
#: by handles. The others are for the page.
NOT_OFFERED = {
    "central": {"handle", "value", "kind", "bond", "passkey"}, "get": {"partial"}, "send": {"text"}, "wire": {"text"}, "journal": {"wait"}, "watch": {"format"},
}


def methods():
    """The parameters of each method of the control protocol, as blemu describes them."""
    command = [find_program(), "schema", "control"]
    schema = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["$defs"]
    return {
        each["$ref"].rsplit("/", 1)[1]: schema[each["$ref"].rsplit("/", 1)[1]]["properties"]["params"]["properties"]
        for each in schema["request"]["oneOf"]
    }


def offered():
    """The parameters that the package can give to each method."""
    name, place = CENTRAL.address, "switch"
    asked = [
        PLAN.describe(), PLAN.status(), PLAN.get("level"), PLAN.set(level=1), PLAN.press("button", 1),
        PLAN.send(place, "turn", central=name, state=1), PLAN.send(place, "4F"), PLAN.send(place, b""),
        PLAN.wire("turn", state=1), PLAN.wire("4F"), PLAN.wire(b""), CENTRAL.connect(), CENTRAL.read(place), PLAN.advertise(),
        PLAN.disconnect(name, reason="0x13"), PLAN.forget(name), PLAN.reset(), PLAN.advance(1), PLAN.stop(),
        operations.add_fault(["drop"]), PLAN.clear_faults(), PLAN.expectations(),
        PLAN.expect("connect", within=1, at_least=1, at_most=2, after=3), PLAN.journal(), PLAN.transcript(),
    ]
    made = [next(each) for each in asked]
    made += [operations.watch(0), interception.intercept("> switch", 1), interception.unintercept(1), cancel(1)]
    found = {}
    for request in made:
        found.setdefault(request.method, set()).update(request.parameters)
    found["faults"] |= requests(operations.remove_fault(3), {"faults": [{"number": 3}]}, {})[0][1][1].keys()
    return found


def test_offers_every_parameter_of_every_method():
    expected = {method: set(parameters) - NOT_OFFERED.get(method, set())
                for method, parameters in methods().items() if method not in OTHERS}
    assert offered() == expected


def test_has_the_limits_of_the_protocol():
    described = methods()
    assert described["expect"]["within"]["maximum"] == operations.LONGEST_WAIT * 1000
    assert described["advance"]["by"]["maximum"] == operations.LONGEST_ADVANCE * 1000
    assert described["journal"]["most"]["maximum"] >= operations.PAGE
    assert described["act"]["as"]["description"].endswith(CENTRAL.address)
