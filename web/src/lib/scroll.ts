// Where each entry of the tab's history was scrolled to. The browser cannot restore this by
// itself, because the page is not there yet when it tries.

const STORE = "scroll";

type Entry = { key: string };

let key = "";

function entryKey(): string | null {
  const state = history.state as Partial<Entry> | null;
  return state?.key ?? null;
}

function positions(): Record<string, number> {
  try {
    return JSON.parse(sessionStorage.getItem(STORE) ?? "{}") as Record<string, number>;
  } catch {
    return {};
  }
}

export function newEntry(): Entry {
  key = Math.random().toString(36).slice(2);
  return { key };
}

export function takeOverScroll(): void {
  history.scrollRestoration = "manual";
  const beenHere = entryKey() !== null;
  enterEntry();
  addEventListener("pagehide", saveScroll);
  // A new entry has no place, and to ask the storage of a new tab takes a while. first.js has gone
  // there, but a page that the server could not render had no length then.
  if (beenHere && scrollY === 0) scrollBack();
}

// To where this entry was left.
export function scrollBack(): void {
  const y = positions()[key];
  if (y === undefined) return;
  // From here on the whole page has its true length.
  document.documentElement.toggleAttribute("data-whole", true);
  scrollTo(0, y);
}

export function saveScroll(): void {
  const kept = Object.entries(positions()).filter(([entry]) => entry !== key);
  try {
    const all = [...kept.slice(-49), [key, Math.round(scrollY)]];
    sessionStorage.setItem(STORE, JSON.stringify(Object.fromEntries(all)));
  } catch {
    // Storage is blocked or full: Back starts at the top.
  }
}

// The history has moved to another entry, ours or one that a plain #hash link made.
export function enterEntry(): void {
  const known = entryKey();
  if (known !== null) key = known;
  else history.replaceState(newEntry(), "");
}
