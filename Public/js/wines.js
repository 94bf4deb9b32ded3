// Wine lists: draws badges with the scores of wines on a photo of the list and on the live picture of the camera. The
// server reads pictures without storing them.

const $ = (selector, root = document) => root.querySelector(selector);
const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];
const svg = (name, attributes = {}) => {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  return element;
};
const svgText = (text, attributes) => Object.assign(svg("text", attributes), { textContent: text });

// The band of a score, which determines the shape and the colour of its badge.
const bandOf = (points) =>
  points >= 95 ? "outstanding" : points >= 90 ? "excellent" : points >= 85 ? "veryGood" : points >= 80 ? "good" : "below";

// The shape of a band's badge, centred at the origin. `r` is its radius or half its side.
function shape(band, r) {
  if (band === "outstanding" || band === "excellent") return svg("circle", { class: "mark", r });
  const corner = band === "veryGood" ? r / 2 : band === "none" ? r : 0;
  return svg("rect", { class: "mark", x: -r, y: -r, width: 2 * r, height: 2 * r, rx: corner });
}

// Maps a point (x, y) of the picture that the server read to the picture that the browser shows. The server has turned
// the picture upright and cropped it. `page.corners` are the corners of the cropped picture, in millionths of the size
// of the shown picture.
function toShownPicture(page, size, x, y) {
  const [left, top, rightX, rightY, lowerX, lowerY] = page.corners?.length === 6 ? page.corners : [0, 0, 1e6, 0, 0, 1e6];
  const [across, down] = [x / page.width, y / page.height];
  return [
    (left + (rightX - left) * across + (lowerX - left) * down) * size.width / 1e6,
    (top + (rightY - top) * across + (lowerY - top) * down) * size.height / 1e6,
  ];
}

// Screen readers read a status again if it is replaced, even by the same words.
function say(status, words) { if (status.textContent !== words) status.textContent = words; }

// Draws one badge for each entry: { box: [x, y, width, height], points, band, label, href, isUnsure, vintage }.
// `points` is `?` if no wine was found. `vintage` is the vintage of the wine in the catalogue, if it differs from the
// printed one.
function draw(layer, size, page, entries) {
  const picture = svg("svg", { viewBox: `0 0 ${size.width} ${size.height}`, preserveAspectRatio: "none" });
  // At least 24 CSS pixels wide, so that a finger hits it.
  const r = Math.max(16, size.width / 30, 12 * size.width / (layer.clientWidth || size.width));
  for (const entry of entries) {
    const [x, y, , height] = entry.box;
    const [left, middle] = toShownPicture(page, size, x, y + height / 2);
    const link = svg("a", { href: entry.href, "aria-label": entry.label, class: `band-${entry.band}` });
    const badge = svg("g", { transform: `translate(${Math.max(r, left - r * 1.3)} ${middle})` });
    badge.append(shape(entry.band, r), svgText(entry.points, { transform: `scale(${r / 22})` }));
    const below = { class: "vintage", transform: `translate(0 ${r * 1.5}) scale(${r / 22})` };
    if (entry.vintage) badge.append(svgText(entry.vintage, below));
    if (entry.isUnsure) badge.append(svg("circle", { class: "dot", cx: r * 0.8, cy: -r * 0.8, r: r / 3 }));
    link.append(badge);
    link.dataset.number = entry.number;
    picture.append(link);
  }
  layer.replaceChildren(picture);
  return picture;
}

// MARK: The list that was read

// The addresses of the chosen photos in this browser, in order.
let pictures = [];

function drawList(root) {
  $$(".viewer[data-page]", root).forEach((viewer) => {
    const url = pictures[Number(viewer.dataset.page)];
    viewer.hidden = !url;
    if (!url) return;
    const image = $("img", viewer);
    const page = {
      width: Number(viewer.dataset.width), height: Number(viewer.dataset.height),
      corners: viewer.dataset.corners.split(" ").filter(Boolean).map(Number),
    };
    const entries = $$(`[data-entry][data-page="${viewer.dataset.page}"]`, root).map((row) => {
      const score = $(".score", row);
      const vintage = $(".other-vintage", row)?.textContent;
      const band = [...score.classList].find((name) => name.startsWith("band-")).slice(5);
      return {
        number: row.dataset.entry, box: row.dataset.box.split(" ").map(Number), band,
        points: score.textContent.match(/\d+|[?–]/)?.[0], href: `#${row.id}`,
        label: [$(".title", row).textContent, vintage].filter(Boolean).join(", "), vintage: vintage?.match(/\d{4}/)?.[0],
        isUnsure: Boolean($(".badge.doubt", row)),
      };
    });
    image.addEventListener("load", () => {
      const size = { width: 1000, height: 1000 * image.naturalHeight / image.naturalWidth };
      draw($("[data-badges]", viewer), size, page, entries);
    });
    image.src = url;
  });
}

