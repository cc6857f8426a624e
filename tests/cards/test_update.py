"""Fetching cards, from a server on this machine that also misbehaves. Nothing here touches another machine."""

from __future__ import annotations

import gzip
import hashlib
import json
import lzma
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from tests.server import Answer, Handler, Server, drips, endless, hangs_up, no_http, not_found, redirect, running, sends, silent
from typer.testing import CliRunner

from lawmage.cards import fetch
from lawmage.cards.fetch import update_cards
from lawmage.cards.importing import import_cards
from lawmage.cards.store import CardStore, installed_file
from lawmage.cli import app
from lawmage.errors import InputError
from lawmage.fetching import Patience

from .published import MTGJSON, SCRYFALL, atomic, scryfall, write

INDEX, FILE, ATOMIC = "/bulk-data", "/file/oracle-cards/oracle-cards-20300304100000.json", "/api/v5/AtomicCards.json.xz"
CARDS = json.dumps(SCRYFALL).encode()
PACKED = lzma.compress(json.dumps(atomic(*MTGJSON, date="2030-03-03")).encode())


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    del home
    with running() as server:
        monkeypatch.setenv("LAWMAGE_SCRYFALL_INDEX", server.address + INDEX)
        monkeypatch.setenv("LAWMAGE_ATOMIC_CARDS", server.address + ATOMIC)
        yield server


def index(server: Server, **values: Any) -> Answer:
    """An index as Scryfall's."""
    wanted = {
        "object": "bulk_data",
        "type": "oracle_cards",
        "updated_at": "2030-03-04T10:05:12.345+00:00",
        "download_uri": server.address + FILE,
        "size": len(CARDS),
        "content_type": "application/json",
    }
    others = [{"object": "bulk_data", "type": name, "download_uri": "https://data.scryfall.io/x.json"} for name in ("all_cards", "rulings")]
    given = {key: value for key, value in (wanted | values).items() if value is not None}
    return sends(json.dumps({"object": "list", "data": [others[0], given, others[1]]}).encode(), "application/json; charset=utf-8")


def offer(server: Server, body: bytes = CARDS, **values: Any) -> None:
    """Put Scryfall's index and file."""
    server.answers[INDEX] = index(server, **values)
    server.answers[FILE] = sends(body, "application/json")


def offer_atomic(server: Server, body: bytes = PACKED, checksum: bytes | None = None) -> None:
    """Put MTGJSON's file and its checksum."""
    server.answers[ATOMIC] = sends(body, "application/x-xz")
    server.answers[f"{ATOMIC}.sha256"] = sends(checksum or hashlib.sha256(body).hexdigest().encode())


def names() -> list[str]:
    with CardStore.open(installed_file()) as store:
        return [card.name for card in store.cards()]


def contents(folder: Path) -> dict[str, bytes]:
    found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    return {name: held for name, held in found.items() if not name.startswith("download/")}


def asked(server: Server) -> list[str]:
    return [path for path, _ in server.asked]


# ---------------------------------------------------------------- what goes well


def test_they_are_installed(server: Server, home: Path) -> None:
    offer(server)
    done = update_cards()
    assert (done.status, done.source, done.date, done.url) == ("installed", "Scryfall", "2030-03-04", server.address + FILE)
    assert done.report is not None
    assert (done.report.cards, done.report.faces) == (4, 6)
    assert len(names()) == 4
    assert sorted(path.name for path in home.iterdir()) == ["cards.sqlite", "fetched-cards.json"]


def test_what_is_asked(server: Server) -> None:
    offer(server)
    update_cards()
    assert asked(server) == [INDEX, FILE]
    for _, headers in server.asked:
        assert headers["User-Agent"].startswith("lawmage/")
        assert "application/json" in headers["Accept"]
        assert "Range" not in headers


def test_what_has_not_changed_is_not_fetched_again(server: Server, home: Path) -> None:
    offer(server)
    update_cards()
    before = contents(home)
    done = update_cards()
    assert (done.status, done.date, done.report) == ("up to date", "2030-03-04", None)
    assert asked(server) == [INDEX, FILE, INDEX]
    assert contents(home) == before


