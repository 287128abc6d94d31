// Runs before the first paint, so that a chosen theme does not flash and a button that only
// pages without JavaScript need is never seen.
document.documentElement.dataset.js = "";
try {
  const theme = localStorage.getItem("theme");
  if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
} catch {
  // Storage is blocked: the system's theme it is.
}
