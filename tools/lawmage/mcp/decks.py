"""The tools about decks and cards: deck, pairings, card."""

from __future__ import annotations

from typing import Annotated

from mcp.server.mcpserver.exceptions import ToolError
from pydantic import Field

from lawmage.mcp.answering import Context, Result, asker_of, result
from lawmage.mcp.asking import one_file, source
from lawmage.mcp.judging import Release
from lawmage.mcp.shortening import shortened
from lawmage.mcp.words import card_lines, deck_lines, pairing_lines

__all__ = ["card", "deck", "pairings"]

_MOST = {"violations": 30, "cards": 20, "changes": 40, "notices": 20, "not_found": 20, "not_understood": 20}
_MOST_PAIRS = 200


async def deck(
    ctx: Context,
    deck: Annotated[str, Field(description="The list, as exported by any deck site or program; or lines such as `1 Sol Ring`.")],
    format: Annotated[
        str, Field(description="commander, brawl, standard-brawl, arena-brawl, oathbreaker, commander-draft, ...")
    ] = "commander",
    commanders: Annotated[list[str] | None, Field(description="The commander, or the two, if the list doesn't say.")] = None,
    companion: Annotated[str | None, Field(description="The companion, if the list doesn't say.")] = None,
    release: Release = None,
    ban_list: Annotated[str | None, Field(description="The day whose ban list counts; by default the newest known.")] = None,
    repair: Annotated[bool, Field(description="Look for a smallest set of changes where the deck is illegal.")] = True,
) -> Result:
    """Check a Commander deck, or one of a like format: every violation with its rule, and a smallest repair.

    For example:

        Commander
        1 Isamaru, Hound of Konda

        Deck
        99 Plains
    """
    found = await asker_of(ctx).tell(
        "deck",
        sources=[source("deck", deck)],
        format=format,
        commanders=commanders or [],
        companion=companion,
        release=release,
        ban_list=ban_list,
        repair=repair,
    )
    (answer,) = found["decks"]
    if "proposed" in answer and "error" in answer:  # which says how the command line is told
        raise ToolError(f"{answer['error'].rpartition('; ')[0]}; name one in commanders")
    short = shortened(one_file(found, "decks"), _MOST, without=frozenset({"file", "title", "counts"}))
    return result(deck_lines(short), short)


async def pairings(
    ctx: Context,
    name: Annotated[str | None, Field(description="A card; without it, all pairs are counted and the first are listed.")] = None,
    limit: Annotated[int, Field(description="How many pairs are listed; they are all counted.", ge=0, le=_MOST_PAIRS)] = 50,
    format: Annotated[str, Field(description="As for deck.")] = "commander",
    release: Release = None,
) -> Result:
    """List the legal second commanders for a card (partner, friends forever, backgrounds, Doctor's companions), with the rule for each."""
    found = await asker_of(ctx).tell("pairings", name=name, format=format, release=release)
    short = shortened(found, {"pairs": limit})
    return result(pairing_lines(short), short, more=f"limit goes up to {_MOST_PAIRS}, and name asks about one card")


async def card(
    ctx: Context,
    name: Annotated[str, Field(description="As people type it, of a card or of one of its faces.")],
    release: Release = None,
) -> Result:
    """Show a card: characteristics, keywords with their rules, what its text states in lawmage's words, what isn't understood."""
    found = await asker_of(ctx).tell("card", name=name, release=release)
    if not found["found"]:
        raise ToolError(found["error"])
    short = shortened(found, {"text": 4000, "states": 40}, without=frozenset({"oracle_id", "not_followed", "color_indicator"}))
    return result(card_lines(short), short)
