// Hands what the server wrote on this page to the page that opened this window, and to no other.
const { state, provider, code, error } = document.body.dataset;
if (window.opener && state) {
  const answer = { type: "haat:auth", state, providerId: provider };
  window.opener.postMessage(error ? { ...answer, error } : { ...answer, code }, location.origin);
  window.close();
} else if (code) {
  // It worked, but nobody is there to be told.
  document.querySelector("p").textContent =
    "This window has lost the shop's page. Please close it and try again there.";
}
