// The account chooser of the emulator's sign-in page. Returns the chosen account to the app: from a popup
// through the SDK's iframe in the opener page, else by a redirect.
const query = new URLSearchParams(location.search);
const [apiKey, appName] = [query.get("apiKey"), query.get("appName")];
const element = (id) => document.getElementById(id);

function showError(why) {
  const alert = document.querySelector("[role=alert]");
  alert.textContent = why;
  alert.hidden = false;
}

// A global function, because test suites call it.
function toggleForm(visible) {
  element("add-user").hidden = !visible;
  element("accounts-list").hidden = visible;
}

function finish(claims) {
  const response = new URL(location.pathname, location.origin);
  response.searchParams.set("providerId", query.get("providerId"));
  response.searchParams.set("id_token", JSON.stringify(claims));
  const type = query.get("authType");
  const authEvent = {
    type,
    eventId: query.get("eventId"),
    urlResponse: response.href,
    sessionId: "emulator",
    postBody: "",
    tenantId: query.get("tid"),
    error: null,
  };
  if (/popup$/i.test(type)) postToOpener(authEvent);
  else redirect(authEvent);
}

function postToOpener(authEvent) {
  const message = {
    eventType: "sendAuthEvent",
    data: { storageKey: `${apiKey}:${appName}`, authEvent },
  };
  let posted = false;
  for (let index = 0; index < (window.opener?.frames.length ?? 0); index++) {
    const frame = window.opener.frames[index];
    try {
      const params = new URLSearchParams(frame.location.search);
      if (params.get("apiKey") !== apiKey || params.get("appName") !== appName) continue;
    } catch {
      continue; // a frame of another origin, which is not the SDK's
    }
    frame.postMessage(message, location.origin);
    posted = true;
  }
  if (!posted) showError("The page that opened this window is gone. Please close it and try again there.");
}

function redirect(authEvent) {
  const redirectUrl = query.get("redirectUrl");
  if (!/^https?:/.test(redirectUrl ?? "")) {
    showError("Only web apps are supported. Use signInWithCredential in other apps.");
    return;
  }
  // The iframe reads it after the redirect.
  const key = `firebase:redirectEvent:${apiKey}:${appName}`;
  sessionStorage.setItem(key, JSON.stringify(authEvent));
  location.assign(redirectUrl);
}

for (const known of document.querySelectorAll(".js-reuse-account")) {
  known.addEventListener("click", () => finish(JSON.parse(known.dataset.claims)));
}
document.querySelector(".js-new-account").addEventListener("click", () => toggleForm(true));
element("back-button").addEventListener("click", () => toggleForm(false));

element("autogen-button").addEventListener("click", () => {
  const number = Math.floor(Math.random() * 1e6);
  element("email-input").value = `user.${number}@example.com`;
  element("display-name-input").value = `User ${number}`;
  element("screen-name-input").value = `user_${number}`;
});

element("main-form").addEventListener("submit", (event) => {
  event.preventDefault();
  const valueOf = (id) => element(id).value || undefined;
  const digits = crypto.getRandomValues(new Uint32Array(4));
  finish({
    sub: digits.join(""),
    email: valueOf("email-input"),
    email_verified: true,
    name: valueOf("display-name-input"),
    screen_name: valueOf("screen-name-input"),
    picture: valueOf("profile-photo-input"),
  });
});