// Replaces the content of this page by the page in the server's answer. Returns false if the answer is no page.
async function show(response, address) {
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const [main, fresh] = [$("main"), $("main", page)];
  if (!fresh) return false;
  // The notice of changes.js stays, because that script holds references to it.
  const parts = [...fresh.childNodes].filter((part) => !part.matches?.("[data-news]"));
  main.replaceChildren(...main.querySelectorAll("[data-news]"), ...parts);
  document.title = page.title;
  if (address) history.replaceState(null, "", address);
  keepList(address ?? "/wines/scan/list");
  prepare();
  main.focus({ preventScroll: true });
  return true;
}

// The list is the answer to a form. A reload, or "Back" from the page of a wine, would lose the list. So the list is
// kept, without the pictures, until this tab is closed.
const owner = document.documentElement.dataset.owner;
function keepList(action) {
  const list = $("[data-list] input[name=list]")?.value;
  try {
    if (list) sessionStorage.setItem("wine list", JSON.stringify({ owner, action, list }));
  } catch { /* The browser stores nothing, or not this much. */ }
}

// Shows the kept list in place of the start page after "Back" or a reload. Any other visit begins a new list.
async function restoreList(form) {
  const kept = JSON.parse(sessionStorage.getItem("wine list") ?? "null");
  if (performance.getEntriesByType("navigation")[0]?.type === "navigate") return sessionStorage.removeItem("wine list");
  if (kept?.owner !== owner) return;
  const body = new URLSearchParams({ csrf: $("input[name=csrf]", form).value, list: kept.list });
  const response = await fetch(kept.action, { method: "POST", body });
  // A photo may have been chosen in the meantime.
  if (response.ok && !$$("input[type=file]", form).some((input) => input.files.length)) await show(response, kept.action);
}

// The newest request that changes the list.
let newest = null;

function prepareList(form) {
  drawList(form);
  form.addEventListener("submit", async (event) => {
    const button = event.submitter;
    const action = button?.getAttribute("formaction") ?? form.getAttribute("action");
    if (!action.startsWith("/wines/scan/list") || $("input[name=scan]", form)) return;
    event.preventDefault();
    const body = newest = new URLSearchParams(new FormData(form));
    // Safari 16.3 and older ignore the second parameter of `FormData`, the button.
    if (button?.name) body.append(button.name, button.value);
    $("[data-unsent]", form).hidden = true;
    const response = await fetch(action, { method: "POST", body }).catch(() => null);
    if (newest !== body) return;
    // The answer 422 contains the list with an error message.
    const isList = response?.ok || response?.status === 422;
    const isShown = isList && (await show(response, action).catch(() => false));
    if (!isShown) return ($("[data-unsent]", form).hidden = false);
    // Keeps the name that was typed for the restaurant.
    const [typed, field] = [$("#place", form), $("#place")];
    if (typed && field) field.value = typed.value;
    // Focuses the filter button that was used, or the entry that was decided.
    const place = button?.name === "decision" ? $(`#entry-${button.value.split(":")[0]} summary`)
      : $$("[data-list] .toggles button").find((other) => other.textContent === button?.textContent);
    place?.focus({ preventScroll: true });
  });
}

