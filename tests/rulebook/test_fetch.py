"""Fetching the rulebook, from a server on this machine that also misbehaves. Nothing here touches another machine."""

from __future__ import annotations

import gzip
import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx
import pytest
from tests.server import Answer, Handler, Server, drips, endless, hangs_up, no_http, not_found, redirect, running, sends, silent
from typer.testing import CliRunner

from lawmage.cli import app
from lawmage.errors import InputError
from lawmage.fetching import Patience
from lawmage.rulebook.fetch import PAGE_VARIABLE, update
from lawmage.rulebook.parse import parse
from lawmage.rulebook.publisher import load_publisher
from lawmage.rulebook.search_index import index_file
from lawmage.rulebook.store import install, installed_releases, load_installed

PAGE = "/en/rules"
TEXT = "/2030/downloads/MagicCompRules 20300304.txt"


def offer(server: Server, body: bytes, **headers: str) -> None:
    """Put a page with a link, and the text."""
    server.answers[PAGE] = page(TEXT.replace(" ", "%20"))
    server.answers[TEXT] = sends(body, "text/plain", 200, **headers)


def page(*links: str) -> Answer:
    listed = "".join(f'<li><a class="cta" href="{link}">TXT</a></li>' for link in links)
    return sends(f"<!DOCTYPE html><html><body><ul>{listed}</ul></body></html>".encode(), "text/html; charset=utf-8")


def drips_its_head(handler: Handler) -> None:
    handler.wfile.write(b"HTTP/1.1 200 OK\r\n")
    for count in range(15):
        handler.wfile.write(b"X-%d: y\r\n" % count)
        time.sleep(0.2)


