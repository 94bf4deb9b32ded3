"""Converts a purchase and a style to printed rows and the expected result."""

import random
from dataclasses import dataclass

from . import basket, codes, goods
from .style import Style


@dataclass
class Row:
    """A printed line, or a picture of a code. `look` is "", bold, wide, tall, big, logo, hand (`label|value`), qr, bars:itf or bars:code128; other values are like ""."""

    text: str
    look: str = ""
    centred: bool = False


@dataclass
class Printed:
    style: Style
    rows: list[Row]
    truth: dict


class Till:
    """Prints one purchase. The rows are in the order of the calls."""

    def __init__(self, style: Style, dice: random.Random):
        self.style, self.dice, self.rows = style, dice, []
        self.purchase = basket.fill(dice, style.country, style, dice.choice([1, 3, 4, 6, 8, 9, 11, 13, 16, 20, 26, 34]))
        for line in self.purchase.lines:
            line.vat = style.letters[line.tax]

    def add_row(self, text="", look="", centred=False):
        self.rows.append(Row(text, look, centred))

    def wide(self, form: str, look="", **values):
        """Prints `left|right` over the whole width. Blanks at the end of `form` keep the column of the VAT letters empty."""
        left, _, right = form.format(**values).partition("|")
        columns = self.style.columns // 2 if look in ("wide", "big") else self.style.columns
        self.add_row(left + " " * max(1, columns - len(left) - len(right)) + right if right else left, look)

    def run(self) -> Printed:
        self.head()
        self.items()
        self.sums()
        for part in self.foot_parts():
            part()
        return Printed(self.style, self.rows, self.truth())

    # Head

    def head(self):
        s, dice = self.style, self.dice
        country = s.country
        self.town = dice.choice(goods.TOWNS[country])
        self.post = {"DE": f"{dice.randrange(1000, 99999):05d}", "AT": str(dice.randrange(1010, 9990)), "CH": str(dice.randrange(1000, 9600))}[country]
        self.street = f"{dice.choice(goods.STREETS)} {dice.randint(1, 120)}"
        self.add_row(s.logo, "logo", True)
        if dice.random() < 0.5:
            self.add_row(dice.choice([f"{s.logo} {dice.choice(goods.PEOPLE)} oHG", dice.choice(goods.PEOPLE) + " e.K."]), "", True)
        if dice.random() < 0.5:
            self.add_row(f"{self.street}, {self.post} {self.town}", "", True)
        else:
            self.add_row(self.street, "", True)
            self.add_row(f"{self.post} {self.town}", "", True)
        if dice.random() < 0.5:
            self.add_row(f"Tel. 0{dice.randrange(200, 999)} / {dice.randrange(100000, 999999)}", "", True)
        if dice.random() < 0.25:
            self.add_row("Mo.-Sa. 8.00 Uhr - 20.00 Uhr", "", True)
        self.identity = {"DE": f"DE{dice.randrange(10**8, 10**9)}", "AT": f"ATU{dice.randrange(10**7, 10**8)}", "CH": f"CHE-{dice.randrange(100, 999)}.{dice.randrange(100, 999)}.{dice.randrange(100, 999)}"}[country]
        if dice.random() < 0.5:
            self.add_row(f"UID Nr.: {self.identity}", "", True)
        year, month, day = dice.randint(2019, 2026), dice.randint(1, 12), dice.randint(1, 28)
        if year == 2026:
            month = min(month, 10)
        self.day, self.time = (year, month, day), (dice.randint(7, 20), dice.randrange(60), dice.randrange(60))
        self.receipt, self.market = dice.randrange(1, 9999), f"{dice.randrange(100, 9999):04d}"
        # The date is printed in the head or in the foot.
        self.day_at_head = s.chain in ("Rossmann", "dm") or dice.random() < 0.1
        if self.day_at_head:
            self.add_row(self.day_line())
        if dice.random() < 0.5:
            self.add_row()
        if s.header:
            self.add_row(" " * (s.columns - len(s.header) - (0 if s.letter == "between" else 2)) + s.header)

    def day_line(self) -> str:
        year, month, day = self.day
        hour, minute, second = self.time
        return self.dice.choice(self.style.day_forms).format(
            d=f"{day:02d}.{month:02d}.{year}", d2=f"{day:02d}.{month:02d}.{year % 100:02d}", t=f"{hour:02d}:{minute:02d}",
            s=f"{hour:02d}:{minute:02d}:{second:02d}", b=f"{self.receipt:04d}", m=self.market)

    # Items

    def items(self):
        s, dice = self.style, self.dice
        lines = self.purchase.lines
        since_section = 0
        for index, line in enumerate(lines):
            if s.sections and line.kind == "item" and (index == 0 or (since_section >= 3 and dice.random() < 0.4)):
                self.add_row(dice.choice(s.sections), "small" if dice.random() < 0.3 else "")
                since_section = 0
            since_section += 1
            self.item(line)
            if s.coupons and line.kind == "item" and dice.random() < 0.05:
                self.add_row(dice.choice(s.coupons).format(k=f"{dice.randrange(10**9):09d}"))
            if s.subtotals and index in (len(lines) // 2, len(lines) - 1) and dice.random() < 0.4:
                self.wide("Zwischensumme|{t}", t=s.amount(sum(one.total for one in lines[: index + 1])))

    def item(self, line: basket.Line):
        s = self.style
        name = line.name
        if s.article_digits and line.kind == "item":
            number = f"{self.dice.randrange(10 ** (s.article_digits - 1), 10 ** s.article_digits)}"
            line.name, name = line.name, f"{number} {line.name}"
        is_weight, is_multiple = line.unit == "kg", line.quantity != 1000 and line.unit == "Stk"
        place = s.weight if is_weight else s.quantity if is_multiple else ""
        price = "" if line.unit_price is None else s.amount(line.unit_price)
        count = f"{line.quantity // 1000}{s.comma}{line.quantity % 1000:03d}" if is_weight else str(line.quantity // 1000)
        if is_weight and line.unit_price is None:
            extra, place = f"   {count} kg", "below" if place in ("below", "own") else "above"
        else:
            extra = (s.weight_form if is_weight else s.quantity_form).format(n=count, p=price)
        right = self.amount_with_letter(line)
        if place == "columns" or (s.quantity == "columns" and not place):
            shown = f"{count:>5} {price:>7}" if place else f"{1:>5} {s.amount(line.total):>7}"
            if line.kind == "discount":
                shown = ""
            self.cell(f"{name:<{s.name_width}} {shown}", right)
        elif place == "table":
            self.add_row(name)
            self.add_row(f"{'kg':>12}{'EURO/kg':>10}{'EURO':>8}")
            self.cell(f"{count:>12}{price:>10}", right)
        elif place == "own":
            self.add_row(name)
            self.cell(extra, right)
        elif place == "inline" and is_weight is False:
            pad = s.columns - len(right) - len(extra) - 2
            self.cell(f"{name[:pad - 1]:<{pad}}{extra}", right)
            line.name = name[: pad - 1].rstrip()
        elif place == "before":
            self.cell(f"{extra}  {name}"[: s.columns - len(right) - 1], right)
            line.name = f"{extra}  {name}"[: s.columns - len(right) - 1][len(extra) + 2 :].rstrip()
        elif place == "above":
            self.add_row(extra)
            self.cell(name, right)
        else:
            self.cell(name, right)
            if place == "below":
                self.add_row(extra)

    def amount_with_letter(self, line: basket.Line) -> str:
        s = self.style
        amount = s.amount(line.total)
        if s.sign:
            amount = f"{s.sign}{amount}" if s.sign_before else f"{amount} {s.sign}"
        mark = s.deposit_mark if line.kind.startswith("deposit") else ""
        if s.letter == "between":
            return f"{line.vat}{amount:>9}"
        # Discounts of Lidl have no VAT class.
        if s.chain == "Lidl" and line.kind == "discount":
            line.vat = ""
            return amount + "  "
        width = 1 + len(s.glue) + (2 if s.deposit_mark.startswith(" ") else 0)
        return amount + (s.glue + line.vat + mark).ljust(width)

    def cell(self, left: str, right: str):
        """Adds a row with a name, which is cut to the space beside `right`."""
        columns = self.style.columns
        self.add_row(left[: columns - len(right) - 1].ljust(columns - len(right)) + right)

    # Sums

    def sums(self):
        s, dice, total = self.style, self.dice, self.purchase.total
        if s.rule and dice.random() < 0.8:
            self.add_row(s.rule * s.columns)
        elif dice.random() < 0.5:
            self.add_row()
        count = sum(line.quantity // 1000 if line.unit == "Stk" else 1 for line in self.purchase.lines if line.kind in ("item", "deposit"))
        count_form = dice.choice(s.count_forms) if s.count_forms else ""
        self.count_line = (count_form, len(self.purchase.lines) if "Posten" in count_form else count)
        if "Posten" in count_form:
            self.add_row(count_form.format(n=self.count_line[1]))
        self.wide(dice.choice(s.total_forms), s.total_look, t=s.amount(total))
        if s.rule and dice.random() < 0.4:
            self.add_row("=" * s.columns)
        if dice.random() < 0.45 and total > 0:
            given = dice.choice([total, -(-total // 500) * 500, -(-total // 1000) * 1000, -(-total // 5000) * 5000])
            self.wide(dice.choice(s.payments), t=s.amount(given))
            if given > total:
                self.wide(s.change, t=s.amount(total - given if s.change_minus else given - total))
            self.card = False
        else:
            self.wide(dice.choice(s.card), t=s.amount(total))
            self.card = True
        if dice.random() < 0.6:
            self.add_row()

    # Foot

    def foot_parts(self):
        parts = [self.vat_table]
        others = [self.count]
        if not self.day_at_head:
            others.append(lambda: self.add_row(self.day_line(), "", self.dice.random() < 0.5))
        if self.style.slip and self.card and self.dice.random() < 0.5:
            others.append(self.slip)
        code = self.dice.choice(self.style.codes)
        if code:
            others.append(lambda: self.code(code))
        self.dice.shuffle(others)
        return parts + others + [self.thanks]

    def count(self):
        form, number = self.count_line
        if form and "Posten" not in form:
            self.wide(form, n=number)

    def vat_table(self):
        s, table = self.style, self.purchase.taxes()
        a = s.amount
        if s.vat_head:
            self.add_row(s.vat_head)
        for tax, rate, net, part, gross in table:
            letter, percent = s.letters[tax], f"{rate // 100}{s.comma}{rate % 100:02d}"
            short = f"{rate / 100:g}".replace(".", s.comma)
            form = {
                "net-tax-gross": f"{letter}= {percent[:-1]:>4}% {a(net):>9}{a(part):>9}{a(gross):>9}",
                "percent": f"{letter} {percent:>5}%{a(net):>10}{a(part):>9}{a(gross):>10}",
                "plain": f"{letter} {short}%".ljust(11) + f"{a(net):>9}{a(part):>8}{a(gross):>9}",
                "lidl": f"{letter} {short:>2} % {a(part):>8}{a(net):>12}{a(gross):>11}",
                "gross-net-tax": f"{letter}  {short:>2}%     {a(gross):>9}{a(net):>9}{a(part):>9}",
                "mwst-first": f"{letter} {percent[:-1]:>4}%{a(part):>9}{a(net):>10}{a(gross):>10}",
                "named": f"{letter} MWST {letter}  {short:>2}%{a(net):>11}{a(part):>9}{a(gross):>10}",
                "equals": f"{letter}={percent}%{a(gross):>12}{a(net):>10}{a(part):>10}",
                "sentence": f"{letter}: {short}% MWST v. {a(gross):>8} = {a(part):>7}",
            }[s.vat_table]
            self.add_row(form[: s.columns])
        net, part, gross = (sum(row[i] for row in table) for i in (2, 3, 4))
        sums = {
            "net-tax-gross": f"Gesamtbetrag{a(net):>6}{a(part):>9}{a(gross):>9}", "lidl": f"Summe  {a(part):>8}{a(net):>12}{a(gross):>11}",
            "named": f"MWST Total {a(net):>13}{a(part):>9}{a(gross):>10}",
        }.get(s.vat_table)
        if sums and len(table) > 0:
            self.add_row(sums[: s.columns])
        self.add_row()

    def slip(self):
        d, dice = self.day, self.dice
        self.add_row("* *  Kundenbeleg  * *", "", True)
        self.wide("Datum:|{v}", v=f"{d[2]:02d}.{d[1]:02d}.{d[0]}")
        self.wide("Uhrzeit:|{v} Uhr", v=f"{self.time[0]:02d}:{self.time[1]:02d}")
        self.wide("Beleg-Nr.|{v}", v=f"{dice.randrange(1, 9999):04d}")
        self.wide("Trace-Nr.|{v}", v=f"{dice.randrange(1, 999999):06d}")
        self.add_row("Kartenzahlung", "", True)
        self.add_row(dice.choice(["girocard", "Debit Mastercard", "VISA", "contactless"]), "", True)
        self.wide("Nr.|{v}", v=f"###############{dice.randrange(10000):04d} 0000")
        self.wide("Terminal-ID|{v}", v=f"{dice.randrange(10**7, 10**8)}")
        self.wide("Betrag EUR|{v}" if self.style.country != "CH" else "Betrag CHF|{v}", v=self.style.amount(self.purchase.total))
        self.add_row("Zahlung erfolgt", "", True)

    def code(self, kind: str):
        table = {tax: gross for tax, _, _, _, gross in self.purchase.taxes()}
        moment = (self.day, self.time)
        if kind == "qr":
            self.add_row(codes.german(self.dice, table, moment, not self.card), "qr", True)
        elif kind == "tse":
            for row in codes.german_as_text(self.dice, moment):
                self.add_row(row)
        elif kind == "rksv":
            self.add_row(codes.austrian(self.dice, table, moment, self.receipt), "qr", True)
        else:
            payload = codes.bar_code(kind, self.dice, moment, self.market, self.receipt)
            self.add_row(payload, "bars:code128" if kind == "code128" else "bars:itf", True)
            if self.dice.random() < 0.6:
                self.add_row(payload, "", True)

    def thanks(self):
        self.add_row()
        self.add_row(self.dice.choice(["Vielen Dank für Ihren Einkauf!", "Danke für Ihren Einkauf", "Es bediente Sie: Kasse 2", "Umtausch nur mit Kassenbon"]), "", True)
        if self.dice.random() < 0.3:
            self.add_row("Gutschein-Code: " + "".join(self.dice.choice("ABCDEFGHJKLMNP23456789") for _ in range(10)), "", True)

    def truth(self) -> dict:
        year, month, day = self.day
        return {
            "chain": self.style.chain, "store": f"{self.street}, {self.post} {self.town}", "date": f"{year:04d}-{month:02d}-{day:02d}",
            "time": f"{self.time[0]:02d}:{self.time[1]:02d}", "currency": "CHF" if self.style.country == "CH" else "EUR",
            "total": self.purchase.total / 100, "items": [line.truth() for line in self.purchase.lines],
            "items_sum": self.purchase.total / 100, "sum_checked": True,
        }
