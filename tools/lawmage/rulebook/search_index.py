"""The index that `lawmage.rulebook.search` looks in: what stands in a release and in the keyword catalogue, for SQLite's FTS5.

An index is one file beside the release's in `resources.home()`/rules. It holds the texts where they are installed, else headings,
glossary terms and keyword names alone. Its last 32 bytes are a digest of its content and of what it was made from: an index that is
damaged, out of date or of another version is made again.
"""

from __future__ import annotations

import hashlib
import re
import sqlite3
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass
from pathlib import Path

from lawmage import __version__
from lawmage.errors import DataError
from lawmage.resources import data_folder, home
from lawmage.rulebook.model import GLOSSARY, number_above
from lawmage.rulebook.store import installed_releases, load_graph, load_installed, shipped_releases, write_aside

__all__ = ["Entry", "fold", "index_file", "open_index", "way_to", "words_of"]

_KEYWORD = "keyword"
_FORMAT = 1
_DIGEST_SIZE = 32
_TABLES = """
    CREATE TABLE entry(id INTEGER PRIMARY KEY, number TEXT, kind TEXT, part TEXT, heading TEXT, printed TEXT, name TEXT);
    CREATE VIRTUAL TABLE search USING fts5(number, title, text, above, tokenize="porter unicode61 remove_diacritics 2");
    CREATE TABLE word(word TEXT PRIMARY KEY, uses INTEGER) WITHOUT ROWID;
"""
_INDICES = """
    INSERT INTO search(search) VALUES('optimize');
    CREATE INDEX by_printed ON entry(printed);
    CREATE INDEX by_name ON entry(name);
"""
_WORD = re.compile(r"[^\W_]+(?:'[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Entry:
    """One thing that can be found.

    Attributes:
        number: as in `graph.Place`; for an example or a keyword, that of its rule (empty where the release has none).
        kind: as in `graph.Place`, or `example` or `keyword`.
        part: `example 1`, `example 2`, ..., else empty.
        title: its heading, term or name.
        text: empty where there is none or it isn't installed; of a keyword, what our catalogue says about it.
        above: the titles that it stands under, the nearest last.
    """

    number: str
    kind: str
    part: str
    title: str
    text: str
    above: tuple[str, ...] = ()


def fold(text: str) -> str:
    """Return `text` in lower case, without accents, with straight apostrophes: what the index doesn't tell apart."""
    lower = text.lower()
    if lower.isascii():
        return lower
    plain = (character for character in unicodedata.normalize("NFD", lower) if not unicodedata.combining(character))
    return "".join(plain).replace("’", "'")


def words_of(text: str) -> list[str]:
    """Return the folded words of `text`; an apostrophe inside a word belongs to it."""
    return _WORD.findall(fold(text))


def index_file(release: str) -> Path:
    """Return where the index of a release is kept."""
    return home() / "rules" / f"{release}.search"


def open_index(release: str) -> sqlite3.Connection:
    """Return the index of a known release, made first where there is none that is whole and up to date.

    Tables: `search` (FTS5: number with those above it, title, text, titles above), `entry` (the rest of each `Entry` under the same
    row number, in the order of the book, and its folded title) and `word` (folded words and how often they stand in the release).
    A folder that can't be written to is no error; the index is then made anew each time.

    Raises:
        DataError: if the release's file is damaged, or this Python's SQLite has no FTS5.
    """
    path, stamp = index_file(release), _stamp(release)
    with suppress(OSError):
        content = path.read_bytes()
        if content[-_DIGEST_SIZE:] == _digest(content[:-_DIGEST_SIZE], stamp):
            return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)
    index = _make(_entries(release))
    with suppress(OSError, sqlite3.Error):
        _save(index, path, stamp)
    return index


def _stamp(release: str) -> str:
    """Say what an index is made from: the release's file and those of the keywords, by size and time, and this version."""
    source = installed_releases().get(release) or shipped_releases()[release]
    files = [source, *sorted((data_folder("kb") / "keywords").glob("*.ttl"))]
    stats = [(file.name, stat.st_size, stat.st_mtime_ns) for file in files if (stat := file.stat())]
    return f"{_FORMAT} {__version__} {stats}"


def _digest(content: bytes, stamp: str) -> bytes:
    return hashlib.sha256(stamp.encode() + content).digest()


