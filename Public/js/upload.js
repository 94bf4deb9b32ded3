// The upload page: sends two files at a time, each in parts, and shows how much was sent. An interrupted upload resumes
// automatically. Until the server has a file, `queue` (queue.js) stores it on this device. progress.js then shows how
// far the server has read it.

const form = document.querySelector("[data-upload]");
const box = document.querySelector(".queue");
const list = box.querySelector("ul");
const template = document.getElementById("queue-item");
const text = (name) => form.dataset["text" + name];
const maxBytes = Number(form.dataset.maxBytes);
// The media types and file name extensions that the server accepts.
const kinds = /^(image\/(jpeg|png|webp|heic|heif)|application\/pdf)$/;
const extensions = /\.(jpe?g|png|webp|heic|heif|pdf)$/i;
// The number of files that are sent at the same time.
const parallel = 2;
// The shortest and the longest pause before an interrupted upload is retried, in milliseconds.
const [shortest, longest] = [1000, 30000];
const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)").matches;
const title = document.getElementById("queue-title");
const titleWhileSending = title.textContent;
const waiting = [];
// All added files except those that were sent or refused.
const unsent = new Set();
let [running, failed, total] = [0, 0, 0];
// The address of the receipt of the last sent file.
let lastHref = null;
// Whether the page opens the receipt after the upload of a single file. False if files of an earlier visit are sent.
let opensReceipt = true;
// Whether the next upload replaces an unreadable receipt, so that the number of waiting receipts does not grow.
let replaces = Boolean(form.elements.instead);

function add(files) {
  const jobs = [];
  for (const file of files) {
    const job = addRow({ file });
    if (file.size > maxBytes) showFailure(job, text("TooLarge"), false);
    else if (!kinds.test(file.type) && !extensions.test(file.name)) showFailure(job, text("Kind"), false);
    else { storeOnDevice(job); jobs.push(job); }
  }
  jobs.sort((one, other) => one.file.size - other.file.size).forEach(enqueue);
  // Scrolls to the queue, which is below the large buttons.
  box.scrollIntoView({ block: "center", behavior: reducedMotion ? "instant" : "smooth" });
}

// Adds the row of a file to the queue.
function addRow(job) {
  job.row = template.content.firstElementChild.cloneNode(true);
  showThumbnail(job);
  const name = Object.assign(job.row.querySelector(".name"), { id: `file-${total}`, textContent: job.file.name });
  // Screen readers read the name of the file with each button and progress bar, because all rows have the same buttons.
  job.row.querySelector("progress").setAttribute("aria-labelledby", name.id);
  for (const control of job.row.querySelectorAll(".retry, .open")) {
    control.id = `${control.classList.contains("open") ? "open" : "retry"}-${total}`;
    control.setAttribute("aria-labelledby", `${control.id} ${name.id}`);
  }
  job.row.querySelector(".retry").addEventListener("click", () => { failed -= 1; enqueue(job); });
  list.append(job.row);
  box.hidden = false;
  total += 1;
  return job;
}

// Stores a file on this device. The identifier is created before the first attempt to send the file, so that the server
// creates only one receipt, however often the file is sent.
function storeOnDevice(job) {
  if (!queue.isOn) return;
  job.id = queue.identifier();
  job.kept = queue.add(job.file, { id: job.id, instead: form.elements.instead?.value })
    .then(() => { job.isKept = true; }, () => { /* No space on this device. */ });
}

// Enqueues the files that were not sent during an earlier visit.
async function restore() {
  for (const entry of await queue.all()) {
    if (entry.owner !== queue.owner || entry.reason !== undefined) continue;
    const file = new File([entry.blob], entry.name, { type: entry.blob.type });
    opensReceipt = false;
    enqueue(addRow({ file, id: entry.id, instead: entry.instead, isKept: true }));
  }
}

// Shows a small picture of an image; the icon stays if the browser cannot show it.
function showThumbnail(job) {
  if (!job.file.type.startsWith("image/")) return;
  const thumb = job.row.querySelector(".thumb");
  const icon = [...thumb.children];
  const shown = Object.assign(document.createElement("img"), { alt: "", width: 44, height: 52 });
  shown.addEventListener("error", () => thumb.replaceChildren(...icon));
  for (const name of ["load", "error"]) shown.addEventListener(name, () => URL.revokeObjectURL(shown.src));
  shown.src = URL.createObjectURL(job.file);
  thumb.replaceChildren(shown);
}

