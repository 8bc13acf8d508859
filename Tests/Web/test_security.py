"""Who may use the page: the person with the address, and no page from elsewhere."""
import json
import socket

import pytest

import programs
from browser import Browser
from elsewhere import Elsewhere
from page import Page
from patience import PATIENCE, wait_until


def ask(server, path="/", *, token=True, host=None, method="GET"):
    """Sends a request byte for byte. Returns the status, the headers by name in lower case, and the text."""
    lines = [f"{method} {path} HTTP/1.1", f"Host: {host or server.host}", "Connection: close"]
    if token:
        lines.append(f"Authorization: Bearer {server.token}")
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    head, _, text = answer.decode(errors="replace").partition("\r\n\r\n")
    first, *fields = head.split("\r\n")
    return int(first.split()[1]), {name.lower(): value for name, value in (field.split(": ", 1) for field in fields)}, text


def upgrade(server, origin, host=None, token=True):
    """Asks for a WebSocket to a device, as a browser does. Returns the status."""
    lines = ["GET /control?device=itag HTTP/1.1", f"Host: {host or server.host}", "Upgrade: websocket", "Connection: Upgrade",
             "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=="]
    if origin:
        lines.append(f"Origin: {origin}")
    if token:
        lines.append(f"Sec-WebSocket-Protocol: blemu, token.{server.token}")
    with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE) as connection:
        connection.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        return int(connection.recv(1 << 16).split()[1])


def test_without_the_token_there_is_an_explanation(browser, server, stand):
    stand.run("itag")
    page = Page(browser, server)
    page.show()
    page.await_words("#locked", "Open the address that blemu web printed")
    page.await_words("#server-state", "Not signed in")
    assert page.texts(".card") == []
    page.show("itag")
    page.await_words("#ended", "Open the address")
    for path in ("/devices", "/face?device=itag", "/control?device=itag", "/nothing", f"/devices?token={server.token}"):
        assert ask(server, path, token=False)[0] == 403, path
    for path in ("/", "/app.js", "/style.css", "/favicon.svg"):
        status, headers, text = ask(server, path, token=False)
        assert status == 200 and server.token not in text and "set-cookie" not in headers, path


def test_the_token_is_in_no_request_of_an_address(page, stand):
    """Neither in the address that is shown, nor in those that the browser asks for, up to their fragments."""
    stand.run("itag")
    page.await_visible(".card")
    assert page.browser.url == f"{page.server.origin}/#/"
    asked = page.browser.run("return performance.getEntries().map((it) => it.name)")
    assert asked and [address for address in asked if page.server.token in address.partition("#")[0]] == []


def test_another_server_of_the_same_host_gets_no_token(page, stand):
    """Cookies are the same for all ports of a host: a server on another port would receive one."""
    stand.run("itag")
    page.await_visible(".card")
    with Elsewhere() as elsewhere:
        page.browser.open(elsewhere.origin)
        wait_until(lambda: elsewhere.requests, "the browser has not asked")
        assert [headers for headers in elsewhere.headers if page.server.token in headers or "Cookie" in headers] == []
        wait_until(lambda: page.browser.run("return location.origin") == elsewhere.origin, "the browser has not opened the answer")
        assert page.browser.run("return document.cookie + JSON.stringify(localStorage) + JSON.stringify(sessionStorage)") == "{}{}"


def test_a_second_tab_and_a_reloaded_one_have_the_token(page, stand):
    stand.run("itag")
    page.await_visible(".card")
    page.browser.new_window()
    page.show("itag", "present")
    page.await_words("#state-line", "in memory")
    page.browser.run("location.reload()")
    page.await_words("#state-line", "in memory")


def test_an_address_with_a_wrong_token_locks_nobody_out(page, stand):
    """A page from elsewhere may lead here with one."""
    stand.run("itag")
    page.await_visible(".card")
    page.browser.open(f"{page.server.origin}/#token={'0' * 32}")
    wait_until(lambda: "token" not in page.browser.url, "the token stays in the address")
    page.browser.run("location.reload()")
    page.await_visible(".card")


