// Reloads the progress of an archive, and the whole page when the archive is complete.

const section = document.querySelector("[data-archives]");

async function look() {
  const answer = await fetch(location.pathname, { cache: "no-store" }).catch(() => null);
  if (!answer?.ok) return setTimeout(look, 5000);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const now = page.querySelectorAll("[data-archives] progress");
  const shown = section.querySelectorAll("progress");
  if (now.length !== shown.length) return location.reload();
  now.forEach((bar, index) => { shown[index].value = bar.value; });
  return setTimeout(look, 2000);
}

setTimeout(look, 1000);
