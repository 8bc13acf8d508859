"""Sessions of an assistant with `blemu mcp`, through the SDK of the Model Context Protocol."""
import asyncio
import contextlib
import json
import os
import pathlib
import signal
import subprocess
import time

import jsonschema
import pytest
from mcp import ClientSession, McpError, StdioServerParameters
from mcp.client.stdio import stdio_client

BLEMU = os.environ["BLEMU"]
HERE = pathlib.Path(__file__).resolve().parent
PATIENCE = 60  # seconds; only against hanging

LAMP = """blemu: 1
name: Lamp
advertisement: { local-name: Lamp, services: [FFE0] }
services:
  - uuid: FFE0
    characteristics:
      - { id: switch, uuid: FFE1, properties: [read, write, notify], value: "00" }
messages:
  turn: "{state: u8}"
rules:
  - on: { receive: turn }
    do: [{ send: turn }, { log: "the lamp is now {state}" }]
  - { on: start, do: { start: minute, every: 1min } }
  - { on: { timer: minute }, do: { log: "tick" } }
"""
TRANSCRIPT = "connect\nsubscribe switch\n> switch  turn state=1\n< switch  turn state=1\n"


class Assistant:
    """A session. The texts of tools are what an assistant reads."""

    def __init__(self, session):
        self.session = session

    async def call(self, tool, **arguments):
        result = await self.session.call_tool(tool, {name.replace("_", "-"): value for name, value in arguments.items()})
        (content,) = result.content
        return result.isError, content.text

    async def works(self, tool, **arguments):
        is_error, text = await self.call(tool, **arguments)
        assert not is_error, text
        return text

    async def fails(self, tool, **arguments):
        is_error, text = await self.call(tool, **arguments)
        assert is_error, text
        return text


@pytest.fixture
def folder(tmp_path):
    """The folder for temporary files. It is empty after the session, and nothing that listened there runs."""
    path = tmp_path / "t"
    path.mkdir()
    yield path
    assert list(path.iterdir()) == []


def converse(folder, body):
    """Calls `body` with an assistant."""
    async def run():
        server = StdioServerParameters(command=BLEMU, args=["mcp"], env={**os.environ, "TMPDIR": str(folder), "XDG_RUNTIME_DIR": str(folder)})
        async with stdio_client(server) as streams, ClientSession(*streams) as session:
            assert (await session.initialize()).protocolVersion == "2025-06-18"
            await body(Assistant(session))
    asyncio.run(asyncio.wait_for(run(), PATIENCE))


def test_a_device_from_its_text_to_its_proof(folder):
    async def session(assistant):
        wrong = await assistant.fails("check", text=LAMP.replace("properties", "propertys"), name="lamp")
        assert "lamp.yaml:7:35: error: a characteristic has no key 'propertys'" in wrong
        assert "did you mean 'properties'?" in wrong
        assert "lamp.yaml: no errors" in await assistant.works("check", text=LAMP, name="lamp")

        await assistant.works("run", text=LAMP, name="lamp")
        assert "a device 'lamp' runs already" in await assistant.fails("run", text=LAMP, name="lamp")
        for line in ("connect", "subscribe switch", "> switch turn state=1"):
            assert json.loads(await assistant.works("act", device="lamp", line=line)) == {"response": "accepted"}
        assert json.loads(await assistant.works("expect", device="lamp", lines=["< switch turn state=1"]))["events"] == [5]
        missing = await assistant.fails("expect", device="lamp", lines=["< switch turn state=2"])
        assert "'< switch turn state=2' did not come" in missing and "actual" in missing
        await assistant.works("advance", device="lamp", by=120_000)
        await assistant.works("expect", device="lamp", lines=['* "tick"'], at_least=2)
        journal = json.loads(await assistant.works("journal", device="lamp", format="transcript"))
        assert "> switch  01" in "".join(journal["events"])

        assert "1 passed, 0 failed" in await assistant.works("test", text=LAMP, transcript=TRANSCRIPT, name="lamp")
        failed = await assistant.fails("test", transcript=TRANSCRIPT.replace("1", "3", 1), name="lamp")
        assert "lamp: state is 3, not 1" in failed and "0 passed, 1 failed" in failed

        await assistant.works("stop", device="lamp")
        assert "no device 'lamp' runs" in await assistant.fails("get", device="lamp")
        await assistant.works("run", text=LAMP, name="lamp")  # what runs ends with the session
    converse(folder, session)


