"""A purchase: items, prices, deposits, discounts and sums. Amounts are whole cents and quantities whole
thousandths; only the expected result has fractions."""

import random
from dataclasses import dataclass, field

from . import goods

# VAT rates in hundredths of a percent, by class: r reduced, f full, m middle.
RATES = {
    "DE": {"r": 700, "f": 1900, "m": 700}, "AT": {"r": 1000, "f": 2000, "m": 1300}, "CH": {"r": 260, "f": 810, "m": 260},
}


@dataclass
class Line:
    """A line of the expected result. `unit_price` is None if only a weight is printed. `tax` is the VAT class, a key of
    RATES; `vat` is the letter that the till prints for it."""

    name: str
    total: int
    tax: str
    kind: str = "item"
    quantity: int = 1000
    unit: str = "Stk"
    unit_price: int | None = None
    vat: str = ""

    def truth(self) -> dict:
        def amount(cents):
            return None if cents is None else cents / 100

        return {
            "name": self.name, "quantity": self.quantity / 1000 if self.quantity % 1000 else self.quantity // 1000,
            "unit": self.unit, "unit_price": amount(self.unit_price), "total": amount(self.total),
            "vat": self.vat or None, "kind": self.kind,
        }


@dataclass
class Purchase:
    country: str
    lines: list[Line] = field(default_factory=list)

    @property
    def total(self) -> int:
        return sum(line.total for line in self.lines)

    def taxes(self) -> list[tuple[str, int, int, int, int]]:
        """Class, rate in hundredths of a percent, net, tax and gross of every VAT class in use, reduced classes first."""
        table = []
        for tax in sorted({line.tax for line in self.lines}, key="rmf".index):
            rate = RATES[self.country][tax]
            gross = sum(line.total for line in self.lines if line.tax == tax)
            part = half_up(abs(gross) * rate, 10000 + rate) * (1 if gross >= 0 else -1)
            table.append((tax, rate, gross - part, part, gross))
        return table


def half_up(dividend: int, divisor: int) -> int:
    return (2 * dividend + divisor) // (2 * divisor)


def fill(dice: random.Random, country: str, style, size: int) -> Purchase:
    """Draws a basket of about `size` lines, with the deposits, discounts and returns that the shop's style allows."""
    purchase = Purchase(country)
    lines = purchase.lines
    while len(lines) < size:
        good = goods.pick(dice, country)
        name = goods.shortened(good.name, style.name_width, dice, style.upper)
        if good.grams:
            total = half_up(good.price * good.grams, 1000)
            is_price_omitted = style.may_omit_weight_price and dice.random() < 0.3
            lines.append(
                Line(name, total, good.tax, quantity=good.grams, unit="kg", unit_price=None if is_price_omitted else good.price))
        else:
            count = dice.choice([1] * 14 + [2, 2, 2, 3, 4, 6, 12])
            lines.append(Line(name, good.price * count, good.tax, quantity=count * 1000, unit_price=good.price))
            if count == 1 and not good.deposit and dice.random() < 0.08:
                lines.append(Line(name, good.price, good.tax, unit_price=good.price))
            if good.deposit and style.deposits:
                lines.append(
                    Line(
                        style.deposit_name(good.deposit, dice), good.deposit * count, good.tax, "deposit", count * 1000,
                        unit_price=good.deposit))
        if style.discounts and dice.random() < 0.07 and lines[-1].kind == "item" and lines[-1].total > 60:
            off = max(5, lines[-1].total * dice.choice([10, 20, 25, 30]) // 100)
            lines.append(discount(dice.choice(style.discounts), off, lines[-1].tax))
    if style.deposits and country != "CH" and dice.random() < 0.3:
        count, each = dice.choice([(1, 25), (3, 25), (6, 25), (11, 15), (1, 150), (20, 8), (1, 325)])
        if not style.counts:
            each, count = each * count, 1
        back = Line(
            dice.choice(style.returns), -each * count, "f", "deposit_return", count * 1000, unit_price=-each)
        lines.insert(dice.choice([0, len(lines)]), back)
    if style.staff_discounts and dice.random() < 0.15:
        for tax in sorted({line.tax for line in lines}, key="fmr".index):
            gross = sum(line.total for line in lines if line.tax == tax and line.kind == "item")
            if gross > 60:
                lines.append(discount(style.staff_discounts[0], gross * 5 // 100, tax))
    if purchase.total <= 0:
        lines.append(Line(goods.shortened("Geschenkkorb", style.name_width, dice, style.upper), 1999, "r", unit_price=1999))
    return purchase


def discount(name: str, off: int, tax: str) -> Line:
    return Line(name, -off, tax, "discount", unit_price=-off)
