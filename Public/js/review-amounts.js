// The amounts of the review form: parses and formats them, and keeps amount, quantity and unit price of a line consistent.
// Defines `amounts` for the other scripts of the page.

globalThis.amounts = (() => {
  const form = document.getElementById("review");
  const english = document.documentElement.lang === "en";

  // The field of a line with a name such as "total"; its full name ends with the key of the line.
  const field = (row, name) => row.querySelector(`[name^="${name}-"]`);

  // The signs that are accepted besides currency codes, and the largest amount in cents, as on the server.
  const signs = { EUR: "€", CHF: "Fr.", GBP: "£", USD: "$", PLN: "zł", CZK: "Kč" };
  const limit = 100000000n;

  // Removes the code or sign of the receipt's currency before or after a figure. The code or sign of another currency
  // stays, so that the figure is refused, as on the server.
  function withoutCurrency(text) {
    const code = form.elements.currency.value;
    const plain = withPlainBlanks(text);
    for (const sign of [signs[code], code].filter(Boolean)) {
      if (plain.startsWith(sign)) return plain.slice(sign.length);
      if (/^[-−]/.test(plain) && plain.startsWith(sign, 1)) return `-${plain.slice(sign.length + 1)}`;
      if (plain.endsWith(sign)) return plain.slice(0, -sign.length);
    }
    return plain;
  }

  const withPlainBlanks = (text) => text.replace(/[\t\u00a0\u2009\u202f]/g, " ").trim();

  // Parses a figure with at most `places` decimals to an integer, by the rules of `DecimalText.parse` on the server. `null`
  // for text that the server refuses, such as an amount `1.234`, which is ambiguous.
  function parse(text, places) {
    const plain = withPlainBlanks(text).replace(/’/g, "'").replace(/−/g, "-");
    const match = /^([+-]?) *(0|[1-9]\d*|[1-9]\d{0,2}([.,' ])\d{3}(?:\3\d{3})*)(?:([.,])(\d+))?( *-)?$/.exec(plain);
    if (!match) return null;
    const [, sign, whole, grouping, point, decimals = "", minus] = match;
    if (sign && minus || point && grouping === point || decimals.length > places) return null;
    const value = BigInt(whole.replace(/\D/g, "") + decimals.padEnd(places, "0"));
    return sign === "-" || minus ? -value : value;
  }

  // Parses an amount to cents; `null` for text that the server refuses.
  function cents(text) {
    const value = parse(withoutCurrency(text), 2);
    return value === null || value > limit || value < -limit ? null : Number(value);
  }

  // Formats cents without sign and currency: `1.234,50`, in English `1,234.50`.
  function formatNumber(value) {
    const [group, point] = english ? [",", "."] : [".", ","];
    const size = Math.abs(value);
    return String(Math.floor(size / 100)).replace(/\B(?=(\d{3})+$)/g, group) + point + String(size % 100).padStart(2, "0");
  }

  // Formats cents like the server: `1.234,50 €`, in English `€1,234.50`.
  function formatAmount(value) {
    const sign = value < 0 ? "−" : "";
    const currency = form.dataset.currency;
    if (!english) return `${sign}${formatNumber(value)} ${currency}`;
    return `${sign}${currency}${currency.length > 1 ? " " : ""}${formatNumber(value)}`;
  }

  // The text of an amount in a field, with a minus sign that people can type.
  const fieldText = (value) => (value < 0 ? "-" : "") + formatNumber(value);

  // Parses a figure and drops its sign: a quantity (3 places) in thousandths of a unit, a unit price (5 places) in
  // thousandths of a cent.
  function thousandths(text, places) {
    const value = parse(text, places);
    return value !== null && value < 0n ? -value : value;
  }

  // Quantity × unit price of a line, or `null` if a factor is missing or ambiguous. `exact` is the product in
  // millionths of a cent. `slack` is the tolerated difference from the amount, as on the server; it is larger for
  // weights and volumes. `text` is the multiplication to show.
  function product(row) {
    const unit = row.querySelector("select[name^='unit-']");
    const typed = { quantity: field(row, "quantity").value.trim() || "1", price: field(row, "unit_price").value.trim() };
    const quantity = thousandths(typed.quantity, 3);
    const price = thousandths(withoutCurrency(typed.price), 5);
    if (quantity === null || price === null) return null;
    const grouped = /^\D?[1-9]\d{0,2}([.,])\d{3}\D?$/.exec(typed.quantity);
    // The number of pieces, grams or millilitres in the base unit; undefined for other units. In these units, a
    // quantity such as `1.234` is ambiguous, because it can also mean 1,234.
    const perBaseUnit = { piece: 1n, g: 1000n, ml: 1000n }[unit.value];
    if (grouped && perBaseUnit && grouped[1] === (english ? "," : ".")) return null;
    const slack = unit.value === "piece" ? 500000n : 1000000n + (price * (perBaseUnit ?? 1n)) / 2n;
    const name = unit.value === "piece" ? "" : ` ${unit.value}`;
    // A single separator is the decimal separator.
    const shown = (figure) => figure.replace(/^([^.,]*)[.,]([^.,]*)$/, `$1${english ? "." : ","}$2`);
    return { exact: quantity * price, slack, text: `${shown(typed.quantity)}${name} × ${shown(typed.price)}` };
  }

  // Whether a product equals an amount in cents, apart from the sign and the tolerated difference.
  function fits({ exact, slack }, amount) {
    const gap = exact - BigInt(Math.abs(amount)) * 1000000n;
    return (gap < 0n ? -gap : gap) <= slack;
  }

  // Shows quantity × unit price at a line if it differs from the amount. Returns whether it differs.
  function showMisfit(row) {
    const notice = row.querySelector("[data-hint]");
    const amount = cents(field(row, "total").value);
    const computed = amount === null ? null : product(row);
    notice.hidden = !computed || fits(computed, amount);
    notice.querySelector("[data-hint-text]").textContent = notice.hidden ? ""
      : `${computed.text} = ${formatNumber(Number((computed.exact + 500000n) / 1000000n))}, ${form.dataset.misfit} ${formatNumber(Math.abs(amount))}`;
    return !notice.hidden;
  }

  // The amount of a line in cents. An empty amount counts as quantity × unit price, as on the server.
  function amountOf(row) {
    const text = field(row, "total").value;
    const computed = text.trim() === "" ? product(row) : null;
    return computed ? Number((computed.exact + 500000n) / 1000000n) : cents(text);
  }

  // Keeps amount, quantity and unit price consistent: a changed amount or quantity updates the unit price; a changed
  // unit price updates the amount. `name` is the name of the changed field. Returns the field that was updated, or
  // null.
  function update(row, name) {
    const [amount, price] = [field(row, "total"), field(row, "unit_price")];
    const quantity = thousandths(field(row, "quantity").value.trim() || "1", 3);
    const total = cents(amount.value);
    if (quantity === null || quantity === 0n) return null;
    const computed = product(row);
    if (name === "unit_price" || total === null) {
      if (name === "total" || !computed) return null;
      const value = Number((computed.exact + 500000n) / 1000000n);
      amount.value = fieldText(total !== null && total < 0 ? -value : value);
      return amount;
    }
    if (computed ? fits(computed, total) : price.value.trim() !== "" || quantity !== 1000n) return null;
    // Prefers the unit price that the page first showed, because a computed price could have more decimals.
    price.value = price.defaultValue;
    const shown = product(row);
    if (!shown || !fits(shown, total)) price.value = formatUnitPrice((BigInt(total) * 1000000n) / quantity);
    return price;
  }

  // Formats thousandths of a cent with two to five decimals.
  function formatUnitPrice(value) {
    const digits = String(value < 0n ? -value : value).padStart(6, "0");
    const decimals = digits.slice(-5).replace(/0{1,3}$/, "");
    return (value < 0n ? "-" : "") + digits.slice(0, -5) + (english ? "." : ",") + decimals;
  }

  return { field, cents, formatAmount, fieldText, amountOf, showMisfit, update };
})();
