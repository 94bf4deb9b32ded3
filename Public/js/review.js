// The review page: while a person types, shows by how much the lines differ from the total; marks the focused value on
// the picture; moves to the next doubtful value with Enter; adds, splits, moves and deletes lines without a reload; and
// stores typed input on the server. The page also works without this file: its buttons submit the form.

const form = document.getElementById("review");
const list = form.querySelector(".lines");
const photo = document.querySelector("[data-photo]");
const blank = document.getElementById("new-line").content.firstElementChild;
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const english = document.documentElement.lang === "en";
// The highest number of a new line. The page may already have new lines: after an error, or if stored input is shown
// again.
let fresh = Math.max(0, ...[...list.querySelectorAll("[data-line^='new-']")].map((row) => Number(row.dataset.line.slice(4)) || 0));
let changed = false;

// Parses an amount to cents. Comma and point are both accepted, as on the server. `null` for text that is not an
// amount, for `1.234`, which is ambiguous, and for text without a digit before the comma.
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

// Parses a number with at most `places` decimals to an integer: a quantity with 3 places to thousandths of a unit, a
// unit price with 5 places to thousandths of a cent. `null` for text that the server would refuse.
function thousandths(text, places) {
  const match = /^[-+−]?(\d{1,9})(?:[.,](\d{1,5}))?-?$/.exec(text.replace(/[\s\u00a0€]/g, ""));
  if (!match || (match[2] ?? "").length > places) return null;
  return BigInt(match[1] + (match[2] ?? "").padEnd(places, "0"));
}

