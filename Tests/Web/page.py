"""The page of blemu web in the browser: finds its parts, and waits for what they show."""
import contextlib
import urllib.parse

from browser import SELECT_ALL, WebDriverError
from patience import wait_until

# ">>>" leads into a shadow tree, where a face is drawn.
FIND = """
  let found = [document];
  for (const part of arguments[0].split(" >>> ")) found = found.flatMap((it) => [...(it.shadowRoot ?? it).querySelectorAll(part)]);
"""


class Page:
    def __init__(self, browser, server):
        self.browser, self.server = browser, server

    def sign_in(self):
        """Opens the address that blemu web has printed."""
        self.browser.open(self.server.address)

    def show(self, *parts):
        """Goes to a view: the stand, or that of a device: `show("belt", "traffic")`."""
        self.browser.open(f"{self.server.origin}/#/" + "/".join(urllib.parse.quote(part, safe="") for part in parts))

    # Parts

    def all(self, selector):
        return self.browser.run(FIND + "return found", selector)

    def find(self, selector):
        """The first element, once there is one."""
        return wait_until(lambda: self.all(selector), f"there is no {selector}")[0]

    def read(self, selector, expression, default=None):
        """What a JavaScript expression gives for the first element, `it`; the default if there is none."""
        found = self.browser.run(FIND + f"const [it] = found; return it ? [{expression}] : null", selector)
        return found[0] if found else default

    def text(self, selector):
        return self.read(selector, "it.textContent.trim()")

    def texts(self, selector):
        """Those of all that can be seen."""
        return self.browser.run(FIND + "return found.filter((it) => it.checkVisibility()).map((it) => it.textContent.trim())", selector)

    def is_visible(self, selector):
        return bool(self.read(selector, "it.checkVisibility({ opacityProperty: true, visibilityProperty: true })", False))

    # Conditions

    def await_that(self, selector, expression):
        """Waits until a JavaScript expression is true for the first element, `it`."""
        wait_until(lambda: self.read(selector, expression),
                   lambda: f"{expression} is not true of {selector}: {self.read(selector, 'it.outerHTML.slice(0, 500)')}")

    def await_text(self, selector, text):
        wait_until(lambda: self.text(selector) == text, lambda: f"{selector} is {self.text(selector)!r}, not {text!r}")

    def await_words(self, selector, words):
        wait_until(lambda: words in (self.text(selector) or ""), lambda: f"{selector} is {self.text(selector)!r}, without {words!r}")

    def await_attribute(self, selector, name, value):
        self.await_that(selector, f"it.getAttribute('{name}') === '{value}'")

    def await_visible(self, selector):
        wait_until(lambda: self.is_visible(selector), f"{selector} cannot be seen")

    def await_hidden(self, selector):
        wait_until(lambda: not self.is_visible(selector), f"{selector} can be seen")

    def await_count(self, selector, count):
        wait_until(lambda: len(self.all(selector)) == count, lambda: f"there are {len(self.all(selector))} {selector}, not {count}")

    # What a person does

    def _perform(self, selector, action):
        """The page may draw an element anew between the search and the click."""
        def attempt():
            with contextlib.suppress(WebDriverError):
                action(self.find(selector))
                return True
            return False
        wait_until(attempt, f"cannot operate {selector}")

    def click(self, selector):
        self._perform(selector, self.browser.click)

    def type(self, selector, text):
        """Types in place of what a field has."""
        self._perform(selector, lambda element: self.browser.type(element, SELECT_ALL + text))

    def choose(self, selector, value):
        """Chooses an option by its value, as with the arrow keys."""
        self.find(f"{selector} option[value={value!r}]")
        self.browser.run(FIND + """
            found[0].focus(); found[0].value = arguments[1];
            found[0].dispatchEvent(new Event("input", { bubbles: true })); found[0].dispatchEvent(new Event("change", { bubbles: true }));
        """, selector, value)

    def press(self, *keys):
        self.browser.press(*keys)

    def focus(self, selector):
        self.find(selector)
        self.browser.run(FIND + "found[0].focus()", selector)