def test_mistakes_have_hints(folder):
    async def session(assistant):
        assert "did you mean 'hm-10'?" in await assistant.fails("run", definition="hm-1")
        assert "did you mean 'files'?" in await assistant.fails("check", fiels=["lamp.yaml"])
        assert "'seed' must be a whole number" in await assistant.fails("run", definition="hm-10", seed="x")
        assert "'run' needs a DEFINITION" in await assistant.fails("run")
        await assistant.works("run", definition="itag")
        assert "did you mean 'level'?" in await assistant.fails("get", device="itag", names=["levle"])
        assert "running: itag" in await assistant.fails("get", device="itga", names=["level"])
        # None puts a device on the air, or starts a program.
        assert "'run' has no parameter 'exec'" in await assistant.fails("run", definition="hm-10", exec=["true"])
        assert "there is no definition 'hm-10@hci0'" in await assistant.fails("run", definition="hm-10@hci0")
        assert "there is no definition '--exec'" in await assistant.fails("run", definition="--exec")
        with pytest.raises(McpError, match="there is no tool 'rnu'"):
            await assistant.call("rnu")
    converse(folder, session)


def test_options_are_those_of_the_commands(folder):
    async def session(assistant):
        await assistant.works("run", definition="hm-10", name="robot", set=["local-name=Robot"], fault=["drop on FFE1"], seed=7)
        assert json.loads(await assistant.works("get", device="robot", names=["local-name"]))["values"] == {"local-name": "Robot"}
        (fault,) = json.loads(await assistant.works("faults", device="robot"))["faults"]
        assert fault["fault"] == "drop on FFE1"
        assert "name: iTag" in await assistant.works("show", definition="itag", source=True)
        assert "3 passed, 0 failed" in await assistant.works("test", paths=["hm-10"], filter=["iBeacon"])
        recording = HERE.parent / "CapturesTests/Captures/treadmill.btsnoop"
        assert "answers as recorded" in await assistant.works("learn", recordings=[str(recording)], check="30%")
    converse(folder, session)


def test_a_device_that_dies_can_run_again(folder):
    async def session(assistant):
        await assistant.works("run", definition="hm-10")
        waiting = asyncio.create_task(assistant.fails("expect", device="hm-10", lines=["connect"], within=60_000))
        os.kill(json.loads(await assistant.works("status", device="hm-10"))["process"], signal.SIGKILL)
        assert "killed by signal 9" in await waiting
        assert "no device 'hm-10' runs" in await assistant.fails("get", device="hm-10")
        await assistant.works("run", definition="hm-10")
    converse(folder, session)


def test_a_request_that_waits_holds_up_no_other(folder):
    async def session(assistant):
        await assistant.works("run", definition="hm-10")
        waiting = asyncio.create_task(assistant.works("expect", device="hm-10", lines=["disconnect"], within=60_000))
        for _ in range(3):
            await assistant.session.send_ping()
        assert not waiting.done()
        await assistant.works("act", device="hm-10", line="connect")
        await assistant.works("act", device="hm-10", line="disconnect")
        await waiting
    converse(folder, session)


def test_tools_are_described_with_schemas(folder):
    async def session(assistant):
        tools = {tool.name: tool for tool in (await assistant.session.list_tools()).tools}
        for tool in tools.values():
            assert tool.description
            jsonschema.Draft202012Validator.check_schema(tool.inputSchema)
        wanted = "list show check test learn run describe get set press act expect journal faults advance send wire stop"
        assert set(wanted.split()) <= set(tools)
        with pytest.raises(jsonschema.ValidationError):
            jsonschema.validate({"device": "lamp", "by": "1min"}, tools["advance"].inputSchema)
    converse(folder, session)