function enqueue(job) {
  job.row.classList.remove("failed");
  job.row.querySelector(".retry").hidden = true;
  job.row.querySelector("progress").hidden = false;
  job.hasNewToken = false;
  setStatus(job, text("Waiting"));
  unsent.add(job);
  waiting.push(job);
  // Sends the smallest file first, so that its receipt can be checked while the others are being sent.
  waiting.sort((one, other) => one.file.size - other.file.size);
  next();
}

function setStatus(job, words) { job.row.querySelector(".status").textContent = words; }

function incrementInboxCount() {
  const count = document.querySelector("[data-waits]");
  const figure = count.lastElementChild;
  figure.textContent = Number(figure.textContent) + 1;
  count.hidden = false;
}

function showFailure(job, words, canRetry) {
  failed += 1;
  job.row.classList.add("failed");
  job.row.querySelector("progress").hidden = true;
  job.row.querySelector(".amount").textContent = "";
  job.row.querySelector(".retry").hidden = !canRetry;
  setStatus(job, words);
}

function next() {
  while (running < parallel && waiting.length) {
    running += 1;
    send(waiting.shift());
  }
  const hasFinished = !running && !waiting.length && lastHref !== null;
  title.textContent = hasFinished ? text("Arrived") : titleWhileSending;
  box.querySelector("[data-arrived]").hidden = !hasFinished || total === 1;
  // After a single file, the page leads directly to its receipt.
  if (!running && !waiting.length && total === 1 && opensReceipt && !failed && lastHref) location.assign(lastHref);
}

// Sends a file, unless another page or the service worker is sending it.
async function send(job) {
  job.id ??= queue.identifier();
  setStatus(job, text("Sending"));
  await job.kept;
  // `alone` returns null if another page is sending the file. Retries later, because that may fail.
  if ((await queue.alone(job.id, () => transfer(job))) === null) retryLater(job);
}

// Sends a file in parts. After a failure, the server returns the number of bytes that it has, and the upload resumes
// there. The identifier makes every request repeatable.
async function transfer(job) {
  try {
    let state = job.begun ? await resume(job) : await begin(job);
    job.begun = true;
    // Only bytes sent in this attempt count for the speed.
    job.first = { offset: state.offset, at: performance.now() };
    while (!state.receipt) {
      const part = job.file.slice(state.offset, state.offset + state.partBytes);
      state = await ask("POST", `/uploads/${job.id}/parts?offset=${state.offset}`, part, (loaded) => progress(job, state.offset + loaded));
      job.pause = undefined;
      job.hasNewToken = false;
    }
    await finish(job, state.receipt);
  } catch (failure) {
    if (failure.isTemporary) { retryLater(job); return true; }
    // Tries a new token only once, because the server may refuse the file for another reason.
    if (failure.isSignedOut && !job.hasNewToken && (await renewToken().catch(() => false))) {
      job.hasNewToken = true;
      return transfer(job);
    }
    // The next attempt begins a new upload, because the server may have deleted this one.
    job.begun = false;
    if (failure.isFinal && queue.isOn) queue.remove(job.id);
    if (failure.isFinal || !queue.isOn) job.id = undefined;
    if (failure.isFinal) unsent.delete(job);
    showFailure(job, failure.title || text("Failed"), !failure.isFinal);
    if (failure.isSignedOut) offerSignIn(job);
  }
  running -= 1;
  next();
  return true;
}

// Loads a token of the current session, because the same person may have signed in again in another tab. Returns
// whether somebody is signed in. Each page has its own token, so a different token does not mean a new session.
async function renewToken() {
  const page = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
  const token = page.querySelector("[data-upload] input[name=csrf]")?.value;
  if (!token || page.documentElement.dataset.owner !== queue.owner) return false;
  form.elements.csrf.value = token;
  return true;
}

// Says that the session has ended. Signing in uses another tab, because this page may be the only one that has the file.
function offerSignIn(job) {
  const { signedOut, signIn } = document.querySelector(".scan a").dataset;
  const link = Object.assign(document.createElement("a"), { href: "/sign-in", target: "_blank", textContent: signIn });
  job.row.querySelector(".status").replaceChildren(`${signedOut}. `, link);
}

