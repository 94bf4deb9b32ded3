// Shows the progress of a receipt that is being read, from server-sent events, and opens the receipt when it is ready.

const card = document.querySelector("[data-live]");
const bar = card.querySelector("progress");
const now = card.querySelector("[role=status]");
const source = new EventSource(card.dataset.live);

// Screen readers read the status again if it is replaced, even by the same words.
function say(words) { if (now.textContent !== words) now.textContent = words; }

source.addEventListener("progress", (event) => {
  const { step, percent, ahead, page, pages } = JSON.parse(event.data);
  card.querySelector("[data-waiting]").hidden = !ahead;
  card.querySelector("[data-ahead]").textContent = ahead;
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
});
source.addEventListener("done", () => { source.close(); location.replace(card.dataset.done); });
// If the stream ends permanently (server restarted, session ended), reload the page.
source.addEventListener("error", () => { if (source.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 3000); });
