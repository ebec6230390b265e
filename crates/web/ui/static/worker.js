// Keeps the pages for when the server is being restarted; answers of the API are never kept.
const CACHE = 'errare-pages';
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()));
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