function begin(job) {
  const fields = new URLSearchParams({ csrf: form.elements.csrf.value, upload: job.id, name: job.file.name, size: job.file.size });
  // The unreadable receipt that the first uploaded receipt replaces.
  const instead = job.instead || form.elements.instead?.value;
  if (instead) fields.append("instead", instead);
  return ask("POST", "/uploads", fields);
}

// Begins again if the server has removed the interrupted upload.
async function resume(job) {
  try {
    return await ask("GET", `/uploads/${job.id}`);
  } catch (failure) {
    if (!failure.isGone) throw failure;
    return begin(job);
  }
}

// Returns the state of an upload. Fails with { isTemporary } if the same request may succeed later.
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
    // After this time without progress, the connection counts as broken.
    request.timeout = 120000;
    if (onProgress) request.upload.addEventListener("progress", (event) => onProgress(event.loaded));
    request.addEventListener("loadend", () => {
      const { status, response } = request;
      if (status >= 200 && status < 300 && response) return resolve(response);
      reject({
        isTemporary: status === 0 || status === 408 || status === 429 || status >= 500,
        isFinal: [413, 415, 422].includes(status),
        isGone: status === 404,
        // A successful answer without JSON is the sign-in page.
        isSignedOut: status === 401 || status === 403 || (status >= 200 && status < 300),
        title: [413, 415, 422].includes(status) && response?.title,
      });
    });
    request.send(body);
  });
}

// Resumes an upload after a growing pause. Resumes it at once when the browser reports a connection, or when the page
// is shown again, because timers of a page in the background are slow or stop.
function retryLater(job) {
  setStatus(job, text("Interrupted"));
  job.row.querySelector(".amount").textContent = "";
  const again = () => {
    clearTimeout(timer);
    removeEventListener("online", again);
    removeEventListener("visibilitychange", wake);
    send(job);
  };
  const wake = () => { if (!document.hidden) again(); };
  job.pause = Math.min(longest, 2 * (job.pause ?? shortest / 2));
  const timer = setTimeout(again, job.pause);
  addEventListener("online", again);
  addEventListener("visibilitychange", wake);
  // With Background Sync, the browser sends the file even after this page is closed.
  navigator.serviceWorker?.ready.then((worker) => worker.sync?.register("queue")).catch(() => {});
}

function progress(job, sent) {
  const size = job.file.size;
  job.row.querySelector("progress").value = (100 * sent) / size;
  const seconds = (performance.now() - job.first.at) / 1000;
  const speed = (sent - job.first.offset) / seconds;
  // Shows the remaining time only if it is at least three seconds, and only after the first two seconds.
  const remaining = seconds > 2 && speed > 0 ? (size - sent) / speed : 0;
  const words = (remaining < 3 ? text("Progress") : text("ProgressLeft"))
    .replace("{sent}", megabytes(sent)).replace("{size}", megabytes(size)).replace("{left}", duration(remaining));
  job.row.querySelector(".amount").textContent = words;
}

const number = new Intl.NumberFormat(document.documentElement.lang, { minimumFractionDigits: 1, maximumFractionDigits: 1 });
const megabytes = (bytes) => number.format(bytes / 1048576);
const duration = (seconds) => (seconds < 90 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`);

// Shows the receipt of an uploaded file. With several files, progress.js follows its reading.
async function finish(job, receipt) {
  const { row } = job;
  unsent.delete(job);
  // Removes the file before this page is left; otherwise the next visit would send it again.
  if (queue.isOn) await queue.remove(job.id).catch(() => {});
  row.querySelector("progress").hidden = true;
  row.querySelector(".amount").textContent = "";
  setStatus(job, receipt.isDuplicate ? text("Duplicate") : text("Done"));
  const open = row.querySelector(".open");
  open.href = receipt.href;
  open.hidden = false;
  lastHref = receipt.href;
  if (receipt.isDuplicate) return;
  if (!replaces) incrementInboxCount();
  replaces = false;
  if (total > 1 || !opensReceipt) {
    row.dataset.reading = lastHref.split("/").pop();
    document.dispatchEvent(new Event("arrived"));
  }
}

for (const input of form.querySelectorAll("input[type=file]")) {
  input.addEventListener("change", () => { add([...input.files]); input.value = ""; });
}

// Asks before the page is left if that would lose a file that is not stored on this device.
addEventListener("beforeunload", (event) => { if ([...unsent].some((job) => !job.isKept)) event.preventDefault(); });
if (queue.isOn) restore().catch(() => {});

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
