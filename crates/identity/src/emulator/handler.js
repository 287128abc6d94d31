// The page on which somebody chooses who to be. The choice goes back to the app: from a popup through
// the SDK's iframe in the page that opened it, else by a redirect.
const query = new URLSearchParams(location.search);
const [apiKey, appName] = [query.get("apiKey"), query.get("appName")];
const element = (id) => document.getElementById(id);

function fail(why) {
  const alert = document.querySelector("[role=alert]");
  alert.textContent = why;
  alert.hidden = false;
}

// A global function, because test suites call it.
function toggleForm(shown) {
  element("add-user").hidden = !shown;
  element("accounts-list").hidden = shown;
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
  if (/popup$/i.test(type)) tellOpener(authEvent);
  else redirect(authEvent);
}

function tellOpener(authEvent) {
  const message = {
    eventType: "sendAuthEvent",
    data: { storageKey: `${apiKey}:${appName}`, authEvent },
  };
  let told = false;
  for (let index = 0; index < (window.opener?.frames.length ?? 0); index++) {
    const frame = window.opener.frames[index];
    try {
      const own = new URLSearchParams(frame.location.search);
      if (own.get("apiKey") !== apiKey || own.get("appName") !== appName) continue;
    } catch {
      continue; // a frame of another origin, which is not the SDK's
    }
    frame.postMessage(message, location.origin);
    told = true;
  }
  if (!told) fail("The page that opened this window is gone. Please close it and try again there.");
}

function redirect(authEvent) {
  const back = query.get("redirectUrl");
  if (!/^https?:/.test(back ?? "")) {
    fail("Only web apps are answered: please use signInWithCredential in other apps.");
    return;
  }
  // Where the iframe looks when the app's page is there again.
  const key = `firebase:redirectEvent:${apiKey}:${appName}`;
  sessionStorage.setItem(key, JSON.stringify(authEvent));
  location.assign(back);
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
  const given = (id) => element(id).value || undefined;
  const digits = crypto.getRandomValues(new Uint32Array(4));
  finish({
    sub: digits.join(""),
    email: given("email-input"),
    email_verified: true,
    name: given("display-name-input"),
    screen_name: given("screen-name-input"),
    picture: given("profile-photo-input"),
  });
});
