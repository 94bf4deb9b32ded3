// The "Try it" forms of the API reference: each sends a request with the session of this browser and shows the answer.

function request(form) {
  const headers = { "X-CSRF-Token": form.elements.csrf.value };
  const query = new URLSearchParams();
  let path = form.dataset.path;
  for (const input of form.querySelectorAll("[data-name]")) {
    const value = input.value.trim();
    if (input.dataset.in === "path") path = path.replace(`{${input.dataset.name}}`, encodeURIComponent(value));
    else if (value && input.dataset.in === "query") query.set(input.dataset.name, value);
    else if (value) headers[input.dataset.name] = value;
  }
  const body = form.querySelector("[data-body]")?.value;
  if (body) headers["Content-Type"] = "application/json";
  // `query.size` is missing in Safari 16.
  const target = String(query) ? `${path}?${query}` : path;
  return fetch(target, { method: form.dataset.method, headers, body });
}

async function show(form) {
  const frame = form.querySelector("pre");
  const output = frame.querySelector("[role=status]");
  frame.hidden = false;
  output.textContent = "…";
  try {
    const response = await request(form);
    const type = response.headers.get("Content-Type") ?? "";
    let text = type.startsWith("image/") ? type : await response.text();
    if (type.includes("json")) text = JSON.stringify(JSON.parse(text), null, 2);
    const tag = response.headers.get("ETag");
    output.textContent = `${response.status} ${response.statusText}\n${tag ? `ETag: ${tag}\n` : ""}\n${text}`;
  } catch (error) {
    output.textContent = String(error);
  }
}

for (const form of document.querySelectorAll("[data-try]")) {
  form.hidden = false;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    show(form);
  });
}

// A link to a problem or an operation opens its section.
function open() {
  const named = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (named instanceof HTMLDetailsElement) named.open = true;
}
addEventListener("hashchange", open);
open();