function prepareScan(form) {
  const status = $("[data-status]", form);
  // The request in progress.
  let sending = null;
  const send = async () => {
    const files = $$("input[type=file]", form).flatMap((input) => [...input.files]);
    if (!files.length) return form.submit();
    sending?.abort();
    const own = sending = new AbortController();
    status.textContent = form.dataset.reading;
    const response = await fetch(form.action, { method: "POST", body: new FormData(form), signal: own.signal }).catch(() => null);
    // Other photos were chosen in the meantime.
    if (sending !== own) return;
    sending = null;
    if (!response) return (status.textContent = form.dataset.failed);
    // Keeps the chosen photos, so that they can be sent again.
    if (response.status === 503) return (status.textContent = form.dataset.busy);
    pictures.forEach((url) => URL.revokeObjectURL(url));
    // Browsers do not show the pages of a PDF as pictures, and each page has a number. So the numbers of later photos
    // do not match the files, and only the photos before a PDF are shown.
    const first = files.findIndex((file) => !file.type.startsWith("image/"));
    pictures = (first < 0 ? files : files.slice(0, first)).map((file) => URL.createObjectURL(file));
    if (await show(response).catch(() => false)) scrollTo(0, 0);
    else status.textContent = form.dataset.failed;
  };
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (!sending) send();
  });
  $$("input[type=file]", form).forEach((input) => input.addEventListener("change", () => input.files.length && send()));
}

// MARK: The live camera

// The longer side of a sent frame in pixels. In milliseconds: the shortest and the longest time between two frames, and
// the time after which a request is cancelled.
const longSide = 1280, shortest = 500, longest = 4000, timeout = 6000;

