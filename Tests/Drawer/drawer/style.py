"""The print layouts of chains, one `Style` each. The layouts are real; shops, people and articles are invented."""

import random
from dataclasses import dataclass, field, replace


@dataclass
class Style:
    chain: str
    logo: str
    country: str = "DE"
    # The number of characters of a line, and of the name in it.
    columns: int = 40
    name_width: int = 20
    upper: bool = True
    # The printed letter of each VAT class. `deposit_mark` follows the class of deposits.
    letters: dict = field(default_factory=lambda: {"r": "B", "f": "A", "m": "C"})
    deposit_mark: str = ""
    # The position of the class: after the amount, or between (name and amount).
    letter: str = "after"
    # The text between amount and class.
    glue: str = " "
    # The position of quantities and weights: below, above, inline, before, columns, own (with the amount below the
    # name), or table (own with a heading).
    quantity: str = "below"
    quantity_form: str = "{n:>7} Stk x {p:>7}"
    weight: str = "below"
    weight_form: str = "   {n} kg x {p:>7} EUR/kg"
    # Whether some weights are printed without the price of a kilogram.
    may_omit_weight_price: bool = False
    # If false, several returned bottles are one line without a quantity.
    counts: bool = True
    comma: str = ","
    # The currency beside each amount.
    sign: str = ""
    sign_before: bool = False
    minus_after: bool = False
    # The text above the amounts.
    header: str = "EUR"
    # The character of the line above the total.
    rule: str = ""
    total_forms: tuple = ("SUMME|EUR {t}",)
    total_look: str = "bold"
    subtotals: bool = False
    count_forms: tuple = ()
    payments: tuple = ("Geg. BAR|EUR {t}",)
    change: str = "Rückgeld BAR|EUR {t}"
    change_minus: bool = False
    card: tuple = ("Geg. EC-Cash|EUR {t}",)
    vat_table: str = "net-tax-gross"
    vat_head: str = "Steuer  %     Netto   Steuer   Brutto"
    discounts: tuple = ()
    staff_discounts: tuple = ()
    deposits: bool = True
    deposit_text: tuple = ("PFAND {a} EURO",)
    returns: tuple = ("LEERGUT EINWEG", "LEERG. MW V. ST")
    sections: tuple = ()
    coupons: tuple = ()
    # The number of digits of article numbers; 0 for none.
    article_digits: int = 0
    codes: tuple = ("qr",)
    font: str = ""
    slip: bool = True
    day_forms: tuple = ("{d}     {t}     Bon-Nr.:{b}",)

    def amount(self, cents: int) -> str:
        text = f"{abs(cents) // 100}{self.comma}{abs(cents) % 100:02d}"
        if cents >= 0:
            return text
        return text + "-" if self.minus_after else "-" + text

    def deposit_name(self, cents: int, dice: random.Random) -> str:
        return dice.choice(self.deposit_text).format(a=f"0{self.comma}{cents:02d}")


DE7 = {"r": "B", "f": "A", "m": "C"}
DE_EDEKA = {"r": "A", "f": "B", "m": "C"}
AT = {"r": "B", "f": "A", "m": "C"}

REWE = Style(
    "REWE", "REWE", deposit_mark=" *", may_omit_weight_price=True, name_width=16, columns=38, rule="-",
    staff_discounts=("Mitarbeiterrabatt 5%",), count_forms=(), codes=("qr", "tse", ""),
    deposit_text=("PFAND {a} EURO", "PFAND {a} EUR"), weight_form="{n:>7} kg x  {p:>6} EUR/kg",
    quantity_form="{n:>8} Stk x  {p:>6}", card=("Geg. EC-Cash|EUR {t}", "Geg. VISA|EUR {t}", "Geg. Mastercard|EUR {t}"))
PENNY = replace(
    REWE, chain="Penny", logo="PENNY", name_width=18, columns=38, staff_discounts=(), may_omit_weight_price=False,
    quantity_form="{n:>5} Stk x {p:>6}", weight_form="{n:>8} kg x{p:>6} EUR/kg", discounts=("Preisnachlass", "MHD-Rabatt 30%"))
