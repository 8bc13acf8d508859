"""The Markdown pages of this repository: their headings, links and code blocks."""
import dataclasses
import functools
import os
import pathlib
import re

REPOSITORY = pathlib.Path(__file__).resolve().parents[2]

FENCE = re.compile(r"( *)(`{3,}|~{3,})\s*([^`]*)$")
HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*$")
CODE_SPAN = re.compile(r"(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
#: A link or an image, the definition of a link, and HTML. A title may follow the target.
LINK = re.compile(r"""\]\(\s*<?([^()\s<>]+)>?(?:\s+"[^"]*")?\s*\)|^\s*\[[^]]+\]:\s+(\S+)|\b(?:src|href)="([^"]+)\"""", re.MULTILINE)
ANCHOR = re.compile(r"""<a\s+(?:id|name)="([^"]+)\"""")
#: A paragraph that ends so names the file in which the next block is saved.
FILE_NAME = re.compile(r"`([\w.-]+\.\w+)`:$")


@dataclasses.dataclass(frozen=True)
class Block:
    """A code block: its language (the words after the fence), its text, and the file that the paragraph before it names."""
    page: "Page"
    line: int
    language: str
    text: str
    file: str | None

    @property
    def place(self):
        return f"{self.page.name}:{self.line}"


@dataclasses.dataclass(frozen=True)
class Heading:
    line: int
    level: int
    text: str
    anchor: str


@dataclasses.dataclass(frozen=True)
class Link:
    line: int
    target: str

    @property
    def is_relative(self):
        return not re.match(r"[a-z][a-z+.-]*:", self.target)


class Page:
    """A page, by its path from the folder of all pages on."""

    def __init__(self, path, root=REPOSITORY):
        self.path, self.root = path, root
        self.name = str(path.relative_to(root))
        self.text = path.read_text()
        #: The lines, with empty ones in place of code.
        self.prose = []
        self.blocks = []
        #: The lines of indented code.
        self.indented = []
        self._read()

    def __repr__(self):
        return self.name

    def _read(self):
        fence, block, start, is_in_list = None, [], 0, False
        for number, line in enumerate(self.text.split("\n"), 1):
            opened = FENCE.match(line)
            if fence:
                self.prose.append("")
                if opened and opened[2].startswith(fence[2]) and not opened[3]:
                    text = "\n".join(each[len(fence[1]):] for each in block)
                    self.blocks.append(Block(self, start, fence[3].strip(), text, self._file_before(start)))
                    fence, block = None, []
                else:
                    block.append(line)
            elif opened:
                fence, start = opened, number
                self.prose.append("")
            else:
                if line and not line.startswith(" "):
                    is_in_list = bool(re.match(r"[-*+] |\d+[.)] ", line))
                is_code = line.startswith("    ") and not is_in_list and not (self.prose and self.prose[-1].strip())
                if is_code:
                    self.indented.append(number)
                self.prose.append("" if is_code else line)
        assert fence is None, f"{self.name}:{start}: the code block has no end"

    def _file_before(self, line):
        lines = [each for each in self.text.split("\n")[:line - 1] if each.strip()]
        found = FILE_NAME.search(lines[-1]) if lines else None
        return found[1] if found else None

    @functools.cached_property
    def headings(self):
        headings, counts = [], {}
        for number, line in enumerate(self.prose, 1):
            found = HEADING.match(line)
            if found:
                anchor = anchor_of(found[2])
                count = counts[anchor] = counts.get(anchor, -1) + 1
                headings.append(Heading(number, len(found[1]), found[2], f"{anchor}-{count}" if count else anchor))
        return headings

    @functools.cached_property
    def anchors(self):
        return {heading.anchor for heading in self.headings} | set(ANCHOR.findall("\n".join(self.prose)))

    @functools.cached_property
    def links(self):
        # A code span keeps its length, and loses what would look like a link.
        text = CODE_SPAN.sub(lambda span: re.sub(r"[^\n]", "x", span[0]), "\n".join(self.prose))
        return [Link(text.count("\n", 0, found.start()) + 1, found[1] or found[2] or found[3]) for found in LINK.finditer(text)]

    @property
    def code_spans(self):
        """The code in the text, each with its line."""
        text = "\n".join(self.prose)
        return [(text.count("\n", 0, span.start()) + 1, " ".join(span[2].split())) for span in CODE_SPAN.finditer(text)]

    def target(self, link):
        """The file of a relative link, and its anchor."""
        path, _, anchor = link.target.partition("#")
        return (self.path.parent / path).resolve() if path else self.path, anchor


def anchor_of(heading):
    """The anchor that GitHub gives a heading: in lower case, hyphens for spaces, and no punctuation."""
    text = re.sub(r"!?\[([^]]*)\]\([^)]*\)", r"\1", heading).replace("`", "")
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def _all():
    for folder, folders, files in os.walk(REPOSITORY):
        folders[:] = sorted(each for each in folders if each == ".github" or not each.startswith(".") and each not in ("node_modules", "__pycache__"))
        yield from (pathlib.Path(folder, each) for each in sorted(files) if each.endswith(".md"))


ALL = [Page(path) for path in _all()]


def page(name):
    return next(each for each in ALL if each.name == name)
