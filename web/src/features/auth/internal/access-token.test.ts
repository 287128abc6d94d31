import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { accessTokens, lifetime, type Owner } from "./access-token";

const MINUTE = 60_000;
const nila: Owner = { email: "nila+haat@example.com", displayName: "Nila", idToken: "id-1" };

function jwt(claims: object): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  return `${part({ alg: "RS256" })}.${part({ name: "Ñila ÿ?>", ...claims })}.signature`;
}

describe("how long a token is used", () => {
  test("five minutes less than its lifetime", () => {
    expect(lifetime(jwt({ iat: 1_000, exp: 4_600 }))).toBe(55 * MINUTE);
  });
  test("half of a short lifetime", () => {
    expect(lifetime(jwt({ iat: 1_000, exp: 1_300 }))).toBe(2.5 * MINUTE);
  });
  test("has a minimum and a maximum", () => {
    expect(lifetime("nonsense")).toBe(10_000);
    expect(lifetime(jwt({ iat: 1, exp: 1 }))).toBe(10_000);
    expect(lifetime(jwt({ iat: 0, exp: 1e9 }))).toBe(24 * 60 * MINUTE);
  });
});

type Asked = { path: string; method: string; bearer: string; body: unknown };
let asked: Asked[];
let answers: Response[];
const stored = new Map<string, string>();

const granted = (token: string) => Response.json({ accessToken: token });
const fifteen = (id: string) => jwt({ iat: 0, exp: 900, jti: id });

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  answers = [];
  stored.clear();
  vi.stubGlobal("localStorage", {
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  vi.stubGlobal("fetch", async (path: string, init: RequestInit) => {
    const headers = init.headers as Record<string, string>;
    asked.push({
      path,
      method: init.method ?? "GET",
      bearer: headers.authorization ?? "",
      body: typeof init.body === "string" ? JSON.parse(init.body) : null,
    });
    const answer = answers.shift();
    if (answer === undefined) throw new TypeError("Failed to fetch");
    return answer;
  });
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("exchanges the ID token, stores the access token and refreshes it before it expires", async () => {
  answers = [granted(fifteen("a")), granted(fifteen("b"))];
  const tokens = accessTokens(async () => nila);
  await tokens.refresh();
  expect(asked).toEqual([
    {
      path: "/api/user/jwt?email=nila%2Bhaat%40example.com",
      method: "GET",
      bearer: "Bearer id-1",
      body: null,
    },
  ]);
  expect(stored.get("accessToken")).toBe(fifteen("a"));
  await vi.advanceTimersByTimeAsync(10 * MINUTE);
  expect(stored.get("accessToken")).toBe(fifteen("b"));
});

test("retries failures with backoff", async () => {
  const tokens = accessTokens(async () => nila);
  await tokens.refresh();
  expect(asked).toHaveLength(1);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(asked).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(59_000);
  expect(asked).toHaveLength(2);
  answers = [granted(fifteen("a"))];
  await vi.advanceTimersByTimeAsync(1_000);
  expect(stored.get("accessToken")).toBe(fifteen("a"));
});

test("registers an unknown customer, never with a password", async () => {
  answers = [new Response("{}", { status: 404 }), Response.json({}), granted(fifteen("a"))];
  await accessTokens(async () => ({ ...nila, displayName: null })).refresh();
  expect(asked[1]).toEqual({
    path: "/api/user",
    method: "POST",
    bearer: "Bearer id-1",
    body: { name: "nila+haat", email: "nila+haat@example.com" },
  });
  expect(stored.has("accessToken")).toBe(true);
});

test("replaces a revoked ID token with a fresh one, or stops where the session has ended", async () => {
  const revoked = () => new Response("{}", { status: 401 });
  const fresh = { ...nila, idToken: "id-2" };
  answers = [revoked(), granted(fifteen("a"))];
  await accessTokens(async (anew) => (anew ? fresh : nila)).refresh();
  expect(asked.map(({ bearer }) => bearer)).toEqual(["Bearer id-1", "Bearer id-2"]);
  expect(stored.get("accessToken")).toBe(fifteen("a"));
  asked = [];
  answers = [revoked(), granted(fifteen("b"))];
  const ended = async (anew?: boolean) => {
    if (anew) throw { code: "auth/user-token-expired" };
    return nila;
  };
  await accessTokens(ended).refresh();
  expect(asked).toHaveLength(1);
  expect(stored.get("accessToken")).toBe(fifteen("a"));
});

test("registering rejects if the shop refuses", async () => {
  answers = [new Response("{}", { status: 500 })];
  await expect(accessTokens(async () => nila).register("Nila")).rejects.toEqual({
    code: "shop/not-saved",
  });
});

test("ignores a response after signing out, and sends nothing more", async () => {
  answers = [granted(fifteen("a"))];
  const tokens = accessTokens(async () => nila);
  const asking = tokens.refresh();
  tokens.clear();
  await asking;
  await vi.advanceTimersByTimeAsync(60 * MINUTE);
  expect(stored.size).toBe(0);
  expect(asked).toHaveLength(1);
});
