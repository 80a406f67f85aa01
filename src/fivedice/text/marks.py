"""The marks and plural forms of each language. Written by `tools/make_marks.py` from CLDR."""
# ruff: noqa: E501

from __future__ import annotations

from typing import NamedTuple


class Marks(NamedTuple):
    name: str  # of the language, in the language
    decimal: str
    group: str
    percent: str
    both: str  # the end of a list
    either: str
    samples: dict[str, int]  # a number for each plural form
    day: str  # of a year
    months: str  # their short names


# fmt: off
MARKS = {
    "en": Marks('English', '.', ',', '{number}%', '{some} and {last}', '{some} or {last}', {'other': 0, 'one': 1}, '{day} {month} {year}', 'Jan Feb Mar Apr May Jun Jul Aug Sept Oct Nov Dec'),
    "da": Marks('Dansk', ',', '.', '{number}\xa0%', '{some} og {last}', '{some} eller {last}', {'other': 0, 'one': 1}, '{day}. {month} {year}', 'jan. feb. mar. apr. maj jun. jul. aug. sep. okt. nov. dec.'),
    "de": Marks('Deutsch', ',', '.', '{number}\xa0%', '{some} und {last}', '{some} oder {last}', {'other': 0, 'one': 1}, '{day}. {month} {year}', 'Jan. Feb. März Apr. Mai Juni Juli Aug. Sept. Okt. Nov. Dez.'),
    "es": Marks('Español', ',', '.', '{number}\xa0%', '{some} y {last}', '{some} o {last}', {'other': 0, 'one': 1}, '{day} {month} {year}', 'ene feb mar abr may jun jul ago sept oct nov dic'),
    "fi": Marks('Suomi', ',', '\xa0', '{number}\xa0%', '{some} ja {last}', '{some} tai {last}', {'other': 0, 'one': 1}, '{day}.{number}.{year}', 'tammi helmi maalis huhti touko kesä heinä elo syys loka marras joulu'),
    "fr": Marks('Français', ',', '\u202f', '{number}\xa0%', '{some} et {last}', '{some} ou {last}', {'one': 0, 'other': 2}, '{day} {month} {year}', 'janv. févr. mars avr. mai juin juil. août sept. oct. nov. déc.'),
    "it": Marks('Italiano', ',', '.', '{number}%', '{some} e {last}', '{some} o {last}', {'other': 0, 'one': 1}, '{day} {month} {year}', 'gen feb mar apr mag giu lug ago set ott nov dic'),
    "nb": Marks('Norsk bokmål', ',', '\xa0', '{number}\xa0%', '{some} og {last}', '{some} eller {last}', {'other': 0, 'one': 1}, '{day}. {month} {year}', 'jan. feb. mars apr. mai juni juli aug. sep. okt. nov. des.'),
    "nl": Marks('Nederlands', ',', '.', '{number}%', '{some} en {last}', '{some} of {last}', {'other': 0, 'one': 1}, '{day} {month} {year}', 'jan feb mrt apr mei jun jul aug sep okt nov dec'),
    "pl": Marks('Polski', ',', '\xa0', '{number}%', '{some} i {last}', '{some} lub {last}', {'many': 0, 'one': 1, 'few': 2}, '{day} {month} {year}', 'sty lut mar kwi maj cze lip sie wrz paź lis gru'),
    "pt-BR": Marks('Português (Brasil)', ',', '.', '{number}%', '{some} e {last}', '{some} ou {last}', {'one': 0, 'other': 2}, '{day} de {month} de {year}', 'jan. fev. mar. abr. mai. jun. jul. ago. set. out. nov. dez.'),
    "sv": Marks('Svenska', ',', '\xa0', '{number}\xa0%', '{some} och {last}', '{some} eller {last}', {'other': 0, 'one': 1}, '{day} {month} {year}', 'jan. feb. mars apr. maj juni juli aug. sep. okt. nov. dec.'),
}