ALDI_NORD = Style(
    "Aldi Nord", "A L D I", columns=40, name_width=26, letters={"r": "C", "f": "D", "m": "C"}, glue="  ",
    quantity="above", quantity_form="  {n} x {p:>6}", weight="table", header="", rule="",
    total_forms=("ZU ZAHLEN EURO|{t}   ",), total_look="", payments=("BARGELD|{t}   ",), card=("KARTENZAHLUNG EC|{t}   ",),
    change="ZURÜCK|{t}   ", vat_table="percent", vat_head="  MWST       Netto  MWST-BETRAG   BRUTTO",
    count_forms=("ANZAHL ARTIKEL|{n}   ",), minus_after=True, deposit_text=("EINWEGPFAND", "PFAND {a}"),
    returns=("LEERGUT-RÜCKN. 18 05 5022",), counts=True, codes=("",), day_forms=("10(1&107 {b} )      {t} {d}",))
ALDI_SUED = Style(
    "Aldi Süd", "ALDI SÜD", columns=40, name_width=22, letters={"r": "1", "f": "2", "m": "1"}, sign="€", quantity="above",
    quantity_form="   {n} x {p:>5} €", weight="above", weight_form="   {n} kg x {p:>5} €/kg", header="", total_forms=("ZU ZAHLEN|{t} €",),
    payments=("BAR|{t} €",), card=("KARTENZAHLUNG|{t} €",), change="RÜCKGELD|{t} €", vat_table="percent",
    vat_head="MWST           NETTO    BETRAG   BRUTTO", deposit_text=("PFANDWERT {a} 19%",), returns=("LEERGUTBON 4711",),
    codes=("qr", ""), day_forms=("{s}  {d}",), count_forms=("", "{n} Artikel"))
MARKTKAUF = Style(
    "Marktkauf", "MARKTKAUF", columns=38, name_width=20, letters={"r": "B", "f": "C", "m": "B"}, deposit_mark="*", quantity="above",
    quantity_form="{n} x           {p}", weight="above", weight_form="{n} kg x      {p} EUR/kg", total_forms=("SUMME EUR|{t}  ",), total_look="big",
    count_forms=("Posten: {n}",), payments=("Bar|EUR {t}  ",), card=("Mastercard|EUR {t}  ",), change="Rückgeld Bar|EUR {t}  ",
    change_minus=True, vat_table="plain", vat_head="MwSt           NETTO    MwSt   UMSATZ", deposit_text=("PFAND", "EINWEGPFAND"),
    returns=("LEERGUT EW MINUS", "LEERGUT MW MINUS"), counts=False, codes=("itf",), coupons=("Coupon: 9941{k}",),
    day_forms=("{d} {t} 0000{m} 005 028 {b}",))
EDEKA = replace(
    MARKTKAUF, chain="EDEKA", logo="EDEKA", columns=38, name_width=16, upper=False, letters=DE_EDEKA, quantity="inline",
    quantity_form="{p} € x {n:>3}", weight="above", weight_form="{n} kg x {p} €/kg", total_forms=("SUMME €|{t}  ",), payments=("Bar €|{t}  ",),
    card=("girocard €|{t}  ",), change="Rückgeld Bar €|{t}  ", deposit_text=("Pfand", "PFAND 0,25"), counts=False, codes=("itf", "qr", ""))
LIDL = Style(
    "Lidl", "LIDL", columns=40, name_width=20, upper=False, letters={"r": "A", "f": "B", "m": "A"}, quantity="inline",
    quantity_form="{p} x {n:>3}", weight="below", weight_form="   {n} kg x {p}  EUR/kg", total_forms=("zu zahlen|{t}  ",), rule="-",
    payments=("Bar|{t}  ",), card=("Kreditkarte|{t}  ", "Karte|{t}  "), change="Rückgeld|{t}  ", change_minus=True, vat_table="lidl",
    vat_head="MWST%      MWST  +    Netto  =   Brutto", discounts=("Preisvorteil", "Lidl Plus Rabatt", "RABATT 20%"), deposit_text=("Pfand {a} EM", "Pfand {a}"),
    returns=("Pfandrückgabe",), codes=("itf22",), day_forms=("{m}  762902/04        {d2} {t}",))
