"""Finds the functions that a sketch defines, so that the sketch may call them before their definition.

Like the Arduino builder, we put a prototype of each function before the first one. We read the preprocessor's
output, because excluded code must not have a prototype. These functions cannot have one: a template, a member of
a class or a namespace, one with default arguments, and one that names a type which the sketch defines further
down.
"""
import re

TOKEN = re.compile(r"""
    (?P<space>\s+)
  | R"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)"      # raw string
  | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*'
  | [A-Za-z_]\w* | \.?\d[\w.']*
  | :: | -> | \S
""", re.VERBOSE | re.DOTALL)
LINE_MARKER = re.compile(r'# (\d+) "((?:\\.|[^"\\])*)"')
WORD = re.compile(r"[A-Za-z_]\w*$")
NOT_A_FUNCTION = {"=", "template", "namespace", "extern", "operator", "typedef", "using", "auto", "else", "do", "try"}


class Function:
    """A function definition: its tokens up to the body, and where they begin."""

    def __init__(self, tokens, file, line):
        self.tokens, self.file, self.line = tokens, file, line

    @property
    def prototype(self):
        return " ".join(self.tokens) + ";"


def functions(preprocessed, files):
    """The functions that can have a prototype, in order, and the first function that these files define."""
    found, late_types, before = [], set(), []
    for kind, statement, file, line in _statements(preprocessed, files):
        if kind == "body" and (head := _head(statement)):
            found.append(Function(head, file, line))
        elif found:
            late_types.update(_defined_types(kind, statement, before))
        before = statement if kind == "body" else []
    return [each for each in found if not late_types.intersection(each.tokens)], (found[0] if found else None)


def _lines(preprocessed, files):
    """(file, line number, text) of each line of these files."""
    file, line = None, 0
    for text in preprocessed.split("\n"):
        if marker := LINE_MARKER.match(text):
            line, file = int(marker[1]), re.sub(r"\\(.)", r"\1", marker[2])
            continue
        if file in files and not text.startswith("#"):
            yield file, line, text
        line += 1


def _tokens(preprocessed, files):
    places, starts, text, length = [], [], [], 0
    for file, line, content in _lines(preprocessed, files):
        places.append((file, line))
        starts.append(length)
        text.append(content)
        length += len(content) + 1
    at = 0
    for token in TOKEN.finditer("\n".join(text)):
        if token["space"]:
            continue
        while at + 1 < len(starts) and starts[at + 1] <= token.start():
            at += 1
        yield token[0], *places[at]


def _statements(preprocessed, files):
    """The statements outside of all braces: ("body" before a brace or "plain", tokens, file, line)."""
    statement, place, braces, parentheses = [], None, 0, 0
    for token, file, line in _tokens(preprocessed, files):
        if token == "{" and parentheses == 0:
            if braces == 0:
                yield "body", statement, *(place or (file, line))
                # "struct A {...} a;" continues after its body, a function does not.
                statement, place = [], None
            braces += 1
        elif token == "}" and parentheses == 0:
            braces = max(0, braces - 1)
        elif braces:
            continue
        elif token == ";" and parentheses == 0:
            yield "plain", statement, *(place or (file, line))
            statement, place = [], None
        else:
            parentheses = max(0, parentheses + {"(": 1, ")": -1}.get(token, 0))
            place = place or (file, line)
            statement.append(token)


def _without_attributes(tokens):
    kept, rest = [], list(tokens)
    while rest:
        token = rest.pop(0)
        if token == "__attribute__":
            del rest[:_closing(rest, 0) + 1]
        else:
            kept.append(token)
    return kept


def _closing(tokens, opening):
    depth = 0
    for at in range(opening, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[at], 0)
        if depth == 0:
            return at
    return len(tokens) - 1


def _head(statement):
    """The tokens of a function's prototype, or None if the statement before a brace is something else."""
    tokens = _without_attributes(statement)
    if "(" not in tokens or NOT_A_FUNCTION.intersection(tokens):
        return None
    opening = tokens.index("(")
    name, before = tokens[opening - 1], tokens[:opening - 1]
    # A return type comes first, and the name is not that of a member. A macro declares interrupt vectors.
    if not before or not WORD.match(name) or before[-1] in ("::", "~") or name.startswith("__"):
        return None
    if tokens[opening + 1] == "*":  # returns a pointer to a function
        return None
    return tokens[:_closing(tokens, opening) + 1]


def _defined_types(kind, statement, before):
    """The type that a statement defines; `before` is the statement whose body precedes it."""
    words = [token for token in statement if WORD.match(token)]
    if not words:
        return []
    if kind == "body":
        named = [word for word in words[1:] if word not in ("class", "struct")]
        return named[:1] if words[0] in ("struct", "class", "enum", "union") else []
    if words[0] == "typedef" or before[:1] == ["typedef"]:
        return words[-1:]
    return words[1:2] if words[0] == "using" else []