def test_pages_are_resources(folder):
    async def session(assistant):
        resources = {str(resource.uri): resource for resource in (await assistant.session.list_resources()).resources}
        assert resources["blemu:///language/messages.md"].title == "Framing and messages"
        for uri, resource in resources.items():
            (content,) = (await assistant.session.read_resource(resource.uri)).contents
            assert content.text and content.mimeType == resource.mimeType
        assert await assistant.works("read-page", uri=uri) == content.text
        schema = (await assistant.session.read_resource("blemu:///blemu.schema.json")).contents[0].text
        jsonschema.Draft202012Validator.check_schema(json.loads(schema))
        (template,) = (await assistant.session.list_resource_templates()).resourceTemplates
        assert template.uriTemplate == "blemu:///{group}/{device}/{file}"
        definition = await assistant.session.read_resource("blemu:///serial-modules/hm-10/hm-10.yaml")
        assert definition.contents[0].text.count("\nblemu: 1\n") == 1
        with pytest.raises(McpError, match="there is no page"):
            await assistant.session.read_resource("blemu:///none.md")
    converse(folder, session)


def answers(folder, *lines, **options):
    """What the server writes for these lines, until its input ends."""
    done = subprocess.run([BLEMU, "mcp"], input="".join(line + "\n" for line in lines), capture_output=True, text=True, timeout=PATIENCE,
                          env={**os.environ, "TMPDIR": str(folder)}, **options)
    assert (done.returncode, done.stderr) == (0, "")
    return [json.loads(line) for line in done.stdout.splitlines()]


def request(method, id=1, **parameters):
    return json.dumps({"jsonrpc": "2.0", "id": id, "method": method, "params": parameters})


@pytest.mark.parametrize("line, code", [
    ("{", -32700), ("1", -32600), ("[]", -32600), ('{"id": 1, "method": "ping"}', -32600), (request("server/discover"), -32601),
    (request("tools/call", name="fly"), -32602), (request("resources/read", uri="blemu:///../README.md"), -32002),
    pytest.param("x" * (1 << 20 | 1), -32600, id="long")])
def test_a_bad_message_gets_an_error(folder, line, code):
    error, after = sorted(answers(folder, line, request("ping", id="after")), key=lambda answer: answer["id"] == "after")
    assert error["error"]["code"] == code
    assert after == {"jsonrpc": "2.0", "id": "after", "result": {}}


@pytest.mark.parametrize("wanted, agreed", [
    ("2025-06-18", "2025-06-18"), ("2025-03-26", "2025-03-26"), ("2024-11-05", "2024-11-05"), ("2030-01-01", "2025-06-18")])
def test_versions(folder, wanted, agreed):
    (answer,) = answers(folder, request("initialize", protocolVersion=wanted, capabilities={}, clientInfo={"name": "a", "version": "1"}),
                        '{"jsonrpc": "2.0", "method": "notifications/initialized"}', '{"jsonrpc": "2.0", "id": 7, "result": {}}')
    assert answer["result"]["protocolVersion"] == agreed


def test_a_batch_gets_a_batch(folder):
    ((one, two),) = answers(folder, f"[{request('ping', id=1)}, {request('ping', id=2)}]")
    assert (one["id"], two["id"]) == (1, 2)


@contextlib.contextmanager
def server(folder):
    """A server on whose device a request waits; the `id` of the request is 2."""
    process = subprocess.Popen([BLEMU, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, "TMPDIR": str(folder)})
    with process:
        def send(line):
            process.stdin.write(line + "\n")
            process.stdin.flush()
        send(request("tools/call", id=1, name="run", arguments={"definition": "hm-10"}))
        assert not json.loads(process.stdout.readline())["result"]["isError"]
        send(request("tools/call", id=2, name="expect", arguments={"device": "hm-10", "lines": ["connect"], "within": 3_600_000}))
        yield process, send


def test_a_request_that_is_cancelled_gets_no_answer(folder):
    with server(folder) as (process, send):
        send('{"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}}')
        send(request("ping", id=3))
        rest, _ = process.communicate(timeout=PATIENCE)
        assert [json.loads(line)["id"] for line in rest.splitlines()] == [3]


def test_a_signal_ends_the_session(folder):
    with server(folder) as (process, _):
        process.send_signal(signal.SIGTERM)
        assert (process.wait(PATIENCE), process.stdout.read()) == (0, "")


def test_devices_end_even_if_the_session_is_killed(tmp_path):
    with server(tmp_path) as (process, _):
        process.kill()
    deadline = time.monotonic() + PATIENCE
    while any(tmp_path.glob("*/control.sock")) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not any(tmp_path.glob("*/control.sock"))
