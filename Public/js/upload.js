// The upload queue: one request per file, two at a time, with progress and retry for each file. progress.js shows how far
// uploaded files have been read.

const form = document.querySelector("[data-upload]");
const queue = document.querySelector(".queue");
const list = queue.querySelector("ul");
const template = document.getElementById("queue-item");
const text = (name) => form.dataset["text" + name];
const maxBytes = Number(form.dataset.maxBytes);
const kinds = /^(image\/(jpeg|png|webp|heic|heif)|application\/pdf)$/;
const endings = /\.(jpe?g|png|webp|heic|heif|pdf)$/i;
const parallel = 2;
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
  // A single uploaded file leads directly to its receipt.
  if (!running && !waiting.length && total === 1 && !failed && last) location.assign(last);
}

function send(job) {
  const body = new FormData();
  body.append("csrf", form.elements.csrf.value);
  // The unreadable receipt that the first upload replaces.
  const { instead } = form.elements;
  if (instead) body.append("instead", instead.value);
  body.append("files", job.file);
  const request = new XMLHttpRequest();
  const bar = job.row.querySelector("progress");
  request.open("POST", form.action);
  request.setRequestHeader("Accept", "application/json");
  request.responseType = "json";
  request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) bar.value = (100 * event.loaded) / event.total; });
  request.addEventListener("loadend", () => {
    running -= 1;
    const receipt = request.response?.receipts?.[0];
    if (request.status >= 200 && request.status < 300 && receipt) {
      bar.hidden = true;
      say(job, receipt.isDuplicate ? text("Duplicate") : text("Done"));
      const open = job.row.querySelector(".open");
      open.href = receipt.href;
      open.hidden = false;
      last = receipt.href;
      if (!receipt.isDuplicate) {
        if (!replaces) oneMoreWaits();
        replaces = false;
      }
      if (!receipt.isDuplicate && total > 1) {
        job.row.dataset.reading = last.split("/").pop();
        document.dispatchEvent(new Event("arrived"));
      }
    } else {
      const final = [413, 415, 422].includes(request.status);
      refuse(job, (final && request.response?.title) || text("Failed"), !final);
    }
    next();
  });
  say(job, text("Sending"));
  request.send(body);
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
