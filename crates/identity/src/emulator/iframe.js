// The SDK's hidden iframe: passes the sign-in event of the popup or of a redirect to the app's page.
const query = new URLSearchParams(location.search);
const storageKey = `${query.get("apiKey")}:${query.get("appName")}`;
const redirectKey = `firebase:redirectEvent:${storageKey}`;
const NO_EVENT = { type: "unknown", error: { code: "auth/no-auth-event" } };
const RETRY_AFTER_MS = 250;
const MAX_TRIES = 40;

let parentFrame;
const pendingEvents = [];

addEventListener("message", ({ origin, data }) => {
  if (origin !== location.origin || data?.eventType !== "sendAuthEvent") return;
  if (data.data.storageKey !== storageKey) return;
  if (parentFrame === undefined) pendingEvents.push(data.data.authEvent);
  else sendEvent(data.data.authEvent);
});

// The SDK begins to listen some time after it has found the frame, so an event is sent again until it is
// acknowledged. The SDK ignores duplicates.
function sendEvent(authEvent, tries = 1) {
  let acknowledged = false;
  parentFrame.send(
    "authEvent",
    { type: "authEvent", authEvent },
    () => {
      acknowledged = true;
    },
    gapi.iframes.CROSS_ORIGIN_IFRAMES_FILTER,
  );
  setTimeout(() => {
    if (!acknowledged && tries < MAX_TRIES) sendEvent(authEvent, tries + 1);
  }, RETRY_AFTER_MS);
}

// The event that handler.js stored before a redirect.
function storedEvent() {
  try {
    const stored = sessionStorage.getItem(redirectKey);
    sessionStorage.removeItem(redirectKey);
    return JSON.parse(stored);
  } catch {
    return null; // the browser denies storage to frames
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
  // The SDK waits for a first event, even if there is none.
  sendEvent(storedEvent() ?? NO_EVENT);
  for (const authEvent of pendingEvents.splice(0)) sendEvent(authEvent);
}

// Called by Google's script when it has loaded.
window.gapiLoaded = () => gapi.load("gapi.iframes", { callback: connect });
