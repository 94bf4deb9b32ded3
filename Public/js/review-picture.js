// The picture of the review page: marks the focused value, magnifies the picture, moves the focus to a tapped value, and
// offers to insert a line at a tapped place. Defines `picture` for review.js.

globalThis.picture = (() => {
  const form = document.getElementById("review");
  const list = form.querySelector(".lines");
  const photo = document.querySelector("[data-photo]");
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
  // Inserts a line below a row, or at the beginning of the list.
  let insert = () => {};

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
    // If a line is wider than the frame, shows the end of the line for an amount, and its beginning for other values.
    const isWide = !exact && box.width > frame.width;
    const isAmount = field === "total" || field === "unit_price";
    const scrollLeft = !isWide ? box.left + box.width / 2 - frame.left - frame.width / 2
      : isAmount ? box.right + 8 - frame.right : box.left - 8 - frame.left;
    photo.scrollBy({
      top: box.top + box.height / 2 - frame.top - frame.height / 2,
      left: scrollLeft,
      behavior: reducedMotion ? "instant" : "smooth",
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
    photo.scrollBy({ top, behavior: reducedMotion ? "instant" : "smooth" });
  }

  // The zoom steps: their classes, and the factors by which the classes enlarge the picture.
  const steps = ["zoom-1", "zoom-2", "zoom-3", "zoom-4"];
  const factors = [1, 1.6, 2.4, 3.6];
  let zoom = 0;

  // The smallest height of a legible value in CSS pixels.
  const legible = 30;

  // Enlarges the picture until a value is legible. Never makes the picture smaller.
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
    const setZoom = (step) => {
      const x = (photo.scrollLeft + photo.clientWidth / 2) / photo.scrollWidth;
      const y = (photo.scrollTop + photo.clientHeight / 2) / photo.scrollHeight;
      photo.classList.remove(steps[zoom]);
      zoom = Math.min(steps.length - 1, Math.max(0, step));
      photo.classList.add(steps[zoom]);
      photo.scrollTo({
        left: x * photo.scrollWidth - photo.clientWidth / 2,
        top: y * photo.scrollHeight - photo.clientHeight / 2,
        behavior: "instant",
      });
    };
    // Narrow text on a wide page, such as a PDF in A4, is enlarged as far as its lines fit.
    const page = photo.querySelector(".page .mark")?.closest(".page");
    if (page) {
      const marks = [...page.querySelectorAll(".mark")].map(({ x, width }) => [x.baseVal.value, x.baseVal.value + width.baseVal.value]);
      const whole = page.viewBox.baseVal.width;
      const margin = 0.03 * whole;
      const left = Math.min(...marks.map(([from]) => from)) - margin;
      const right = Math.max(...marks.map(([, to]) => to)) + margin;
      const fittingStep = factors.findLastIndex((factor) => factor * (right - left) <= whole);
      if (fittingStep > 0) {
        setZoom(fittingStep);
        photo.scrollTo({ left: (left / whole) * page.clientWidth, top: 0, behavior: "instant" });
      }
    }
    document.querySelector(".zoom").hidden = false;
    document.querySelector("[data-zoom=in]").addEventListener("click", () => setZoom(zoom + 1));
    document.querySelector("[data-zoom=out]").addEventListener("click", () => setZoom(zoom - 1));
    photo.addEventListener("dblclick", () => setZoom(zoom ? 0 : 2));
    photo.addEventListener("click", (event) => {
      const key = event.target.dataset?.line;
      const field = event.target.dataset?.field;
      if (field === undefined) return offerInsertion(event);
      const scope = key ? list.querySelector(`[data-line="${CSS.escape(key)}"]`) : form.querySelector(".heads");
      (scope?.querySelector(`:is(input, textarea)[data-field="${field}"]`) ?? scope?.querySelector("[data-field=name]"))?.focus();
    });
  }

  // A tap on printed text that belongs to no line offers to insert a line there.
  const insertButton = Object.assign(document.createElement("button"), { type: "button", className: "button small insert-here", hidden: true });
  insertButton.textContent = form.dataset.insert;
  document.querySelector(".photo-pane")?.append(insertButton);
  photo?.addEventListener("scroll", () => { insertButton.hidden = true; });

  // Shows the button that inserts a line, next to the tapped position. Hides it for taps far from all lines.
  function offerInsertion(event) {
    const page = event.target.closest(".page");
    const lines = page ? [...page.querySelectorAll(".mark[data-field=line]")] : [];
    insertButton.hidden = true;
    if (lines.length === 0) return;
    const boxes = lines.map((rect) => ({ key: rect.dataset.line, box: rect.getBoundingClientRect() })).sort((a, b) => a.box.top - b.box.top);
    const height = boxes[0].box.height;
    if (event.clientY < boxes[0].box.top - 3 * height || event.clientY > boxes.at(-1).box.bottom + 4 * height) return;
    // The lines above, the nearest first. Some may have been deleted.
    const above = boxes.filter(({ box }) => box.top + box.height / 2 < event.clientY).reverse();
    const rowOf = ({ key }) => list.querySelector(`[data-line="${CSS.escape(key)}"]`);
    const pane = photo.parentElement.getBoundingClientRect();
    insertButton.style.top = `${Math.max(4, event.clientY - pane.top - 48)}px`;
    insertButton.hidden = false;
    insertButton.onclick = () => {
      insertButton.hidden = true;
      const row = above.map(rowOf).find(Boolean) ?? null;
      insert(row, !row);
    };
  }

  return { show: showOnPicture, onInsert: (action) => { insert = action; } };
})();
