r"""Encoding and tokens of the text of a UDF file.

Words are texts in quotes, with \" and \\ in them, the marks { } [ ] , : and the commands \begin, \end and \include;
anything else up to white space or a mark is a word. Comments are // to the end of the line, and /* */.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import NoReturn

from polhode.scene.message import Message
from polhode.scene.problem import InputError

ENCODINGS = ("utf-8-sig", "euc_jp", "cp932")  # in this order: Shift_JIS is seldom valid EUC-JP
BLANK = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL)
"""White space and comments between words."""
WORD = re.compile(
    r'"(?P<text>[^"\\]*(?:\\.[^"\\]*)*)"'
    r"|(?P<mark>[{}\[\],:])"
    r"|\\(?P<command>begin|end|include)\b"
    r'|(?P<word>(?:(?!//|/\*)[^\s{}\[\],:"\\])+)',
    re.DOTALL,
)
"""A text in quotes, a mark, a command or another word, as groups of these names."""
ESCAPED = re.compile(r'\\(["\\])')


def decoded(content: bytes, source: str) -> str:
    """The text of a file in UTF-8 or one of the Japanese encodings (ENCODINGS), the first that fits.

    Raises InputError with the line of the first byte that does not fit, or of a zero byte.
    """
    failure = UnicodeDecodeError("utf-8", content, 0, 1, "")
    for encoding in ENCODINGS:
        try:
            text = content.decode(encoding)
        except UnicodeDecodeError as error:
            failure = max(failure, error, key=lambda each: each.start)
        else:
            if "\0" not in text:
                return text
            failure = UnicodeDecodeError(encoding, content, content.index(0), content.index(0) + 1, "")
            break
    line = content[: failure.start].count(b"\n") + 1
    rule = Message("is no text in UTF-8, EUC-JP or Shift_JIS (byte {byte:#04x})", byte=content[failure.start])
    raise InputError.of(source, rule, Message("save the file as UTF-8"), Message("line {line}", line=line))


class Words:
    """A cursor over the words of a text: `kind` and `value` are those of the next word.

    Kinds are text (in quotes), mark, command (after a backslash), word, stray (no word at all) and end. `previous` is
    the word before, `line` the line of the next one. No tokens are stored: a long file costs its text only.
    """

    def __init__(self, source: str, text: str):
        """Begin at the first word of a text; `source` names the file in messages."""
        self.source = source
        self.kind, self.value, self.previous = "", "", ""
        self._text = text
        self._start = self._end = 0
        self._breaks = [match.start() for match in re.finditer("\n", text)]
        self.step()

    def step(self) -> str:
        """Consume a word and return its value."""
        self.previous = left = self.value
        blank = BLANK.match(self._text, self._end)
        self._start = blank.end() if blank else self._end
        found = WORD.match(self._text, self._start)
        if found is not None:
            self.kind, self._end = str(found.lastgroup), found.end()
            self.value = found[self.kind]
        elif self._start < len(self._text):
            self.kind, self.value, self._end = "stray", self._text[self._start], self._start + 1
        else:
            self.kind, self.value = "end", ""
        return left

    @property
    def line(self) -> int:
        """Line number of the next word."""
        return bisect_right(self._breaks, self._start) + 1

    def at(self, mark: str) -> bool:
        """Whether the next word is this mark."""
        return self.kind == "mark" and self.value == mark

    def skip(self, mark: str) -> bool:
        """Consume this mark if it is next; returns whether it was."""
        if self.at(mark):
            self.step()
            return True
        return False

    def expect(self, mark: str, label: str) -> None:
        """Consume this mark. Raises InputError for anything else; `label` is the context for the message."""
        if not self.skip(mark):
            self.wrong(label, f"'{mark}'")

    def text(self, label: str) -> str:
        """Consume a text in quotes, and return it without escapes. Raises InputError for anything else."""
        if self.kind != "text":
            self.wrong(label, Message("a text in quotes"))
        return ESCAPED.sub(r"\1", self.step())

    def command(self, name: str, label: str) -> str:
        r"""Consume the rest of a command such as \begin{data}, and return the name in its braces.

        name: of the command, without the backslash
        label: the context, for the message

        The name in braces may be in quotes. Raises InputError for anything else.
        """
        if self.kind != "command" or self.value != name:
            self.wrong(label, f"\\{name}")
        self.step()
        self.expect("{", f"\\{name}")
        value = self.text(label) if self.kind == "text" else self.step()
        self.expect("}", f"\\{name}")
        return value

    def leave(self, block: str) -> None:
        r"""Go past everything up to \end{block}, whatever it is. Raises InputError where that is missing."""
        end = re.compile(rf"\\end\s*\{{\s*{re.escape(block)}\s*\}}").search(self._text, self._start)
        if end is None:
            self.fault(
                Message("\\begin{{{block}}} has no \\end{{{block}}}", block=block),
                Message("the file is cut off; write it again"),
            )
        self._end = end.end()
        self.step()

    def wrong(self, label: str, wanted: str) -> NoReturn:
        """Raise InputError for an unexpected next word: the end of the file, an open text, or another word."""
        if self.kind == "end":
            self.fault(
                Message("the file ends in {field}, where {wanted} belongs", field=label, wanted=wanted),
                Message("it is cut off; write it again"),
            )
        if self.kind == "stray" and self.value == '"':
            self.fault(Message("a text in {field} has no closing quotes", field=label), Message("close it"))
        shown = repr(self.value if len(self.value) <= 40 else self.value[:37] + "...")
        self.fault(
            Message("{field}: {wanted} belongs here, but there is {shown}", field=label, wanted=wanted, shown=shown),
            Message("correct this line"),
        )

    def fault(self, rule: Message, remedy: Message, line: int | None = None) -> NoReturn:
        """Raise InputError with the line of the next word, or another one."""
        raise InputError.of(self.source, rule, remedy, Message("line {line}", line=line or self.line))