// Quantity × unit price of a line: `exact` in millionths of a cent, `slack`, the tolerated difference from the amount
// (as on the server; larger for weights and volumes), and `text`, the multiplication to show. `null` if a factor is
// missing or ambiguous.
function product(row) {
  const unit = row.querySelector("select[name^='unit-']");
  const typed = { quantity: field(row, "quantity").value.trim() || "1", price: field(row, "unit_price").value.trim() };
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

// Shows quantity × unit price at a line if it differs from the amount. Returns whether it differs.
function showMisfit(row) {
  const notice = row.querySelector("[data-hint]");
  const amount = cents(field(row, "total").value);
  const made = amount === null ? null : product(row);
  const gap = made && made.exact - BigInt(Math.abs(amount)) * 1000000n;
  notice.hidden = !made || (gap < 0n ? -gap : gap) <= made.slack;
  notice.querySelector("[data-hint-text]").textContent = notice.hidden ? ""
    : `${made.text} = ${formatNumber(Number((made.exact + 500000n) / 1000000n))}, ${form.dataset.misfit} ${formatNumber(Math.abs(amount))}`;
  return !notice.hidden;
}

// The amount of a line in cents. An empty amount counts as quantity × unit price, as on the server.
function amountOf(row) {
  const text = field(row, "total").value;
  const made = text.trim() === "" ? product(row) : null;
  return made ? Number((made.exact + 500000n) / 1000000n) : cents(text);
}

// Keeps amount, quantity and unit price consistent: a changed amount or quantity updates the unit price; a changed unit
// price updates the amount.
function updateAmounts(row, name) {
  const [amount, price] = [field(row, "total"), field(row, "unit_price")];
  const quantity = thousandths(field(row, "quantity").value.trim() || "1", 3);
  const total = cents(amount.value);
  if (quantity === null || quantity === 0n) return;
  const made = product(row);
  if (name === "unit_price" || total === null) {
    if (name === "total" || !made) return;
    const value = Number((made.exact + 500000n) / 1000000n);
    amount.value = fieldText(total !== null && total < 0 ? -value : value);
    return clearDoubt(amount);
  }
  const gap = made && made.exact - BigInt(Math.abs(total)) * 1000000n;
  if (made ? (gap < 0n ? -gap : gap) <= made.slack : price.value.trim() !== "" || quantity !== 1000n) return;
  price.value = unitPrice((BigInt(total) * 1000000n) / quantity);
  clearDoubt(price);
}

// Formats thousandths of a cent with two to five decimals.
function unitPrice(value) {
  const digits = String(value < 0n ? -value : value).padStart(6, "0");
  const decimals = digits.slice(-5).replace(/0{1,3}$/, "");
  return (value < 0n ? "-" : "") + digits.slice(0, -5) + (english ? "." : ",") + decimals;
}

// Compares the sum of the lines with the total and shows the result in the bar at the bottom.
function balance() {
  // New lines that are still empty do not count.
  const rows = [...list.querySelectorAll(".line[data-line]")].filter((row) =>
    !row.dataset.line.startsWith("new") || field(row, "name").value.trim() || field(row, "total").value.trim());
  const amounts = rows.map(amountOf);
  const misfits = rows.filter(showMisfit).length;
  const sum = amounts.reduce((total, value) => total + (value ?? 0), 0);
  const printed = cents(form.elements.total.value);
  const bar = form.querySelector("[data-balance]");
  const off = sum - (printed ?? 0);
  const unknown = amounts.includes(null) || (printed === null && form.elements.total.value.trim() !== "");
  const isComputed = form.elements.total.matches("[data-made][data-doubtful]");
  const { balanced, missing, surplus, empty } = form.dataset;
  const says = rows.length === 0 ? empty
    : unknown ? form.dataset.unknown
    : printed === null ? form.dataset.totalUnknown
    : off < 0 ? `${missing} ${formatAmount(-off)}`
    : off > 0 ? `${surplus} ${formatAmount(off)}`
    : isComputed ? form.dataset.totalMade
    : misfits ? `${form.dataset.misfits} ${misfits}`
    : balanced;
  // Hides the request to check the marked values once none is left and the sum is right. Other notices stay.
  const isOpen = doubts().length > 0;
  for (const guide of form.querySelectorAll("[data-guide]")) guide.hidden = !isOpen && says === balanced;
  const isGood = says === balanced && !isOpen && !form.querySelector("[data-open]:not([hidden])") && !("doubted" in form.dataset);
  bar.classList.toggle("good", isGood);
  for (const proven of document.querySelectorAll("[data-proven]")) proven.hidden = !isGood;
  bar.querySelector(".balance-text").textContent = says;
  bar.querySelector("[data-lines-sum]").textContent = formatAmount(sum);
  bar.querySelector("[data-total-sum]").textContent = printed === null ? "–" : formatAmount(printed);
  form.querySelector("[data-confirm-text]").textContent = rows.length === 0 ? form.dataset.confirmEmpty
    : says === balanced && !("doubted" in form.dataset) ? form.dataset.confirmSound
    : form.dataset.confirmAnyway;
}

// Doubts ------------------------------------------------------------------

const doubts = () => [...form.querySelectorAll("[data-doubtful]:enabled")];
const nextButton = form.querySelector("[data-next-doubt]");

function countDoubts() {
  const count = doubts().length;
  nextButton.hidden = count === 0;
  nextButton.querySelector("[data-doubt-count]").textContent = count;
  for (const todo of form.querySelectorAll("[data-todo]")) todo.textContent = count;
  balance();
}

// Removes the mark and the explanation of a doubtful value: the person has typed, chosen or confirmed it.
function clearDoubt(input) {
  if (!input.hasAttribute("data-doubtful")) return;
  input.removeAttribute("data-doubtful");
  input.removeAttribute("aria-invalid");
  const said = (input.getAttribute("aria-describedby") ?? "").split(" ");
  const why = said.find((id) => !id.startsWith("hint-"));
  const rest = said.filter((id) => id !== why).join(" ");
  if (rest) input.setAttribute("aria-describedby", rest); else input.removeAttribute("aria-describedby");
  // An explanation that belongs to several fields stays until none of them is doubtful.
  if (why && !form.querySelector(`[aria-describedby~="${CSS.escape(why)}"]`)) document.getElementById(why)?.setAttribute("hidden", "");
  const part = input.closest("[data-line], .heads");
  const right = part?.querySelector("[data-right]");
  if (right && !right.checked && !part.querySelector("[data-doubtful]")) right.closest(".as-read").hidden = true;
  countDoubts();
}

// The values that a ticked "as read" box confirmed, each with its explanation, so that unticking restores them.
const confirmed = new WeakMap();
// Confirms the doubtful values of a line or of the head if its box is ticked; restores their marks if it is unticked.
function checkPart(box) {
  const part = box.closest("[data-line], .heads");
  if (box.checked) {
    const open = [...part.querySelectorAll("[data-doubtful]:enabled")].filter((input) =>
      input.value.trim() !== "" && input.getAttribute("aria-invalid") !== "true");
    confirmed.set(box, open.map((input) => [input, input.getAttribute("aria-describedby")]));
    for (const input of open) clearDoubt(input);
  } else {
    for (const [input, described] of confirmed.get(box) ?? []) {
      input.setAttribute("data-doubtful", "");
      if (described) input.setAttribute("aria-describedby", described);
      for (const id of described?.split(" ") ?? []) if (!id.startsWith("hint-")) document.getElementById(id)?.removeAttribute("hidden");
    }
  }
  inputChanged();
}

// The field that had the focus before the button for the next doubt.
let lastField = null;

// Focuses the first doubtful value after a field, or else the first of all; without doubtful values, the confirm
// button.
function nextDoubt(from) {
  const open = doubts();
  const next = open.find((input) => !from || from.compareDocumentPosition(input) & Node.DOCUMENT_POSITION_FOLLOWING) ?? open[0];
  if (!next) return form.querySelector("[data-confirm]").focus();
  next.closest("details")?.setAttribute("open", "");
  next.focus();
  if (next.type !== "date" && next.type !== "time") next.select?.();
}

// The picture -------------------------------------------------------------

// Marks a field's value on the picture and scrolls there.
function showOnPicture(input) {
  if (!photo) return;
  for (const old of photo.querySelectorAll(".mark.at")) old.classList.remove("at");
  const key = input.closest("[data-line]")?.dataset.line ?? "";
  const own = [...photo.querySelectorAll(".mark")].filter((rect) => rect.dataset.line === key);
  const field = input.dataset.field;
  const exact = own.find((rect) => rect.dataset.field === field);
  const found = exact ?? own.find((rect) => rect.dataset.field === "line");
  if (!found) return scrollToAssumedPosition(input, field);
  found.classList.add("at");
  magnify(found);
  const box = found.getBoundingClientRect();
  const frame = photo.getBoundingClientRect();
  // If a line is wider than the frame, shows its end for amounts and otherwise its beginning.
  const isWide = !exact && box.width > frame.width;
  const isAmount = field === "total" || field === "unit_price";
  const across = !isWide ? box.left + box.width / 2 - frame.left - frame.width / 2
    : isAmount ? box.right + 8 - frame.right : box.left - 8 - frame.left;
  photo.scrollBy({
    top: box.top + box.height / 2 - frame.top - frame.height / 2,
    left: across,
    behavior: calm ? "instant" : "smooth",
  });
}

// Scrolls to the assumed position of a value that has no box on the picture: the total is below the lines, a new line
// is between its neighbours, other values are above the lines.
function scrollToAssumedPosition(input, name) {
  const lines = [...photo.querySelectorAll(".mark[data-field=line]")];
  if (lines.length === 0) return;
  const row = input.closest("[data-line]");
  let above = row?.previousElementSibling;
  while (above && !lines.some((rect) => rect.dataset.line === above.dataset.line)) above = above.previousElementSibling;
  const near = row ? lines.find((rect) => rect.dataset.line === above?.dataset.line) ?? lines[0]
    : name === "total" ? lines[lines.length - 1] : null;
  const frame = photo.getBoundingClientRect();
  const top = near ? near.getBoundingClientRect().bottom - frame.top - frame.height / 3 : -photo.scrollTop;
  photo.scrollBy({ top, behavior: calm ? "instant" : "smooth" });
}

// The zoom steps of the picture.
const steps = ["zoom-1", "zoom-2", "zoom-3", "zoom-4"];
const factors = [1, 1.6, 2.4, 3.6];
let zoom = 0;

// The least height at which a doubtful value is shown, in CSS pixels.
const legible = 30;

// Enlarges the picture until a value is at least that high. Never makes the picture smaller.
function magnify(rect) {
  const height = rect.getBoundingClientRect().height / factors[zoom];
  const wanted = factors.findIndex((factor) => factor * height >= legible);
  const to = wanted < 0 ? steps.length - 1 : wanted;
  if (to <= zoom) return;
  photo.classList.remove(steps[zoom]);
  zoom = to;
  photo.classList.add(steps[zoom]);
}

if (photo) {
  // Sets the zoom step and keeps the centre of the visible part in the centre.
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
  // Narrow print on a wide page, such as a PDF in A4, is enlarged as far as its lines fit.
  const page = photo.querySelector(".page:has(.mark)");
  if (page) {
    const marks = [...page.querySelectorAll(".mark")].map(({ x, width }) => [x.baseVal.value, x.baseVal.value + width.baseVal.value]);
    const whole = page.viewBox.baseVal.width;
    const margin = 0.03 * whole;
    const left = Math.min(...marks.map(([from]) => from)) - margin;
    const right = Math.max(...marks.map(([, to]) => to)) + margin;
    const fits = factors.findLastIndex((factor) => factor * (right - left) <= whole);
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
    if (field === undefined) return offerInsertion(event);
    const scope = key ? list.querySelector(`[data-line="${CSS.escape(key)}"]`) : form.querySelector(".heads");
    (scope?.querySelector(`:is(input, textarea)[data-field="${field}"]`) ?? scope?.querySelector("[data-field=name]"))?.focus();
  });
}

