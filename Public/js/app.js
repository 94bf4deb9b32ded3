// What every page has: menus that close, keyboard shortcuts, copying a link, and the camera behind "Scannen".
// Each file stands alone (no imports), because file names carry a hash of their contents.

document.documentElement.classList.add("scripted");

const $ = (selector, root = document) => root.querySelector(selector);
const csrf = () => $("input[name=csrf]")?.value ?? "";
const typing = (target) => target.closest("input, textarea, select, [contenteditable]");

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
  button.hidden = false;
  button.addEventListener("click", async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); } catch { document.execCommand("copy"); }
    button.lastChild.textContent = button.dataset.done;
  });
}

for (const select of document.querySelectorAll("select[data-submit]")) {
  select.addEventListener("change", () => select.form.requestSubmit());
}

const reload = $("meta[name=reload-after]");
if (reload) setTimeout(() => location.reload(), 1000 * Number(reload.content));

const places = { s: "/receipts/new", b: "/receipts", p: "/products", h: "/" };
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing || typing(event.target)) return;
  if (event.key === "?") { $("#keys")?.showModal(); event.preventDefault(); }
  else if (event.key === "/") { const box = $("[data-search]"); if (box) { box.focus(); event.preventDefault(); } }
  else if (places[event.key] && $(".places") && !$("dialog[open]")) location.assign(places[event.key]);
});

// On a phone "Scannen" opens the camera at once, so that a proven receipt needs three taps: Scannen, shutter, Übernehmen.
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
  camera.addEventListener("cancel", () => location.assign(scan.href));
  camera.addEventListener("change", async () => {
    if (!camera.files.length) return;
    const busy = Object.assign(document.createElement("div"), { className: "busy" });
    busy.setAttribute("role", "status");
    const bar = document.createElement("progress");
    busy.append(scan.textContent.trim() + " …", bar);
    document.body.append(busy);
    const form = new FormData();
    form.append("csrf", csrf());
    form.append("files", camera.files[0]);
    try {
      const answer = await fetch("/receipts", { method: "POST", body: form, headers: { Accept: "application/json" } });
      const body = await answer.json();
      if (!answer.ok) throw new Error(body.title);
      location.assign(body.receipts[0].href);
    } catch {
      location.assign(scan.href);
    }
  });
}
