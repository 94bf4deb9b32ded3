// The lines of the review form: adds, splits, moves and deletes them without a reload. Defines `lines` for review.js.

globalThis.lines = (() => {
  const { field } = amounts;
  const form = document.getElementById("review");
  const list = form.querySelector(".lines");
  const blank = document.getElementById("new-line").content.firstElementChild;
  // The highest number of a new line. The page may already have new lines: after an error, or if stored input is shown
  // again.
  let lastNew = Math.max(0, ...[...list.querySelectorAll("[data-line^='new-']")].map((row) => Number(row.dataset.line.slice(4)) || 0));
  // Called after every change of the lines.
  let changed = () => {};

  for (const button of [...form.querySelectorAll("[data-sign]"), blank.querySelector("[data-sign]")]) button.hidden = false;

  // Inserts an empty line below another one, or at the beginning or end of the list.
  function add(after, first = false) {
    lastNew += 1;
    const key = `new-${lastNew}`;
    const row = blank.cloneNode(true);
    row.dataset.line = key;
    row.querySelector("input[name=line]").value = key;
    for (const field of row.querySelectorAll("[name$='-new']")) field.name = field.name.replace(/-new$/, `-${key}`);
    row.querySelector("[data-hint]").id = `hint-${key}`;
    field(row, "total").setAttribute("aria-describedby", `hint-${key}`);
    for (const button of row.querySelectorAll("button[value$=':new']")) button.value = button.value.replace(/:new$/, `:${key}`);
    if (after) after.after(row); else if (first) list.prepend(row); else list.append(row);
    changed();
    return row;
  }

  // Sets `data-text` of the label around a name field. In some browsers, this text sets the height of the field
  // (pages.css).
  function fitName(name) { name.parentElement.dataset.text = name.value; }

  // Moves one unit of a line into a new line below: a quantity of three becomes two and one. If the quantity is not an
  // integer greater than one, the new line gets no quantity and no amount.
  function split(row) {
    const newRow = add(row);
    for (const name of ["name", "unit", "unit_price", "kind", "vat_class", "category"]) field(newRow, name).value = field(row, name).value;
    fitName(field(newRow, "name"));
    const count = Number(field(row, "quantity").value);
    const price = amounts.cents(field(row, "unit_price").value);
    const total = amounts.cents(field(row, "total").value);
    if (Number.isInteger(count) && count > 1 && price !== null && total !== null) {
      // The unit price of a returned deposit or a discount may have no minus sign.
      const part = total < 0 ? -Math.abs(price) : price;
      field(row, "quantity").value = count - 1;
      field(row, "total").value = amounts.fieldText(total - part);
      field(newRow, "quantity").value = 1;
      field(newRow, "total").value = amounts.fieldText(part);
    }
    field(newRow, "total").focus();
    changed();
  }

  function move(row, up) {
    const other = up ? row.previousElementSibling : row.nextElementSibling;
    if (!other) return;
    const focused = document.activeElement;
    if (up) other.before(row); else other.after(row);
    focused.focus();
    changed();
  }

  // Deleted lines leave one row with an undo button until the form is sent.
  function remove(rows) {
    const notice = document.createElement("li");
    notice.className = "line gone";
    const words = rows.length === 1 ? form.dataset.deleted : `${form.dataset.removed} ${rows.length}`;
    notice.append(words);
    const undo = Object.assign(document.createElement("button"), { type: "button", className: "button small", textContent: form.dataset.undo });
    const places = rows.map((row) => {
      const place = document.createComment("");
      row.before(place);
      return place;
    });
    undo.addEventListener("click", () => {
      rows.forEach((row, index) => places[index].replaceWith(row));
      notice.remove();
      field(rows[0], "name").focus();
      changed();
    });
    // The button gets the focus, so its name says what was deleted.
    undo.setAttribute("aria-label", `${form.dataset.undo}: ${words}`);
    notice.append(undo);
    rows[0].before(notice);
    for (const row of rows) row.remove();
    undo.focus();
    changed();
  }

  // The lines whose amount could not be read and is still empty.
  const unread = () => [...list.querySelectorAll(".line[data-line]")].filter((row) =>
    row.querySelector("input[name^='unread-']") && field(row, "total").value.trim() === "");

  return { add, split, move, remove, unread, fitName, onChange: (action) => { changed = action; } };
})();