function prepareLive(section) {
  const [viewer, video, status, list] = ["[data-viewer]", "video", "[data-status]", "[data-entries]"].map((s) => $(s, section));
  const layer = $("[data-badges]", section), start = $("[data-start]", section), stop = $("[data-stop]", section);
  const token = () => $("input[name=csrf]").value;
  section.hidden = false;
  let stream = null, pause = shortest, shown = null, isStarting = false;

  start.addEventListener("click", async () => {
    if (!window.isSecureContext || !navigator.mediaDevices) return (status.textContent = section.dataset.plain);
    if (isStarting) return;
    isStarting = true;
    try {
      stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: 1920 } } });
      video.srcObject = stream;
      await video.play();
    } catch (error) {
      end();
      const isRefused = error.name === "NotAllowedError" || error.name === "SecurityError";
      return (status.textContent = isRefused ? section.dataset.refused : section.dataset.noCamera);
    } finally { isStarting = false; }
    // The page was hidden or replaced before the camera was ready.
    if (document.hidden || !section.isConnected || !stream) return end();
    [viewer.hidden, start.hidden, stop.hidden] = [false, true, false];
    stop.focus();
    run();
    follow(stream);
  });
  const end = () => {
    stream?.getTracks().forEach((track) => track.stop());
    [stream, shown] = [null, null];
    [viewer.hidden, start.hidden, stop.hidden] = [true, false, true];
    layer.replaceChildren();
  };
  stop.addEventListener("click", () => {
    end();
    start.focus();
  });
  document.addEventListener("visibilitychange", () => document.hidden && stream && end());

  const canvas = document.createElement("canvas");
  async function run() {
    const own = stream;
    while (stream === own) {
      // A list that was read has replaced the camera.
      if (!section.isConnected) return end();
      const began = performance.now();
      await sendFrame();
      await new Promise((done) => setTimeout(done, Math.max(50, pause - (performance.now() - began))));
    }
  }

  async function sendFrame() {
    const scale = Math.min(1, longSide / Math.max(video.videoWidth, video.videoHeight, 1));
    canvas.width = Math.round(video.videoWidth * scale);
    canvas.height = Math.round(video.videoHeight * scale);
    if (!canvas.width || !canvas.height) return;
    canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
    const view = thumbnail();
    const body = await new Promise((done) => canvas.toBlob(done, "image/jpeg", 0.75));
    // Only one request runs at a time. A request that takes too long is cancelled, and a newer frame is sent.
    const abort = new AbortController();
    const timer = setTimeout(() => abort.abort(), timeout);
    try {
      const response = await fetch("/api/v1/wines/scan?live=true", {
        method: "POST", body, signal: abort.signal,
        headers: { "Content-Type": "image/jpeg", "X-CSRF-Token": token() },
      });
      if (response.status === 429) {
        pause = Math.min(longest, pause * 2);
        say(status, section.dataset.busy);
      } else if (response.ok) {
        pause = Math.max(shortest, pause * 0.8);
        if (stream) showAnswer(await response.json(), view);
      } else {
        pause = Math.min(longest, pause * 2);
        const problem = await response.json().catch(() => ({}));
        say(status, problem.detail ?? section.dataset.failed);
      }
    } catch {
      pause = Math.min(longest, pause * 2);
    } finally {
      clearTimeout(timer);
    }
  }

  function showAnswer({ pages, entries }, view) {
    const page = pages[0];
    if (!page) return;
    const rows = entries.map((entry, number) => {
      const wine = entry.match?.wine;
      const name = wine ? [wine.producer, wine.name, wine.vintage].filter(Boolean).join(" ") : entry.text;
      const vintage = wine?.vintage && entry.vintage && wine.vintage !== entry.vintage ? wine.vintage : null;
      const score = wine?.score != null ? `, ${section.dataset.score} ${wine.score}` : "";
      return {
        number, vintage, box: [entry.box.x, entry.box.y, entry.box.width, entry.box.height], points: wine ? wine.score ?? "–" : "?",
        band: wine?.score != null ? bandOf(wine.score) : "none", name, isUnsure: wine && !entry.match.isSure,
        href: wine ? `/wines/${wine.id}` : `/wines?search=${encodeURIComponent(entry.text)}`,
        label: wine
          ? `${name}${score}${vintage ? `. ${section.dataset.vintage.replace("#", vintage)}` : ""}`
          : `${entry.text}: ${section.dataset.unknown}`,
      };
    });
    const size = { width: canvas.width, height: canvas.height };
    shown = { view, picture: draw(layer, size, page, rows), size };
    say(status, section.dataset.found.replace("#", rows.filter((row) => row.points !== "?").length));
    list.replaceChildren(...rows.filter((row) => row.points !== "?").map((row) => {
      const item = document.createElement("li"), link = document.createElement("a");
      link.href = row.href;
      link.textContent = row.label;
      item.append(link);
      return item;
    }));
  }

  // MARK: Following the list between two answers

  const thumbnailCanvas = document.createElement("canvas");
  // The greatest shift that is recognised, in pixels of the thumbnails.
  const maxShift = 10;
  // A small grey copy of the current picture.
  function thumbnail() {
    thumbnailCanvas.width = 96;
    thumbnailCanvas.height = Math.max(1, Math.round(96 * video.videoHeight / Math.max(1, video.videoWidth)));
    const context = thumbnailCanvas.getContext("2d", { willReadFrequently: true });
    context.drawImage(video, 0, 0, thumbnailCanvas.width, thumbnailCanvas.height);
    const { data } = context.getImageData(0, 0, thumbnailCanvas.width, thumbnailCanvas.height);
    const grey = new Int16Array(thumbnailCanvas.width * thumbnailCanvas.height);
    for (let i = 0; i < grey.length; i++) grey[i] = (data[4 * i] + 2 * data[4 * i + 1] + data[4 * i + 2]) >> 2;
    return { grey, width: thumbnailCanvas.width, height: thumbnailCanvas.height };
  }

  // How far the picture has moved between two thumbnails, in their pixels: [difference of the shifted pictures, dx,
  // dy].
  function shift(from, to) {
    let best = [Infinity, 0, 0];
    for (let dy = -maxShift; dy <= maxShift; dy++) {
      for (let dx = -maxShift; dx <= maxShift; dx++) {
        let sum = 0;
        for (let y = maxShift; y < from.height - maxShift; y += 3) {
          for (let x = maxShift; x < from.width - maxShift; x += 3) {
            sum += Math.abs(from.grey[y * from.width + x] - to.grey[(y + dy) * from.width + x + dx]);
          }
        }
        // Prefers the smallest of equally good shifts.
        sum += Math.abs(dx) + Math.abs(dy);
        if (sum < best[0]) best = [sum, dx, dy];
      }
    }
    return best;
  }

  // Moves the badges with the camera's picture until the next answer.
  function follow(own) {
    if (stream !== own) return;
    if (shown) {
      const now = thumbnail();
      if (now.height === shown.view.height) {
        const [, dx, dy] = shift(shown.view, now);
        shown.picture.setAttribute("viewBox",
          `${-dx * shown.size.width / now.width} ${-dy * shown.size.height / now.height} ${shown.size.width} ${shown.size.height}`);
      }
    }
    setTimeout(() => requestAnimationFrame(() => follow(own)), 80);
  }
}

function prepare() {
  $$("form[data-scan]").forEach(prepareScan);
  $$("form[data-list]").forEach(prepareList);
  $$("[data-live]").forEach(prepareLive);
}
prepare();
const scanForm = $("form[data-scan]");
// If the list cannot be restored, the start page stays.
if (scanForm) restoreList(scanForm).catch(() => {});
