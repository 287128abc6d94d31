// What there is without a network: the worker (public/sw.js) answers, from what is put aside here.
import type { Page } from "./api.gen";
import type { PageName } from "./page";

const MOST = 30;
const TITLE = "x-title";
// Nothing that is somebody's own, and nothing that a moment later is wrong.
const KEPT = new Set<PageName>([
  "home",
  "category",
  "product",
  "blog",
  "post",
  "about",
  "contact",
  "policy",
]);

export type SeenPage = { address: string; title: string };

// The worker has the same names.
const pagesOf = (build: string) => caches.open(`haat-pages-${build}`);
const filesOf = (build: string) => caches.open(`haat-files-${build}`);

let started = false;
let shown: Page | null = null;

// After all that the visitor waits for. Browsers have no workers where the connection is not safe.
export function startOffline(build: string): void {
  if (!("serviceWorker" in navigator)) return;
  const start = async () => {
    await navigator.serviceWorker.register(`/sw.js?build=${build}`);
    await navigator.serviceWorker.ready;
    started = true;
    await keepFiles(build);
    if (shown !== null) await keepPage(shown);
  };
  // Blocked or full: then there is no shop without a network.
  const quietly = () => void start().catch(() => {});
  if (document.readyState === "complete") quietly();
  else addEventListener("load", quietly, { once: true });
}

export function keepSeen(page: Page): void {
  shown = page;
  if (started) void keepPage(page).catch(() => {});
}

// What the page was made of came before there was a worker to keep it.
async function keepFiles(build: string): Promise<void> {
  const files = await filesOf(build);
  const loaded = performance.getEntriesByType("resource").map(({ name }) => new URL(name));
  const ours = loaded.filter(
    ({ origin, pathname }) => origin === location.origin && pathname.startsWith("/assets/"),
  );
  for (const { pathname } of ours) {
    if ((await files.match(pathname, { ignoreVary: true })) === undefined)
      await files.add(pathname);
  }
}

async function keepPage(page: Page): Promise<void> {
  if (!KEPT.has(page.page) || (page.page === "contact" && page.props.sent)) return;
  const pages = await pagesOf(page.build);
  const headers = {
    "content-type": "application/json",
    [TITLE]: encodeURIComponent(document.title),
  };
  // The newest stands last.
  await pages.delete(page.url);
  await pages.put(page.url, new Response(JSON.stringify(page), { headers }));
  const kept = await pages.keys();
  for (const oldest of kept.slice(0, -MOST)) await pages.delete(oldest);
}

// The newest first.
export async function seenPages(build: string): Promise<SeenPage[]> {
  const pages = await pagesOf(build);
  const kept = await pages.keys();
  const seen = kept.map(async (request) => {
    const { pathname, search } = new URL(request.url);
    const title = (await pages.match(request))?.headers.get(TITLE) ?? "";
    return { address: pathname + search, title: decodeURIComponent(title) };
  });
  return (await Promise.all(seen)).reverse();
}

// Development only: what another build left on this address would stand before the new files.
export async function forgetOffline(): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  for (const worker of await navigator.serviceWorker.getRegistrations()) await worker.unregister();
  for (const name of await caches.keys()) await caches.delete(name);
}
