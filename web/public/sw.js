// The service worker. Online it only caches files under /assets/. Offline it answers with a
// recently viewed page, or with the offline page.

// Every build has its own worker and caches; lib/offline.ts stores the pages.
const build = new URL(location.href).searchParams.get("build");
const PAGES = `haat-pages-${build}`;
const FILES = `haat-files-${build}`;
const OFFLINE = "/offline";
const PLAIN = ["/favicon.svg"];
// The API, the sign-in and the development pages are left to the network.
const NOT_PAGES = /^\/(api\/(?!docs$)|v1\/|auth\/|dev\/)/;
// Responses vary by headers that do not matter for cached files.
const vary = { ignoreVary: true };

addEventListener("install", (event) => {
  event.waitUntil(prepare().then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(activate());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || NOT_PAGES.test(pathname)) return;
  if (pathname.startsWith("/assets/")) event.respondWith(file(event));
  else if (PLAIN.includes(pathname)) event.respondWith(plain(request, pathname));
  else if (request.mode === "navigate") event.respondWith(page(request, pathname + search));
});

// Caches the offline page and its assets.
async function prepare() {
  const answer = await fetch(OFFLINE);
  if (!answer.ok) throw new Error(`${OFFLINE} answered ${answer.status}`);
  const html = await answer.clone().text();
  const assets = [...html.matchAll(/["\s](\/assets\/[^"\s]+)/g)].map(([, path]) => path);
  const files = await caches.open(FILES);
  await files.put(OFFLINE, answer);
  await files.addAll([...PLAIN, ...new Set(assets)]);
}

async function activate() {
  const others = (await caches.keys()).filter((name) => name !== PAGES && name !== FILES);
  await Promise.all(others.map((name) => caches.delete(name)));
  // A preloaded request that is not answered here is sent a second time, which uses up one-time codes
  // like those of /auth/callback. Earlier builds enabled preload, and a registration remembers it.
  await registration.navigationPreload?.disable();
  await clients.claim();
}

// File names under /assets/ contain a content hash, so they never change.
async function file(event) {
  const files = await caches.open(FILES);
  const cached = await files.match(event.request, vary);
  if (cached) return cached;
  const answer = await fetch(event.request);
  // With full storage the file is not cached, but still served.
  if (answer.ok) event.waitUntil(files.put(event.request, answer.clone()).catch(() => {}));
  return answer;
}

async function plain(request, path) {
  try {
    return await fetch(request);
  } catch (error) {
    const cached = await caches.match(path, vary);
    if (cached) return cached;
    throw error;
  }
}

async function page(request, address) {
  try {
    return await fetch(request);
  } catch (error) {
    const shell = await (await caches.open(FILES)).match(OFFLINE, vary);
    if (!shell) throw error;
    const data = await (await caches.open(PAGES)).match(address, vary);
    const html = await shell.text();
    const policy = shell.headers.get("content-security-policy") ?? "";
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
    };
    return new Response(data ? pageShell(html, await data.text()) : html, { headers });
  }
}

// All documents have the same head up to the last font, which names the entry's code. With an empty
// root and the page's data the entry renders in the browser, as when server rendering fails.
function pageShell(html, json) {
  const [head] = /^.*?<script>.*?<\/script>(?:<link rel="(?:stylesheet|preload)"[^>]*>)+/s.exec(
    html,
  ) ?? [""];
  const [code] = / data-code="[^"]*"/.exec(html) ?? [""];
  const data = json.replaceAll("<", "\\u003c");
  return `${head}</head><body><div id="root"></div><script type="application/json" id="page"${code}>${data}</script></body></html>`;
}
