"""Verdicts as RDF, in the words of kb/verdicts.ttl and of PROV-O: what was judged, under which release, on which rules it turned."""

from __future__ import annotations

import datetime
import hashlib
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import quote

from lawmage import __version__
from lawmage.errors import InputError
from lawmage.rulebook.rdf import RULES, VOCABULARY, number_iri

if TYPE_CHECKING:
    from pyoxigraph import NamedNode, Triple

    from lawmage.play.verdict import Answer, ProposalVerdict

__all__ = ["to_turtle", "triples"]

_PROV = "http://www.w3.org/ns/prov#"
_RDF = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
_RDFS = "http://www.w3.org/2000/01/rdf-schema#"
_XSD = "http://www.w3.org/2001/XMLSchema#"
_BOARD = "urn:lawmage:board:"
_SOFTWARE = "urn:lawmage:software:"


def to_turtle(answers: list[tuple[Answer, bytes, str]], *, now: datetime.datetime | None = None) -> str:
    """Return a Turtle document of verdicts.

    Args:
        answers: each with the content of the scenario file that it answers, and the scenario's title or file.
        now: when they were judged, by default this moment; with a time zone.

    Raises:
        InputError: for an answer to `judge: lethal`, which is no verdict on a proposal.
    """
    from pyoxigraph import RdfFormat, serialize

    for answer, _, _ in answers:
        if answer.judge == "lethal":
            raise InputError("asks whether an attack is lethal; only verdicts on what is proposed are written as RDF", file=answer.file)
    moment = now or datetime.datetime.now(datetime.UTC)
    statements = dict.fromkeys(triple for answer, content, title in answers for triple in triples(answer, content, title, moment))
    prefixes = {"lm": VOCABULARY, "prov": _PROV, "rdfs": _RDFS, "xsd": _XSD}
    document = serialize(statements, format=RdfFormat.TURTLE, prefixes=prefixes)
    assert document is not None  # None is for output to a file
    return document.decode()


def triples(answer: Answer, content: bytes, title: str, moment: datetime.datetime) -> Iterator[Triple]:
    """Yield the statements about one scenario's verdicts; see `to_turtle`."""
    from pyoxigraph import Literal, NamedNode, Triple

    board = NamedNode(_BOARD + hashlib.sha256(content).hexdigest()[:16])
    judgement = NamedNode(f"{board.value}:{answer.judge}:{answer.release}")
    software = NamedNode(_SOFTWARE + quote(__version__))
    a, label = NamedNode(_RDF + "type"), NamedNode(_RDFS + "label")
    yield Triple(board, a, _word("Board"))
    yield Triple(board, label, Literal(title))
    yield Triple(software, a, _prov("SoftwareAgent"))
    yield Triple(software, label, Literal(f"lawmage {__version__}"))
    yield Triple(judgement, a, _prov("Activity"))
    yield Triple(judgement, _prov("used"), board)
    yield Triple(judgement, _prov("used"), NamedNode(RULES + answer.release))
    yield Triple(judgement, _prov("wasAssociatedWith"), software)
    yield Triple(judgement, _prov("endedAtTime"), Literal(moment.isoformat(), datatype=NamedNode(_XSD + "dateTime")))
    for name, verdict in answer.proposals.items():
        proposal = NamedNode(f"{board.value}:{answer.judge}:{quote(name)}")
        node = NamedNode(f"{judgement.value}:{quote(name)}")
        yield Triple(proposal, a, _word("Proposal"))
        yield Triple(proposal, label, Literal(name))
        yield Triple(proposal, _word("proposedOn"), board)
        yield Triple(node, a, _word("Verdict"))
        yield Triple(node, _word("onProposal"), proposal)
        yield Triple(node, _word("judged"), Literal(answer.judge))
        yield Triple(node, _prov("wasGeneratedBy"), judgement)
        yield Triple(node, _prov("wasDerivedFrom"), board)
        yield from _said(node.value, verdict, answer.release)


def _said(verdict_iri: str, verdict: ProposalVerdict, release: str) -> Iterator[Triple]:
    """Yield what one verdict says."""
    from pyoxigraph import Literal, NamedNode, Triple

    node = NamedNode(verdict_iri)
    yield Triple(node, _word("answer"), Literal(verdict.verdict))
    for rule in verdict.cites:
        yield Triple(node, _word("turnsOn"), number_iri(release, rule))
    if verdict.requirements.maximum is None or verdict.requirements.maximum or verdict.requirements.obeyed:
        yield Triple(node, _word("obeys"), Literal(verdict.requirements.obeyed))
        if verdict.requirements.maximum is not None:
            yield Triple(node, _word("couldObey"), Literal(verdict.requirements.maximum))
    for text in verdict.not_understood:
        yield Triple(node, _word("notUnderstood"), Literal(text))
    for text in verdict.assumptions:
        yield Triple(node, _word("assumes"), Literal(text))
    for index, violation in enumerate(verdict.violations, 1):
        found = NamedNode(f"{verdict_iri}:violation:{index}")
        yield Triple(node, _word("hasViolation"), found)
        yield Triple(found, NamedNode(_RDF + "type"), _word("Violation"))
        yield Triple(found, _word("violates"), number_iri(release, violation.rule))
        yield Triple(found, NamedNode(_RDFS + "comment"), Literal(violation.message))
        for thing in violation.objects:
            yield Triple(found, _word("about"), Literal(thing))


def _word(name: str) -> NamedNode:
    from pyoxigraph import NamedNode

    return NamedNode(VOCABULARY + name)


def _prov(name: str) -> NamedNode:
    from pyoxigraph import NamedNode

    return NamedNode(_PROV + name)