def test_what_has_changed_is(server: Server) -> None:
    offer(server)
    update_cards()
    later = json.dumps([*SCRYFALL, scryfall("Later Elf")]).encode()
    offer(server, later, updated_at="2030-03-05T10:00:00+00:00", size=len(later))
    assert update_cards().date == "2030-03-05"
    assert "Later Elf" in names()


@pytest.mark.parametrize("damage", ["another import", "store", "memory"])
def test_what_is_not_there_any_more_is_fetched_again(server: Server, home: Path, tmp_path: Path, damage: str) -> None:
    offer(server)
    update_cards()
    if damage == "another import":
        import_cards(write(tmp_path / "cards-20290101.json", SCRYFALL[:1]), processes=1)
    else:
        (home / {"store": "cards.sqlite", "memory": "fetched-cards.json"}[damage]).write_bytes(b"{}")
    assert update_cards().status == "installed"
    assert len(names()) == 4


def test_newer_cards_stay(server: Server, home: Path, tmp_path: Path) -> None:
    import_cards(write(tmp_path / "cards.json", SCRYFALL[:1]), date="2031-01-01", processes=1)
    before = contents(home)
    offer(server)
    done = update_cards()
    assert (done.status, done.date) == ("newer installed", "2031-01-01")
    assert contents(home) == before


def test_compressed_on_the_way(server: Server) -> None:
    offer(server)
    server.answers[FILE] = sends(gzip.compress(CARDS), "application/json", Content_Encoding="gzip")
    assert update_cards().status == "installed"


def test_lines(server: Server) -> None:
    lines = gzip.compress(b"\n".join(json.dumps(card).encode() for card in SCRYFALL))
    offer(server, download_uri=None, jsonl_download_uri=server.address + "/cards.jsonl.gz")
    server.answers["/cards.jsonl.gz"] = sends(lines, "application/gzip")
    assert update_cards().status == "installed"
    assert len(names()) == 4


def test_a_redirect_on_the_same_host(server: Server) -> None:
    offer(server)
    server.answers["/elsewhere"] = server.answers[FILE]
    server.answers[FILE] = redirect("/elsewhere")
    assert update_cards().status == "installed"


def test_mtgjson(server: Server) -> None:
    offer_atomic(server)
    done = update_cards("mtgjson")
    assert (done.status, done.source, done.date) == ("installed", "MTGJSON", "2030-03-03")
    assert update_cards("mtgjson").status == "up to date"
    assert asked(server) == [f"{ATOMIC}.sha256", ATOMIC, f"{ATOMIC}.sha256"]


def test_mtgjson_is_asked_if_scryfall_fails(server: Server) -> None:
    offer_atomic(server)
    done = update_cards()
    assert (done.status, done.source) == ("installed", "MTGJSON")
    assert done.passed_over == (f"{server.address}{INDEX}: answered with the status 404; expected 200",)


def test_progress(server: Server) -> None:
    offer(server)
    fetched: list[tuple[int, int | None]] = []
    imported: list[tuple[int, int]] = []
    update_cards(progress=lambda *told: fetched.append(told), importing=lambda *told: imported.append(told))
    assert fetched[-1] == (len(CARDS), len(CARDS))
    assert imported[-1] == (len(CARDS), len(CARDS))


# ---------------------------------------------------------------- downloads that break off


class Breaking:
    """Sends what is asked for, but breaks off after `pieces[0]` bytes the first time, `pieces[1]` the second, and so on."""

    def __init__(self, body: bytes, *pieces: int, tag: str = '"v1"', ranges: bool = True) -> None:
        self.body, self.pieces, self.tag, self.ranges = body, list(pieces), tag, ranges
        self.parts: list[str] = []

    def __call__(self, handler: Handler) -> None:
        wanted, known = handler.headers.get("Range", ""), handler.headers.get("If-Range", "")
        self.parts.append(wanted)
        start = int(wanted.removeprefix("bytes=").removesuffix("-")) if wanted and self.ranges and known == self.tag else 0
        handler.send_response(206 if start else 200)
        handler.send_header("Content-Type", "application/json")
        handler.send_header("Content-Length", str(len(self.body) - start))
        if self.tag:
            handler.send_header("ETag", self.tag)
        if start:
            handler.send_header("Content-Range", f"bytes {start}-{len(self.body) - 1}/{len(self.body)}")
        handler.end_headers()
        handler.wfile.write(self.body[start:][: self.pieces.pop(0) if self.pieces else None])
        handler.close_connection = True


