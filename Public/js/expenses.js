// Expenses: the suggested category appears while a person types, and amounts can be hidden on the screen.

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
      // Another text was typed in the meantime.
      if (text !== asked) return;
      output.textContent = found.name ? `${found.name} · ${found.reason}` : "";
    }, 200);
  });
}

// Amounts stay hidden on this device until they are shown again.
const key = "amounts-hidden";
const apply = () => {
  const isHidden = localStorage.getItem(key) === "1";
  document.documentElement.classList.toggle("amounts-hidden", isHidden);
  for (const button of document.querySelectorAll("[data-hide-amounts]")) {
    button.hidden = false;
    button.dataset.hide ??= $("span", button).textContent;
    $("span", button).textContent = isHidden ? button.dataset.show : button.dataset.hide;
    button.setAttribute("aria-pressed", String(isHidden));
  }
};
for (const button of document.querySelectorAll("[data-hide-amounts]")) {
  button.addEventListener("click", () => {
    localStorage.setItem(key, localStorage.getItem(key) === "1" ? "0" : "1");
    apply();
  });
}
apply();
