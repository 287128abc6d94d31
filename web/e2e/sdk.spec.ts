// The official SDK in a browser, on a page of another origin than the server's, as any app's would
// be: the same flows as in Node, and what only a browser has.
import { createServer, type Server as Site } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, type Page, test } from "@playwright/test";
import { build } from "vite";
import type { ServerInfo } from "../sdk/environment";
import { flows, holdsIn, MODES } from "../sdk/flows";
import { type NodeEnvironment, nodeEnvironment } from "../sdk/node-environment";
import type { Asked, Lasting, page as sdk } from "../sdk/page";
import { type Answer, clientCall, type ProjectAdmin, projectAdmin } from "../sdk/project-admin";
import { emulator, google, hardened, type Server } from "../sdk/server";
import { newEmail, OTHER_PASSWORD, PASSWORD } from "../sdk/users";
import { fakeGapi } from "./fake-gapi";

// A host that no server is configured for.
test.use({
  // There is little to see in a flow; its error says what went wrong.
  trace: "off",
  launchOptions: {
    executablePath: "/usr/bin/chromium-headless-shell",
    args: ["--no-sandbox", "--disable-gpu", "--host-resolver-rules=MAP elsewhere.test 127.0.0.1"],
  },
});

// The global named `page`.
type Calls = typeof sdk;
declare const page: Calls;

let site: Site;
let origin: string;

test.beforeAll(async () => {
  const script = await bundle();
  site = createServer((request, response) => {
    const isScript = request.url === "/flows.js";
    response.setHeader("content-type", isScript ? "text/javascript" : "text/html");
    const html = '<!doctype html><title>SDK</title><script type="module" src="/flows.js"></script>';
    response.end(isScript ? script : html);
  });
  await new Promise<void>((done) => site.listen(0, "127.0.0.1", done));
  origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
});
test.afterAll(async () => {
  await new Promise((done) => site.close(done));
});

async function bundle(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    build: {
      write: false,
      minify: false,
      lib: { entry: join(import.meta.dirname, "../sdk/page.ts"), formats: ["es"] },
    },
  });
  const [first] = Array.isArray(built) ? built : [built];
  const chunk = first !== undefined && "output" in first ? first.output[0] : undefined;
  if (chunk === undefined) throw new Error("nothing was built");
  return chunk.code;
}

async function visit(tab: Page, at = origin): Promise<void> {
  await tab.goto(at);
  await tab.waitForFunction(() => "page" in globalThis);
}

