// Theme: the visitor's choice overrides the system's. bootstrap.js applies it before the first
// paint.
import { createStore, useStore } from "../../../lib/store";

export type Theme = "system" | "light" | "dark";

const NEXT: Record<Theme, Theme> = { system: "light", light: "dark", dark: "system" };
const store = createStore<Theme>("system", current);

function current(): Theme {
  const theme = document.documentElement.dataset.theme;
  return theme === "light" || theme === "dark" ? theme : "system";
}

export function useTheme(): Theme {
  return useStore(store);
}

export function nextTheme(): void {
  const theme = NEXT[current()];
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem("theme");
    else localStorage.setItem("theme", theme);
  } catch {
    // Storage is blocked: the choice lasts as long as the page.
  }
  store.set(theme);
}