def test_it_goes_on_at_once(server: Server) -> None:
    offer(server)
    server.answers[FILE] = breaking = Breaking(CARDS, 500, 300)
    assert update_cards("scryfall").status == "installed"
    assert breaking.parts == ["", "bytes=500-", "bytes=800-"]


def test_it_goes_on_the_next_time(server: Server, home: Path) -> None:
    offer(server)
    server.answers[FILE] = breaking = Breaking(CARDS, 500, 0)
    with pytest.raises(InputError, match="sent no valid answer"):
        update_cards("scryfall")
    assert not installed_file().exists()
    assert (home / "download").is_dir()
    assert update_cards("scryfall").status == "installed"
    assert breaking.parts == ["", "bytes=500-", "bytes=500-"]
    assert not (home / "download").exists()


@pytest.mark.parametrize(("tag", "ranges"), [("", True), ('W/"v1"', True), ('"v1"', False)])
def test_a_server_that_sends_no_parts_is_asked_for_the_whole(server: Server, tag: str, ranges: bool) -> None:
    offer(server)
    server.answers[FILE] = breaking = Breaking(CARDS, 500, tag=tag, ranges=ranges)
    assert update_cards("scryfall").status == "installed"
    assert breaking.parts == ["", "bytes=500-" if tag == '"v1"' else ""]


def test_another_version_is_fetched_as_a_whole(server: Server) -> None:
    offer(server)
    server.answers[FILE] = breaking = Breaking(CARDS, 500, 0)
    with pytest.raises(InputError):
        update_cards("scryfall")
    breaking.tag, breaking.body = '"v2"', json.dumps(SCRYFALL, indent=1).encode()
    offer(server, size=len(breaking.body))
    server.answers[FILE] = breaking
    assert update_cards("scryfall").status == "installed"


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (sends(b"", "application/json", 416), "has no such part any more"),
        (sends(CARDS, "application/json", 206, Content_Range="bytes 0-9/10"), "sent another part"),
        (sends(CARDS[500:], "application/json", 206), "sent another part"),
    ],
)
def test_parts_that_do_not_fit_are_forgotten(server: Server, answer: Answer, said: str) -> None:
    offer(server)
    server.answers[FILE] = Breaking(CARDS, 500, 0)
    with pytest.raises(InputError):
        update_cards("scryfall")
    server.answers[FILE] = answer
    with pytest.raises(InputError, match=said):
        update_cards("scryfall")
    offer(server)
    assert update_cards("scryfall").status == "installed"


def test_a_part_that_is_another_does_not_pass(server: Server) -> None:
    offer(server)
    server.answers[FILE] = breaking = Breaking(CARDS, 500, 0)
    with pytest.raises(InputError):
        update_cards("scryfall")
    breaking.body = b"x" * len(CARDS)
    with pytest.raises(InputError, match="JSON"):
        update_cards("scryfall")
    offer(server)
    assert update_cards("scryfall").status == "installed"


# ---------------------------------------------------------------- what doesn't go well

