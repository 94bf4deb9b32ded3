// The review page: live difference, marks on the picture, Enter to the next doubt, lines added, split, moved and deleted
// without a reload. Every button here is an ordinary submit button too, so the page works without this file.

const form = document.getElementById("review");
const list = form.querySelector(".lines");
const photo = document.querySelector("[data-photo]");
const blank = document.getElementById("new-line").content.firstElementChild;
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const english = document.documentElement.lang === "en";
// A page that came back with an error already shows lines that are not stored yet.
let fresh = Math.max(0, ...[...list.querySelectorAll("[data-line^='new-']")].map((row) => Number(row.dataset.line.slice(4)) || 0));
let changed = false;

// Amounts are whole cents; comma and point are both read, as on the server. `null` is "no amount": also `1.234`, which
// may be either, and what has no digit before the comma.
function cents(text) {
  const plain = text.replace(/[\s\u00a0€'’]/g, "").replace("−", "-");
  const match = /^([+-]?)(\d+|[1-9]\d{0,2}(?:\.\d{3})+|[1-9]\d{0,2}(?:,\d{3})+)(?:([.,])(\d{1,2}))?(-?)$/.exec(plain);
  if (!match) return null;
  const groups = match[2].split(/[.,]/);
  if (groups.length === 2 && !match[3]) return null;
  if (groups.length > 1 && match[2].includes(match[3])) return null;
  const whole = groups.join("");
  const value = Number(whole) * 100 + Number((match[4] ?? "").padEnd(2, "0"));
  return (match[1] === "-") !== (match[5] === "-") ? -value : value;
}

// As the server writes them: `1.234,50 €`, in English `€1,234.50`.
function figure(value) {
  const [group, point] = english ? [",", "."] : [".", ","];
  const size = Math.abs(value);
  return String(Math.floor(size / 100)).replace(/\B(?=(\d{3})+$)/g, group) + point + String(size % 100).padStart(2, "0");
}

function words(value) {
  const sign = value < 0 ? "−" : "";
  const currency = form.dataset.currency;
  if (!english) return `${sign}${figure(value)} ${currency}`;
  return `${sign}${currency}${currency.length > 1 ? " " : ""}${figure(value)}`;
}

const typed = (value) => (value < 0 ? "-" : "") + figure(value);

// Digits with one decimal mark, as thousandths of a unit, or of a cent; `null` where the server would ask or refuse.
function thousandths(text, places) {
  const match = /^[-+−]?(\d{1,9})(?:[.,](\d{1,5}))?-?$/.exec(text.replace(/[\s\u00a0€]/g, ""));
  if (!match || (match[2] ?? "").length > places) return null;
  return BigInt(match[1] + (match[2] ?? "").padEnd(places, "0"));
}

// The same slack as on the server: pieces are counted; what is weighed is printed to the gram, and cents are cut off.
function product(row) {
  const unit = row.querySelector("select[name^='unit-']");
  const typed = { quantity: field(row, "quantity").value.trim() || "1", price: field(row, "unit-price").value.trim() };
  const quantity = thousandths(typed.quantity, 3);
  const price = thousandths(typed.price, 5);
  if (quantity === null || price === null) return null;
  const grouped = /^\D?[1-9]\d{0,2}([.,])\d{3}\D?$/.exec(typed.quantity);
  const small = { piece: 1n, g: 1000n, ml: 1000n }[unit.value];
  if (grouped && small && grouped[1] === (english ? "," : ".")) return null;
  const half = unit.value === "piece" ? 500000n : 1000000n + (price * (small ?? 1n)) / 2n;
  const name = unit.value === "piece" ? "" : ` ${unit.value}`;
  return { exact: quantity * price, slack: half, text: `${typed.quantity.replace(".", english ? "." : ",")}${name} × ${typed.price.replace(/[.,]/, english ? "." : ",")}` };
}

// Says at a line what would fit, where quantity times unit price is not its amount.
function hint(row) {
  const place = row.querySelector("[data-hint]");
  const amount = cents(field(row, "total").value);
  const made = amount === null ? null : product(row);
  const gap = made && made.exact - BigInt(Math.abs(amount)) * 1000000n;
  place.hidden = !made || (gap < 0n ? -gap : gap) <= made.slack;
  place.querySelector("[data-hint-text]").textContent = place.hidden ? ""
    : `${made.text} = ${figure(Number((made.exact + 500000n) / 1000000n))}, ${form.dataset.misfit} ${figure(Math.abs(amount))}`;
  return !place.hidden;
}

// An amount that was left out is what quantity and unit price make, as on the server.
function amountOf(row) {
  const text = field(row, "total").value;
  const made = text.trim() === "" ? product(row) : null;
  return made ? Number((made.exact + 500000n) / 1000000n) : cents(text);
}

function balance() {
  // A new line that is still empty is none.
  const rows = [...list.querySelectorAll(".line[data-line]")].filter((row) =>
    !row.dataset.line.startsWith("new") || field(row, "name").value.trim() || field(row, "total").value.trim());
  const amounts = rows.map(amountOf);
  const misfits = rows.filter(hint).length;
  const sum = amounts.reduce((total, value) => total + (value ?? 0), 0);
  const printed = cents(form.elements.total.value);
  const bar = form.querySelector("[data-balance]");
  const off = sum - (printed ?? 0);
  const unknown = amounts.includes(null) || (printed === null && form.elements.total.value.trim() !== "");
  const { balanced, missing, surplus, empty } = form.dataset;
  const says = rows.length === 0 ? empty
    : unknown ? form.dataset.unknown
    : printed === null ? form.dataset.totalUnknown
    : off < 0 ? `${missing} ${words(-off)}`
    : off > 0 ? `${surplus} ${words(off)}`
    : misfits ? `${form.dataset.misfits} ${misfits}`
    : balanced;
  bar.classList.toggle("good", says === balanced);
  // What was typed since is proven by nothing, least of all where it does not add up.
  for (const proven of document.querySelectorAll("[data-proven]")) proven.hidden = says !== balanced;
  bar.querySelector(".balance-text").textContent = says;
  bar.querySelector("[data-lines-sum]").textContent = words(sum);
  bar.querySelector("[data-total-sum]").textContent = printed === null ? "–" : words(printed);
  form.querySelector("[data-confirm-text]").textContent = rows.length === 0 ? form.dataset.confirmEmpty
    : says === balanced && !("doubted" in form.dataset)
      // A day that nobody has read or typed is named by the button that books it.
      ? form.elements.day.matches("[data-unread][data-doubtful]") ? form.dataset.confirmUndated : form.dataset.confirmSound
    : form.dataset.confirmAnyway;
}

// Doubts ------------------------------------------------------------------

const doubts = () => [...form.querySelectorAll("[data-doubtful]:enabled")];
const nextButton = form.querySelector("[data-next-doubt]");

function countDoubts() {
  const count = doubts().length;
  nextButton.hidden = count === 0;
  nextButton.querySelector("[data-doubt-count]").textContent = count;
}

function settle(input) {
  if (!input.hasAttribute("data-doubtful")) return;
  input.removeAttribute("data-doubtful");
  input.removeAttribute("aria-invalid");
  const said = (input.getAttribute("aria-describedby") ?? "").split(" ");
  const why = said.find((id) => !id.startsWith("hint-"));
  const rest = said.filter((id) => id !== why).join(" ");
  if (rest) input.setAttribute("aria-describedby", rest); else input.removeAttribute("aria-describedby");
  // What is said once for many fields stays until the last of them is settled.
  if (why && !form.querySelector(`[aria-describedby~="${CSS.escape(why)}"]`)) document.getElementById(why)?.remove();
  if (input.matches("[data-unread]")) balance();
  countDoubts();
}

// Where the person was last: the button that leads on takes the focus away from it.
let lastField = null;

function nextDoubt(from) {
  const open = doubts();
  const next = open.find((input) => !from || from.compareDocumentPosition(input) & Node.DOCUMENT_POSITION_FOLLOWING) ?? open[0];
  if (!next) return form.querySelector("[data-confirm]").focus();
  next.closest("details")?.setAttribute("open", "");
  next.focus();
  next.select?.();
}

// The picture -------------------------------------------------------------

function mark(input) {
  if (!photo) return;
  for (const old of photo.querySelectorAll(".mark.at")) old.classList.remove("at");
  const key = input.closest("[data-line]")?.dataset.line ?? "";
  const own = [...photo.querySelectorAll(".mark")].filter((rect) => rect.dataset.line === key);
  const field = input.dataset.field;
  const exact = own.find((rect) => rect.dataset.field === field);
  const found = exact ?? own.find((rect) => rect.dataset.field === "line");
  if (!found) return;
  found.classList.add("at");
  const box = found.getBoundingClientRect();
  const frame = photo.getBoundingClientRect();
  // Of a whole line that is wider than the frame the end matters where amounts stand, else the beginning.
  const isWide = !exact && box.width > frame.width;
  const isAmount = field === "total" || field === "unit-price";
  const across = !isWide ? box.left + box.width / 2 - frame.left - frame.width / 2
    : isAmount ? box.right + 8 - frame.right : box.left - 8 - frame.left;
  photo.scrollBy({
    top: box.top + box.height / 2 - frame.top - frame.height / 2,
    left: across,
    behavior: calm ? "instant" : "smooth",
  });
}

if (photo) {
  const steps = ["zoom-1", "zoom-2", "zoom-3", "zoom-4"];
  let zoom = 0;
  const set = (to) => {
    const x = (photo.scrollLeft + photo.clientWidth / 2) / photo.scrollWidth;
    const y = (photo.scrollTop + photo.clientHeight / 2) / photo.scrollHeight;
    photo.classList.remove(steps[zoom]);
    zoom = Math.min(steps.length - 1, Math.max(0, to));
    photo.classList.add(steps[zoom]);
    photo.scrollTo({
      left: x * photo.scrollWidth - photo.clientWidth / 2,
      top: y * photo.scrollHeight - photo.clientHeight / 2,
      behavior: "instant",
    });
  };
  // A narrow print on a wide page, as of a PDF in A4, begins as large as its lines allow.
  const page = photo.querySelector(".page:has(.mark)");
  if (page) {
    const marks = [...page.querySelectorAll(".mark")].map(({ x, width }) => [x.baseVal.value, x.baseVal.value + width.baseVal.value]);
    const whole = page.viewBox.baseVal.width;
    const margin = 0.03 * whole;
    const left = Math.min(...marks.map(([from]) => from)) - margin;
    const right = Math.max(...marks.map(([, to]) => to)) + margin;
    const fits = [1, 1.6, 2.4, 3.6].findLastIndex((factor) => factor * (right - left) <= whole);
    if (fits > 0) {
      set(fits);
      photo.scrollTo({ left: (left / whole) * page.clientWidth, top: 0, behavior: "instant" });
    }
  }
  document.querySelector(".zoom").hidden = false;
  document.querySelector("[data-zoom=in]").addEventListener("click", () => set(zoom + 1));
  document.querySelector("[data-zoom=out]").addEventListener("click", () => set(zoom - 1));
  photo.addEventListener("dblclick", () => set(zoom ? 0 : 2));
  photo.addEventListener("click", (event) => {
    const key = event.target.dataset?.line;
    const field = event.target.dataset?.field;
    if (field === undefined) return;
    const scope = key ? list.querySelector(`[data-line="${CSS.escape(key)}"]`) : form.querySelector(".heads");
    (scope?.querySelector(`input[data-field="${field}"]`) ?? scope?.querySelector("input[data-field=name]"))?.focus();
  });
}

// Lines -------------------------------------------------------------------

function newLine(after) {
  fresh += 1;
  const key = `new-${fresh}`;
  const row = blank.cloneNode(true);
  row.dataset.line = key;
  row.querySelector("input[name=line]").value = key;
  for (const field of row.querySelectorAll("[name$='-new']")) field.name = field.name.replace(/-new$/, `-${key}`);
  row.querySelector("[data-hint]").id = `hint-${key}`;
  field(row, "total").setAttribute("aria-describedby", `hint-${key}`);
  for (const button of row.querySelectorAll("button[value$=':new']")) button.value = button.value.replace(/:new$/, `:${key}`);
  if (after) after.after(row); else list.append(row);
  touch();
  return row;
}

const field = (row, name) => row.querySelector(`[name^="${name}-"]`);

// A quantity of three becomes two and one; anything else becomes the line and an empty twin to fill in.
function split(row) {
  const twin = newLine(row);
  for (const name of ["name", "unit", "unit-price", "kind", "vat"]) field(twin, name).value = field(row, name).value;
  const count = Number(field(row, "quantity").value);
  const price = cents(field(row, "unit-price").value);
  const total = cents(field(row, "total").value);
  if (Number.isInteger(count) && count > 1 && price !== null && total !== null) {
    field(row, "quantity").value = count - 1;
    field(row, "total").value = typed(total - price);
    field(twin, "quantity").value = 1;
    field(twin, "total").value = typed(price);
  }
  field(twin, "total").focus();
  balance();
}

function move(row, up) {
  const other = up ? row.previousElementSibling : row.nextElementSibling;
  if (!other) return;
  const focused = document.activeElement;
  if (up) other.before(row); else other.after(row);
  focused.focus();
  touch();
}

// A deleted line keeps its place until the form is sent, with a way back; its fields are disabled, so they are not sent.
function remove(row) {
  const gone = document.createElement("li");
  gone.className = "line gone";
  gone.append(form.dataset.deleted);
  const back = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: form.dataset.undo });
  back.addEventListener("click", () => {
    for (const input of row.querySelectorAll("input, select, button")) input.disabled = false;
    gone.replaceWith(row);
    field(row, "name").focus();
    touch();
  });
  gone.append(back);
  row.replaceWith(gone);
  back.focus();
  touch();
}

