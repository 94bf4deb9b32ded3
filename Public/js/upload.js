// The upload queue: two files at a time, each in parts, with progress. An interrupted upload goes on by itself. progress.js
// shows how far the receipts that arrived are read.

const form = document.querySelector("[data-upload]");
const queue = document.querySelector(".queue");
const list = queue.querySelector("ul");
const template = document.getElementById("queue-item");
const text = (name) => form.dataset["text" + name];
const maxBytes = Number(form.dataset.maxBytes);
const kinds = /^(image\/(jpeg|png|webp|heic|heif)|application\/pdf)$/;
const endings = /\.(jpe?g|png|webp|heic|heif|pdf)$/i;
const parallel = 2;
// Milliseconds between two tries of an interrupted upload.
const [shortest, longest] = [1000, 30000];
const calm = matchMedia("(prefers-reduced-motion: reduce)").matches;
const title = document.getElementById("queue-title");
const sending = title.textContent;
const waiting = [];
let running = 0;
let failed = 0;
let last = null;
let total = 0;
// The first upload replaces an unreadable receipt, so the number of waiting receipts does not grow.
let replaces = Boolean(form.elements.instead);

function add(files) {
  const jobs = [];
  for (const file of files) {
    const row = template.content.firstElementChild.cloneNode(true);
    const job = { file, row };
    row.querySelector(".name").textContent = file.name;
    row.querySelector(".retry").addEventListener("click", () => { failed -= 1; enqueue(job); });
    list.append(row);
    queue.hidden = false;
    total += 1;
    if (file.size > maxBytes) refuse(job, text("TooLarge"), false);
    else if (!kinds.test(file.type) && !endings.test(file.name)) refuse(job, text("Kind"), false);
    else jobs.push(job);
  }
  jobs.sort((one, other) => one.file.size - other.file.size).forEach(enqueue);
  // Below the large buttons nobody would see what becomes of the files.
  queue.scrollIntoView({ block: "center", behavior: calm ? "instant" : "smooth" });
}

function enqueue(job) {
  job.row.classList.remove("failed");
  job.row.querySelector(".retry").hidden = true;
  job.row.querySelector("progress").hidden = false;
  say(job, text("Waiting"));
  waiting.push(job);
  // The shortest first: its receipt can be checked while the others are still on their way.
  waiting.sort((one, other) => one.file.size - other.file.size);
  next();
}

function say(job, words) { job.row.querySelector(".status").textContent = words; }

function oneMoreWaits() {
  const count = document.querySelector("[data-waits]");
  const figure = count.lastElementChild;
  figure.textContent = Number(figure.textContent) + 1;
  count.hidden = false;
}

function refuse(job, words, again) {
  failed += 1;
  job.row.classList.add("failed");
  job.row.querySelector("progress").hidden = true;
  job.row.querySelector(".amount").textContent = "";
  job.row.querySelector(".retry").hidden = !again;
  say(job, words);
}

function next() {
  while (running < parallel && waiting.length) {
    running += 1;
    send(waiting.shift());
  }
  const isOver = !running && !waiting.length && last !== null;
  title.textContent = isOver ? text("Arrived") : sending;
  queue.querySelector("[data-arrived]").hidden = !isOver || total === 1;
  // A single file that arrived leads straight to its receipt.
  if (!running && !waiting.length && total === 1 && !failed && last) location.assign(last);
}

// Sends a file in parts. After a failure the server says how many bytes it has, and the upload goes on from there. Because
// of the identifier every request can be repeated.
async function send(job) {
  job.id ??= identifier();
  say(job, text("Sending"));
  try {
    let state = job.begun ? await ask("GET", `/uploads/${job.id}`) : await begin(job);
    job.begun = true;
    // What arrived before this try says nothing about the speed of the line.
    job.first = { offset: state.offset, at: performance.now() };
    while (!state.receipt) {
      const part = job.file.slice(state.offset, state.offset + state.partBytes);
      state = await ask("POST", `/uploads/${job.id}/parts?offset=${state.offset}`, part, (loaded) => progress(job, state.offset + loaded));
      job.pause = undefined;
    }
    arrived(job, state.receipt);
  } catch (failure) {
    if (failure.isPassing) return interrupted(job);
    // An upload that was swept away begins anew; so does the next try of one that failed.
    job.begun = false;
    job.id = undefined;
    refuse(job, failure.title || text("Failed"), !failure.isFinal);
  }
  running -= 1;
  next();
}

