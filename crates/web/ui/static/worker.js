// Keeps the pages for when the server is being restarted; answers of the API are never kept.
const CACHE = 'errare-pages';
const FILES = [];
self.addEventListener('install', event => {
  self.skipWaiting();
  event.waitUntil(caches.open(CACHE).then(cache => cache.addAll(['/', ...FILES])));
});
self.addEventListener('activate', event => event.waitUntil((async () => {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.clients.claim();
})()));
self.addEventListener('fetch', event => {
  const url = new URL(event.request.url);
  const page = event.request.mode === 'navigate';
  if (event.request.method !== 'GET' || !(page || url.pathname.startsWith('/assets/'))) return;
  const key = page ? '/' : event.request;
  event.respondWith(
    fetch(event.request)
      .then(async response => {
        if (response.ok && !response.redirected) (await caches.open(CACHE)).put(key, response.clone());
        return response;
      })
      .catch(async error => (await caches.match(key)) ?? Promise.reject(error)),
  );
});