// A tap on print without a line offers to insert a line there.
const chip = Object.assign(document.createElement("button"), { type: "button", className: "button small insert-here", hidden: true });
chip.textContent = form.dataset.insert;
document.querySelector(".photo-pane")?.append(chip);
photo?.addEventListener("scroll", () => { chip.hidden = true; });

// Shows the button that inserts a line, next to the tapped position. Hides it for taps far from all lines.
function offerInsertion(event) {
  const page = event.target.closest(".page");
  const lines = page ? [...page.querySelectorAll(".mark[data-field=line]")] : [];
  chip.hidden = true;
  if (lines.length === 0) return;
  const boxes = lines.map((rect) => ({ key: rect.dataset.line, box: rect.getBoundingClientRect() })).sort((a, b) => a.box.top - b.box.top);
  const height = boxes[0].box.height;
  if (event.clientY < boxes[0].box.top - 3 * height || event.clientY > boxes.at(-1).box.bottom + 4 * height) return;
  const above = boxes.filter(({ box }) => box.top + box.height / 2 < event.clientY).at(-1);
  const pane = photo.parentElement.getBoundingClientRect();
  chip.style.top = `${Math.max(4, event.clientY - pane.top - 48)}px`;
  chip.hidden = false;
  chip.onclick = () => {
    chip.hidden = true;
    insert(above ? list.querySelector(`[data-line="${CSS.escape(above.key)}"]`) : null, !above);
  };
}

