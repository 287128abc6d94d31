// Posts the sign-in result in this page's data attributes to the opener, if it has the same origin.
const { state, provider, code, error, lost } = document.body.dataset;
if (window.opener && state) {
  const message = { type: "haat:auth", state, providerId: provider };
  window.opener.postMessage(error ? { ...message, error } : { ...message, code }, location.origin);
  window.close();
} else if (code) {
  // Signed in, but the opener is gone.
  document.querySelector("p").textContent = lost;
}
