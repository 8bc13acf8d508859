"""The commands in the code blocks of the pages."""
import dataclasses
import re

from shell import Shell

TIME = re.compile(r"\b\d\d:\d\d:\d\d\.\d{3}\b")


@dataclasses.dataclass
class Command:
    """A command, its place, the exit status that it must have, and the output that the page shows, if it does."""
    line: int
    text: str
    status: int = 0
    output: list | None = None

    @property
    def goes_on(self):
        return bool(re.search(r"(?<!&)&$", self.text))


def commands(block):
    """The commands of a block of `sh` or `console`. A backslash at the end of a line joins it with the next."""
    is_console, found, is_joined = block.language == "console", [], False
    for number, line in enumerate(block.text.split("\n"), block.line + 1):
        if is_joined:
            found[-1].text = found[-1].text[:-1] + line.removeprefix("> ")
        elif is_console and not line.startswith("$ "):
            assert found, f"{block.page.name}:{number}: output before the first '$ '"
            found[-1].output.append(line)
            continue
        elif line.strip() and not line.lstrip().startswith("#"):
            found.append(Command(number, line.removeprefix("$ ") if is_console else line, output=[] if is_console else None))
        else:
            continue
        is_joined = found[-1].text.endswith("\\")
    for command in found:
        text, _, comment = re.match(r"(.*?)(\s+#(?=\s)(.*))?$", command.text, re.DOTALL).groups()
        status = re.search(r"\bexit (\d+)\b", comment or "")
        command.text, command.status = text.rstrip(), int(status[1]) if status else 0
    return found


def wrong_output(command, actual):
    """Both outputs, if that of a command differs from what the page shows. A page need not show what one says that goes on."""
    expected = command.output
    if expected is None or command.goes_on and not _without_end(expected):
        return None
    pattern = "".join(r"(?:.*\n)*?" if line == "…" else _pattern(line.rstrip()) + r"[ \t]*\n" for line in _without_end(expected))
    text = "\n".join(_without_end(actual.rstrip("\n").split("\n"))) + "\n" if actual.strip() else ""
    return None if re.fullmatch(pattern, text) else "the page shows\n" + "\n".join(expected) + "\n\nit prints\n" + actual


def _without_end(lines):
    lines = list(lines)
    while lines and not lines[-1].strip():
        lines.pop()
    return lines


def _pattern(line):
    parts = [re.escape(part) for part in TIME.split(line)]
    return TIME.pattern.join(parts).replace("…", ".*?")


def run_page(page, languages, folder):
    """Runs the commands of a page, in order, and returns what went wrong."""
    found = []
    with Shell(folder) as shell:
        for block in page.blocks:
            if block.file:
                (folder / block.file).write_text(block.text + "\n")
            if block.language not in languages:
                continue
            listed = commands(block)
            for command in listed:
                status, output = shell.run(command.text, goes_on=command.goes_on, is_last=command is listed[-1])
                place = f"{page.name}:{command.line}: {command.text}"
                if status != command.status:
                    found.append(f"{place}\nexit status {status}, not {command.status}\n{output}")
                elif what := wrong_output(command, output):
                    found.append(f"{place}\n{what}")
        found += [f"{page.name}: {command}\nended with status {status}" for command, status in shell.end()]
    return "\n\n".join(found)