KAUFLAND = Style(
    "Kaufland", "KAUFLAND", columns=42, name_width=28, upper=False, letters={"r": "B", "f": "A", "m": "B"}, quantity="own",
    quantity_form="  {n} * {p:>6}", weight="own", weight_form="  {n} kg {p:>6} EUR/kg", header="Preis €", total_forms=("Summe|{t}  ",), total_look="big",
    payments=("Bar|{t}  ",), card=("Kartenzahlung|{t}  ",), change="Rückgeld|{t}  ", vat_table="gross-net-tax", rule="-",
    vat_head="Steuer  %      Brutto    Netto    Steuer", sections=("Obst, Gemüse", "Molkerei", "Drogerie", "Getränke", "Grundnahrung"),
    discounts=("Kaufland Card Rabatt",), deposit_text=("Pfand {a}",), returns=("Leergut Bon-Nr. 17",), codes=("qr", ""),
    day_forms=("Datum:{d} Zeit:{t} Bon:{b}",), minus_after=False)
REAL = Style(
    "real", "real", columns=40, name_width=22, letters={"r": "E", "f": "V", "m": "E"}, quantity="above", quantity_form="   {n} x {p:>6}", weight="above",
    weight_form="   {n} KG x {p:>6}", header="", total_forms=("SUMME|EUR {t}  ",), payments=("BAR|EUR {t}  ",), card=("MasterCard|EUR {t}  ",),
    change="ZURUECK|EUR {t}  ", vat_table="mwst-first", vat_head="    Mehrwertst.  ohne MwSt   mit MwSt", minus_after=True, glue=" ",
    deposit_text=("EW-PFAND {a}",), returns=("PR PFANDGUTSCH2025650",), counts=False, codes=("code128",), day_forms=("{d2} {t} {m}65106 {b}",))
ROSSMANN = Style(
    "Rossmann", "ROSSMANN", columns=44, name_width=18, letters={"r": "B", "f": "A", "m": "B"}, sign="€", sign_before=True, quantity="below",
    quantity_form="      {n} x €{p}", weight="below", header="", total_forms=("Total|€{t}  ",), total_look="wide", payments=("Bar|€{t}  ",), card=("EC-Karte|€{t}  ",),
    change="Rückgeld (Bar)|€{t}  ", vat_table="named", vat_head="MWST Gruppe       Netto     MWST     Total", deposits=False, count_forms=("{n} Artikel",),
    article_digits=13, codes=("itf24",), discounts=("Coupon 10%",), day_forms=("{d} {t} Bed.Nr.:120 Kasse 02",))
DM = Style(
    "dm", "dm", columns=40, name_width=24, upper=False, letters={"r": "2", "f": "1", "m": "2"}, quantity="before", quantity_form="{n}x {p:>5}", weight="below",
    deposits=False, total_forms=("SUMME|{t}  ",), payments=("BAR|EUR -{t}  ",), card=("VISA|EUR -{t}  ",), change="Rückgeld|EUR {t}  ", vat_table="equals",
    vat_head="MwSt-Satz     Brutto     Netto     MwSt", codes=("qr", ""), day_forms=("{d} {t} 0761/2 145462/5 5030",), discounts=("Sofortrabatt",))
NETTO = replace(
    PENNY, chain="Netto", logo="NETTO", columns=40, letters={"r": "A", "f": "B", "m": "A"}, upper=False, quantity_form="  {n} x   {p}", staff_discounts=(), sign="€",
    header="", total_forms=("SUMME|€ {t}  ",), payments=("BAR|€ {t}  ",), card=("EC-Karte|€ {t}  ",), change="Rückgeld|€ {t}  ", deposit_mark="",
    deposit_text=("Pfand {a}",), returns=("Leergut",), vat_table="percent", vat_head="MwSt         netto     MwSt    brutto", count_forms=("Anzahl Artikel|{n}", ""))

BILLA = Style(
    "Billa", "BILLA", "AT", columns=38, name_width=20, letters=AT, letter="between", quantity="above", quantity_form="{n} x {p}", weight="above",
    weight_form="{n} kg x {p} EUR/kg", comma=".", header="", total_forms=("SUMME|EUR {t}",), subtotals=True, payments=("BAR|EUR {t}",),
    card=("BANKOMAT|EUR {t}", "MASTERCARD|EUR {t}"), change="RÜCKGELD|EUR {t}", vat_table="sentence", vat_head="", discounts=("NIMM MEHR", "EXTREM AKTION"),
    deposit_text=("PFAND {a}",), returns=("LEERGUT",), codes=("rksv",), day_forms=("Datum: {d} {t}",), staff_discounts=())
