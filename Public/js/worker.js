// The service worker: styles and scripts of one version, the page without a connection, photos that other apps share, and
// sending what waits. Pages of the server are never kept.

const cacheName = `parts ${release.version}`;

self.addEventListener("install", (event) => {
  event.waitUntil((async () => {
    const cache = await caches.open(cacheName);
    await cache.addAll(release.parts);
    // The same page for everyone, so without cookies.
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
  // A part of another version comes from the network.
  if (release.parts.includes(url.pathname)) return event.respondWith(part(request, url.pathname));
  if (request.mode === "navigate") event.respondWith(page(request));
});

async function part(request, path) {
  return (await (await caches.open(cacheName)).match(path)) ?? fetch(request);
}

// From the server; the page without a connection instead of the browser's error.
async function page(request) {
  try {
    return await fetch(request);
  } catch {
    const language = (await queue.kept("language").catch(() => null)) ?? (navigator.language.startsWith("de") ? "de" : "en");
    const cache = await caches.open(cacheName);
    return (await cache.match(`/offline?language=${language}`)) ?? Response.error();
  }
}

async function shared(event) {
  const copy = event.request.clone();
  try {
    const files = (await event.request.formData()).getAll("files").filter((file) => file.size);
    const owner = await queue.kept("owner");
    // Nobody has used the app in this browser yet: the server asks to sign in.
    if (!owner || !files.length) return fetch(copy);
    for (const file of files) await queue.add(file, { belongsTo: owner });
  } catch {
    return fetch(copy);
  }
  return Response.redirect("/receipts/new", 303);
}

// Background Sync: the browser asks once there is a connection, and again later when this fails.
self.addEventListener("sync", (event) => {
  if (event.tag === "queue") event.waitUntil(queue.flush());
});
