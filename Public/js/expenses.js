// Expenses: shows the suggested category while a person types.

const $ = (selector, root = document) => root.querySelector(selector);

for (const form of document.querySelectorAll("form[data-suggest]")) {
  const what = $("input[name=what]", form);
  const output = $("[data-suggestion]", form);
  let timer, asked = "";
  what.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      const text = what.value.trim();
      if (text === asked) return;
      asked = text;
      if (!text) return output.replaceChildren();
      const answer = await fetch(`${form.dataset.suggest}?what=${encodeURIComponent(text)}`).catch(() => null);
      const found = answer?.ok ? await answer.json().catch(() => ({})) : {};
      // The text was changed while the request was in progress.
      if (text !== asked) return;
      output.textContent = found.name ? `${found.name} · ${found.reason}` : "";
    }, 200);
  });
}
