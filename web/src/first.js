document.documentElement.dataset.js = "";
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  // A guest's account is the sign-in, before anything is painted that would be gone (pages/account.tsx).
  const here = location.pathname + location.search;
  if (/^\/account\b/.test(here) && localStorage.getItem("signedIn") === null)
    location.replace(`/login?from=${encodeURIComponent(here)}`);
} catch {}

addEventListener("DOMContentLoaded", async () => {
  scrollBack();
  const [entry, ...others] = document.getElementById("page").dataset.code.split(" ");
  const enough = new Promise((passed) => setTimeout(passed, 1000));
  if (!document.hidden) await Promise.race([seen(), enough]);
  for (const href of others) {
    const link = Object.assign(document.createElement("link"), { rel: "modulepreload", href });
    document.head.append(link);
  }
  // Each in a task of its own, what others are made of first: in one go they would hold up a touch.
  for (const href of others.reverse()) await import(href).catch(() => {});
  import(entry);
});

// To where this entry of the history was left (lib/scroll.ts), at once: later it would pull the page
// from under a finger.
function scrollBack() {
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
