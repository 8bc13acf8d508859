"""Chromium, driven by its WebDriver (W3C WebDriver), without a window."""
import base64
import json
import os
import subprocess
import tempfile
import urllib.error
import urllib.request

from patience import PATIENCE

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"  # W3C WebDriver, section 12: the key of a reference to an element
ENTER, ESCAPE, TAB, END, LEFT, UP, RIGHT = "\ue007", "\ue00c", "\ue004", "\ue010", "\ue012", "\ue013", "\ue014"
SELECT_ALL = "\ue009a\ue000"  # Control and A

# What comes from a device comes late, each time by another time, in its order.
LATE_SOCKETS = """
  const longest = %d;
  window.WebSocket = class extends WebSocket {
    #last = 0;
    #late = (listener) => (event) => {
      this.#last = Math.max(this.#last, performance.now() + Math.random() * longest);
      setTimeout(() => listener(event), this.#last - performance.now());
    };
    set onopen(listener) { super.onopen = this.#late(listener); }
    set onmessage(listener) { super.onmessage = this.#late(listener); }
    set onclose(listener) { super.onclose = this.#late(listener); }
  };
"""

SIZES = {"laptop": (1280, 800), "phone": (390, 844), "wall": (1920, 1080), "narrow": (360, 740)}


class Browser:
    """A browser with a profile of its own. As a context manager it ends at the end. With `slowness`, its pages compute so many
    times slower, and what they are sent comes up to 100 ms times that later."""

    def __init__(self, *, logs_requests=False, slowness=1):
        self.slowness = slowness
        self.profile = tempfile.TemporaryDirectory(prefix="blemu-web-")
        self.driver = subprocess.Popen(["chromedriver", "--port=0", "--log-level=SEVERE"], stdout=subprocess.PIPE, text=True)
        port = next(line.split()[-1].rstrip(".") for line in self.driver.stdout if "started successfully on port" in line)
        self.address = f"http://127.0.0.1:{port}"
        options = {"args": self._arguments()}
        logs = {"browser": "ALL"}
        if logs_requests:
            options["perfLoggingPrefs"] = {"enableNetwork": True, "enablePage": False}
            logs["performance"] = "ALL"
        always = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": logs,
                  "timeouts": {"script": int(PATIENCE * 1000), "pageLoad": int(PATIENCE * 1000)}}
        self.address += "/session/" + self.ask("POST", "/session", {"capabilities": {"alwaysMatch": always}})["sessionId"]
        self._slow_down()
        self.resize("laptop")

    def _slow_down(self):
        """Slows the current tab."""
        if self.slowness == 1:
            return
        self.devtools("Emulation.setCPUThrottlingRate", rate=self.slowness)
        self.devtools("Network.enable")
        self.devtools("Network.emulateNetworkConditions", offline=False, latency=10 * self.slowness, downloadThroughput=-1, uploadThroughput=-1)
        self.devtools("Page.enable")
        self.devtools("Page.addScriptToEvaluateOnNewDocument", source=LATE_SOCKETS % (100 * self.slowness))

    def _arguments(self):
        quiet = ["--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--disable-gpu",
                 "--disable-dev-shm-usage", "--disable-extensions", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"]
        sandbox = ["--no-sandbox"] if os.getuid() == 0 else []  # Chromium's sandbox does not work for root
        return ["--headless=new", f"--user-data-dir={self.profile.name}", "--window-size=1280,800", *quiet, *sandbox]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        try:
            self.ask("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            self.profile.cleanup()

    def ask(self, method, path, body=None):
        data = None if body is None and method != "POST" else json.dumps(body or {}).encode()
        request = urllib.request.Request(self.address + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            with urllib.request.urlopen(request, timeout=2 * PATIENCE + 60) as answer:
                return json.load(answer)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(f"{value['error']}: {value['message'].partition(chr(10))[0]}") from None

    # Pages

    def open(self, url):
        self.ask("POST", "/url", {"url": url})

    @property
    def url(self):
        return self.ask("GET", "/url")

    def new_window(self):
        """Opens a tab, and goes there."""
        handle = self.ask("POST", "/window/new", {"type": "tab"})["handle"]
        self.ask("POST", "/window", {"handle": handle})
        self._slow_down()

    @property
    def windows(self):
        return self.ask("GET", "/window/handles")

    def close_other_windows(self):
        first, *others = self.windows
        for handle in others:
            self.ask("POST", "/window", {"handle": handle})
            self.ask("DELETE", "/window")
        self.ask("POST", "/window", {"handle": first})

    def run(self, script, *arguments):
        """Runs JavaScript, the body of a function, and returns what it returns. It may be a promise."""
        return self.ask("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def devtools(self, command, **parameters):
        """A command of the Chrome DevTools Protocol."""
        return self.ask("POST", "/goog/cdp/execute", {"cmd": command, "params": parameters})

    def log(self, kind="browser"):
        """What has been logged since the last time."""
        return self.ask("POST", "/se/log", {"type": kind})

    # What a person does

    def click(self, element):
        self.ask("POST", f"/element/{element[ELEMENT]}/click")

    def type(self, element, text):
        self.ask("POST", f"/element/{element[ELEMENT]}/value", {"text": text})

    def press(self, *keys):
        """Presses keys wherever the focus is."""
        actions = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.ask("POST", "/actions", {"actions": [{"type": "key", "id": "keyboard", "actions": actions}]})

    # What it looks like

    def resize(self, size):
        width, height = SIZES[size]
        self.devtools("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=width < 600)

    def prefer(self, **features):
        """Media features: `color_scheme="dark"`, `reduced_motion="reduce"`."""
        named = [{"name": "prefers-" + name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.devtools("Emulation.setEmulatedMedia", features=named)

    def picture(self):
        """The PNG of what is visible."""
        return base64.b64decode(self.ask("GET", "/screenshot"))


class WebDriverError(Exception):
    """What WebDriver could not do."""