function touch() {
  changed = true;
  balance();
  countDoubts();
}

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const row = button.closest(".line");
  if (button.matches("[data-add]")) field(newLine(), "name").focus();
  else if (button.matches("[data-split]")) split(row);
  else if (button.matches("[data-delete]")) remove(row);
  else if (button.matches("[data-move]")) move(row, button.dataset.move === "up");
  else if (button.matches("[data-next-doubt]")) return nextDoubt(lastField);
  else return;
  event.preventDefault();
});

form.addEventListener("input", (event) => { settle(event.target); touch(); });
form.elements.currency.addEventListener("change", ({ target }) => {
  form.dataset.currency = target.selectedOptions[0].text;
  balance();
});
// What takes something off was typed without a minus: as on the server, but before the eyes of whoever types.
const takenOff = new Set(["discount", "coupon", "deposit-return"]);
form.addEventListener("change", ({ target }) => {
  const row = target.closest("[data-line]");
  if (!row || !/^(total|kind)-/.test(target.name) || !takenOff.has(field(row, "kind").value)) return;
  const amount = field(row, "total");
  if (!(cents(amount.value) > 0) || amount.value.includes("+")) return;
  amount.value = `-${amount.value.trim()}`;
  settle(amount);
  touch();
});
form.addEventListener("focusin", (event) => {
  if (event.target.matches("input, select")) lastField = event.target;
  else if (!event.target.closest("[data-line]")) return;
  mark(event.target);
});
form.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  // A key that is held has looked at nothing: it settles no doubt and presses no button.
  if (event.key === "Enter" && event.repeat) return event.preventDefault();
  const row = event.target.closest(".line");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(form.querySelector("[data-confirm]"));
  } else if (event.key === "Enter" && event.target.matches("input, select")) {
    event.preventDefault();
    const here = event.target;
    settle(here);
    nextDoubt(here);
  } else if (row && event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    move(row, event.key === "ArrowUp");
  }
});
// A second tap is no harm: the server knows a form that it has seen.
form.addEventListener("submit", () => { changed = false; });
addEventListener("beforeunload", (event) => { if (changed) event.preventDefault(); });

balance();
countDoubts();
