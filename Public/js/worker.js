// The service worker: stores the styles and scripts of one version and the offline page, accepts photos that other apps
// share, and sends waiting photos. Pages of the server are never stored. The server adds the constant
// `release` (version, parts, pages) and queue.js before this script.

const cacheName = `parts ${release.version}`;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(cacheName);
    await cache.addAll(release.parts);
    // The page is the same for everyone, so it is requested without cookies.
    await Promise.all(release.pages.map(async (path) => cache.put(path, await fresh(path))));
    await self.skipWaiting();
  })());
});

async function fresh(path) {
  const answer = await fetch(path, { credentials: "omit", cache: "no-store" });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer;
}

self.addEventListener("activate", (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys()) if (name !== cacheName) await caches.delete(name);
    await self.clients.claim();
  })());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (url.origin !== location.origin) return;
  if (request.method === "POST" && url.pathname === "/receipts/shared") return event.respondWith(shared(event));
  if (request.method !== "GET") return;
  // Only the files of this version are stored; others come from the network.
  if (release.parts.includes(url.pathname)) return event.respondWith(part(request, url.pathname));
  if (request.mode === "navigate") event.respondWith(page(request));
});

async function part(request, path) {
  return (await (await caches.open(cacheName)).match(path)) ?? fetch(request);
}

// Loads the page from the server; if that fails, shows the offline page instead of the browser's error.
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    const language = (await queue.kept("language").catch(() => null)) ?? (navigator.language.startsWith("de") ? "de" : "en");
    const cache = await caches.open(cacheName);
    return (await cache.match(`/offline?language=${language}`)) ?? Response.error();
  }
}

// Stores files that another app shares, and opens the upload page, which sends them.
async function shared(event) {
  const copy = event.request.clone();
  try {
    const files = (await event.request.formData()).getAll("files").filter((file) => file.size);
    const owner = await queue.kept("owner");
    // If nobody has used the app in this browser yet, the server asks to sign in.
    if (!owner || !files.length) return fetch(copy);
    for (const file of files) await queue.add(file, { belongsTo: owner });
  } catch {
    return fetch(copy);
  }
  return Response.redirect("/receipts/new", 303);
}

// Background Sync: the browser fires the event when there is a connection, and again later if sending fails.
self.addEventListener("sync", (event) => {
  if (event.tag === "queue") event.waitUntil(queue.flush());
});
