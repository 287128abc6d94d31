// The SDK's hidden iframe: tells the app's page what somebody chose in the popup, or before a redirect.
const query = new URLSearchParams(location.search);
const storageKey = `${query.get("apiKey")}:${query.get("appName")}`;
const redirectKey = `firebase:redirectEvent:${storageKey}`;
const NO_EVENT = { type: "unknown", error: { code: "auth/no-auth-event" } };
const AGAIN_AFTER_MS = 250;
const MOST_TRIES = 40;

let parentFrame;
const waiting = [];

addEventListener("message", ({ origin, data }) => {
  if (origin !== location.origin || data?.eventType !== "sendAuthEvent") return;
  if (data.data.storageKey !== storageKey) return;
  if (parentFrame === undefined) waiting.push(data.data.authEvent);
  else tell(data.data.authEvent);
});

// The SDK starts to listen a moment after it has found that the frame is there, so what nobody answers
// is said again. It knows an event that it has seen before.
function tell(authEvent, tries = 1) {
  let answered = false;
  parentFrame.send(
    "authEvent",
    { type: "authEvent", authEvent },
    () => {
      answered = true;
    },
    gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER,
  );
  setTimeout(() => {
    if (!answered && tries < MOST_TRIES) tell(authEvent, tries + 1);
  }, AGAIN_AFTER_MS);
}

// What was chosen before a redirect.
function parkedEvent() {
  try {
    const parked = sessionStorage.getItem(redirectKey);
    sessionStorage.removeItem(redirectKey);
    return JSON.parse(parked);
  } catch {
    return null; // the browser gives frames no storage
  }
}

function connect() {
  const parent = gapi.iframes.getContext().getParentIframe();
  parent.register(
    "webStorageSupport",
    () => ({ status: "ACK", webStorageSupport: true }),
    gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER,
  );
  parentFrame = parent;
  // The SDK waits for one event at the start, also when there is none.
  tell(parkedEvent() ?? NO_EVENT);
  for (const authEvent of waiting.splice(0)) tell(authEvent);
}

// Google's script calls it when it is there.
window.gapiLoaded = () => gapi.load("gapi.iframes", { callback: connect });
