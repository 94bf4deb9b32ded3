// Used on every page: menus that close, keyboard shortcuts, copying and sharing a link, and the camera that the link
// "Scannen" opens. The scripts have no imports, because their addresses contain a hash of their contents. The global
// `queue` is defined by queue.js, which is loaded first.

document.documentElement.classList.add("scripted");

const $ = (selector, root = document) => root.querySelector(selector);
const csrf = () => $("input[name=csrf]")?.value ?? "";
// The input field of an event, if any: a key typed there is not a shortcut.
const inputOf = (target) => target.closest("input, textarea, select, [contenteditable]");

for (const menu of document.querySelectorAll("details[data-menu]")) {
  document.addEventListener("click", (event) => { if (!menu.contains(event.target)) menu.open = false; });
  menu.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !menu.open) return;
    menu.open = false;
    $("summary", menu).focus();
  });
}

for (const button of document.querySelectorAll("[data-open]")) {
  button.hidden = false;
  button.addEventListener("click", () => document.getElementById(button.dataset.open)?.showModal());
}

for (const button of document.querySelectorAll("[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  // Screen readers do not read the new name of a focused button.
  const status = Object.assign(document.createElement("span"), { className: "visually-hidden" });
  status.setAttribute("role", "status");
  button.after(status);
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    button.lastChild.textContent = status.textContent = button.dataset.done;
  });
}

for (const button of document.querySelectorAll("[data-share]")) {
  const field = document.getElementById(button.dataset.share);
  button.hidden = !navigator.share;
  // `share` fails if the person closes the share dialog; that is not an error.
  button.addEventListener("click", () => navigator.share({ url: field.value }).catch(() => {}));
}

// On a narrow screen, a row of tabs can be wider than the page. Scrolls the current tab to the middle.
for (const tab of document.querySelectorAll(".tabs [aria-current]")) {
  tab.parentElement.scrollLeft = tab.offsetLeft - tab.parentElement.offsetLeft - (tab.parentElement.clientWidth - tab.offsetWidth) / 2;
}

// The points of a chart are one tab stop. The arrow keys move between them; a tap selects the nearest point.
function prepareChart(chart) {
  const boxOf = (mark) => mark.querySelector(".reach").getBoundingClientRect();
  const marks = [...chart.querySelectorAll(".mark")].sort((a, b) => boxOf(a).x - boxOf(b).x);
  const choose = (mark) => {
    for (const other of marks) other.setAttribute("tabindex", other === mark ? "0" : "-1");
  };
  choose(marks.at(-1));
  chart.addEventListener("focusin", (event) => choose(event.target));
  chart.addEventListener("keydown", (event) => {
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step && marks[marks.indexOf(event.target) + step];
    if (!next) return;
    next.focus();
    event.preventDefault();
  });
  chart.addEventListener("click", (event) => {
    const distance = (mark) => {
      const box = boxOf(mark);
      return Math.hypot(box.x + box.width / 2 - event.clientX, box.y + box.height / 2 - event.clientY);
    };
    marks.reduce((a, b) => (distance(b) < distance(a) ? b : a)).focus({ preventScroll: true });
  });
}
const prepareCharts = () => document.querySelectorAll("[data-chart]").forEach(prepareChart);
prepareCharts();
// Sent by changes.js after it has replaced the content, and with it the charts. upload.js sends the same event, but its
// page has no chart.
document.addEventListener("arrived", prepareCharts);

const reload = $("meta[name=reload-after]");
if (reload) setTimeout(() => location.reload(), 1000 * Number(reload.content));

const places = { s: "/receipts/new", b: "/receipts", p: "/products", h: "/" };
document.addEventListener("keydown", (event) => {
  // While `.busy` covers the page, opening another page would discard the photo that is being sent.
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || inputOf(event.target) || $(".busy")) return;
  if (event.key === "?") { $("#keys:not([open])")?.showModal(); event.preventDefault(); }
  else if (event.key === "/") { const box = $("[data-search]"); if (box) { box.focus(); event.preventDefault(); } }
  // The navigation of a viewer has no link to scan.
  else if (places[event.key] && $(`.places a[href="${places[event.key]}"]`) && !$("dialog[open]")) location.assign(places[event.key]);
});

