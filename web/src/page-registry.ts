// The page registry: the code of each page, loaded on first use. A page's name is the name of its
// file in pages/, and crates/server/src/route.rs has the paths that lead to it; a test there checks
// that both are complete.
import { ROUTES } from "./lib/api.gen";
import { splitLanguage } from "./lib/language";
import { loadWithRetry } from "./lib/lazy";
import type { PageComponent, PageName } from "./lib/page";

type PageModule = { default: PageComponent };

const loaders = import.meta.glob<PageModule>("./pages/*.tsx");
const loaded = new Map<PageName, PageComponent>();

export async function loadPage(name: PageName): Promise<void> {
  if (loaded.has(name)) return;
  const load = loaders[`./pages/${name}.tsx`] as () => Promise<PageModule>;
  loaded.set(name, (await loadWithRetry(load)).default);
}

export function pageComponent(name: PageName): PageComponent {
  const component = loaded.get(name);
  if (component === undefined) throw new Error(`the page ${name} is not loaded`);
  return component;
}

// The page that a path leads to. Only the last segment of a pattern can be a {variable}.
export function pageForPath(address: string): PageName | null {
  const [, path] = splitLanguage(address);
  const found = ROUTES.find(([pattern]) => {
    const [fixed = "", variable] = pattern.split("{");
    if (variable === undefined) return path === pattern;
    return path.startsWith(fixed) && !path.includes("/", fixed.length);
  });
  return found?.[1] ?? null;
}