// Lines -------------------------------------------------------------------

// Inserts a line below another one, or at the beginning or end of the list. Its amount is the difference between the
// total and the other lines.
function insert(after, first = false) {
  const rows = [...list.querySelectorAll(".line[data-line]")].map(amountOf);
  const printed = cents(form.elements.total.value);
  const lacks = printed === null || rows.includes(null) ? 0 : printed - rows.reduce((sum, value) => sum + value, 0);
  const row = newLine(after, first);
  if (lacks > 0) {
    field(row, "total").value = fieldText(lacks);
    updateAmounts(row, "total");
  }
  field(row, "name").focus();
  balance();
}

function newLine(after, first = false) {
  fresh += 1;
  const key = `new-${fresh}`;
  const row = blank.cloneNode(true);
  row.dataset.line = key;
  row.querySelector("input[name=line]").value = key;
  for (const field of row.querySelectorAll("[name$='-new']")) field.name = field.name.replace(/-new$/, `-${key}`);
  row.querySelector("[data-hint]").id = `hint-${key}`;
  field(row, "total").setAttribute("aria-describedby", `hint-${key}`);
  for (const button of row.querySelectorAll("button[value$=':new']")) button.value = button.value.replace(/:new$/, `:${key}`);
  if (after) after.after(row); else if (first) list.prepend(row); else list.append(row);
  inputChanged();
  return row;
}