// On a phone, "Scannen" opens the camera, so that a verified receipt needs three taps: Scannen, shutter, Bestätigen.
const scan = $(".places .scan a");
if (scan && matchMedia("(pointer: coarse)").matches && !scan.hasAttribute("aria-current")) {
  const camera = Object.assign(document.createElement("input"), { type: "file", accept: "image/*", hidden: true });
  camera.setAttribute("capture", "environment");
  document.body.append(camera);
  scan.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    camera.click();
  });
  // While the camera is open, changes.js does not replace the page, because that would lose the photo.
  camera.addEventListener("click", () => { camera.dataset.choosing = ""; });
  camera.addEventListener("cancel", () => {
    delete camera.dataset.choosing;
    if (!busy.isConnected) location.assign(scan.href);
  });
  // The picture is not in the phone's gallery, so it is kept until it is uploaded or the user discards it.
  const busy = document.createElement("div");
  busy.className = "busy";
  busy.tabIndex = -1;
  let token = csrf();

  // Covers the page with `busy`, or uncovers it. Keyboards and screen readers cannot reach a covered page.
  function coverPage(isCovered) {
    for (const part of document.body.children) if (part !== busy && part !== camera) part.inert = isCovered;
    if (isCovered) document.body.append(busy); else busy.remove();
    (isCovered ? busy : scan).focus({ preventScroll: true });
  }
  // Opens the receipt of an uploaded photo. Uncovers this page when the Back button shows this page again.
  function openReceipt(href) {
    addEventListener("pageshow", () => coverPage(false), { once: true });
    location.assign(href);
  }

  function showFailure(reason, file, canRetry, link) {
    const actions = Object.assign(document.createElement("div"), { className: "buttons" });
    const button = (words, act, main) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: words, className: main ? "button main" : "button" });
      made.addEventListener("click", act);
      actions.append(made);
    };
    if (link) actions.append(link);
    if (canRetry) button(scan.dataset.retry, () => send(file), !link);
    button(scan.dataset.again, () => camera.click(), !canRetry);
    button(scan.dataset.cancel, () => coverPage(false));
    const words = Object.assign(document.createElement("p"), { className: "strong", textContent: reason });
    words.setAttribute("role", "alert");
    busy.replaceChildren(words, actions);
    (link ?? actions.firstElementChild).focus();
  }

  // Stores the photo on this device before sending it, so that it survives a lost connection or a closed browser.
  async function sendFromDevice(file) {
    const { id } = await queue.add(file);
    await queue.flush().then(async (receipts) => {
      const receipt = receipts.get(id);
      if (receipt) return openReceipt(receipt.href);
      const entry = (await queue.all()).find((other) => other.id === id);
      if (!entry) return openReceipt("/receipts");
      if (entry.reason === undefined) {
        // Another tab or the service worker is sending the photo, and may fail.
        sendWaiting();
        return showSaved(scan.dataset.saved);
      }
      await queue.remove(id);
      showFailure(entry.reason || scan.dataset.failed, file, false);
    }, async (failure) => {
      requestBackgroundSync();
      if (failure?.isSignedOut) {
        const link = Object.assign(document.createElement("a"), { className: "button main", href: "/sign-in", textContent: scan.dataset.signIn });
        return showSaved(`${scan.dataset.signedOut}. ${scan.dataset.saved}`, link);
      }
      showSaved(scan.dataset.saved);
    });
  }

  function showSaved(words, link) {
    const line = Object.assign(document.createElement("p"), { className: "strong", textContent: words });
    line.setAttribute("role", "status");
    const actions = Object.assign(document.createElement("div"), { className: "buttons" });
    const button = (text, act) => {
      const made = Object.assign(document.createElement("button"), { type: "button", textContent: text, className: "button" });
      made.addEventListener("click", act);
      actions.append(made);
    };
    if (link) actions.append(link);
    button(scan.dataset.again, () => camera.click());
    button(scan.dataset.close, () => coverPage(false));
    busy.replaceChildren(line, actions);
    actions.firstElementChild.focus();
  }

  async function send(file) {
    const words = Object.assign(document.createElement("p"), { textContent: `${scan.textContent.trim()} …` });
    words.setAttribute("role", "status");
    const bar = document.createElement("progress");
    bar.setAttribute("aria-label", words.textContent);
    busy.replaceChildren(words, bar);
    coverPage(true);
    if (queue.isOn) {
      try { return await sendFromDevice(file); } catch { /* No space on this device: send it now. */ }
    }
    try {
      // After a sign-in in another window, the page's token is no longer valid; loads the new one.
      if (!token) {
        const page = new DOMParser().parseFromString(await (await fetch(scan.href)).text(), "text/html");
        // The person may have opened another household in another window.
        const isSame = page.documentElement.dataset.owner === document.documentElement.dataset.owner;
        if (isSame && page.querySelector("[data-upload]")) token = page.querySelector("input[name=csrf]").value;
      }
      const form = new FormData();
      form.append("csrf", token);
      form.append("files", file);
      const answer = await fetch("/receipts", { method: "POST", body: form, headers: { Accept: "application/json" } });
      const body = await answer.json().catch(() => ({}));
      const receipt = body.receipts?.[0];
      if (answer.ok && receipt) return openReceipt(receipt.href);
      if ([401, 403].includes(answer.status)) token = "";
      if (answer.status === 401) {
        const link = Object.assign(document.createElement("a"), { className: "button main", href: "/sign-in", target: "_blank", textContent: scan.dataset.signIn });
        return showFailure(`${scan.dataset.signedOut}. ${scan.dataset.failed}`, file, true, link);
      }
      const isFinal = [413, 415, 422].includes(answer.status);
      showFailure((isFinal && body.title) || scan.dataset.failed, file, !isFinal);
    } catch {
      showFailure(scan.dataset.failed, file, true);
    }
  }

  camera.addEventListener("change", () => {
    const [file] = camera.files;
    camera.value = "";
    delete camera.dataset.choosing;
    if (file) send(file);
  });
}

