"""What careless and hostile clients send."""

from __future__ import annotations

import signal
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from tests.web.conftest import Site, serving

DECK = {"Content-Type": "text/plain"}


@pytest.mark.parametrize("path", ["/", "/board", "/rules/702.2", "/api/rule/702.2", "/static/style.css", "/nothing"])
def test_head_is_answered_like_get(site: Site, path: str) -> None:
    asked, got = httpx.head(f"{site.address}{path}"), httpx.get(f"{site.address}{path}")
    assert asked.status_code == got.status_code
    assert asked.content == b""
    same = ("content-type", "content-length", "content-security-policy")
    assert [asked.headers.get(name) for name in same] == [got.headers.get(name) for name in same]


def test_names_that_nothing_has_stand_in_the_problem(site: Site) -> None:
    problem = httpx.post(f"{site.address}/api/deck", content="1 Sol Rnig\n99 Plains", headers=DECK)
    assert problem.status_code == 422
    (missing,) = problem.json()["not_found"]
    assert (missing["name"], missing["line"]) == ("Sol Rnig", 1)


def test_commanders_to_choose_from_stand_in_the_problem(site: Site) -> None:
    text = "1 Krenko, Mob Boss\n1 Zada, Hedron Grinder\n98 Mountain"
    problem = httpx.post(f"{site.address}/api/deck", content=text, headers=DECK)
    assert problem.status_code == 422
    assert problem.json()["proposed"] == [["Krenko, Mob Boss"], ["Zada, Hedron Grinder"]]


@pytest.mark.parametrize("name", ["%0d%0aX-Evil:%201", "%00", "%e2%80%ae"])
def test_names_of_files_can_be_shown(site: Site, name: str) -> None:
    refused = httpx.post(f"{site.address}/api/check?file={name}", json={"battlefield": {}})
    assert refused.status_code == 422
    assert refused.json()["detail"].startswith("file must be a name without line breaks")


def test_what_is_wrong_with_a_file_is_told_to_those_who_want_rdf(site: Site) -> None:
    refused = httpx.post(f"{site.address}/api/check", json={"battlefield": {"m": {"controller": "Q"}}}, headers={"Accept": "text/turtle"})
    assert (refused.status_code, refused.headers["content-type"]) == (422, "application/problem+json")
    assert 'controller names "Q"' in refused.json()["detail"]


def test_who_goes_in_the_middle_leaves_no_trace(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, "--workers", "1") as running:
        url = urlsplit(running.address)
        for _ in range(3):
            with socket.socket() as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
                client.connect((url.hostname, url.port))
                client.sendall(b"GET /static/vendor/cytoscape.min.js HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
                client.recv(1)
        assert httpx.get(f"{running.address}/api/releases").status_code == 200
    assert "Traceback" not in capfd.readouterr().err


def test_what_is_under_way_at_the_end_is_told_so(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with serving(tmp_path, "--workers", "1", "--time-limit", "60") as running, ThreadPoolExecutor(1) as threads:
        # The first query has the processes started that answer it, and takes longer than an ending server waits.
        query = {"query": "SELECT (COUNT(*) AS ?n) {?a ?b ?c. ?d ?e ?f. ?g ?h ?i}"}
        under_way = threads.submit(httpx.post, f"{running.address}/sparql", data=query, timeout=60)
        assert httpx.get(f"{running.address}/api/releases").status_code == 200
        running.process.send_signal(signal.SIGINT)
        assert running.process.wait(30) == 0
    assert under_way.result().status_code == 503
    assert "Traceback" not in capfd.readouterr().err
