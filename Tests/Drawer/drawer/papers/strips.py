"""Papers that a counter or a machine prints on a strip."""

from datetime import timedelta

from .. import codes
from ..layout import Printed, Row
from . import words
from .payee import Payee


class StripStyle:
    """The properties of a style that `print_paper` uses."""

    def __init__(self, columns: int, proportional: bool):
        self.columns, self.proportional = columns, proportional


class Strip:
    def __init__(self, payee: Payee):
        self.payee, self.dice, self.rows = payee, payee.dice, []
        self.columns = self.dice.choice([32, 36, 38, 40, 42, 48])
        self.total_below = self.dice.random() < 0.1
        self.leader = "." if self.dice.random() < 0.06 else " "
        # Whether single lines have the currency sign, too.
        self.marks_lines = self.dice.random() < 0.2

    def run(self) -> Printed:
        self.head()
        getattr(self, self.payee.kind)()
        self.foot()
        return Printed(StripStyle(self.columns, self.dice.random() < 0.3), self.rows, self.payee.truth())

    def add_row(self, text: str = "", look: str = "", centred: bool = False):
        self.rows.append(Row(text, look, centred))

    def pair(self, left: str, right: str, look: str = ""):
        """Adds a row with `left` at its beginning and `right` at its end."""
        columns = self.columns // 2 if look in ("wide", "big") else self.columns
        left = left[: max(0, columns - len(right) - 1)]
        room = columns - len(left) - len(right)
        self.add_row(left + (" " + self.leader * (room - 2) + " " if room > 3 else " " * room) + right, look)

    def item(self, name: str, cents: int):
        self.pair(name, self.payee.money(cents) if self.marks_lines else self.payee.amount(cents))

    def rule(self):
        self.add_row(self.dice.choice(["-", "=", "-", "*"]) * self.columns)

    # Parts

    def head(self):
        p, dice = self.payee, self.dice
        company = f"{dice.choice(['Huber', 'Moser', 'Lang', 'Wagner', 'Gruber', 'Rossi', 'Meier'])} {p.form or 'KG'}"
        if dice.random() < 0.15:
            self.add_row(dice.choice(["Herzlich willkommen", "*** RECHNUNG ***", "Kassenbon", "Willkommen bei"]) if p.language == "de" else p.word("receipt"), "", True)
        look = dice.choice(["logo", "logo", "big", "tall", "bold", ""])
        if look in ("logo", "big") and len(p.name) * 2 > self.columns:
            look = "tall"
        self.add_row(p.name.upper() if dice.random() < 0.3 else p.name, look, True)
        if dice.random() < 0.4:
            self.add_row(company if not p.is_known or dice.random() < 0.5 else f"{p.name} {p.form}".strip(), "", True)
        elif dice.random() < 0.3:
            self.add_row(f"Inh. {dice.choice(words.PEOPLE)}" if p.language == "de" else dice.choice(words.PEOPLE), "", True)
        if dice.random() < 0.9:
            self.add_row(p.street, "", True)
            self.add_row(f"{p.post} {p.town}", "", True)
        for text in dice.sample([p.phone(), p.tax_number(), f"www.{p.town.lower()}-online.example"], dice.choice([0, 1, 1, 2])):
            self.add_row(text, "", True)
        self.add_row()
        self.day_on_top = dice.random() < 0.6
        if self.day_on_top:
            self.moment()
        if dice.random() < 0.7:
            number = p.number(dice.choice([3, 4, 6, 8]))
            self.add_row(f"{p.word('receipt')} {number}")
        self.rule()

    def moment(self):
        """Adds a row with date and time."""
        p, dice = self.payee, self.dice
        label, clock, time = p.word("date"), p.word("time"), p.time()
        form = dice.randrange(4)
        if form == 0:
            self.pair(f"{label} {p.date_text(p.day)}".strip(), f"{clock} {time}".strip())
        elif form == 1:
            self.add_row(f"{label} {p.date_text(p.day)} {time}".strip())
        elif form == 2:
            self.add_row(f"{p.date_text(p.day)}  {time}  {dice.choice(['Kassa', 'Kasse', 'Terminal', 'T'])} {dice.randint(1, 9)}")
        else:
            self.pair(label or "Datum", f"{p.date_text(p.day)} {time}")

    def sums(self, total: int, rate: float, label: str | None = None):
        p, dice = self.payee, self.dice
        label = label or p.word("total")
        look = dice.choice(["", "bold", "tall", "big", "wide"])
        if look in ("big", "wide") and len(label) + 12 > self.columns // 2:
            look = "bold"
        if self.total_below:
            self.add_row(label + ":", look)
            self.add_row(" " * max(0, (self.columns // (2 if look in ("big", "wide") else 1)) - len(p.money(total))) + p.money(total), look)
        else:
            self.pair(label + dice.choice(["", ":", ""]), p.money(total), look)
        net, tax = p.taxes(total, rate)
        form = dice.randrange(6)
        if form == 0:
            self.add_row(f"{p.word('vat')}%    {p.word('net')}     {p.word('vat')}   {p.word('gross')}")
            self.add_row(f"{p.rate(rate):>4}% {p.amount(net):>9}{p.amount(tax):>8}{p.amount(total):>9}")
        elif form == 1:
            self.pair(f"{p.word('net')}", p.amount(net))
            self.pair(f"{p.word('vat')} {p.rate(rate)}%", p.amount(tax))
        elif form == 2:
            self.add_row(f"inkl. {p.rate(rate)}% {p.word('vat')} {p.amount(tax)}")
        elif form == 3:
            self.add_row(f"A {p.rate(rate)}% {p.word('vat')} {p.amount(tax)} {p.word('net')} {p.amount(net)}")

    def pay(self, total: int, card: bool | None = None):
        p, dice = self.payee, self.dice
        if (dice.random() < 0.6) if card is None else card:
            if dice.random() < 0.8:
                self.pair(p.word("card"), p.money(total))
            if dice.random() < 0.4:
                self.slip(total)
        elif dice.random() < 0.8:
            given = next(step for step in (500, 1000, 2000, 5000, 10000, 20000, 50000, 10**6) if step >= total)
            self.pair(p.word("cash"), p.money(given))
            if given > total:
                self.pair(p.word("change"), p.money(given - total))

    def slip(self, total: int, tip: int = 0):
        p, dice = self.payee, self.dice
        self.rule()
        self.add_row(p.word("slip"), "", True)
        fields = [("Terminal-ID", p.number(8)), ("TA-Nr.", p.number(6)), ("Beleg-Nr.", p.number(4)), ("Karte", f"############{p.number(4)}"), ("AID", f"A0000000{p.number(6)}"), ("Autor.-Nr.", p.number(6))]
        for label, value in dice.sample(fields, dice.randint(2, 5)):
            self.pair(label, value)
        if dice.random() < 0.6:
            self.add_row(f"{p.date_text(p.day)} {p.time(1)}")
        if tip:
            self.pair(p.word("amount"), p.money(total - tip))
            self.pair(p.word("tip"), p.money(tip))
            self.pair(p.word("with tip"), p.money(total), dice.choice(["", "bold"]))
        else:
            self.pair(p.word("amount"), p.money(total))
        self.add_row(p.word("paid"), "", True)

    def foot(self):
        p, dice = self.payee, self.dice
        if not self.day_on_top:
            self.moment()
        parts = dice.sample(["points", "thanks", "web", "return"], dice.choice([0, 1, 1, 2]))
        for part in parts:
            if part == "points" and p.language == "de":
                self.pair(dice.choice(["Ihr Punktestand", "Kundenkarte Guthaben", "Jahresumsatz bisher", "Gesammelte Punkte"]), dice.choice([p.number(4), p.amount(dice.randrange(10000, 900000))]))
            elif part == "thanks":
                self.add_row(p.word("thanks"), "", True)
            elif part == "web":
                self.add_row(f"Kundendienst 0800 {p.number(6)}" if p.language == "de" else f"www.{p.town.lower().replace(' ', '')}.example", "", True)
            elif part == "return" and p.language == "de" and p.kind in ("diy", "pharmacy"):
                self.add_row(f"Umtausch bis {p.date_text(p.day + timedelta(days=30))} mit Beleg")
        moment = ((p.day.year, p.day.month, p.day.day), (*p.clock, 12))
        gross = {"f" if p.kind in ("fuel", "diy", "parking") else "r": p.truth_total - p.tip}
        if p.country == "AT" and dice.random() < 0.6:
            self.add_row(codes.austrian(dice, gross, moment, dice.randrange(1, 99999)), "qr", True)
        elif p.country == "DE" and dice.random() < 0.4:
            for row in codes.german_as_text(dice, moment):
                self.add_row(row)

    # Kinds

    def goods(self, names: dict, low: int, high: int, most: int) -> int:
        """Adds at most `most` goods, with prices from `low` to `high` for names without one in PRICES. Returns their sum."""
        p, dice = self.payee, self.dice
        total = 0
        lists = names[p.language] if p.language in names else names["de"]
        for name in dice.sample(lists.split(","), min(dice.randint(1, most), len(lists.split(",")))):
            count = dice.choice([1, 1, 1, 1, 2, 2, 3])
            price = next((cents for word, cents in words.PRICES.items() if word in name), 0) or p.price(low, high)
            total += count * price
            form = dice.randrange(3)
            if p.kind == "diy" and dice.random() < 0.4:
                self.add_row(f"{p.number(8)}")
            if form == 0 or count == 1 and form == 1:
                self.item(f"{count} {name}" if p.kind == "restaurant" else name if count == 1 else f"{count} x {name}", count * price)
            else:
                self.add_row(name)
                self.item(f"  {count} x {p.amount(price)}", count * price)
        return total

    def restaurant(self):
        p, dice = self.payee, self.dice
        if dice.random() < 0.7:
            self.pair(f"{p.word('table')} {dice.randint(1, 60)}", f"{p.word('waiter')}: {dice.choice(['Eva', 'Max', 'Mia', 'Tom', 'Luca'])}")
        total = self.goods(words.DISHES, 550, 2600, 7)
        if dice.random() < 0.2:
            self.pair(p.word("subtotal"), p.money(total))
        self.rule()
        tipped = dice.random() < 0.6
        label = p.word("total")
        self.sums(total, p.rates[1], label)
        if not tipped:
            p.truth_total = total
            if dice.random() < 0.2 and p.country == "DE":
                self.add_row("Bewirtungsbeleg gem. § 4 Abs. 5 EStG", "bold")
                for blank in ("Bewirtete Personen:", "Anlass:", "Trinkgeld:", "Ort, Datum / Unterschrift:"):
                    self.add_row(blank + " " + "_" * max(4, self.columns - len(blank) - 1))
                return
            return self.pay(total)
        goal = total * dice.choice([104, 106, 108, 110, 112, 115]) // 100
        paid = max(total + 20, goal // 50 * 50 if dice.random() < 0.4 else -(-goal // 100) * 100)
        p.tip, p.truth_total = paid - total, paid
        form = dice.randrange(4)
        if form == 0:
            self.pair(p.word("tip"), p.money(p.tip))
            self.pair(p.word("with tip"), p.money(paid), dice.choice(["", "bold"]))
            if dice.random() < 0.5:
                self.pair(p.word("card"), p.money(paid))
        elif form == 1:
            self.slip(paid, p.tip)
        elif form == 2:
            self.add_row()
            self.add_row(f"{p.word('tip')}:|{p.amount(p.tip)}", "hand")
            self.add_row(f"{p.word('with tip')}:|{p.amount(paid)}", "hand")
            if dice.random() < 0.5:
                self.add_row("Unterschrift: " + "_" * 16 if p.language == "de" else "x" + "_" * 20)
        else:
            self.pair(p.word("tip"), p.money(p.tip))
            self.pair(p.word("card"), p.money(paid))

    def fuel(self):
        p, dice = self.payee, self.dice
        product = dice.choice(words.FUELS[p.language])
        litres, price = dice.randrange(1200, 6800), dice.randrange(1380, 2050)
        if self.dice.random() < 0.6:
            self.add_row(dice.choice(["Säule", "Zapfsäule", "Zapfpunkt", "ZP"]) + f" {dice.randint(1, 12)}" if p.language == "de" else f"Pump {dice.randint(1, 12)}" if p.language == "en" else f"POMPA {dice.randint(1, 9)}" if p.language == "it" else f"Pompe {dice.randint(1, 9)}")
        total = round(litres * price / 1000)
        shown = f"{litres // 100}{p.comma}{litres % 100:02d}"
        unit = f"{price // 1000}{p.comma}{price % 1000:03d}"
        mark = p.sign or "EUR"
        form = dice.randrange(4)
        if form == 0:
            self.add_row(f"*{product}" if dice.random() < 0.4 else product)
            self.item(f" {shown} l x {unit} {mark}/l", total)
        elif form == 1:
            self.item(product, total)
            self.add_row(f"  {shown} Liter  {unit} {mark}/Liter" if p.language == "de" else f"  {shown} L  {unit} {mark}/L")
        elif form == 2:
            self.pair({"de": "Produkt", "en": "Product", "it": "Prodotto", "fr": "Produit"}[p.language], product)
            self.pair({"de": "Menge", "en": "Volume", "it": "Quantità", "fr": "Quantité"}[p.language], f"{shown} {dice.choice(['l', 'L', 'Liter', 'Ltr'])}")
            self.pair({"de": "Preis/Liter", "en": "Price/L", "it": "Prezzo/L", "fr": "Prix/L"}[p.language], f"{unit} {mark}")
        else:
            self.item(f"{product} {shown}L", total)
            self.add_row(f"    à {unit} {mark}/l")
        if dice.random() < 0.2:
            extra = dice.choice([("Kaffee", 290), ("Scheibenreiniger", 799), ("Autowäsche", 1190)])
            self.item(*extra)
            total += extra[1]
        self.rule()
        p.truth_total = total
        self.sums(total, p.rates[0])
        if dice.random() < 0.2:
            self.pair("Km-Stand", p.number(6))
        if dice.random() < 0.15 and p.language == "de":
            self.pair("Vorautorisierung", p.money(15000))
        self.pay(total, None if dice.random() < 0.3 else True)

    def parking(self):
        p, dice = self.payee, self.dice
        minutes = dice.choice([dice.randrange(20, 400), dice.randrange(20, 400), dice.randrange(1440, 5000)])
        entry_day = p.day - timedelta(days=1 + minutes // 1440) if minutes > 1439 else p.day
        rest = minutes % 1440 if minutes > 1439 else min(minutes, p.clock[0] * 60 + p.clock[1] - 5)
        total = max(100, minutes * dice.choice([3, 4, 5]) // 50 * 50)
        p.truth_total = total
        labels = {"de": ("Einfahrt", "Ausfahrt", "Parkdauer", "Parkentgelt"), "en": ("Entry", "Exit", "Duration", "Parking fee"), "it": ("Entrata", "Uscita", "Durata", "Tariffa sosta"), "fr": ("Entrée", "Sortie", "Durée", "Stationnement")}[p.language]
        form = dice.randrange(3) if entry_day == p.day else dice.randrange(2)
        if form < 2:
            self.add_row(dice.choice(["Parkschein", "PARKTICKET", "Kurzparkschein", "Parkquittung"]) + f" Nr. {p.number(6)}" if p.language == "de" else f"Ticket {p.number(6)}")
            self.pair(labels[0], f"{p.date_text(entry_day)} {p.time(-rest if entry_day == p.day else 0)}")
            self.pair(labels[1], f"{p.date_text(p.day)} {p.time()}")
            self.pair(labels[2], f"{minutes // 60}:{minutes % 60:02d} h" if form else f"{minutes // 1440} T {minutes % 1440 // 60} Std {minutes % 60} Min")
            if dice.random() < 0.5:
                self.item(labels[3], total)
        else:
            self.add_row(dice.choice(["PARKSCHEIN", "Parkschein", "Kurzparkzone"]) if p.language == "de" else "TICKET", "big", True)
            self.add_row(f"Kennzeichen {dice.choice(['W', 'M', 'L', 'ZH'])}-{p.number(5)}" if p.language == "de" else f"Plate {p.number(5)}")
            self.pair("bezahlt" if p.language == "de" else "paid", f"{p.date_text(p.day)} {p.time()}")
            self.pair("gültig bis" if p.language == "de" else "valid until", f"{p.date_text(p.day)} {p.time(90)}", "bold")
        self.sums(total, p.rates[0], dice.choice(["Parkgebühr", "Betrag", "Gesamtbetrag", "Summe", "Zu zahlen"]) if p.language == "de" else None)
        self.pay(total)

    def pharmacy(self):
        p, dice = self.payee, self.dice
        total = self.goods(words.MEDICINES, 350, 2400, 4)
        if dice.random() < 0.4:
            self.add_row(f"PZN {p.number(8)}")
        if p.country in ("AT", "DE") and dice.random() < 0.5:
            fee = dice.choice([710, 755, 760]) if p.country == "AT" else dice.choice([500, 1000])
            self.item("Rezeptgebühr" if p.country == "AT" else "Zuzahlung", fee)
            total += fee
        self.rule()
        p.truth_total = total
        self.sums(total, p.rates[1])
        self.pay(total)

    def diy(self):
        p = self.payee
        p.truth_total = total = self.goods(words.TOOLS, 199, 5900, 7)
        self.rule()
        self.sums(total, p.rates[0])
        self.pay(total)

    def taxi(self):
        p, dice = self.payee, self.dice
        fare = p.price(650, 5200) // 10 * 10
        labels = {"de": ("Von", "Nach", "Fahrpreis", "Wagen", "Konzession", "Fahrstrecke"), "en": ("From", "To", "Fare", "Cab", "Licence", "Distance"), "it": ("Da", "A", "Tariffa corsa", "Vettura", "Licenza", "Percorso"), "fr": ("De", "À", "Prix de la course", "Véhicule", "Licence", "Distance")}[p.language]
        self.add_row({"de": "Taxiquittung", "en": "TAXI RECEIPT", "it": "RICEVUTA TAXI", "fr": "Reçu de taxi"}[p.language], dice.choice(["", "bold"]), True)
        for label, value in ((labels[3], str(dice.randint(10, 990))), (labels[4], p.number(5)), (labels[5], f"{dice.randint(2, 30)}{p.comma}{dice.randint(0, 9)} km")):
            if dice.random() < 0.6:
                self.pair(label, value)
        if dice.random() < 0.6:
            self.pair(labels[0], dice.choice(["Bahnhof", "Flughafen", p.street]))
            self.pair(labels[1], dice.choice(["Messe", "Hotel Krone", "Hauptplatz"]))
        if dice.random() < 0.25:
            # A form filled in by the driver.
            p.truth_total = fare = -(-fare // 50) * 50
            self.add_row(f"{labels[2]} {p.currency}:|{p.amount(fare)}", "hand")
            if p.language == "de":
                self.add_row(f"inkl. {p.rate(p.rates[1])}% MwSt")
                self.add_row("dankend erhalten")
            return
        self.item(labels[2], fare)
        p.truth_total = fare
        if dice.random() < 0.4:
            p.tip = dice.choice([100, 150, 200, 300])
            p.truth_total += p.tip
            self.pair(p.word("tip"), p.amount(p.tip))
        elif dice.random() < 0.3:
            self.item({"de": "Zuschlag", "en": "Extras", "it": "Supplemento", "fr": "Supplément"}[p.language], 200)
            p.truth_total += 200
        self.sums(p.truth_total, p.rates[1])
        self.pay(p.truth_total)

    def ticket(self):
        p, dice = self.payee, self.dice
        total = p.price(240, 6400) // 10 * 10
        p.truth_total = total
        if p.category == "leisure":
            self.add_row(dice.choice(["Eintrittskarte", "ONLINE TICKET", "Kinokarte", "Tageskarte Erwachsen"]), "bold", True)
            self.pair("Vorstellung", f"{p.date_text(p.day)} {p.time(60)}")
            self.add_row(f"Reihe {dice.randint(1, 20)} Platz {dice.randint(1, 30)} Saal {dice.randint(1, 8)}")
        else:
            self.add_row({"de": dice.choice(["Einzelfahrschein", "Fahrkarte", "Tageskarte", "FAHRSCHEIN"]), "en": "Single Ticket", "it": "BIGLIETTO", "fr": "Billet"}[p.language], "bold", True)
            if dice.random() < 0.6:
                self.pair("Von" if p.language == "de" else "From", p.town)
                self.pair("Nach" if p.language == "de" else "To", dice.choice(["Neustadt Hbf", "Seeblick", "Flughafen"]))
            self.pair(dice.choice(["Gültig ab", "Geltungstag"]) if p.language == "de" else "Valid", p.date_text(p.day))
            if dice.random() < 0.5:
                self.add_row("2. Klasse  1 Erwachsener" if p.language == "de" else "2nd class  1 adult")
        self.sums(total, p.rates[1], dice.choice(["Preis", "Fahrpreis", "Gesamtpreis", "Betrag"]) if p.language == "de" else None)
        self.pay(total)

    def hotel(self):
        p, dice = self.payee, self.dice
        nights = dice.randint(1, 5)
        labels = {"de": ("Anreise", "Abreise", "Zimmer", "Nächte", "Ortstaxe", "Frühstück"), "en": ("Arrival", "Departure", "Room", "Nights", "City tax", "Breakfast"), "it": ("Arrivo", "Partenza", "Camera", "Notti", "Imposta di soggiorno", "Colazione"), "fr": ("Arrivée", "Départ", "Chambre", "Nuits", "Taxe de séjour", "Petit déjeuner")}[p.language]
        self.pair(labels[0], p.date_text(p.day - timedelta(days=nights)))
        self.pair(labels[1], p.date_text(p.day))
        self.pair(labels[2], str(dice.randint(101, 612)))
        night = p.price(6900, 18900) // 100 * 100
        total = nights * night
        self.item(f"{nights} {labels[3]} x {p.amount(night)}", total)
        if dice.random() < 0.6:
            tax = nights * dice.choice([150, 220, 320])
            self.item(labels[4], tax)
            total += tax
        if dice.random() < 0.5:
            self.item(f"{nights} {labels[5]}", nights * 1500)
            total += nights * 1500
        self.rule()
        p.truth_total = total
        self.sums(total, p.rates[1])
        self.pay(total, True)