function begin(job) {
  const fields = new URLSearchParams({ csrf: form.elements.csrf.value, upload: job.id, name: job.file.name, size: job.file.size });
  // The unreadable receipt whose place the first that arrives takes.
  if (form.elements.instead) fields.append("instead", form.elements.instead.value);
  return ask("POST", "/uploads", fields);
}

// Random, in the form of a UUID of version 4. crypto.randomUUID is missing on pages without HTTPS.
function identifier() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

// The state of an upload. Fails with { isPassing } when the same request may succeed later.
function ask(method, path, body, onProgress) {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.setRequestHeader("Accept", "application/json");
    if (body instanceof Blob) {
      request.setRequestHeader("Content-Type", "application/octet-stream");
      request.setRequestHeader("X-CSRF-Token", form.elements.csrf.value);
    }
    request.responseType = "json";
    // A line that carries nothing for so long is taken for broken.
    request.timeout = 120000;
    if (onProgress) request.upload.addEventListener("progress", (event) => onProgress(event.loaded));
    request.addEventListener("loadend", () => {
      const { status, response } = request;
      if (status >= 200 && status < 300 && response) return resolve(response);
      reject({
        isPassing: status === 0 || status === 408 || status === 429 || status >= 500,
        isFinal: [413, 415, 422].includes(status),
        title: [413, 415, 422].includes(status) && response?.title,
      });
    });
    request.send(body);
  });
}

// Goes on by itself: after a pause that grows, or as soon as the browser knows of a connection again.
function interrupted(job) {
  say(job, text("Interrupted"));
  job.row.querySelector(".amount").textContent = "";
  const again = () => {
    clearTimeout(timer);
    removeEventListener("online", again);
    send(job);
  };
  job.pause = Math.min(longest, 2 * (job.pause ?? shortest / 2));
  const timer = setTimeout(again, job.pause);
  addEventListener("online", again);
}

function progress(job, sent) {
  const size = job.file.size;
  job.row.querySelector("progress").value = (100 * sent) / size;
  const seconds = (performance.now() - job.first.at) / 1000;
  const speed = (sent - job.first.offset) / seconds;
  // Nothing to wait for on fast lines, and no estimate from the first moment.
  const left = seconds > 2 && speed > 0 ? (size - sent) / speed : 0;
  const words = (left < 3 ? text("Progress") : text("ProgressLeft"))
    .replace("{sent}", megabytes(sent)).replace("{size}", megabytes(size)).replace("{left}", duration(left));
  job.row.querySelector(".amount").textContent = words;
}

const number = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const megabytes = (bytes) => number.format(bytes / 1048576);
const duration = (seconds) => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

function arrived(job, receipt) {
  const { row } = job;
  row.querySelector("progress").hidden = true;
  row.querySelector(".amount").textContent = "";
  say(job, receipt.isDuplicate ? text("Duplicate") : text("Done"));
  const open = row.querySelector(".open");
  open.href = receipt.href;
  open.hidden = false;
  last = receipt.href;
  if (receipt.isDuplicate) return;
  if (!replaces) oneMoreWaits();
  replaces = false;
  if (total > 1) {
    row.dataset.reading = last.split("/").pop();
    document.dispatchEvent(new Event("arrived"));
  }
}

for (const input of form.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => { add([...input.files]); input.value = ""; });
}

addEventListener("beforeunload", (event) => { if (running || waiting.length) event.preventDefault(); });

if (matchMedia("(pointer: fine)").matches) {
  form.querySelector(".drop-hint").hidden = false;
  const carriesFiles = (event) => event.dataTransfer?.types.includes("Files");
  addEventListener("dragover", (event) => { if (carriesFiles(event)) { event.preventDefault(); document.body.classList.add("dropping"); } });
  addEventListener("dragleave", (event) => { if (!event.relatedTarget) document.body.classList.remove("dropping"); });
  addEventListener("drop", (event) => {
    if (!carriesFiles(event)) return;
    event.preventDefault();
    document.body.classList.remove("dropping");
    add([...event.dataTransfer.files]);
  });
}
