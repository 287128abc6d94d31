import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { shop } from "../../../test/fixtures";
import { setLanguage } from "../../lib/language";
import { createIdentity, serviceHosts } from "./identity";

const ORIGIN = "https://shop.example:8443";
const hosts = (scheme: string, base: string) => ({
  apiScheme: scheme,
  apiHost: `${base}/identitytoolkit.googleapis.com`,
  tokenApiHost: `${base}/securetoken.googleapis.com`,
});

test("the shop's own service is at the shop's origin, whatever the settings say", () => {
  const here = hosts("https", "shop.example:8443");
  expect(serviceHosts({ hosted: false, serviceUrl: null }, ORIGIN)).toEqual(here);
  expect(serviceHosts({ hosted: false, serviceUrl: "https://id.example" }, ORIGIN)).toEqual(here);
});

test("a hosted project uses the SDK's default hosts", () => {
  expect(serviceHosts({ hosted: true, serviceUrl: null }, ORIGIN)).toEqual({});
});

test.each([
  ["https://id.example", "https", "id.example"],
  ["https://id.example/", "https", "id.example"],
  ["http://127.0.0.1:9099", "http", "127.0.0.1:9099"],
  ["https://example.com/identity/", "https", "example.com/identity"],
])("or the hosts at %s", (serviceUrl, scheme, base) => {
  expect(serviceHosts({ hosted: true, serviceUrl }, ORIGIN)).toEqual(hosts(scheme, base));
});

afterEach(() => {
  vi.unstubAllGlobals();
  setLanguage({ language: "en", shop });
});

test("the service learns the language of the page, for its e-mails", async () => {
  const sent: (string | string[] | undefined)[] = [];
  const service = createServer(({ headers }, answer) => {
    sent.push(headers["x-firebase-locale"]);
    answer.setHeader("content-type", "application/json").end("{}");
  });
  await new Promise<void>((listening) => service.listen(0, "127.0.0.1", listening));
  const { port } = service.address() as AddressInfo;
  vi.stubGlobal("location", new URL(`http://127.0.0.1:${port}`));
  setLanguage({ language: "bn", shop: { ...shop, languages: ["en", "bn"] } });
  await createIdentity(shop.identity, () => {}, []).sendReset("nila@example.com");
  expect(sent).toEqual(["bn"]);
  service.close();
});