def _make(entries: Iterable[Entry]) -> sqlite3.Connection:
    index = sqlite3.connect(":memory:")
    try:
        index.executescript(_TABLES)
    except sqlite3.OperationalError as error:
        raise DataError(f"this Python's SQLite can't search texts ({error}); use a Python whose SQLite has FTS5") from None
    uses: Counter[str] = Counter()
    for entry in entries:
        uses.update(words_of(entry.title))
        uses.update(words_of(entry.text))
        name = " ".join(words_of(entry.title)) or fold(entry.title)
        heading = entry.above[-1] if entry.above else ""
        printed = entry.number.partition("~")[0]
        row = index.execute(
            "INSERT INTO entry(number, kind, part, heading, printed, name) VALUES (?, ?, ?, ?, ?, ?)",
            (entry.number, entry.kind, entry.part, heading, printed, name),
        )
        # without a title and a text of its own, it would be found for what stands above it
        above = " › ".join(entry.above) if entry.title or entry.text else ""
        index.execute(
            "INSERT INTO search(rowid, number, title, text, above) VALUES (?, ?, ?, ?, ?)",
            (row.lastrowid, way_to(printed), entry.title, entry.text, above),
        )
    index.executemany("INSERT INTO word VALUES (?, ?)", sorted(uses.items()))
    index.executescript(_INDICES)
    index.commit()
    return index


def way_to(number: str) -> str:
    """Return the numbers above a rule number and itself, `7 702 702.2 702.2c`; nothing for what has no such number."""
    if not number[:1].isdigit():
        return ""
    above = number_above(number)
    return f"{way_to(above)} {number}" if above else number


def _save(index: sqlite3.Connection, path: Path, stamp: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / "index"
        with closing(sqlite3.connect(copy)) as target:
            index.backup(target)
        content = copy.read_bytes()
    path.parent.mkdir(parents=True, exist_ok=True)
    # SQLite reads no further than the size that its header gives
    write_aside(path, content + _digest(content, stamp))


# ---------------------------------------------------------------- what is found


def _entries(release: str) -> Iterator[Entry]:
    installed = load_installed(release)
    if installed is not None:
        parts = [(node.number, node.kind, node.parent, node.heading, node.text, node.examples) for node in installed.rulebook.nodes]
        terms = [(entry.term, entry.text) for entry in installed.rulebook.glossary]
    else:
        places = load_graph(release).places
        parts = [(place.number, place.kind, place.parent, place.heading, "", ()) for place in places if not _is_term(place.number)]
        terms = [(place.heading, "") for place in places if _is_term(place.number)]
    above: dict[str | None, tuple[str, ...]] = {None: ()}
    for number, kind, parent, heading, text, examples in parts:
        # the title of a section says little about a rule
        under = above[parent] if kind != "chapter" else ()
        above[number] = (*under, heading) if heading else under
        yield Entry(number, kind, "", heading, text, under)
        for count, example in enumerate(examples, 1):
            yield Entry(number, "example", f"example {count}", "", example, above[number])
    for term, text in terms:
        yield Entry(GLOSSARY + term, "glossary entry", "", term, text)
    yield from _keywords(release, [(number, heading) for number, kind, _, heading, _, _ in parts if heading and kind == "rule"])


def _is_term(number: str) -> bool:
    return number.startswith(GLOSSARY)


def _keywords(release: str, headings: list[tuple[str, str]]) -> Iterator[Entry]:
    """Yield the keywords that a release has, under its numbers; what the catalogue says of their rules is so in one release only."""
    from lawmage.keywords import load_keywords, load_words
    from lawmage.rulebook.catalogue import heading_names
    from lawmage.rulebook.encoded import encoded_release

    encoded = release == encoded_release()
    numbers = {name: number for number, heading in headings for name in heading_names(heading)}
    words = load_words()
    for keyword in load_keywords().values():
        if keyword.since.isoformat() > release:
            continue
        renamed = keyword.renamed is not None and release < keyword.renamed.isoformat()
        name = keyword.former_name if renamed else keyword.name
        number = keyword.rule if encoded else numbers.get(name, "")
        kind = ", ".join(words[kind].label for kind in keyword.kinds)
        gists = [statement.gist for statement in keyword.statements if statement.gist] if encoded else []
        yield Entry(number, _KEYWORD, "", name, "; ".join([kind, *gists]))
        if keyword.former_name and not renamed:
            yield Entry(number, _KEYWORD, "", keyword.former_name, f"now called {keyword.name}")
        for variant in keyword.variants if encoded else ():
            yield Entry(variant.rule, _KEYWORD, "", variant.name, f"a form of {keyword.name}")
