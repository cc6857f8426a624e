"""`lawmage export`: releases, or what is around one rule, as files for other programs and as a page to look at."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lawmage.cli._shared import JsonFlag, emit_json, stderr
from lawmage.errors import InputError
from lawmage.places import is_folder, is_there
from lawmage.rulebook.export_format import Format

if TYPE_CHECKING:
    from collections.abc import Sequence

    from lawmage.rulebook.graph import RulesGraph

__all__ = ["register"]

_SUFFIXES = {
    ".ttl": Format.TURTLE,
    ".trig": Format.TRIG,
    ".jsonld": Format.JSON_LD,
    ".nq": Format.N_QUADS,
    ".graphml": Format.GRAPHML,
    ".dot": Format.DOT,
    ".gv": Format.DOT,
    ".mmd": Format.MERMAID,
    ".html": Format.HTML,
}
#: Mermaid draws no more arrows unless it is configured to.
_MERMAID_ARROWS = 500


def register(app: typer.Typer) -> None:
    """Add the command to `app`."""
    app.command("export", epilog="Example: lawmage export --rule 702.2 --depth 2 -o deathtouch.html")(export_)


def export_(
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", readable=False, help="Where to write (default: standard output).")
    ] = None,
    form: Annotated[Format | None, typer.Option("--format", help="By default the one that FILE's ending says.")] = None,
    rule: Annotated[str | None, typer.Option("--rule", metavar="NUMBER", help="Only what is around this rule.")] = None,
    depth: Annotated[int, typer.Option("--depth", min=1, max=20, metavar="N", help="How many references around it.")] = 1,
    release: Annotated[
        list[str] | None, typer.Option("--release", metavar="DATE", help="A release (default: newest known); may be repeated.")
    ] = None,
    all_releases: Annotated[bool, typer.Option("--all-releases", help="Every known release.")] = False,
    force: Annotated[bool, typer.Option("--force", help="Replace FILE if it exists.")] = False,
    as_json: JsonFlag = False,
) -> None:
    """Write the rules graph for other programs (RDF, GraphML, DOT, Mermaid), or as a page to look at (HTML). No rules text.

    The page holds the texts of the rules around --rule if they are installed.
    """
    from lawmage.rulebook.store import choose_release, installed_releases, load_graph, shipped_releases

    output = None if output == Path("-") else output
    chosen = _format(form, output)
    if as_json and output is None:
        raise InputError("--json describes the file that is written; name it with -o FILE")
    if output is not None:
        _refuse(output, force=force)
    known = sorted({*shipped_releases(), *installed_releases()})
    names = known if all_releases else sorted({choose_release(name) for name in release or (None,)})
    if len(names) > 1 and not chosen.is_rdf:
        raise InputError(f"{chosen} holds one release at a time, not {len(names)}; the formats of RDF hold several")
    graphs = [load_graph(name) for name in names]
    document = _document(graphs, chosen, rule, depth)
    if chosen is Format.MERMAID and document.count(b"\n") > _MERMAID_ARROWS:
        stderr().print(f"Mermaid draws at most {_MERMAID_ARROWS} arrows unless its maxEdges says otherwise; --rule takes a part.")
    if output is None:
        sys.stdout.buffer.write(document)
        return
    _write(output, document)
    if as_json:
        emit_json({"file": str(output), "format": chosen, "releases": names, "rule": rule, "bytes": len(document)})
    else:
        stderr().print(f"{output}: {len(document):,} bytes", markup=False)


def _format(form: Format | None, output: Path | None) -> Format:
    found = form or (_SUFFIXES.get(output.suffix.lower()) if output else None)
    if found is None:
        raise InputError(f"say in which format: --format {', '.join(Format)}; or -o FILE with an ending of {', '.join(_SUFFIXES)}")
    return found


def _document(graphs: Sequence[RulesGraph], form: Format, rule: str | None, depth: int) -> bytes:
    from lawmage.rulebook.export import export

    if form is not Format.HTML:
        return export(graphs, form, number=rule, depth=depth)
    from lawmage.rulebook.page import make_page
    from lawmage.rulebook.store import load_installed

    graph = graphs[0]
    if rule is None:
        raise InputError("a page is about one rule; name it with --rule NUMBER")
    installed = load_installed(graph.release)
    return make_page(graph, graph.find(rule).number, depth, installed.rulebook if installed else None).encode()


def _refuse(output: Path, *, force: bool) -> None:
    if is_folder(output):
        raise InputError("is a folder, and a file is to be written", file=output)
    if is_there(output) and not force:
        raise InputError("exists already; --force replaces it", file=output)


def _write(output: Path, document: bytes) -> None:
    from lawmage.rulebook.store import write_aside

    try:
        write_aside(output, document)
    except OSError as error:
        raise InputError(f"can't be written ({error.strerror or error})", file=output) from None