SPAR = Style(
    "Spar", "SPAR", "AT", columns=40, name_width=22, letters=AT, letter="after", quantity="below", quantity_form="    {n} x {p:>6}", weight="below",
    weight_form="    {n} kg x {p:>6}", header="EUR", total_forms=("SUMME|{t}  ",), total_look="tall", payments=("BAR|{t}  ",), card=("Bankomat|{t}  ",),
    change="Rückgeld|{t}  ", vat_table="percent", vat_head="MwSt         Netto     MwSt     Brutto", discounts=("-25% Joker", "Rabattmarkerl -10%"),
    deposit_text=("Pfand {a}",), returns=("Leergutbon",), codes=("rksv",), day_forms=("{d} {t} Kassa 3 Bon {b}",), upper=False)
HOFER = Style(
    "Hofer", "HOFER", "AT", columns=40, name_width=20, letters={"r": "A", "f": "B", "m": "C"}, quantity="above", quantity_form="   {n} x {p:>6}", weight="above",
    weight_form="   {n} kg x {p:>6} EUR/kg", header="EUR", total_forms=("HOFER PREIS|EUR {t}  ",), payments=("BAR|EUR {t}  ",), card=("Kartenzahlung|EUR {t}  ",),
    change="Rückgeld|EUR {t}  ", vat_table="percent", vat_head="MWST        NETTO     MWST     BRUTTO", article_digits=6, codes=("rksv",), deposit_text=("PFAND {a}",),
    returns=("LEERGUT",), day_forms=("{d} {t} {m}/003 {b}",))
BIPA = replace(
    BILLA, chain="Bipa", logo="BIPA", deposits=False, subtotals=False, comma=",", letter="after", columns=40, discounts=("BIPA CARD RABATT", "-25% AKTION"))
MIGROS = Style(
    "Migros", "MIGROS", "CH", columns=40, name_width=16, upper=False, letters={"r": "1", "f": "2", "m": "1"}, quantity="columns", weight="columns", comma=".",
    header="CHF", total_forms=("TOTAL|CHF {t}  ",), payments=("Bargeld|CHF {t}  ",), card=("TWINT|CHF {t}  ", "Maestro|CHF {t}  "), change="Rückgeld|CHF {t}  ",
    vat_table="percent", vat_head="MWST        Netto     MWST     Total", deposits=False, codes=("",), discounts=("Aktion 20%",), day_forms=("{d2} {t} 00{m}/{b}",))

NAMED = [REWE, REWE, PENNY, ALDI_NORD, ALDI_SUED, MARKTKAUF, EDEKA, EDEKA, LIDL, LIDL, KAUFLAND, REAL, ROSSMANN, DM, NETTO, BILLA, SPAR, HOFER, BIPA, MIGROS]


def unknown(dice: random.Random) -> Style:
    """An unknown chain: a known layout with an invented name and some changed properties."""
    base = dice.choice([style for style in NAMED if style.country != "CH"])
    name = dice.choice(["Korbmann", "Frischeck", "Nahgut", "Marktlieb", "Dorfkorb", "Tante Elli", "Vollkorb", "Hofkiste"])
    changes = {"chain": name, "logo": name.upper(), "codes": (dice.choice(["", "qr"]),) if base.country == "DE" else base.codes}
    if dice.random() < 0.4 and base.quantity in ("below", "above"):
        changes["quantity"] = "above" if base.quantity == "below" else "below"
        # A till prints counts and weights either both above or both below the item.
        if base.weight in ("below", "above"):
            changes["weight"] = changes["quantity"]
    if "HOFER" in base.total_forms[0]:
        changes["total_forms"] = ("GESAMTBETRAG|EUR {t}  ",)
    changes["discounts"] = ("Rabatt 10%", "Aktion")
    changes["upper"] = dice.random() < 0.5
    return replace(base, **changes)


def choose(dice: random.Random) -> Style:
    return unknown(dice) if dice.random() < 0.12 else dice.choice(NAMED)
