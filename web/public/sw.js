// The service worker. Online it only caches files under /assets/. Offline it answers with a
// recently viewed page, or with the offline page.

// Every build has its own worker and caches; lib/offline.ts stores the pages.
const settings = new URL(location.href).searchParams;
const build = settings.get("build");
// The default one first: pages in the others are at /<language>/….
const languages = (settings.get("languages") ?? "").split(",");
// Followed by the currency of the pages; those of one are cached.
const PAGES = `haat-pages-${build}-`;
const FILES = `haat-files-${build}`;
const OFFLINE = "/offline";
const PLAIN = ["/favicon.svg"];
// The API, the sign-in, payments and the development pages are left to the network.
const NOT_PAGES = /^(\/[a-z]{2,3})?\/(api\/(?!docs$)|v1\/|auth\/|pay(ments)?\/|dev\/)/;
// Responses vary by headers that do not matter for cached files.
const vary = { ignoreVary: true };

addEventListener("install", (event) => {
  event.waitUntil(prepare().then(() => skipWaiting()));
});

// A page in a language whose offline page may not be cached.
addEventListener("message", (event) => {
  const { offlinePage } = event.data;
  if (offlinePages().includes(offlinePage)) event.waitUntil(cacheOfflinePage(offlinePage));
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

async function prepare() {
  const files = await caches.open(FILES);
  await files.addAll(PLAIN);
  const pages = await clients.matchAll({ type: "window", includeUncontrolled: true });
  const wanted = new Set(pages.map(({ url }) => offlinePageOf(new URL(url).pathname)));
  if (wanted.size === 0) wanted.add(OFFLINE);
  for (const path of wanted) await cacheOfflinePage(path);
}

// Caches the offline page of a language, and its assets.
async function cacheOfflinePage(path) {
  const files = await caches.open(FILES);
  if (await files.match(path, vary)) return;
  const answer = await fetch(path);
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  const html = await answer.clone().text();
  const assets = [...html.matchAll(/["\s](\/assets\/[^"\s]+)/g)].map(([, asset]) => asset);
  const cached = new Set((await files.keys()).map(({ url }) => new URL(url).pathname));
  await files.addAll([...new Set(assets)].filter((asset) => !cached.has(asset)));
  // Last: where it is cached, all that it needs is.
  await files.put(path, answer);
}

function offlinePages() {
  return [OFFLINE, ...languages.slice(1).map((language) => `/${language}${OFFLINE}`)];
}

// In the language of the page at a path.
function offlinePageOf(path) {
  const [, first] = path.split("/");
  return languages.indexOf(first) > 0 ? `/${first}${OFFLINE}` : OFFLINE;
}

async function activate() {
  const others = (await caches.keys()).filter((name) => !name.startsWith(PAGES) && name !== FILES);
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
    const files = await caches.open(FILES);
    const own = await files.match(offlinePageOf(new URL(request.url).pathname), vary);
    const shell = own ?? (await files.match(OFFLINE, vary));
    if (!shell) throw error;
    // Only the code of its own language renders a page's data.
    const pages = await cachedPages();
    // A product is cached in the choice that was looked at last; its own address leads there.
    const anyChoice = { ...vary, ignoreSearch: /\/product\/[^?]+$/.test(address) };
    const data = own && (await pages?.match(address, anyChoice));
    const html = await shell.text();
    const policy = shell.headers.get("content-security-policy") ?? "";
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
    };
    return new Response(data ? pageShell(html, await data.text()) : html, { headers });
  }
}

async function cachedPages() {
  // The newest, should a change of the currency have been cut short.
  const name = (await caches.keys()).findLast((name) => name.startsWith(PAGES));
  return name && caches.open(name);
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
