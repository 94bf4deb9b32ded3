// The data stored on this device: photos until the server has them, and the offline data. Used by pages and by the
// service worker. All data belongs to an owner (household and person). Data of other owners is deleted. Waiting photos
// of the same person in another household stay until that household is open again.

globalThis.queue = (() => {
  const owner = globalThis.document?.documentElement.dataset.owner ?? "";
  const channel = globalThis.BroadcastChannel ? new BroadcastChannel("queue") : null;
  let database = null;

  function open() {
    database ??= new Promise((resolve, reject) => {
      const request = indexedDB.open("allesteurer", 1);
      request.onupgradeneeded = () => {
        request.result.createObjectStore("waiting", { keyPath: "id" });
        request.result.createObjectStore("kept");
      };
      request.onsuccess = () => {
        const close = () => { request.result.close(); database = null; };
        request.result.onversionchange = close;
        request.result.onclose = close;
        resolve(request.result);
      };
      request.onerror = () => { database = null; reject(request.error); };
    });
    return database;
  }

  // Performs one request in a transaction of a store, and returns its result after the commit.
  async function run(store, mode, work) {
    const begin = async () => {
      const transaction = (await open()).transaction(store, mode, { durability: "strict" });
      return [transaction, work(transaction.objectStore(store))];
    };
    // Safari on iPhones ends the connection of an app in the background without an event.
    const [transaction, request] = await begin().catch(() => { database = null; return begin(); });
    return new Promise((resolve, reject) => {
      transaction.oncomplete = () => resolve(request.result);
      transaction.onabort = transaction.onerror = () => reject(transaction.error);
    });
  }

  // Calls the listeners of all pages when the waiting photos change. A BroadcastChannel does not deliver to the sending
  // page, so that page's listeners are called directly.
  const listeners = [];
  const notifyListeners = () => { channel?.postMessage("changed"); for (const listener of listeners) listener(); };
  function follow(listener) {
    listeners.push(listener);
    channel?.addEventListener("message", listener);
  }

  // A random UUID of version 4. crypto.randomUUID is missing on pages without HTTPS.
  function identifier() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  }

  // Stores a photo to be sent. The server creates only one receipt per identifier, however often the photo is sent.
  async function add(file, { id = identifier(), belongsTo = owner, instead = "" } = {}) {
    const blob = new Blob([await file.arrayBuffer()], { type: file.type });
    const entry = { id, owner: belongsTo, name: file.name || "photo.jpg", instead, blob, at: Date.now() };
    await run("waiting", "readwrite", (store) => store.put(entry));
    notifyListeners();
    return entry;
  }

  // All waiting photos, the oldest first.
  async function all() {
    const entries = await run("waiting", "readonly", (store) => store.getAll());
    return entries.sort((one, other) => one.at - other.at);
  }

  async function remove(id) {
    await run("waiting", "readwrite", (store) => store.delete(id));
    notifyListeners();
  }

  // Marks a photo that the server refused: it is shown with the reason and not sent again.
  async function refuse(entry, reason) {
    await run("waiting", "readwrite", (store) => store.put({ ...entry, reason }));
    notifyListeners();
  }

  // Stores a value of the offline data (`keep`), and loads one (`kept`).
  const keep = (key, value) => run("kept", "readwrite", (store) => store.put(value, key));
  const kept = (key) => run("kept", "readonly", (store) => store.get(key));
  const clearKept = () => run("kept", "readwrite", (store) => store.clear());
  // Deletes the offline data and the session storage of this tab. Keeps the waiting photos.
  function forget() {
    // The service worker has no session storage. Some private windows refuse access to it.
    try { globalThis.sessionStorage?.clear(); } catch { /* Nothing is stored. */ }
    return clearKept();
  }

  // Deletes everything stored on this device.
  async function wipe() {
    await forget();
    await run("waiting", "readwrite", (store) => store.clear());
    notifyListeners();
  }

  // Changes the owner of the stored data to the signed-in owner: deletes the offline data of another owner, and the
  // waiting photos of other persons.
  async function claim(present) {
    if ((await kept("owner")) === present) return;
    const person = (name) => name.split(".")[1];
    await clearKept();
    for (const entry of await all()) if (person(entry.owner) !== person(present)) await remove(entry.id);
    await keep("owner", present);
  }

  // Sends a request and returns the JSON of the answer. Fails with { isTemporary } if the same request may succeed later,
  // with { isFinal } if it never can, and with { isSignedOut } without a session.
  async function ask(path, options = {}) {
    let answer;
    try {
      answer = await fetch(path, { redirect: "manual", cache: "no-store", ...options, headers: { Accept: "application/json", ...options.headers } });
    } catch {
      throw { isTemporary: true };
    }
    if (answer.type === "opaqueredirect" || answer.status === 401) throw { isSignedOut: true };
    if (answer.ok) return answer.json();
    const body = await answer.json().catch(() => null);
    throw { isTemporary: answer.status === 408 || answer.status === 429 || answer.status >= 500, isFinal: [413, 415, 422].includes(answer.status), title: body?.title };
  }

  // Returns the signed-in owner and a token for requests. Deletes the data of other owners, and the offline data if
  // nobody is signed in.
  async function member() {
    try {
      const present = await ask("/offline/member");
      await claim(present.owner);
      return present;
    } catch (failure) {
      if (failure.isSignedOut) await forget();
      throw failure;
    }
  }

  async function upload(entry, token) {
    const fields = { csrf: token, upload: entry.id, name: entry.name, size: entry.blob.size };
    if (entry.instead) fields.instead = entry.instead;
    let state = await ask("/uploads", { method: "POST", body: new URLSearchParams(fields) });
    while (!state.receipt) {
      state = await ask(`/uploads/${entry.id}/parts?offset=${state.offset}`, {
        method: "POST", body: entry.blob.slice(state.offset, state.offset + state.partBytes),
        headers: { "Content-Type": "application/octet-stream", "X-CSRF-Token": token },
      });
    }
    return state.receipt;
  }

  // Calls `work`. Returns null if another page or the service worker is sending the same photo.
  const alone = (id, work) => (navigator.locks ? navigator.locks.request(`upload ${id}`, { ifAvailable: true }, (lock) => (lock ? work() : null)) : work());

  // Whether photos are waiting that the server has not refused. A page counts only the photos of its owner; the service
  // worker counts all.
  const isWaiting = async () => (await all()).some((entry) => entry.reason === undefined && (!owner || entry.owner === owner));

  // Sends the waiting photos of the signed-in owner, and returns the receipts by the photos' identifiers. Fails if there is
  // no connection, no session or a busy server. A photo that fails for another reason stays, and the others are sent.
  async function flush() {
    const receipts = new Map();
    if (!(await isWaiting())) return receipts;
    const { token, owner: present } = await member();
    for (const { id } of await all()) {
      await alone(id, async () => {
        const entry = (await all()).find((other) => other.id === id);
        if (!entry || entry.reason !== undefined || entry.owner !== present) return;
        try {
          receipts.set(id, await upload(entry, token));
        } catch (failure) {
          if (failure.isFinal) return refuse(entry, failure.title ?? "");
          if (failure.isTemporary || failure.isSignedOut) throw failure;
          return;
        }
        await remove(id);
      });
    }
    return receipts;
  }

  const isOn = Boolean(owner) && Boolean(globalThis.indexedDB);

  // Fills a list with the waiting photos of this device. If the server refused a photo without a reason, the row shows
  // the text of `data-reason`.
  let showCalls = 0;
  async function show(section) {
    const call = (showCalls += 1);
    const list = section.querySelector("ul");
    const entries = (await all()).filter((entry) => !owner || entry.owner === owner);
    // A later call has begun and shows a newer state.
    if (call !== showCalls) return;
    for (const old of list.querySelectorAll("img")) URL.revokeObjectURL(old.src);
    const focused = list.contains(document.activeElement) ? document.activeElement.closest("[data-photo]") : null;
    const index = [...list.children].indexOf(focused);
    list.replaceChildren(...entries.map((entry) => {
      const row = section.querySelector("template").content.firstElementChild.cloneNode(true);
      row.dataset.photo = entry.id;
      const picture = row.querySelector("img");
      picture.src = URL.createObjectURL(entry.blob);
      // The browser cannot show the file, such as a HEIC photo or a PDF.
      picture.addEventListener("error", () => picture.classList.add("blank"));
      row.querySelector(".title").textContent = entry.name;
      if (entry.reason !== undefined) row.querySelector(".status").textContent = entry.reason || section.dataset.reason;
      const button = row.querySelector("button");
      button.setAttribute("aria-label", `${button.textContent.trim()} ${entry.name}`);
      button.addEventListener("click", () => remove(entry.id));
      return row;
    }));
    section.hidden = !entries.length;
    // Keeps the focus on the photo. If the photo was deleted, moves the focus to the next one.
    if (!focused) return;
    const row = [...list.children].find(({ dataset }) => dataset.photo === focused.dataset.photo) ?? list.children[index] ?? list.lastElementChild;
    (row?.querySelector("button") ?? document.getElementById("content")).focus();
  }

  return { owner, follow, isOn, identifier, add, all, remove, refuse, keep, kept, forget, wipe, claim, ask, member, alone, isWaiting, flush, show };
})();
