"""The common parts of all kinds of papers: the payee, the day, and the format of amounts."""

import random
from datetime import date, timedelta

from ..goods import STREETS as GERMAN_STREETS, TOWNS as GERMAN_TOWNS
from . import words

# The last day of a paper. It must be in the past, because the reader accepts no future day for a purchase.
LATEST = date(2026, 11, 20)
MONTHS = {
    "de": "Jänner Februar März April Mai Juni Juli August September Oktober November Dezember", "en": "January February March April May June July August September October November December",
    "it": "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre", "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
}
# Parts of payees' names, by the country of these payees.
HINTS = {
    "IT": "Bella,Da ,Tre Frat,Ristorante,Trattoria,Osteria,Stazione,Parcheggio,Farmacia,Ferramenta,Albergo,Montelago,Ferrovie,Autogrill",
    "FR": "Le Canard,Brasserie,du Col,de la Gare,Pharmacie,du Lac,Hôtel,Clairval", "IE": "Copper,Roadside,Harbour,Kilmore,Ballyford,Westbridge",
    "CH": "Tibits,Migrol,Tamoil,Socar,Amavita,Sun Store,Benu,Jumbo,EWZ,Swisscom,Sunrise,SBB,ZVV,Digitec,Krone,Seetaxi,Helvetia",
    "AT": "Akakiko,Landzeit,Swing,OMV,Turmöl,Avanti,Wipark,Best in,Lagerhaus,Bellaflora,Wien,EVN,Salzburg,Magenta,A1,Uniqa,ÖAMTC,ÖBB,Westbahn,Cineplexx,Dornau,Murfeld,Eder,Wimmer,Pichler",
    "DE": "Nordsee,Block,Peter,Aral,HEM,Contipark,Goldbeck,DocMorris,Hornbach,Toom,Hellweg,Vattenfall,Tibber,Congstar,Deutsche,BVG,MVG,HVV,Hugendubel,Hohenau,Lindenau",
}


