// Shows changes by other members on open pages. All tabs of the browser share one stream: the tab that holds the lock
// receives it and passes the changes on to the others. A page with typed input is not replaced; it describes the change
// and offers to reload.

const main = document.getElementById("content");
const notice = main.querySelector("[data-news]");
const interests = main.dataset.changes.split(" ").filter(Boolean);
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
const ownDocument = uuid.exec(location.pathname)?.[0] ?? null;
const channel = globalThis.BroadcastChannel ? new BroadcastChannel("changes") : null;
const began = performance.now();
// Whether something has been typed on this page.
let touched = false;
// The position of the last received change.
let seen = null;
// The version of the server when the page was loaded.
let version = null;
// Ends the stream and releases the lock. Null if this tab does not hold the lock.
let release = null;
// The timer of the next refresh.
let pending = 0;
let isLoading = false;

// The member whose change made the whole page reload.
let reloadedFor = null;

for (const name of ["input", "change"]) {
  document.addEventListener(name, (event) => {
    if (!event.target.closest?.("main form")) return;
    touched = true;
    cancelReload();
  }, true);
}
const isBusy = () => touched || "answer" in main.dataset || Boolean(document.querySelector("dialog[open], .busy, [data-choosing]"))
  || Boolean(document.activeElement?.matches("main :is(input, textarea, select):not([data-unfold])"));

// A page that is being left is not reloaded, because that would cancel the submitted form.
let isLeaving = false;
let leaving = 0;
// The member whose change arrived while the page was being left.
let missedBy = null;
function leave() {
  isLeaving = true;
  clearTimeout(leaving);
  // A download also fires `beforeunload`, but the page stays.
  leaving = setTimeout(stay, 10000);
}
function stay() {
  isLeaving = false;
  if (missedBy === null) return;
  refresh(missedBy);
  missedBy = null;
}
addEventListener("beforeunload", leave);
// Safari on iPhones has no `beforeunload`.
addEventListener("submit", (event) => { if (!event.defaultPrevented && event.target.getAttribute("method") !== "dialog") leave(); });
// "Back" may show this page again without loading it.
addEventListener("pageshow", (event) => { if (event.persisted) stay(); });

// Whether a change to the document `id` of this type may alter this page.
function concerns({ type, id }) {
  if (!interests.includes(type)) return false;
  return !ownDocument || type !== "receipt" && type !== "product" && type !== "comparison_group" || id === ownDocument
    || (location.pathname.startsWith("/compare") && type === "product");
}

// Handles a message from the stream, or from the tab that receives the stream: the server's version, the end of the
// session, or changes. With `isMany`, there were more changes than the server lists.
function receive(news) {
  if (news.version) return newVersion(news.version);
  if (news.ended) return ended();
  if (seen !== null && news.position <= seen && !news.isMany) return;
  seen = news.position;
  queue.keep("change", queue.identifier()).catch(() => {});
  const changes = news.isMany ? [] : news.changes.filter(concerns);
  if (!news.isMany && !changes.length || !interests.length || main.querySelector("[data-live]")) return;
  const by = changes.find((change) => !change.isOwn)?.by ?? notice.dataset.server;
  clearTimeout(pending);
  // Several changes in quick succession cause one reload.
  pending = setTimeout(() => refresh(by), 150);
}

// Loads this page again. Returns null after a server error. `path` is the path after redirects, or null for any other
// error. `page` is null if the address no longer shows this page.
async function load() {
  const answer = await fetch(location.href, { cache: "no-store" });
  if (answer.status >= 500 || answer.status === 429) return null;
  const path = answer.ok ? new URL(answer.url).pathname : null;
  if (path !== location.pathname) return { path, page: null };
  return { path, page: new DOMParser().parseFromString(await answer.text(), "text/html") };
}

// Selects the form of the review page. That page is reloaded as a whole, because its script holds references to its
// elements.
const reviewForm = "form.review-form";

// Replaces the content if it has changed, or shows a notice if the person has typed something. `by` names the member
// who made the change.
async function refresh(by) {
  if (isLoading) { pending = setTimeout(() => refresh(by), 150); return; }
  isLoading = true;
  try {
    const answer = isLeaving ? null : await load();
    if (isLeaving) missedBy = by;
    if (!answer || isLeaving) return;
    const { path, page } = answer;
    const fresh = page?.getElementById("content");
    if (!fresh) return leadAway(path, by);
    if (state(fresh) === shown) return;
    if (isBusy()) return showNotice(notice.dataset.notice.replace("{who}", by), differences(fresh));
    if (main.querySelector(reviewForm)) { reloadedFor = by; return location.reload(); }
    replace(page, fresh);
  } catch { /* Without a connection, the page stays unchanged. */ } finally { isLoading = false; }
}

