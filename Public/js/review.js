// The review page: while a person types, shows by how much the lines differ from the total; moves to the next doubtful
// value with Enter; and stores typed input on the server. The scripts review-amounts.js, review-lines.js and
// review-picture.js, which are loaded before, define `amounts`, `lines` and `picture`. The page also works without scripts:
// its buttons submit the form.

const { field } = amounts;
const form = document.getElementById("review");
const list = form.querySelector(".lines");
let changed = false;

// Writes a text only if it is new, because screen readers read a status again that is replaced by the same words.
function write(element, text) { if (element.textContent !== String(text)) element.textContent = text; }

// The lines that count for the sum: all except new lines that are still empty.
const filledRows = () => [...list.querySelectorAll(".line[data-line]")].filter((row) =>
  !row.dataset.line.startsWith("new") || field(row, "name").value.trim() || field(row, "total").value.trim());

// Compares the sum of the lines with the total and shows the result in the bar at the bottom.
function balance() {
  const rows = filledRows();
  const values = rows.map(amounts.amountOf);
  const misfits = rows.filter(amounts.showMisfit).length;
  const sum = values.reduce((total, value) => total + (value ?? 0), 0);
  const printed = amounts.cents(form.elements.total.value);
  const bar = form.querySelector("[data-balance]");
  const difference = sum - (printed ?? 0);
  const unknown = values.includes(null) || (printed === null && form.elements.total.value.trim() !== "");
  const isComputed = form.elements.total.matches("[data-made][data-doubtful]");
  const { balanced, missing, surplus, empty } = form.dataset;
  const sentence = rows.length === 0 ? empty
    : unknown ? form.dataset.unknown
    : printed === null ? form.dataset.totalUnknown
    : difference < 0 ? `${missing} ${amounts.formatAmount(-difference)}`
    : difference > 0 ? `${surplus} ${amounts.formatAmount(difference)}`
    : isComputed ? form.dataset.totalMade
    : misfits ? `${form.dataset.misfits} ${misfits}`
    : balanced;
  // Hides the request to check the marked values when no mark is left and the sum is right.
  const isOpen = doubts().length > 0;
  for (const guide of form.querySelectorAll("[data-guide]")) guide.hidden = !isOpen && sentence === balanced;
  const isGood = sentence === balanced && !isOpen && !form.querySelector("[data-open]:not([hidden])") && !("doubted" in form.dataset);
  bar.classList.toggle("good", isGood && !refusal);
  for (const proven of document.querySelectorAll("[data-proven]")) proven.hidden = !isGood;
  write(bar.querySelector(".balance-text"), refusal ?? sentence);
  write(bar.querySelector("[data-lines-sum]"), amounts.formatAmount(sum));
  write(bar.querySelector("[data-total-sum]"), printed === null ? "–" : amounts.formatAmount(printed));
  write(form.querySelector("[data-confirm-text]"), rows.length === 0 ? form.dataset.confirmEmpty
    : sentence === balanced && !("doubted" in form.dataset) ? form.dataset.confirmSound
    : form.dataset.confirmAnyway);
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
  const describedBy = (input.getAttribute("aria-describedby") ?? "").split(" ");
  const explanation = describedBy.find((id) => !id.startsWith("hint-"));
  const rest = describedBy.filter((id) => id !== explanation).join(" ");
  if (rest) input.setAttribute("aria-describedby", rest); else input.removeAttribute("aria-describedby");
  // An explanation that belongs to several fields stays until none of these fields is doubtful.
  if (explanation && !form.querySelector(`[aria-describedby~="${CSS.escape(explanation)}"]`)) document.getElementById(explanation)?.setAttribute("hidden", "");
  const part = input.closest("[data-line], .heads");
  const asRead = part?.querySelector("[data-right]");
  if (asRead && !asRead.checked && !part.querySelector("[data-doubtful]")) asRead.closest(".as-read").hidden = true;
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

// The field that had the focus before the button that moves to the next doubt.
let lastField = null;

// Focuses the first doubtful value after a field. If there is none, focuses the first doubtful value of the form; if no
// value is doubtful, the confirm button.
function nextDoubt(from) {
  const open = doubts();
  const next = open.find((input) => !from || from.compareDocumentPosition(input) & Node.DOCUMENT_POSITION_FOLLOWING) ?? open[0];
  if (!next) return form.querySelector("[data-confirm]").focus();
  next.closest("details")?.setAttribute("open", "");
  next.focus();
  if (next.type !== "date" && next.type !== "time") next.select?.();
}

// Confirms the value of a field and moves to the next doubtful value, as the Enter key does.
function finishField(input) {
  clearDoubt(input);
  nextDoubt(input);
}

// Inserts a line below another one, or at the beginning or end of the list. Its amount is the difference between the
// total and the other lines.
function insert(after, first = false) {
  const values = filledRows().map(amounts.amountOf);
  const printed = amounts.cents(form.elements.total.value);
  const missing = printed === null || values.includes(null) ? 0 : printed - values.reduce((sum, value) => sum + value, 0);
  const row = lines.add(after, first);
  if (missing > 0) {
    field(row, "total").value = amounts.fieldText(missing);
    updateAmounts(row, "total");
  }
  field(row, "name").focus();
  balance();
}

// Updates the unit price or the amount of a line after another figure changed, and removes its mark.
function updateAmounts(row, name) {
  const updated = amounts.update(row, name);
  if (updated) clearDoubt(updated);
}

// Schedules the storing of the typed input, and updates counts and sums.
function inputChanged() {
  changed = true;
  isStored = false;
  clearTimeout(timer);
  timer = setTimeout(storeDraft, 1500);
  countDoubts();
}

// Stores typed input, so that it is not lost if the phone closes the page. Only one request runs at a time, so that input
// never replaces later input on the server. Returns false if the server is unreachable.
let isStored = true;
// The server's message if it refused to store the last input; null if the input was accepted.
let refusal = null;
// The timer, the result of the request in progress, and the controller that cancels it.
let [timer, storing, request] = [0, null, null];
async function storeDraft() {
  clearTimeout(timer);
  while (storing) await storing;
  if (!changed || isStored) return true;
  isStored = true;
  storing = sendDraft();
  try { return await storing; } finally { storing = null; }
}
async function sendDraft() {
  const controller = request = new AbortController();
  const timeout = setTimeout(() => controller.abort(), 20000);
  try {
    const body = new URLSearchParams(new FormData(form));
    // Browsers refuse larger requests that outlive their page (Fetch, "inflight keepalive bytes").
    const keepalive = body.toString().length < 60000;
    const answer = await fetch(`${form.dataset.href}/draft`, { method: "POST", body, keepalive, signal: controller.signal });
    if (!answer.ok) isStored = false;
    refusal = { 401: form.dataset.signedOut, 409: form.dataset.newer }[answer.status] ?? null;
    balance();
    return true;
  } catch {
    isStored = false;
    return false;
  } finally { clearTimeout(timeout); }
}
addEventListener("visibilitychange", () => {
  if (document.visibilityState !== "hidden") return;
  // The page may be closed before an earlier request is complete.
  if (!isStored) request?.abort();
  storeDraft();
});

form.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const row = button.closest(".line");
  if (button.matches("[data-add]")) insert(null);
  else if (button.matches("[data-insert]")) insert(row);
  else if (button.matches("[data-take]")) useProposal(button, row, event.detail === 0);
  else if (button.matches("[data-sign]")) toggleSign(row);
  else if (button.matches("[data-remove-unread]")) { if (lines.unread().length) lines.remove(lines.unread()); }
  else if (button.matches("[data-split]")) lines.split(row);
  else if (button.matches("[data-delete]")) lines.remove([row]);
  else if (button.matches("[data-move]")) lines.move(row, button.dataset.move === "up");
  else if (button.matches("[data-next-doubt]")) return nextDoubt(lastField);
  else return;
  event.preventDefault();
});

