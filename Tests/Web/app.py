"""A web app on another origin than blemu web, with the script for Web Bluetooth."""
from page import Page
from patience import wait_until

HTML = """<!doctype html>
<html lang="en"><meta charset="utf-8"><title>app</title>
<script src="SCRIPT"></script>
<button id="do">Do</button>
<script>
  document.querySelector("#do").addEventListener("click", () => {
    window.outcome = null;
    window.task().then((value) => (window.outcome = { value }), (error) => (window.outcome = { error: error.name, message: error.message }));
  });
</script></html>"""


class App(Page):
    """The app in a browser, on a server that runs."""

    def __init__(self, browser, server, elsewhere):
        super().__init__(browser, server)
        self.elsewhere = elsewhere

    def open(self, query="", html=HTML):
        """Opens it as new, with parameters for the script."""
        self.elsewhere.page = html.replace("SCRIPT", f"{self.server.origin}/web-bluetooth.js{query}")
        self.browser.open(f"{self.elsewhere.origin}/")

    def begin(self, body):
        """A person clicks on the button, and the app runs the body of an asynchronous function."""
        self.browser.run(f"window.outcome = undefined; window.task = async () => {{ {body} }}")
        self.click("#do")

    def end(self):
        """What the function has returned, or the error that it has thrown, as a pair: name, message."""
        outcome = wait_until(lambda: self.browser.run("return window.outcome"), "the function does not end")
        return (outcome["error"], outcome["message"]) if "error" in outcome else outcome.get("value")

    def do(self, body):
        self.begin(body)
        return self.end()

    def error(self, body):
        """The name of the error that the function throws."""
        outcome = self.do(body)
        assert isinstance(outcome, tuple), f"there is no error but {outcome!r}"
        return outcome[0]