class Payee:
    """The payee of a paper: kind, country, name, day. All properties are drawn from `dice`."""

    def __init__(self, kind: str, dice: random.Random):
        self.kind, self.dice = kind, dice
        is_known = dice.random() < 0.5
        if kind in words.SHOPS:
            self.name, self.category = dice.choice(words.SHOPS[kind][0 if is_known else 1])
        else:
            self.name, self.category = dice.choice(words.NAMES[kind][0 if is_known else 1].split(",")), words.CATEGORY[kind]
        self.is_known = is_known
        countries = [country for country, hints in HINTS.items() if any(hint in self.name for hint in hints.split(","))]
        foreign = kind in ("restaurant", "hotel") and is_known and dice.random() < 0.15
        self.country = countries[0] if countries else "IE" if foreign else dice.choice(["DE", "DE", "AT", "AT", "CH"])
        self.language, self.currency, self.comma, self.thousands, self.rates = words.COUNTRIES[self.country]
        if self.country == "AT" and dice.random() < 0.15:
            self.comma = "."
        self.day = LATEST - timedelta(days=dice.randrange(0, 900))
        self.clock = (dice.randint(7, 22), dice.randint(0, 59))
        self.street = dice.choice(words.STREETS.get(self.country) or GERMAN_STREETS) + f" {dice.randint(1, 140)}"
        if self.country == "FR":
            self.street = f"{dice.randint(1, 90)} {dice.choice(words.STREETS['FR'])}"
        self.town = dice.choice(words.TOWNS.get(self.country) or GERMAN_TOWNS[self.country])
        self.post = {"DE": f"{dice.randrange(10000, 99999)}", "IT": f"{dice.randrange(10000, 98000)}", "FR": f"{dice.randrange(10000, 95000)}", "IE": f"D{dice.randrange(1, 24):02d}"}.get(self.country) or str(dice.randrange(1010, 9600))
        self.form = dice.choice(words.FORMS[self.country])
        self.day_form = dice.choice(["{d:02d}.{m:02d}.{y}"] * 5 + ["{d:02d}.{m:02d}.{s:02d}"] * 2 + ["{y}-{m:02d}-{d:02d}", "{d}. {n} {y}"])
        if self.language in ("it", "fr"):
            self.day_form = dice.choice(["{d:02d}/{m:02d}/{y}", "{d:02d}/{m:02d}/{y}", "{d:02d}-{m:02d}-{y}", "{d} {n} {y}"])
        if self.language == "en":
            self.day_form = dice.choice(["{d:02d}/{m:02d}/{y}", "{d} {n} {y}", "{n} {d}, {y}", "{y}-{m:02d}-{d:02d}"])
        self.sign = dice.choice(["€", "EUR", "EUR", ""]) if self.currency == "EUR" else dice.choice(["CHF", "CHF", "Fr."])
        self.truth_total, self.tip = 0, 0

    def word(self, key: str) -> str:
        """The printed word for `key` in the language of the payee."""
        found = words.WORDS[self.language][key]
        return found if isinstance(found, str) else self.dice.choice(found)

    def amount(self, cents: int) -> str:
        """An amount as this payee prints it, without currency."""
        whole, rest = divmod(abs(cents), 100)
        grouped = f"{whole:,}".replace(",", self.thousands) if self.thousands != " " else str(whole)
        return f"{'-' if cents < 0 else ''}{grouped}{self.comma}{rest:02d}"

    def money(self, cents: int) -> str:
        """An amount with the currency sign, if this payee prints one."""
        if not self.sign:
            return self.amount(cents)
        return f"{self.sign} {self.amount(cents)}" if self.language == "en" or self.currency == "CHF" else f"{self.amount(cents)} {self.sign}"

    def date_text(self, day: date) -> str:
        """A day as this payee prints it."""
        month = MONTHS[self.language].split()[day.month - 1]
        if month == "Jänner" and self.country != "AT":
            month = "Januar"
        return self.day_form.format(d=day.day, m=day.month, y=day.year, s=day.year % 100, n=month)

    def time(self, after: int = 0) -> str:
        """The time of the purchase, moved by `after` minutes, at most 23:59."""
        minutes = min(23 * 60 + 59, self.clock[0] * 60 + self.clock[1] + after)
        return f"{minutes // 60:02d}:{minutes % 60:02d}"

    def number(self, digits: int) -> str:
        """A random number with this many digits."""
        return str(self.dice.randrange(10 ** (digits - 1), 10**digits))

    def tax_number(self) -> str:
        return {
            "AT": f"UID: ATU{self.number(8)}", "DE": self.dice.choice([f"USt-IdNr. DE{self.number(9)}", f"Steuernr. {self.number(3)}/{self.number(3)}/{self.number(5)}"]),
            "CH": f"CHE-{self.number(3)}.{self.number(3)}.{self.number(3)} MWST", "IT": f"P.IVA {self.number(11)}", "FR": f"SIRET {self.number(14)}", "IE": f"VAT No. IE{self.number(7)}A"}[self.country]

    def phone(self) -> str:
        return self.dice.choice(["Tel. ", "Tel.: ", "Telefon "]) + f"0{self.number(3)} / {self.number(6)}"

    def iban(self) -> str:
        country, size = {"DE": ("DE", 18), "AT": ("AT", 16), "CH": ("CH", 17)}.get(self.country, ("DE", 18))
        body = self.number(size)
        check = 98 - int(body + "".join(str(ord(letter) - 55) for letter in country) + "00") % 97
        text = f"{country}{check:02d}{body}"
        return " ".join(text[i : i + 4] for i in range(0, len(text), 4))

    def price(self, low: int, high: int) -> int:
        cents = self.dice.randrange(low, high)
        return cents // 10 * 10 if self.currency == "CHF" or self.dice.random() < 0.5 else cents // 10 * 10 + 9

    def taxes(self, gross: int, rate: float) -> tuple[int, int]:
        """Net and tax of a gross amount."""
        tax = round(gross * rate / (100 + rate))
        return gross - tax, tax

    def rate(self, rate: float) -> str:
        return f"{rate:g}".replace(".", self.comma)

    def truth(self) -> dict:
        return {
            "kind": self.kind, "merchant": self.name, "known": self.is_known, "country": self.country, "category": self.category, "currency": self.currency,
            "total": self.truth_total / 100, "tip": self.tip / 100 if self.tip else None, "date": self.day.isoformat()}
