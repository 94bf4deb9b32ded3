// Shows the progress and the result of reading for each receipt in a list, from one stream.

// The maximum number of receipts in one stream.
const maximumReceipts = 50;
let source = null;
let retry = 0;
let loading = false;
// Whether the inbox has changed since it was loaded.
let stale = false;

// The rows of a receipt that is being read.
const rowsOf = (id) => document.querySelectorAll(`[data-reading="${id}"]`);

function follow() {
  source?.close();
  clearTimeout(retry);
  const ids = [...new Set([...document.querySelectorAll("[data-reading]")].map((row) => row.dataset.reading))].slice(0, maximumReceipts);
  // Browsers open few connections to a server, so a hidden page has no stream.
  if (!ids.length || document.hidden) return;
  const stream = new EventSource(`/receipts/events?receipts=${ids.join(",")}`);
  source = stream;
  stream.addEventListener("progress", (event) => showStatus(JSON.parse(event.data)));
  stream.addEventListener("read", (event) => {
    const news = JSON.parse(event.data);
    showStatus(news);
    stopFollowing(news.receipt);
  });
  // All receipts of this stream have been read. Follows the receipts that exceeded the maximum.
  stream.addEventListener("done", () => { ids.forEach(stopFollowing); follow(); });
  stream.addEventListener("error", () => { if (stream.readyState === EventSource.CLOSED && stream === source) retry = setTimeout(follow, 3000); });
}

function showStatus({ receipt, title, words }) {
  for (const row of rowsOf(receipt)) {
    const name = row.querySelector(".title");
    // The inbox is excluded, because it is reloaded as a whole.
    if (title && name && !row.closest("[data-inbox]") && name.textContent !== title) name.textContent = title;
    const status = row.querySelector(".status");
    if (status && status.textContent !== words) status.textContent = words;
  }
}

function stopFollowing(receipt) {
  for (const row of rowsOf(receipt)) {
    row.removeAttribute("data-reading");
    if (row.closest("[data-inbox]")) refresh();
  }
}

// A selector that finds a focused link or button in the new inbox.
const selectorOf = (element) => element.hasAttribute("href") ? `a[href="${CSS.escape(element.getAttribute("href"))}"]`
  : element.form ? `form[action="${CSS.escape(element.form.getAttribute("action"))}"] button` : null;

// Reloads the inbox, because a receipt that was read now has a name, a total and a badge.
async function refresh() {
  stale = true;
  if (loading) return;
  loading = true;
  while (stale) {
    stale = false;
    try {
      const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
      const [old, fresh] = [document, page].map((root) => root.querySelector("[data-inbox]"));
      const selector = old?.contains(document.activeElement) ? selectorOf(document.activeElement) : null;
      const [oldCount, newCount] = [document, page].map((root) => root.querySelector("[data-waits]"));
      // Ignores the sign-in page, which is the answer if the session has ended.
      if (fresh) old?.replaceWith(document.adoptNode(fresh));
      if (newCount) oldCount?.replaceWith(document.adoptNode(newCount));
      if (selector) fresh?.querySelector(selector)?.focus({ preventScroll: true });
    } catch { /* Offline: keep the list; the stream reconnects. */ }
  }
  loading = false;
}

document.addEventListener("arrived", follow);
document.addEventListener("visibilitychange", follow);
follow();
