document.documentElement.dataset.js = "";
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  // Redirects guests to the sign-in before the first paint (see pages/account.tsx).
  const here = location.pathname + location.search;
  const [guarded, language = ""] = /^(\/[a-z]{2,3})?\/account\b/.exec(here) ?? [];
  if (guarded && localStorage.getItem("signedIn") === null)
    location.replace(`${language}/login?from=${encodeURIComponent(here)}`);
} catch {}

addEventListener("DOMContentLoaded", async () => {
  restoreScroll();
  const [entry, ...others] = document.getElementById("page").dataset.code.split(" ");
  const enough = new Promise((passed) => setTimeout(passed, 1000));
  if (!document.hidden) await Promise.race([seen(), enough]);
  for (const href of others) {
    const link = Object.assign(document.createElement("link"), { rel: "modulepreload", href });
    document.head.append(link);
  }
  // Each module runs in a task of its own, dependencies first: one long task would delay input.
  for (const href of others.reverse()) await import(href).catch(() => {});
  import(entry);
});

// Restores the scroll position of this history entry (lib/scroll.ts) at once: later the page would
// jump under the visitor's finger.
function restoreScroll() {
  const key = history.state?.key;
  try {
    const left = key && JSON.parse(sessionStorage.getItem("scroll"))?.[key];
    if (!left) return;
    document.documentElement.dataset.whole = "";
    scrollTo(0, left);
  } catch {}
}

function seen() {
  const type = document.querySelector("[elementtiming]") ? "element" : "paint";
  return new Promise((done) => {
    if (PerformanceObserver.supportedEntryTypes.includes(type)) {
      new PerformanceObserver(done).observe({ type, buffered: true });
    } else requestAnimationFrame(() => setTimeout(done));
  });
}
