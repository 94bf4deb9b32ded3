"""Papers on whole sheets: invoices, tickets, hotel bills and orders. Positions are in points from the top left of A4."""

from datetime import timedelta

from . import words
from .payee import Payee

WIDTH, HEIGHT = 595, 842


class Sheet:
    def __init__(self, payee: Payee):
        self.payee, self.dice = payee, payee.dice
        # x, y of the baseline, text, size, bold, right. If `right` is set, the text ends at x.
        self.pages: list[list[tuple[float, float, str, float, bool, bool]]] = [[]]
        self.face = self.dice.choice(["sans", "sans", "sans", "serif", "narrow"])
        self.size = self.dice.choice([9, 9.5, 10, 10, 11])
        self.left, self.right, self.y = self.dice.choice([50, 57, 70]), WIDTH - self.dice.choice([45, 55, 65]), 60.0
        self.words = {
            "de": dict(invoice="Rechnung", number="Rechnungsnummer", day="Rechnungsdatum", customer="Kundennummer", order="Bestellnummer", ordered="Bestelldatum", delivery="Lieferdatum", position="Pos.", text="Bezeichnung", count="Menge", price="Einzelpreis", sum="Gesamt", shipping="Versandkosten", due="Zahlbar bis"),
            "en": dict(invoice="Invoice", number="Invoice No.", day="Invoice date", customer="Customer No.", order="Order No.", ordered="Order date", delivery="Delivery date", position="No.", text="Description", count="Qty", price="Unit price", sum="Amount", shipping="Shipping", due="Due date"),
            "it": dict(invoice="Fattura", number="Fattura n.", day="Data fattura", customer="Codice cliente", order="Ordine n.", ordered="Data ordine", delivery="Data consegna", position="N.", text="Descrizione", count="Qtà", price="Prezzo", sum="Importo", shipping="Spedizione", due="Scadenza"),
            "fr": dict(invoice="Facture", number="Facture N°", day="Date de facture", customer="N° client", order="Commande N°", ordered="Date de commande", delivery="Date de livraison", position="N°", text="Désignation", count="Qté", price="Prix unitaire", sum="Montant", shipping="Frais de port", due="Échéance"),
        }[payee.language]

    def run(self) -> dict:
        self.head()
        getattr(self, self.payee.kind)()
        self.foot()
        return self.payee.truth()

    def put(self, x: float, text: str, size: float = 0, bold: bool = False, right: bool = False, down: float | None = None):
        """Adds a text at x and the current line. `down` then moves the current line down, in points."""
        self.pages[-1].append((x, self.y, text, size or self.size, bold, right))
        if down is not None:
            self.y += down

    def line(self, text: str, size: float = 0, bold: bool = False):
        self.put(self.left, text, size, bold, down=(size or self.size) * 1.45)

    # Parts

    def head(self):
        p, dice = self.payee, self.dice
        place = dice.choice([self.left, self.left, self.right])
        shown = f"{p.name} {p.form}".strip() if dice.random() < 0.4 and not p.name.endswith(("GmbH", "AG", "KG", "e.U.")) else p.name
        self.put(place, shown, dice.choice([16, 20, 24, 28]), True, place == self.right, down=22)
        for text in ([f"{p.street}", f"{p.post} {p.town}", p.phone(), p.tax_number()])[: dice.choice([0, 2, 3, 4])]:
            self.put(place, text, self.size - 1, right=place == self.right, down=self.size * 1.25)
        self.y += 24
        top = self.y
        if dice.random() < 0.5:
            self.line(f"{p.name} · {p.street} · {p.post} {p.town}", 7)
            self.y += 8
        for text in [dice.choice(["Herrn", "Frau", "Familie"]) if p.language == "de" else "", dice.choice(words.PEOPLE), f"{dice.choice(['Ahornweg', 'Talweg', 'Rosengasse'])} {dice.randint(1, 90)}", f"{dice.randrange(1010, 9600)} {p.town}"]:
            if text:
                self.line(text)
        self.address_end = self.y
        self.y = top

    def facts(self, pairs: list[tuple[str, str]]):
        """Adds labels with values: beside the address, below it, or as a table with the labels above."""
        form = self.dice.randrange(3)
        if form == 0:
            for label, value in pairs:
                self.put(360, label)
                self.put(self.right, value, right=True, down=self.size * 1.4)
            self.y = max(self.y, self.address_end)
        elif form == 1:
            self.y = self.address_end + 12
            for label, value in pairs:
                self.line(f"{label}: {value}")
        else:
            self.y = self.address_end + 16
            step = (self.right - self.left) / len(pairs)
            for index, (label, _) in enumerate(pairs):
                self.put(self.left + index * step, label, self.size - 1.5, True)
            self.y += self.size * 1.35
            for index, (_, value) in enumerate(pairs):
                self.put(self.left + index * step, value, self.size - 0.5)
            self.y += self.size
        self.y += 26

    def table(self, lines: list[tuple[str, int, int]]) -> int:
        """Adds a table of lines (name, count and price of one). Returns their sum."""
        p, w = self.payee, self.words
        has_count = self.dice.random() < 0.75
        self.put(self.left, w["position"], bold=True)
        self.put(self.left + 35, w["text"], bold=True)
        if has_count:
            self.put(self.left + 270, w["count"], bold=True, right=True)
            self.put(self.right - 90, w["price"], bold=True, right=True)
        self.put(self.right, f"{w['sum']} {p.currency}", bold=True, right=True, down=self.size * 1.7)
        for number, (name, count, price) in enumerate(lines, 1):
            self.put(self.left, str(number))
            self.put(self.left + 35, name)
            if has_count:
                self.put(self.left + 270, str(count), right=True)
                self.put(self.right - 90, p.amount(price), right=True)
            self.put(self.right, p.amount(count * price), right=True, down=self.size * 1.5)
        self.y += 8
        return sum(count * price for _, count, price in lines)

    def total(self, gross: int, rate: float, label: str):
        p, dice = self.payee, self.dice
        net, tax = p.taxes(gross, rate)
        x = dice.choice([self.left, 330, 380])
        if dice.random() < 0.8:
            self.put(x, {"de": dice.choice(["Nettobetrag", "Summe netto", "Zwischensumme"]), "en": "Subtotal", "it": "Imponibile", "fr": "Total HT"}[p.language])
            self.put(self.right, p.money(net), right=True, down=self.size * 1.5)
            self.put(x, f"{dice.choice(['', 'zzgl. ']) if p.language == 'de' else ''}{p.rate(rate)} % {dice.choice(['MwSt.', 'USt']) if p.language == 'de' else p.word('vat')}")
            self.put(self.right, p.money(tax), right=True, down=self.size * 1.5)
        self.put(x, label, bold=True)
        self.put(self.right, p.money(gross), self.size + dice.choice([0, 0, 1, 3]), True, True, down=self.size * 2.2)

    def foot(self):
        p, dice = self.payee, self.dice
        self.y = HEIGHT - 62
        if dice.random() < 0.75:
            thirds = [[f"{p.name} {p.form}".strip(), p.street, f"{p.post} {p.town}"], [p.phone(), f"service@{p.town.lower().replace(' ', '')}.example", p.tax_number()], [f"IBAN {p.iban()}", f"BIC {dice.choice(['GIBAATWW', 'COBADEFF', 'POFICHBE'])}XXX", f"Geschäftsführer: {dice.choice(words.PEOPLE)}" if p.language == "de" else f"Reg. {p.number(6)}"]]
            for index, texts in enumerate(thirds):
                for row, text in enumerate(texts):
                    self.pages[-1].append((self.left + index * 165, self.y + row * 9, text, 6.5, False, False))
        if dice.random() < 0.3:
            self.pages[-1].append((self.right, HEIGHT - 25, f"{'Seite' if p.language == 'de' else 'Page'} 1 / 1", 7, False, True))

    def payable(self, total: int):
        """The due day of an invoice and the way of payment."""
        p, dice, w = self.payee, self.dice, self.words
        due = p.day + timedelta(days=dice.choice([7, 10, 14, 21, 30]))
        form = dice.randrange(4)
        if p.language != "de":
            self.line(f"{w['due']}: {p.date_text(due)}")
            return self.line(f"IBAN {p.iban()}")
        if form == 0:
            self.line(f"Bitte überweisen Sie den Betrag von {p.money(total)} bis {p.date_text(due)} auf unser Konto.")
            self.line(f"IBAN: {p.iban()}   Verwendungszweck: {p.number(9)}")
        elif form == 1:
            self.line(f"Der Rechnungsbetrag wird am {p.date_text(due)} von Ihrem Konto abgebucht.")
        elif form == 2:
            self.line(f"Zahlbar bis {p.date_text(due)} ohne Abzug. Bei Zahlung innerhalb von 8 Tagen 2 % Skonto: {p.money(total * 98 // 100)}")
            self.line(f"Bankverbindung: {p.iban()}")
        else:
            self.put(self.left, "Fälligkeitsdatum")
            self.put(self.left + 140, p.date_text(due), down=self.size * 1.5)
            self.put(self.left, "IBAN")
            self.put(self.left + 140, p.iban(), down=self.size * 1.5)

    # Kinds

    def invoice(self):
        p, dice, w = self.payee, self.dice, self.words
        day_label = dice.choice([w["day"], w["day"], "Datum" if p.language == "de" else w["day"]])
        pairs = [(w["number"], p.number(dice.choice([5, 8, 10]))), (day_label, p.date_text(p.day)), (w["customer"], p.number(dice.choice([6, 9])))]
        dice.shuffle(pairs)
        if dice.random() < 0.15:
            pairs = [pair for pair in pairs if pair[0] != day_label]
            self.put(self.right, f"{p.town}, {p.date_text(p.day)}", right=True)
            self.y += 14
        self.facts(pairs)
        self.line(dice.choice([w["invoice"], f"{w['invoice']} Nr. {p.number(6)}", w["invoice"].upper()]), self.size + 5, True)
        self.y += 6
        if dice.random() < 0.4 and p.language == "de":
            start = p.day.replace(day=1) - timedelta(days=1)
            self.line(f"{dice.choice(['Leistungszeitraum', 'Abrechnungszeitraum'])} {p.date_text(start.replace(day=1))} - {p.date_text(start)}")
            self.y += 6
        lines = [(name, dice.choice([1, 1, 1, 2]), p.price(900, 22000)) for name in dice.sample(words.WORK[p.category], dice.randint(1, len(words.WORK[p.category])))]
        gross = self.table(lines)
        if p.category == "energy" and dice.random() < 0.5 and p.language == "de":
            self.line(f"Zählerstand alt {p.number(5)}   neu {p.number(5)}   Verbrauch {p.number(4)} kWh")
            self.line(f"Jahresbetrag 2025 zum Vergleich: {p.amount(gross * 9)}")
        self.total(gross, p.rates[0], dice.choice(["Rechnungsbetrag", "Gesamtbetrag", "Bruttobetrag", "Zu zahlender Betrag", "Gesamtsumme", "Total"]) if p.language == "de" else p.word("total"))
        p.truth_total = gross
        if dice.random() < 0.12 and p.language == "de":
            paid = gross * 40 // 100
            self.put(330, "abzüglich Anzahlung")
            self.put(self.right, p.money(-paid), right=True, down=self.size * 1.5)
            self.put(330, "Restbetrag zu zahlen", bold=True)
            self.put(self.right, p.money(gross - paid), bold=True, right=True, down=self.size * 2)
            p.truth_total = gross - paid
        self.payable(p.truth_total)

    def hotel(self):
        p, dice, w = self.payee, self.dice, self.words
        nights = dice.randint(1, 6)
        labels = {"de": ("Anreise", "Abreise", "Übernachtung Zimmer", "Ortstaxe", "Frühstück", "Gast"), "en": ("Arrival", "Departure", "Accommodation room", "City tax", "Breakfast", "Guest"), "it": ("Arrivo", "Partenza", "Pernottamento camera", "Imposta di soggiorno", "Colazione", "Ospite"), "fr": ("Arrivée", "Départ", "Nuitée chambre", "Taxe de séjour", "Petit déjeuner", "Client")}[p.language]
        self.facts([(w["day"] if dice.random() < 0.6 else p.word("date").rstrip(": ") or w["day"], p.date_text(p.day)), (labels[0], p.date_text(p.day - timedelta(days=nights))), (labels[1], p.date_text(p.day)), (w["number"], p.number(6))])
        self.line(f"{w['invoice']} {p.number(5)}", self.size + 4, True)
        self.y += 8
        lines = [(f"{labels[2]} {dice.randint(101, 560)}", nights, p.price(6900, 21900) // 100 * 100)]
        if dice.random() < 0.7:
            lines.append((labels[3], nights * 2, dice.choice([150, 220, 320])))
        if dice.random() < 0.5:
            lines.append((labels[4], nights, dice.choice([1200, 1500, 1900])))
        p.truth_total = self.table(lines)
        self.total(p.truth_total, p.rates[1], dice.choice(["Gesamtbetrag", "Rechnungsbetrag", "Gesamt", "Total"]) if p.language == "de" else p.word("total"))
        if dice.random() < 0.6:
            self.put(330, p.word("card"))
            self.put(self.right, p.money(p.truth_total if dice.random() < 0.7 else -p.truth_total), right=True, down=self.size * 1.5)
            if dice.random() < 0.6:
                self.put(330, {"de": "Offener Betrag", "en": "Balance", "it": "Saldo", "fr": "Solde"}[p.language])
                self.put(self.right, p.money(0), right=True, down=self.size * 1.5)

    def ticket(self):
        p, dice, w = self.payee, self.dice, self.words
        travel = p.day + timedelta(days=dice.randint(1, 40))
        bought = {"de": dice.choice(["Buchungsdatum", "Bestelldatum", "Kaufdatum", "Ausgestellt am"]), "en": "Booked on", "it": "Data acquisto", "fr": "Date d'achat"}[p.language]
        self.facts([(bought, p.date_text(p.day)), ({"de": dice.choice(["Auftragsnummer", "Buchungscode", "Ticketnummer"]), "en": "Booking No.", "it": "Codice", "fr": "Dossier"}[p.language], p.number(9))])
        if p.category == "leisure":
            self.line(dice.choice(["Online-Ticket", "Eintrittskarte", "print@home Ticket"]), self.size + 6, True)
            self.line(f"{dice.choice(['Konzert', 'Theaterabend', 'Kinofilm', 'Skipass Tageskarte'])} am {p.date_text(travel)} {p.time()} Uhr")
            names = ["Karte Kategorie A", "Karte ermäßigt", "Servicegebühr"]
        else:
            self.line({"de": dice.choice(["Online-Ticket", "Fahrkarte", "Ihr Ticket"]), "en": "E-Ticket", "it": "Biglietto", "fr": "Billet électronique"}[p.language], self.size + 6, True)
            self.line(f"{p.town} - {dice.choice(['Neustadt Hbf', 'Seeblick', 'Flughafen'])}")
            self.line({"de": f"{dice.choice(['Hinfahrt', 'Reisedatum', 'Gültig ab'])} {p.date_text(travel)}, Abfahrt {p.time()}, 2. Klasse", "en": f"Departure {p.date_text(travel)} {p.time()}, 2nd class", "it": f"Partenza {p.date_text(travel)} {p.time()}, 2a classe", "fr": f"Départ {p.date_text(travel)} {p.time()}, 2e classe"}[p.language])
            names = {"de": ["Fahrpreis Erwachsener", "Sitzplatz", "Fahrrad"], "en": ["Adult fare", "Seat"], "it": ["Tariffa adulto", "Posto"], "fr": ["Plein tarif", "Réservation"]}[p.language]
        self.y += 10
        lines = [(name, 1 if index else dice.choice([1, 2]), p.price(900, 7900) if index == 0 else p.price(100, 900)) for index, name in enumerate(names[: dice.randint(1, 3)])]
        p.truth_total = self.table(lines)
        self.total(p.truth_total, p.rates[1], dice.choice(["Gesamtpreis", "Gesamtbetrag", "Summe", "Preis gesamt"]) if p.language == "de" else p.word("total"))

    def order(self):
        p, dice, w = self.payee, self.dice, self.words
        pairs = [(w["order"], p.number(dice.choice([7, 9, 12])))]
        delivery = p.day + timedelta(days=dice.randint(1, 5))
        is_invoice = dice.random() < 0.6
        if is_invoice:
            # The day of the invoice is the day of the purchase; the order was placed some days before.
            pairs += [(w["number"], p.number(9)), (w["day"], p.date_text(p.day)), (w["ordered"], p.date_text(p.day - timedelta(days=dice.randint(1, 4))))]
        else:
            pairs += [(w["ordered"], p.date_text(p.day)), ("Voraussichtliche Lieferung" if p.language == "de" else w["delivery"], p.date_text(delivery))]
        self.facts(pairs)
        self.line(w["invoice"] if is_invoice else {"de": dice.choice(["Bestellbestätigung", "Vielen Dank für Ihre Bestellung!", "Auftragsbestätigung"]), "en": "Order confirmation", "it": "Conferma d'ordine", "fr": "Confirmation de commande"}[p.language], self.size + 5, True)
        self.y += 8
        lines = [(name, dice.choice([1, 1, 1, 2]), p.price(990, 24900)) for name in dice.sample(words.GOODS[p.category], dice.randint(1, len(words.GOODS[p.category])))]
        gross = self.table(lines)
        x = dice.choice([330, 380])
        if dice.random() < 0.25:
            off = gross // 1000 * 100
            self.put(x, dice.choice(["Gutschein", "Rabatt 10 %"]))
            self.put(self.right, p.money(-off), right=True, down=self.size * 1.5)
            gross -= off
        shipping = dice.choice([0, 0, 390, 495, 590])
        self.put(x, w["shipping"])
        self.put(self.right, p.money(shipping), right=True, down=self.size * 1.5)
        gross += shipping
        p.truth_total = gross
        self.total(gross, p.rates[0], dice.choice(["Gesamtsumme", "Gesamtbetrag", "Bestellsumme", "Rechnungsbetrag", "Summe inkl. MwSt.", "Endsumme"]) if p.language == "de" else p.word("total"))
        if dice.random() < 0.7 and p.language == "de":
            self.line(f"{dice.choice(['Zahlungsart', 'Bezahlt mit'])}: {dice.choice(['PayPal', 'Kreditkarte', 'Klarna Rechnung', 'Vorkasse', 'Lastschrift'])}")
        if dice.random() < 0.4 and p.language == "de":
            self.line(f"Rückgabe möglich bis {p.date_text(delivery + timedelta(days=30))}")
