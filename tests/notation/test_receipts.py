"""Receipts of dice locks: their form, what is signed, and how they are compared with a record."""

import json
from dataclasses import replace

import pytest

from fairness import outsider
from fivedice.core.notation.receipts import (
    Receipt,
    check_receipt,
    key_id,
    read_key,
    read_receipt,
    table_mark,
    write_receipt,
)
from fivedice.errors import IllegalRecord, MalformedError
from for_each import for_each

LOCK = "ab" * 32
RECEIPT = Receipt(
    "fivedice-receipt-1", "Zm9vYmFy_-0", "2026-11-16T02:50:00.123Z", LOCK, bytes(range(32)).hex(), "cd" * 64
)
TAGS = {"Table": table_mark(RECEIPT.table), "Begun": RECEIPT.time}


def test_receipt_format_and_signed_lines() -> None:
    assert RECEIPT.signed == (b"fivedice-receipt-1\nZm9vYmFy_-0\n2026-11-16T02:50:00.123Z\n" + b"ab" * 32 + b"\n"), (
        "receipts that people keep could not be checked any more"
    )
    assert RECEIPT.key_id == key_id(RECEIPT.key) == "630dcd2966c43366"
    assert table_mark("Zm9vYmFy_-0") == "2453c405b32f25eeac233b6186db9f8e"
    assert read_receipt(write_receipt(RECEIPT)) == RECEIPT
    with pytest.raises(MalformedError, match="a part 'more', which no receipt has"):
        read_receipt(json.dumps(json.loads(write_receipt(RECEIPT)) | {"more": 1}))
    with pytest.raises(MalformedError, match="'lock'"):
        read_receipt(write_receipt(RECEIPT).strip().removesuffix("}") + f', "lock": "{LOCK}"}}')


def test_keys_without_a_private_key_are_refused() -> None:
    """Any signature fits the identity, and some fit points of order 2, 4 and 8: found by a second program's curve."""
    points = (outsider.point_of(number.to_bytes(32, "little")) for number in range(2, 50))
    small = [outsider.times(outsider.Q, point) for point in points if point is not None]
    heights = {affine(outsider.times(number, point)) for point in small for number in range(8)}
    assert len(heights) == 5
    for height in heights | {height + outsider.P for height in heights if height < 19}:
        for sign in (0, 1 << 255):
            with pytest.raises(MalformedError, match="64 digits"):
                read_key((height | sign).to_bytes(32, "little").hex())


def affine(point: outsider.Point) -> int:
    return point[1] * pow(point[2], -1, outsider.P) % outsider.P


@for_each("text", ["", "{", "[]", "null", "[" * 1500, '{"a": "' + "x" * 2000 + '"}'])
def test_invalid_receipt_is_quoted(text: str) -> None:
    with pytest.raises(MalformedError, match="not a receipt"):
        read_receipt(text)


@for_each(
    ("name", "value"),
    [
        ("format", "fivedice-receipt-2"),
        ("table", "a\nb"),
        ("table", ""),
        ("time", "2026-11-16T02:50:00Z"),
        ("time", "2026-11-16T02:50:00.123Z\n"),
        ("time", "2026-11-16T02:50:00.123+00:00"),
        ("lock", "AB" * 32),
        ("key", "ab" * 31),
        ("signature", None),
        ("signature", 7),
    ],
)
def test_each_part_has_one_form(name: str, value: object) -> None:
    """Else two texts could be signed by the same bytes."""
    with pytest.raises(MalformedError, match=f"its part {name} is"):
        read_receipt(json.dumps(json.loads(write_receipt(RECEIPT)) | {name: value}))


def test_key_is_read_in_any_notation() -> None:
    assert read_key(f" {RECEIPT.key.upper()}\n") == RECEIPT.key
    for text in ("", RECEIPT.key_id, RECEIPT.key + "0"):
        with pytest.raises(MalformedError, match="64 digits"):
            read_key(text)


def test_receipt_is_compared_with_the_record() -> None:
    for tags in ({}, TAGS, {"Table": TAGS["Table"]}, TAGS | {"Begun": "2026-11-16T02:50:00.124Z"}):
        check_receipt(RECEIPT, LOCK, tags)
    with pytest.raises(IllegalRecord, match="for the dice lock"):
        check_receipt(RECEIPT, "cd" * 32, {})
    with pytest.raises(IllegalRecord, match="for the game"):
        check_receipt(replace(RECEIPT, table="another"), LOCK, TAGS)
    with pytest.raises(IllegalRecord, match="had begun"):
        check_receipt(RECEIPT, LOCK, TAGS | {"Begun": "2026-11-16T02:50:00.122Z"})
    with pytest.raises(MalformedError, match="needs a time"):
        check_receipt(RECEIPT, LOCK, TAGS | {"Begun": "yesterday"})
