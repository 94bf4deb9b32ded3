// Shows the progress of a receipt that is being read, from server-sent events, and opens the receipt when it is ready.

const card = document.querySelector("[data-live]");
const bar = card.querySelector("progress");
const now = card.querySelector("[role=status]");
let source = null;

// Screen readers read the status again if it is replaced, even by the same words.
function say(words) { if (now.textContent !== words) now.textContent = words; }

function follow() {
  source?.close();
  source = new EventSource(card.dataset.live);
  const stream = source;
  stream.addEventListener("progress", (event) => show(JSON.parse(event.data)));
  stream.addEventListener("done", () => { stream.close(); location.replace(card.dataset.done); });
  // If the stream ends permanently (server restarted, session ended), reload the page.
  stream.addEventListener("error", () => { if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000); });
}

function show({ step, percent, ahead, delayed, page, pages }) {
  card.querySelector("[data-waiting]").hidden = !ahead;
  card.querySelector("[data-ahead]").textContent = ahead;
  card.querySelector("[data-delayed]").hidden = !delayed;
  card.querySelector("[data-paging]").hidden = !page;
  if (page) {
    card.querySelector("[data-page]").textContent = page;
    card.querySelector("[data-pages]").textContent = pages;
  }
  bar.value = percent;
  let before = true;
  for (const item of card.querySelectorAll("[data-step]")) {
    const current = item.dataset.step === step;
    if (current) { before = false; say(item.textContent.trim()); }
    item.className = current ? "current" : before ? "done" : "";
  }
}

// Browsers open few connections to a server, so a hidden page has no stream.
document.addEventListener("visibilitychange", () => { if (document.hidden) source?.close(); else follow(); });
if (!document.hidden) follow();