// Handles an address that no longer shows this page. The address may redirect to another page of the same document,
// such as that of a receipt that is being read again. The address of a merged product redirects to the other product,
// and the address of a deleted document to a list.
function leadAway(path, by) {
  // The stream reports the end of the session.
  if (path === "/sign-in") return;
  const target = uuid.exec(path ?? "")?.[0] ?? null;
  if (path && target === ownDocument && !isBusy()) { reloadedFor = by; return location.reload(); }
  const text = !ownDocument || target === ownDocument ? "notice"
    : target ? "merged" : location.pathname.startsWith("/receipts/") ? "combined" : "deleted";
  showNotice(notice.dataset[text].replace("{who}", by));
}

// Cancels a reload that is in progress, because something was typed meanwhile.
function cancelReload() {
  if (!reloadedFor) return;
  stop();
  isLeaving = false;
  showNotice(notice.dataset.notice.replace("{who}", reloadedFor));
  reloadedFor = null;
}

// Returns the content of the page as sent by the server, for comparison. Leaves out tokens, which differ in every
// answer. For the review page, returns only the values, because its script changes the other elements.
function state(root) {
  const review = root.querySelector(reviewForm);
  if (review) return JSON.stringify([...review.querySelectorAll("[name]:not([name=csrf])")].map((field) => [field.name, value(field)]));
  const copy = root.cloneNode(true);
  for (const part of copy.querySelectorAll("input[name=csrf], [data-news], [data-waiting], [role=status]")) part.remove();
  for (const part of copy.querySelectorAll("*")) for (const name of ["hidden", "tabindex", "open", "data-reading"]) part.removeAttribute(name);
  return copy.innerHTML.replace(/\s+/g, " ");
}

function value(field) {
  if (field.localName === "select") return field.querySelector("option[selected]")?.value ?? "";
  return /^(checkbox|radio)$/.test(field.type) ? `${field.value} ${field.defaultChecked}` : field.defaultValue ?? "";
}

// The content that this page shows. Computed before the page's own script runs.
let shown = state(main);

// The `details` elements of the content. The key consists of the identifier of the surrounding element and a number
// within that element, so that a row that was added above does not change the keys.
function detailsByKey() {
  const found = new Map();
  for (const details of main.querySelectorAll("details")) {
    const around = details.closest("main [id]")?.id ?? "";
    let number = 0;
    while (found.has(`${around} ${number}`)) number += 1;
    found.set(`${around} ${number}`, details);
  }
  return found;
}

// A selector that finds the focused element of the old content in the new content, or null.
function selectorOf(element) {
  const attribute = (name, of = element) => `[${name}="${CSS.escape(of.getAttribute(name))}"]`;
  if (element.id) return attribute("id");
  if (element.hasAttribute("data-unfold")) return attribute("data-unfold");
  if (element.hasAttribute("href")) return `a${attribute("href")}`;
  if (element.localName !== "button" || !element.form) return null;
  const form = attribute(element.form.id ? "id" : "action", element.form);
  return `form${form} button${element.hasAttribute("value") ? attribute("value") : ""}`;
}

// Whether a part of the content is the notice of this script, or the server's message about the person's own action.
// Firefox before 121 does not support `:has`.
const isMessage = (part) => part.matches("[data-news]")
  || part.matches(".notices") && [...part.children].some((child) => child.matches("[role=status]"));

