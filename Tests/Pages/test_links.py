"""Where the links of the pages lead."""
import pytest

import pages


def mistake(page, link):
    """What is wrong with a relative link; nothing if it leads somewhere."""
    file, anchor = page.target(link)
    if not file.exists():
        return f"there is no {link.target}"
    if not file.is_relative_to(page.root):
        return f"{link.target} is outside of the repository"
    if not anchor:
        return None
    if file.suffix != ".md":
        return f"only a page has anchors: {link.target}"
    other = page if file == page.path else next(each for each in pages.ALL if each.path == file)
    return None if anchor in other.anchors else f"there is no #{anchor} in {other.name}"


def mistakes(page):
    found = [(link.line, mistake(page, link)) for link in page.links if link.is_relative]
    return [f"{page.name}:{line}: {what}" for line, what in found if what]


def test_links_lead_somewhere(page):
    assert not mistakes(page)


def test_each_page_can_be_reached_from_the_front():
    """A link to a folder leads to its README.md."""
    reached, waiting = set(), [pages.page("README.md")]
    while waiting:
        page = waiting.pop()
        if page in reached:
            continue
        reached.add(page)
        targets = {page.target(link)[0] for link in page.links if link.is_relative}
        targets |= {each / "README.md" for each in targets if each.is_dir()}
        waiting += [each for each in pages.ALL if each.path in targets]
    assert not [page.name for page in pages.ALL if page not in reached]


@pytest.mark.parametrize("heading, anchor", [
    ("What BlueZ cannot do", "what-bluez-cannot-do"),
    ("variables, states", "variables-states"),
    ("`blemu run`", "blemu-run"),
    ("A + B", "a--b"),
    ("[Faults](faults.md) of a device", "faults-of-a-device"),
    ("Über_uns & more: 2.1", "über_uns--more-21"),
])
def test_an_anchor_is_that_of_GitHub(heading, anchor):
    assert pages.anchor_of(heading) == anchor