// Enters the value that a button proposes: into the field that the button names, otherwise as the amount of its line or
// as the total. A used proposal is removed with its button. If a key was pressed, the field then gets the focus. After
// a tap, the field gets no focus, because a phone would open its keyboard.
function useProposal(button, row, isByKeyboard) {
  const amount = row ? field(row, "total") : form.elements[button.dataset.of || "total"];
  amount.value = button.dataset.take;
  if (button.dataset.of) {
    // The buttons stay, so that another candidate can be chosen.
    for (const other of button.parentElement.querySelectorAll("button")) other.setAttribute("aria-pressed", other === button);
    clearDoubt(amount);
    return inputChanged();
  }
  if (row) updateAmounts(row, "total");
  clearDoubt(amount);
  button.closest(".proposal").remove();
  if (isByKeyboard) amount.focus();
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
// A tap on the sign button leaves the focus in the amount, so that the phone keeps its keyboard open.
form.addEventListener("pointerdown", (event) => { if (event.target.closest("[data-sign]")) event.preventDefault(); });

form.addEventListener("input", ({ target }) => {
  if (target.matches("[data-right]")) return checkPart(target);
  const row = target.closest("[data-line]");
  const name = row && /^(total|unit_price|quantity|unit)-/.exec(target.name)?.[1];
  clearDoubt(target);
  if (name) updateAmounts(row, name);
  if (target.matches("textarea")) lines.fitName(target);
  inputChanged();
});
// A name has no line breaks. The keyboards of some phones insert a line break without a keydown event of the Enter key.
form.addEventListener("beforeinput", (event) => {
  if (!event.target.matches("textarea") || !/^insert(LineBreak|Paragraph)$/.test(event.inputType)) return;
  event.preventDefault();
  finishField(event.target);
});
// A tap on a figure selects it, so that typing replaces it.
let justFocused = null;
form.addEventListener("focusin", ({ target }) => { justFocused = target; });
form.addEventListener("click", ({ target }) => {
  if (justFocused === target && target.matches("[data-amount], [data-field=quantity], [data-field=unit_price]")) target.select?.();
  justFocused = null;
});
form.elements.currency.addEventListener("change", ({ target }) => {
  form.dataset.currency = target.selectedOptions[0].text;
  balance();
});
// Adds the minus sign of discounts, coupons and returned deposits, as the server does.
const reductions = new Set(["discount", "coupon", "deposit_return"]);
form.addEventListener("change", ({ target }) => {
  const row = target.closest("[data-line]");
  if (!row || !/^(total|kind)-/.test(target.name) || !reductions.has(field(row, "kind").value)) return;
  const amount = field(row, "total");
  if (!(amounts.cents(amount.value) > 0) || amount.value.includes("+")) return;
  amount.value = `-${amount.value.trim()}`;
  clearDoubt(amount);
  inputChanged();
});
form.addEventListener("focusin", (event) => {
  if (event.target.matches("input, select, textarea")) lastField = event.target;
  else if (!event.target.closest("[data-line]")) return;
  picture.show(event.target);
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
    finishField(event.target);
  } else if (row && event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
    event.preventDefault();
    lines.move(row, event.key === "ArrowUp");
  }
});
// Whether the server can be reached. Stores typed input that is not stored yet.
function isReachable() {
  // A request in progress may use a broken connection. Cancels it and sends the input again, because the form must not
  // wait for it.
  if (storing) { isStored = false; request.abort(); }
  if (!isStored) return storeDraft();
  return fetch("/offline/member", { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout?.(20000) }).then(() => true, () => false);
}
// A browser that cannot send a form replaces the page by an error page. So typed input is stored first, and without a
// connection the page stays. The buttons are not disabled: the server recognises a form that is submitted twice.
let [isChecking, isChecked] = [false, false];
form.addEventListener("submit", async (event) => {
  clearTimeout(timer);
  if (isChecked || isStored && !storing && navigator.onLine) return void (changed = false);
  event.preventDefault();
  if (isChecking) return;
  isChecking = true;
  isChecked = await isReachable();
  // `requestSubmit` dispatches this event again before it returns.
  if (isChecked) form.requestSubmit(event.submitter);
  else {
    const bar = form.querySelector("[data-balance]");
    bar.classList.remove("good");
    bar.querySelector(".balance-text").textContent = form.dataset.unsent;
  }
  isChecking = isChecked = false;
});
addEventListener("online", async () => { if (await storeDraft()) balance(); });
addEventListener("beforeunload", (event) => { if (changed && !isStored) event.preventDefault(); });

lines.onChange(inputChanged);
picture.onInsert(insert);
balance();
countDoubts();
