"""The print layout of an invented shop. Most properties are drawn separately, so that few shops have the same layout."""

import random
from dataclasses import dataclass

CURRENCY = {"DE": "EUR", "AT": "EUR", "CH": "CHF"}

QUANTITY_FORMS = (
    "{n} x {p}", "{n} Stk x {p}", "{n} Stk. à {p}", "{n} * {p}", "{n} ST x {p} {c}", "{n} x {p} {s}", "{n} à {p}", "  {n} X {p}", "Menge {n}  EP {p}", "{p} x {n}")
WEIGHT_FORMS = (
    "{n} kg x {p} {c}/kg", "{n} kg x {p} {s}/kg", "{n} kg à {p}", "{n} KG * {p}", "{n} kg X {p}{s} /kg", "Netto {n} kg  {p} {s}/kg", "{n} kg x {p}")
FUEL_FORMS = ("{n} l x {p} {s}/l", "{n} Liter  {p} {c}/L", "{n} L à {p}", "Menge {n} l  Preis {p}")
TOTAL_WORDS = (
    "SUMME", "Summe", "Gesamt", "GESAMT", "Total", "TOTAL", "Gesamtbetrag", "zu zahlen", "ZU ZAHLEN", "Rechnungsbetrag", "Endbetrag", "Gesamtsumme", "Betrag", "S U M M E", "Zahlbetrag",
    "Total inkl. MwSt")
CASH = ("Bar", "BAR", "Gegeben", "Geg. BAR", "Bargeld", "Barzahlung", "Bar gegeben")
CHANGE = ("Rückgeld", "RÜCKGELD", "Zurück", "Wechselgeld", "Retour", "Rückgeld BAR")
CARDS = {
    "DE": ("EC-Cash", "girocard", "Kartenzahlung", "VISA", "Mastercard", "Karte", "EC-Karte"),
    "AT": ("Bankomat", "Kartenzahlung", "VISA", "Mastercard", "Debit Mastercard", "Kreditkarte"),
    "CH": ("Maestro", "TWINT", "Kartenzahlung", "VISA", "Postcard", "Debit Mastercard"),
}
DISCOUNTS = ("Rabatt 10%", "Rabatt", "Aktion", "Preisvorteil", "Aktionsrabatt", "Coupon", "MHD-Rabatt 30%", "Kundenkarte -5%", "Nachlass", "Sofortrabatt", "Bonus")
# Lines below an item with an amount that is not paid.
FORMER = {"DE": ("statt {p}", "Statt {c} {p}", "UVP {p}"), "AT": ("statt {p}", "Normalpreis {p}"), "CH": ("Aktion statt {p}", "statt {p}", "Regulär {p}")}
VAT_HEADS = {"net-tax-gross": "MwSt%    Netto    MwSt   Brutto", "gross-net-tax": "Steuer   Brutto   Netto   Steuer", "rate-gross-tax": "Satz      Umsatz       MwSt"}
SUBTOTALS = ("Zwischensumme", "ZW-SUMME", "Subtotal", "Zwischentotal")
COUNTS = ("Anzahl Artikel: {n}", "Artikel: {n}", "Anzahl Positionen|{l}", "{l} Positionen", "Posten: {l}", "Anz. Teile: {n}")
DAY_FORMS = (
    "{d}  {t}", "{d} {t} Uhr", "Datum: {d}  Zeit: {t}", "Datum {d2} Uhrzeit {t}", "{t}  {d}", "Bon {b}  Kasse 2  {d2} {t}", "{d}   {t}   Nr. {b}", "Rechnung Nr. {b} vom {d} {t}", "{i} {t}",
    "{d2}/{t}/K01/{b}", "Ellerbach, {d}")


@dataclass
class Habits:
    country: str
    columns: int
    name_width: int
    upper: bool
    proportional: bool
    # The position of a quantity: below, above, inline, front, columns, or own (with the amount below the name).
    quantity: str
    quantity_form: str
    weight: str
    weight_form: str
    fuel_form: str
    # Whether a count of one is printed if counts are in front or in a column.
    prints_one: bool
    comma: str
    # The currency beside each amount: "", "€", "EUR", "CHF" or "Fr"; before or after it.
    sign: str
    sign_first: bool
    # The position of the VAT class: after the amount, between (name and amount), or none.
    class_place: str
    # The printed letter of each VAT class.
    letters: dict
    # The position of a minus sign: before, after or spaced (before, with a space).
    minus: str
    # The number of digits of article numbers; 0 for none.
    article_digits: int
    total_word: str
    total_sign: str
    total_sign_first: bool
    total_look: str
    # The form of the VAT table; none if there is no table.
    vat: str
    has_slip_first: bool
    # The row above the items: `left|right`, or the text at its right end.
    header: str

    def amount(self, cents: int) -> str:
        whole = f"{abs(cents) // 100}"
        if len(whole) > 3 and self.comma == ",":
            whole = whole[:-3] + "." + whole[-3:]
        text = f"{whole}{self.comma}{abs(cents) % 100:02d}"
        if cents >= 0:
            return text
        return {"before": f"-{text}", "after": f"{text}-", "spaced": f"- {text}"}[self.minus]


def draw(dice: random.Random, country: str, article_digits: int) -> Habits:
    columns = dice.choice([32, 36, 38, 40, 40, 42, 44, 48])
    swiss = country == "CH"
    sign = dice.choice(["", "", "", "", "€" if not swiss else "Fr", "EUR" if not swiss else "CHF"])
    vat = dice.choice(["net-tax-gross", "net-tax-gross", "gross-net-tax", "rate-gross-tax", "sentence", "included", "none"])
    comma = "." if swiss or (country == "AT" and dice.random() < 0.25) else ","
    return Habits(
        country, columns, columns - dice.choice([12, 14, 16, 18]), dice.random() < 0.45, dice.random() < 0.22,
        dice.choice(["below", "below", "above", "above", "inline", "front", "front", "columns", "own"]), dice.choice(QUANTITY_FORMS),
        dice.choice(["below", "above", "own"]), dice.choice(WEIGHT_FORMS), dice.choice(FUEL_FORMS), dice.random() < 0.6,
        comma, sign, dice.random() < 0.35, "none" if vat in ("sentence", "none") and dice.random() < 0.6 else dice.choice(["after", "after", "after", "between", "none"]),
        dice.choice([{"r": "A", "f": "B", "m": "C"}, {"r": "B", "f": "A", "m": "C"}, {"r": "1", "f": "2", "m": "3"}, {"r": "2", "f": "1", "m": "3"}, {"r": "R", "f": "N", "m": "Z"}]),
        dice.choice(["before", "before", "before", "after", "spaced"]), article_digits, dice.choice(TOTAL_WORDS),
        dice.choice(["", "EUR" if not swiss else "CHF", "€" if not swiss else "Fr", "EUR" if not swiss else "CHF"]), dice.random() < 0.6,
        dice.choice(["", "", "bold", "big", "tall", "wide"]), vat, dice.random() < 0.35,
        dice.choice(["", "EUR" if not swiss else "CHF", "Artikel|Betrag", "Bezeichnung|Preis", "Menge Artikel|Summe", "Pos. Bezeichnung|EUR" if not swiss else "Artikel|CHF"]))