for (const mode of MODES) {
  test.describe(mode, () => {
    test.skip(google && mode === "hardened", "Google's emulator has no other mode");

    let server: Server;
    let place: ServerInfo;
    let env: NodeEnvironment;
    let admin: ProjectAdmin;
    // One page for all flows: each makes its own apps.
    let shared: Page;
    test.beforeAll(async ({ browser }) => {
      server = await (mode === "hardened" ? hardened() : emulator());
      const { url, apiKey, projectId } = server;
      place = { url, mode, apiKey, projectId };
      env = await nodeEnvironment(server);
      admin = await projectAdmin(server);
      shared = await browser.newPage();
      await shared.exposeFunction("outside", (what: Asked, ...args: never[]) =>
        (env[what] as (...args: never[]) => Promise<string>)(...args),
      );
      await visit(shared);
    });
    test.afterAll(async () => {
      await shared?.close();
      await server?.stop();
    });

    for (const [topic, list] of Object.entries(flows)) {
      for (const flow of list.filter((flow) => holdsIn(flow, mode))) {
        test(`${topic}: ${flow.name}`, async () => {
          test.skip(google && flow.notGoogle !== undefined, flow.notGoogle);
          await shared.evaluate(([place, topic, name]) => page.run(place, topic, name), [
            place,
            topic,
            flow.name,
          ] as const);
        });
      }
    }

    const done = ({ status, body }: Answer) => {
      expect(status, JSON.stringify(body)).toBe(200);
      return body as Record<string, string>;
    };
    async function member(tab: Page, lasting: Lasting) {
      const email = newEmail();
      const body = { email, password: PASSWORD, returnSecureToken: true };
      const { localId = "", idToken } = done(await clientCall(server, "v1/accounts:signUp", body));
      await visit(tab);
      const uid = await tab.evaluate(
        ([place, lasting, email, password]) => page.enter(place, lasting, email, password),
        [place, lasting, email, PASSWORD] as const,
      );
      expect(uid).toBe(localId);
      return { uid, idToken };
    }
    const who = (tab: Page, lasting: Lasting) =>
      tab.evaluate(([place, lasting]) => page.who(place, lasting), [place, lasting] as const);

    for (const lasting of ["indexedDB", "local", "session"] as const) {
      test(`a session outlives its page: ${lasting}`, async ({ page: tab, context }) => {
        const { uid } = await member(tab, lasting);
        await visit(tab);
        expect(await who(tab, lasting)).toBe(uid);
        const other = await context.newPage();
        await visit(other);
        expect(await who(other, lasting)).toBe(lasting === "session" ? null : uid);
      });
    }

    test("a session that the server has ended is over in the next page", async ({ page: tab }) => {
      const { uid } = await member(tab, "indexedDB");
      const body = { localId: uid, disableUser: true };
      done(await admin.call("/accounts:update", body));
      await visit(tab);
      expect(await who(tab, "indexedDB")).toBeNull();
    });

    test("a password changed elsewhere ends the session here", async ({ page: tab }) => {
      const { idToken } = await member(tab, "indexedDB");
      // Tokens count in seconds.
      await new Promise((done) => setTimeout(done, 1000 - (Date.now() % 1000)));
      const body = { idToken, password: OTHER_PASSWORD };
      done(await clientCall(server, "v1/accounts:update", body));
      await visit(tab);
      expect(await who(tab, "indexedDB")).toBeNull();
    });

    test("a server that fails briefly signs nobody out", async ({ page: tab }) => {
      const { uid } = await member(tab, "indexedDB");
      let asked = 0;
      await tab.route(/accounts:lookup/, async (route) => {
        asked += 1;
        const headers = { "access-control-allow-origin": "*", "access-control-allow-headers": "*" };
        await route.fulfill({
          status: 503,
          headers,
          contentType: "text/plain",
          body: "one moment",
        });
      });
      await visit(tab);
      expect(await who(tab, "indexedDB")).toBe(uid);
      expect(asked).toBeGreaterThan(0);
      await tab.unroute(/accounts:lookup/);
      await visit(tab);
      expect(await who(tab, "indexedDB")).toBe(uid);
    });

    if (mode === "emulator") {
      test("the SDK's own popup and redirect", async ({ page: tab, context }) => {
        await fakeGapi(context);
        const email = newEmail();
        await visit(tab);
        let popup = tab.waitForEvent("popup");
        const entered = tab.evaluate((place) => page.enterByPopup(place), place);
        await chooseNew(await popup, email, "Rahim");
        const rahim = { email, name: "Rahim", providers: ["google.com"] };
        expect(await entered).toMatchObject(rahim);

        await visit(tab);
        await tab.evaluate((place) => page.leaveForProvider(place), place);
        await tab.waitForURL(/\/emulator\/auth\/handler\?/);
        await tab.locator("#accounts-list li", { hasText: email }).click();
        await tab.waitForURL(`${origin}/`);
        await tab.waitForFunction(() => "page" in globalThis);
        const back = await tab.evaluate((place) => page.backFromProvider(place), place);
        expect(back).toEqual(await entered);
        // The result is returned once.
        await visit(tab);
        expect(await tab.evaluate((place) => page.backFromProvider(place), place)).toBeNull();

        await visit(tab);
        popup = tab.waitForEvent("popup");
        const linked = tab.evaluate((place) => page.linkByPopup(place), place);
        await chooseNew(await popup, email, "Rahim at Facebook");
        expect(await linked).toMatchObject({
          ...rahim,
          providers: ["google.com", "facebook.com"],
        });
      });

      // A page under test resets the emulator itself.
      test("a page may use the emulator's own paths", async ({ page: tab }) => {
        await visit(tab);
        const answers = await tab.evaluate(async ({ url, projectId }) => {
          const project = `${url}/emulator/v1/projects/${projectId}`;
          const headers = { authorization: "Bearer owner", "content-type": "application/json" };
          const config = { signIn: { allowDuplicateEmails: false } };
          return await Promise.all([
            fetch(url).then(async (answer) => (await answer.json()).authEmulator.ready),
            fetch(`${project}/oobCodes`, { headers }).then((answer) => answer.status),
            fetch(`${project}/config`, {
              method: "PATCH",
              headers,
              body: JSON.stringify(config),
            }).then((answer) => answer.status),
          ]);
        }, place);
        expect(answers).toEqual([true, 200, 200]);
      });
      // The SDK does not ask an emulator for its domains.
      return;
    }
    test("unauthorized-domain: the SDK's popup on a host that the server does not know", async ({
      page: tab,
      context,
    }) => {
      // The SDK's popup loads a script of Google's; this is all it requests.
      await context.route("https://apis.google.com/**", async (route) => {
        const loaded = new URL(route.request().url()).searchParams.get("onload") ?? "";
        await route.fulfill({ contentType: "text/javascript", body: gapi(loaded) });
      });
      await context.route("https://shop.test/**", (route) =>
        route.fulfill({ contentType: "text/html", body: "<!doctype html>" }),
      );
      await visit(tab, origin.replace("127.0.0.1", "elsewhere.test"));
      const answered = tab.waitForResponse(/\/v1\/projects\?/);
      const error = await tab.evaluate((place) => page.popup(place), place);
      expect(error).toBe("auth/unauthorized-domain");
      const { authorizedDomains } = (await (await answered).json()) as Record<string, string[]>;
      expect(authorizedDomains).toContain("127.0.0.1");
    });
  });
}

// Signs in as a new user on the emulator's page.
async function chooseNew(popup: Page, email: string, name: string): Promise<void> {
  await popup.waitForLoadState();
  await expect(popup).toHaveTitle(/Auth Emulator/);
  await popup.locator(".js-new-account").click();
  await popup.locator("#email-input").fill(email);
  await popup.locator("#display-name-input").fill(name);
  const closed = popup.waitForEvent("close");
  await popup.locator("#sign-in").click();
  await closed;
}

function gapi(loaded: string): string {
  return `
    const frame = {
      restyle: async () => {},
      register() {},
      ping: async (answered) => answered(),
      send() {},
    };
    window.gapi = {
      load: (what, { callback }) => callback(),
      iframes: {
        CROSS_ORIGIN_IFRAMES_FILTER: null,
        Iframe: Object,
        getContext: () => ({ open: (options, opened) => opened(frame) }),
      },
    };
    window[${JSON.stringify(loaded)}]?.();`;
}