// The field of a line with a name such as "total"; its full name ends with the key of the line.
const field = (row, name) => row.querySelector(`[name^="${name}-"]`);

// Gives the label of a name field its text, which sets the height of the field in some browsers (pages.css).
function fitName(name) { name.parentElement.dataset.text = name.value; }

// Moves one unit of a line into a new line below: a quantity of three becomes two and one. If the quantity is no
// integer above one, the new line gets no quantity and no amount.
function split(row) {
  const twin = newLine(row);
  for (const name of ["name", "unit", "unit_price", "kind", "vat_class", "category"]) field(twin, name).value = field(row, name).value;
  fitName(field(twin, "name"));
  const count = Number(field(row, "quantity").value);
  const price = cents(field(row, "unit_price").value);
  const total = cents(field(row, "total").value);
  if (Number.isInteger(count) && count > 1 && price !== null && total !== null) {
    // The unit price of a returned deposit or a discount may have no minus sign.
    const part = total < 0 ? -Math.abs(price) : price;
    field(row, "quantity").value = count - 1;
    field(row, "total").value = fieldText(total - part);
    field(twin, "quantity").value = 1;
    field(twin, "total").value = fieldText(part);
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
  inputChanged();
}

// Deleted lines leave one row with an undo button until the form is sent.
function remove(rows) {
  const gone = document.createElement("li");
  gone.className = "line gone";
  const words = rows.length === 1 ? form.dataset.deleted : `${form.dataset.removed} ${rows.length}`;
  gone.append(words);
  const back = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: form.dataset.undo });
  const places = rows.map((row) => {
    const place = document.createComment("");
    row.before(place);
    return place;
  });
  back.addEventListener("click", () => {
    rows.forEach((row, index) => places[index].replaceWith(row));
    gone.remove();
    field(rows[0], "name").focus();
    inputChanged();
  });
  // The button gets the focus, so its name says what was deleted.
  back.setAttribute("aria-label", `${form.dataset.undo}: ${words}`);
  gone.append(back);
  rows[0].before(gone);
  for (const row of rows) row.remove();
  back.focus();
  inputChanged();
}

// The lines whose amount could not be read and is still empty.
const unread = () => [...list.querySelectorAll(".line[data-line]")].filter((row) =>
  row.querySelector("input[name^='unread-']") && field(row, "total").value.trim() === "");

// Schedules the storing of the typed input, and updates counts and sums.
function inputChanged() {
  changed = true;
  isStored = false;
  clearTimeout(timer);
  timer = setTimeout(storeDraft, 1500);
  countDoubts();
}

// Stores typed input on the server, so that it is not lost if the phone closes the page.
let isStored = true;
let timer = 0;
async function storeDraft() {
  clearTimeout(timer);
  if (!changed || isStored) return;
  isStored = true;
  try {
    const body = new URLSearchParams(new FormData(form));
    // Browsers refuse larger requests that outlive their page (Fetch, "inflight keepalive bytes").
    const keepalive = body.toString().length < 60000;
    const answer = await fetch(`${form.dataset.href}/draft`, { method: "POST", body, keepalive });
    if (!answer.ok) isStored = false;
  } catch {
    isStored = false;
  }
}
addEventListener("visibilitychange", () => { if (document.visibilityState === "hidden") storeDraft(); });

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const row = button.closest(".line");
  if (button.matches("[data-add]")) insert(null);
  else if (button.matches("[data-insert]")) insert(row);
  else if (button.matches("[data-take]")) useProposal(button, row);
  else if (button.matches("[data-sign]")) toggleSign(row);
  else if (button.matches("[data-remove-unread]")) { if (unread().length) remove(unread()); }
  else if (button.matches("[data-split]")) split(row);
  else if (button.matches("[data-delete]")) remove([row]);
  else if (button.matches("[data-move]")) move(row, button.dataset.move === "up");
  else if (button.matches("[data-next-doubt]")) return nextDoubt(lastField);
  else return;
  event.preventDefault();
});

