// Updates the progress of archives that are being made, and reloads the whole page when one is complete.

const section = document.querySelector("[data-archives]");

async function poll() {
  const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return setTimeout(poll, 5000);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.querySelectorAll("[data-archives] progress");
  const shown = section.querySelectorAll("progress");
  if (now.length !== shown.length) return location.reload();
  now.forEach((bar, index) => { shown[index].value = bar.value; });
  return setTimeout(poll, 2000);
}

setTimeout(poll, 1000);