// Replaces the content, but keeps open details, unfolded rows, the focus and the list of waiting photos.
function replace(page, fresh) {
  shown = state(fresh);
  const active = main.contains(document.activeElement) && document.activeElement !== main ? document.activeElement : null;
  const before = [...detailsByKey()];
  const unfolded = new Set([...main.querySelectorAll("[data-unfold]:checked")].map((box) => box.dataset.unfold));
  const focusedKey = before.find(([, details]) => active && active === details.querySelector("summary"))?.[0];
  const selector = active && selectorOf(active);
  const waiting = main.querySelector("[data-waiting]");
  for (const part of [...main.children]) if (part !== notice) part.remove();
  for (const part of [...fresh.children]) if (!isMessage(part)) main.append(document.adoptNode(part));
  const emptyWaiting = main.querySelector("[data-waiting]");
  if (waiting && emptyWaiting) emptyWaiting.replaceWith(waiting);
  const after = detailsByKey();
  for (const [key, { open }] of before) if (open && after.has(key)) after.get(key).open = true;
  for (const box of main.querySelectorAll("[data-unfold]")) box.checked = unfolded.has(box.dataset.unfold);
  const [old, now] = [document, page].map((root) => root.querySelector("[data-waits]"));
  if (old && now) old.replaceWith(document.adoptNode(now));
  const counterpart = after.get(focusedKey)?.querySelector("summary") ?? (selector && main.querySelector(selector)) ?? main;
  if (active) (active.isConnected ? active : counterpart).focus({ preventScroll: true });
  document.dispatchEvent(new Event("arrived"));
}

// The labels of up to six fields that another member changed.
function differences(fresh) {
  const found = [];
  for (const field of main.querySelectorAll("form[method=post] :is(input, select, textarea)[name], form.review-form :is(input, select, textarea)[name]")) {
    if (field.type === "hidden" || field.name === "csrf") continue;
    const other = fresh.querySelector(`[name="${CSS.escape(field.name)}"]`);
    if (other && value(other) === value(field)) continue;
    const label = field.labels?.[0]?.textContent.trim() || field.getAttribute("aria-label");
    if (label && !found.includes(label)) found.push(label);
  }
  return found.slice(0, 6);
}

function showNotice(text, fields = []) {
  notice.querySelector("[data-words]").textContent = text;
  const list = notice.querySelector("[data-fields]");
  list.textContent = fields.length ? `${notice.dataset.by} ${fields.join(", ")}` : "";
  list.hidden = !fields.length;
  notice.hidden = false;
}

// Offers a reload if the server was updated since the page was loaded.
function newVersion(now) {
  version ??= now;
  if (now !== version) showNotice(notice.dataset.version);
}

// The session has ended: deletes the offline data.
async function ended() {
  await queue.forget().catch(() => {});
  showNotice(notice.dataset.signedOut);
}

notice.querySelector("[data-load]").addEventListener("click", () => { touched = false; location.reload(); });

// The stream ---------------------------------------------------------------

// The messages of the last ten seconds, for tabs that open while the stream runs.
const recent = [];

// Passes a message of the stream on to the other tabs and to this one.
function publish(news) {
  recent.push({ at: performance.now(), news });
  while (recent.length && performance.now() - recent[0].at > 10000) recent.shift();
  channel?.postMessage(news);
  receive(news);
}

// Receives the stream until it ends or `release` is called.
function openStream() {
  return new Promise((done) => {
    const start = seen === null ? `age=${Math.round(performance.now())}` : `since=${seen}`;
    const source = new EventSource(`/changes/events?${start}`);
    const end = () => { source.close(); release = null; done(); };
    release = end;
    source.addEventListener("hello", (event) => {
      seen ??= Number(event.lastEventId);
      publish({ version: JSON.parse(event.data).version });
    });
    source.addEventListener("changes", (event) => publish({ ...JSON.parse(event.data), position: Number(event.lastEventId) }));
    source.addEventListener("ended", () => { publish({ ended: true }); end(); });
    source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) { end(); requestStreamLater(); } });
  });
}

const requestStreamLater = () => setTimeout(() => { if (!document.hidden) requestStream(); }, 5000);

let isRequesting = false;
// Waits for the lock and then receives the stream, if this tab is still visible.
async function requestStream() {
  if (isRequesting || document.hidden) return;
  isRequesting = true;
  try {
    await navigator.locks.request("changes", async () => { if (!document.hidden) await openStream(); });
  } finally { isRequesting = false; }
}

if (queue.owner && navigator.locks && globalThis.EventSource) {
  channel?.addEventListener("message", ({ data }) => {
    // Another tab was opened `missed` milliseconds ago and asks for the messages since then.
    if (data.missed === undefined) return receive(data);
    for (const { at, news } of recent) if (performance.now() - at < data.missed + 1000) channel.postMessage(news);
  });
  channel?.postMessage({ missed: performance.now() - began + 2000 });
  // A hidden page needs no stream, so it releases the lock for another tab.
  document.addEventListener("visibilitychange", () => { if (document.hidden) release?.(); else requestStream(); });
  addEventListener("pagehide", () => release?.());
  requestStream();
}
