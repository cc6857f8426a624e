"""What queries are asked about: one release of the rules graph, the keywords and the vocabularies, as an RDF store.

In the default graph: the release that is asked about, every Turtle file of kb/ but the shapes, and what the queries of queries/derive/
add to it. The named graphs are the releases and the lineage between them, so far as they are asked for, since each takes time to load.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

import pyoxigraph
from pyoxigraph import Quad, RdfFormat, Store

from lawmage.errors import DataError, InputError
from lawmage.resources import data_folder
from lawmage.rulebook.rdf import quads, unpack
from lawmage.rulebook.store import SHIPPED_SUFFIX, load_graph, shipped_releases

__all__ = ["LINEAGE", "load_dataset", "named_graph"]

#: What the named graph of the lineage is called beside those of the releases, which are called by their dates.
LINEAGE = "lineage"


def load_dataset(release: str, *, graphs: Iterable[str] = (), added: Mapping[str, str] | None = None) -> Store:
    """Return a store to be queried.

    Args:
        release: the date of a known release.
        graphs: which named graphs there shall be: dates of known releases, `lineage`.
        added: Turtle documents to add to the default graph, such as verdicts, by the names that messages call them.

    Raises:
        UnknownNameError: if a release is not known.
        InputError: if a document that is added is no Turtle.
        DataError: if a file of lawmage's own data is missing or damaged.
    """
    store = Store()
    for name, document in (added or {}).items():
        try:
            store.bulk_extend(pyoxigraph.parse(document, format=RdfFormat.TURTLE))
        except SyntaxError as error:
            raise InputError(f"is not Turtle ({error})", file=name) from None
    store.bulk_extend(Quad(quad.subject, quad.predicate, quad.object) for quad in named_graph(release))
    store.bulk_extend(_catalogue())
    for query in sorted((data_folder("queries") / "derive").glob("*.rq")):
        derived = store.query(query.read_text(encoding="utf-8"))
        assert isinstance(derived, pyoxigraph.QueryTriples)
        store.bulk_extend([Quad(*triple) for triple in derived])
    for name in graphs:
        store.bulk_extend(named_graph(name))
    return store


def named_graph(name: str) -> Iterator[Quad]:
    """Yield the statements of a named graph, `lineage` or the date of a release, as it was shipped or as made from an installed text.

    Raises:
        UnknownNameError: if the release is not known.
        DataError: if its file is damaged.
    """
    path = data_folder("kb") / "rules" / f"{LINEAGE}{SHIPPED_SUFFIX}" if name == LINEAGE else shipped_releases().get(name)
    if path is None:
        yield from quads(load_graph(name))
        return
    try:
        yield from pyoxigraph.parse(unpack(path.read_bytes()), format=RdfFormat.TRIG)
    except (OSError, SyntaxError) as error:
        raise DataError(f"{path} can't be read ({error}); install lawmage again") from None


def _catalogue() -> Iterator[Quad]:
    for path in sorted(data_folder("kb").rglob("*.ttl")):
        if path.name == "shapes.ttl":
            continue
        try:
            yield from pyoxigraph.parse(path=str(path), format=RdfFormat.TURTLE)
        except (OSError, SyntaxError) as error:
            raise DataError(f"{path} can't be read ({error}); install lawmage again") from None