def test_without_storage_the_tab_has_the_token(browser, server, stand):
    stand.run("itag")
    script = browser.devtools("Page.addScriptToEvaluateOnNewDocument", source="Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('off'); } })")
    try:
        page = Page(browser, server)
        page.sign_in()
        page.await_visible(".card")
        page.click(".card-link")
        page.await_visible('[data-action="reset"]')
    finally:
        browser.devtools("Page.removeScriptToEvaluateOnNewDocument", **script)


def test_each_answer_has_its_headers(server):
    for path in ("/", "/app.js", "/style.css", "/favicon.svg", "/devices", "/face?device=none", "/nothing"):
        for token in (True, False):
            _, headers, _ = ask(server, path, token=token)
            policy = headers["content-security-policy"].split("; ")
            assert {"default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "base-uri 'none'", "form-action 'none'"} <= set(policy), path
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff"
            assert headers["referrer-policy"] == "no-referrer"
            assert headers["cross-origin-resource-policy"] == "same-origin"
            assert "access-control-allow-origin" not in headers
    assert "sandbox" not in ask(server, "/")[1]["content-security-policy"]


def test_a_host_of_another_name_is_refused(server, stand):
    stand.run("itag")
    for host in ("evil.example", f"evil.example:{server.port}", f"127.0.0.1.evil.example:{server.port}", "", "127.0.0.1@evil.example"):
        assert ask(server, "/devices", host=host or "\t")[0] in (400, 403), host
        assert upgrade(server, f"http://{host}", host=host or "\t") in (400, 403), host
    assert ask(server, "/devices", host=f"127.0.0.1:{server.port}")[0] == 200


def test_a_websocket_from_elsewhere_is_refused(server, stand):
    stand.run("itag")
    assert upgrade(server, server.origin) == 101
    for origin in (None, "null", "http://evil.example", f"http://127.0.0.1:{server.port + 1}", f"https://{server.host}", f"{server.origin}.evil.example"):
        assert upgrade(server, origin) == 403, origin
    assert upgrade(server, server.origin, token=False) == 403


def test_only_get_is_possible(server):
    for method in ("POST", "PUT", "DELETE", "PATCH", "OPTIONS"):
        assert ask(server, "/devices", method=method)[0] == 405, method


def test_it_listens_on_the_loopback_only(server):
    with open("/proc/net/tcp") as table:
        listening = [line.split()[1] for line in table if line.split()[3] == "0A"]
    assert [each for each in listening if each.endswith(f":{server.port:04X}")] == [f"0100007F:{server.port:04X}"]
    with open("/proc/net/tcp6") as table:
        assert not [line for line in table if line.split()[3] == "0A" and line.split()[1].endswith(f":{server.port:04X}")]


def test_other_addresses_must_be_told_and_warned_of(stand):
    open_to_all = programs.WebServer(stand, "0.0.0.0:0")
    try:
        assert "other machines can reach this page" in open_to_all.errors.read_text()
        assert ask(open_to_all, "/devices")[0] == 200
        assert ask(open_to_all, "/devices", host="evil.example")[0] == 403
    finally:
        open_to_all.end()


EVIL = """<!doctype html><title>elsewhere</title><body><script>
  const there = "ORIGIN", target = there.replace("http", "ws") + "/control?device=itag";
  const results = window.results = {};
  const note = (name, what) => (results[name] = what);
  const attempt = (name, promise) => promise.then(() => note(name, "worked"), () => note(name, "failed"));
  const loads = (tag, attribute, path) => new Promise((resolve, reject) => {
    const element = document.createElement(tag);
    element.onload = resolve;
    element.onerror = reject;
    element[attribute] = there + path;
    document.body.append(element);
  });
  for (const credentials of ["include", "omit"])
    attempt("fetch " + credentials, fetch(there + "/devices", { credentials }).then((it) => it.text()));
  attempt("opaque", fetch(there + "/devices", { mode: "no-cors", credentials: "include" }).then(() => Promise.reject()));
  attempt("post", fetch(there + "/devices", { method: "POST", body: "{}", credentials: "include" }));
  attempt("websocket", new Promise((resolve, reject) => {
    const socket = new WebSocket(target);
    socket.onopen = () => socket.send('{"jsonrpc":"2.0","id":1,"method":"set","params":{"values":{"level":1}}}');
    socket.onmessage = resolve;
    socket.onclose = reject;
  }));
  attempt("events", new Promise((resolve, reject) => {
    const source = new EventSource(there + "/devices", { withCredentials: true });
    source.onopen = resolve;
    source.onerror = () => { source.close(); reject(); };
  }));
  attempt("image", loads("img", "src", "/favicon.svg"));
  attempt("face", loads("img", "src", "/face?device=itag"));
  attempt("script", loads("script", "src", "/app.js"));
  attempt("module", import(there + "/app.js"));
  const frame = document.createElement("iframe");
  frame.src = there + "/";
  frame.onload = () => {
    let text;
    try { text = frame.contentWindow.document.body.textContent; } catch { text = null; }
    note("frame", text ? "worked" : "failed");
  };
  document.body.append(frame);
  const form = document.createElement("form");
  Object.assign(form, { method: "POST", action: there + "/control?device=itag", target: "formframe" });
  const formFrame = Object.assign(document.createElement("iframe"), { name: "formframe" });
  document.body.append(formFrame, form);
  form.submit();
  document.title = "tried";
</script>"""

ATTEMPTS = {"fetch include", "fetch omit", "opaque", "post", "websocket", "events", "image", "face", "script", "module", "frame"}


@pytest.mark.parametrize("name", ["127.0.0.1", "localhost"], ids=["the_same_host", "another_host"])
def test_a_page_from_elsewhere_can_do_nothing(page, stand, name):
    """In the browser that has the token."""
    tag = stand.run("itag")
    page.show("itag")
    page.await_visible('[data-action="reset"]')
    last = tag.status().events
    with Elsewhere(EVIL.replace("ORIGIN", page.server.origin)) as elsewhere:
        page.browser.new_window()
        page.browser.open(f"http://{name}:{elsewhere.port}/")
        wait_until(lambda: ATTEMPTS == set(page.browser.run("return Object.keys(results)")),
                   lambda: f"only these have ended: {page.browser.run('return results')}")
        assert {key for key, what in page.browser.run("return results").items() if what != "failed"} == set()
        windows = len(page.browser.windows)
        page.browser.run("window.opened = open(arguments[0] + '/#/itag')", page.server.origin)
        wait_until(lambda: len(page.browser.windows) > windows, "no window has opened")
        page.browser.run("opened.postMessage({ jsonrpc: '2.0', id: 1, method: 'stop' }, '*')")
        wait_until(lambda: page.browser.run("try { return !opened.document } catch { return true }"), "the window's document can be read")
    assert tag.get("level") == 90
    assert tag.status().events == last


def test_the_page_asks_nobody_else(stand, server):
    stand.run("elk-bledom")
    with Browser(logs_requests=True) as browser:
        page = Page(browser, server)
        page.sign_in()
        for view in ((), ("elk-bledom",), ("elk-bledom", "traffic"), ("elk-bledom", "advertisement"), ("elk-bledom", "present")):
            page.show(*view)
            page.await_words("#main", "elk-bledom")
            page.await_that(".face[data-face]", "it.dataset.face === 'own'")
        log = browser.log("performance")
    asked = {url for entry in log for url in urls(entry)}
    assert asked
    assert {url for url in asked if not url.startswith((server.origin, f"ws://{server.host}", "data:", "about:", "chrome"))} == set()


def urls(entry):
    """The addresses that an entry of the network's log asks for."""
    message = json.loads(entry["message"])["message"]
    if message["method"] == "Network.requestWillBeSent":
        yield message["params"]["request"]["url"]
    if message["method"] == "Network.webSocketCreated":
        yield message["params"]["url"]
