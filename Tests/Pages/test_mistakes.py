"""A mistake on a page is found. Each page here has one, and what finds it says so."""
import pytest

import pages
from commands import run_page
from names import unknown
from test_commands import EXECUTED
from test_links import mistakes

LAMP = """Save this as `lamp.yaml`:

```yaml
blemu: 1
name: Lamp
settings: { level: { type: integer, min: 0, max: 9, default: 3 } }
services: [{ uuid: FFE0, characteristics: [{ id: light, uuid: FFE1, properties: [read], value: "{level: u8}" }] }]
```
"""


@pytest.fixture
def made(tmp_path):
    """Makes a page in a folder of its own."""
    def page(text):
        path = tmp_path / "page.md"
        path.write_text(text)
        return pages.Page(path, tmp_path)
    return page


@pytest.mark.parametrize("text, what", [
    ("[a](missing.md)", "page.md:1: there is no missing.md"),
    ("# A page\n\n## Two words\n\n[a](#two-words)\n[b](#two-word)", "page.md:6: there is no #two-word in page.md"),
    ("## Same\n\n## Same\n\n[1](#same) [2](#same-1) [3](#same-2)", "page.md:5: there is no #same-2 in page.md"),
    ('<img src="face.svg" width="48">', "page.md:1: there is no face.svg"),
    ("[words\nthat wrap](page.md#there)", "page.md:2: there is no #there in page.md"),
    ("[outside](../../../../../../../../../../../etc/passwd)", "page.md:1: ../../../../../../../../../../../etc/passwd is outside of the repository"),
    ("`[code](missing.md)` and [x](https://example.org/missing)", None),
    ("```text\n[code](missing.md)\n```", None),
])
def test_of_a_link(made, text, what):
    assert mistakes(made(text)) == ([what] if what else [])


@pytest.mark.parametrize("text, what", [
    ("```sh\nblemu chekc lamp.yaml\n```", "there is no 'blemu chekc'"),
    ("```sh manual\nblemu run itag --unknown\n```", "'blemu run' has no --unknown"),
    ("```sh manual\ntools/vm sh -c 'sleep 1; blemu runs itag &'\n```", "there is no 'blemu runs'"),
    ("```sh manual\nblemu run itag --set levle=3\n```", "levle"),
    ("```sh manual\nblemu run itag --exec python3 --unknown\n```", None),
    ("```sh manual\nif true\n```", "syntax error"),
    ("`blemu test --fast`", "'blemu test' has no --fast"),
    ("`blemu help COMMAND`", None),
    ("`tools/tset --quick`", "there is no tools/tset"),
    ("```sh manual\ntools/vm --shaer ~/client true\n```", "tools/vm has no --shaer"),
    ("```sh manual\ndocker run blemu sh\n```", None),
])
def test_of_a_command_that_is_only_read(made, text, what):
    found = "".join(unknown(made(text)))
    assert (what in found) if what else not found


@pytest.mark.parametrize("text, what", [
    ("```sh\nblemu check lamp.yaml\nblemu run lamp.yaml --on loopback &\nblemu get lamp level\nblemu stop lamp\n```", None),
    ("```sh\nblemu run lamp.yaml --on loopback\n```", None),
    ("```sh\nblemu run lamp.yaml --on loopback &\nblemu get lamp levle      # exit 1\n```", "exit status 64, not 1"),
    ("```sh\nblemu check missing.yaml\n```", "page.md:11: blemu check missing.yaml\nexit status 66, not 0"),
    ("```sh\nblemu check missing.yaml     # there is no such file: exit 66\n```", None),
    ("```sh\nblemu run lamp.yaml --on nowhere &\n```", "ended with status 64"),
    ("```console\n$ blemu run lamp.yaml --on loopback &\n$ blemu get lamp level\n3\n```", None),
    ("```console\n$ blemu run lamp.yaml --on loopback &\n$ blemu get lamp level\n4\n```", "the page shows\n4\n\nit prints\n3"),
    ("```console\n$ blemu version\nblemu …\n$ printf 'a\\nb\\nc\\n'\n…\nc\n```", None),
    ("```console\n$ echo 01:02:03.456 on\n12:34:56.789 on\n```", None),
])
def test_of_a_command(made, tmp_path, text, what):
    folder = tmp_path / "scratch"
    folder.mkdir()
    found = run_page(made(LAMP + "\n" + text), EXECUTED, folder)
    assert (what in found) if what else not found, found
