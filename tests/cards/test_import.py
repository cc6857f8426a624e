"""Importing cards: what is recognised, what the cards become, and what leaves everything as it was."""

from __future__ import annotations

import bz2
import gzip
import json
import lzma
import os
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from typer.testing import CliRunner

from lawmage.cards.card import Card
from lawmage.cards.importing import import_cards, make_cards
from lawmage.cards.sources import Record
from lawmage.cards.spelling import key
from lawmage.cards.store import CardStore, installed_file
from lawmage.cli import app
from lawmage.constraints import Constraint
from lawmage.errors import DataError, InputError

from .published import MTGJSON, SCRYFALL, atomic, identifier, mtgjson, scryfall, write

LINES = "\n".join(json.dumps(card) for card in SCRYFALL) + "\n"
ARRAY = json.dumps(SCRYFALL)


@pytest.fixture(autouse=True)
def home(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("LAWMAGE_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def imported(path: Path) -> list[Card]:
    """Import a file and return the cards."""
    import_cards(path, processes=1)
    with CardStore.open(installed_file()) as store:
        return list(store.cards())


@pytest.fixture
def from_scryfall(tmp_path: Path) -> dict[str, Card]:
    return {card.name: card for card in imported(write(tmp_path / "cards.json", SCRYFALL))}


# ---------------------------------------------------------------- what is recognised


FORMS: dict[str, bytes] = {
    "array": ARRAY.encode(),
    "array with a mark": b"\xef\xbb\xbf" + ARRAY.encode(),
    "array over lines": json.dumps(SCRYFALL, indent=1).encode(),
    "lines": LINES.encode(),
    "lines without the last break": LINES.strip().encode(),
    "list object": json.dumps({"object": "list", "total_cards": 4, "has_more": False, "data": SCRYFALL}).encode(),
    "list object, the other way": json.dumps({"data": SCRYFALL, "object": "list"}).encode(),
    "AtomicCards": json.dumps(atomic(*MTGJSON)).encode(),
    "AtomicCards, the other way": json.dumps(dict(reversed(atomic(*MTGJSON).items()))).encode(),
    "escaped": json.dumps(SCRYFALL, ensure_ascii=True).encode(),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_gives_the_same_cards(tmp_path: Path, from_scryfall: dict[str, Card], form: str) -> None:
    path = tmp_path / "another.json"
    path.write_bytes(FORMS[form])
    cards = imported(path)
    assert {card.name: card for card in cards} == from_scryfall


def zipped(content: bytes, *names: str) -> bytes:
    import io

    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, content)
    return held.getvalue()


@pytest.mark.parametrize(
    "pack",
    [
        gzip.compress,
        lzma.compress,
        bz2.compress,
        lambda content: zipped(content, "AtomicCards.json"),
        lambda content: lzma.compress(content[:500]) + lzma.compress(content[500:]),
        lambda content: gzip.compress(content[:500]) + gzip.compress(content[500:]),
    ],
    ids=["gz", "xz", "bz2", "zip", "two xz streams", "two gz streams"],
)
@pytest.mark.parametrize("form", ["lines", "AtomicCards"])
def test_compressed(tmp_path: Path, from_scryfall: dict[str, Card], form: str, pack: Callable[[bytes], bytes]) -> None:
    path = tmp_path / "whatever it is called"
    path.write_bytes(pack(FORMS[form]))
    assert {card.name: card for card in imported(path)} == from_scryfall


def test_pieces_may_end_anywhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, from_scryfall: dict[str, Card]) -> None:
    path = tmp_path / "pieces.json"
    for form in ("array over lines", "lines", "list object", "AtomicCards"):
        path.write_bytes(FORMS[form])
        for size in (7, 64):
            monkeypatch.setattr("lawmage.cards.unpacking._PIECE", size)
            assert {card.name: card for card in imported(path)} == from_scryfall


def test_by_several_processes(tmp_path: Path) -> None:
    path = write(tmp_path / "many.json", [scryfall(f"Elf {number}", power=str(number)) for number in range(600)])
    heard: list[tuple[int, int]] = []
    import_cards(path, processes=2, progress=lambda read, size: heard.append((read, size)))
    assert heard[-1] == (path.stat().st_size, path.stat().st_size)
    with CardStore.open(installed_file()) as store:
        assert {card.faces[0].power: card.name for card in store.cards()} == {str(number): f"Elf {number}" for number in range(600)}


class Deadly:
    """Ends the process that it is sent to."""

    def __reduce__(self) -> tuple[Callable[[int], object], tuple[int]]:
        return os._exit, (1,)


def test_a_process_that_is_killed() -> None:
    records = [cast(Record, Deadly())] * 300
    with pytest.raises(DataError, match="was ended from outside"):
        list(make_cards(records, processes=2))


# ---------------------------------------------------------------- what the cards become


def test_characteristics(from_scryfall: dict[str, Card]) -> None:
    elf, split, wolf, land = (from_scryfall[name] for name in ("Plain Elf", "Cold // Warm", "Calm Youth // Wild Wolf", "Quiet Grove"))
    assert elf.faces[0].types == ("creature",)
    assert elf.faces[0].subtypes == ("Elf",)
    assert elf.faces[0].constraints == (Constraint("cannot_block", source="This creature can't block."),)
    assert (elf.mana_value, elf.color_identity, elf.legalities, elf.game_changer) == (2, ("green",), {"commander": "legal"}, True)
    assert split.mana_value == 4
    assert [face.colors for face in split.faces] == [("blue",), ("red",)]
    assert split.color_identity == ("blue", "red")
    front, back = wolf.faces
    assert (wolf.mana_value, front.mana_cost, back.mana_cost) == (2, "{1}{G}", None)
    assert (back.colors, back.color_indicator, back.power, back.toughness) == (("red",), ("red",), "*", "1+*")
    assert (back.keywords, [made.kind for made in back.constraints]) == (("Trample",), ["attacks_if_able"])
    assert (land.faces[0].supertypes, land.faces[0].types, land.faces[0].subtypes) == (("basic", "snow"), ("land",), ("Forest",))
    # its symbol stands in reminder text; 903.5d is about its type
    assert (land.mana_value, land.color_identity, land.faces[0].activated) == (0, (), True)


def test_names(tmp_path: Path) -> None:
    printings = [
        scryfall("Plain Elf", id="1", flavor_name="Elf of Legend"),
        scryfall("Plain Elf", id="2", printed_name="Elfe"),
        scryfall("Plain Elf", id="3", printed_name="Duende", lang="es"),
        scryfall("Plain Elf", id="4", flavor_name="エルフ"),
        scryfall("Cold // Warm", layout="split", card_faces=[scryfall("Cold"), scryfall("Warm")]),
        scryfall("Half of It // The Whole", layout="meld"),
    ]
    import_cards(write(tmp_path / "default-cards.json", printings), processes=1)
    with CardStore.open(installed_file()) as store:
        found = {
            name: [(store.card(one).name, kind) for one, kind in store.by_key(key(name))] for name in ("Elf of Legend", "Elfe", "warm")
        }
        assert found == {
            "Elf of Legend": [("Plain Elf", "other")],
            "Elfe": [("Plain Elf", "other")],
            "warm": [("Cold // Warm", "face")],
        }
        assert [kind for _, kind in store.by_key(key("Half of It"))] == ["face"]
        assert store.by_key(key("The Whole")) == store.by_key("duende") == store.by_key("") == []
        assert store.count == 3


def test_a_card_that_is_the_same_on_both_sides(tmp_path: Path) -> None:
    face = scryfall("Plain Elf", layout="normal")
    both = {key: value for key, value in face.items() if key not in ("oracle_id", "cmc", "type_line", "mana_cost")}
    both |= {"layout": "reversible_card", "name": "Plain Elf // Plain Elf", "card_faces": [face, face]}
    (card,) = imported(write(tmp_path / "cards.json", [both]))
    assert (card.name, card.layout, card.oracle_id, len(card.faces), card.mana_value) == ("Plain Elf", "normal", face["oracle_id"], 1, 2)


def test_the_same_as_the_other_publisher_has_it(tmp_path: Path) -> None:
    faces = [mtgjson("Plain Elf // Plain Elf", faceName="Plain Elf", side=side, layout="reversible_card") for side in "ab"]
    (card,) = imported(write(tmp_path / "cards.json", atomic(*faces)))
    assert (card.name, card.layout, len(card.faces)) == ("Plain Elf", "normal", 1)


def test_what_two_cards_meld_into(tmp_path: Path) -> None:
    whole = {"identifiers": {"scryfallOracleId": identifier("The Whole")}, "faceName": "The Whole", "side": "b", "layout": "meld"}
    faces = [
        face
        for half in ("Left // The Whole", "Right // The Whole")
        for face in (mtgjson(half, faceName=half.split(" // ")[0], side="a", layout="meld"), mtgjson(half, **whole))
    ]
    cards = imported(write(tmp_path / "cards.json", atomic(*faces)))
    assert [(card.name, [face.name for face in card.faces]) for card in cards] == [
        ("Left // The Whole", ["Left"]),
        ("Right // The Whole", ["Right"]),
        ("The Whole", ["The Whole"]),
    ]


def test_what_is_no_card_is_left_out(tmp_path: Path) -> None:
    others = [scryfall(f"Thing {layout}", layout=layout) for layout in ("token", "double_faced_token", "emblem", "art_series")]
    (card,) = imported(write(tmp_path / "cards.json", [*others, scryfall("Plain Elf")]))
    assert card.name == "Plain Elf"


def test_cards_without_an_identifier_have_one_of_their_name(tmp_path: Path) -> None:
    (one,) = imported(write(tmp_path / "one.json", [scryfall("Plain Elf", oracle_id=None)]))
    (two,) = imported(write(tmp_path / "two.json", atomic(mtgjson("Plain Elf", identifiers={"scryfallOracleId": None}))))
    assert one.oracle_id == two.oracle_id


@pytest.mark.parametrize(
    ("text", "colors", "indicator", "identity"),
    [
        ("Test Card is all colors.", "WUBRG", "", "WUBRG"),
        ("Test Card is all colors. This ability doesn't affect its color identity.", "WUBRG", "", ""),
        ("Test Card is colorless.", "R", "", ""),
        ("", "R", "R", "R"),
        ("{W/U}, {T}: Draw a card. ({B}: No.)", "", "", "WU"),
        ("Pay {2/R} or {G/P}.", "", "", "RG"),
    ],
)
def test_colors(tmp_path: Path, text: str, colors: str, indicator: str, identity: str) -> None:
    words = {"W": "white", "U": "blue", "B": "black", "R": "red", "G": "green"}
    made = scryfall("Test Card", mana_cost="{4}", oracle_text=text, colors=list(colors), color_identity=[])
    (card,) = imported(write(tmp_path / "cards.json", [made]))
    assert card.faces[0].color_indicator == tuple(words[letter] for letter in indicator)
    assert card.color_identity == tuple(words[letter] for letter in identity)
    assert card.faces[0].colors == (() if "colorless" in text else tuple(words[letter] for letter in colors))


@pytest.mark.parametrize(
    ("cost", "value"),
    [("", 0), ("{0}", 0), ("{X}{X}{3}{W}", 4), ("{2/W}{2/W}", 4), ("{G/U/P}", 1), ("{C}{S}", 2), ("{W/P}{C/R}", 2), ("{1000000}", 10**6)],
)
def test_mana_value(tmp_path: Path, cost: str, value: int) -> None:
    (card,) = imported(write(tmp_path / "cards.json", [scryfall("Test Card", mana_cost=cost)]))
    assert card.mana_value == value


@pytest.mark.parametrize(
    ("text", "activated"),
    [
        ("{T}: Add {G}.", True),
        ("Sacrifice a creature: Draw a card.", True),
        ("+1: Draw a card.", True),
        ("Equip {2}", True),
        ("Boast — {1}: Draw a card.", True),
        ('Enchanted creature has "{T}: Draw a card."', False),
        ("({T}: Add {G}.)", False),
        ("Choose one —\n• Draw a card.\n• You gain 2 life.", False),
        ("Flying", False),
    ],
)
def test_activated_abilities(tmp_path: Path, text: str, activated: bool) -> None:
    (card,) = imported(write(tmp_path / "cards.json", [scryfall("Test Card", oracle_text=text)]))
    assert card.faces[0].activated is activated


@pytest.mark.parametrize(
    ("line", "supertypes", "types", "subtypes"),
    [
        ("Legendary Creature — Time Lord Doctor", ("legendary",), ("creature",), ("Time Lord", "Doctor")),
        ("Plane — The Long Way Home", (), ("plane",), ("The Long Way Home",)),
        ("Basic Snow Land — Forest", ("basic", "snow"), ("land",), ("Forest",)),
        ("Kindred Instant — Elf", (), ("kindred", "instant"), ("Elf",)),
        ("Sorcery", (), ("sorcery",), ()),
    ],
)
def test_type_lines(tmp_path: Path, line: str, supertypes: tuple[str, ...], types: tuple[str, ...], subtypes: tuple[str, ...]) -> None:
    (card,) = imported(write(tmp_path / "cards.json", [scryfall("Test Card", type_line=line)]))
    face = card.faces[0]
    assert (face.supertypes, face.types, face.subtypes) == (supertypes, types, subtypes)


def test_a_card_published_with_its_front_alone_has_the_publishers_identity(tmp_path: Path) -> None:
    (card,) = imported(write(tmp_path / "cards.json", [scryfall("Plain Elf // Red Deed", layout="adventure", color_identity=["G", "R"])]))
    assert (card.faces[0].name, card.color_identity) == ("Plain Elf", ("red", "green"))


def test_game_changers_are_unknown_where_none_is_marked(tmp_path: Path) -> None:
    (card,) = imported(write(tmp_path / "one.json", atomic(mtgjson("Plain Elf"))))
    assert card.game_changer is None
    other, elf = imported(write(tmp_path / "two.json", atomic(mtgjson("Plain Elf"), mtgjson("Other Elf", isGameChanger=True))))
    assert (other.game_changer, elf.game_changer) == (True, False)


# ---------------------------------------------------------------- dates


def test_dates(tmp_path: Path) -> None:
    assert import_cards(write(tmp_path / "a.json", atomic(*MTGJSON, date="2025-01-02")), processes=1).date == "2025-01-02"
    assert import_cards(write(tmp_path / "oracle-cards-20260822090312.json", SCRYFALL), processes=1).date == "2026-08-22"
    path = write(tmp_path / "oracle-cards.json", SCRYFALL)
    os.utime(path, (86_400 * 365, 86_400 * 365))
    assert import_cards(path, processes=1).date == "1971-01-01"
    assert import_cards(path, processes=1, date="2026-03-04").date == "2026-03-04"


@pytest.mark.parametrize("meta", [None, [], {}, {"date": "soon"}, {"date": 5}])
def test_dates_that_are_none(tmp_path: Path, meta: object) -> None:
    path = write(tmp_path / "AtomicCards-2026-03-04.json", atomic(*MTGJSON) | {"meta": meta})
    assert import_cards(path, processes=1).date == "2026-03-04"


# ---------------------------------------------------------------- what is refused


def changed(**values: Any) -> bytes:
    return json.dumps([{key: value for key, value in (scryfall("Plain Elf") | values).items() if value != "gone"}]).encode()


BOMB = b"[" + b" " * 2**26 + b"]"
BAD: dict[str, tuple[bytes, str]] = {
    "cut off": (ARRAY.encode()[:-700], "cut off"),
    "cut off between cards": (json.dumps([SCRYFALL[0]]).encode()[:-1], "cut off"),
    "lines cut off": (LINES.encode()[:-100], "cut off"),
    "AtomicCards cut off": (FORMS["AtomicCards"][:-60], "cut off"),
    "cut off in a letter": ('[{"name": "É'.encode()[:-1], "isn't UTF-8, or was cut off"),
    "gz cut off": (gzip.compress(ARRAY.encode())[:-30], "damaged or cut off"),
    "xz cut off": (lzma.compress(ARRAY.encode())[:-30], "damaged or cut off"),
    "bz2 cut off": (bz2.compress(ARRAY.encode())[:-30], "damaged or cut off"),
    "zip cut off": (zipped(ARRAY.encode(), "a.json")[:-30], "damaged or cut off"),
    "xz damaged": (lzma.compress(ARRAY.encode())[:100] + b"xxxx" + lzma.compress(ARRAY.encode())[104:], "damaged or cut off"),
    "zip of several": (zipped(ARRAY.encode(), "a.json", "b.json"), "2 JSON files; expected one"),
    "zip of none": (zipped(ARRAY.encode(), "a.txt"), "0 JSON files; expected one"),
    "nothing in it": (b"[]", "has no cards"),
    "no cards in it": (json.dumps(atomic()).encode(), "has no cards"),
    "another object": (b'{"decks": []}', "has no cards; expected Scryfall's"),
    "another list": (b"[1, 2]", "isn't an object"),
    "all printings": (json.dumps({"meta": {}, "data": {"ABC": {"cards": []}}}).encode(), "expected MTGJSON's AtomicCards"),
    "more behind it": (ARRAY.encode() + b"{}", "goes on behind the cards"),
    "no name": (changed(name="gone"), "card 1 has no name"),
    "no layout": (changed(layout="gone"), 'card 1 ("Plain Elf") has no layout'),
    "no type line": (changed(type_line="gone"), "has no type_line"),
    "no legalities": (changed(legalities="gone"), "lacks its legalities"),
    "no identity": (changed(color_identity="gone"), "lacks its legalities or color_identity"),
    "a number as a name": (changed(name=["x"]), "has a name that is no text"),
    "a bad identifier": (changed(oracle_id="x"), "expected a UUID"),
    "bad colors": (changed(colors=["Q"]), "has colors that are not letters of colors"),
    "a bad mana value": (changed(cmc="two"), "has a cmc that is no number"),
    "a huge mana value": (changed(cmc=1e300), "has a cmc that is no number"),
    "no number": (b'[{"name": "x", "cmc": NaN}]', "has no layout"),
    "many digits": (b'[{"cmc": ' + b"1" * 5000 + b"}]", "a number is too long"),
    "bad faces": (changed(card_faces="x"), "card_faces that are not a few objects"),
    "many faces": (changed(card_faces=[{}] * 11), "card_faces that are not a few objects"),
    "a long text": (changed(oracle_text="x" * 30_000), "no text of a card's length"),
    "bad legalities": (changed(legalities={"commander": 1}), "has legalities that are no texts"),
    "a bad flag": (changed(game_changer="yes"), "neither true nor false"),
    "one identifier, two names": (
        json.dumps([SCRYFALL[0], scryfall("Other Elf", oracle_id=SCRYFALL[0]["oracle_id"])]).encode(),
        'gives "Plain Elf" and "Other Elf" the same oracle id',
    ),
    "one name, two cards": (
        json.dumps([SCRYFALL[0], scryfall("Plain Elf", oracle_id=SCRYFALL[1]["oracle_id"])]).encode(),
        'has two legal cards called "Plain Elf"',
    ),
    "one name twice": (b'{"data": {"A": [%s], "A": []}}' % json.dumps(mtgjson("A")).encode(), 'has "A" twice'),
    "nested deep": (b"[" * 100_000, "nested too deep"),
    "objects nested deep": (b'[{"a":' * 100_000, "nested too deep"),
    "nested deep in a card": (b'[{"name": ' + b"[" * 100_000, "nested too deep"),
    "a long string": (b'["' + b"x" * 2**23, "has a value of more than 4 MB"),
    "gz bomb": (gzip.compress(BOMB), "has no cards"),
    "bomb of a string": (gzip.compress(b'[{"name": "' + b"x" * 2**26), "has a value of more than 4 MB"),
    "zip bomb of zeros": (zipped(bytes(2**26), "a.json"), "holds no JSON"),
    "no UTF-8": (b'[{"name": "\xff"}]', "isn't UTF-8"),
    "wide letters": (ARRAY.encode("utf-16"), "isn't"),
    "control characters": (b'[{"name": "a\x00"}]', "isn't valid JSON"),
    "an array in quotes": (b'"[]"', "holds no JSON"),
}


@pytest.mark.parametrize("fault", BAD)
def test_faults_change_nothing(tmp_path: Path, home: Path, fault: str) -> None:
    content, said = BAD[fault]
    import_cards(write(tmp_path / "good.json", SCRYFALL), processes=1)
    before = {path.name: path.read_bytes() for path in home.iterdir()}
    bad = tmp_path / "bad.json"
    bad.write_bytes(content)
    with pytest.raises(InputError) as caught:
        import_cards(bad, processes=1)
    sentence = str(caught.value)
    assert said in sentence
    assert sentence.startswith(str(bad))
    assert sentence.isprintable()
    assert len(sentence) < 400
    assert {path.name: path.read_bytes() for path in home.iterdir()} == before


def test_too_large_when_unpacked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("lawmage.cards.unpacking.LARGEST", 2**20)
    path = tmp_path / "bomb.gz"
    path.write_bytes(gzip.compress(BOMB))
    with pytest.raises(InputError, match="when it is unpacked"):
        import_cards(path)


def test_too_many_cards(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("lawmage.cards.importing._MOST_CARDS", 3)
    with pytest.raises(InputError, match="has more than 3 cards"):
        import_cards(write(tmp_path / "cards.json", SCRYFALL), processes=1)


def test_an_xz_file_that_wants_much_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("lawmage.cards.unpacking._MEMORY", 2**20)
    path = tmp_path / "greedy.xz"
    path.write_bytes(lzma.compress(ARRAY.encode()))
    with pytest.raises(InputError, match="damaged or cut off"):
        import_cards(path)


def test_a_folder_and_nothing(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="can't be read"):
        import_cards(tmp_path)
    with pytest.raises(InputError, match=r"can't be read \(No such file"):
        import_cards(tmp_path / "missing.json")


def test_a_home_that_cannot_be_written_to(tmp_path: Path, home: Path) -> None:
    home.write_text("a file")
    with pytest.raises(InputError, match="can't be written"):
        import_cards(write(tmp_path / "cards.json", SCRYFALL), processes=1)


# ---------------------------------------------------------------- the command


def run(*arguments: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["data", *arguments], env={"COLUMNS": "80", "NO_COLOR": "1"})
    assert result.exception is None or isinstance(result.exception, SystemExit)
    return result.exit_code, result.stdout, result.stderr


def test_for_people(tmp_path: Path) -> None:
    good = str(write(tmp_path / "good.json", atomic(*MTGJSON)))
    assert run("import", good) == (0, "Cards of 2026-08-07 from MTGJSON: 4 cards with 6 faces\n", "")
    bad = tmp_path / "bad.json"
    bad.write_bytes(b"[")
    status, out, err = run("import", str(bad), good)
    assert (status, out) == (2, "Cards of 2026-08-07 from MTGJSON: 4 cards with 6 faces\n")
    assert err.startswith(f"error: {bad}:1: isn't valid JSON")
    assert "4 with text, from MTGJSON, good.json, as of 2026-08-07" in run("status")[1]


def test_for_programs(tmp_path: Path) -> None:
    good, bad = write(tmp_path / "good.json", SCRYFALL), tmp_path / "missing.json"
    status, out, _ = run("import", "--json", str(good), str(bad))
    assert status == 2
    one, two = json.loads(out)["files"]
    assert (one["file"], one["kind"], one["source"], one["cards"], one["faces"]) == (str(good), "cards", "Scryfall", 4, 6)
    assert two == {"file": str(bad), "error": f"{bad}: can't be read (No such file or directory)"}
    cards = json.loads(run("status", "--json")[1])["cards"]
    assert (cards["installed"]["cards"], cards["installed"]["texts"], cards["shipped"]["texts"]) == (4, True, False)


def test_texts_that_another_version_has_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lawmage.cards.store.__version__", "0.0.1")
    import_cards(write(tmp_path / "good.json", SCRYFALL), processes=1)
    assert "their texts were read by lawmage 0.0.1, import them again" in run("status")[1]


def test_a_damaged_store_is_named(home: Path) -> None:
    home.mkdir()
    installed_file().write_bytes(b"not a store")
    status, out, _ = run("status")
    assert status == 0
    assert "cards.sqlite can't be read" in out