@pytest.fixture
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def server(home: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    del home
    with running() as server:
        monkeypatch.setenv(PAGE_VARIABLE, server.address + PAGE)
        yield server


@pytest.fixture
def text(sample_text: str) -> bytes:
    return sample_text.encode()


def dated(text: bytes, date: str) -> bytes:
    return text.replace(b"March 4, 2030", date.encode())


def contents(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def conditions(headers: dict[str, str]) -> set[str]:
    return {name for name in headers if name.startswith("If-")}


# ---------------------------------------------------------------- what goes well


def test_it_is_installed(server: Server, text: bytes, home: Path) -> None:
    offer(server, text)
    done = update()
    assert (done.status, done.release, done.newest) == ("installed", "2030-03-04", "2030-03-04")
    assert done.url == server.address + TEXT.replace(" ", "%20")
    assert done.report is not None
    assert done.report.file == done.url
    installed = load_installed("2030-03-04")
    assert installed is not None
    assert installed.rulebook == parse(text)
    assert installed.file == "MagicCompRules 20300304.txt"
    assert index_file("2030-03-04").is_file()
    assert sorted(contents(home)) == ["fetched.json", "rules/2030-03-04.json", "rules/2030-03-04.search"]


def test_what_is_asked(server: Server, text: bytes) -> None:
    offer(server, text)
    update()
    assert [path for path, _ in server.asked] == [PAGE, TEXT]
    for _, headers in server.asked:
        assert headers["User-Agent"].startswith("lawmage/")
        assert not conditions(headers)


@pytest.mark.parametrize(
    ("sent", "asked"),
    [
        ({"ETag": '"a-1"'}, {"If-None-Match": '"a-1"'}),
        ({"Last_Modified": "Mon, 04 Mar 2030 10:00:00 GMT"}, {"If-Modified-Since": "Mon, 04 Mar 2030 10:00:00 GMT"}),
    ],
)
def test_what_has_not_changed_is_not_sent_again(
    server: Server, text: bytes, home: Path, sent: dict[str, str], asked: dict[str, str]
) -> None:
    offer(server, text, **sent)
    update()
    before = contents(home)
    server.answers[TEXT] = sends(b"", status=304)
    done = update()
    assert (done.status, done.release, done.report) == ("up to date", "2030-03-04", None)
    path, headers = server.asked[-1]
    assert path == TEXT
    assert {name: headers[name] for name in conditions(headers)} == asked
    assert contents(home) == before


def test_the_same_text_is_not_installed_again(server: Server, text: bytes, home: Path) -> None:
    offer(server, text)
    update()
    before = contents(home)
    done = update()
    assert (done.status, done.release, done.newest) == ("up to date", "2030-03-04", "2030-03-04")
    assert contents(home) == before


def test_a_text_that_was_imported_by_hand_is_up_to_date(server: Server, text: bytes) -> None:
    install(parse(text), (), (), file="by hand.txt")
    offer(server, text)
    assert update().status == "up to date"


def test_a_corrected_text_of_the_same_date_is_installed(server: Server, text: bytes) -> None:
    offer(server, text, ETag='"1"')
    update()
    offer(server, text.replace(b"A sentence about games.", b"A sentence about Magic games."), ETag='"2"')
    assert update().status == "installed"
    installed = load_installed("2030-03-04")
    assert installed is not None
    assert "about Magic games" in installed.rulebook.by_number["100.1"].text


def test_a_newer_release_is_installed_beside_the_older(server: Server, text: bytes) -> None:
    offer(server, text, ETag='"1"')
    update()
    newer = TEXT.replace("20300304", "20300505")
    server.answers[PAGE] = page(TEXT, newer)
    server.answers[newer] = sends(dated(text, "May 5, 2030"))
    assert update().release == "2030-05-05"
    assert sorted(installed_releases()) == ["2030-03-04", "2030-05-05"]
    assert not conditions(server.asked[-1][1])


def test_an_older_release_is_not_installed(server: Server, text: bytes, home: Path) -> None:
    offer(server, text)
    update()
    before = contents(home)
    offer(server, dated(text, "January 2, 2029"))
    done = update()
    assert (done.status, done.release, done.newest) == ("newer installed", "2029-01-02", "2030-03-04")
    assert contents(home) == before


def test_a_damaged_release_is_fetched_again(server: Server, text: bytes, home: Path) -> None:
    offer(server, text, ETag='"1"')
    update()
    (home / "rules" / "2030-03-04.json").write_bytes(b'{"format"')
    assert update().status == "installed"
    assert not conditions(server.asked[-1][1])


@pytest.mark.parametrize(
    "memory", [b"", b"[]", b"{}", b'{"url": 1, "release": [], "version": {}}', b'{"url": "URL", "release": [], "version": {}}', b"\xff"]
)
def test_a_damaged_memory_is_forgotten(server: Server, text: bytes, home: Path, memory: bytes) -> None:
    offer(server, text, ETag='"1"')
    url = update().url
    (home / "fetched.json").write_bytes(memory.replace(b"URL", url.encode()))
    assert update().status == "up to date"
    assert not conditions(server.asked[-1][1])
    assert b"2030-03-04" in (home / "fetched.json").read_bytes()


def test_a_version_that_cannot_be_sent_back_is_forgotten(server: Server, text: bytes) -> None:
    offer(server, text, ETag='"\xe9"', Last_Modified="x" * 300)
    update()
    assert update().status == "up to date"
    assert not conditions(server.asked[-1][1])


def test_compressed(server: Server, text: bytes) -> None:
    offer(server, gzip.compress(text), Content_Encoding="gzip")
    assert update().status == "installed"


def test_without_a_length_or_a_type(server: Server, text: bytes) -> None:
    server.answers[PAGE] = page(TEXT)
    server.answers[TEXT] = sends(text, kind="", Content_Length="")
    assert update().status == "installed"


def test_progress(server: Server, text: bytes) -> None:
    offer(server, text)
    heard: list[tuple[int, int | None]] = []
    update(progress=lambda received, size: heard.append((received, size)))
    offer(server, dated(text, "March 5, 2030"), Content_Length="")
    update(progress=lambda received, size: heard.append((received, size)))
    assert heard == [(len(text), len(text)), (len(text), None)]


def test_redirects_on_the_same_host(server: Server, text: bytes) -> None:
    server.answers[PAGE] = redirect("/elsewhere")
    server.answers["/elsewhere"] = page("moved.txt", "MagicCompRules.txt")
    server.answers["/MagicCompRules.txt"] = redirect(f"{server.address}/new.txt")
    server.answers["/new.txt"] = sends(text)
    assert update().status == "installed"


def test_the_page_that_is_named_comes_before_the_variable(server: Server, text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    offer(server, text)
    monkeypatch.setenv(PAGE_VARIABLE, server.address + "/another")
    assert update(server.address + PAGE).status == "installed"


def test_this_machine_is_not_asked_through_a_proxy(server: Server, text: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    offer(server, text)
    assert update().status == "installed"


def test_an_official_release(server: Server, release_files: list[Path]) -> None:
    offer(server, release_files[-1].read_bytes(), ETag='"1"')
    done = update()
    assert (done.status, done.release) == ("installed", "2026-08-07")
    assert update().status == "up to date"
    # cut off anywhere before its last part, it isn't installed
    for share in (0.1, 0.5, 0.9):
        body = release_files[-1].read_bytes()
        offer(server, body[: int(len(body) * share)])
        with pytest.raises(InputError):
            update()


# ---------------------------------------------------------------- what doesn't

#: What goes wrong: the answers for the page and for the text (none: as it should be), and what is said about it.
FAULTS: dict[str, tuple[Callable[[bytes], Answer] | None, Callable[[bytes], Answer] | None, str]] = {
    "cut off": (None, lambda text: sends(text[:700], Content_Length=str(len(text))), "sent no valid answer"),
    "cut off, without a length": (None, lambda text: sends(text[:700], Content_Length=""), "isn't a whole rulebook"),
    "cut off, compressed": (
        None,
        lambda text: sends(gzip.compress(text)[:500], Content_Length="", Content_Encoding="gzip"),
        "was cut off",
    ),
    "length too small": (None, lambda text: sends(text, Content_Length="700"), "isn't a whole rulebook"),
    "length too large": (None, lambda text: sends(text, Content_Length=str(len(text) + 1)), "sent no valid answer"),
    "length is no number": (None, lambda text: sends(text, Content_Length="many"), "sent no valid answer"),
    "wrong type": (None, lambda text: sends(text, "text/html"), "is of the type text/html; expected text/plain"),
    "a type for terminals": (None, lambda text: sends(text, "\x1b[2J"), "is of the type ?[2j; expected text/plain"),
    "a page as text": (None, lambda _: sends(b"<!DOCTYPE html><html></html>"), "is a web page"),
    "a PDF as text": (None, lambda _: sends(b"%PDF-1.7 ..."), "is a PDF"),
    "another text": (None, lambda _: sends(b"Hello\n"), "isn't the rulebook of Magic"),
    "nothing": (None, lambda _: sends(b""), "is empty"),
    "no date": (None, lambda text: sends(dated(text, "Monday")), "has no date"),
    "a chapter missing": (None, lambda text: sends(text.replace(b"\n101. Turns\n\n101.1.", b"\n101.1.")), "isn't a whole rulebook"),
    "endless": (None, lambda _: endless, "is larger than 8 MB"),
    "too large": (None, lambda text: sends(text + b" " * 2**23), "is larger than 8 MB"),
    "gzip bomb": (None, lambda _: sends(gzip.compress(bytes(2**26)), Content_Encoding="gzip"), "is larger than 8 MB"),
    "no gzip": (None, lambda text: sends(text, Content_Encoding="gzip"), "is damaged"),
    "another compression": (None, lambda text: sends(text, Content_Encoding="br"), "is compressed as br; expected gzip"),
    "404": (None, lambda _: not_found, "answered with the status 404"),
    "503": (None, lambda text: sends(text, status=503), "answered with the status 503"),
    "a part of it": (None, lambda text: sends(text, status=206), "answered with the status 206"),
    "not changed, unasked": (None, lambda _: sends(b"", status=304), "answered with the status 304"),
    "hangs up": (None, lambda _: hangs_up, "sent no valid answer"),
    "no HTTP": (None, lambda _: no_http, "sent no valid answer"),
    "redirects in a circle": (None, lambda _: redirect(TEXT.replace(" ", "%20")), "more than 5 redirects"),
    "redirect to another host": (None, lambda _: redirect("https://rules.example/MagicCompRules.txt"), "rules.example"),
    "redirect to another port": (None, lambda _: redirect("http://127.0.0.1:9/MagicCompRules.txt"), "isn't asked, because the rulebook is"),
    "redirect to another name": (None, lambda _: redirect("http://localhost/MagicCompRules.txt"), "isn't asked, because the rulebook is"),
    "redirect without HTTPS": (None, lambda _: redirect("http://media.wizards.com/MagicCompRules.txt"), "isn't HTTPS"),
    "redirect to a file": (None, lambda _: redirect("file:///etc/passwd"), "isn't an address"),
    "redirect to nowhere": (None, lambda _: redirect("http://[::"), "sent no valid answer"),
    "redirect for terminals": (None, lambda _: redirect("http://a\x1b[2J/"), "sent no valid answer"),
    "page 404": (lambda _: not_found, None, "answered with the status 404"),
    "page of the wrong type": (lambda _: sends(b"", "application/pdf"), None, "is of the type application/pdf; expected text/html"),
    "endless page": (lambda _: sends(b" " * 2**23, "text/html"), None, "is larger than 4 MB"),
    "page in a circle": (lambda _: redirect(PAGE), None, "more than 5 redirects"),
    "page elsewhere": (lambda _: redirect("https://rules.example/"), None, "rules.example"),
    "no link": (lambda _: page("MagicCompRules.pdf", "rules.txt"), None, "has no link to the rulebook's text"),
    "an empty page": (lambda _: sends(b"", "text/html"), None, "has no link to the rulebook's text"),
    "a page of noise": (lambda _: sends(bytes(range(256)) * 100, "text/html"), None, "has no link to the rulebook's text"),
    "link elsewhere": (lambda _: page("https://rules.example/MagicCompRules.txt"), None, "rules.example"),
    "link without HTTPS": (lambda _: page("http://media.wizards.com/MagicCompRules.txt"), None, "isn't HTTPS"),
    "link with a password": (lambda _: page("https://me:secret@media.wizards.com/MagicCompRules.txt"), None, "isn't asked"),
    "link to a file": (lambda _: page("file:///MagicCompRules.txt"), None, "isn't an address"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_faults_change_nothing(server: Server, text: bytes, home: Path, fault: str) -> None:
    on_page, on_text, said = FAULTS[fault]
    offer(server, dated(text, "January 2, 2029"), ETag='"1"')
    update()
    before = contents(home)
    # a newer one would be there
    newer = "/MagicCompRules 20300304.txt"
    server.answers[PAGE] = on_page(text) if on_page else page(newer)
    server.answers[newer] = server.answers[TEXT] = on_text(text) if on_text else sends(text)
    with pytest.raises(InputError) as caught:
        update()
    assert said in str(caught.value)
    assert str(caught.value).isprintable()
    assert contents(home) == before


@pytest.mark.parametrize(
    ("place", "answer", "patience", "said"),
    [
        (PAGE, silent, Patience(read=0.5), "didn't answer in time"),
        (TEXT, silent, Patience(read=0.5), "didn't answer in time"),
        (TEXT, drips, Patience(total=1), "took longer than 1 seconds in all"),
        (TEXT, drips_its_head, Patience(total=1), "took longer than 1 seconds in all"),
    ],
)
def test_slowness_changes_nothing(
    server: Server, text: bytes, home: Path, place: str, answer: Answer, patience: Patience, said: str
) -> None:
    offer(server, text)
    server.answers[place] = answer
    with pytest.raises(InputError, match=said):
        update(patience=patience)
    assert not home.exists()


def test_nobody_is_there(home: Path) -> None:
    with Server() as server:
        address = server.address
    with pytest.raises(InputError, match="can't be reached"):
        update(address + PAGE)
    assert not home.exists()


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://magic.wizards.com/en/rules", "isn't asked, because it isn't HTTPS"),
        ("http://192.0.2.1/", "isn't asked, because it isn't HTTPS"),
        ("ftp://127.0.0.1/", "isn't asked, because it isn't HTTPS"),
        ("magic.wizards.com", "isn't an address"),
        ("https://", "isn't an address"),
        ("https://[::", "isn't an address"),
        ("https://a b\x1b/", "isn't an address"),
    ],
)
def test_pages_that_are_not_asked(home: Path, address: str, said: str) -> None:
    with pytest.raises(InputError, match=said) as caught:
        update(address)
    assert str(caught.value).isprintable()
    assert not home.exists()


def test_a_home_that_cannot_be_written_to(server: Server, text: bytes, home: Path) -> None:
    offer(server, text)
    home.write_text("a file")
    with pytest.raises(InputError, match="can't be written"):
        update()
    assert home.read_text() == "a file"


# ---------------------------------------------------------------- which link


OFFICIAL = httpx.URL("https://magic.wizards.com/en/rules")


@pytest.mark.parametrize(
    ("source", "link"),
    [
        (
            '<a href="https://media.wizards.com/2026/downloads/MagicCompRules%2020260807.txt">TXT</a>',
            "https://media.wizards.com/2026/downloads/MagicCompRules%2020260807.txt",
        ),
        (
            '<a href="https://media.wizards.com/2026/downloads/MagicCompRules 20260807.txt">TXT</a>',
            "https://media.wizards.com/2026/downloads/MagicCompRules%2020260807.txt",
        ),
        ("<a href='//media.wizards.com/MagicCompRules_20260807.txt'>", "https://media.wizards.com/MagicCompRules_20260807.txt"),
        ('<a href="/files/MagicCompRules.txt?v=2&amp;w=3">', "https://magic.wizards.com/files/MagicCompRules.txt?v=2&w=3"),
        (r'{"url":"https:\/\/media.wizards.com\/a\/MagicCompRules 1.txt"}', "https://media.wizards.com/a/MagicCompRules%201.txt"),
        (r"{\"url\":\"https:\u002F\u002Fmedia.wizards.com\u002FMagicCompRules.txt\"}", "https://media.wizards.com/MagicCompRules.txt"),
        # of several, the newest, in whatever order and however its date is written
        (
            '<a href="/MagicCompRules%2020260807.pdf"><a href="/MagicCompRules%2020260227.txt"><a href="/MagicCompRules%2020260417.txt">'
            '<a href="/MagicCompRules%2020251114.txt">',
            "https://magic.wizards.com/MagicCompRules%2020260417.txt",
        ),
        (
            '<a href="/MagicCompRules%2004102024.txt"><a href="/MagicCompRules%2020240206.txt"><a href="/MagicCompRules.txt">',
            "https://magic.wizards.com/MagicCompRules%2004102024.txt",
        ),
        # what a link is called is no link
        (
            'MagicCompRules 20260807.txt <a href="/2026/MagicCompRules%2020260807.txt">MagicCompRules 20260807.txt</a>',
            "https://magic.wizards.com/2026/MagicCompRules%2020260807.txt",
        ),
    ],
)
def test_the_link_that_is_followed(source: str, link: str) -> None:
    assert str(load_publisher().find_text(source, OFFICIAL)) == link


@pytest.mark.parametrize("source", ['"' * 100_000, "<a href=" * 100_000, "MagicCompRules " * 100_000, "&amp;" * 100_000])
def test_pages_that_would_take_long(source: str) -> None:
    with pytest.raises(InputError, match="has no link"):
        load_publisher().find_text(source, OFFICIAL)


def test_the_publishers_page_sends_nobody_to_this_machine() -> None:
    for link in (
        "http://127.0.0.1/MagicCompRules.txt",
        "https://127.0.0.1/MagicCompRules.txt",
        "https://media.wizards.com:8443/MagicCompRules.txt",
    ):
        with pytest.raises(InputError, match="isn't asked"):
            load_publisher().find_text(f'<a href="{link}">', OFFICIAL)


# ---------------------------------------------------------------- the command


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["data", "update", "rules", *arguments], env={"COLUMNS": "80", "NO_COLOR": "1"})
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def test_for_people(server: Server, text: bytes) -> None:
    offer(server, text)
    assert run() == (0, "Installed the Comprehensive Rules of 2030-03-04: 10 rules, 3 glossary entries.\n", "")
    assert run() == (0, "Nothing to do: the Comprehensive Rules of 2030-03-04 are the newest, and installed.\n", "")
    offer(server, dated(text, "January 2, 2029"))
    said = "Nothing to do: the publisher offers the Comprehensive Rules of 2029-01-02, and those of 2030-03-04 are installed.\n"
    assert run() == (0, said, "")
    server.answers.clear()
    assert run() == (2, "", f"error: {server.address}{PAGE}: answered with the status 404; expected 200\n")


def test_for_programs(server: Server, text: bytes) -> None:
    offer(server, text)
    status, out, err = run("--json")
    assert (status, err) == (0, "")
    (file,) = json.loads(out)["files"]
    assert (file["kind"], file["status"], file["release"], file["rules"]) == ("rules", "installed", "2030-03-04", 10)
    assert file["url"] == file["file"] == server.address + TEXT.replace(" ", "%20")
    (file,) = json.loads(run("--json", "--page", server.address + PAGE)[1])["files"]
    assert file == {"kind": "rules", "status": "up to date", "release": "2030-03-04", "url": file["url"], "newest": "2030-03-04"}
    server.answers.clear()
    status, out, err = run("--json")
    assert status == 2
    (file,) = json.loads(out)["files"]
    assert file["error"] in err
