// A production server and its admin's programs: tokens that `firebase-admin` signs with a service
// account of ours, and the calls that only such an account may make.
import { createPublicKey, createVerify, generateKeyPairSync, type JsonWebKey } from "node:crypto";
import { signInWithCustomToken, signInWithEmailAndPassword } from "firebase/auth";
import { cert, deleteApp, initializeApp } from "firebase-admin/app";
import { getAuth } from "firebase-admin/auth";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { refused } from "./assert";
import { argon2, bcrypt, type Import, scrypt } from "./hashes";
import { type NodeEnvironment, nodeEnvironment } from "./node-environment";
import {
  type Answer,
  call,
  clientCall,
  customClaims,
  type ProjectAdmin,
  projectAdmin,
  refusal,
  signed,
  unsigned,
} from "./project-admin";
import { google, hardened, type Server, type ServiceAccount, serviceAccount } from "./server";
import { newEmail, newPhone, newUid, OTHER_PASSWORD, PASSWORD } from "./users";

// Where the token itself is valid.
const NAMES: Record<string, string> = {
  "of another issuer": "auth/custom-token-mismatch",
  "for nobody": "auth/missing-identifier",
  "with a claim of ours": "auth/forbidden-claim",
};

type Json = Record<string, unknown>;

// Google's emulator has no keys.
describe.skipIf(google)("hardened", () => {
  let server: Server;
  let env: NodeEnvironment;
  let keeper: ProjectAdmin;
  let account: ServiceAccount;

  beforeAll(async () => {
    delete process.env.FIREBASE_AUTH_EMULATOR_HOST;
    server = await hardened();
    env = await nodeEnvironment(server);
    keeper = await projectAdmin(server);
    account = JSON.parse(await serviceAccount(server, "programs")) as ServiceAccount;
  });
  afterEach(() => env.close());
  afterAll(() => server?.stop());

  const signIn = async (email: string, password = PASSWORD) =>
    (await signInWithEmailAndPassword(env.client(), email, password)).user;
  const withToken = (token: string) => signInWithCustomToken(env.client(), token);

  async function adminToken(file: ServiceAccount, uid: string, claims?: object): Promise<string> {
    const { project_id: projectId, client_email: clientEmail, private_key: privateKey } = file;
    const app = initializeApp(
      { credential: cert({ projectId, clientEmail, privateKey }) },
      newUid(),
    );
    const token = await getAuth(app).createCustomToken(uid, claims);
    await deleteApp(app);
    return token;
  }

  describe("custom tokens", () => {
    test("the account's file has Google's format", () => {
      expect(account).toMatchObject({
        type: "service_account",
        project_id: "haat",
        private_key_id: expect.stringMatching(/./),
        private_key: expect.stringMatching(/^-----BEGIN PRIVATE KEY-----\n/),
        client_email: expect.stringMatching(/^[^@]+@[^@]+$/),
      });
    });

    test("of firebase-admin are accepted", async () => {
      const uid = newUid();
      const { user } = await withToken(await adminToken(account, uid, { role: "clerk" }));
      const { claims } = await user.getIdTokenResult();
      expect([user.uid, claims.role, claims.aud]).toEqual([uid, "clerk", "haat"]);
    });

    test("with another key are refused", async () => {
      const foreign = { ...account, private_key: newKey() };
      await refused(withToken(await adminToken(foreign, newUid())), "auth/invalid-custom-token");
    });

    test("of another project's account are refused", async () => {
      const elsewhere = await hardened("elsewhere");
      try {
        const file = JSON.parse(await serviceAccount(elsewhere, "programs")) as ServiceAccount;
        expect(file.project_id).toBe("elsewhere");
        const token = await adminToken(file, newUid());
        await refused(withToken(token), "auth/invalid-custom-token", "auth/custom-token-mismatch");
      } finally {
        await elsewhere.stop();
      }
    });

    test("that are expired, too long or for something else are refused", async () => {
      const good = customClaims(account.client_email, newUid());
      const now = Math.floor(Date.now() / 1000);
      const bad: Record<string, Json> = {
        expired: { ...good, iat: now - 7200, exp: now - 3600 },
        "of tomorrow": { ...good, iat: now + 86_400, exp: now + 90_000 },
        "good for a year": { ...good, exp: now + 31_536_000 },
        "for another audience": { ...good, aud: "https://example.com" },
        "of another issuer": { ...good, iss: "somebody@example.com", sub: "somebody@example.com" },
        "for nobody": { ...good, uid: "" },
        "for a very long name": { ...good, uid: "u".repeat(129) },
        "with a claim of ours": { ...good, claims: { sub: "x" } },
      };
      for (const [what, claims] of Object.entries(bad)) {
        const attempt = withToken(signed(account, claims));
        await refused(attempt, NAMES[what] ?? "auth/invalid-custom-token").catch((error: Error) => {
          throw new Error(`${what}: ${error.message}`);
        });
      }
      await refused(withToken(unsigned(good)), "auth/invalid-custom-token");
      await withToken(signed(account, good));
    });
  });

  describe("ID tokens", () => {
    test("are signed by a key that the server publishes", async () => {
      const { user } = await withToken(keeper.customToken(newUid()));
      const token = await user.getIdToken();
      const [head = "", body = "", signature = ""] = token.split(".");
      const { alg, kid } = JSON.parse(Buffer.from(head, "base64url").toString()) as Json;
      expect(alg).toBe("RS256");
      const published = await fetch(`${server.url}/auth/jwks.json`);
      const { keys } = (await published.json()) as { keys: (JsonWebKey & { kid: string })[] };
      const key = keys.find((key) => key.kid === kid);
      if (key === undefined) throw new Error(`no key ${kid}`);
      const verify = createVerify("RSA-SHA256").update(`${head}.${body}`);
      const good = verify.verify(createPublicKey({ key, format: "jwk" }), signature, "base64url");
      expect(good).toBe(true);
    });
  });

  describe("admin calls", () => {
    const done = (answer: Answer) => {
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body;
    };
    const keeperCall = async (path: string, body?: Json) => done(await keeper.call(path, body));
    const make = async (more: Json = {}) => {
      const [localId, email] = [newUid(), newEmail()];
      await keeperCall("/accounts", { localId, email, password: PASSWORD, ...more });
      return { localId, email };
    };
    const lookup = async (what: Json) =>
      ((await keeperCall("/accounts:lookup", what)).users ?? []) as Json[];

    test("create, find and change users", async () => {
      const phoneNumber = newPhone();
      const { localId, email } = await make({
        phoneNumber,
        emailVerified: true,
        displayName: "Ann",
      });
      for (const by of [
        { localId: [localId] },
        { email: [email] },
        { phoneNumber: [phoneNumber] },
      ]) {
        const [found] = await lookup(by);
        expect(found).toMatchObject({ localId, email, phoneNumber, emailVerified: true });
      }
      expect((await signIn(email)).uid).toBe(localId);
      await keeperCall("/accounts:update", {
        localId,
        displayName: "Ann Das",
        password: OTHER_PASSWORD,
        customAttributes: JSON.stringify({ role: "clerk" }),
      });
      const user = await signIn(email, OTHER_PASSWORD);
      expect([user.displayName, (await user.getIdTokenResult()).claims.role]).toEqual([
        "Ann Das",
        "clerk",
      ]);
      await keeperCall("/accounts:update", { localId, disableUser: true });
      await refused(signIn(email, OTHER_PASSWORD), "auth/user-disabled");
      await keeperCall("/accounts:delete", { localId });
      expect(await lookup({ localId: [localId] })).toEqual([]);
    });

    test("report errors", async () => {
      const { localId, email } = await make();
      const wrong: [path: string, body: Json, message: RegExp][] = [
        ["/accounts", { localId }, /^DUPLICATE_LOCAL_ID/],
        ["/accounts", { email }, /^EMAIL_EXISTS/],
        ["/accounts", { email: "ann" }, /^INVALID_EMAIL/],
        ["/accounts:update", { localId: newUid(), displayName: "x" }, /^USER_NOT_FOUND/],
        ["/accounts:delete", { localId: newUid() }, /^USER_NOT_FOUND/],
        ["/accounts:update", { localId, customAttributes: '{"sub":"x"}' }, /^FORBIDDEN_CLAIM/],
        [
          "/accounts:update",
          { localId, customAttributes: JSON.stringify({ text: "x".repeat(1000) }) },
          /^CLAIMS_TOO_LARGE/,
        ],
        ["/accounts:update", { localId, customAttributes: "no JSON" }, /^INVALID_CLAIMS/],
      ];
      for (const [path, body, message] of wrong) {
        const answer = await keeper.call(path, body);
        expect([answer.status, refusal(answer)], path).toEqual([
          400,
          expect.stringMatching(message),
        ]);
      }
    });

    test("list users page by page", async () => {
      for (let more = 0; more < 5; more++) await make();
      const listed: unknown[] = [];
      let nextPageToken = "";
      do {
        const query = new URLSearchParams({ maxResults: "2", nextPageToken });
        if (nextPageToken === "") query.delete("nextPageToken");
        const page = await keeperCall(`/accounts:batchGet?${query}`);
        const users = (page.users ?? []) as Json[];
        expect(users.length).toBeLessThanOrEqual(2);
        listed.push(...users.map(({ localId }) => localId));
        nextPageToken = (page.nextPageToken as string | undefined) ?? "";
      } while (nextPageToken !== "");
      const whole = ((await keeperCall("/accounts:batchGet?maxResults=1000")).users ??
        []) as Json[];
      expect(listed).toEqual(whole.map(({ localId }) => localId));
      expect(new Set(listed).size).toBe(listed.length);
      expect(listed.length).toBeGreaterThanOrEqual(5);
    });

    test("find users by their properties", async () => {
      const { localId, email } = await make();
      const by = async (expression: Json) =>
        await keeperCall("/accounts:query", { returnUserInfo: true, expression: [expression] });
      for (const expression of [{ email }, { userId: localId }]) {
        const { userInfo } = (await by(expression)) as { userInfo?: Json[] };
        expect(userInfo?.map(({ localId }) => localId)).toEqual([localId]);
      }
      const { recordsCount } = await keeperCall("/accounts:query", { returnUserInfo: false });
      expect(Number(recordsCount)).toBeGreaterThanOrEqual(1);
    });

    for (const { name, password, algorithm, passwordHash, salt } of [
      scrypt,
      bcrypt,
      argon2,
    ] as Import[]) {
      test(`import users with their passwords: ${name}`, async () => {
        const [localId, email] = [newUid(), newEmail()];
        const user = { localId, email, passwordHash, ...(salt === undefined ? {} : { salt }) };
        const { error } = await keeperCall("/accounts:batchCreate", {
          ...algorithm,
          users: [user],
        });
        expect(error ?? []).toEqual([]);
        await refused(signIn(email, "Not-this1!"), "auth/invalid-credential");
        // The first sign-in rehashes the password, the second checks the new hash.
        expect((await signIn(email, password)).uid).toBe(localId);
        expect((await signIn(email, password)).uid).toBe(localId);
        await refused(signIn(email, "Not-this1!"), "auth/invalid-credential");
      });
    }

    test("a hash of an unknown kind is refused", async () => {
      const localId = newUid();
      const users = [{ localId, email: newEmail(), passwordHash: "eA==" }];
      const { error } = await keeperCall("/accounts:batchCreate", {
        hashAlgorithm: "ROT13",
        users,
      });
      expect(error).toEqual([{ index: 0, message: "INVALID_HASH_ALGORITHM" }]);
      expect(await lookup({ localId: [localId] })).toEqual([]);
    });

    test("delete many at once", async () => {
      const people = [await make(), await make()];
      const localIds = people.map(({ localId }) => localId);
      // Without force, only disabled users are deleted.
      const { errors = [] } = await keeperCall("/accounts:batchDelete", { localIds });
      expect(errors).toHaveLength(2);
      expect(await lookup({ localId: localIds })).toHaveLength(2);
      await keeperCall("/accounts:batchDelete", { localIds, force: true });
      expect(await lookup({ localId: localIds })).toEqual([]);
    });

    test("a link is returned to the admin instead of sent", async () => {
      const { email } = await make();
      const body = { requestType: "PASSWORD_RESET", email, returnOobLink: true };
      const { oobCode, oobLink } = await keeperCall("/accounts:sendOobCode", body);
      const reset = { oobCode, newPassword: OTHER_PASSWORD };
      expect(new URL(String(oobLink)).searchParams.get("oobCode")).toBe(oobCode);
      done(await clientCall(server, "v1/accounts:resetPassword", reset));
      await signIn(email, OTHER_PASSWORD);
    });

    test("a session cookie is made from an ID token, and not from another cookie", async () => {
      const { email } = await make();
      const idToken = await (await signIn(email)).getIdToken();
      const body = { idToken, validDuration: "300" };
      const { sessionCookie } = await keeperCall(":createSessionCookie", body);
      const [head = "", payload = ""] = String(sessionCookie).split(".");
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString()) as Json;
      expect(JSON.parse(Buffer.from(head, "base64url").toString())).toMatchObject({ alg: "RS256" });
      expect(claims).toMatchObject({ iss: "https://session.firebase.google.com/haat", email });
      expect(Number(claims.exp) - Number(claims.iat)).toBe(300);
      const asToken = await clientCall(server, "v1/accounts:lookup", { idToken: sessionCookie });
      expect(refusal(asToken)).toBe("INVALID_ID_TOKEN");
      for (const validDuration of ["299", "1209601"]) {
        const answer = await keeper.call(":createSessionCookie", { idToken, validDuration });
        expect(refusal(answer), validDuration).toMatch(/^INVALID_DURATION/);
      }
    });

    test("revoking ends a session at once", async () => {
      const { localId, email } = await make();
      const user = await signIn(email);
      const validSince = String(Math.floor(Date.now() / 1000) + 1);
      await keeperCall("/accounts:update", { localId, validSince });
      await refused(user.getIdToken(true), "auth/user-token-expired");
    });

    test("are refused for everybody else", async () => {
      const { localId, email } = await make();
      const idToken = await (await signIn(email)).getIdToken();
      const elsewhere = await hardened("elsewhere");
      const stranger = await projectAdmin(elsewhere).finally(() => elsewhere.stop());
      const forged = claimsOf(keeper.bearer);
      const [head = "", body = ""] = keeper.bearer.split(".");
      const now = Math.floor(Date.now() / 1000);
      const bearers: Record<string, string | null> = {
        none: null,
        "the emulator's": "owner",
        "an ID token": idToken,
        "a custom token": keeper.customToken(localId),
        "another project's": stranger.bearer,
        "of another key": signed(
          { private_key: newKey(), private_key_id: account.private_key_id },
          forged,
        ),
        unsigned: unsigned(forged),
        "without its signature": `${head}.${body}.`,
        expired: signed(account, {
          ...forged,
          iss: account.client_email,
          sub: account.client_email,
          iat: now - 7200,
          exp: now - 3600,
        }),
      };
      const calls: [path: string, body?: Json][] = [
        ["/accounts", { email: newEmail(), password: PASSWORD }],
        ["/accounts:lookup", { localId: [localId] }],
        ["/accounts:update", { localId, disableUser: true }],
        ["/accounts:delete", { localId }],
        ["/accounts:batchGet?maxResults=10"],
        ["/accounts:batchCreate", { users: [{ localId: newUid() }] }],
        ["/accounts:batchDelete", { localIds: [localId], force: true }],
        ["/accounts:query", {}],
        ["/accounts:sendOobCode", { requestType: "PASSWORD_RESET", email, returnOobLink: true }],
        [":createSessionCookie", { idToken, validDuration: "300" }],
      ];
      for (const [who, bearer] of Object.entries(bearers)) {
        for (const [path, body] of calls) {
          const answer = await call(server, bearer, path, body);
          expect([401, 403], `${who}: ${path}: ${answer.status}`).toContain(answer.status);
        }
      }
      expect((await signIn(email)).uid).toBe(localId);
      // The admin of this project has no rights in another.
      const other = { ...server, projectId: "elsewhere" };
      const answer = await call(other, keeper.bearer, "/accounts:batchGet");
      expect(answer.status).toBeGreaterThanOrEqual(400);
    });
  });
});

function newKey(): string {
  const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  return privateKey.export({ type: "pkcs8", format: "pem" }) as string;
}

function claimsOf(token: string): Json {
  const [, body = ""] = token.split(".");
  return JSON.parse(Buffer.from(body, "base64url").toString()) as Json;
}