// Enters the proposed value: into the field that the button names, or else as amount of its line or as total.
function useProposal(button, row) {
  const amount = row ? field(row, "total") : form.elements[button.dataset.of || "total"];
  amount.value = button.dataset.take;
  if (button.dataset.of) {
    // The candidates stay, so that another one can be chosen.
    for (const other of button.parentElement.querySelectorAll("button")) other.setAttribute("aria-pressed", other === button);
    clearDoubt(amount);
    return inputChanged();
  }
  if (row) updateAmounts(row, "total");
  clearDoubt(amount);
  button.closest(".proposal").remove();
  inputChanged();
}

// Adds or removes the minus sign of an amount, because number pads of phones have no minus key.
function toggleSign(row) {
  const amount = field(row, "total");
  const text = amount.value.trim();
  amount.value = /^[-−]/.test(text) ? text.slice(1) : `-${text}`;
  clearDoubt(amount);
  amount.focus();
  inputChanged();
}
for (const button of form.querySelectorAll("[data-sign]")) button.hidden = false;
blank.querySelector("[data-sign]").hidden = false;
// A tap on the sign button leaves the focus in the amount, so that the phone keeps its keyboard open.
form.addEventListener("pointerdown", (event) => { if (event.target.closest("[data-sign]")) event.preventDefault(); });

form.addEventListener("input", ({ target }) => {
  if (target.matches("[data-right]")) return checkPart(target);
  const row = target.closest("[data-line]");
  const name = row && /^(total|unit_price|quantity|unit)-/.exec(target.name)?.[1];
  clearDoubt(target);
  if (name) updateAmounts(row, name);
  if (target.matches("textarea")) fitName(target);
  inputChanged();
});
// A name has no line breaks. The keyboards of some phones insert one without a keydown event of the Enter key.
form.addEventListener("beforeinput", (event) => {
  if (event.target.matches("textarea") && /^insert(LineBreak|Paragraph)$/.test(event.inputType)) event.preventDefault();
});
// A tap on a figure selects it, so that typing replaces it.
let entered = null;
form.addEventListener("focusin", ({ target }) => { entered = target; });
form.addEventListener("click", ({ target }) => {
  if (entered === target && target.matches("[data-amount], [data-field=quantity], [data-field=unit_price]")) target.select?.();
  entered = null;
});
form.elements.currency.addEventListener("change", ({ target }) => {
  form.dataset.currency = target.selectedOptions[0].text;
  balance();
});
// Adds the minus of a discount, as the server does.
const takenOff = new Set(["discount", "coupon", "deposit_return"]);
form.addEventListener("change", ({ target }) => {
  const row = target.closest("[data-line]");
  if (!row || !/^(total|kind)-/.test(target.name) || !takenOff.has(field(row, "kind").value)) return;
  const amount = field(row, "total");
  if (!(cents(amount.value) > 0) || amount.value.includes("+")) return;
  amount.value = `-${amount.value.trim()}`;
  clearDoubt(amount);
  inputChanged();
});
form.addEventListener("focusin", (event) => {
  if (event.target.matches("input, select, textarea")) lastField = event.target;
  else if (!event.target.closest("[data-line]")) return;
  showOnPicture(event.target);
});
form.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  // Ignores a key that is held down.
  if (event.key === "Enter" && event.repeat) return event.preventDefault();
  const row = event.target.closest(".line");
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.preventDefault();
    form.requestSubmit(form.querySelector("[data-confirm]"));
  } else if (event.key === "Enter" && event.target.matches("input, select, textarea")) {
    event.preventDefault();
    const here = event.target;
    clearDoubt(here);
    nextDoubt(here);
  } else if (row && event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    move(row, event.key === "ArrowUp");
  }
});
// The buttons are not disabled on submit, because the server recognises a form that is submitted twice.
form.addEventListener("submit", () => {
  changed = false;
  clearTimeout(timer);
});
addEventListener("beforeunload", (event) => { if (changed && !isStored) event.preventDefault(); });

balance();
countDoubts();