// Asks the browser to send waiting photos as soon as there is a connection, even if no page is open (Background Sync).
async function requestBackgroundSync() {
  try { await (await navigator.serviceWorker.ready).sync.register("queue"); } catch { /* Without Background Sync, the next page or the next connection sends them. */ }
}

// Sends waiting photos and retries while this page is open, with pauses of up to a minute. Also retries photos that
// another page or the service worker is sending now, because that may fail.
let sendTimer = 0;
async function sendWaiting(pause = 2000) {
  clearTimeout(sendTimer);
  try {
    await queue.flush();
    if (!(await queue.isWaiting())) return;
  } catch (failure) {
    if (failure?.isSignedOut) return;
    requestBackgroundSync();
  }
  sendTimer = setTimeout(() => sendWaiting(Math.min(60000, 2 * pause)), pause);
}

// The maximum age of the offline data in minutes.
const freshMinutes = 10;

// Loads the data of the offline page if the stored data is too old, in another language, or older than the last change.
// If the load fails, the older data stays until another page loads it.
async function storeOfflineData() {
  const stored = await queue.kept("data");
  const change = await queue.kept("change");
  const isFresh = Date.now() - stored?.loadedAt < freshMinutes * 60000;
  if (isFresh && stored.language === document.documentElement.lang && stored.change === change) return;
  const data = await queue.ask("/offline/data");
  await queue.claim(data.owner);
  await queue.keep("data", { ...data, change, loadedAt: Date.now() });
}

// For a signed-in member: deletes data of other owners, sends waiting photos and updates the offline data.
async function startForOwner() {
  if (!queue.isOn) return;
  await queue.claim(queue.owner);
  await queue.keep("language", document.documentElement.lang);
  navigator.serviceWorker?.register("/service-worker.js").catch(() => {});
  // On the upload page, upload.js sends waiting photos and shows the progress.
  if (!$("[data-upload]")) sendWaiting();
  // Without a service worker, no page could show the data.
  if (navigator.serviceWorker) await storeOfflineData().catch((failure) => { if (failure?.isSignedOut) queue.forget(); });
}

// Signing out and leaving the household delete the data on this device, so the script asks first if photos are waiting.
// The server can refuse a form with data-asks-only. For such a form, the data is deleted only when the server accepts
// it.
for (const form of document.querySelectorAll("[data-confirm-loss]")) {
  form.addEventListener("submit", async (event) => {
    if (!queue.isOn || form.dataset.confirmed) return;
    event.preventDefault();
    const waitingCount = await queue.all().then((entries) => entries.length, () => 0);
    if (waitingCount && !confirm(form.dataset.confirmLoss)) return;
    if (!("asksOnly" in form.dataset)) await queue.wipe().catch(() => {});
    form.dataset.confirmed = "yes";
    form.submit();
  });
}

const waitingPhotos = $("[data-waiting]");
if (waitingPhotos && queue.isOn) {
  const show = () => queue.show(waitingPhotos).catch(() => {});
  show();
  queue.follow(show);
}

if (queue.owner) {
  startForOwner().catch(() => {});
  addEventListener("online", () => startForOwner().catch(() => {}));
} else if (globalThis.indexedDB) {
  // Nobody is signed in: the offline data is deleted; waiting photos stay until their owner signs in.
  indexedDB.databases?.().then((all) => { if (all.some(({ name }) => name === "allesteurer")) queue.forget(); }).catch(() => {});
}
