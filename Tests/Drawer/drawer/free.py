"""Converts a purchase in an invented shop to printed rows and the expected result. `layout` does this for known chains."""

import random

from . import basket, codes, goods, habits, shops
from .basket import Line, half_up
from .habits import Habits
from .layout import Printed, Row

# The shares of lines with a former price, lines with a discount, lines that are printed twice, and receipts with returned
# empties.
FORMER_SHARE, DISCOUNT_SHARE, REPEATED_SHARE, RETURN_SHARE = 0.05, 0.07, 0.06, 0.06


class FreeTill:
    def __init__(self, dice: random.Random):
        self.dice = dice
        country = dice.choices(["DE", "AT", "CH"], [55, 25, 20])[0]
        self.trade = dice.choices([trade for trade, _ in shops.TRADES], [share for _, share in shops.TRADES])[0]
        self.habits = habits.draw(dice, country, dice.choice(self.trade.article_digits))
        self.name = dice.choice(self.trade.names)
        self.rows: list[Row] = []
        self.purchase = basket.Purchase(country)
        # Rows printed below a line, such as its former price.
        self.notes: dict[int, str] = {}

    def run(self) -> Printed:
        self.fill()
        self.head()
        self.items()
        self.sums()
        self.foot()
        return Printed(self.habits, self.rows, self.truth())

    # Purchase

    def fill(self):
        dice, country = self.dice, self.purchase.country
        if self.trade is shops.FUEL:
            name, low, high = dice.choice(shops.FUELS)
            litres, price = dice.randrange(8_00, 62_00) * 10, dice.randrange(low, high) // 10 * 10 + 9
            # Fuel prices have three decimals, so they are in thousandths of a franc or euro.
            self.purchase.lines.append(FuelLine(name, half_up(litres * price, 10_000), "f", quantity=litres, unit="l", price=price))
        line_count = dice.choice(self.trade.line_counts)
        while sum(line.kind == "item" for line in self.purchase.lines) < max(line_count, 0 if self.purchase.lines else 1):
            self.buy()
        lines = self.purchase.lines
        if country == "DE" and self.trade is shops.GROCER and dice.random() < RETURN_SHARE:
            count, each = dice.choice([(1, 25), (4, 25), (6, 8), (1, 150)])
            lines.append(Line(dice.choice(["Leergut", "Pfandrückgabe", "Leergutbon", "Pfand zurück"]), -count * each, "f", "deposit_return", count * 1000, unit_price=-each))
        if self.purchase.total <= 0:
            lines.append(Line("Geschenkkorb", 1999, "r", unit_price=1999))
        for line in lines:
            line.vat = self.habits.letters[line.tax]

    def buy(self):
        dice, h, lines = self.dice, self.habits, self.purchase.lines
        if self.trade.weighed and dice.random() < self.trade.weight_share:
            name, low, high = dice.choice(self.trade.weighed)
            price, grams = dice.randrange(low, high) // 10 * 10 + 9, dice.randrange(58, 2200, 2)
            lines.append(Line(self.print_name(name), self.round_swiss(half_up(price * grams, 1000)), "r", quantity=grams, unit="kg", unit_price=price))
            return
        name, low, high, tax, sizes = dice.choice(self.trade.goods)
        price = self.round_swiss(dice.choice([dice.randrange(low, high + 1) // 10 * 10 + 9, dice.randrange(low, high + 1) // 10 * 10, dice.randrange(low, high + 1)]))
        full = " ".join(part for part in (name, dice.choice(sizes)) if part)
        count = dice.choice([1] * 13 + [2, 2, 2, 3, 3, 4, 6, 10])
        lines.append(Line(self.print_name(full), price * count, tax, quantity=count * 1000, unit_price=price))
        if h.country == "DE" and self.trade in (shops.GROCER, shops.FUEL) and tax == "f" and any(word in name for word in ("wasser", "schorle", "Cola", "Limo", "Eistee", "Energy")):
            each = dice.choice([25, 25, 15, 8])
            label = dice.choice(["Pfand", "PFAND {a}", "Einwegpfand {a}", "EW-Pfand", "Pfand {a} EUR", "+ Pfand"])
            lines.append(Line(label.format(a=f"0,{each:02d}"), each * count, tax, "deposit", count * 1000, unit_price=each))
            return
        chance = dice.random()
        if chance < DISCOUNT_SHARE and lines[-1].total > 60:
            off = self.round_swiss(max(5, lines[-1].total * dice.choice([5, 10, 20, 25, 30]) // 100))
            lines.append(basket.discount(dice.choice(habits.DISCOUNTS), off, tax))
        elif chance < DISCOUNT_SHARE + FORMER_SHARE:
            former = self.round_swiss(price * dice.choice([110, 120, 125, 150]) // 100)
            self.notes[len(lines) - 1] = dice.choice(habits.FORMER[h.country]).format(p=h.amount(former), c=habits.CURRENCY[h.country])
        elif chance < DISCOUNT_SHARE + FORMER_SHARE + REPEATED_SHARE:
            lines.append(Line(lines[-1].name, lines[-1].total, tax, quantity=count * 1000, unit_price=price))

    def round_swiss(self, cents: int) -> int:
        """Rounds nine of ten Swiss amounts to five rappen. Other amounts are returned unchanged, but at least one cent."""
        return max(5, (cents + 2) // 5 * 5) if self.purchase.country == "CH" and self.dice.random() < 0.9 else max(1, cents)

    def print_name(self, name: str) -> str:
        return goods.shortened(name, self.habits.name_width, self.dice, self.habits.upper)

    # Printing

    def add_row(self, text="", look="", centred=False):
        """Adds a row. A centred text that is too long is split into two rows."""
        columns = self.habits.columns
        if look in ("big", "wide") and len(text) > columns // 2:
            look = "bold"
        if centred and look != "qr" and len(text) > columns:
            head, _, rest = text[:columns].rpartition(" ")
            self.rows.append(Row(head, look, True))
            text = rest + text[columns:]
        self.rows.append(Row(text, look, centred))

    def pair(self, left: str, right: str, look=""):
        """Adds a row with `left` at its beginning and `right` at its end."""
        columns = self.habits.columns // 2 if look in ("wide", "big") else self.habits.columns
        self.add_row(left + " " * max(2, columns - len(left) - len(right)) + right, look)

    def form(self, text: str, look=""):
        """Adds a row from `left|right` or from a single text."""
        left, bar, right = text.partition("|")
        self.pair(left, right, look) if bar else self.add_row(text, look)

    def head(self):
        dice, country = self.dice, self.purchase.country
        self.town = dice.choice(goods.TOWNS[country])
        self.post = {"DE": f"{dice.randrange(1000, 99999):05d}", "AT": str(dice.randrange(1010, 9990)), "CH": str(dice.randrange(1000, 9600))}[country]
        self.street = f"{dice.choice(goods.STREETS)} {dice.randint(1, 120)}"
        slogan = dice.choice(self.trade.slogans) if self.trade.slogans and dice.random() < 0.45 else ""
        if slogan and dice.random() < 0.4:
            self.add_row(slogan, "", True)
            slogan = ""
        self.add_row(self.name.upper() if dice.random() < 0.4 else self.name, dice.choice(["logo", "logo", "logo", "big", "bold", ""]), True)
        if slogan:
            self.add_row(slogan, "", True)
        if dice.random() < 0.45:
            self.add_row(dice.choice([f"Inh. {dice.choice(goods.PEOPLE)}", f"{dice.choice(goods.PEOPLE)} GmbH", f"{self.name} Handels GmbH"]), "", True)
        if dice.random() < 0.5:
            self.add_row(f"{self.street}, {self.post} {self.town}", "", True)
        else:
            self.add_row(self.street, "", True)
            self.add_row(f"{self.post} {self.town}", "", True)
        if dice.random() < 0.55:
            self.add_row(f"{dice.choice(['Tel.', 'Tel.:', 'Telefon'])} 0{dice.randrange(200, 999)} / {dice.randrange(100000, 999999)}", "", True)
        if dice.random() < 0.3:
            self.add_row("www." + self.name.split()[0].lower().replace("ä", "ae").replace("ö", "oe").replace("ü", "ue") + {"DE": ".de", "AT": ".at", "CH": ".ch"}[country], "", True)
        identity = {"DE": f"USt-IdNr. DE{dice.randrange(10**8, 10**9)}", "AT": f"UID: ATU{dice.randrange(10**7, 10**8)}", "CH": f"CHE-{dice.randrange(100, 999)}.{dice.randrange(100, 999)}.{dice.randrange(100, 999)} MWST"}[country]
        if dice.random() < 0.55:
            self.add_row(identity, "", True)
        self.draw_moment()
        self.day_place = dice.choices(["head", "foot", "slip", "nowhere"], [35, 50, 8, 7])[0]
        if dice.random() < 0.35:
            self.add_row()
            self.add_row(dice.choice(["Rechnung", "Kassenbon", "KASSABON", "Quittung", "Beleg", "RECHNUNG"]), dice.choice(["", "bold", "wide"]), dice.random() < 0.5)
        if self.day_place == "head":
            self.add_row(self.day_line())
        if self.trade is shops.RESTAURANT and dice.random() < 0.7:
            self.add_row(f"Tisch {dice.randint(1, 40)}   Bedienung: {dice.choice(goods.PEOPLE).split()[0]}")
        if dice.random() < 0.55:
            self.add_row(dice.choice(["-", "=", "_", ""]) * self.habits.columns)
        if self.habits.header:
            left, bar, right = self.habits.header.partition("|")
            self.pair(left if bar else "", right if bar else left)

    def draw_moment(self):
        """Draws the day, the time and the receipt number."""
        dice = self.dice
        year, month, day = dice.randint(2018, 2026), dice.randint(1, 12), dice.randint(1, 28)
        self.day, self.time = (year, min(month, 10) if year == 2026 else month, day), (dice.randint(7, 21), dice.randrange(60), dice.randrange(60))
        self.receipt = dice.randrange(1, 99999)

    def day_line(self) -> str:
        (year, month, day), (hour, minute, second) = self.day, self.time
        clock = f"{hour:02d}:{minute:02d}" + (f":{second:02d}" if self.dice.random() < 0.4 else "")
        return self.dice.choice(habits.DAY_FORMS).format(
            d=f"{day:02d}.{month:02d}.{year}", d2=f"{day:02d}.{month:02d}.{year % 100:02d}", i=f"{year}-{month:02d}-{day:02d}", t=clock, b=self.receipt)

    # Items

    def items(self):
        dice, lines = self.dice, self.purchase.lines
        for index, line in enumerate(lines):
            self.item(line)
            if index in self.notes:
                self.add_row("  " + self.notes[index])
            if self.trade is shops.GROCER and len(lines) > 6 and index == len(lines) // 2 and dice.random() < 0.12:
                self.pair(dice.choice(habits.SUBTOTALS), self.habits.amount(sum(one.total for one in lines[: index + 1])))

    def right(self, line: Line) -> str:
        """The amount of a line with currency and VAT class, as printed at the right end of its row."""
        h = self.habits
        amount = h.amount(line.total)
        if h.sign:
            amount = f"{h.sign} {amount}" if h.sign_first else f"{amount} {h.sign}"
        if h.class_place == "after":
            return f"{amount} {line.vat}"
        if h.class_place == "between":
            return f"{line.vat} {amount:>8}"
        return amount

    def item(self, line: Line):
        h, name = self.habits, line.name
        if h.article_digits and line.kind == "item":
            name = f"{self.dice.randrange(10 ** (h.article_digits - 1), 10 ** h.article_digits)} {name}"
        right = self.right(line)
        is_fuel, is_weight, is_multiple = isinstance(line, FuelLine), line.unit == "kg", line.unit == "Stk" and line.quantity != 1000
        if not (is_fuel or is_weight or is_multiple):
            if h.quantity == "front" and h.prints_one and line.kind != "discount":
                name = f"1 {name}" if "x" not in h.quantity_form else f"1x {name}"
            elif h.quantity == "columns" and h.prints_one and line.kind == "item":
                return self.columns(name, "1", h.amount(line.total), right, line)
            return self.cell(name, right, line)
        count = f"{line.quantity // 1000}{h.comma}{line.quantity % 1000:03d}" if is_weight else str(line.quantity // 1000)
        price = line.shown_price(h) if is_fuel else h.amount(line.unit_price)
        if is_fuel:
            count = f"{line.quantity // 1000}{h.comma}{line.quantity % 1000 // 10:02d}"
        form = h.fuel_form if is_fuel else h.weight_form if is_weight else h.quantity_form
        extra = form.format(n=count, p=price, c=habits.CURRENCY[h.country], s="€" if h.country != "CH" else "Fr")
        place = h.weight if is_weight or is_fuel else h.quantity
        if place == "front" or (place == "inline" and len(name) + len(extra) + len(right) + 4 > h.columns):
            self.cell(f"{count}x {name}" if "x" in form else f"{count} {name}", f"{price}  {right}" if len(name) + len(price) + len(right) + 8 < h.columns else right, line)
            if len(name) + len(price) + len(right) + 8 >= h.columns:
                line.unit_price = None
        elif place == "columns":
            self.columns(name, count, price, right, line)
        elif place == "inline":
            self.cell(f"{name}  {extra}", right, line)
        elif place == "own" and len(extra) + len(right) + 5 <= h.columns:
            self.add_row(name)
            self.pair("  " + extra, right)
        elif place == "above":
            self.add_row("  " + extra)
            self.cell(name, right, line)
        else:
            self.cell(name, right, line)
            self.add_row("    " + extra)

    def columns(self, name: str, count: str, price: str, right: str, line: Line):
        """Adds a row with count, unit price and amount in columns."""
        tail = f"{count:>3} {price:>7} {right}"
        room = self.habits.columns - len(tail) - 1
        shown = name[:room].rstrip()
        self.add_row(f"{shown:<{room}} {tail}")
        self.cut(line, name, shown)

    def cell(self, left: str, right: str, line: Line):
        """Adds a row with a name, which is cut to the space beside `right`."""
        shown = left[: self.habits.columns - len(right) - 2].rstrip()
        self.pair(shown, right)
        self.cut(line, left, shown)

    @staticmethod
    def cut(line: Line, whole: str, shown: str):
        """Shortens the name in the expected result to its printed part."""
        lost = len(whole) - len(shown)
        if lost > 0 and whole.endswith(line.name):
            line.name = line.name[: max(1, len(line.name) - lost)].rstrip()

    # Sums

    def sums(self):
        h, dice = self.habits, self.dice
        exact = self.purchase.total
        total = (exact + 2) // 5 * 5 if self.purchase.country == "CH" else exact
        if dice.random() < 0.6:
            self.add_row(dice.choice(["-", "=", ""]) * h.columns)
        if total != exact:
            if dice.random() < 0.5:
                self.pair(dice.choice(habits.SUBTOTALS), h.amount(exact))
            self.pair("Rundung", h.amount(total - exact))
            self.purchase.lines.append(Line("Rundung", total - exact, "r", "rounding", unit_price=None))
        self.total = total
        amount = h.amount(total)
        if h.total_sign:
            amount = f"{h.total_sign} {amount}" if h.total_sign_first else f"{amount} {h.total_sign}"
        look = h.total_look if len(h.total_word) + len(amount) + 2 <= h.columns // 2 or h.total_look not in ("wide", "big") else "bold"
        self.pair(h.total_word, amount, look)
        if dice.random() < 0.25:
            self.add_row(dice.choice(["=", "-"]) * h.columns)
        if dice.random() < 0.4:
            given = dice.choice([total, -(-total // 500) * 500, -(-total // 1000) * 1000, -(-total // 5000) * 5000])
            self.pair(dice.choice(habits.CASH), h.amount(given))
            if given > total:
                self.pair(dice.choice(habits.CHANGE), h.amount(given - total))
            self.card = False
        else:
            self.pair(dice.choice(habits.CARDS[self.purchase.country]), amount)
            self.card = True

    # Foot

    def foot(self):
        dice = self.dice
        has_slip = self.day_place == "slip" or (self.card and dice.random() < 0.5)
        parts = [self.vat]
        if has_slip:
            parts.insert(0 if self.habits.has_slip_first else 1, self.slip)
        others = []
        if self.day_place == "foot":
            others.append(lambda: self.add_row(self.day_line(), "", dice.random() < 0.4))
        count_form = dice.choice(habits.COUNTS) if dice.random() < 0.3 else ""
        if count_form:
            goods_only = [line for line in self.purchase.lines if line.kind in ("item", "deposit")]
            pieces = sum(line.quantity // 1000 if line.unit == "Stk" else 1 for line in goods_only)
            others.append(lambda: self.form(count_form.format(n=pieces, l=sum(line.kind != "rounding" for line in self.purchase.lines))))
        if dice.random() < 0.25:
            others.append(self.loyalty)
        if self.purchase.country != "CH" and dice.random() < 0.45:
            others.append(self.code)
        dice.shuffle(others)
        for part in parts + others:
            if dice.random() < 0.4:
                self.add_row()
            part()
        self.add_row()
        self.add_row(dice.choice(["Vielen Dank für Ihren Einkauf!", "Danke für Ihren Besuch", "Auf Wiedersehen!", "Umtausch nur mit Beleg innerhalb 14 Tagen", "Merci für Ihren Einkauf"]), "", True)

    def vat(self):
        h, a = self.habits, self.habits.amount
        if h.vat == "none":
            return
        if h.vat in habits.VAT_HEADS:
            self.add_row(habits.VAT_HEADS[h.vat])
        for tax, rate, net, part, gross in self.purchase.taxes():
            letter, short = h.letters[tax], f"{rate / 100:g}".replace(".", h.comma)
            self.add_row({
                "net-tax-gross": f"{letter} {short:>4}%{a(net):>9}{a(part):>8}{a(gross):>9}",
                "gross-net-tax": f"{letter}={short:>4}%{a(gross):>9}{a(net):>9}{a(part):>8}",
                "rate-gross-tax": f"{short:>4} % {letter}{a(gross):>11}{a(part):>10}",
                "sentence": f"enthält {short}% MwSt {a(part)} von {a(gross)}",
                "included": f"inkl. {short}% MwSt   {a(part):>8}",
            }[h.vat])

    def slip(self):
        dice, (year, month, day) = self.dice, self.day
        self.add_row(dice.choice(["K-U-N-D-E-N-B-E-L-E-G", "* Kundenbeleg *", "Händlerbeleg", "Kartenzahlung"]), "", True)
        fields = [
            ("Terminal-ID", f"{dice.randrange(10**7, 10**8)}"), ("TA-Nr.", f"{dice.randrange(10**6):06d}"), ("Beleg-Nr.", f"{dice.randrange(10**4):04d}"),
            ("Karte", f"############{dice.randrange(10**4):04d}"), ("AID", f"A00000{dice.randrange(10**8):08d}"), ("Autor.-Nr.", f"{dice.randrange(10**6):06d}"), ("VU-Nr.", f"{dice.randrange(10**9)}")]
        for label, value in dice.sample(fields, dice.randint(2, 6)):
            self.pair(label, value)
        self.pair(dice.choice(["Datum", "Datum/Zeit"]), f"{day:02d}.{month:02d}.{year} {self.time[0]:02d}:{self.time[1]:02d}")
        self.pair(dice.choice(["Betrag", "Betrag EUR", "Zahlung", "Total"]), self.habits.amount(self.total))
        self.add_row(dice.choice(["Zahlung erfolgt", "Genehmigt", "*** Vielen Dank ***", "Autorisiert"]), "", True)

    def loyalty(self):
        dice = self.dice
        kind = dice.randrange(3)
        if kind == 0:
            self.add_row(f"Punktestand: {dice.randrange(10, 9999)}")
            self.add_row(f"Mit diesem Einkauf: {dice.randrange(1, 99)} Punkte")
        elif kind == 1:
            self.add_row(f"Sie haben {self.habits.amount(dice.randrange(20, 900))} gespart!", "", True)
        else:
            self.pair("Guthaben Kundenkarte", self.habits.amount(dice.randrange(100, 4000)))

    def code(self):
        table = {tax: gross for tax, _, _, _, gross in self.purchase.taxes()}
        moment = (self.day, self.time)
        if self.purchase.country == "AT":
            self.add_row(codes.austrian(self.dice, table, moment, self.receipt), "qr", True)
        elif self.dice.random() < 0.5:
            self.add_row(codes.german(self.dice, table, moment, not self.card), "qr", True)
        else:
            for row in codes.german_as_text(self.dice, moment):
                self.add_row(row)

    def truth(self) -> dict:
        year, month, day = self.day
        dated = self.day_place != "nowhere" or any(row.look == "qr" or row.text.startswith("TSE-Start") or row.text.startswith("Datum") for row in self.rows)
        return {
            "chain": self.name, "store": f"{self.street}, {self.post} {self.town}", "date": f"{year:04d}-{month:02d}-{day:02d}" if dated else None,
            "time": f"{self.time[0]:02d}:{self.time[1]:02d}", "currency": habits.CURRENCY[self.purchase.country], "total": self.total / 100,
            "items": [line.truth() for line in self.purchase.lines], "items_sum": self.total / 100, "sum_checked": True}


class FuelLine(Line):
    """A fuel line, with litres in thousandths, and the price of a litre in thousandths of the currency."""

    def __init__(self, name: str, total: int, tax: str, quantity: int, unit: str, price: int):
        super().__init__(name, total, tax, "item", quantity, unit)
        self.price = price

    def shown_price(self, h: Habits) -> str:
        return f"{self.price // 1000}{h.comma}{self.price % 1000:03d}"

    def truth(self) -> dict:
        return {**super().truth(), "unit_price": self.price / 1000}
