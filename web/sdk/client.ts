// The official SDK, configured for a server of ours. Runs in Node and in a browser.
import { type FirebaseApp, initializeApp } from "firebase/app";
import { type Auth, connectAuthEmulator, initializeAuth, type Persistence } from "firebase/auth";
import type { ServerInfo } from "./environment";

let apps = 0;

export function client(
  place: ServerInfo,
  persistence: Persistence | Persistence[],
  name = `app-${++apps}`,
): Auth {
  const { url, mode, apiKey, projectId } = place;
  const app: FirebaseApp = initializeApp({ apiKey, projectId, authDomain: "shop.test" }, name);
  const auth = initializeAuth(app, { persistence });
  if (mode === "emulator") {
    connectAuthEmulator(auth, url, { disableWarnings: true });
    return auth;
  }
  // Normal mode: nothing has been sent yet, so the SDK never contacts another host.
  const { protocol, host } = new URL(url);
  auth.config.apiScheme = protocol.slice(0, -1);
  auth.config.apiHost = `${host}/identitytoolkit.googleapis.com`;
  auth.config.tokenApiHost = `${host}/securetoken.googleapis.com`;
  return auth;
}
