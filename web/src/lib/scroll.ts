// Scroll restoration: the scroll position of each history entry. The browser cannot do it, because
// the page is not rendered yet when it tries.

const STORE = "scroll";

type HistoryEntry = { key: string };

let key = "";

function entryKey(): string | null {
  const state = history.state as Partial<HistoryEntry> | null;
  return state?.key ?? null;
}

function positions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}

export function newEntry(): HistoryEntry {
  key = Math.random().toString(36).slice(2);
  return { key };
}

export function startScrollRestoration(): void {
  history.scrollRestoration = "manual";
  const isKnownEntry = entryKey() !== null;
  enterEntry();
  addEventListener("pagehide", saveScroll);
  // A new entry has no position, and the first access to a new tab's storage is slow. bootstrap.js
  // has restored it, but a page that was not server-rendered had no height then.
  if (isKnownEntry && scrollY === 0) restoreScroll();
}

// Scrolls to where this entry was left.
export function restoreScroll(): void {
  const y = positions()[key];
  if (y === undefined) return;
  // Turns off `content-visibility`, so that everything above has its real height.
  document.documentElement.toggleAttribute("data-whole", true);
  scrollTo(0, y);
}

export function saveScroll(): void {
  const others = Object.entries(positions()).filter(([entry]) => entry !== key);
  try {
    const all = [...others.slice(-49), [key, Math.round(scrollY)]];
    sessionStorage.setItem(STORE, JSON.stringify(Object.fromEntries(all)));
  } catch {
    // Storage is blocked or full: Back starts at the top.
  }
}

// The history moved to another entry, ours or one made by a plain #hash link.
export function enterEntry(): void {
  const known = entryKey();
  if (known !== null) key = known;
  else history.replaceState(newEntry(), "");
}
