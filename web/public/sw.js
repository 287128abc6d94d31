// Stands between the shop and the network. While there is one it only keeps the files that pages are
// made of. Without one it answers with a page that was seen lately, or with the page that says so.

// Every build has a worker and caches of its own; lib/offline.ts puts the pages aside.
const build = new URL(location.href).searchParams.get("build");
const PAGES = `haat-pages-${build}`;
const FILES = `haat-files-${build}`;
const OFFLINE = "/offline";
const PLAIN = ["/favicon.svg"];
// The API, the sign-in and the developers' pages are none of the worker's business.
const NOT_PAGES = /^\/(api\/(?!docs$)|v1\/|auth\/|dev\/)/;
// Whatever the server may have rendered into a page, its files differ in this only.
const vary = { ignoreVary: true };

addEventListener("install", (event) => {
  event.waitUntil(prepare().then(() => skipWaiting()));
});

addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});

addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname, search } = new URL(request.url);
  if (request.method !== "GET" || origin !== location.origin || NOT_PAGES.test(pathname)) return;
  if (pathname.startsWith("/assets/")) event.respondWith(file(event));
  else if (PLAIN.includes(pathname)) event.respondWith(plain(request, pathname));
  else if (request.mode === "navigate") event.respondWith(page(request, pathname + search));
});

// The page for when there is none, and all that it is made of.
async function prepare() {
  const answer = await fetch(OFFLINE);
  if (!answer.ok) throw new Error(`${OFFLINE} answered ${answer.status}`);
  const html = await answer.clone().text();
  const assets = [...html.matchAll(/["\s](\/assets\/[^"\s]+)/g)].map(([, path]) => path);
  const files = await caches.open(FILES);
  await files.put(OFFLINE, answer);
  await files.addAll([...PLAIN, ...new Set(assets)]);
}

async function takeOver() {
  const others = (await caches.keys()).filter((name) => name !== PAGES && name !== FILES);
  await Promise.all(others.map((name) => caches.delete(name)));
  // A preloaded request that is not answered here is sent a second time, which uses up one-time codes
  // like those of /auth/callback. Earlier builds enabled preload, and a registration remembers it.
  await registration.navigationPreload?.disable();
  await clients.claim();
}

// Names under /assets/ hold a hash of what is inside, so they never change.
async function file(event) {
  const files = await caches.open(FILES);
  const kept = await files.match(event.request, vary);
  if (kept) return kept;
  const answer = await fetch(event.request);
  // Full storage keeps nothing, which is no reason not to answer.
  if (answer.ok) event.waitUntil(files.put(event.request, answer.clone()).catch(() => {}));
  return answer;
}

async function plain(request, path) {
  try {
    return await fetch(request);
  } catch (why) {
    const kept = await caches.match(path, vary);
    if (kept) return kept;
    throw why;
  }
}

async function page(request, address) {
  try {
    return await fetch(request);
  } catch (why) {
    const shell = await (await caches.open(FILES)).match(OFFLINE, vary);
    if (!shell) throw why;
    const seen = await (await caches.open(PAGES)).match(address, vary);
    const html = await shell.text();
    const policy = shell.headers.get("content-security-policy") ?? "";
    const headers = {
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
    };
    return new Response(seen ? around(html, await seen.text()) : html, { headers });
  }
}

// Up to the last font all documents are alike, and name the entry's code. Given an empty root and the
// page's data, the entry renders it as it does when the server could not.
function around(html, json) {
  const [head] = /^.*?<script>.*?<\/script>(?:<link rel="(?:stylesheet|preload)"[^>]*>)+/s.exec(
    html,
  ) ?? [""];
  const [code] = / data-code="[^"]*"/.exec(html) ?? [""];
  const data = json.replaceAll("<", "\\u003c");
  return `${head}</head><body><div id="root"></div><script type="application/json" id="page"${code}>${data}</script></body></html>`;
}