#: What goes wrong: the answers for Scryfall's index and file (none: as it should be), and what is said about it.
FAULTS: dict[str, tuple[Callable[[Server], Answer] | None, Callable[[Server], Answer] | None, str]] = {
    "cut off": (None, lambda _: sends(CARDS[:700], "application/json", Content_Length=str(len(CARDS))), "sent no valid answer"),
    "cut off, without a length": (None, lambda _: sends(CARDS[:700], "application/json", Content_Length=""), "has 700 bytes, expected"),
    "cut off, compressed": (
        None,
        lambda _: sends(gzip.compress(CARDS)[:300], "application/json", Content_Length="", Content_Encoding="gzip"),
        "is damaged or cut off",
    ),
    "length too small": (None, lambda _: sends(CARDS, "application/json", Content_Length="700"), "has 700 bytes, expected"),
    "length is no number": (None, lambda _: sends(CARDS, "application/json", Content_Length="many"), "sent no valid answer"),
    "another file": (None, lambda _: sends(CARDS + b" ", "application/json"), "bytes, expected"),
    "a web page": (None, lambda _: sends(b"<html>", "text/html"), "is of the type text/html"),
    "a page as JSON": (lambda server: index(server, size=6), lambda _: sends(b"<html>", "application/json"), "holds no JSON"),
    "nothing": (lambda server: index(server, size=None), lambda _: sends(b"", "application/json"), "holds no JSON"),
    "endless": (None, lambda _: partial(endless, kind="application/json"), "is larger than 1 MB"),
    "gzip bomb": (
        None,
        lambda _: sends(gzip.compress(bytes(2**26)), "application/json", Content_Encoding="gzip"),
        "when it is unpacked",
    ),
    "another compression": (None, lambda _: sends(CARDS, "application/json", Content_Encoding="br"), "compressed in an unknown way"),
    "404": (None, lambda _: not_found, "answered with the status 404"),
    "400 as for a missing header": (lambda _: sends(b"{}", "application/json", 400), None, "answered with the status 400"),
    "429": (None, lambda _: sends(b"", "application/json", 429), "answered with the status 429"),
    "a part, unasked": (None, lambda _: sends(CARDS, "application/json", 206), "answered with the status 206"),
    "hangs up": (None, lambda _: hangs_up, "sent no valid answer"),
    "no HTTP": (None, lambda _: no_http, "sent no valid answer"),
    "redirects in a circle": (None, lambda _: redirect(FILE), "more than 5 redirects"),
    "redirect to another host": (None, lambda _: redirect("https://cards.example/x.json"), "cards.example"),
    "redirect to another port": (None, lambda _: redirect("http://127.0.0.1:9/x.json"), "isn't asked, because a file of cards is"),
    "redirect without HTTPS": (None, lambda _: redirect("http://data.scryfall.io/x.json"), "isn't HTTPS"),
    "redirect to a file": (None, lambda _: redirect("file:///etc/passwd"), "isn't an address"),
    "index elsewhere": (lambda server: index(server, download_uri="https://cards.example/x.json"), None, "cards.example"),
    "index without HTTPS": (lambda server: index(server, download_uri="http://data.scryfall.io/x.json"), None, "isn't HTTPS"),
    "index to a file": (lambda server: index(server, download_uri="file:///etc/passwd"), None, "isn't an address"),
    "index with a password": (lambda server: index(server, download_uri="https://a:b@data.scryfall.io/x"), None, "isn't asked"),
    "index without a file": (lambda server: index(server, download_uri=None), None, "isn't an index"),
    "index without a date": (lambda server: index(server, updated_at="yesterday"), None, "isn't an index"),
    "index with an odd size": (lambda server: index(server, size="large"), None, "isn't an index"),
    "index of other files": (lambda server: index(server, type="rulings"), None, "isn't an index with a file of the type oracle_cards"),
    "index of nothing": (lambda _: sends(b"{}", "application/json"), None, "isn't an index"),
    "index nested deep": (lambda _: sends(b"[" * 100_000, "application/json"), None, "isn't an index"),
    "index that is none": (lambda _: sends(b"\xff\xfe{", "application/json"), None, "isn't an index"),
    "index of the wrong type": (lambda _: sends(b"{}", "text/html"), None, "is of the type text/html"),
    "endless index": (lambda _: partial(endless, kind="application/json"), None, "is larger than 1 MB"),
    "schema": (
        lambda server: index(server, size=None),
        lambda _: sends(json.dumps([{"object": "card"}]).encode(), "application/json"),
        "card 1 has no layout",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_change_nothing(server: Server, home: Path, monkeypatch: pytest.MonkeyPatch, fault: str) -> None:
    monkeypatch.setattr(fetch, "_LARGEST_FILE", 2**20)
    monkeypatch.setattr("lawmage.cards.unpacking.LARGEST", 2**20)
    on_index, on_file, said = FAULTS[fault]
    offer(server)
    update_cards("scryfall")
    before = contents(home)
    # a newer one would be there
    newer: dict[str, Any] = {"updated_at": "2030-03-05T10:00:00+00:00"}
    server.answers[INDEX] = on_index(server) if on_index else index(server, **newer)
    if on_index and on_file:
        monkeypatch.setattr(fetch, "_remembered", lambda: None)
    server.answers[FILE] = on_file(server) if on_file else sends(CARDS, "application/json")
    with pytest.raises(InputError) as caught:
        update_cards("scryfall")
    assert said in str(caught.value)
    assert str(caught.value).isprintable()
    assert contents(home) == before
    # and the next time it goes well
    offer(server, **newer)
    assert update_cards("scryfall").status == "installed"


@pytest.mark.parametrize(
    ("body", "checksum", "said"),
    [
        (PACKED, b"0" * 64, "has the checksum"),
        (PACKED, b"<html>", "isn't a checksum"),
        (PACKED[:-20], None, "is damaged or cut off"),
        (PACKED + PACKED, None, "goes on behind"),
    ],
)
def test_faults_of_mtgjson_change_nothing(server: Server, home: Path, body: bytes, checksum: bytes | None, said: str) -> None:
    offer_atomic(server, body, checksum)
    with pytest.raises(InputError, match=said):
        update_cards("mtgjson")
    assert not contents(home)


@pytest.mark.parametrize(
    ("place", "answer", "patience", "said"),
    [
        (INDEX, silent, Patience(read=0.5), "didn't answer in time"),
        (FILE, silent, Patience(read=0.5), "didn't answer in time"),
        (FILE, partial(drips, kind="application/json"), Patience(total=1), "took longer than 1 seconds in all"),
    ],
)
def test_slowness_changes_nothing(server: Server, home: Path, place: str, answer: Answer, patience: Patience, said: str) -> None:
    offer(server)
    server.answers[place] = answer
    with pytest.raises(InputError, match=said):
        update_cards("scryfall", patience=patience)
    assert not contents(home)


def test_nobody_is_there(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with running() as server:
        address = server.address
    for name in ("LAWMAGE_SCRYFALL_INDEX", "LAWMAGE_ATOMIC_CARDS"):
        monkeypatch.setenv(name, address + "/cards")
    with pytest.raises(InputError, match=r"can't be reached .+; and .+can't be reached"):
        update_cards()
    assert not home.exists()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://api.scryfall.com/bulk-data", "isn't asked, because it isn't HTTPS"),
        ("ftp://127.0.0.1/", "isn't asked, because it isn't HTTPS"),
        ("api.scryfall.com", "isn't an address"),
        ("https://[::", "isn't an address"),
    ],
)
def test_addresses_that_are_not_asked(home: Path, monkeypatch: pytest.MonkeyPatch, address: str, said: str) -> None:
    monkeypatch.setenv("LAWMAGE_SCRYFALL_INDEX", address)
    with pytest.raises(InputError, match=said):
        update_cards("scryfall")
    assert not home.exists()


def test_a_home_that_cannot_be_written_to(server: Server, home: Path) -> None:
    offer(server)
    home.write_text("a file")
    with pytest.raises(InputError, match="can't be written"):
        update_cards("scryfall")
    assert home.read_text() == "a file"


# ---------------------------------------------------------------- the command


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["data", "update", *arguments], env={"COLUMNS": "80", "NO_COLOR": "1"})
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def test_for_people(server: Server) -> None:
    offer(server)
    assert run("cards") == (0, "Installed the cards of 2030-03-04 from Scryfall: 4 cards with 6 faces.\n", "")
    assert run("cards") == (0, "Nothing to do: the cards of 2030-03-04 from Scryfall are the newest, and installed.\n", "")
    offer(server, updated_at="2029-01-01T00:00:00Z")
    assert run("cards")[1] == "Nothing to do: Scryfall offers older cards than those of 2030-03-04, which are installed.\n"
    offer_atomic(server)
    assert run("--from", "mtgjson")[1] == "Installed the cards of 2030-03-03 from MTGJSON: 4 cards with 6 faces.\n"
    server.answers.clear()
    status, out, err = run("cards")
    assert (status, out) == (2, "")
    assert err.startswith(f"error: {server.address}{INDEX}: answered with the status 404; expected 200; and ")


def test_for_programs(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    offer_atomic(server)
    monkeypatch.setenv("LAWMAGE_RULES_PAGE", server.address + "/rules")
    status, out, err = run("--json")
    rules, cards = json.loads(out)["files"]
    assert status == 2
    assert rules["error"] in err
    assert (cards["kind"], cards["status"], cards["source"], cards["cards"], cards["date"]) == (
        "cards",
        "installed",
        "MTGJSON",
        4,
        "2030-03-03",
    )
    assert cards["file"] == cards["url"] == server.address + ATOMIC
    assert "not from Scryfall" in err
