// The offline page: shows waiting photos, and the data stored at the last connection. While the server is unreachable,
// the service worker sends this page for every address.

document.documentElement.classList.add("scripted");

const $ = (selector, root = document) => root.querySelector(selector);
const template = (id) => document.getElementById(id).content.firstElementChild.cloneNode(true);
const waiting = $("[data-waiting]");

// Writes each text into the element of the row with the class of that name; hides the element if the text is empty.
function fill(row, texts) {
  for (const [name, text] of Object.entries(texts)) {
    const element = $(`.${name}`, row);
    element.textContent = text;
    if (!text) element.hidden = true;
  }
  return row;
}

for (const link of document.querySelectorAll(".places a")) {
  const target = link.getAttribute("href");
  const here = location.pathname;
  const isHere = target === "/products" ? /^\/(products|compare)/.test(here)
    : target === "/receipts" ? here.startsWith("/receipts") && here !== "/receipts/new"
    : target === here;
  if (isHere) link.setAttribute("aria-current", "page");
}

function overview({ overview }) {
  $("[data-month]").textContent = overview.month;
  $("[data-total]").textContent = overview.total;
  $("[data-categories]").append(...overview.categories.map(([name, amount]) => fill(template("sum"), { title: name, money: amount })));
  $("[data-moves]").append(...overview.moves.map(([name, chain, before, now, change]) => fill(template("sum"), { title: name, sub: `${chain} · ${before} → ${now}`, money: change })));
  $("[data-overview]").hidden = false;
  $("[data-moved]").hidden = !overview.moves.length;
}

// The largest number of products or wines that are shown. A search finds the others.
const maximumShown = 60;
// The text in lower case and without accents, for searching.
const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").replace(/ß/g, "ss").toLowerCase();

function prices({ prices }) {
  const products = new Map();
  for (const [product, group, store, price, base, day, isOffer] of prices) {
    const title = group || product;
    const key = group ? `g ${group}` : `p ${product}`;
    if (!products.has(key)) products.set(key, { title, words: "", rows: [] });
    const entry = products.get(key);
    entry.words += plain(`${title} ${product} ${store} `);
    entry.rows.push({ product: group ? product : "", store, price, base, day, isOffer });
  }
  const list = $("[data-prices] ul");
  const none = $("[data-no-match]");
  const search = () => {
    const words = plain($("#price-search").value).split(/\s+/).filter(Boolean);
    const found = [...products.values()].filter((entry) => words.every((word) => entry.words.includes(word)));
    list.replaceChildren(...found.slice(0, maximumShown).map((entry) => {
      const row = fill(template("product"), { title: entry.title });
      $("tbody", row).append(...entry.rows.map(({ product, store, price, base, day, isOffer }) => {
        const line = fill(template("price"), { store, name: product, money: price, base, day });
        $(".badge", line).hidden = !isOffer;
        return line;
      }));
      return row;
    }));
    none.hidden = found.length > 0;
    $("[data-more]").hidden = found.length <= maximumShown;
  };
  $("#price-search").addEventListener("input", search);
  search();
  $("[data-prices]").hidden = !products.size;
}

function receipts({ receipts }) {
  $("[data-receipts] ul").append(...receipts.map((receipt) => {
    const row = fill(template("receipt"), { title: receipt.store, sub: receipt.day, money: receipt.total ?? "" });
    row.dataset.receipt = receipt.id;
    $("tbody", row).append(...receipt.lines.map(([name, amount]) => fill(template("line"), { name, money: amount })));
    if (location.pathname.includes(receipt.id)) $("details", row).open = true;
    return row;
  }));
  $("[data-receipts]").hidden = !receipts.length;
}

function wines({ wines }) {
  const list = $("[data-wines] ul");
  const search = () => {
    const words = plain($("#wine-search").value).split(/\s+/).filter(Boolean);
    const found = wines.filter(([title, detail]) => words.every((word) => plain(`${title} ${detail}`).includes(word)));
    list.replaceChildren(...found.slice(0, maximumShown).map(([title, detail, points]) => fill(template("sum"), { title, sub: detail, money: points ?? "" })));
    $("[data-no-wine]").hidden = found.length > 0;
    $("[data-more-wines]").hidden = found.length <= maximumShown;
  };
  $("#wine-search").addEventListener("input", search);
  search();
  $("[data-wines]").hidden = !wines.length;
}

async function start() {
  const data = await queue.kept("data");
  const owner = await queue.kept("owner");
  if (owner) await queue.show(waiting);
  $("[data-nothing]").hidden = Boolean(data);
  if (!data) return;
  for (const date of document.querySelectorAll("[data-as-of]")) date.textContent = data.asOf;
  $("[data-kept]").hidden = false;
  for (const part of [overview, prices, receipts]) part(data);
  // Data stored by older versions has no wines.
  if (data.wines) wines(data);
  // Shows the requested content first.
  const first = location.pathname.startsWith("/wine") ? "[data-wines]" : /^\/(products|compare)/.test(location.pathname) ? "[data-prices]" : location.pathname.startsWith("/receipts") && location.pathname !== "/receipts/new" ? "[data-receipts]" : null;
  if (first) $("[data-kept]").prepend($(first));
}

// Stores photos for the person who last used the app in this browser. They are sent when there is a connection.
async function addPhotos(files) {
  const owner = await queue.kept("owner");
  if (!owner) throw new Error("nobody is signed in");
  for (const file of files) await queue.add(file, { belongsTo: owner });
  await queue.show(waiting);
  waiting.scrollIntoView({ block: "center" });
  navigator.serviceWorker?.ready.then((worker) => worker.sync?.register("queue")).catch(() => {});
}

// Whether the camera is open, and how many groups of photos are being stored. A reload would lose these photos.
let isChoosing = false;
let storing = 0;
const unsaved = $("[data-unsaved]");

for (const input of document.querySelectorAll("input[type=file]")) {
  input.addEventListener("click", () => { isChoosing = true; });
  input.addEventListener("cancel", () => { isChoosing = false; });
  input.addEventListener("change", async () => {
    const files = [...input.files];
    input.value = "";
    isChoosing = false;
    unsaved.hidden = true;
    storing += 1;
    try { await addPhotos(files); } catch { unsaved.hidden = false; } finally { storing -= 1; }
  });
}

const load = () => { if (location.pathname === "/offline") location.assign("/"); else location.reload(); };
const isBusy = () => isChoosing || storing > 0 || !unsaved.hidden || $("#price-search").value || $("#wine-search").value;
const loadUnlessBusy = () => { if (!isBusy()) load(); };
$("[data-again]").addEventListener("click", load);
// Seconds between requests that check whether the server can be reached. The event `online` does not mean that the
// server is reachable.
const checkSeconds = 10;
setInterval(async () => {
  if (document.hidden || isBusy()) return;
  const answer = await fetch("/healthz", { cache: "no-store" }).catch(() => null);
  if (answer?.ok) loadUnlessBusy();
}, checkSeconds * 1000);
addEventListener("online", loadUnlessBusy);
queue.follow(() => queue.show(waiting).catch(() => {}));
// In some private windows, browsers store nothing.
start().catch(() => { $("[data-nothing]").hidden = false; });
